# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.benchmark: what a Timer measures and how it prints."""
import re

import pytest

import corten
from corten.utils.benchmark import Timer

TIME = r"\d+\.\d\d (s|ms|us|ns)"
HEAD = r"<torch\.utils\.benchmark\.utils\.common\.Measurement object at 0x[0-9a-f]+>\n"


@pytest.mark.parametrize("options, lines", [
    ({}, ["1+1"]), ({"label": "L"}, ["L"]), ({"sub_label": "S"}, ["1+1: S"]),
    ({"label": "L", "sub_label": "S", "description": "D"}, ["L: S", "D"]),
    ({"setup": "a=1"}, ["1+1", "setup: a=1"]), ({"setup": "a=1\nb=2"}, ["1+1", "setup:", "  a=1", "  b=2", ""]),
    ({"stmt": "x=1\ny=2"}, ["stmt:", "  x=1", "  y=2", ""])])
def test_print(options, lines):
    m = Timer(**{"stmt": "1+1", **options}).timeit(10)
    text = "\n".join(map(re.escape, lines))
    assert re.fullmatch(HEAD + text + rf"\n  {TIME}\n  1 measurement, 10 runs , 1 thread", repr(m))
    assert m.number_per_run == 10 and len(m.times) == 1 and m.mean == m.median == m.times[0] > 0


def test_many_measurements():
    m = Timer("x.sum()", globals={"x": corten.ones(10)}, num_threads=2).blocked_autorange(min_run_time=0.1)
    assert re.fullmatch(HEAD + rf"x\.sum\(\)\n  Median: {TIME}\n  IQR:    {TIME} \(\d+\.\d\d to \d+\.\d\d\)\n"
                               r"  \d+ measurements, \d+ runs per measurement, 2 threads", repr(m))
    assert sum(m.raw_times) >= 0.1 and m.iqr >= 0
    assert Timer("1+1").adaptive_autorange(threshold=10).median > 0


def test_what_the_statement_sees():
    before = corten.get_num_threads()
    seen = []
    Timer("seen.append(torch.get_num_threads())", globals={"seen": seen}).timeit(1)
    assert set(seen) == {1} and corten.get_num_threads() == before
    with pytest.raises(NameError, match="name 'zzz' is not defined"):
        Timer("zzz").timeit(1)
