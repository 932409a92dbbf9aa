# SPDX-License-Identifier: BSD-3-Clause
"""Rendezvous of launchers: parameters and errors."""
from dataclasses import dataclass

from ...._missing import missing_class

__all__ = ["RendezvousClosedError", "RendezvousConnectionError", "RendezvousError", "RendezvousGracefulExitError", "RendezvousHandler",
           "RendezvousInfo", "RendezvousParameters", "RendezvousStateError", "RendezvousStoreInfo", "RendezvousTimeoutError"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"


class RendezvousError(Exception):
    """Base class of rendezvous errors."""


class RendezvousClosedError(RendezvousError):
    """The rendezvous closed before this launcher joined."""


class RendezvousTimeoutError(RendezvousError):
    """Too few launchers joined in time."""


class RendezvousConnectionError(RendezvousError):
    """The rendezvous store cannot be reached."""


class RendezvousStateError(RendezvousError):
    """The rendezvous store holds an invalid state."""


class RendezvousGracefulExitError(RendezvousError):
    """This launcher is not needed and should exit normally."""


class RendezvousParameters:
    """Parameters of a rendezvous. Extra keywords are options, read with get(), get_as_int() and get_as_bool()."""

    def __init__(self, backend, endpoint, run_id, min_nodes, max_nodes, local_addr=None, **kwargs):
        if not backend:
            raise ValueError("The rendezvous backend name must be a non-empty string.")
        if min_nodes < 1:
            raise ValueError(f"The minimum number of rendezvous nodes ({min_nodes}) must be greater than zero.")
        if max_nodes < min_nodes:
            raise ValueError(f"The maximum number of rendezvous nodes ({max_nodes}) must be greater than or equal to the minimum number "
                             f"of rendezvous nodes ({min_nodes}).")
        self.backend, self.endpoint, self.run_id, self.min_nodes, self.max_nodes = backend, endpoint, run_id, min_nodes, max_nodes
        self.config, self.local_addr = kwargs, local_addr

    def get(self, key, default=None):
        """Returns an option, or `default`."""
        return self.config.get(key, default)

    def get_as_int(self, key, default=None):
        """Returns an option as an int."""
        value = self.get(key, default)
        try:
            return value if value is None else int(value)
        except ValueError:
            raise ValueError(f"The rendezvous configuration option '{key}' does not represent a valid integer value.") from None

    def get_as_bool(self, key, default=None):
        """Returns an option as a bool: 1, t, true, y, yes, or their opposites."""
        value = self.get(key, default)
        if value is None or isinstance(value, bool):
            return value
        text = str(value).lower()
        if text not in ("1", "true", "t", "yes", "y", "0", "false", "f", "no", "n"):
            raise ValueError(f"The rendezvous configuration option '{key}' does not represent a valid boolean value.")
        return text in ("1", "true", "t", "yes", "y")


@dataclass
class RendezvousStoreInfo:
    """The address of the store for the workers."""
    master_addr: str
    master_port: int


RendezvousHandler = missing_class("torch.distributed.elastic.rendezvous.RendezvousHandler", _INSTEAD)
RendezvousInfo = missing_class("torch.distributed.elastic.rendezvous.RendezvousInfo", _INSTEAD)
