# SPDX-License-Identifier: BSD-3-Clause
"""The Stateful protocol: objects whose state can be saved in a checkpoint."""
from typing import Protocol, runtime_checkable

__all__ = ["Stateful"]


@runtime_checkable
class Stateful(Protocol):
    """Protocol for objects with state_dict() and load_state_dict(state_dict), which isinstance() checks."""

    def state_dict(self):
        """Returns the state to save, a dict of tensors and other objects."""
        ...

    def load_state_dict(self, state_dict):
        """Restores a state that state_dict() returned."""
        ...
