# SPDX-License-Identifier: BSD-3-Clause
"""torch.onnx.symbolic_helper: decorators of functions that say how operations are exported. Nothing calls these functions."""

__all__ = ["parse_args", "quantized_args"]


def parse_args(*arg_descriptors):
    """A decorator: what kinds of arguments a function has, one letter each. The function stays as it is."""
    if not all(isinstance(d, str) for d in arg_descriptors):
        raise AssertionError("A parse_args decorator takes a letter for each argument")
    return lambda function: function


def quantized_args(*arg_q_descriptors, scale=None, zero_point=None, quantize_output=True):
    """A decorator: which arguments may be quantized, and what becomes of the result. The function stays as it is."""
    return lambda function: function
