# SPDX-License-Identifier: BSD-3-Clause
"""Functions of neural networks: the rows of the table that live here, and tensor functions that
PyTorch offers under both names."""
from .._C import _submodules, relu, sigmoid, tanh

globals().update({name: value for name, value in vars(_submodules["nn.functional"]).items() if name[0] != "_"})
__all__ = ["gelu", "relu", "sigmoid", "tanh"]
