# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.memory: statistics and settings of the memory allocator of GPUs. All sizes are in bytes."""
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
    """Return the bytes that tensors occupy on a GPU now.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    return _memory("allocated_bytes.all.current", device)


def max_memory_allocated(device=None):
    """Return the largest number of bytes that tensors occupied on a GPU, since the start or reset_peak_memory_stats().

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    return _memory("allocated_bytes.all.peak", device)


def memory_reserved(device=None):
    """Return the bytes that the allocator holds on a GPU: those of tensors, and cached ones for later.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    return _memory("reserved_bytes.all.current", device)


def max_memory_reserved(device=None):
    """Return the largest number of bytes that the allocator held on a GPU, since the start or reset_peak_memory_stats().

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    return _memory("reserved_bytes.all.peak", device)


def reset_peak_memory_stats(device=None):
    """Restart the peaks of memory statistics at the current values.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    if is_initialized():
        _C._cuda_reset_peak(_index(device))


def reset_accumulated_memory_stats(device=None):
    """Restart the totals of memory statistics (allocated, freed, counts of failures) at 0.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    if is_initialized():
        _C._cuda_reset_accumulated(_index(device))


def mem_get_info(device=None):
    """Return (free, total) memory of a GPU in bytes, as the driver reports for all processes.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    init()
    facts = _C._cuda_memory(_index(device))
    return facts["free"], facts["total"]


def memory_stats(device=None):
    """Return the statistics of the allocator, under PyTorch's names such as "allocated_bytes.all.current".

    A name has a quantity (allocation, segment: counts; allocated_bytes, reserved_bytes, requested_bytes, ...), a pool
    (all, large_pool, small_pool) and current, peak, allocated or freed. A block in use counts as active; unused parts of
    small segments count as inactive_split. Empty until a GPU is used.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
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
    """Return memory_stats() as nested dictionaries: ["allocated_bytes"]["all"]["current"].

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    nested = {}
    for name, value in memory_stats(device).items():
        *outer, last = name.split(".")
        inner = nested
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return nested


# ---- page-locked host memory ----

def host_memory_stats_as_nested_dict():
    """Return host_memory_stats() as nested dictionaries: ["allocated_bytes"]["current"]."""
    if not is_initialized():
        return {}
    facts = _C._cuda_host_memory()
    return {"allocations": facts["blocks"], "allocated_bytes": facts["bytes"],
            "active_requests": dict(facts["blocks"]), "active_bytes": dict(facts["bytes"]),
            "num_host_alloc": facts["blocks"]["allocated"], "num_host_free": facts["blocks"]["freed"],
            "host_alloc_time": facts["pinning"], "host_free_time": facts["releasing"]}


def host_memory_stats():
    """Return statistics of page-locked host memory (pin_memory), under PyTorch's names such as "allocated_bytes.current".

    Sizes are in bytes, times in microseconds. Nothing is cached: each block is requested from the driver and released
    with its last tensor, so blocks are active as long as they are allocated.
    """
    flat = {}
    for name, value in host_memory_stats_as_nested_dict().items():
        flat.update({f"{name}.{end}": n for end, n in value.items()} if isinstance(value, dict) else {name: value})
    return collections.OrderedDict(sorted(flat.items()))


def reset_peak_host_memory_stats():
    """Restart the peaks of host_memory_stats() at the current values."""
    _C._cuda_reset_host_memory(True)


def reset_accumulated_host_memory_stats():
    """Restart the totals of host_memory_stats() at 0."""
    _C._cuda_reset_host_memory(False)


# ---- tables ----

_ROWS = (("allocated_bytes", "Allocated memory"), ("active_bytes", "Active memory"),
         ("requested_bytes", "Requested memory"), ("reserved_bytes", "GPU reserved memory"),
         ("inactive_split_bytes", "Non-releasable memory"), ("allocation", "Allocations"), ("active", "Active allocs"),
         ("segment", "GPU reserved segments"), ("inactive_split", "Non-releasable allocs"))


def _scaled(n, like, is_size):
    """Format a number in the unit that suits another one."""
    units, step, most = (("B  ", "KiB", "MiB", "GiB", "TiB"), 1024, 768 << 10) if is_size else ((" ", "K", "M"), 1000, 750000)
    unit = 0
    while unit < len(units) - 1 and like >= most:
        n, like, unit = n // step, like / step, unit + 1
    return f"{n:6d} {units[unit]}" if is_size else f"{n:7d} {units[unit]} "


def memory_summary(device=None, abbreviated=False):
    """Return memory_stats() as a table for people.

    Args:
        device: a device, its name or its index. Default: None, for the current one
        abbreviated: True leaves out the rows of the two pools. Default: False
    """
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
    """Return all memory taken from the driver: a list of segments (dictionaries), each with its list of blocks.

    Args:
        mempool_id: only segments of this pool; all belong to pool (0, 0). Default: None, for all
        include_traces: accepted for compatibility; stack traces are not recorded. Default: True
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
    """Return a text that lists the processes on a GPU and their memory; needs nvidia-ml-py.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
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


# ---- settings ----

def empty_cache():
    """Return cached, unused GPU memory to the driver, so that other programs can use it.

    It does not make more memory available to this program.
    """
    _C._cuda_empty_cache()


def set_per_process_memory_fraction(fraction, device=None):
    """Limit the memory that this process takes from a GPU. Beyond it, allocations raise OutOfMemoryError.

    Args:
        fraction: the share of the card's total memory, a float from 0 to 1.
        device: a device, its name or its index. Default: None, for the current one
    """
    init()
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _C._cuda_memory_fraction(_index(device), fraction)


def get_per_process_memory_fraction(device=None):
    """Return the limit of set_per_process_memory_fraction().

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    init()
    return _C._cuda_memory_fraction(_index(device))


def get_allocator_backend():
    """Return the name of the allocator: "native"."""
    return "native"


_OWN = "GPU memory comes from Corten's caching allocator; read torch.cuda.memory_stats() to watch it"
CUDAPluggableAllocator = missing_class("torch.cuda.memory.CUDAPluggableAllocator", _OWN)
change_current_allocator = missing_function("torch.cuda.memory.change_current_allocator", _OWN)
MemPool = missing_class("torch.cuda.memory.MemPool", "leave it out; each stream has a pool, so use a torch.cuda.Stream to separate memory")
use_mem_pool = missing_function("torch.cuda.memory.use_mem_pool", "use `with torch.cuda.stream(stream):`; each stream has its own pool")

_raw = {}  # {address: the tensor that owns memory from caching_allocator_alloc}


def caching_allocator_alloc(size, device=None, stream=None):
    """Allocate GPU memory for another library.

    Args:
        size: the number of bytes.
        device: a device, its name or its index. Default: None, for the current one
        stream: a torch.cuda.Stream, or the address of one, on which the memory is used. Default: None, for the current one

    Returns the address as an int. Release it with caching_allocator_delete().
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
    """Release memory that caching_allocator_alloc() allocated.

    Args:
        mem_ptr: the address; 0 does nothing, others that were not allocated so raise RuntimeError.
    """
    if mem_ptr and _raw.pop(mem_ptr, None) is None:
        raise RuntimeError(f"invalid device pointer: {mem_ptr:#x}")


def caching_allocator_enable(value=True):
    """Accept PyTorch's switch for the caching of GPU memory; here memory is always cached.

    Args:
        value: False reports once that it has no effect. Default: True
    """
    if not value and is_initialized():
        no_effect("torch.cuda.caching_allocator_enable(False)",
                  "GPU memory stays cached; torch.cuda.empty_cache() gives unused memory back to the driver")


@contextlib.contextmanager
def caching_allocator_disabled():
    """A context without caching of GPU memory in PyTorch; here memory is always cached, and the context reports that once."""
    caching_allocator_enable(False)
    yield


def _record_memory_history(enabled="all", *args, **kwargs):
    """Raise MissingFeature: the history of allocations is not recorded. Switching it off is allowed."""
    if enabled:
        raise MissingFeature("torch.cuda.memory._record_memory_history", "read torch.cuda.memory_snapshot() where memory matters")


def _snapshot(device=None, augment_with_fx_traces=False):
    """Return memory_snapshot() in the form that PyTorch's memory viewer reads, without a history."""
    if augment_with_fx_traces:
        raise MissingFeature("torch.cuda.memory._snapshot(augment_with_fx_traces=True)", "leave the argument out")
    wanted = None if device is None else _index(device)
    return {"segments": [s for s in memory_snapshot() if wanted in (None, s["device"])],
            "device_traces": [[] for _ in range(device_count())], "allocator_settings": {}, "external_annotations": []}


def _dump_snapshot(filename="dump_snapshot.pickle", augment_with_fx_traces=False):
    """Write _snapshot() to a file for PyTorch's memory viewer."""
    import pickle
    with open(filename, "wb") as file:
        pickle.dump(_snapshot(augment_with_fx_traces=augment_with_fx_traces), file)


# ---- older names ----

def _older(name, newer, function):
    def call(device=None):
        warnings.warn(f"`torch.cuda.{name}` has been renamed to `torch.cuda.{newer}`", FutureWarning, stacklevel=2)
        return function(device)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return {newer}(device); a deprecated name."
    return call


memory_cached = _older("memory_cached", "memory_reserved", memory_reserved)
max_memory_cached = _older("max_memory_cached", "max_memory_reserved", max_memory_reserved)
reset_max_memory_allocated = _older("reset_max_memory_allocated", "reset_peak_memory_stats", reset_peak_memory_stats)
reset_max_memory_cached = _older("reset_max_memory_cached", "reset_peak_memory_stats", reset_peak_memory_stats)
