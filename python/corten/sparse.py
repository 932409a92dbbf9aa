# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors: rows of the table, PyTorch's old classes, and its switch of checks, most of which are always on here."""
import warnings

from . import _C, _compat
from ._C import _submodules

__all__ = ["addmm", "check_sparse_tensor_invariants", "log_softmax", "mm", "softmax", "sum"]
globals().update({name: getattr(_submodules["sparse"], name) for name in vars(_submodules["sparse"]) if name[0] != "_"})
dsmm = hsmm = spmm = mm  # noqa: F821
saddmm = addmm  # noqa: F821


class check_sparse_tensor_invariants:
    """Indices are looked at whenever a sparse tensor is made, whatever this says; where it is on, compressed ones must be in order."""

    @staticmethod
    def is_enabled():
        on = _C._check_sparse_order(False)
        _C._check_sparse_order(on)
        return on

    @staticmethod
    def enable():
        _C._check_sparse_order(True)

    @staticmethod
    def disable():
        _C._check_sparse_order(False)

    def __init__(self, enable=True):
        self.state, self.saved = enable, None

    def __enter__(self):
        self.saved = _C._check_sparse_order(self.state)

    def __exit__(self, *error):
        _C._check_sparse_order(self.saved)


class _sparse_type(_compat.tensortype):
    """torch.sparse.FloatTensor and so on."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, _C.Tensor) and instance.is_sparse and instance.dtype == cls.dtype

    def __call__(cls, *args, device=None):
        options = {"dtype": cls.dtype, "device": device}
        if args and isinstance(args[0], _C.Tensor):
            warnings.warn("torch.sparse.SparseTensor(indices, values, shape, *, device=) is deprecated.  Please use "
                          "torch.sparse_coo_tensor(indices, values, shape, dtype=, device=).", UserWarning, stacklevel=2)
            return _C.sparse_coo_tensor(*args, **options)
        warnings.warn("torch.sparse.SparseTensor(shape, *, device=) is deprecated.  Please use "
                      "torch.sparse_coo_tensor(shape, dtype=, device=).", UserWarning, stacklevel=2)
        return _C.sparse_coo_tensor(args[0] if len(args) == 1 and not isinstance(args[0], int) else args or (0,), **options)


for _name, _dtype in _compat._TYPES.items():
    globals()[_name] = _sparse_type(_name, (), {
        "__module__": "torch.sparse", "dtype": _dtype, "is_cuda": False, "layout": _C.sparse_coo, "is_sparse": True,
        "__doc__": None, "_device": "cpu", "_legacy_name": f"torch.sparse.{_name}"})
