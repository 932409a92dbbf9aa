# SPDX-License-Identifier: BSD-3-Clause
"""ruff reports no mistakes in the Python files, including pycodestyle's rules for whitespace."""
import importlib.util
import subprocess
import sys

import pytest
from rooms import ROOT


def test_ruff():
    if importlib.util.find_spec('ruff') is None:
        pytest.skip('ruff is not installed (pip install -r requirements-dev.txt)')
    done = subprocess.run([sys.executable, '-m', 'ruff', 'check', '--quiet', '--output-format=concise', '.'], cwd=ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 0, 'run `make format`, which repairs most of this:\n' + done.stdout + done.stderr
