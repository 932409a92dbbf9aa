# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.benchmark: measurements of Timer, and printed comparison tables."""
import re

import pytest

import corten
from corten.utils.benchmark import Colorize, Compare, Measurement, TaskSpec, Timer, select_unit, trim_sigfig

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
                               r"  \d+ measurements, \d+ runs per measurement, 2 threads(\n  WARNING: .*\n {11}This .*)?", repr(m))
    assert sum(m.raw_times) >= 0.1 and m.iqr >= 0
    assert Timer("1+1").adaptive_autorange(threshold=10).median > 0


def test_what_the_statement_sees():
    before = corten.get_num_threads()
    seen = []
    Timer("seen.append(torch.get_num_threads())", globals={"seen": seen}).timeit(1)
    assert set(seen) == {1} and corten.get_num_threads() == before
    with pytest.raises(NameError, match="name 'zzz' is not defined"):
        Timer("zzz").timeit(1)


TIMES = {("e1", 1, "add", "small"): [1.0e-6, 1.1e-6, 1.2e-6, 1.05e-6], ("e1", 1, "add", "large one"): [2.34567e-4] * 5,
         ("e1", 1, "mul", "small"): [2.5e-6, 9.1e-6, 3.0e-6, 5.5e-6], ("e1", 4, "add", "large one"): [0.6e-4, 0.61e-4],
         ("second", 1, "mul", "small"): [1.01e-6], ("second", 4, "add", "large one"): [3.9e-4, 4.1e-4]}
TABLE = """\
[---------------- ops ----------------]
                 |  small  |  large one
1 threads: ----------------------------
  (e1)      add  |   1.1   |    234.6  
            mul  |   4.2   |           
  (second)  mul  |   1.0   |           
4 threads: ----------------------------
  (e1)      add  |         |     60.5  
  (second)  add  |         |    400.0  

Times are in microseconds (us).
"""  # noqa: W291
COLOURED = """\
[------------------ ops ------------------]
                 |    small    |  large one
1 threads: --------------------------------
  (e1)      add  |  BEST 1       END  |  BEST   235   END
            mul  |  BAD4 (! 83%)END  |           
  (second)  mul  |  BEST 1       END  |           
4 threads: --------------------------------
  (e1)      add  |             |  BEST    60   END
  (second)  add  |             |  WORST   400   END

Times are in microseconds (us).
(! XX%) Measurement has high variance, where XX is the IQR / median * 100.
"""  # noqa: W291
CODES = {"BEST": "\033[92m\033[1m", "BAD": "\033[2m\033[91m", "WORST": "\033[31m\033[1m", "END": "\033[0m\033[0m"}


def measurements():
    return [Measurement(1, times, TaskSpec(f"{name}(x)", "pass", label="ops", sub_label=name, description=column,
                                           env=env, num_threads=threads))
            for (env, threads, name, column), times in TIMES.items()]


def test_table(capsys):
    table = Compare(measurements())
    table.print()
    assert capsys.readouterr().out == TABLE + "\n"
    table.trim_significant_figures()
    table.highlight_warnings()
    table.colorize()
    expected = COLOURED
    for word, code in CODES.items():
        expected = expected.replace(word, code)
    assert str(table) == expected
    table.colorize(rowwise=True)
    assert str(table).count(CODES["BEST"]) == 5 and str(table).count(CODES["WORST"]) == 1
    assert [c.value for c in Colorize] == ["none", "columnwise", "rowwise"]


def test_merged():
    few = [Measurement(n, [t], TaskSpec("f", "pass")) for n, t in ((1, 2e-3), (10, 4e-2))]
    one, = Measurement.merge(few)
    assert one.times == [2e-3, 4e-3] and one.number_per_run == 1 and one.median == 3e-3 and one.as_row_name == "f"
    assert str(Compare([])) == ""
    with pytest.raises(ValueError, match="Expected an instance of `Measurement`, got <class 'int'> instead."):
        Compare([1])
    with pytest.raises(AttributeError, match="'Measurement' object has no attribute 'foo'"):
        one.foo
    assert select_unit(1e-5) == ("us", 1e-6) and trim_sigfig(3.14159, 2) == pytest.approx(3.1)


def test_doubtful_times():
    spread = repr(measurements()[2])
    assert spread.endswith("  WARNING: Interquartile range is 82.9% of the median measurement.\n"
                           "           This suggests significant environmental influence.")
    assert measurements()[2].has_warnings and measurements()[2].significant_figures == 1
    assert not measurements()[1].has_warnings and measurements()[1].significant_figures == 3


@pytest.mark.parametrize("options, text", [
    ({"stmt": 3}, "Currently only a `str` stmt is supported."), ({"language": "x"}, "Invalid language `x`."),
    ({"global_setup": "x"}, "global_setup is C\\+\\+ only, got `x`")])
def test_wrong_timers(options, text):
    with pytest.raises(ValueError, match=text):
        Timer(**options)


def test_threads_for_a_while():
    from corten.utils.benchmark import set_torch_threads
    before = corten.get_num_threads()
    with pytest.raises(KeyError), set_torch_threads(1):
        assert corten.get_num_threads() == 1
        raise KeyError
    assert corten.get_num_threads() == before
