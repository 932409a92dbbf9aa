# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.streams: queues of work, and marks in them."""
import threading

from .. import _C
from .._missing import MissingFeature
from . import _index, current_device, init

__all__ = ["Event", "ExternalStream", "Stream"]


class Stream:
    """A queue of work: what is sent to one runs in order, several run side by side."""

    def __init__(self, device=None, priority=0, *, _handle=None):
        self.device_index = _index(device)
        self.priority = priority
        self._owned = _handle is None
        self.cuda_stream = _C._cuda_stream_create(self.device_index, priority) if self._owned else _handle

    @property
    def device(self):
        """Where it runs."""
        return _C.device("cuda", self.device_index)

    def __del__(self):
        if getattr(self, "_owned", False) and _C is not None:  # None: Python is ending
            _C._cuda_stream_destroy(self.device_index, self.cuda_stream)

    def wait_event(self, event):
        """What comes later waits for an event."""
        if event.cuda_event:
            _C._cuda_stream_wait_event(self.device_index, self.cuda_stream, event.cuda_event)

    def wait_stream(self, stream):
        """What comes later waits for all that another stream has so far."""
        self.wait_event(stream.record_event())

    def record_event(self, event=None):
        """An event that is there when all of this is done."""
        event = event or Event()
        event.record(self)
        return event

    def query(self):
        """Whether all is done."""
        return _C._cuda_stream_query(self.device_index, self.cuda_stream)

    def synchronize(self):
        """Waits until all is done."""
        _C._cuda_stream_synchronize(self.device_index, self.cuda_stream)

    def __enter__(self):
        self._context = StreamContext(self)
        self._context.__enter__()
        return self

    def __exit__(self, *error):
        return self._context.__exit__(*error)

    def __eq__(self, other):
        return (isinstance(other, Stream) and self.cuda_stream == other.cuda_stream
                and self.device_index == other.device_index)

    def __hash__(self):
        return hash((self.cuda_stream, self.device_index))

    def __repr__(self):
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(Stream):
    """A stream that another library made."""

    def __init__(self, stream_ptr, device=None):
        super().__init__(device, _handle=stream_ptr)


class Event:
    """A mark in a stream: others wait for it, or the time between two is taken."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        if interprocess:
            raise MissingFeature("torch.cuda.Event(interprocess=True)", "call synchronize() before another process reads")
        if external:
            raise MissingFeature("torch.cuda.Event(external=True)", "record events outside of the captured graph")
        self.enable_timing, self.blocking = enable_timing, blocking
        self.cuda_event, self._device = 0, None

    def __del__(self):
        if self.cuda_event and _C is not None:
            _C._cuda_event_destroy(self._device, self.cuda_event)

    @property
    def device(self):
        """Where it was recorded."""
        return None if self._device is None else _C.device("cuda", self._device)

    def record(self, stream=None):
        """Marks what a stream has so far."""
        stream = stream or current_stream()
        if not self.cuda_event:
            self._device = stream.device_index
            self.cuda_event = _C._cuda_event_create(self._device, self.enable_timing, self.blocking)
        _C._cuda_event_record(self._device, self.cuda_event, stream.cuda_stream)

    def wait(self, stream=None):
        """What comes later in a stream waits for this."""
        (stream or current_stream()).wait_event(self)

    def query(self):
        """Whether it is reached."""
        return not self.cuda_event or _C._cuda_event_query(self._device, self.cuda_event)

    def synchronize(self):
        """Waits until it is reached."""
        if self.cuda_event:
            _C._cuda_event_synchronize(self._device, self.cuda_event)

    def elapsed_time(self, end_event):
        """Milliseconds until another event."""
        if not (self.enable_timing and end_event.enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if not (self.cuda_event and end_event.cuda_event):
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return _C._cuda_event_elapsed(self._device, self.cuda_event, end_event.cuda_event)

    def __repr__(self):
        return f"<torch.cuda.Event {self.cuda_event:#x}>" if self.cuda_event else "<torch.cuda.Event uninitialized>"


_chosen = threading.local()  # streams by device: a stream that work goes to must not end


def current_stream(device=None):
    """The stream that work goes to."""
    init()
    index = _index(device)
    handle, chosen = _C._cuda_current_stream(index), _chosen.__dict__.get(index)
    return chosen if chosen is not None and chosen.cuda_stream == handle else Stream(index, _handle=handle)


def default_stream(device=None):
    """The stream that work goes to unless another is chosen."""
    init()
    return Stream(_index(device), _handle=0)


def set_stream(stream):
    """Chooses the stream, and its device."""
    if stream is not None:
        _C._cuda_set_device(stream.device_index)
        _C._cuda_set_stream(stream.device_index, stream.cuda_stream)
        _chosen.__dict__[stream.device_index] = stream


class StreamContext:
    """`with torch.cuda.stream(s):` chooses the stream for a block of code."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            self._device = current_device()
            self._last = current_stream(self.stream.device_index)
            set_stream(self.stream)

    def __exit__(self, *error):
        if self.stream is not None:
            set_stream(self._last)
            _C._cuda_set_device(self._device)
        return False


def stream(stream):
    """A block of code whose work goes to a stream."""
    return StreamContext(stream)


def get_stream_from_external(data_ptr, device=None):
    """The stream of another library by its address."""
    return ExternalStream(data_ptr, device)


def is_current_stream_capturing():
    """Whether what is sent now becomes part of a graph."""
    from . import is_initialized
    return is_initialized() and _C._cuda_is_capturing(current_device())
