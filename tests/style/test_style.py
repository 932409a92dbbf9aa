# SPDX-License-Identifier: BSD-3-Clause
"""Checks rules of the source code: format, direction of includes, file sizes, first lines."""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from rooms import ROOT, tracked, wrong_includes

C_FILES = tracked('*.c', '*.h')
GENERATED = {'include/corten/ops.h'}
UNFINISHED = re.compile(r'\b(' + '|'.join(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK']) + r')\b')
MACHINE_PATH = re.compile(r'/(home|root|work)/[a-z.]')


def own_text():
    return tracked('*.c', '*.h', '*.py', '*.pyi', '*.toml', '*.md', '*.build', 'Makefile', '.ci/*')


def lines(path):
    return (ROOT / path).read_text().split('\n')


def test_clang_format():
    beside = str(pathlib.Path(sys.executable).parent)  # the version of requirements-dev.txt, if it is installed
    tool = shutil.which('clang-format', path=beside) or shutil.which('clang-format')
    if not tool:
        pytest.skip('clang-format is not installed')
    names = [str(p) for p in C_FILES if str(p) not in GENERATED]
    done = subprocess.run([tool, '--dry-run', '-Werror', *names], cwd=ROOT, capture_output=True, text=True)
    wrong = sorted({line.split(':')[0] for line in done.stderr.split('\n') if 'clang-format-violations' in line})
    assert not wrong, 'run `make format`: ' + ', '.join(wrong)


def test_include_direction():
    wrong = [w for path in C_FILES for w in wrong_includes(path)]
    assert not wrong, '\n'.join(wrong)


def test_file_length():
    long = [
        f'{path}: {len(lines(path))} lines'
        for path in tracked('*.c', '*.h', '*.py', '*.toml')
        if str(path) not in GENERATED and len(lines(path)) > 1001
    ]
    assert not long, '\n'.join(long)


def test_folders_of_tests_are_small():
    """Limits the number of entries in a folder, so that readers find files by name."""
    count = collections.Counter(str(path.parent) for path in tracked('tests/*'))
    full = [f'{folder}: {n} files' for folder, n in count.items() if n > 20]
    assert not full, '\n'.join(full)


def test_licence_line():
    missing = []
    for path in tracked('*.c', '*.h', '*.py', '*.pyi', 'src/*.toml', '*meson.build'):
        top = [line for line in lines(path)[:2] if not line.startswith('#!')]
        if 'SPDX-License-Identifier: BSD-3-Clause' not in top[0]:
            missing.append(str(path))
    assert not missing, 'no licence line: ' + ', '.join(missing)


def test_nothing_unfinished():
    found = [
        f'{path}:{number}: {line.strip()}'
        for path in own_text()
        for number, line in enumerate(lines(path), 1)
        if UNFINISHED.search(line) or MACHINE_PATH.search(line)
    ]
    assert not found, '\n'.join(found)


def test_generator_is_small():
    total = {str(p): len(lines(p)) - 1 for p in tracked('tools/*.py', 'tools/**/*.py')}
    assert sum(total.values()) < 3000, total
    long = [f'{n}: {count} lines' for n, count in total.items() if count > 400]
    assert not long, '\n'.join(long)
    wide = [f'{n}:{i}' for n in total for i, line in enumerate(lines(n), 1) if len(line) > 100]
    assert not wide, 'over 100 columns: ' + ', '.join(wide)


def test_generated_files_are_fresh():
    tables = [str(p) for p in tracked('src/ops/*.toml')]
    done = subprocess.run(
        [sys.executable, 'tools/gen.py', '--ops', *tables, '--check'], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    'text, error',
    [
        ('eech = "input"', 'has an unknown key: eech'),
        ('each = { any = "input", boolean = "input" }', 'has an unknown key: each.boolean'),
        ('each = "input"\noverloads = [{ cell = "(input: Tensor)" }]', 'has an unknown key: overloads.cell'),
        ('each = "input"\nfor = { a = [1, 2], b = [1] }', 'has lists of different lengths in `for`'),
    ],
)
def test_mistakes_in_a_row_have_a_file_and_a_line(tmp_path, text, error):
    row = f'# a comment\n[bad]\ndoc = "d"\ncall = "(input: Tensor)"\ntypes = "any"\ngrad = "none"\n{text}\n'
    (tmp_path / 'bad.toml').write_text(row)
    command = [sys.executable, 'tools/gen.py', '--list', '--ops', str(tmp_path / 'bad.toml')]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.strip() == f'bad.toml:2: [bad] {error}'


def test_one_version():
    text = (ROOT / 'include/corten/base.h').read_text()
    header = '.'.join(re.search(rf'CT_VERSION_{part} (\d+)', text)[1] for part in ('MAJOR', 'MINOR', 'PATCH'))
    assert f"version: '{header}'" in (ROOT / 'meson.build').read_text()
