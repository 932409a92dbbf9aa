# SPDX-License-Identifier: BSD-3-Clause
"""Stateless, the base of layers without parameters: activations, pooling, padding and others."""
from .module import Module


class Stateless(Module):
    """Base of layers without parameters: keeps the arguments as attributes and prints those named in `_shown`."""

    _shown = ()

    def __init__(self, **arguments):
        super().__init__()
        self.__dict__.update(arguments)

    def extra_repr(self):
        """The arguments as printed."""
        return ", ".join(f"{name}={getattr(self, name)}" for name in self._shown)
