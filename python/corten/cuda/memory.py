# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.memory: what the allocator of GPUs counts, and what it is told."""
import collections
import contextlib
import warnings

from .. import _C
from .._missing import MissingFeature, missing_class, missing_function, no_effect
from . import _index, device_count, init, is_initialized

__all__ = ["CUDAPluggableAllocator", "MemPool", "caching_allocator_alloc", "caching_allocator_delete", "caching_allocator_disabled",
           "caching_allocator_enable", "change_current_allocator", "empty_cache", "get_allocator_backend",
           "get_per_process_memory_fraction", "host_memory_stats", "host_memory_stats_as_nested_dict", "list_gpu_processes",
           "max_memory_allocated", "max_memory_cached", "max_memory_reserved", "mem_get_info", "memory_allocated", "memory_cached",
           "memory_reserved", "memory_snapshot", "memory_stats", "memory_stats_as_nested_dict", "memory_summary",
           "reset_accumulated_host_memory_stats", "reset_accumulated_memory_stats", "reset_max_memory_allocated",
           "reset_max_memory_cached", "reset_peak_host_memory_stats", "reset_peak_memory_stats", "set_per_process_memory_fraction",
           "use_mem_pool"]

_POOLS, _ENDS = ("all", "large_pool", "small_pool"), ("current", "peak", "allocated", "freed")


def _memory(what, device):
    return _C._cuda_memory(_index(device))[what] if is_initialized() else 0


def memory_allocated(device=None):
    """Bytes in use by tensors on the GPU."""
    return _memory("allocated_bytes.all.current", device)


def max_memory_allocated(device=None):
    """The most bytes that were in use by tensors on the GPU."""
    return _memory("allocated_bytes.all.peak", device)


def memory_reserved(device=None):
    """Bytes taken from the driver, for tensors now and later."""
    return _memory("reserved_bytes.all.current", device)


def max_memory_reserved(device=None):
    """The most bytes that were taken from the driver."""
    return _memory("reserved_bytes.all.peak", device)


def reset_peak_memory_stats(device=None):
    """The most bytes from now on."""
    if is_initialized():
        _C._cuda_reset_peak(_index(device))


def reset_accumulated_memory_stats(device=None):
    """What is counted in all begins anew."""
    if is_initialized():
        _C._cuda_reset_accumulated(_index(device))


def mem_get_info(device=None):
    """Bytes of the card that are free, and all."""
    init()
    facts = _C._cuda_memory(_index(device))
    return facts["free"], facts["total"]


def memory_stats(device=None):
    """What the allocator counts, by PyTorch's names. A block in use is active; what slabs still have is split off."""
    if not is_initialized():
        return collections.OrderedDict()
    facts = _C._cuda_memory(_index(device))
    for key in ("free", "total"):
        del facts[key]
    for pool in _POOLS:
        for end in _ENDS:
            facts[f"active.{pool}.{end}"] = facts[f"allocation.{pool}.{end}"]
            facts[f"active_bytes.{pool}.{end}"] = facts[f"allocated_bytes.{pool}.{end}"]
            for name in ("inactive_split", "inactive_split_bytes"):
                facts[f"{name}.{pool}.{end}"] = 0
    rest = facts["reserved_bytes.small_pool.current"] - facts["allocated_bytes.small_pool.current"]
    for pool in ("all", "small_pool"):
        facts[f"inactive_split_bytes.{pool}.current"] = rest
        facts[f"inactive_split.{pool}.current"] = facts["segment.small_pool.current"] if rest else 0
    for name in ("oversize_allocations", "oversize_segments"):
        facts.update({f"{name}.{end}": 0 for end in _ENDS})
    facts.update(num_device_alloc=facts["segment.all.allocated"], num_device_free=facts["segment.all.freed"],
                 num_sync_all_streams=facts["num_alloc_retries"], max_split_size=-1)
    return collections.OrderedDict(sorted(facts.items()))


def memory_stats_as_nested_dict(device=None):
    """The same as memory_stats, as dictionaries in dictionaries: ["allocated_bytes"]["all"]["current"]."""
    nested = {}
    for name, value in memory_stats(device).items():
        *outer, last = name.split(".")
        inner = nested
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return nested


# ---- pinned memory of the host ----

def host_memory_stats_as_nested_dict():
    """What is counted of page-locked host memory (pin_memory), as dictionaries in dictionaries; see host_memory_stats."""
    if not is_initialized():
        return {}
    facts = _C._cuda_host_memory()
    return {"allocations": facts["blocks"], "allocated_bytes": facts["bytes"],
            "active_requests": dict(facts["blocks"]), "active_bytes": dict(facts["bytes"]),
            "num_host_alloc": facts["blocks"]["allocated"], "num_host_free": facts["blocks"]["freed"],
            "host_alloc_time": facts["pinning"], "host_free_time": facts["releasing"]}


def host_memory_stats():
    """What is counted of page-locked host memory (pin_memory), by PyTorch's names such as "allocated_bytes.current".

    Sizes are bytes, times microseconds. Nothing is cached: each block comes from the driver and goes back to it with its last
    tensor, so that blocks are active as long as they are allocated.
    """
    flat = {}
    for name, value in host_memory_stats_as_nested_dict().items():
        flat.update({f"{name}.{end}": n for end, n in value.items()} if isinstance(value, dict) else {name: value})
    return collections.OrderedDict(sorted(flat.items()))


def reset_peak_host_memory_stats():
    """The peaks of host_memory_stats begin anew at the current values."""
    _C._cuda_reset_host_memory(True)


def reset_accumulated_host_memory_stats():
    """What host_memory_stats counts in all begins anew at 0."""
    _C._cuda_reset_host_memory(False)


# ---- tables ----

_ROWS = (("allocated_bytes", "Allocated memory"), ("active_bytes", "Active memory"),
         ("requested_bytes", "Requested memory"), ("reserved_bytes", "GPU reserved memory"),
         ("inactive_split_bytes", "Non-releasable memory"), ("allocation", "Allocations"), ("active", "Active allocs"),
         ("segment", "GPU reserved segments"), ("inactive_split", "Non-releasable allocs"))


def _scaled(n, like, is_size):
    """A number in the unit that suits another one."""
    units, step, most = (("B  ", "KiB", "MiB", "GiB", "TiB"), 1024, 768 << 10) if is_size else ((" ", "K", "M"), 1000, 750000)
    unit = 0
    while unit < len(units) - 1 and like >= most:
        n, like, unit = n // step, like / step, unit + 1
    return f"{n:6d} {units[unit]}" if is_size else f"{n:7d} {units[unit]} "


def memory_summary(device=None, abbreviated=False):
    """The same as a table to read."""
    index, stats = _index(device), memory_stats(device)
    if not stats:
        init()
        stats = memory_stats(device)

    def row(title, prefix, likes, is_size):
        cells = " | ".join(_scaled(stats[f"{prefix}.{end}"], like, is_size) for end, like in zip(_ENDS, likes))
        return f" {title:<21} | {cells} "

    lines = ["=" * 75, f" {'':16} PyTorch CUDA memory summary, device ID {index:<17d} ", "-" * 75,
             f"  {'':9} CUDA OOMs: {stats['num_ooms']:<12d} | {'':6} cudaMalloc retries: "
             f"{stats['num_alloc_retries']:<8d}  ",
             "=" * 75, "        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  "]
    for name, title in _ROWS:
        likes = [stats[f"{name}.all.{end}"] for end in _ENDS]
        titles = (title,) if abbreviated else (title, "      from large pool", "      from small pool")
        lines.append("-" * 75)
        lines += [row(text, f"{name}.{pool}", likes, "bytes" in name) for text, pool in zip(titles, _POOLS)]
    for name, title in (("oversize_allocations", "Oversize allocations"), ("oversize_segments", "Oversize GPU segments")):
        lines += ["-" * 75, row(title, name, (0,) * 4, False)]
    lines.append("=" * 75)
    return "|" + "|\n|".join(lines) + "|\n"


def memory_snapshot(mempool_id=None, include_traces=True):
    """What was taken from the driver, segment by segment, and the blocks in each.

    `mempool_id`: only segments of this pool; all belong to pool (0, 0).
    """
    segments = {}
    for index in range(device_count()) if is_initialized() else ():
        for start, address, stream, size, requested, total, state in _C._cuda_snapshot(index):
            large = address == start and size == total
            segment = segments.setdefault((index, start), {
                "device": index, "address": start, "total_size": total, "allocated_size": 0, "active_size": 0,
                "requested_size": 0, "stream": stream, "segment_type": "large" if large else "small",
                "segment_pool_id": (0, 0), "is_expandable": False, "frames": [], "blocks": []})
            segment["allocated_size"] += size if state == 1 else 0
            segment["active_size"] += size if state else 0
            segment["requested_size"] += requested
            segment["blocks"].append({
                "address": address, "size": size, "requested_size": requested, "frames": [],
                "state": ("inactive", "active_allocated", "active_pending_free")[state]})
    for (_, start), segment in segments.items():
        segment["blocks"].sort(key=lambda block: block["address"])
        end = segment["blocks"][-1]["address"] + segment["blocks"][-1]["size"]
        if end < start + segment["total_size"]:
            segment["blocks"].append({"address": end, "size": start + segment["total_size"] - end,
                                      "requested_size": 0, "state": "inactive", "frames": []})
    wanted = None if mempool_id is None else tuple(mempool_id)
    return [segments[key] for key in sorted(segments) if wanted in (None, segments[key]["segment_pool_id"])]


def list_gpu_processes(device=None):
    """Who else uses the GPU, as NVIDIA's library nvidia-ml-py tells."""
    try:
        import pynvml
    except ModuleNotFoundError:
        return "pynvml module not found, please install nvidia-ml-py"
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return "cuda driver can't be loaded, is cuda enabled?"
    index = _index(device)
    found = pynvml.nvmlDeviceGetComputeRunningProcesses(pynvml.nvmlDeviceGetHandleByIndex(index))
    lines = [f"process {p.pid:>10d} uses {p.usedGpuMemory / (1 << 20):>12.3f} MB GPU memory" for p in found]
    return "\n".join([f"GPU:{index}", *(lines or ["no processes are running"])])


# ---- what it is told ----

def empty_cache():
    """Gives cached memory of the GPU back."""
    _C._cuda_empty_cache()


def set_per_process_memory_fraction(fraction, device=None):
    """At most this part of the card is taken from the driver."""
    init()
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _C._cuda_memory_fraction(_index(device), fraction)


def get_per_process_memory_fraction(device=None):
    """What set_per_process_memory_fraction was given."""
    init()
    return _C._cuda_memory_fraction(_index(device))


def get_allocator_backend():
    """Whose allocator it is."""
    return "native"


_OWN = "GPU memory comes from Corten's caching allocator; read torch.cuda.memory_stats() to watch it"
CUDAPluggableAllocator = missing_class("torch.cuda.memory.CUDAPluggableAllocator", _OWN)
change_current_allocator = missing_function("torch.cuda.memory.change_current_allocator", _OWN)
MemPool = missing_class("torch.cuda.memory.MemPool", "leave it out; each stream has a pool, so use a torch.cuda.Stream to separate memory")
use_mem_pool = missing_function("torch.cuda.memory.use_mem_pool", "use `with torch.cuda.stream(stream):`; each stream has its own pool")

_raw = {}  # address -> the tensor whose memory caching_allocator_alloc gave away


def caching_allocator_alloc(size, device=None, stream=None):
    """Takes bytes of GPU memory for another library: returns their address, for caching_allocator_delete.

    `stream`: a torch.cuda.Stream or the address of one, on which the memory is used; by default the current one.
    """
    from .streams import ExternalStream, Stream, StreamContext
    index = _index(device)
    if stream is not None and not isinstance(stream, (int, Stream)):
        raise TypeError("Invalid type for stream argument, must be `torch.cuda.Stream` or `int` representing a pointer to an existing "
                        "stream")
    with StreamContext(ExternalStream(stream, index) if isinstance(stream, int) else stream):
        memory = _C.empty(size, dtype=_C.uint8, device=_C.device("cuda", index))
    _raw[memory.data_ptr()] = memory
    return memory.data_ptr()


def caching_allocator_delete(mem_ptr):
    """Gives memory back that caching_allocator_alloc returned; an address of 0 is allowed and does nothing."""
    if mem_ptr and _raw.pop(mem_ptr, None) is None:
        raise RuntimeError(f"invalid device pointer: {mem_ptr:#x}")


def caching_allocator_enable(value=True):
    """In PyTorch False makes each tensor ask the driver; here memory is always cached, and False warns."""
    if not value and is_initialized():
        no_effect("torch.cuda.caching_allocator_enable(False)",
                  "GPU memory stays cached; torch.cuda.empty_cache() gives unused memory back to the driver")


@contextlib.contextmanager
def caching_allocator_disabled():
    """A block without cached GPU memory in PyTorch; here memory is always cached, and the block warns."""
    caching_allocator_enable(False)
    yield


def _record_memory_history(enabled="all", *args, **kwargs):
    """Switches the history of allocations on, which is not kept here; switching it off is allowed."""
    if enabled:
        raise MissingFeature("torch.cuda.memory._record_memory_history", "read torch.cuda.memory_snapshot() where memory matters")


def _snapshot(device=None, augment_with_fx_traces=False):
    """The segments of memory_snapshot() in the dictionary that PyTorch's viewer of memory reads; without a history."""
    if augment_with_fx_traces:
        raise MissingFeature("torch.cuda.memory._snapshot(augment_with_fx_traces=True)", "leave the argument out")
    wanted = None if device is None else _index(device)
    return {"segments": [s for s in memory_snapshot() if wanted in (None, s["device"])],
            "device_traces": [[] for _ in range(device_count())], "allocator_settings": {}, "external_annotations": []}


def _dump_snapshot(filename="dump_snapshot.pickle", augment_with_fx_traces=False):
    """Writes _snapshot() to a file for PyTorch's viewer of memory."""
    import pickle
    with open(filename, "wb") as file:
        pickle.dump(_snapshot(augment_with_fx_traces=augment_with_fx_traces), file)


# ---- older names ----

def _older(name, newer, function):
    def call(device=None):
        warnings.warn(f"`torch.cuda.{name}` has been renamed to `torch.cuda.{newer}`", FutureWarning, stacklevel=2)
        return function(device)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"An older name of {newer}."
    return call


memory_cached = _older("memory_cached", "memory_reserved", memory_reserved)
max_memory_cached = _older("max_memory_cached", "max_memory_reserved", max_memory_reserved)
reset_max_memory_allocated = _older("reset_max_memory_allocated", "reset_peak_memory_stats", reset_peak_memory_stats)
reset_max_memory_cached = _older("reset_max_memory_cached", "reset_peak_memory_stats", reset_peak_memory_stats)
