# SPDX-License-Identifier: BSD-3-Clause
"""What a profile is made of: events, their averages, the table and the trace. corten.profiler has the public classes."""
import json
import os

from .. import _C

__all__ = ["EventList", "FunctionEvent", "emit_nvtx", "load_nvprof", "profile", "record_function"]
_current = None  # the profile that is on


class FunctionEvent:
    """One call: when, how long, inside of which other, with what shapes. Made of what the library recorded."""

    def __init__(self, name, kind, thread, start, end, inside, memory, shapes, stack=()):
        self.name, self.start, self.end, self.thread = name, start, end, thread
        self.input_shapes, self.stack, self.is_user_annotation = shapes, list(stack), kind == 2
        self.children, self.cpu_memory_usage, self.count = inside, memory, 1

    @property
    def cpu_time_total(self):
        """Microseconds."""
        return (self.end - self.start) / 1000

    @property
    def self_cpu_time_total(self):
        """Microseconds without the calls inside."""
        return (self.end - self.start - self.children) / 1000

    cpu_time, key = cpu_time_total, property(lambda self: self.name)

    def __repr__(self):
        return f"<FunctionEvent name={self.name} cpu_time={format_time(self.cpu_time_total)} input_shapes={self.input_shapes}>"


def format_time(us):
    """Microseconds as text."""
    if us >= 1e6:
        return f"{us / 1e6:.3f}s"
    return f"{us / 1e3:.3f}ms" if us >= 1e3 else f"{us:.3f}us"


def format_memory(n):
    """Bytes as text."""
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if abs(n) >= size:
            return f"{n / size:.2f} {unit}"
    return f"{n} B"


class FunctionEventAvg:
    """All calls of one name (and of one set of shapes)."""

    def __init__(self, key):
        self.key, self.count, self.cpu_time_total, self.self_cpu_time_total, self.cpu_memory_usage = key, 0, 0.0, 0.0, 0
        self.input_shapes, self.is_user_annotation = [], False

    def add(self, event):
        """One more call."""
        self.count += 1
        self.cpu_time_total += event.cpu_time_total
        self.self_cpu_time_total += event.self_cpu_time_total
        self.cpu_memory_usage += event.cpu_memory_usage
        self.input_shapes, self.is_user_annotation = event.input_shapes, event.is_user_annotation

    @property
    def cpu_time(self):
        """Microseconds of a call."""
        return self.cpu_time_total / max(self.count, 1)

    self_cpu_memory_usage = property(lambda self: self.cpu_memory_usage)


class EventList(list):
    """Events, or averages of them."""

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """The events of one name together."""
        table = {}
        for event in self:
            key = (event.name, str(event.input_shapes) if group_by_input_shape else "", str(event.stack[:group_by_stack_n]))
            table.setdefault(key, FunctionEventAvg(event.name)).add(event)
        return EventList(table.values())

    def total_average(self):
        """All events together."""
        total = FunctionEventAvg("Total")
        for event in self:
            total.add(event)
        return total

    @property
    def self_cpu_time_total(self):
        """Microseconds of all."""
        return sum(event.self_cpu_time_total for event in self)

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80,
              header=None, top_level_events_only=False, time_unit=None):
        """Rows of name, times and counts."""
        events = list(self)
        if sort_by is not None:
            name = sort_by.replace("cuda", "cpu").replace("device", "cpu").removeprefix("self_xpu")
            events.sort(key=lambda e: getattr(e, name, 0), reverse=True)
        total = self.self_cpu_time_total or 1
        memory = any(e.cpu_memory_usage for e in events)
        shapes = any(e.input_shapes for e in events)
        titles = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls"]
        titles[6:6] = ["CPU Mem"] if memory else []
        titles += ["Input Shapes"] if shapes else []
        rows = []
        for e in events[:row_limit if row_limit >= 0 else None]:
            label = e.key if len(e.key) <= max_name_column_width else e.key[:max_name_column_width - 3] + "..."
            row = [label, f"{100 * e.self_cpu_time_total / total:.2f}%", format_time(e.self_cpu_time_total),
                   f"{100 * e.cpu_time_total / total:.2f}%", format_time(e.cpu_time_total),
                   format_time(e.cpu_time_total / max(e.count, 1)), str(e.count)]
            row[6:6] = [format_memory(e.cpu_memory_usage)] if memory else []
            row += [str(e.input_shapes)[:max_shapes_column_width]] if shapes else []
            rows.append(row)
        widths = [max(map(len, column)) for column in zip(titles, *rows)]
        line = "  ".join("-" * w for w in widths)
        text = [line, "  ".join(t.rjust(w) for t, w in zip(titles, widths)), line]
        text += ["  ".join(c.rjust(w) for c, w in zip(row, widths)) for row in rows]
        text += [line, f"Self CPU time total: {format_time(self.self_cpu_time_total)}"]
        return "\n".join(([header] if header else []) + text) + "\n"

    __str__ = table

    def export_chrome_trace(self, path):
        """A file for chrome://tracing or Perfetto."""
        events = [{"name": e.name, "ph": "X", "ts": e.start / 1000, "dur": e.cpu_time_total, "pid": os.getpid(), "tid": e.thread,
                   "cat": "user_annotation" if e.is_user_annotation else "cpu_op",
                   "args": {"Input Dims": e.input_shapes} if e.input_shapes else {}} for e in self]
        with open(path, "w") as file:
            json.dump({"schemaVersion": 1, "displayTimeUnit": "ms", "traceEvents": events}, file)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Stacks with times, for flame graphs."""
        with open(path, "w") as file:
            for e in self:
                if e.stack:
                    file.write(f"{';'.join(reversed(e.stack))} {int(getattr(e, metric.replace('cuda', 'cpu')))}\n")


class profile:
    """Records the operations of a block.

        >>> with corten.autograd.profiler.profile() as prof:
        ...     y = corten.ones(3).exp()
        >>> sorted({event.name for event in prof.function_events})
        ['aten::exp', 'aten::ones']
    """

    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False,
                 profile_memory=False, with_stack=False, with_modules=False, **options):
        self.enabled, self.record_shapes, self.profile_memory, self.with_stack = enabled, record_shapes, profile_memory, with_stack
        self.function_events, self._stacks = EventList(), {}

    def __enter__(self):
        global _current
        if self.enabled:
            _C._profile_start(self.record_shapes, self._begun if self.with_stack else None)
            _current = self
        return self

    def __exit__(self, *error):
        global _current
        if self.enabled and _current is self:
            _current = None
            self.function_events.extend(FunctionEvent(*event, self._stacks.get(i, ()))
                                        for i, event in enumerate(_C._profile_stop()))
            if not self.profile_memory:
                for event in self.function_events:
                    event.cpu_memory_usage = 0
        return False

    def _begun(self, event):
        import traceback
        self._stacks[event] = [f"{f.filename}({f.lineno}): {f.name}" for f in reversed(traceback.extract_stack()[:-1])]

    def key_averages(self, *args, **kwargs):
        """The events of one name together."""
        return self.function_events.key_averages(*args, **kwargs)

    def total_average(self):
        """All events together."""
        return self.function_events.total_average()

    def table(self, *args, **kwargs):
        """The averages as a table."""
        return self.key_averages().table(*args, **kwargs)

    def export_chrome_trace(self, path):
        """A file for chrome://tracing or Perfetto."""
        self.function_events.export_chrome_trace(path)

    @property
    def self_cpu_time_total(self):
        """Microseconds of all."""
        return self.function_events.self_cpu_time_total

    def __repr__(self):
        return repr(self.function_events) if self.function_events else "<unfinished torch.autograd.profile>"


class record_function:
    """A block with a name in the profile; also a decorator."""

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
        import functools

        @functools.wraps(function)
        def call(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)
        return call


class emit_nvtx:
    """A block that a GPU's profiler sees; without a GPU, a block."""

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled = enabled

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


emit_itt = emit_nvtx


_MARKS = """SELECT begin.name, begin.timestamp, finish.timestamp, begin.id FROM CUPTI_ACTIVITY_KIND_MARKER AS begin
            JOIN CUPTI_ACTIVITY_KIND_MARKER AS finish ON begin.id = finish.id
            WHERE begin.name != 0 AND finish.name = 0 ORDER BY begin.timestamp"""


def load_nvprof(path):
    """The marks (emit_nvtx) of a file that nvprof wrote, as events."""
    import sqlite3
    from contextlib import closing
    with closing(sqlite3.connect(f"file:{os.fspath(path)}?mode=ro", uri=True)) as file:
        names = dict(file.execute("SELECT _id_, value FROM StringTable"))
        return EventList(FunctionEvent(names[name], 2, 0, start, end, 0, 0, []) for name, start, end, _ in file.execute(_MARKS))
