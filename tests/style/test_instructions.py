# SPDX-License-Identifier: BSD-3-Clause
"""A call stays cheap: the instructions of a one-element add from C, as docs/performance.md counts them."""
import shutil
import sys

import pytest
from rooms import ROOT

sys.path.insert(0, str(ROOT / 'bench'))
import instructions  # noqa: E402

MOST = 1600


@pytest.mark.skipif(not all(map(shutil.which, ('valgrind', 'cc', 'pkg-config'))), reason='needs valgrind, cc, pkg-config')
def test_one_add(tmp_path):
    assert instructions.per_call([instructions.build_c(tmp_path)]) <= MOST
