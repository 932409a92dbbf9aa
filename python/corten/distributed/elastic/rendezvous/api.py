# SPDX-License-Identifier: BSD-3-Clause
"""How launchers on several machines find each other: errors, and what they find out."""
from dataclasses import dataclass

from ...._missing import missing_class

__all__ = ["RendezvousClosedError", "RendezvousConnectionError", "RendezvousError", "RendezvousGracefulExitError", "RendezvousHandler",
           "RendezvousInfo", "RendezvousParameters", "RendezvousStateError", "RendezvousStoreInfo", "RendezvousTimeoutError"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"


class RendezvousError(Exception):
    """Launchers could not agree."""


class RendezvousClosedError(RendezvousError):
    """They have agreed without this one."""


class RendezvousTimeoutError(RendezvousError):
    """Too few came in time."""


class RendezvousConnectionError(RendezvousError):
    """The store by which they meet cannot be reached."""


class RendezvousStateError(RendezvousError):
    """What the store holds makes no sense."""


class RendezvousGracefulExitError(RendezvousError):
    """This launcher is not needed."""


class RendezvousParameters:
    """Where and how launchers meet; other keywords are options, which get(), get_as_int() and get_as_bool() find."""

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
        """The value of an option."""
        return self.config.get(key, default)

    def get_as_int(self, key, default=None):
        """The value of an option that is a number."""
        value = self.get(key, default)
        try:
            return value if value is None else int(value)
        except ValueError:
            raise ValueError(f"The rendezvous configuration option '{key}' does not represent a valid integer value.") from None

    def get_as_bool(self, key, default=None):
        """The value of an option that is true or false: 1, t, y, true, yes, or their opposites."""
        value = self.get(key, default)
        if value is None or isinstance(value, bool):
            return value
        text = str(value).lower()
        if text not in ("1", "true", "t", "yes", "y", "0", "false", "f", "no", "n"):
            raise ValueError(f"The rendezvous configuration option '{key}' does not represent a valid boolean value.")
        return text in ("1", "true", "t", "yes", "y")


@dataclass
class RendezvousStoreInfo:
    """The address at which workers meet."""
    master_addr: str
    master_port: int


RendezvousHandler = missing_class("torch.distributed.elastic.rendezvous.RendezvousHandler", _INSTEAD)
RendezvousInfo = missing_class("torch.distributed.elastic.rendezvous.RendezvousInfo", _INSTEAD)
