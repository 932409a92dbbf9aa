# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.throughput_benchmark: calls of a module per second, from several threads.

    bench = ThroughputBenchmark(model)
    bench.add_input(torch.randn(8, 3, 224, 224))
    print(bench.benchmark(num_calling_threads=4))
"""
import itertools
import random
import threading
import time

from .. import _C

__all__ = ["ExecutionStats", "ThroughputBenchmark", "format_time"]


def format_time(time_us=None, time_ms=None, time_s=None):
    """Formats a time, given in exactly one of three units, in a suitable unit: "1.500ms"."""
    given = [t * scale for t, scale in ((time_us, 1), (time_ms, 1e3), (time_s, 1e6)) if t is not None]
    if len(given) != 1:
        raise AssertionError("Expected only one of time_us, time_ms, time_s is given.")
    for unit, scale in (("s", 1e6), ("ms", 1e3)):
        if given[0] >= scale:
            return f"{given[0] / scale:.3f}{unit}"
    return f"{given[0]:.3f}us"


class ExecutionStats:
    """The result of a benchmark: `latency_avg_ms` is the mean time of a call, `num_iters` the number of calls by all threads."""

    def __init__(self, latency_avg_ms, num_iters, num_calling_threads):
        self.latency_avg_ms, self.num_iters, self._threads = latency_avg_ms, num_iters, num_calling_threads

    total_time_seconds = property(lambda self: self.num_iters * self.latency_avg_ms / 1000 / self._threads, doc="The time of all iterations, in seconds.")
    iters_per_second = property(lambda self: self.num_iters / self.total_time_seconds, doc="The number of iterations in a second.")

    def __str__(self):
        return (f"Average latency per example: {format_time(time_ms=self.latency_avg_ms)}\n"
                f"Total number of iterations: {self.num_iters}\n"
                f"Total number of iterations per second (across all threads): {self.iters_per_second:.2f}\n"
                f"Total time: {format_time(time_s=self.total_time_seconds)}")


class ThroughputBenchmark:
    """Calls a module from several threads, with randomly chosen inputs."""

    def __init__(self, module):
        self._module, self._inputs = module, []

    def add_input(self, *args, **kwargs):
        """Adds the arguments of one call."""
        self._inputs.append((args, kwargs))

    def run_once(self, *args, **kwargs):
        """Calls the module with these arguments and returns its result."""
        with _C.no_grad():
            return self._module(*args, **kwargs)

    def benchmark(self, num_calling_threads=1, num_warmup_iters=10, num_iters=100, profiler_output_path=""):
        """Runs the benchmark: `num_warmup_iters` untimed calls per thread, then `num_iters` calls in total.

        profiler_output_path: file for a trace (chrome://tracing) of one additional call.
        """
        if not self._inputs:
            raise RuntimeError("ThroughputBenchmark.benchmark: add_input() was not called")
        if profiler_output_path:
            from ..autograd.profiler import profile
            with profile() as recorded:
                self._call(random.choice(self._inputs))
            recorded.export_chrome_trace(profiler_output_path)
        calls, errors = itertools.count(), []
        ready = threading.Barrier(num_calling_threads + 1)

        def work():
            try:
                for _ in range(num_warmup_iters):
                    self._call(random.choice(self._inputs))
            except BaseException as error:
                errors.append(error)
            ready.wait()
            try:
                while not errors and next(calls) < num_iters:
                    self._call(random.choice(self._inputs))
            except BaseException as error:
                errors.append(error)
        threads = [threading.Thread(target=work) for _ in range(num_calling_threads)]
        for thread in threads:
            thread.start()
        ready.wait()
        begin = time.perf_counter()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - begin
        if errors:
            raise errors[0]
        return ExecutionStats(seconds * 1000 * num_calling_threads / num_iters, num_iters, num_calling_threads)

    def _call(self, inputs):
        args, kwargs = inputs
        self.run_once(*args, **kwargs)
