# SPDX-License-Identifier: BSD-3-Clause
"""torch.cpu: the interface of device modules for the CPU, so that scripts can treat all devices alike.

Calls on the CPU are complete when they return.
"""
import contextlib

from . import _C

__all__ = ["Event", "Stream", "StreamContext", "current_device", "current_stream", "device_count", "get_capabilities",
           "is_available", "is_initialized", "set_device", "stream", "synchronize"]


class Stream:
    """A stream of the CPU; since calls are synchronous, it is always idle."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        """Does nothing: all work is complete."""

    def record_event(self):
        """Returns an Event."""

    def wait_event(self, event):
        """Does nothing: all work is complete."""


class Event:
    """An event of a CPU stream, which is always complete."""

    def query(self):
        """Returns True: all work is complete."""
        return True

    def record(self, stream=None):
        """Does nothing: all work is complete."""

    def synchronize(self):
        """Does nothing: all work is complete."""

    def wait(self, stream=None):
        """Does nothing: all work is complete."""


StreamContext = contextlib.nullcontext
_default = Stream()


def is_available():
    """Returns True."""
    return True


def is_initialized():
    """Returns True."""
    return True


def device_count():
    """Returns 1."""
    return 1


def current_device():
    """Returns "cpu"."""
    return "cpu"


def set_device(device):
    """Does nothing: there is only one CPU device."""


def synchronize(device=None):
    """Does nothing: work is complete when a call returns."""


def current_stream(device=None):
    """Returns the current stream."""
    return _default


def stream(stream):
    """Context manager that makes `stream` the current stream."""
    return contextlib.nullcontext()


def get_capabilities():
    """Returns the instruction sets of the CPU that Corten uses."""
    return {"architecture": __import__("platform").machine(), "isa": _C._isa()}


from .amp._devices import of_device  # noqa: E402

amp = of_device("cpu")
