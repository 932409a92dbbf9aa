# SPDX-License-Identifier: BSD-3-Clause
"""torch.ao.nn.quantized and torch.nn.quantized: Corten has FloatFunctional; the quantized layers raise MissingFeature."""
from ..._missing import missing_class
from .._stubs import FloatFunctional
from ..quantization import _INSTEAD

_LAYERS = """
BatchNorm2d BatchNorm3d Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d DeQuantize ELU Embedding EmbeddingBag
FXFloatFunctional GroupNorm Hardswish InstanceNorm1d InstanceNorm2d InstanceNorm3d LSTM LayerNorm LeakyReLU Linear
MultiheadAttention PReLU QFunctional Quantize ReLU6 Sigmoid Softmax"""

__all__ = ["FloatFunctional", *_LAYERS.split()]

for _name in _LAYERS.split():
    globals()[_name] = missing_class(f"torch.ao.nn.quantized.{_name}", _INSTEAD)
del _name
