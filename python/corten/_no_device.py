# SPDX-License-Identifier: BSD-3-Clause
"""What a kind of device that is not there answers; torch.mps and torch.xpu are such."""
__all__ = ["device_count", "empty_cache", "is_available", "manual_seed"]

def is_available():
    """Whether there is one."""
    return False

def device_count():
    """How many there are."""
    return 0

def empty_cache():
    """Gives cached memory of the device back: there is none."""

def manual_seed(seed):
    """Sets the seed of the device's generator, as soon as there is one."""
