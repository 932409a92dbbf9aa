# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.stateful: objects with a state that can be saved."""
from typing import Protocol, runtime_checkable

__all__ = ["Stateful"]


@runtime_checkable
class Stateful(Protocol):
    """Anything with state_dict() and load_state_dict(state_dict): isinstance() looks for the two methods."""

    def state_dict(self):
        """What is to be saved: a dict of tensors and other objects."""
        ...

    def load_state_dict(self, state_dict):
        """Takes back what state_dict() gave."""
        ...
