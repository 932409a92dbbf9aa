# SPDX-License-Identifier: BSD-3-Clause
"""The profiler: which operations ran, how long, with what shapes, as a table and as a trace."""
import enum
import gzip
import os
import socket
import time

from ..autograd import profiler as _profiler
from ..autograd.profiler import record_function

__all__ = ["ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "record_function", "schedule",
           "supported_activities", "tensorboard_trace_handler"]


class ProfilerActivity(enum.Enum):
    """What is watched."""
    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class ProfilerAction(enum.Enum):
    """What becomes of a step."""
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def kineto_available():
    """Whether profiles can be made."""
    return True


def supported_activities():
    """What can be watched."""
    return {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """What becomes of each step: some are skipped, some waited for, some warm up, some are recorded; again and again."""
    def action(step):
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        cycle = wait + warmup + active
        if skip_first_wait:
            step += wait
        if repeat > 0 and step // cycle >= repeat:
            return ProfilerAction.NONE
        place = step % cycle
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < cycle - 1 else ProfilerAction.RECORD_AND_SAVE
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError("Invalid profiler schedule arguments")
    return action


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False, use_python_export=False):
    """For on_trace_ready: writes traces into a folder that TensorBoard reads."""
    def handle(prof):
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"))
    return handle


class profile:
    """Records the operations of a block, or of some of its steps.

    record_shapes, profile_memory, with_stack: what is noted of each call. schedule: which steps (see step()) are recorded.
    on_trace_ready: called with the profile when some have been.

        >>> from corten.profiler import profile
        >>> with profile(record_shapes=True) as prof:
        ...     y = corten.ones(2, 3) @ corten.ones(3, 2)
        >>> [event.input_shapes for event in prof.events() if event.name == 'aten::matmul']
        [[[2, 3], [3, 2]]]
    """

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
                 with_stack=False, with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None,
                 acc_events=False, use_cuda=None, custom_trace_id_callback=None, post_processing_timeout_s=None):
        self.activities = set(activities or supported_activities())
        if not self.activities:
            raise AssertionError("No valid profiler activities found")
        self.schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self.on_trace_ready, self.step_num, self.profiler = on_trace_ready, 0, None
        self._options = dict(record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack)
        self.record_shapes, self.with_stack, self.profile_memory = record_shapes, with_stack, profile_memory
        self.current_action, self._step = self.schedule(0), None
        self._scheduled = schedule is not None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        self.stop()

    def start(self):
        """Begins."""
        self._enter(self.current_action)

    def stop(self):
        """Ends."""
        on = self._on(self.current_action)
        self._leave()
        if on and self.on_trace_ready:
            self.on_trace_ready(self)

    @staticmethod
    def _on(action):
        return action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)

    def _enter(self, action):
        if self._on(action):
            self.profiler = _profiler.profile(**self._options)
            self.profiler.__enter__()
            self._begin_step()

    def _begin_step(self):
        if self._scheduled:
            self._step = record_function(f"ProfilerStep#{self.step_num}")
            self._step.__enter__()

    def _leave(self):
        if self._step is not None:
            self._step.__exit__()
            self._step = None
        if self.profiler is not None and _profiler._current is self.profiler:
            self.profiler.__exit__()

    def step(self):
        """The next step begins."""
        before = self.current_action
        self.step_num += 1
        after = self.current_action = self.schedule(self.step_num)
        if self._step is not None:
            self._step.__exit__()
            self._step = None
        if before == ProfilerAction.RECORD_AND_SAVE or (self._on(before) and not self._on(after)):
            self._leave()
            if self.on_trace_ready:
                self.on_trace_ready(self)
            self._enter(after)
        elif self._on(after) and not self._on(before):
            self._enter(after)
        elif self._on(after):
            self._begin_step()

    def _made(self):
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before getting key averages")
        return self.profiler

    def events(self):
        """All events in order."""
        return self._made().function_events

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """The events of one name together; .table(sort_by="cpu_time_total", row_limit=10) prints them."""
        return self._made().function_events.key_averages(group_by_input_shape, group_by_stack_n)

    def export_chrome_trace(self, path):
        """A file for chrome://tracing or Perfetto, packed if it ends with .gz."""
        plain = path.removesuffix(".gz")
        self._made().export_chrome_trace(plain)
        if plain != path:
            with open(plain, "rb") as src, gzip.open(path, "wb") as dst:
                dst.write(src.read())
            os.remove(plain)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Stacks with times, for flame graphs."""
        self._made().function_events.export_stacks(path, metric)

    def add_metadata(self, key, value):
        """A note in the trace."""

    add_metadata_json = preset_metadata_json = add_metadata
