# SPDX-License-Identifier: BSD-3-Clause
"""Checks README and docs: Python and C snippets run, a `text` block after a snippet is its output, links are
valid, and the generator's output for the row in adding-an-operation.md matches the text."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import corten

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', *sorted((ROOT / 'docs').glob('*.md'))]
BLOCK = re.compile(r'^```(\w+)\n(.*?)^```\n(?:\n[^\n`]*\n\n```text\n(.*?)^```\n)?', re.M | re.S)
PACKAGE = pathlib.Path(corten.__file__).parent


def snippets(language):
    for page in PAGES:
        for number, (kind, text, printed) in enumerate(BLOCK.findall(page.read_text())):
            if kind == language:
                yield pytest.param(text, printed, id=f'{page.name}-{number}')


def run(command, printed, **how):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    if printed:
        assert done.stdout == printed


@pytest.mark.parametrize('text, printed', list(snippets('python')))
def test_python(text, printed, tmp_path):
    (tmp_path / 'snippet.py').write_text(text)
    run([sys.executable, 'snippet.py'], printed, cwd=tmp_path)


@pytest.mark.skipif(not shutil.which('cc') or 'asan' in os.environ.get('LD_PRELOAD', ''), reason='no plain C compiler')
@pytest.mark.parametrize('text, printed', list(snippets('c')))
def test_c(text, printed, tmp_path):
    if 'int main' not in text:
        pytest.skip('an excerpt')
    (tmp_path / 'snippet.c').write_text(text)
    run(['cc', '-std=gnu11', '-Wall', '-Wextra', '-Wshadow', '-Werror', 'snippet.c', '-o', 'snippet', f'-I{PACKAGE}/include',
         f'-L{PACKAGE}', '-lcorten', f'-Wl,-rpath,{PACKAGE}'], None, cwd=tmp_path)
    run(['./snippet'], printed, cwd=tmp_path)


@pytest.mark.parametrize('page', PAGES, ids=lambda p: p.name)
def test_links(page):
    links = re.findall(r'\]\((?!\w+:)([^)#]+)', page.read_text())
    lost = [link for link in links if not (page.parent / link).exists()]
    assert not lost, lost


def test_names_exist():
    """The notes and files that design.md mentions exist."""
    text = (ROOT / 'docs/design.md').read_text()
    source = '\n'.join(p.read_text() for folder in ('src', 'tools', 'python/src', 'include') for p in (ROOT / folder).rglob('*')
                       if p.suffix in ('.c', '.h', '.cu', '.cuh', '.py', '.toml'))
    notes = {f'Note [{name}]' for group in re.findall(r'Notes? ((?:\[[^\]]+\](?:, )?)+)', text)
             for name in re.findall(r'\[([^\].]+)\]', group)}
    assert notes
    functions = set(re.findall(r'`((?:cti|py)_\w+|struct \w+|enum \w+)`', text))
    made = {n for n in functions if re.match(r'cti_(node|loop)_', n)}
    missing = [n for n in notes | (functions - made) if n not in source]
    assert not missing, missing


def test_the_added_row():
    """The generator accepts the row of adding-an-operation.md, and its output contains the excerpts."""
    page = (ROOT / 'docs/adding-an-operation.md').read_text()
    row = re.search(r'^```toml\n(.*?)^```', page, re.M | re.S)[1]
    name = re.match(r'\[(\w+)\]', row)[1]
    script = f'''
import sys; sys.path.insert(0, {str(ROOT / "tools")!r})
import gen, pathlib, rows, tempfile
folder = pathlib.Path(tempfile.mkdtemp())
for path in pathlib.Path({str(ROOT / "src/ops")!r}).rglob("*.toml"):
    parts = path.read_text().split("\\n[")
    (folder / path.name).write_text("\\n[".join(p for p in parts if not p.startswith("{name}]")))
(folder / "arithmetic.toml").open("a").write("\\n" + {row!r})
table = rows.load(folder.glob("*.toml"))
for make in [*gen.outputs(table).values(), *gen.committed(table).values()]:
    print(make())
'''
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = {line.strip() for line in done.stdout.split('\n')}
    excerpts = [b for kind, b, _ in BLOCK.findall(page) if kind == 'c' and name in b]
    assert excerpts
    lost = [line for b in excerpts for line in b.split('\n') if line.strip() not in made and line.strip() != '...']
    assert not lost, lost
