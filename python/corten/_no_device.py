# SPDX-License-Identifier: BSD-3-Clause
"""What a kind of device that is not there answers: torch.xpu, torch.mps and torch.mtia are such. Programs ask them before they use
them; what needs a device raises the error that PyTorch raises without one."""
import collections

__all__ = ["device_count", "empty_cache", "is_available", "manual_seed", "manual_seed_all"]


def is_available():
    """Whether there is such a device."""
    return False


def device_count():
    """How many such devices there are."""
    return 0


def empty_cache():
    """Gives cached memory of the device back: there is none."""


def manual_seed(seed):
    """Sets the seed of the device's generator, as soon as there is one."""


def manual_seed_all(seed):
    """Sets the seeds of all devices' generators, as soon as there are some."""


def raising(names, error, text):
    """{name: function that raises error(text)}; {} in the text is the function's name."""
    def function(name):
        def needs_device(*args, **kwargs):
            raise error(text.format(name))
        needs_device.__name__ = needs_device.__qualname__ = name
        needs_device.__doc__ = "An error: there is no such device."
        return needs_device
    return {name: function(name) for name in names}


def counting(names):
    """{name: function that counts 0}, for memory in use."""
    def function(name):
        def nothing(device=None):
            return 0
        nothing.__name__ = nothing.__qualname__ = name
        nothing.__doc__ = "0: there is no such device."
        return nothing
    return {name: function(name) for name in names}


def block(module):
    """A class whose instances are blocks of code without an effect when they get no device, in PyTorch's way: device(None)."""
    class device:
        """`with device(None):` changes nothing; with a device it is an error to enter, since there is none."""

        def __init__(self, device):
            self.idx, self.prev_idx = -1 if device is None else device, -1

        def __enter__(self):
            if self.idx != -1:
                module["current_device"]()

        def __exit__(self, *error):
            return False
    return device


def nothing_counted(device=None):
    """No statistics: there is no such device."""
    return collections.OrderedDict()
