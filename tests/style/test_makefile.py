# SPDX-License-Identifier: BSD-3-Clause
"""The Makefile works in a folder whose path contains a space; .ci/run does a full build in one."""
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize('target', ['demo', 'test', 'sanitize', 'tsan', 'wheel', 'docs'])
def test_a_space_in_the_path(tmp_path, target):
    clone = tmp_path / 'my code' / 'corten'
    clone.mkdir(parents=True)
    for name in ('Makefile', 'requirements-build.txt', 'requirements-dev.txt'):
        shutil.copy(ROOT / name, clone)
    run = subprocess.run(['make', '-n', target], cwd=clone, capture_output=True, text=True)
    said = run.stdout + run.stderr
    assert run.returncode == 0 and 'overriding recipe' not in said and 'PyTorch 2' not in said, said
    # An unquoted absolute path would be split at the space.
    first = str(clone).split(' ')[0]
    for line in said.replace('\\\n', ' ').splitlines():
        at = line.find(first)
        while at >= 0:
            before = line[:at]
            assert before.count('"') % 2 or before.count("'") % 2, line
            at = line.find(first, at + 1)
