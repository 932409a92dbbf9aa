# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda: NVIDIA GPUs, their memory, streams, events and graphs. Without one it says so, and whatever needs one
raises PyTorch's error."""
import contextlib
import types

from . import _C

__all__ = ["CUDAGraph", "Event", "ExternalStream", "Stream", "StreamContext", "can_device_access_peer",
           "current_device", "current_stream", "default_stream", "device", "device_count", "device_of", "empty_cache",
           "get_arch_list", "get_device_capability", "get_device_name", "get_device_properties", "get_rng_state",
           "get_rng_state_all", "graph", "init", "initial_seed", "is_available", "is_bf16_supported",
           "is_initialized", "manual_seed", "manual_seed_all", "max_memory_allocated", "max_memory_reserved",
           "mem_get_info", "memory_allocated", "memory_reserved", "memory_stats", "memory_summary",
           "reset_peak_memory_stats", "seed", "seed_all", "set_device", "set_rng_state", "set_rng_state_all",
           "set_stream", "stream", "synchronize"]


def is_available():
    """Whether there is a GPU to compute on."""
    return device_count() > 0


def device_count():
    """How many GPUs there are."""
    return _C._cuda_device_count()


def is_initialized():
    """Whether a GPU has been used."""
    return _C._cuda_is_initialized()


def init():
    """Starts to use the GPU; where there is none, that is the error."""
    _C.empty(0, device="cuda")


def _index(device=None):
    """The number of a device given in any of PyTorch's ways; of none the current one."""
    if device is None:
        return current_device()
    if isinstance(device, (str, _C.device)):
        device = _C.device(device)
        if device.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {device}")
        return current_device() if device.index is None else device.index
    return int(device)


# ---- devices ----

def current_device():
    """The number of the GPU in use."""
    init()
    return _C._cuda_current_device()


def set_device(device):
    """Chooses the GPU in use."""
    index = _index(device)
    if index >= 0:
        _C._cuda_set_device(index)


class device:
    """`with torch.cuda.device(1):` chooses the GPU for a block of code."""

    def __init__(self, device):
        self.idx = -1 if device is None else _index(device)
        self.prev_idx = -1

    def __enter__(self):
        if self.idx >= 0:
            self.prev_idx = current_device()
            _C._cuda_set_device(self.idx)

    def __exit__(self, *error):
        if self.idx >= 0:
            _C._cuda_set_device(self.prev_idx)
        return False


class device_of(device):
    """The same for the GPU of a tensor; a block of one of the CPU changes nothing."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else None)


def synchronize(device=None):
    """Waits until the GPU is done."""
    init()
    _C._cuda_synchronize(_index(device))


class _CudaDeviceProperties(types.SimpleNamespace):
    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
                f"total_memory={self.total_memory // 1048576}MB, "
                f"multi_processor_count={self.multi_processor_count}, uuid={self.uuid}, "
                f"L2_cache_size={self.L2_cache_size // 1048576}MB)")


def get_device_properties(device=None):
    """What the GPU is like."""
    init()
    facts = _C._cuda_properties(_index(device))
    digits = facts["uuid"].hex()
    facts["uuid"] = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    return _CudaDeviceProperties(**facts)


def get_device_name(device=None):
    """What the GPU is called."""
    return get_device_properties(device).name


def get_device_capability(device=None):
    """The GPU's generation."""
    facts = get_device_properties(device)
    return facts.major, facts.minor


def get_arch_list():
    """The generations there are kernels for: they are compiled for the card at hand."""
    return sorted({"sm_%d%d" % get_device_capability(i) for i in range(device_count())})


def is_bf16_supported(including_emulation=True):
    """Whether the GPU computes with bfloat16."""
    return is_available()


def can_device_access_peer(device, peer_device):
    """Whether one GPU reads the other's memory by itself."""
    return _C._cuda_can_access_peer(_index(device), _index(peer_device))


# ---- memory ----

def _memory(what, device):
    return _C._cuda_memory(_index(device))[what] if is_initialized() else 0


def memory_allocated(device=None):
    """Bytes in use by tensors on the GPU."""
    return _memory("allocated", device)


def max_memory_allocated(device=None):
    """The most bytes that were in use by tensors on the GPU."""
    return _memory("allocated_peak", device)


def memory_reserved(device=None):
    """Bytes taken from the driver, for tensors now and later."""
    return _memory("reserved", device)


def max_memory_reserved(device=None):
    """The most bytes that were taken from the driver."""
    return _memory("reserved_peak", device)


def reset_peak_memory_stats(device=None):
    """The most bytes from now on."""
    if is_initialized():
        _C._cuda_reset_peak(_index(device))


def mem_get_info(device=None):
    """Bytes of the card that are free, and all."""
    init()
    facts = _C._cuda_memory(_index(device))
    return facts["free"], facts["total"]


def memory_stats(device=None):
    """What the allocator counts, by PyTorch's names."""
    if not is_initialized():
        return {}
    facts = _C._cuda_memory(_index(device))
    return {"allocated_bytes.all.current": facts["allocated"], "allocated_bytes.all.peak": facts["allocated_peak"],
            "reserved_bytes.all.current": facts["reserved"], "reserved_bytes.all.peak": facts["reserved_peak"],
            "active.all.current": facts["active"], "allocation.all.allocated": facts["allocations"],
            "segment.all.current": facts["segments"]}


def memory_summary(device=None, abbreviated=False):
    """The same as a table to read."""
    lines = [f"| {name:<34}| {value:>16} |" for name, value in memory_stats(device).items()]
    bar = "|" + "=" * 54 + "|"
    return "\n".join([bar, f"| {'memory of CUDA device ' + str(_index(device)):<53}|", bar, *lines, bar, ""])


def empty_cache():
    """Gives cached memory of the GPU back."""
    _C._cuda_empty_cache()


# ---- random numbers ----

def _generator(device="cuda"):
    init()
    return _C._cuda_default_generator(_index(device))


def manual_seed(seed):
    """Sets the seed of the current GPU's generator."""
    if is_available():
        _generator().manual_seed(int(seed))


def manual_seed_all(seed):
    """Sets the seed of every GPU's generator."""
    _C._cuda_manual_seed_all(int(seed))


def seed():
    """Seeds the current GPU's generator from the system."""
    return _generator().seed()


def seed_all():
    """Seeds every GPU's generator from the system."""
    _C._cuda_manual_seed_all(_generator().seed())


def initial_seed():
    """The seed of the current GPU's generator."""
    return _generator().initial_seed()


def get_rng_state(device="cuda"):
    """The state of a GPU's generator."""
    return _generator(device).get_state()


def set_rng_state(new_state, device="cuda"):
    """Sets the state of a GPU's generator."""
    _generator(device).set_state(new_state)


def get_rng_state_all():
    """The states of all GPUs' generators."""
    return [get_rng_state(i) for i in range(device_count())]


def set_rng_state_all(new_states):
    """Sets the states of all GPUs' generators."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


def __getattr__(name):
    if name == "default_generators":
        return tuple(_generator(i) for i in range(device_count()))
    if name.endswith("Tensor"):
        from . import _legacy
        if name in _legacy._TYPES:
            globals()[name] = _legacy.make(name, "cuda")
            return globals()[name]
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")


# ---- streams and events ----

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


def current_stream(device=None):
    """The stream that work goes to."""
    init()
    index = _index(device)
    return Stream(index, _handle=_C._cuda_current_stream(index))


def default_stream(device=None):
    """The stream that work goes to unless another is chosen."""
    init()
    return Stream(_index(device), _handle=0)


def set_stream(stream):
    """Chooses the stream, and its device."""
    if stream is not None:
        _C._cuda_set_device(stream.device_index)
        _C._cuda_set_stream(stream.device_index, stream.cuda_stream)


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


# ---- graphs ----

class CUDAGraph:
    """Work that was written down once, sent again as a whole."""

    def __init__(self, keep_graph=False):
        self._graph, self._device = 0, None

    def capture_begin(self, pool=None, capture_error_mode="global"):
        """From now on the current stream's work is written down."""
        self._device = current_device()
        _C._cuda_capture_begin(self._device)

    def capture_end(self):
        """Until here."""
        self._graph = _C._cuda_capture_end(self._device)

    def replay(self):
        """Sends it to the current stream."""
        _C._cuda_graph_launch(self._device, self._graph)

    def reset(self):
        """Forgets it."""
        if self._graph and _C is not None:
            _C._cuda_graph_destroy(self._device, self._graph)
        self._graph = 0

    def pool(self):
        """The memory that it uses, for another graph to share."""
        return (0, 0)

    __del__ = reset


_capture_streams = {}


@contextlib.contextmanager
def graph(cuda_graph, pool=None, stream=None, capture_error_mode="global"):
    """A block of code whose work becomes a graph. Its memory belongs to the graph: the stream is no one else's."""
    index = current_device()
    if stream is None:
        stream = _capture_streams.setdefault(index, None) or Stream(index)
        _capture_streams[index] = stream
    synchronize()
    with StreamContext(stream):
        cuda_graph.capture_begin()
        try:
            yield
        finally:
            cuda_graph.capture_end()


from .amp._devices import of_device  # noqa: E402

amp = of_device("cuda")
