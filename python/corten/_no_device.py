# SPDX-License-Identifier: BSD-3-Clause
"""Common part of torch.xpu, torch.mps and torch.mtia, whose devices Corten does not support.

Programs query these modules before they use a device. Functions that need a device raise the error that PyTorch raises
without one.
"""
import collections

__all__ = ["device_count", "empty_cache", "is_available", "manual_seed", "manual_seed_all"]


def is_available():
    """Returns False: Corten does not support this device type."""
    return False


def device_count():
    """Returns 0, the number of devices."""
    return 0


def empty_cache():
    """Does nothing: there is no cached device memory."""


def manual_seed(seed):
    """Does nothing: there is no device with a generator."""


def manual_seed_all(seed):
    """Does nothing: there are no devices with generators."""


def raising(names, error, text):
    """Returns {name: function that raises error(text)}; {} in the text stands for the function's name."""
    def function(name):
        def needs_device(*args, **kwargs):
            raise error(text.format(name))
        needs_device.__name__ = needs_device.__qualname__ = name
        needs_device.__doc__ = "An error: there is no such device."
        return needs_device
    return {name: function(name) for name in names}


def counting(names):
    """Returns {name: function that returns 0}, for memory statistics."""
    def function(name):
        def nothing(device=None):
            return 0
        nothing.__name__ = nothing.__qualname__ = name
        nothing.__doc__ = "0: there is no such device."
        return nothing
    return {name: function(name) for name in names}


def block(module):
    """Returns a class of context managers for `module`; like PyTorch's, they have no effect for device None."""
    class device:
        """`with device(None):` has no effect; entering it with a device raises an error, since there is none."""

        def __init__(self, device):
            self.idx, self.prev_idx = -1 if device is None else device, -1

        def __enter__(self):
            if self.idx != -1:
                module["current_device"]()

        def __exit__(self, *error):
            return False
    return device


def nothing_counted(device=None):
    """Returns no statistics: there is no such device."""
    return collections.OrderedDict()
