# SPDX-License-Identifier: BSD-3-Clause
"""Fuzzes for a minute, or for CORTEN_FUZZ_SECONDS. A failure names its seed or its call."""
import os
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import fuzz  # noqa: E402
import sizes  # noqa: E402


@pytest.mark.long
def test_random_programs():
    seed = int(os.environ.get("CORTEN_FUZZ_SEED", random.SystemRandom().randrange(2 ** 40)))
    done, reports = fuzz.fuzz(seed, float(os.environ.get("CORTEN_FUZZ_SECONDS", 60)))
    assert not reports, "\n".join(reports)
    assert done


@pytest.mark.long
def test_huge_sizes():
    """Tests a random part of the functions, since all of them take an hour."""
    count, reports = sizes.probe(share=20, part=random.SystemRandom().randrange(30), parts=30)
    assert not reports, "\n".join(reports)
    assert count
