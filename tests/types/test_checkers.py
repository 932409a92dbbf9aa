# SPDX-License-Identifier: BSD-3-Clause
"""mypy --strict and pyright accept the stubs and every program in README, docs/, examples/ and docstrings.

basedpyright is used as pyright, because it includes node and needs no npm; its mode "standard" is pyright's default.
"""
import importlib.util
import json
import subprocess
import sys

import pytest

import typed_programs

LIKE_A_PROGRAM = ['--allow-untyped-defs', '--allow-untyped-calls', '--allow-incomplete-defs', '--check-untyped-defs',
                  '--allow-any-generics', '--disable-error-code=var-annotated']


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp('types')
    typed_programs.gather(path)
    return path


def check(module, arguments, folder):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f'{module} is not installed (pip install -r requirements-dev.txt)')
    return subprocess.run([sys.executable, '-m', module, *arguments], cwd=folder, capture_output=True, text=True, timeout=300)


def test_mypy_accepts_the_stubs(folder):
    done = check('mypy', ['--strict', '-p', 'corten'], folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_accepts_the_programs(folder):
    done = check('mypy', ['--strict', *LIKE_A_PROGRAM, '--ignore-missing-imports', 'programs'], folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_refuses_wrong_calls(folder):
    """Wrong programs are rejected, which shows that the checkers find the stubs."""
    wrong = folder / 'wrong.py'
    wrong.write_text('import corten\ncorten.nn.Linear("2", 2)\ncorten.optim.SGD(lr=1)\ncorten.ones(2).no_such_name\n'
                     'corten.nn.functional.relu("x")\ncorten.no_such_name\n')
    done = check('mypy', ['--strict', 'wrong.py'], folder)
    assert [line.split(':')[1] for line in done.stdout.splitlines() if ': error:' in line] == ['2', '3', '4', '5', '6']


def test_pyright_accepts_stubs_and_programs(folder):
    settings = {'include': ['corten/**/*.pyi', 'programs'], 'typeCheckingMode': 'standard', 'reportMissingImports': False,
                'reportMissingModuleSource': False, 'pythonVersion': '3.11',
                'reportPossiblyUnboundVariable': False}  # only a warning in pyright: use of `loss` after a loop
    (folder / 'pyrightconfig.json').write_text(json.dumps(settings))
    done = check('basedpyright', ['--outputjson', '--pythonpath', sys.executable], folder)
    found = [f'{d["file"]}:{d["range"]["start"]["line"] + 1}: {d["message"]}'
             for d in json.loads(done.stdout)['generalDiagnostics'] if d['severity'] == 'error']
    assert not found, '\n'.join(found)
