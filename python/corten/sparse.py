# SPDX-License-Identifier: BSD-3-Clause
"""torch.sparse: functions on sparse tensors, legacy types, and the switch for invariant checks."""
import functools
import warnings

from . import _C, _compat
from ._C import _submodules
from ._missing import MissingFeature, missing_function

__all__ = ["addmm", "as_sparse_gradcheck", "check_sparse_tensor_invariants", "log_softmax", "mm", "sampled_addmm", "softmax",
           "spdiags", "spsolve", "sum"]
globals().update({name: getattr(_submodules["sparse"], name) for name in vars(_submodules["sparse"]) if name[0] != "_"})
dsmm = hsmm = spmm = mm  # noqa: F821
saddmm = addmm  # noqa: F821


class check_sparse_tensor_invariants:
    """Switches the checks that compressed indices are sorted and without duplicates; also a context manager and decorator.

    Corten always checks the range of indices when it creates a sparse tensor, because an index out of range would read foreign
    memory. The switch adds the checks that need a pass over the indices::

        with torch.sparse.check_sparse_tensor_invariants():
            x = torch.sparse_csr_tensor([0, 2], [1, 0], [1., 2.])  # raises: the columns are not sorted

        @torch.sparse.check_sparse_tensor_invariants(enable=False)
        def load(): ...
    """

    @staticmethod
    def is_enabled():
        """Returns whether the checks are on."""
        on = _C._check_sparse_order(False)
        _C._check_sparse_order(on)
        return on

    @staticmethod
    def enable():
        """Enables the checks."""
        _C._check_sparse_order(True)

    @staticmethod
    def disable():
        """Disables the checks."""
        _C._check_sparse_order(False)

    def __init__(self, enable=True):
        self.state, self.saved_state = enable, None

    def __enter__(self):
        if self.saved_state is not None:
            raise RuntimeError("This context manager instance is already activated. Use a different context manager "
                               "instance for context nesting.")
        self.saved_state = _C._check_sparse_order(self.state)

    def __exit__(self, *error):
        _C._check_sparse_order(self.saved_state)
        self.saved_state = None

    def __call__(self, function):
        @functools.wraps(function)
        def checked(*args, **kwargs):
            with type(self)(self.state):
                return function(*args, **kwargs)
        return checked


class _sparse_type(_compat.tensortype):
    """Metaclass of torch.sparse.FloatTensor and so on."""

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
        "__doc__": f"Deprecated: the type of sparse {_dtype} tensors. Use torch.sparse_coo_tensor.", "_device": "cpu", "_legacy_name": f"torch.sparse.{_name}"})


def spdiags(diagonals, offsets, shape, layout=None):
    """Creates a sparse matrix from diagonals: row i of `diagonals` becomes diagonal offsets[i], with diagonals[i, j] in column j.

    Positive offsets are above the main diagonal. As in PyTorch, the first elements of such a row fall outside the matrix.
    """
    diagonals = diagonals[None] if diagonals.dim() == 1 else diagonals
    offsets = offsets[None] if offsets.dim() == 0 else offsets
    layout = _C.sparse_coo if layout is None else layout
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    if offsets.shape[0] != diagonals.shape[0]:
        raise RuntimeError(f"Number of diagonals ({diagonals.shape[0]}) does not match the number of offsets "
                           f"({offsets.shape[0]})")
    if layout not in (_C.sparse_coo, _C.sparse_csr, _C.sparse_csc):
        words = {_C.strided: "Strided", _C.sparse_bsr: "SparseBsr", _C.sparse_bsc: "SparseBsc"}
        raise RuntimeError(f"Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got {words.get(layout, layout)}")
    if offsets.dtype != _C.int64:
        raise RuntimeError(f"Offset Tensor must have dtype Long but got {_compat_name(offsets.dtype)}")
    if offsets.unique().numel() != offsets.numel():
        raise RuntimeError("Offset tensor contains duplicate values")
    rows, columns = shape
    column = _C.arange(diagonals.shape[1], device=offsets.device).expand(diagonals.shape)
    row = column - offsets[:, None]
    there = (row >= 0) & (row < rows) & (column < columns)
    made = _C.sparse_coo_tensor(_C.stack([row[there], column[there]]), diagonals[there], shape)
    return made if layout == _C.sparse_coo else made.to_sparse(layout=layout)


def _compat_name(dtype):
    return _C.empty(0, dtype=dtype).type().removeprefix("torch.").removesuffix("Tensor")


spsolve = missing_function("torch.sparse.spsolve", "solve with torch.linalg.solve(A.to_dense(), b)")


def as_sparse_gradcheck(gradcheck):
    """Adapts gradcheck to functions of sparse tensors: it differentiates by their values, and converts results to dense.

        gradcheck = torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)
        gradcheck(lambda x: x.to_sparse_csr(), (x.to_sparse(),), masked=True)

    `masked=True` compares gradients only at specified elements. That is all that gradients of sparse tensors hold here, so
    sparse inputs support no other mode.
    """
    @functools.wraps(gradcheck)
    def checked(function, inputs, *, masked=None, **options):
        if masked is False and any(_is_sparse(x) for x in _listed(inputs)):
            raise MissingFeature("as_sparse_gradcheck(masked=False) of sparse inputs",
                                 "leave it out, or give dense inputs and make them sparse in the function")
        inputs = _listed(inputs)
        leaves = [_values(x) if _is_sparse(x) else x for x in inputs]

        def dense_function(*values):
            made = [_with_values(x, v) if _is_sparse(x) else v for x, v in zip(inputs, values)]
            out = function(*made)
            return tuple(_dense(o) for o in out) if isinstance(out, (tuple, list)) else _dense(out)
        return gradcheck(dense_function, tuple(leaves), **options)
    return checked


def _listed(inputs):
    return list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]


def _is_sparse(x):
    return isinstance(x, _C.Tensor) and x.layout != _C.strided


def _dense(x):
    return x.to_dense() if _is_sparse(x) else x


def _values(x):
    values = (x.coalesce() if x.layout == _C.sparse_coo else x).detach().values()
    return values.clone().requires_grad_(x.requires_grad)


def _with_values(x, values):
    x = x.detach()
    if x.layout == _C.sparse_coo:
        return _C.sparse_coo_tensor(x.coalesce().indices(), values, x.shape, is_coalesced=True)
    by_rows = x.layout in (_C.sparse_csr, _C.sparse_bsr)
    begins, plain = (x.crow_indices(), x.col_indices()) if by_rows else (x.ccol_indices(), x.row_indices())
    return _C.sparse_compressed_tensor(begins, plain, values, x.shape, layout=x.layout)
