# SPDX-License-Identifier: BSD-3-Clause
"""The layers, a file for each family."""
from . import (activation, adaptive, attention, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
               lazy, linear, loss, module, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling, utils)
from .module import Module

_families = (activation, adaptive, attention, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
             linear, loss, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling)
activation.MultiheadAttention = attention.MultiheadAttention  # where PyTorch has it
globals().update({name: getattr(family, name) for family in _families for name in family.__all__})
__all__ = ["Module", *(name for family in _families for name in family.__all__)]
