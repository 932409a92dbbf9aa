# SPDX-License-Identifier: BSD-3-Clause
"""The contents of a profile: events, averages of events, and the table that prints them.

Times are microseconds on the CPU. Names that start with `device` or `cuda` exist for programs written for GPUs; Corten does not
time kernels, so these are 0.
"""
import bisect
import enum
import json
import math
import os
from collections import defaultdict, namedtuple
from operator import attrgetter

__all__ = ["EventList", "FormattedTimesMixin", "FunctionEvent", "FunctionEventAvg", "Interval", "Kernel", "MemRecordsAcc",
           "StringTable"]
MEMORY_EVENT_NAME, OUT_OF_MEMORY_EVENT_NAME = "[memory]", "[OutOfMemory]"
DeviceType = enum.Enum("DeviceType", {"CPU": 0, "CUDA": 1, "MKLDNN": 2, "HIP": 6, "XLA": 9, "XPU": 12, "MPS": 13, "Meta": 14,
                                      "HPU": 15, "MTIA": 19, "PrivateUse1": 20})
DeviceType.__doc__ = "Kinds of devices, with the numbers that traces contain."
Kernel = namedtuple("Kernel", ["name", "device", "duration"])


# ---- numbers as text ----

def _format_time(time_us, time_unit=None):
    """Format microseconds in a unit ("s", "ms" or "us"), by default the largest that keeps the number at 1 or more."""
    scale = {"us": 1, "ms": 1e3, "s": 1e6}
    if time_unit is None:
        time_unit = next((unit for unit in ("s", "ms") if time_us >= scale[unit]), "us")
    if time_unit not in scale:
        raise ValueError(f"time_unit must be one of 's', 'ms' and 'us', got {time_unit!r}")
    return f"{time_us / scale[time_unit]:.3f}{time_unit}"


def _format_time_share(time_us, total_time_us):
    """Format a share of the total in percent; "NaN" if the total is 0."""
    return "NaN" if total_time_us == 0 else f"{time_us * 100 / total_time_us:.2f}%"


def _format_memory(nbytes):
    """Format a number of bytes."""
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if abs(nbytes) >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} B"


format_time, format_memory = _format_time, _format_memory


class StringTable(defaultdict):
    """A dict that returns an unknown name itself."""

    def __missing__(self, key):
        self[key] = key
        return key


class Interval:
    """A time interval in microseconds.

    Args:
        start, end: its ends.
    """

    def __init__(self, start, end):
        self.start, self.end = start, end

    def elapsed_us(self):
        """Return its length in microseconds."""
        return self.end - self.start


class MemRecordsAcc:
    """Records of allocations, searchable by time.

    Args:
        mem_records: the records, each a sequence that starts with an event.
    """

    def __init__(self, mem_records):
        self._records = sorted(mem_records, key=lambda record: record[0].start_ns())
        self._starts = [record[0].start_ns() for record in self._records]

    def in_interval(self, start_us, end_us):
        """Yield the records that start within an interval.

        Args:
            start_us, end_us: its ends in microseconds.
        """
        first = bisect.bisect_left(self._starts, start_us * 1000)
        last = bisect.bisect_right(self._starts, end_us * 1000)
        yield from self._records[first:last]


def _as_text(name):
    return property(lambda self: _format_time(getattr(self, name)), doc=f"{name} as text, with a unit.")


class FormattedTimesMixin:
    """Averages of times, and times as text, for events and averages."""

    cpu_time_str, device_time_str = _as_text("cpu_time"), _as_text("device_time")
    cpu_time_total_str, device_time_total_str = _as_text("cpu_time_total"), _as_text("device_time_total")
    self_cpu_time_total_str = _as_text("self_cpu_time_total")
    self_device_time_total_str = _as_text("self_device_time_total")

    @property
    def cpu_time(self):
        """The average time of one call, in microseconds."""
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def device_time(self):
        """The average GPU time of one call in microseconds; not measured, 0."""
        return self.device_time_total / self.count if self.count else 0.0

    cuda_time = device_time


# ---- events ----

def _flops(name, shapes, made):
    """Estimate the floating-point operations of a call from its tensor shapes and the element count of its results (`made`)."""
    name = name.removeprefix("aten::")
    if name in ("mm", "bmm", "matmul", "linear", "addmm", "baddbmm"):
        first = shapes[1] if name in ("addmm", "baddbmm") and len(shapes) > 1 else shapes[0] if shapes else []
        return 2 * made * first[-1] if first and made > 0 else 0
    if name in ("conv1d", "conv2d", "conv3d", "convolution"):
        return 2 * made * math.prod(shapes[1][1:]) if len(shapes) > 1 and made > 0 else 0
    if name in ("add", "mul"):
        return math.prod(shapes[0]) if shapes and shapes[0] else 0
    return 0


class FunctionEvent(FormattedTimesMixin):
    """One recorded call: its name, times, caller and tensor shapes.

    Attributes:
        id, name, overload_name, trace_name: the number of the event, and its names.
        thread: the number of the thread; fwd_thread is that of the forward call.
        time_range: an Interval in microseconds; start and end are nanoseconds.
        input_shapes, concrete_inputs, kwinputs: the shapes and values of the arguments, as far as recorded.
        stack: the Python stack, innermost line first, if recorded.
        cpu_memory_usage, device_memory_usage: bytes allocated and not freed.
        flops: estimated floating-point operations, or None.
        cpu_parent: the call it was part of, or None; cpu_children are the calls that were part of it.
        is_user_annotation: whether it is a record_function block.

    The other attributes (scope, use_device, is_async, is_remote, sequence_nr, node_id, device_type, device_index,
    device_resource_id, is_legacy) exist for programs that read them, with the values given to the constructor.
    """

    def __init__(self, id, name, thread, start_us, end_us, overload_name=None, fwd_thread=None, input_shapes=None, stack=None,
                 scope=0, use_device=None, cpu_memory_usage=0, device_memory_usage=0, is_async=False, is_remote=False,
                 sequence_nr=-1, node_id=-1, device_type=DeviceType.CPU, device_index=0, device_resource_id=None, is_legacy=False, flops=None,
                 trace_name=None, concrete_inputs=None, kwinputs=None, is_user_annotation=False):
        self.id, self.node_id, self.name, self.overload_name = id, node_id, name, overload_name or ""
        self.trace_name = name if trace_name is None else trace_name
        self.time_range, self.thread, self.fwd_thread = Interval(start_us, end_us), thread, fwd_thread
        self.count, self.scope, self.sequence_nr, self.use_device = 1, scope, sequence_nr, use_device
        self.kernels, self.cpu_children, self.cpu_parent = [], [], None
        self.input_shapes = [] if input_shapes is None else input_shapes
        self.concrete_inputs, self.kwinputs = concrete_inputs or [], kwinputs or {}
        self.stack = [] if stack is None else stack
        self.cpu_memory_usage, self.device_memory_usage = cpu_memory_usage, device_memory_usage
        self.is_async, self.is_remote, self.is_legacy, self.flops = is_async, is_remote, is_legacy, flops
        self.is_user_annotation = is_user_annotation
        self.device_type, self.device_index = device_type, device_index
        self.device_resource_id = thread if device_resource_id is None else device_resource_id
        self.self_cpu_percent = self.total_cpu_percent = self.total_device_percent = -1

    key = property(lambda self: self.name, doc="The name by which events are grouped.")
    start = property(lambda self: round(self.time_range.start * 1000), doc="The start of the event, in nanoseconds.")  # nanoseconds
    end = property(lambda self: round(self.time_range.end * 1000), doc="The end of the event, in nanoseconds.")
    device_time_total = self_device_time_total = cuda_time_total = self_cuda_time_total = property(lambda self: 0, doc="0: times on devices are not measured.")

    def append_kernel(self, name, device, duration):
        """Add a kernel that the call launched.

        Args:
            name, device, duration: its name, device index and microseconds.
        """
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child):
        """Add a call that was part of this one.

        Args:
            child: its event.
        """
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent):
        """Set the call that this one was part of.

        Args:
            parent: its event.
        """
        self.cpu_parent = parent

    @property
    def cpu_time_total(self):
        """The time of the call in microseconds."""
        return self.time_range.elapsed_us()

    @property
    def self_cpu_time_total(self):
        """The time of the call in microseconds, without its children."""
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    @property
    def self_cpu_memory_usage(self):
        """The bytes allocated and not freed, without those of the children."""
        return self.cpu_memory_usage - sum(child.cpu_memory_usage for child in self.cpu_children)

    @property
    def self_device_memory_usage(self):
        """The bytes of GPU memory allocated and not freed, without those of the children."""
        return self.device_memory_usage - sum(child.device_memory_usage for child in self.cpu_children)

    def __repr__(self):
        children = [child.id for child in self.cpu_children]
        return (f"<FunctionEvent id={self.id} name={self.name} overload_name={self.overload_name} node_id={self.node_id} "
                f"cpu_time={self.cpu_time_str} start_us={self.time_range.start:.3f} end_us={self.time_range.end:.3f} "
                f"cpu_children={children} thread={self.thread} input_shapes={self.input_shapes} "
                f"cpu_memory_usage={self.cpu_memory_usage} is_async={self.is_async} is_remote={self.is_remote} "
                f"seq_nr={self.sequence_nr} is_legacy={self.is_legacy}>")


def from_records(records, stacks, memory, flops, first=0):
    """Return the library's records as events, each linked to the call it was part of.

    Args:
        records: tuples from the recorder.
        stacks: {index of a record: its stack}.
        memory, flops: whether to keep memory use, and to estimate operations.
        first: the id of the first event. Default: 0
    """
    events, inside = EventList(), {}
    for i, (name, kind, thread, start, end, _, used, shapes, made) in enumerate(records):
        event = FunctionEvent(first + i, name, thread, start / 1000, end / 1000, input_shapes=shapes,
                              stack=list(stacks.get(i, ())), cpu_memory_usage=used if memory else 0,
                              flops=_flops(name, shapes, made) if flops else None, is_user_annotation=kind == 2)
        outer = inside.setdefault(thread, [])  # the calls of the thread that have not ended yet
        while outer and outer[-1][1] <= start:
            outer.pop()
        if outer:
            event.set_cpu_parent(outer[-1][0])
            outer[-1][0].append_cpu_child(event)
        outer.append((event, end))
        events.append(event)
    return events


class FunctionEventAvg(FormattedTimesMixin):
    """The sum of all calls with one name (and shapes, or stack, if events are grouped by those)."""

    def __init__(self):
        self.key, self.count, self.node_id, self.overload_name = None, 0, 0, None
        self.is_async = self.is_remote = self.is_legacy = self.is_user_annotation = False
        self.use_device, self.device_type, self.scope = None, None, None
        self.cpu_time_total = self.self_cpu_time_total = 0
        self.device_time_total = self.self_device_time_total = 0
        self.cpu_memory_usage = self.self_cpu_memory_usage = 0
        self.device_memory_usage = self.self_device_memory_usage = 0
        self.input_shapes = self.stack = self.cpu_children = self.cpu_parent = None
        self.flops = 0

    def add(self, other):
        """Add a call, or another sum.

        Args:
            other: a FunctionEvent or FunctionEventAvg.
        """
        if self.key is None:
            for name in ("key", "node_id", "overload_name", "is_async", "is_remote", "is_legacy", "is_user_annotation", "scope",
                         "use_device", "device_type", "input_shapes", "stack", "cpu_parent", "cpu_children"):
                setattr(self, name, getattr(other, name))
        if not isinstance(other, (FunctionEvent, FunctionEventAvg)):
            raise AssertionError("Expected other to be a FunctionEvent or a FunctionEventAvg")
        for name in ("cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total", "cpu_memory_usage",
                     "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage", "count"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.flops = (self.flops or 0) + (other.flops or 0)
        return self

    __iadd__ = add

    def __repr__(self):
        device = self.use_device or "cuda"
        return (f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} cpu_time={self.cpu_time_str}  "
                f"self_{device}_time={self.self_device_time_total_str} {device}_time={self.device_time_str} "
                f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
                f"{device}_memory_usage={self.device_memory_usage}>")


# ---- lists of them ----

def _neutral(name):
    """Return the name of a metric without the device type: cuda_time_total becomes device_time_total."""
    for kind in ("cuda", "xpu", "privateuse1"):
        name = name.replace(kind, "device")
    return name


class EventList(list):
    """A list of events or of averages, with tables and exports.

    Args:
        args: as for list.
        use_device: a device type, kept for compatibility. Default: None
        profile_memory: whether tables have columns of memory. Default: False
        with_flops: whether operations were estimated. Default: False
    """

    supported_export_stacks_metrics = ["self_cpu_time_total", "self_cuda_time_total", "self_xpu_time_total",
                                       "self_privateuse1_time_total"]

    def __init__(self, *args, use_device=None, profile_memory=False, with_flops=False):
        super().__init__(*args)
        self._use_device, self._profile_memory, self._with_flops, self._metadata = use_device, profile_memory, with_flops, {}

    @property
    def self_cpu_time_total(self):
        """The time of all events together, in microseconds."""
        return sum(event.self_cpu_time_total for event in self)

    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False):
        """Group the events by name.

        Args:
            group_by_input_shapes: whether different shapes make different groups. Default: False
            group_by_stack_n: the number of innermost stack lines that must be equal in a group. Default: 0
            group_by_overload_name: whether overloads make different groups. Default: False

        Returns an EventList of FunctionEventAvg.
        """
        found = {}
        for event in self:
            key = (event.key, str(event.input_shapes) if group_by_input_shapes else "",
                   event.overload_name if group_by_overload_name else "", *event.stack[:group_by_stack_n])
            found.setdefault(key, FunctionEventAvg()).add(event)
        for average in found.values():
            average.stack = average.stack[:group_by_stack_n]
            average.input_shapes = average.input_shapes if group_by_input_shapes else ""
            average.overload_name = average.overload_name if group_by_overload_name else ""
        return EventList(found.values(), use_device=self._use_device, profile_memory=self._profile_memory,
                         with_flops=self._with_flops)

    def total_average(self):
        """Return the sum of all events as one FunctionEventAvg."""
        total = FunctionEventAvg()
        for event in self:
            total.add(event)
            total.key = None
        total.key = "Total"
        return total

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80,
              header=None, top_level_events_only=False, time_unit=None):
        """Return the events as a text table, one row each.

        Args:
            sort_by: an attribute of the events, largest first, such as "self_cpu_time_total", "cpu_memory_usage" or "count".
                Default: None, for the order of the list
            row_limit: the number of rows, -1 for all. Default: 100
            max_src_column_width, max_name_column_width, max_shapes_column_width: longer texts are cut; None for no limit.
                Default: 75, 55 and 80
            header: a line above the table. Default: None
            top_level_events_only: whether to leave out calls that were part of another. Default: False
            time_unit: "s", "ms" or "us". Default: None, for the best unit of each number
        """
        return _Table(self, sort_by, row_limit, (max_name_column_width, max_shapes_column_width, max_src_column_width), header,
                      top_level_events_only, time_unit).text()

    def __str__(self):
        return self.table()

    def export_chrome_trace(self, path):
        """Write a trace file for chrome://tracing or Perfetto.

        Args:
            path: the JSON file to write.
        """
        events, pid = [], os.getpid()
        for e in self:
            args = {"Input Dims": e.input_shapes} if e.input_shapes else {}
            args |= {"Call stack": ";\n".join(reversed(e.stack))} if e.stack else {}
            args |= {"Flops": e.flops} if e.flops else {}
            events.append({"ph": "X", "cat": "user_annotation" if e.is_user_annotation else "cpu_op", "name": e.trace_name,
                           "pid": pid, "tid": e.thread, "ts": e.time_range.start, "dur": e.cpu_time_total, "args": args})
        with open(path, "w") as file:
            json.dump({"schemaVersion": 1, **self._metadata, "displayTimeUnit": "ms", "traceEvents": events}, file)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Write stacks with their times, as tools for flame graphs read them.

        Args:
            path: the text file to write.
            metric: the time to write, one of supported_export_stacks_metrics. Default: "self_cpu_time_total"
        """
        if metric not in self.supported_export_stacks_metrics:
            raise ValueError("metric should be one of: " + str(self.supported_export_stacks_metrics))
        with open(path, "w") as file:
            for e in self:
                value = int(getattr(e, _neutral(metric)))
                if e.stack and value > 0:
                    frames = (frame.translate(str.maketrans(" ;\t\n", "____")) for frame in reversed(e.stack))
                    file.write(f"{';'.join(frames)} {value}\n")


class _Table:
    """The text of EventList.table: right-aligned columns of fixed width, two spaces apart."""

    def __init__(self, events, sort_by, row_limit, widths, header, top_level, unit):
        self.total = sum(e.self_cpu_time_total for e in events)
        self.unit, self.header, self.top_level, self.events = unit, header, top_level, list(events)
        if sort_by is not None:
            self.events.sort(key=attrgetter(_neutral(sort_by)), reverse=True)
        if top_level:
            self.events = [e for e in self.events if e.cpu_parent is None]
        self.events = self.events[:row_limit] if row_limit >= 0 else self.events
        self.widths = widths
        self.memory = events._profile_memory
        self.flops = [e.flops for e in events if e.flops]
        self.shapes = any(e.input_shapes for e in self.events)
        self.stacks = any(e.stack for e in self.events)
        self.overloads = any(e.overload_name for e in self.events)

    @staticmethod
    def cut(text, width):
        return text if width is None or len(text) <= width else text[:max(width - 3, 0)] + "..."

    def columns(self):
        """Return [(title, width, function from an event to its text)]."""
        name, shapes, source = self.widths
        longest = max((len(e.key) for e in self.events), default=0) + 4

        def time(attribute):
            return lambda e: _format_time(getattr(e, attribute), self.unit)

        def share(attribute):
            return lambda e: _format_time_share(getattr(e, attribute), self.total)

        def memory(attribute):
            return lambda e: _format_memory(getattr(e, attribute))
        found = [("Name", longest if name is None else min(longest, name), lambda e: self.cut(e.key, name))]
        if self.overloads:
            found.append(("Overload Name", 2 + max(len(e.overload_name) for e in self.events), lambda e: e.overload_name))
        found += [("Self CPU %", 12, share("self_cpu_time_total")), ("Self CPU", 12, time("self_cpu_time_total")),
                  ("CPU total %", 12, share("cpu_time_total")), ("CPU total", 12, time("cpu_time_total")),
                  ("CPU time avg", 12, time("cpu_time"))]
        if self.memory:
            found += [("CPU Mem", 12, memory("cpu_memory_usage")), ("Self CPU Mem", 12, memory("self_cpu_memory_usage"))]
        found.append(("# of Calls", 12, lambda e: str(e.count)))
        if self.shapes:
            wide = max(len(str(e.input_shapes)) for e in self.events) + 4
            found.append(("Input Shapes", wide if shapes is None else min(wide, shapes),
                          lambda e: self.cut(str(e.input_shapes), shapes)))
        if self.stacks:
            wide = max(len(line) for e in self.events for line in e.stack or [""]) + 4
            found.append(("Source Location", wide if source is None else min(wide, source),
                          lambda e: self.cut(e.stack[0], source) if e.stack else ""))
        if self.flops:
            power = int(max(0, min(math.log10(min(self.flops)) / 3, 6)))
            found.append(("Total " + ("FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs", "EFLOPs")[power], 12,
                          lambda e: f"{e.flops * 1000.0 ** -power:8.3f}" if e.flops else "--"))
        return found

    def text(self):
        columns = self.columns()

        def row(texts):
            return "".join(f"{text:>{width}}  " for text, (_, width, _) in zip(texts, columns))
        line = "".join("-" * width + "  " for _, width, _ in columns)
        found = []
        if self.header is not None:
            found += ["=" * (len(line) - 2), self.header]
        if self.top_level:
            found += ["=" * (len(line) - 2), "This report only display top-level ops statistics"]
        found += [line, row(title for title, _, _ in columns), line]
        titles = [title for title, _, _ in columns]
        for event in self.events:
            found.append(row(of(event) for _, _, of in columns))
            for frame in event.stack[1:] if self.stacks else ():  # the rest of the stack, a line each
                found.append(row(self.cut(frame, self.widths[2]) if t == "Source Location" else "" for t in titles))
            if self.stacks:
                found.append(row("" for _ in titles))
        return "\n".join([*found, line, f"Self CPU time total: {_format_time(self.total, self.unit)}", ""])
