# SPDX-License-Identifier: BSD-3-Clause
"""Timing statements: `Timer(stmt, setup, globals=...).timeit(100)` prints what it measured, as PyTorch's does.

A statement runs with one thread unless told otherwise, is warmed up before it counts, and sees `torch` among its
globals."""
import contextlib
import statistics
import textwrap
import timeit as _timeit
from time import perf_counter as timer

import corten

__all__ = ["Measurement", "Timer", "set_torch_threads"]
_UNITS = (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0))


@contextlib.contextmanager
def set_torch_threads(n):
    """A number of threads for a while."""
    before = corten.get_num_threads()
    try:
        corten.set_num_threads(n)
        yield
    finally:
        corten.set_num_threads(before)


def select_unit(seconds):
    """The unit that suits a time, and its length."""
    fitting = [unit for unit in _UNITS if unit[1] <= seconds]
    return (fitting or _UNITS)[-1 if fitting else 0]


def _block(name, code):
    """A line, or a headed paragraph where there are several."""
    if "\n" not in code:
        return f"{name}: {code}" if name == "setup" else code
    return f"{name}:\n{textwrap.indent(code, '  ')}\n"


class Measurement:
    """The seconds that runs of a statement took; `raw_times` holds one total for `number_per_run` runs each."""

    def __init__(self, number_per_run, raw_times, timer):
        self.number_per_run, self.raw_times, self._timer = number_per_run, list(raw_times), timer

    stmt = property(lambda self: self._timer.stmt)
    setup = property(lambda self: self._timer.setup)
    label = property(lambda self: self._timer.label)
    sub_label = property(lambda self: self._timer.sub_label)
    description = property(lambda self: self._timer.description)
    num_threads = property(lambda self: self._timer.num_threads)
    env = property(lambda self: self._timer.env)
    as_row_name = property(lambda self: self.sub_label or self.stmt or "[Unknown]")

    @property
    def times(self):
        """Seconds of one run, one for each measurement."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def mean(self):
        """The mean time of one run."""
        return statistics.fmean(self.times)

    @property
    def median(self):
        """The median time of one run."""
        return statistics.median(self.times)

    @property
    def iqr(self):
        """How far the middle half of the times spreads."""
        low, high = self._quartiles()
        return high - low

    def _quartiles(self):
        times = sorted(self.times)

        def at(part):
            place = part * (len(times) - 1)
            low = times[int(place)]
            high = times[min(int(place) + 1, len(times) - 1)]
            return low + (high - low) * (place - int(place))
        return at(0.25), at(0.75)

    @property
    def title(self):
        """What was timed, in a few words."""
        title = self.label or self.stmt
        return f"{title}: {self.sub_label}" if self.sub_label else title

    def _head(self):
        named = self.label or self.sub_label or "\n" not in self.stmt
        lines = [self.title if named else _block("stmt", self.stmt)]
        if self.setup and self.setup != "pass" and not self.label:
            lines.append(_block("setup", self.setup))
        if self.description:
            lines.append(self.description)
        return lines

    def __repr__(self):
        n, (unit, length) = len(self.raw_times), select_unit(self.median)
        lines = [object.__repr__(self), *self._head(),
                 f"  {'Median: ' if n > 1 else ''}{self.median / length:.2f} {unit}"]
        if n >= 4:
            low, high = self._quartiles()
            lines.append(f"  IQR:    {self.iqr / length:.2f} {unit} ({low / length:.2f} to {high / length:.2f})")
        lines.append(f"  {n} measurement{'s' * (n > 1)}, {self.number_per_run} runs "
                     f"{'per measurement,' if n > 1 else ','} {self.num_threads} thread{'s' * (self.num_threads > 1)}")
        return "\n".join(lines)


class Timer:
    """Times a statement. `globals` are what it sees; `setup` runs once before it."""

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None,
                 sub_label=None, description=None, env=None, num_threads=1):
        self.stmt, self.setup = textwrap.dedent(stmt).strip(), textwrap.dedent(setup).strip()
        self.label, self.sub_label, self.description, self.env = label, sub_label, description, env
        self.num_threads = num_threads
        seen = dict(globals or {})
        seen.setdefault("torch", corten)
        self._timer = _timeit.Timer(self.stmt, self.setup, timer=timer, globals=seen)

    def _run(self, number):
        return max(self._timer.timeit(number), 1e-9)

    def _with_threads(self, measure):
        before = corten.get_num_threads()
        corten.set_num_threads(self.num_threads)
        try:
            return measure()
        finally:
            corten.set_num_threads(before)

    def timeit(self, number=1000000):
        """One measurement of `number` runs."""
        def measure():
            self._run(max(number // 100, 2))
            return Measurement(number, [self._run(number)], self)
        return self._with_threads(measure)

    def _block_size(self, min_run_time):
        """So many runs that reading the clock does not count."""
        overhead = statistics.median(_timeit.Timer("pass", timer=self._timer.timer).timeit(1) for _ in range(5))
        number = 1
        while True:
            taken = self._run(number)
            if (overhead / taken <= 1e-4 and taken >= min_run_time / 1000) or taken > min_run_time / 20:
                return number
            number *= 10

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Measurements of as many runs as it takes, for at least `min_run_time` seconds."""
        def measure():
            number, times = self._block_size(min_run_time), []
            while sum(times) < min_run_time:
                times.append(self._run(number))
                if callback is not None:
                    callback(number, times[-1])
            return Measurement(number, times, self)
        return self._with_threads(measure)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """Measurements until their spread is below `threshold` of the median."""
        def measure():
            number, times = self._block_size(0.05), []
            while sum(times) < max_run_time:
                times.append(self._run(number))
                if callback is not None:
                    callback(number, times[-1])
                done = Measurement(number, times, self)
                if len(times) >= 4 and sum(times) >= min_run_time and done.iqr / done.median < threshold:
                    break
            return Measurement(number, times, self)
        return self._with_threads(measure)


Timer.__module__ = "torch.utils.benchmark.utils.timer"
Measurement.__module__ = "torch.utils.benchmark.utils.common"
