# SPDX-License-Identifier: BSD-3-Clause
"""Functions with a leading underscore in PyTorch that libraries call nevertheless."""
from . import _C

__all__ = ["DeviceObjType", "ScriptObject", "_convert_indices_from_coo_to_csr", "_convert_indices_from_csr_to_coo", "_int_mm",
           "_reshape_from_tensor", "_segment_reduce", "_shape_as_tensor", "_softmax_backward_data", "legacy_contiguous_format",
           "per_channel_affine", "per_channel_affine_float_qparams", "per_channel_symmetric", "per_tensor_affine",
           "per_tensor_symmetric"]

legacy_contiguous_format = _C.contiguous_format
_segment_reduce = _C.segment_reduce


class DeviceObjType:
    """The TorchScript type of devices."""


class ScriptObject:
    """A TorchScript object of a C++ class; no object is an instance."""

    def __init__(self):
        raise TypeError("torch.ScriptObject: No constructor defined!")


def _scheme(name):
    from ._symbols import qscheme
    scheme = object.__new__(type(name, (qscheme,), {"__repr__": lambda self: f"torch.{name}", "__module__": "torch"}))
    return scheme


per_tensor_affine, per_channel_affine, per_tensor_symmetric, per_channel_symmetric, per_channel_affine_float_qparams = map(_scheme, (
    "per_tensor_affine", "per_channel_affine", "per_tensor_symmetric", "per_channel_symmetric", "per_channel_affine_float_qparams"))


def _shape_as_tensor(self):
    """Returns the shape of a tensor as a tensor."""
    return _C.tensor(self.shape, dtype=_C.int64)


def _reshape_from_tensor(self, shape):
    """Reshapes a tensor to the sizes in another tensor."""
    return self.reshape(shape.tolist())


def _int_mm(self, mat2):
    """Multiplies two int8 matrices; the result is int32."""
    if self.dtype != _C.int8 or mat2.dtype != _C.int8:
        raise RuntimeError(f"_int_mm: expected matrices of int8, but got {self.dtype} and {mat2.dtype}")
    return _C.mm(self.to(_C.int32), mat2.to(_C.int32))


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    """Gradient of softmax with respect to its input, from the output and the output's gradient."""
    product = grad_output * output
    return (product - output * product.sum(dim, keepdim=True)).to(input_dtype)


def _convert_indices_from_coo_to_csr(self, size, *, out_int32=False):
    """Compresses sorted row indices to row pointers: size + 1 offsets, where entry i counts the elements in rows before i."""
    kind = _C.int32 if out_int32 else _C.int64
    return _C.searchsorted(self, _C.arange(size + 1, dtype=self.dtype, device=self.device)).to(kind)


def _convert_indices_from_csr_to_coo(crow_indices, col_indices, *, out_int32=False, transpose=False):
    """Expands row pointers and column indices to (2, nnz) coordinates; `transpose` puts the columns first."""
    kind = _C.int32 if out_int32 else _C.int64
    rows = _C.arange(crow_indices.numel() - 1, device=crow_indices.device).repeat_interleave(crow_indices.diff())
    pair = [rows.to(kind), col_indices.to(kind)]
    return _C.stack(pair[::-1] if transpose else pair)
