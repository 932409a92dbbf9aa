# SPDX-License-Identifier: BSD-3-Clause
"""torch.monitor: statistics of a running program, reported to handlers as events.

    torch.monitor.register_event_handler(lambda event: print(event.name, event.data))
    stat = torch.monitor.Stat("loss", [torch.monitor.MEAN, torch.monitor.COUNT], timedelta(seconds=60))
    stat.add(0.5)     # every minute, handlers get Event("torch.monitor.Stat", time, {"loss.mean": ..., "loss.count": ...})
"""
import datetime
import enum
import threading
import time

__all__ = ["Aggregation", "COUNT", "Event", "EventHandlerHandle", "MAX", "MEAN", "MIN", "STAT_EVENT", "SUM", "Stat",
           "TensorboardEventHandler", "VALUE", "data_value_t", "log_event", "register_event_handler", "unregister_event_handler"]

STAT_EVENT = "torch.monitor.Stat"


class Aggregation(enum.Enum):
    """How a Stat summarizes its values: last value, mean, count, sum, maximum or minimum."""

    VALUE, MEAN, COUNT, SUM, MAX, MIN = 0, 2, 3, 4, 5, 6

    def __repr__(self):
        return f"<{self}: {self.value}>"

    def __int__(self):
        return self.value


VALUE, MEAN, COUNT, SUM, MAX, MIN = Aggregation


class data_value_t:
    """The type of an event's data values: `str`, `float`, `int` or `bool`."""

    def __init__(self):
        raise TypeError("torch._C._monitor.data_value_t: No constructor defined!")


class Event:
    """An event: a `name`, a `timestamp` (datetime.datetime), and `data`, a dict of values."""

    def __init__(self, name, timestamp, data):
        self.name, self.timestamp, self.data = name, timestamp, data

    def __setattr__(self, name, value):
        kind = {"name": str, "timestamp": datetime.datetime}.get(name)
        if kind and not isinstance(value, kind):
            raise TypeError(f"Event.{name} must be {kind.__name__}, not {type(value).__name__}")
        if name == "data":
            value = dict(value)
            for key, entry in value.items():
                if not isinstance(key, str) or not isinstance(entry, (str, float, int)):
                    raise TypeError(f"Event.data must map str to str, float, int or bool, but has {key!r}: {entry!r}")
        super().__setattr__(name, value)


# ---- handlers ----

_lock = threading.Lock()
_handlers = []


class EventHandlerHandle:
    """A handle of a registered handler, for unregister_event_handler."""

    def __init__(self, callback):
        self._callback = callback


def register_event_handler(callback):
    """Registers `callback(event)` to be called for each event; returns a handle to unregister it."""
    if not callable(callback):
        raise TypeError(f"register_event_handler(): the handler must be callable, not {type(callback).__name__}")
    handle = EventHandlerHandle(callback)
    with _lock:
        _handlers.append(handle)
    return handle


def unregister_event_handler(handler):
    """Unregisters a handler."""
    if not isinstance(handler, EventHandlerHandle):
        raise TypeError(f"unregister_event_handler(): expected an EventHandlerHandle, not {type(handler).__name__}")
    with _lock:
        if handler in _handlers:
            _handlers.remove(handler)


def log_event(event):
    """Sends an event to all handlers."""
    if not isinstance(event, Event):
        raise TypeError(f"log_event(): expected an Event, not {type(event).__name__}")
    for handler in list(_handlers):
        handler._callback(event)


# ---- statistics ----

_SUMMARIES = {
    VALUE: lambda n, total, low, high, last: last, MEAN: lambda n, total, low, high, last: total / n if n else 0.0,
    COUNT: lambda n, total, low, high, last: float(n), SUM: lambda n, total, low, high, last: total,
    MAX: lambda n, total, low, high, last: high, MIN: lambda n, total, low, high, last: low,
}


class Stat:
    """Summarizes values over fixed intervals, and logs a summary event at the end of each.

    name: prefix of the event's data: "name.mean", "name.count" and so on. aggregations: a list of Aggregation.
    window_size: the length of an interval, a datetime.timedelta; a summary is logged when the first value after the interval is
    added. max_samples: after so many values an interval is logged early, and its remaining values are dropped. Deleting the Stat
    logs what is left.
    """

    _nothing = 0, 0.0, 0.0, 0.0, 0.0

    def __init__(self, name, aggregations, window_size, max_samples=2**63 - 1):
        aggregations = list(aggregations)
        if not isinstance(name, str) or not isinstance(window_size, datetime.timedelta) or \
                not all(isinstance(a, Aggregation) for a in aggregations):
            raise TypeError("Stat(name: str, aggregations: Sequence[Aggregation], window_size: datetime.timedelta, max_samples: int) got "
                            f"({name!r}, {aggregations!r}, {window_size!r})")
        self._lock, self._name, self._aggregations, self._most = threading.Lock(), name, aggregations, int(max_samples)
        self._length = max(int(window_size / datetime.timedelta(milliseconds=1)), 1)
        self._window, self._full, self._now, self._before = self._current(), None, self._nothing, self._nothing

    name = property(lambda self: self._name, doc="The name that was given.")
    count = property(lambda self: self._now[0], doc="How many values this interval has so far.")

    def _current(self):
        return time.time_ns() // 1000000 // self._length

    def _summary(self, values):
        return {a: _SUMMARIES[a](*values) for a in self._aggregations}

    def _close(self):
        """Ends the interval; returns its event, or None if it had no values."""
        self._before, self._now = self._now, self._nothing
        if not self._before[0]:
            return None
        data = {f"{self._name}.{a.name.lower()}": value for a, value in self._summary(self._before).items()}
        return Event(STAT_EVENT, datetime.datetime.now(), data)

    def add(self, v):
        """Adds a value."""
        v, events = float(v), []
        with self._lock:
            window = self._current()
            if window != self._window:
                events.append(self._close())
                self._window = window
            if window != self._full:
                n, total, low, high, _ = self._now
                self._now = n + 1, total + v, min(low, v) if n else v, max(high, v) if n else v, v
                if n + 1 >= self._most:
                    events.append(self._close())
                    self._full = window
        for event in events:
            if event is not None:
                log_event(event)

    def get(self):
        """Returns the summary of the last complete interval as {Aggregation: value}."""
        with self._lock:
            return self._summary(self._before)

    def __del__(self):
        event = self._close() if hasattr(self, "_before") else None
        if event is not None:
            log_event(event)


class TensorboardEventHandler:
    """A handler that writes the values of Stat events to a SummaryWriter as scalars."""

    def __init__(self, writer):
        self._writer = writer

    def __call__(self, event):
        if event.name == STAT_EVENT:
            for name, value in event.data.items():
                self._writer.add_scalar(name, value, walltime=event.timestamp.timestamp())
