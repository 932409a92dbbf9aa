# SPDX-License-Identifier: BSD-3-Clause
"""Modules of networks that are written to be quantized later. Until then, which in Corten is always, they compute as usual.

In PyTorch `prepare` puts observers into them and `convert` replaces them; both refuse here (quantization.py).
"""
from .. import _C
from ..nn import Identity, Module
from ..nn.functional import relu

__all__ = ["DeQuantStub", "FloatFunctional", "QuantStub", "QuantWrapper"]


class QuantStub(Module):
    """Marks where a converted network would quantize. Gives its input back."""

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        return x


class DeQuantStub(QuantStub):
    """Marks where a converted network would go back to floating-point numbers. Gives its input back."""


class QuantWrapper(Module):
    """A module between a QuantStub and a DeQuantStub."""

    def __init__(self, module):
        super().__init__()
        qconfig = getattr(module, "qconfig", None)
        self.quant, self.dequant, self.module = QuantStub(qconfig), DeQuantStub(qconfig), module
        self.train(module.training)

    def forward(self, X):
        return self.dequant(self.module(self.quant(X)))


class FloatFunctional(Module):
    """Functions as parts of a module, so that an observer can see their results: `self.skip = FloatFunctional()`, then
    `self.skip.add(x, y)`. `activation_post_process` is the observer's place, and the identity here."""

    def __init__(self):
        super().__init__()
        self.activation_post_process = Identity()

    def forward(self, x):
        raise RuntimeError("FloatFunctional is not intended to use the forward. Please use the corresponding operation")

    def add(self, x, y):
        """Return x + y, observed."""
        return self.activation_post_process(_C.add(x, y))

    def add_scalar(self, x, y):
        """Return x + y for a number y."""
        return _C.add(x, y)

    def mul(self, x, y):
        """Return x * y, observed."""
        return self.activation_post_process(_C.mul(x, y))

    def mul_scalar(self, x, y):
        """Return x * y for a number y."""
        return _C.mul(x, y)

    def cat(self, x, dim=0):
        """Concatenate tensors along dim, observed."""
        return self.activation_post_process(_C.cat(x, dim=dim))

    def add_relu(self, x, y):
        """Return relu(x + y), observed."""
        return self.activation_post_process(relu(_C.add(x, y)))

    def matmul(self, x, y):
        """Return x @ y, observed."""
        return self.activation_post_process(_C.matmul(x, y))
