# SPDX-License-Identifier: BSD-3-Clause
"""The layers, a file for each family."""
from . import (activation, adaptive, attention, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
               lazy, linear, linear_cross_entropy_options, loss, module, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling, utils)
from ._annotations import annotate
from .module import Module

_families = (activation, adaptive, attention, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
             linear, linear_cross_entropy_options, loss, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling)
activation.MultiheadAttention = attention.MultiheadAttention  # where PyTorch has it
globals().update({name: getattr(family, name) for family in _families for name in family.__all__})
__all__ = ["Module", *(name for family in _families for name in family.__all__)]
annotate(globals())
