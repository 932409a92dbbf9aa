# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.streams: queues of GPU work, and events in them."""
import threading

from .. import _C
from .._missing import MissingFeature
from . import _index, current_device, init

__all__ = ["Event", "ExternalStream", "Stream"]


class Stream:
    """A queue of GPU work: work in one stream runs in order, work in several may run at the same time.

    Use it as a context to send work to it. Work in another stream must wait explicitly (wait_stream, events) for tensors
    computed here.

    Args:
        device: a device, its name or its index. Default: None, for the current one
        priority: lower numbers run first; 0 is normal, -1 high. Default: 0
    """

    def __init__(self, device=None, priority=0, *, _handle=None):
        self.device_index = _index(device)
        self.priority = priority
        self._owned = _handle is None
        self.cuda_stream = _C._cuda_stream_create(self.device_index, priority) if self._owned else _handle

    @property
    def device(self):
        """The GPU of the stream."""
        return _C.device("cuda", self.device_index)

    def __del__(self):
        if getattr(self, "_owned", False) and _C is not None:  # _C is None at interpreter exit
            _C._cuda_stream_destroy(self.device_index, self.cuda_stream)

    def wait_event(self, event):
        """Make later work of this stream wait for an event.

        Args:
            event: the event; if it was not recorded yet, nothing waits.
        """
        if event.cuda_event:
            _C._cuda_stream_wait_event(self.device_index, self.cuda_stream, event.cuda_event)

    def wait_stream(self, stream):
        """Make later work of this stream wait for all work sent to another stream so far.

        Args:
            stream: the other stream.
        """
        self.wait_event(stream.record_event())

    def record_event(self, event=None):
        """Record an event: it occurs when all work sent to this stream so far is done.

        Args:
            event: the event. Default: None, for a new one

        Returns the event.
        """
        event = event or Event()
        event.record(self)
        return event

    def query(self):
        """Return whether all work sent to this stream is done."""
        return _C._cuda_stream_query(self.device_index, self.cuda_stream)

    def synchronize(self):
        """Wait until all work sent to this stream is done."""
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
    """A stream created by another library.

    Args:
        stream_ptr: its address (cudaStream_t) as an int; it must outlive this object.
        device: a device, its name or its index. Default: None, for the current one
    """

    def __init__(self, stream_ptr, device=None):
        super().__init__(device, _handle=stream_ptr)


class Event:
    """A marker in a stream: other streams can wait for it, and two of them measure time.

    Args:
        enable_timing: whether elapsed_time() is possible. Default: False
        blocking: whether synchronize() lets the thread sleep instead of spinning. Default: False
        interprocess, external: must be False. Default: False

    To time GPU work::

        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        y = model(x)
        end.record()
        end.synchronize()
        print(start.elapsed_time(end), "ms")
    """

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
        """The GPU where it was recorded, or None."""
        return None if self._device is None else _C.device("cuda", self._device)

    def record(self, stream=None):
        """Record the event: it occurs when all work sent to a stream so far is done.

        Args:
            stream: the stream. Default: None, for the current one
        """
        stream = stream or current_stream()
        if not self.cuda_event:
            self._device = stream.device_index
            self.cuda_event = _C._cuda_event_create(self._device, self.enable_timing, self.blocking)
        _C._cuda_event_record(self._device, self.cuda_event, stream.cuda_stream)

    def wait(self, stream=None):
        """Make later work of a stream wait for this event.

        Args:
            stream: the stream. Default: None, for the current one
        """
        (stream or current_stream()).wait_event(self)

    def query(self):
        """Return whether the event has occurred; True before it is recorded."""
        return not self.cuda_event or _C._cuda_event_query(self._device, self.cuda_event)

    def synchronize(self):
        """Wait until the event occurs."""
        if self.cuda_event:
            _C._cuda_event_synchronize(self._device, self.cuda_event)

    def elapsed_time(self, end_event):
        """Return the milliseconds between this event and a later one.

        Args:
            end_event: the later event. Both need enable_timing=True, and must have been recorded.
        """
        if not (self.enable_timing and end_event.enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if not (self.cuda_event and end_event.cuda_event):
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return _C._cuda_event_elapsed(self._device, self.cuda_event, end_event.cuda_event)

    def __repr__(self):
        return f"<torch.cuda.Event {self.cuda_event:#x}>" if self.cuda_event else "<torch.cuda.Event uninitialized>"


_chosen = threading.local()  # {device index: its current stream}; keeps the Stream object alive


def current_stream(device=None):
    """Return the stream that work on a GPU goes to.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    init()
    index = _index(device)
    handle, chosen = _C._cuda_current_stream(index), _chosen.__dict__.get(index)
    return chosen if chosen is not None and chosen.cuda_stream == handle else Stream(index, _handle=handle)


def default_stream(device=None):
    """Return the default stream of a GPU, which is current unless another is chosen.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    init()
    return Stream(_index(device), _handle=0)


def set_stream(stream):
    """Make a stream, and its GPU, current. Prefer the context torch.cuda.stream.

    Args:
        stream: the stream; None does nothing.
    """
    if stream is not None:
        _C._cuda_set_device(stream.device_index)
        _C._cuda_set_stream(stream.device_index, stream.cuda_stream)
        _chosen.__dict__[stream.device_index] = stream


class StreamContext:
    """The context that torch.cuda.stream() returns.

    Args:
        stream: the stream; None changes nothing.
    """

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
    """Return a context whose work goes to a stream.

    Args:
        stream: the stream; None changes nothing.
    """
    return StreamContext(stream)


def get_stream_from_external(data_ptr, device=None):
    """Return a stream created by another library.

    Args:
        data_ptr: its address (cudaStream_t) as an int.
        device: a device, its name or its index. Default: None, for the current one
    """
    return ExternalStream(data_ptr, device)


def is_current_stream_capturing():
    """Return whether work sent to the current stream is being captured in a graph."""
    from . import is_initialized
    return is_initialized() and _C._cuda_is_capturing(current_device())
