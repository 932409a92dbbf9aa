# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.memory: what the allocator of GPUs counts, and what it is told."""
import collections
import warnings

from .. import _C
from . import _index, device_count, init, is_initialized

__all__ = ["change_current_allocator", "empty_cache", "get_allocator_backend", "get_per_process_memory_fraction",
           "list_gpu_processes", "max_memory_allocated", "max_memory_cached", "max_memory_reserved", "mem_get_info",
           "memory_allocated", "memory_cached", "memory_reserved", "memory_snapshot", "memory_stats", "memory_summary",
           "reset_accumulated_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached",
           "reset_peak_memory_stats", "set_per_process_memory_fraction"]

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
    """What was taken from the driver, segment by segment, and the blocks in each."""
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
    return [segments[key] for key in sorted(segments)]


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


def change_current_allocator(allocator):
    """PyTorch can be given another allocator; Corten has its own alone."""
    raise RuntimeError("Can't swap an already initialized allocator: the memory of GPUs is Corten's own")


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
