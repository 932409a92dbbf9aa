# SPDX-License-Identifier: BSD-3-Clause
"""torch.onnx.symbolic_helper: decorators for export functions, which are never called here."""

__all__ = ["parse_args", "quantized_args"]


def parse_args(*arg_descriptors):
    """Returns a decorator that leaves the function unchanged; in PyTorch, letters describe the types of its arguments."""
    if not all(isinstance(d, str) for d in arg_descriptors):
        raise AssertionError("A parse_args decorator takes a letter for each argument")
    return lambda function: function


def quantized_args(*arg_q_descriptors, scale=None, zero_point=None, quantize_output=True):
    """Returns a decorator that leaves the function unchanged; in PyTorch, tells which arguments may be quantized."""
    return lambda function: function
