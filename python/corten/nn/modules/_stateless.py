# SPDX-License-Identifier: BSD-3-Clause
"""The base of layers without parameters: activations, pools, paddings, losses and others."""
from .module import Module


class Stateless(Module):
    """Keeps its arguments as attributes, and prints those that `_shown` names."""

    _shown = ()

    def __init__(self, **arguments):
        super().__init__()
        self.__dict__.update(arguments)

    def extra_repr(self):
        return ", ".join(f"{name}={getattr(self, name)}" for name in self._shown)
