# SPDX-License-Identifier: BSD-3-Clause
"""Stateless, the base class of layers without parameters, such as activations, pooling and padding."""
from .module import Module


class Stateless(Module):
    """Base of layers without parameters: stores the arguments as attributes and prints those named in `_shown`."""

    _shown = ()

    def __init__(self, **arguments):
        super().__init__()
        self.__dict__.update(arguments)

    def extra_repr(self):
        """Return the arguments as they are printed."""
        return ", ".join(f"{name}={getattr(self, name)}" for name in self._shown)
