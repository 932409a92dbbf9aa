# SPDX-License-Identifier: BSD-3-Clause
"""torch.accelerator: the GPU of whatever kind, if there is one."""
from . import cuda

__all__ = ["current_accelerator", "current_device_index", "device_count", "is_available", "set_device_index", "synchronize"]


def is_available():
    """Whether there is one."""
    return cuda.is_available()


def device_count():
    """How many there are."""
    return cuda.device_count()


def current_accelerator(check_available=False):
    """Its kind, or None."""
    from . import _C
    return _C.device("cuda") if cuda.is_available() else None


def current_device_index():
    """The number of the one in use."""
    return cuda.current_device()


def set_device_index(device):
    """Chooses the one in use."""
    cuda.set_device(device)


def synchronize(device=None):
    """Waits until it is done."""
    cuda.synchronize(device)
