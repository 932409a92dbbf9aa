# SPDX-License-Identifier: BSD-3-Clause
"""Timing of statements: `Timer(stmt, setup, globals=...).timeit(100)` returns a Measurement that prints like PyTorch's.

By default a statement runs with one thread. It is warmed up before it is timed, and finds `torch` among its globals."""
import textwrap
import timeit as _timeit
from time import perf_counter as timer

import corten

from ..._missing import MissingFeature
from ..._parts import parts_of
from .._compare import Colorize, Compare
from .._measurement import (Measurement, TaskSpec, ordered_unique, select_unit, set_torch_threads, trim_sigfig,
                            unit_to_english)
from ._counts import CallgrindStats, FunctionCount, FunctionCounts
from .utils.fuzzer import FuzzedParameter, FuzzedTensor, Fuzzer, ParameterAlias

__all__ = ["CallgrindStats", "Colorize", "Compare", "FunctionCount", "FunctionCounts", "FuzzedParameter", "FuzzedTensor", "Fuzzer",
           "Measurement", "ParameterAlias", "TaskSpec", "Timer", "ordered_unique", "select_unit",
           "set_torch_threads", "timer", "trim_sigfig", "unit_to_english"]


def _clean(code):
    """Removes indentation and surrounding blank lines from code."""
    return textwrap.dedent(code).removeprefix("\n").rstrip()


class Timer:
    """Times a statement. `globals` is its namespace; `setup` runs once before it."""

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None,
                 sub_label=None, description=None, env=None, num_threads=1, language="python"):
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language in ("cpp", "c++"):
            raise MissingFeature("torch.utils.benchmark.Timer(language='c++')", "time a statement of Python")
        if language not in ("py", "python"):
            raise ValueError(f"Invalid language `{language}`.")
        if global_setup:
            raise ValueError(f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be "
                             "moved to `setup`.")
        self._globals = dict(globals or {})
        self._globals.setdefault("torch", corten)
        self._task_spec = TaskSpec(_clean(stmt), _clean(setup), global_setup, label, sub_label, description, env,
                                   num_threads)
        self._timer = _timeit.Timer(self._task_spec.stmt, self._task_spec.setup, timer=timer, globals=self._globals)

    def _run(self, number):
        return max(self._timer.timeit(number), 1e-9)

    def timeit(self, number=1000000):
        """Times `number` runs and returns one Measurement."""
        with set_torch_threads(self._task_spec.num_threads):
            self._run(max(int(number // 100), 2))
            return Measurement(number, [self._run(number)], self._task_spec)

    def repeat(self, repeat=-1, number=-1):
        """Not available, as in PyTorch: use `blocked_autorange`."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback=None):
        """Not available, as in PyTorch: use `blocked_autorange`."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _block_size(self, min_run_time):
        """Returns a number of runs large enough that the overhead of the clock is negligible."""
        overhead = corten.tensor([self._run(0) for _ in range(5)]).median().item()
        number = 1
        while True:
            taken = self._run(number)
            enough = overhead / taken <= 1e-4 and taken >= min_run_time / 1000
            if enough or taken > min_run_time or number * 10 > 2 ** 31 - 1:
                return number
            number *= 10

    def _measure(self, block_time, min_run_time, max_run_time, callback, stop):
        """Times blocks of runs for at least `min_run_time` seconds and until `stop` is true, at most for `max_run_time` seconds."""
        with set_torch_threads(self._task_spec.num_threads):
            number, total, done = self._block_size(block_time), 0.0, False
            m = Measurement(number, [], self._task_spec)
            while total < min_run_time or not done:
                m.raw_times.append(self._run(number))
                total += m.raw_times[-1]
                if callback:
                    callback(number, m.raw_times[-1])
                done = stop(m)
                if max_run_time and total > max_run_time:
                    break
            return m

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Chooses the block size and times blocks for at least `min_run_time` seconds in total."""
        return self._measure(min_run_time, min_run_time, None, callback, lambda m: True)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """Times until the interquartile range is below `threshold` times the median, or `max_run_time` seconds have passed."""
        def steady(m):
            return len(m.raw_times) > 3 and m.meets_confidence(threshold)
        return self._measure(0.05, min_run_time, max_run_time, callback, steady)

    def collect_callgrind(self, number=100, *, repeats=None, collect_baseline=True, retain_out_file=False):
        """Not available in Corten: valgrind can count instructions of the whole program."""
        raise MissingFeature("torch.utils.benchmark.Timer.collect_callgrind", "run valgrind --tool=callgrind python SCRIPT yourself")


__getattr__ = parts_of(__name__)
Timer.__module__ = "torch.utils.benchmark.utils.timer"
