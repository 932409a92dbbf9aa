# SPDX-License-Identifier: BSD-3-Clause
"""Recording profiles: `profile` and `record_function`, and what shows operations to NVIDIA's profilers.

corten.profiler has the class that programs use; autograd.profiler_util has events, averages and tables.
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
_current = None  # the profile that is on
_is_profiler_enabled = False


def kineto_available():
    """Whether profiles can be recorded."""
    return True


def _refuse_unknown(options):
    for name in options:
        raise TypeError(f"profile.__init__() got an unexpected keyword argument '{name}'")


class profile:
    """Records the operations of a block.

    record_shapes: the sizes of the tensors that operations are given. with_flops: multiplications and additions of products,
    convolutions, `add` and `mul`. profile_memory: bytes that a call takes and does not give back. with_stack: the lines of the
    program that made the call. acc_events: a second use of the object adds to the events of the first.

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
        """Pauses and resumes the recording inside of the block."""
        if not any(getattr(a, "name", a) == "CPU" for a in activities):
            return
        if enabled and _current is None:
            self._begin()
        elif not enabled and _current is self:
            self._end()

    def _begun(self, event):
        import traceback
        frames = [f for f in reversed(traceback.extract_stack()[:-1])]
        self._stacks[event] = [f"{f.filename}({f.lineno}): {f.name}" for f in frames]

    def _finished(self):
        if _current is self:
            raise RuntimeError("Profiler didn't finish running")

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """The events of one name together; see EventList.key_averages."""
        self._finished()
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self):
        """All events together."""
        self._finished()
        return self.function_events.total_average()

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80,
              header=None, top_level_events_only=False, time_unit=None):
        """A row for each event; see EventList.table."""
        self._finished()
        return self.function_events.table(sort_by, row_limit, max_src_column_width, max_name_column_width,
                                          max_shapes_column_width, header, top_level_events_only, time_unit)

    def export_chrome_trace(self, path):
        """Writes a file for chrome://tracing or Perfetto."""
        self._finished()
        self.function_events.export_chrome_trace(path)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes stacks with their times, for flame graphs; with_stack=True records them."""
        self._finished()
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        return self.function_events.export_stacks(path, metric)

    @property
    def self_cpu_time_total(self):
        """Microseconds of all events."""
        self._finished()
        return self.function_events.self_cpu_time_total

    def __repr__(self):
        return repr(self.function_events) if self.function_events else "<unfinished torch.autograd.profile>"

    def __str__(self):
        return str(self.function_events) if self.function_events else "<unfinished torch.autograd.profile>"


class record_function:
    """A block with a name in the profile; also a decorator. `args` is a text that the object keeps."""

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


# ---- profilers from outside ----

class _Ranges(TorchFunctionMode):
    """Marks each operation that the program calls by a range of another profiler."""

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
    """Inside of the block each operation that the program calls is an NVTX range, which Nsight Systems shows.

    The operations of backward are not marked. record_shapes: the sizes of the tensors are part of the range's name.
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
        library.mark("emit")  # an error where the library is not installed
        self.entered, self._mode = True, _Ranges(library, self.record_shapes)
        self._mode.__enter__()
        return self

    def __exit__(self, *error):
        if self._mode is not None:
            self._mode.__exit__(*error)
            self._mode = None
        return False


class emit_itt(emit_nvtx):
    """The same for Intel's VTune, by its library for tracing."""

    _what = "ITT"

    def _library(self):
        from ..profiler import itt
        return itt


# ---- traces of nvprof ----

class EnforceUnique:
    """Raises an error when a key is seen a second time."""

    def __init__(self):
        self.seen = set()

    def see(self, *key):
        """Notes a key."""
        if key in self.seen:
            raise RuntimeError("duplicate key: " + str(key))
        self.seen.add(key)


_MARKS = """SELECT begin.name, begin.timestamp, finish.timestamp, begin.id FROM CUPTI_ACTIVITY_KIND_MARKER AS begin
            JOIN CUPTI_ACTIVITY_KIND_MARKER AS finish ON begin.id = finish.id
            WHERE begin.name != 0 AND finish.name = 0 ORDER BY begin.timestamp"""


def parse_nvprof_trace(path):
    """The marks (emit_nvtx) of a file that nvprof wrote, as a list of events."""
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
    """The marks (emit_nvtx) of a file that nvprof wrote, as events."""
    return EventList(parse_nvprof_trace(path))


class KinetoStepTracker:
    """Numbers the steps of a program in which several parts count steps: the number is the largest count of any part.

    A part registers itself with init_step_count(name), and counts with increment_step(name), which returns the number.
    """

    _current_step = 0
    _step_dict = {}

    @classmethod
    def init_step_count(cls, requester):
        """Registers a part; it starts from the present number."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester):
        """Removes a part; False if there was none of the name."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester):
        """Counts a step of a part."""
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
        """The number."""
        return cls._current_step
