# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda on a machine without a GPU: it says so, and whatever needs one raises PyTorch's error."""
from . import _C

__all__ = ["current_device", "device_count", "empty_cache", "get_device_name", "init", "is_available",
           "is_initialized", "manual_seed", "manual_seed_all", "max_memory_allocated", "memory_allocated",
           "memory_reserved", "set_device", "synchronize"]


def is_available():
    """Whether there is a GPU to compute on."""
    return False


def device_count():
    """How many GPUs there are."""
    return 0


def is_initialized():
    """Whether a GPU has been used."""
    return False


def is_bf16_supported(including_emulation=True):
    """Whether the GPU computes with bfloat16."""
    return False


def init():
    """Starts to use the GPU: the error that there is none."""
    _C.empty(0, device="cuda")


def current_device():
    """The number of the GPU in use."""
    init()


def get_device_name(device=None):
    """What the GPU is called."""
    init()


def get_device_properties(device=None):
    """What the GPU is like."""
    init()


def get_device_capability(device=None):
    """The GPU's generation."""
    init()


def set_device(device):
    """Chooses the GPU in use."""
    init()


def synchronize(device=None):
    """Waits until the GPU is done."""
    init()


def current_stream(device=None):
    """The queue of work in use."""
    init()


def empty_cache():
    """Gives cached memory of the GPU back: there is none."""


def manual_seed(seed):
    """Sets the seed of the GPU's generator, as soon as there is one."""


def manual_seed_all(seed):
    """Sets the seed of every GPU's generator, as soon as there is one."""


def memory_allocated(device=None):
    """Bytes in use by tensors on the GPU."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


class device:
    """`with torch.cuda.device(1):` chooses the GPU for a block of code."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        init()

    def __exit__(self, *error):
        return False


def __getattr__(name):
    if name.endswith("Tensor"):
        from . import _legacy
        if name in _legacy._TYPES:
            globals()[name] = _legacy.make(name, "cuda")
            return globals()[name]
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")
