# SPDX-License-Identifier: BSD-3-Clause
"""The profiler: records which operations ran, how long, and on which shapes, as tables and traces."""
import enum
import gzip
import json
import os
import socket
import time

from .._missing import MissingFeature, missing_class, no_effect
from ..autograd import profiler as _profiler
from ..autograd.profiler import KinetoStepTracker, kineto_available, record_function

__all__ = ["ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "record_function", "schedule",
           "supported_activities", "tensorboard_trace_handler"]
PROFILER_STEP_NAME = "ProfilerStep"
ExecutionTraceObserver = missing_class("torch.profiler.ExecutionTraceObserver", "use profile(record_shapes=True), whose events "
                                       "list the operations with their shapes")


class ProfilerActivity(enum.Enum):
    """What to record: work of the CPU, or of an accelerator."""
    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class ProfilerAction(enum.Enum):
    """What the profiler does in a step."""
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities():
    """Returns {ProfilerActivity.CPU}: operations as the CPU runs or launches them."""
    return {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """Returns a schedule for profile(): a function from a step number to a ProfilerAction.

    After `skip_first` steps, a cycle has `wait` idle steps, `warmup` steps and `active` recorded steps. It repeats `repeat` times,
    or forever if that is 0. With skip_first_wait != 0 the first cycle does not wait.
    """
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
    """Returns a function for on_trace_ready that writes traces to a directory for TensorBoard."""
    def handle(prof):
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"))
    return handle


def _checked(activities):
    """Checks the activities; only the CPU's are recorded."""
    wanted = supported_activities() if activities is None else set(activities)
    if not wanted:
        raise AssertionError("No valid profiler activities found")
    for activity in wanted - {ProfilerActivity.CPU}:
        if not isinstance(activity, ProfilerActivity):
            raise MissingFeature("profile(activities=[{activity: configuration}])", "name the activities alone")
        no_effect(f"profile(activities=[{activity}])", "only the time of the host is recorded, in which a call returns as soon as "
                  "the GPU has its work; time kernels with torch.cuda.Event or Nsight Systems", stacklevel=5)
    return wanted


class _KinetoProfile:
    """Records the operations of a block. profile() adds steps and a schedule."""

    def __init__(self, *, activities=None, record_shapes=False, profile_memory=False, with_stack=False, with_flops=False,
                 with_modules=False, experimental_config=None, execution_trace_observer=None, acc_events=False,
                 custom_trace_id_callback=None, post_processing_timeout_s=None):
        self.activities = _checked(activities)
        if execution_trace_observer is not None:
            raise MissingFeature("profile(execution_trace_observer=...)", "use record_shapes=True, whose events list the "
                                 "operations with their shapes")
        self.record_shapes, self.with_flops, self.profile_memory = record_shapes, with_flops, profile_memory
        self.with_stack, self.with_modules, self.acc_events = with_stack, with_modules, acc_events
        self.custom_trace_id_callback, self.use_device, self.profiler = custom_trace_id_callback, None, None
        self.experimental_config, self.execution_trace_observer = experimental_config, None
        self.preset_metadata = {}
        self._options = dict(record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack,
                             with_flops=with_flops, with_modules=with_modules, experimental_config=experimental_config,
                             acc_events=acc_events, post_processing_timeout_s=post_processing_timeout_s)
        self._ready()

    def _ready(self):
        """Creates a recorder, and warns about options that have no effect."""
        self._next = _profiler.profile(**self._options, custom_trace_id_callback=self.custom_trace_id_callback)

    # ---- recording ----

    def start(self):
        """Starts recording."""
        self.prepare_trace()
        self.start_trace()

    def stop(self):
        """Stops recording."""
        self.stop_trace()

    def prepare_trace(self):
        """Prepares the recorder."""
        if self.profiler is None or not self.acc_events:
            if self._next is None:
                self._ready()
            self.profiler, self._next = self._next, None

    def start_trace(self):
        """Starts recording after prepare_trace()."""
        self.profiler.__enter__()
        metadata = self.profiler.function_events._metadata
        metadata.update({"trace_id": self.profiler.trace_id, "host_name": socket.gethostname()})
        for name in ("record_shapes", "profile_memory", "with_stack", "with_modules", "with_flops"):
            if getattr(self, name):
                metadata[name] = 1
        metadata.update(self.preset_metadata)

    def stop_trace(self):
        """Stops recording."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before stopping trace")
        if _profiler._current is self.profiler:
            self.profiler.__exit__(None, None, None)

    def toggle_collection_dynamic(self, enable, activities):
        """Pauses or resumes recording."""
        if self.profiler is not None:
            self.profiler.toggle_collection_dynamic(enable, activities)

    # ---- results ----

    def _made(self, what="getting key averages"):
        if self.profiler is None:
            raise AssertionError(f"Profiler must be initialized before {what}")
        return self.profiler

    def events(self):
        """Returns all recorded events in order."""
        return self._made("accessing events").function_events

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """Aggregates events by name; .table(sort_by="cpu_time_total", row_limit=10) formats them."""
        return self._made().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def export_chrome_trace(self, path):
        """Writes a trace for chrome://tracing or Perfetto, compressed if the name ends with .gz."""
        plain = os.fspath(path).removesuffix(".gz")
        self._made("exporting chrome trace").export_chrome_trace(plain)
        if plain != os.fspath(path):
            with open(plain, "rb") as src, gzip.open(path, "wb") as dst:
                dst.write(src.read())
            os.remove(plain)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes stacks with their times for flame graphs; requires with_stack=True."""
        return self._made("exporting stacks").export_stacks(path, metric)

    def export_memory_timeline(self, path, device=None):
        """Raises MissingFeature: not available in Corten."""
        raise MissingFeature("profile.export_memory_timeline", "use profile_memory=True, and cpu_memory_usage of the events")

    def get_trace_id(self):
        """Returns the name of the trace, or None before the start."""
        return None if self.profiler is None else self.profiler.trace_id

    def set_custom_trace_id_callback(self, callback):
        """Sets a function that names traces started later."""
        self.custom_trace_id_callback = callback
        if self._next is not None:
            self._next.custom_trace_id_callback = callback

    # ---- metadata ----

    def add_metadata(self, key, value):
        """Adds a str to the metadata of the trace."""
        self._note(key, str(value))

    def add_metadata_json(self, key, value):
        """Adds a value, given as JSON, to the metadata of the trace."""
        self._note(key, json.loads(value))

    def preset_metadata_json(self, key, value):
        """Adds a value, given as JSON, to the metadata of all traces started later."""
        self.preset_metadata[key] = json.loads(value)

    def _note(self, key, value):
        if self.profiler is not None:
            self.profiler.function_events._metadata[key] = value


class profile(_KinetoProfile):
    """Records the operations of a block, or of some of its steps.

    Args:
        activities: what to record; only ProfilerActivity.CPU is available. Default: None, for that
        schedule: selects the steps (see step()) to record, such as schedule(wait=1, warmup=1, active=3). Default: None, for all
        on_trace_ready: called with the profile after each recorded cycle. Default: None
        record_shapes: whether to record the shapes of input tensors. Default: False
        profile_memory: whether to record the bytes that each call allocates minus those it frees. Default: False
        with_stack: whether to record the Python source locations of calls. Default: False
        with_flops: whether to count the floating-point operations of products and convolutions. Default: False
        acc_events: whether to keep the events of all cycles, not only the last. Default: False
        custom_trace_id_callback: a function that returns the name of a trace. Default: None

        >>> from corten.profiler import profile
        >>> with profile(record_shapes=True) as prof:
        ...     y = corten.ones(2, 3) @ corten.ones(3, 2)
        >>> [event.input_shapes for event in prof.events() if event.name == 'aten::matmul']
        [[[2, 3], [3, 2]]]
    """

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
                 with_stack=False, with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None,
                 acc_events=False, custom_trace_id_callback=None, post_processing_timeout_s=None):
        super().__init__(activities=activities, record_shapes=record_shapes, profile_memory=profile_memory,
                         with_stack=with_stack, with_flops=with_flops, with_modules=with_modules,
                         experimental_config=experimental_config, execution_trace_observer=execution_trace_observer,
                         acc_events=acc_events, custom_trace_id_callback=custom_trace_id_callback,
                         post_processing_timeout_s=post_processing_timeout_s)
        self.schedule, self.record_steps = schedule or (lambda step: ProfilerAction.RECORD), schedule is not None
        self.on_trace_ready, self.step_num, self.step_rec_fn = on_trace_ready, 0, None
        self.current_action = self.schedule(0)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        self.stop()
        KinetoStepTracker.erase_step_count(PROFILER_STEP_NAME)

    @staticmethod
    def _on(action):
        return action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)

    def start(self):
        """Starts recording with step 0."""
        KinetoStepTracker.init_step_count(PROFILER_STEP_NAME)
        self._enter(self.current_action)

    def stop(self):
        """Stops recording, and passes the result to on_trace_ready."""
        on = self._on(self.current_action)
        self._leave()
        if on and self.on_trace_ready:
            self.on_trace_ready(self)

    def step(self):
        """Ends a step and begins the next."""
        before = self.current_action
        self.step_num += 1
        after = self.current_action = self.schedule(self.step_num)
        self._end_step()
        KinetoStepTracker.increment_step(PROFILER_STEP_NAME)
        if before == ProfilerAction.RECORD_AND_SAVE or (self._on(before) and not self._on(after)):
            self._leave()
            if self.on_trace_ready:
                self.on_trace_ready(self)
            self._enter(after)
        elif self._on(after) and not self._on(before):
            self._enter(after)
        elif self._on(after):
            self._begin_step()

    def _enter(self, action):
        if self._on(action):
            self.prepare_trace()
            self.start_trace()
            self._begin_step()

    def _leave(self):
        self._end_step()
        if self.profiler is not None:
            self.stop_trace()

    def _begin_step(self):
        if self.record_steps:
            self.step_rec_fn = record_function(f"{PROFILER_STEP_NAME}#{self.step_num}")
            self.step_rec_fn.__enter__()

    def _end_step(self):
        if self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)
            self.step_rec_fn = None
