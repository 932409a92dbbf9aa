# SPDX-License-Identifier: BSD-3-Clause
"""Recording profiles: `profile` and `record_function`, and ranges for the profilers of NVIDIA and Intel.

Programs usually use corten.profiler.profile; autograd.profiler_util has events, averages and tables.
"""
import functools
import os
import warnings

from .. import _C
from .._missing import MissingFeature, no_effect
from ..overrides import TorchFunctionMode
from . import profiler_util
from .profiler_util import EventList, FunctionEvent, FunctionEventAvg, MemRecordsAcc, format_memory, format_time  # noqa: F401

__all__ = ["EnforceUnique", "EventList", "FunctionEvent", "KinetoStepTracker", "emit_itt", "emit_nvtx", "load_nvprof",
           "parse_nvprof_trace", "profile", "record_function"]
_current = None  # the active profile
_is_profiler_enabled = False


def kineto_available():
    """Return True: profiles can be recorded."""
    return True


def _refuse_unknown(options):
    for name in options:
        raise TypeError(f"profile.__init__() got an unexpected keyword argument '{name}'")


class profile:
    """Record the operations of a block, with their times on the host.

    corten.profiler.profile adds schedules and traces; this class is its simple form.

    Args:
        enabled: False makes the block record nothing. Default: True
        use_device: accepted with a warning: GPU kernels are not timed. Default: None
        record_shapes: whether to keep the shapes of the tensors that operations get. Default: False
        with_flops: whether to estimate floating-point operations of products, convolutions, `add` and `mul`.
            Default: False
        profile_memory: whether to record the bytes that each call allocates and does not free. Default: False
        with_stack: whether to record the Python stack of each call. Default: False
        with_modules: accepted with a warning, without effect. Default: False
        use_kineto: accepted for compatibility, without effect. Default: False
        use_cpu: must be True. Default: True
        experimental_config, post_processing_timeout_s: accepted with a warning, without effect. Default: None
        acc_events: whether a second use of the object adds to the events of the first. Default: False
        custom_trace_id_callback: a function that returns the trace's id. Default: None, for a random one

    Attributes:
        function_events: the EventList, after the block.

        >>> with corten.autograd.profiler.profile() as prof:
        ...     y = corten.ones(3).exp()
        >>> sorted({event.name for event in prof.function_events})
        ['aten::exp', 'aten::ones']
    """

    def __init__(self, enabled=True, *, use_device=None, record_shapes=False, with_flops=False,
                 profile_memory=False, with_stack=False, with_modules=False, use_kineto=False, use_cpu=True,
                 experimental_config=None, acc_events=False, custom_trace_id_callback=None, post_processing_timeout_s=None,
                 **unknown):
        _refuse_unknown(unknown)
        if use_device is not None:
            no_effect("profile(use_device=...)", "only the time of the host is recorded; time kernels with torch.cuda.Event or "
                      "Nsight Systems")
        if not use_cpu:
            raise MissingFeature("profile(use_cpu=False)", "time kernels with torch.cuda.Event or Nsight Systems")
        if with_modules:
            no_effect("profile(with_modules=True)", "as with PyTorch's eager modules, no module hierarchy is recorded; "
                      "with_stack=True records the lines of the modules' code")
        if experimental_config is not None:
            no_effect("profile(experimental_config=...)", "the recorder has no such settings")
        if post_processing_timeout_s is not None:
            no_effect("profile(post_processing_timeout_s=...)", "events are recorded complete, nothing runs afterwards")
        self.enabled, self.record_shapes, self.profile_memory, self.with_stack = enabled, record_shapes, profile_memory, with_stack
        self.with_flops, self.with_modules, self.acc_events, self.use_device = with_flops, with_modules, acc_events, None
        self.custom_trace_id_callback, self.trace_id, self.entered, self._stacks = custom_trace_id_callback, "", False, {}
        self.function_events = self._none()

    def _none(self):
        return EventList(profile_memory=self.profile_memory, with_flops=self.with_flops)

    def __enter__(self):
        if not self.enabled:
            return self
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        self._begin()
        self.entered = True
        if self.custom_trace_id_callback is not None:
            self.trace_id = self.custom_trace_id_callback()
        else:
            import uuid
            self.trace_id = uuid.uuid4().hex.upper()
        if not self.acc_events:
            self.function_events = self._none()
        return self

    def __exit__(self, *error):
        if self.enabled and _current is self:
            self._end()
        self.entered = False
        return False

    def _begin(self):
        global _current, _is_profiler_enabled
        _C._profile_start(self.record_shapes or self.with_flops, self._begun if self.with_stack else None)
        _current, _is_profiler_enabled = self, True

    def _end(self):
        global _current, _is_profiler_enabled
        _current, _is_profiler_enabled = None, False
        found = profiler_util.from_records(_C._profile_stop(), self._stacks, self.profile_memory, self.with_flops,
                                           len(self.function_events))
        if not self.record_shapes:
            for event in found:
                event.input_shapes = []
        self._stacks = {}
        self.function_events.extend(found)

    def toggle_collection_dynamic(self, enabled, activities):
        """Pause or resume the recording within the block.

        Args:
            enabled: False pauses, True resumes.
            activities: the activities to switch; ignored unless ProfilerActivity.CPU is among them.
        """
        if not any(getattr(a, "name", a) == "CPU" for a in activities):
            return
        if enabled and _current is None:
            self._begin()
        elif not enabled and _current is self:
            self._end()

    def _begun(self, event):
        import traceback
        frames = list(reversed(traceback.extract_stack()[:-1]))
        self._stacks[event] = [f"{f.filename}({f.lineno}): {f.name}" for f in frames]

    def _finished(self):
        if _current is self:
            raise RuntimeError("Profiler didn't finish running")

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """Return the events grouped by name, as an EventList of averages; see EventList.key_averages.

        Args:
            group_by_input_shape: whether different shapes make different groups. Default: False
            group_by_stack_n: the number of innermost stack lines that must be equal in a group. Default: 0
            group_by_overload_name: whether overloads make different groups. Default: False
        """
        self._finished()
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self):
        """Return the sum of all events as one FunctionEventAvg."""
        self._finished()
        return self.function_events.total_average()

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80,
              header=None, top_level_events_only=False, time_unit=None):
        """Return the events as a text table, one row each.

        Args:
            sort_by, row_limit, max_src_column_width, max_name_column_width, max_shapes_column_width, header,
                top_level_events_only, time_unit: as for EventList.table.
        """
        self._finished()
        return self.function_events.table(sort_by, row_limit, max_src_column_width, max_name_column_width,
                                          max_shapes_column_width, header, top_level_events_only, time_unit)

    def export_chrome_trace(self, path):
        """Write a trace file for chrome://tracing or Perfetto.

        Args:
            path: the JSON file to write.
        """
        self._finished()
        self.function_events.export_chrome_trace(path)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Write stacks with their times for flame graphs; needs with_stack=True.

        Args:
            path: the text file to write.
            metric: the time to write, an attribute of events. Default: "self_cpu_time_total"
        """
        self._finished()
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        return self.function_events.export_stacks(path, metric)

    @property
    def self_cpu_time_total(self):
        """The time of all events together, in microseconds."""
        self._finished()
        return self.function_events.self_cpu_time_total

    def __repr__(self):
        return repr(self.function_events) if self.function_events else "<unfinished torch.autograd.profile>"

    def __str__(self):
        return str(self.function_events) if self.function_events else "<unfinished torch.autograd.profile>"


class record_function:
    """A block, or decorated function, that appears in profiles under a name.

    Args:
        name: the name.
        args: a string that is stored as an attribute. Default: None

        >>> with corten.autograd.profiler.profile() as prof:
        ...     with corten.autograd.profiler.record_function("my step"):
        ...         y = corten.ones(3) + 1
        >>> [event.name for event in prof.function_events]
        ['my step', 'aten::ones', 'aten::add']
    """

    def __init__(self, name, args=None):
        self.name, self.args, self._block = name, args, -1

    def __enter__(self):
        if _C._profile_is_on():
            self._block = _C._profile_begin(self.name)
        return self

    def __exit__(self, *error):
        if self._block >= 0:
            _C._profile_end(self._block)
            self._block = -1

    def __call__(self, function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            with record_function(self.name, self.args):
                return function(*args, **kwargs)
        return call


# ---- external profilers ----

class _Ranges(TorchFunctionMode):
    """Mark each operation that the program calls as a range of another profiler."""

    def __init__(self, library, shapes):
        super().__init__()
        self._library, self._shapes = library, shapes

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", str(func))
        if self._shapes:
            name += f", sizes = {[list(a.shape) for a in args if isinstance(a, _C.Tensor)]}"
        self._library.range_push(name)
        try:
            return func(*args, **(kwargs or {}))
        finally:
            self._library.range_pop()


class emit_nvtx:
    """A block in which each operation that the program calls is an NVTX range, visible in Nsight Systems.

    Operations of backward are not marked.

    Args:
        enabled: False makes the block do nothing. Default: True
        record_shapes: whether the names of the ranges include the shapes of the tensors. Default: False
    """

    _what = "NVTX"

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled, self.entered, self.record_shapes, self._mode = enabled, False, record_shapes, None

    def _library(self):
        from ..cuda import nvtx
        return nvtx

    def __enter__(self):
        if not self.enabled:
            return self
        if self.entered:
            raise RuntimeError(f"{self._what} annotation context manager is not reentrant")
        library = self._library()
        library.mark("emit")  # raises if the library is not installed
        self.entered, self._mode = True, _Ranges(library, self.record_shapes)
        self._mode.__enter__()
        return self

    def __exit__(self, *error):
        if self._mode is not None:
            self._mode.__exit__(*error)
            self._mode = None
        return False


class emit_itt(emit_nvtx):
    """A block in which each operation that the program calls is an ITT range, visible in Intel VTune; see emit_nvtx."""

    _what = "ITT"

    def _library(self):
        from ..profiler import itt
        return itt


# ---- traces of nvprof ----

class EnforceUnique:
    """Raises RuntimeError if a key is seen twice."""

    def __init__(self):
        self.seen = set()

    def see(self, *key):
        """Check and store a key.

        Args:
            key: the parts of the key.
        """
        if key in self.seen:
            raise RuntimeError("duplicate key: " + str(key))
        self.seen.add(key)


_MARKS = """SELECT begin.name, begin.timestamp, finish.timestamp, begin.id FROM CUPTI_ACTIVITY_KIND_MARKER AS begin
            JOIN CUPTI_ACTIVITY_KIND_MARKER AS finish ON begin.id = finish.id
            WHERE begin.name != 0 AND finish.name = 0 ORDER BY begin.timestamp"""


def parse_nvprof_trace(path):
    """Read the ranges (from emit_nvtx) of a file that nvprof wrote, as a list of FunctionEvents.

    Args:
        path: the SQLite file.
    """
    import sqlite3
    from contextlib import closing
    with closing(sqlite3.connect(f"file:{os.fspath(path)}?mode=ro", uri=True)) as file:
        names = dict(file.execute("SELECT _id_, value FROM StringTable"))
        unique, events = EnforceUnique(), []
        for name, start, end, number in file.execute(_MARKS):
            unique.see(number)
            events.append(FunctionEvent(number, names[name], 0, start / 1000, end / 1000, is_user_annotation=True))
        return events


def load_nvprof(path):
    """Read the ranges (from emit_nvtx) of a file that nvprof wrote, as an EventList.

    Args:
        path: the SQLite file.
    """
    return EventList(parse_nvprof_trace(path))


class KinetoStepTracker:
    """Count the steps of a program in which several parts count steps; the current step is the largest count of any part.

    A part registers with init_step_count(name) and counts with increment_step(name), which returns the step number.
    """

    _current_step = 0
    _step_dict = {}

    @classmethod
    def init_step_count(cls, requester):
        """Register a part; its count starts at the current step number.

        Args:
            requester: the name of the part.
        """
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester):
        """Remove a part; return whether it was registered.

        Args:
            requester: the name of the part.
        """
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester):
        """Count a step of a part, and return the new step number.

        Args:
            requester: the name of the part.
        """
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        step = max(cls._step_dict.values())
        if step - cls._current_step > 1:
            warnings.warn(f"Profiler step count has increased more than 1 - current_step = {cls._current_step} "
                          f"step dict =  {cls._step_dict}", stacklevel=2)
        cls._current_step = max(cls._current_step, step)
        return cls._current_step

    @classmethod
    def current_step(cls):
        """Return the current step number."""
        return cls._current_step
