# SPDX-License-Identifier: BSD-3-Clause
"""All layers; each file contains one family."""
from . import (activation, adaptive, attention, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
               lazy, linear, loss, module, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling, utils)
from ._annotations import annotate
from .module import Module

_families = (activation, adaptive, attention, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
             linear, loss, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling)
activation.MultiheadAttention = attention.MultiheadAttention  # PyTorch defines it in this module
globals().update({name: getattr(family, name) for family in _families for name in family.__all__})
__all__ = ["Module", *(name for family in _families for name in family.__all__)]
annotate(globals())
__all__.append("LinearCrossEntropyOptions")


def __getattr__(name):
    if name == "LinearCrossEntropyOptions":  # a dataclass, whose module takes as long to import as all layers
        from .linear_cross_entropy_options import LinearCrossEntropyOptions
        return LinearCrossEntropyOptions
    raise AttributeError(f"module 'torch.nn.modules' has no attribute '{name}'")
