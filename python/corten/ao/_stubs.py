# SPDX-License-Identifier: BSD-3-Clause
"""Modules for networks that are prepared for quantization. In Corten they always compute unquantized.

In PyTorch `prepare` inserts observers and `convert` replaces the modules; here both raise MissingFeature (quantization.py).
"""
from .. import _C
from ..nn import Identity, Module
from ..nn.functional import relu

__all__ = ["DeQuantStub", "FloatFunctional", "QuantStub", "QuantWrapper"]


class QuantStub(Module):
    """Marks where a converted network quantizes its input; an identity otherwise."""

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        """Returns x."""
        return x


class DeQuantStub(QuantStub):
    """Marks where a converted network returns to floating point; an identity otherwise."""


class QuantWrapper(Module):
    """Wraps a module in a QuantStub and a DeQuantStub."""

    def __init__(self, module):
        super().__init__()
        qconfig = getattr(module, "qconfig", None)
        self.quant, self.dequant, self.module = QuantStub(qconfig), DeQuantStub(qconfig), module
        self.train(module.training)

    def forward(self, X):
        """Calls the wrapped module between the two stubs."""
        return self.dequant(self.module(self.quant(X)))


class FloatFunctional(Module):
    """Functional operations as a module, so that an observer can see their results.

    Create it in the constructor (`self.skip = FloatFunctional()`) and call `self.skip.add(x, y)` in forward. The attribute
    `activation_post_process` is where PyTorch inserts an observer; here it is the identity.
    """

    def __init__(self):
        super().__init__()
        self.activation_post_process = Identity()

    def forward(self, x):
        """Raises RuntimeError: call a method such as add()."""
        raise RuntimeError("FloatFunctional is not intended to use the forward. Please use the corresponding operation")

    def add(self, x, y):
        """Returns x + y."""
        return self.activation_post_process(_C.add(x, y))

    def add_scalar(self, x, y):
        """Returns x + y for a number y."""
        return _C.add(x, y)

    def mul(self, x, y):
        """Returns x * y."""
        return self.activation_post_process(_C.mul(x, y))

    def mul_scalar(self, x, y):
        """Returns x * y for a number y."""
        return _C.mul(x, y)

    def cat(self, x, dim=0):
        """Concatenates tensors along dim."""
        return self.activation_post_process(_C.cat(x, dim=dim))

    def add_relu(self, x, y):
        """Returns relu(x + y)."""
        return self.activation_post_process(relu(_C.add(x, y)))

    def matmul(self, x, y):
        """Returns x @ y."""
        return self.activation_post_process(_C.matmul(x, y))
