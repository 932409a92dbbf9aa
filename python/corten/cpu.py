# SPDX-License-Identifier: BSD-3-Clause
"""torch.cpu: the CPU as a device, so that scripts can treat all kinds alike. Its calls return when their work is done."""
import contextlib

from . import _C

__all__ = ["Event", "Stream", "StreamContext", "current_device", "current_stream", "device_count", "get_capabilities",
           "is_available", "is_initialized", "set_device", "stream", "synchronize"]


class Stream:
    """A queue of work, always empty."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        """Waits for another queue."""

    def record_event(self):
        """A mark in the queue."""

    def wait_event(self, event):
        """Waits for a mark."""


class Event:
    """A mark in a queue, always reached."""

    def query(self):
        """Whether the work before it is done."""
        return True

    def record(self, stream=None):
        """Sets it."""

    def synchronize(self):
        """Waits for it."""

    def wait(self, stream=None):
        """Makes a queue wait for it."""


StreamContext = contextlib.nullcontext
_default = Stream()


def is_available():
    """Whether there is a CPU."""
    return True


def is_initialized():
    """Whether the CPU is ready."""
    return True


def device_count():
    """How many CPUs there are: always one device."""
    return 1


def current_device():
    """The name of the device."""
    return "cpu"


def set_device(device):
    """Does nothing: there is only one CPU."""


def synchronize(device=None):
    """Does nothing: work is done when a call returns."""


def current_stream(device=None):
    """The queue of work in use."""
    return _default


def stream(stream):
    """A block with another queue."""
    return contextlib.nullcontext()


def get_capabilities():
    """The instruction set in use."""
    return {"architecture": __import__("platform").machine(), "isa": _C._isa()}


from .amp._devices import of_device  # noqa: E402

amp = of_device("cpu")
