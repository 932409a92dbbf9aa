# SPDX-License-Identifier: BSD-3-Clause
"""Functions that PyTorch marks as its own by a leading underscore, and that libraries call all the same."""
from . import _C

__all__ = ["DeviceObjType", "ScriptObject", "_convert_indices_from_coo_to_csr", "_convert_indices_from_csr_to_coo", "_int_mm",
           "_reshape_from_tensor", "_segment_reduce", "_shape_as_tensor", "_softmax_backward_data", "legacy_contiguous_format",
           "per_channel_affine", "per_channel_affine_float_qparams", "per_channel_symmetric", "per_tensor_affine",
           "per_tensor_symmetric"]

legacy_contiguous_format = _C.contiguous_format
_segment_reduce = _C.segment_reduce


class DeviceObjType:
    """The type of devices, to PyTorch's script compiler."""


class ScriptObject:
    """An object of a class in C++ that PyTorch's script compiler knows: there are none."""

    def __init__(self):
        raise TypeError("torch.ScriptObject: No constructor defined!")


def _scheme(name):
    from ._symbols import qscheme
    scheme = object.__new__(type(name, (qscheme,), {"__repr__": lambda self: f"torch.{name}", "__module__": "torch"}))
    return scheme


per_tensor_affine, per_channel_affine, per_tensor_symmetric, per_channel_symmetric, per_channel_affine_float_qparams = map(_scheme, (
    "per_tensor_affine", "per_channel_affine", "per_tensor_symmetric", "per_channel_symmetric", "per_channel_affine_float_qparams"))


def _shape_as_tensor(self):
    """The sizes of a tensor as a tensor."""
    return _C.tensor(self.shape, dtype=_C.int64)


def _reshape_from_tensor(self, shape):
    """A tensor reshaped to sizes that are a tensor."""
    return self.reshape(shape.tolist())


def _int_mm(self, mat2):
    """The product of two matrices of int8, in int32."""
    if self.dtype != _C.int8 or mat2.dtype != _C.int8:
        raise RuntimeError(f"_int_mm: expected matrices of int8, but got {self.dtype} and {mat2.dtype}")
    return _C.mm(self.to(_C.int32), mat2.to(_C.int32))


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    """The gradient of softmax with respect to its input, of its result and the result's gradient."""
    product = grad_output * output
    return (product - output * product.sum(dim, keepdim=True)).to(input_dtype)


def _convert_indices_from_coo_to_csr(self, size, *, out_int32=False):
    """How many entries the rows before each row have, from the sorted row of each entry: size + 1 numbers."""
    kind = _C.int32 if out_int32 else _C.int64
    return _C.searchsorted(self, _C.arange(size + 1, dtype=self.dtype, device=self.device)).to(kind)


def _convert_indices_from_csr_to_coo(crow_indices, col_indices, *, out_int32=False, transpose=False):
    """The row and column of each entry, from the rows' beginnings and the columns; transpose: the column first."""
    kind = _C.int32 if out_int32 else _C.int64
    rows = _C.arange(crow_indices.numel() - 1, device=crow_indices.device).repeat_interleave(crow_indices.diff())
    pair = [rows.to(kind), col_indices.to(kind)]
    return _C.stack(pair[::-1] if transpose else pair)
