# SPDX-License-Identifier: BSD-3-Clause
"""torch.functional: functions whose arguments are processed in Python before C code does the work."""
from . import _C, _VF
from ._C import (atleast_1d, atleast_2d, atleast_3d, block_diag, cartesian_prod, cdist, istft, norm, split, stft, unique,  # noqa: F401
                 unique_consecutive, unravel_index)
from ._dispatch import dispatched

_rows = _C._submodules["functional"]
__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors", "cartesian_prod", "cdist",
           "chain_matmul", "einsum", "istft", "lu", "meshgrid", "norm", "pca_lowrank", "split", "stft", "svd_lowrank", "tensordot",
           "unique", "unique_consecutive", "unravel_index"]


def broadcast_shapes(*shapes):
    """The shape that all shapes broadcast to.

        >>> torch.broadcast_shapes((3, 1), (4,))
        torch.Size([3, 4])
    """
    shapes = [(s,) if isinstance(s, int) else s for s in shapes]
    result = [1] * max(map(len, shapes), default=0)
    for index, shape in enumerate(shapes):
        for dim in range(-1, -1 - len(shape), -1):
            size = shape[dim]
            if size < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if size == 1 or size == result[dim]:
                continue
            if result[dim] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {size} at {dim}! Mismatching argument at index "
                    f"{index} had {shape}; but expected shape should be broadcastable to {result}")
            result[dim] = size
    return _C.Size(result)


def meshgrid(*tensors, indexing=None):
    """Coordinate tensors of a grid, from one tensor per dim.

    Written in Python because libraries inspect its keywords.

        >>> torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")[1]
        tensor([[0, 1, 2],
                [0, 1, 2]])
    """
    return _C.meshgrid(*tensors) if indexing is None else _C.meshgrid(*tensors, indexing=indexing)


@dispatched
def broadcast_tensors(*tensors):
    """Expands tensors to a common shape, as views.

        >>> [t.shape for t in torch.broadcast_tensors(torch.ones(3, 1), torch.ones(4))]
        [torch.Size([3, 4]), torch.Size([3, 4])]
    """
    return _VF.broadcast_tensors(tensors)


@dispatched
def einsum(*args):
    """einsum(equation, *operands): sums of products in Einstein notation.

    Also einsum(operand, subscripts, operand, subscripts, ..., [subscripts of the result]), where subscripts are lists of ints below
    52 and `...`.

        >>> torch.einsum('ij,jk->ik', torch.ones(2, 3), torch.eye(3))
        tensor([[1., 1., 1.],
                [1., 1., 1.]])
    """
    if len(args) < 2:
        raise ValueError("einsum(): must specify the equation string and at least one operand, "
                         "or at least one operand and its subscripts list")
    equation, operands = args[0], args[1:]
    if isinstance(equation, _C.Tensor):
        equation = ",".join(map(_letters, args[1::2]))
        operands = args[::2]
        if len(args) % 2:
            equation += "->" + _letters(args[-1])
            operands = args[:-1:2]
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):  # deprecated form: all operands in one list
        return einsum(equation, *operands[0])
    return _VF.einsum(equation, operands)


def _letters(subscripts):
    """Converts a list of subscripts to letters."""
    text = ""
    for n in subscripts:
        if n != Ellipsis and not 0 <= n < 52:
            raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
        text += "..." if n == Ellipsis else chr(ord("A") + n if n < 26 else ord("a") + n - 26)
    return text


@dispatched
def tensordot(a, b, dims=2, out=None):
    """Sum the products of two tensors over several dims.

    Args:
        a, b: the tensors.
        dims: an int n (the last n dims of a and the first n of b), or two lists with the dims of a and of b. Default: 2
        out: a tensor to write the result into. Default: None

        >>> torch.tensordot(torch.ones(2, 3), torch.arange(3.), dims=1)
        tensor([3., 3.])
    """
    if not isinstance(dims, (tuple, list, _C.Tensor, int)):
        raise RuntimeError("tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] "
                           f"containing two lists, but got dims={dims}")
    if isinstance(dims, _C.Tensor) and dims.numel() > 1:
        if len(dims) != 2:
            raise AssertionError(f"dims tensor must have size 2 in first dimension, got {len(dims)}")
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        dims_a, dims_b = dims
    else:
        count = int(dims)
        if count < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={count}")
        if isinstance(dims, int) and count > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(-count, 0)), list(range(count))
    return _VF.tensordot(a, b, dims_a, dims_b, out=out)


@dispatched
def chain_matmul(*matrices, out=None):
    """Returns the product of matrices, multiplied in the order that needs the fewest operations.

    Deprecated: use linalg.multi_dot, which takes a list.

    Args:
        matrices: two or more matrices.
        out: a tensor to write the result into. Default: None

        >>> torch.linalg.multi_dot([torch.ones(1, 2), torch.ones(2, 3), torch.ones(3, 1)])
        tensor([[6.]])
    """
    return _VF.chain_matmul(matrices, out=out)


@dispatched
def lu(A, pivot=True, get_infos=False, out=None):
    """Return the LU factorization of matrices in packed form, and the pivots. Deprecated: use linalg.lu_factor.

    Args:
        A: matrices, of shape (..., m, n).
        pivot: whether rows are swapped; False works only on CUDA devices. Default: True
        get_infos: whether to return a third tensor: 0, or the index of a zero pivot, for each matrix. Default: False
        out: tensors to write the results into. Default: None
    """
    result = _rows.lu(A, pivot, get_infos)
    if out is None:
        return result
    if len(out) != len(result):
        raise TypeError(f"expected tuple of {len(result)} elements but got {len(out)}")
    if not isinstance(out, (tuple, list)):
        raise TypeError(f"argument 'out' must be tuple of Tensors, not {type(out).__name__}")
    for given, found in zip(out, result):
        given.resize_as_(found).copy_(found)
    return out


@dispatched
def svd_lowrank(A, q=6, niter=2, M=None):
    """Return an approximate singular value decomposition (U, S, V) of rank q, with A close to U @ diag(S) @ V.mH.

    The method multiplies A by random vectors (Halko et al., 2009); it is much faster than linalg.svd if q is small.

    Args:
        A: matrices, of shape (..., m, n).
        q: the number of singular values, a little more than the expected rank. Default: 6
        niter: the number of power iterations, which make the result more accurate. Default: 2
        M: a matrix that is subtracted from A. Default: None
    """
    return tuple(_rows.svd_lowrank(A, q, niter, M))


@dispatched
def pca_lowrank(A, q=None, center=True, niter=2):
    """Return the principal components of the columns of A as (U, S, V): svd_lowrank after the means are subtracted.

    Args:
        A: matrices, of shape (..., m, n): m observations of n variables.
        q: the number of components; None: min(6, m, n). Default: None
        center: whether to subtract the means of the columns. Default: True
        niter: the number of power iterations. Default: 2
    """
    return tuple(_rows.pca_lowrank(A, q, center, niter))


class _HistogramDD(tuple):
    """torch.return_types.histogramdd"""
    hist = property(lambda self: self[0], doc="The number of points, or their weight, in each bin.")
    bin_edges = property(lambda self: self[1], doc="The edges of the bins, a tensor for each dim.")

    def __repr__(self):
        return f"torch.return_types.histogramdd(\nhist={self[0]!r},\nbin_edges={self[1]!r})"


_HistogramDD.__name__ = _HistogramDD.__qualname__ = "histogramdd"
_HistogramDD.__module__ = "torch.return_types"


@dispatched
def histogramdd(input, bins, range=None, weight=None, density=False):
    """Return the histogram of points in several dims, as a tuple (hist, bin_edges).

    Args:
        input: the points, of shape (..., dims).
        bins: for each dim, the number of bins or a 1-d tensor of edges; one int counts for all dims.
        range: the lower and upper edge for each dim; None: the smallest and the largest coordinate. Default: None
        weight: the weight of each point. Default: None
        density: whether to divide by the total weight and the volume of the bins. Default: False

        >>> torch.histogramdd(torch.tensor([[0., 0.], [1., 1.]]), [2, 2]).hist
        tensor([[1., 0.],
                [0., 1.]])
    """
    if isinstance(bins, int):
        bins = [bins] * (input.shape[-1] if input.ndim else 0)
    if len(bins) and isinstance(bins[0], _C.Tensor):
        hist, *edges = _C._histogramdd_from_bins(input, bins, weight=weight, density=density)
    else:
        hist, *edges = _C._histogramdd_from_counts(input, bins, range=range, weight=weight, density=density)
    return _HistogramDD((hist, tuple(edges)))


# Functions in 2018, methods since.

@dispatched
def bernoulli_(input, *args, **kwargs):
    """Same as input.bernoulli_(...)."""
    return input.bernoulli_(*args, **kwargs)


@dispatched
def _assert_async(input, assert_msg="Expected Tensor with single nonzero value, but got zero"):
    """Raises RuntimeError if input is zero; on the CPU at once, on a GPU asynchronously."""
    if not input.is_nonzero():
        raise RuntimeError(assert_msg)


def normal_(input, *args, **kwargs):
    """Same as input.normal_(...)."""
    return input.normal_(*args, **kwargs)
