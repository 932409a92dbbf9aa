# SPDX-License-Identifier: BSD-3-Clause
"""A call stays cheap: the instructions of a one-element add from C, as docs/performance.md counts them."""
import importlib.util
import shutil

import pytest
from rooms import ROOT

# By its path: bench on sys.path would hide the modules of tools that have the same names.
spec = importlib.util.spec_from_file_location('instructions', ROOT / 'bench/instructions.py')
instructions = importlib.util.module_from_spec(spec)
spec.loader.exec_module(instructions)

MOST = 1600


@pytest.mark.skipif(not all(map(shutil.which, ('valgrind', 'cc', 'pkg-config'))), reason='needs valgrind, cc, pkg-config')
def test_one_add(tmp_path):
    assert instructions.per_call([instructions.build_c(tmp_path)]) <= MOST
