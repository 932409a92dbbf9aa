# SPDX-License-Identifier: BSD-3-Clause
"""torch.masked: reductions and normalizations of the elements that a mask marks.

Masked-out elements count as the neutral element of the operation: 0 in a sum, 1 in a product, -inf in a maximum. Results have
the dtype of the input, or `dtype`, as in PyTorch.
"""
from .. import _C
from ..linalg import vector_norm
from ..nn import functional as F
from .maskedtensor import MaskedTensor, is_masked_tensor

__all__ = ["MaskedTensor", "amax", "amin", "argmax", "argmin", "as_masked_tensor", "cumprod", "cumsum", "is_masked_tensor",
           "log_softmax", "logaddexp", "logsumexp", "masked_tensor", "mean", "median", "norm", "normalize", "prod", "softmax",
           "softmin", "std", "sum", "var"]

_INF = float("inf")


def _dims(input, dim):
    """Return the dims to reduce, counted from 0, in order."""
    if dim is None or dim == ():
        return tuple(range(input.dim()))
    n, found = max(input.dim(), 1), []
    for d in (dim,) if isinstance(dim, int) else dim:
        if d in found:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        if not -n <= d < n:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {d})")
        found.append(d)
    return tuple(sorted(d % n for d in found))


def _is_float(dtype):
    return dtype.is_floating_point or dtype.is_complex


def _marks(input, mask):
    """Return the mask as bools in the shape of the input."""
    if mask.shape != input.shape:
        if mask.dim() > input.dim():
            raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
        mask = _C.broadcast_to(mask, input.shape)
    return mask.to(_C.bool)


def _filled(input, mask, value):
    """Replace the masked-out elements of the input with a value."""
    if not isinstance(input, _C.Tensor):
        raise TypeError(f"input type must be a Tensor, got {type(input)}")
    if mask is None:
        return input
    marks = _marks(input, mask)
    if marks.layout != _C.strided:
        marks = marks.to_dense()
    return _C.where(marks, input, _C.full((), value, dtype=input.dtype, device=input.device))


def _edge(input, least, name, mask):
    """Return the smallest or largest number of the input's dtype: the neutral element of a maximum or minimum."""
    if mask is None or _is_float(input.dtype):
        return -_INF if least else _INF
    if not (input.dtype.is_signed or input.dtype == _C.uint8) or input.dtype == _C.bool:
        raise NotImplementedError(f"identity of {name} on {input.dtype} input")
    info = _C.iinfo(input.dtype)
    return info.min if least else info.max


def _sum_dtype(input, dtype):
    """Return the dtype of a sum: int64 for bool and small integers."""
    small = not _is_float(input.dtype) and input.dtype != _C.int64
    return dtype or (_C.int64 if small else input.dtype)


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Sum the elements where the mask is True; 0 if there are none.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's, int64 for bool and integers
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> x = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
        >>> mask = torch.tensor([[True, False, True], [False, False, False]])
        >>> torch.masked.sum(x, 1, mask=mask)
        tensor([4., 0.])
    """
    return _filled(input, mask, 0).sum(_dims(input, dim), keepdim=bool(keepdim), dtype=_sum_dtype(input, dtype))


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Multiply the elements where the mask is True; 1 if there are none.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's, int64 for bool and integers
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.prod(torch.tensor([2., 3., 5.]), mask=torch.tensor([True, False, True]))
        tensor(10.)
    """
    dims, result = _dims(input, dim), _filled(input, mask, 1).to(_sum_dtype(input, dtype))
    for d in reversed(dims):
        result = result.prod(d, keepdim=bool(keepdim))
    return result


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the maximum of the elements where the mask is True; -inf (an integer dtype's minimum) if there are none.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.amax(torch.tensor([2., 9., 5.]), mask=torch.tensor([True, False, True]))
        tensor(5.)
    """
    kept = _filled(input, mask, _edge(input, True, "amax", mask))
    return kept.amax(_dims(input, dim), keepdim=bool(keepdim)).to(dtype or input.dtype)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the minimum of the elements where the mask is True; inf (an integer dtype's maximum) if there are none.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.amin(torch.tensor([2., 1., 5.]), mask=torch.tensor([True, False, True]))
        tensor(2.)
    """
    kept = _filled(input, mask, _edge(input, False, "amin", mask))
    return kept.amin(_dims(input, dim), keepdim=bool(keepdim)).to(dtype or input.dtype)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the index of the maximum among the elements where the mask is True.

    As in PyTorch the index has the dtype of the input, unless dtype says otherwise.

    Args:
        input: the tensor.
        dim: the dim to reduce. Default: None, for the flattened tensor
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.argmax(torch.tensor([2., 9., 5.]), mask=torch.tensor([True, False, True]))
        tensor(2.)
    """
    return _filled(input, mask, _edge(input, True, "argmax", mask)).argmax(dim, keepdim=bool(keepdim)).to(dtype or input.dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the index of the minimum among the elements where the mask is True.

    As in PyTorch the index has the dtype of the input, unless dtype says otherwise.

    Args:
        input: the tensor.
        dim: the dim to reduce. Default: None, for the flattened tensor
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.argmin(torch.tensor([2., 9., 5.]), mask=torch.tensor([True, False, True]))
        tensor(0.)
    """
    return _filled(input, mask, _edge(input, False, "argmin", mask)).argmin(dim, keepdim=bool(keepdim)).to(dtype or input.dtype)


def _count(input, dim, keepdim, mask):
    marks = _C.ones(input.shape, dtype=_C.int64, device=input.device) if mask is None else _marks(input, mask)
    return marks.sum(_dims(input, dim), keepdim=bool(keepdim))


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the mean of the elements where the mask is True; NaN if there are none.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's; it must be floating-point or complex
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.mean(torch.tensor([2., 9., 4.]), mask=torch.tensor([True, False, True]))
        tensor(3.)
    """
    kind = dtype or input.dtype
    if not _is_float(kind):
        source = "Input" if dtype is None else "Optional"
        raise ValueError(f"mean(): Could not infer output dtype. {source} dtype must be either a floating point or complex dtype. "
                         f"Got: {kind}")
    return sum(input, dim, keepdim=keepdim, dtype=kind, mask=mask) / _count(input, dim, keepdim, mask)


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """Return the variance of the elements where the mask is True.

    With n such elements it is sum((x - mean)^2) / max(n - correction, 0): NaN for n = correction.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        unbiased: True is correction=1, False is correction=0. Default: None
        correction: subtracted from the number of elements in the divisor. Default: None, for 1
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's, float32 for integers
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.var(torch.tensor([2., 9., 4.]), mask=torch.tensor([True, False, True]))
        tensor(2.)
    """
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    less = correction if correction is not None else 0 if unbiased is False else 1
    dtype = dtype or (input.dtype if _is_float(input.dtype) else _C.float32)
    compute = dtype if _is_float(dtype) else _C.float32
    count = _count(input, dim, True, mask)
    far = input - sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / count
    total = sum(far * far.conj(), dim, keepdim=keepdim, dtype=compute, mask=mask)
    count = count.reshape(total.shape)
    if less:
        count = (count.to(compute.to_real()) - less).clamp(min=0)
    return (total / count).to(dtype)


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """Return the standard deviation of the elements where the mask is True: the square root of masked.var.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        unbiased: True is correction=1, False is correction=0. Default: None
        correction: what to subtract from the number of elements in the divisor. Default: None, for 1
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's, float32 for integers
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.std(torch.tensor([2., 9., 8.]), unbiased=False, mask=torch.tensor([True, False, True]))
        tensor(3.)
    """
    dtype = dtype or (input.dtype if _is_float(input.dtype) else _C.float32)
    inner = dtype if _is_float(dtype) else _C.float32
    return var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=inner, mask=mask).sqrt().to(dtype)


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return the vector norm (sum of |x|^ord)^(1/ord) of the elements where the mask is True.

    Args:
        input: the tensor.
        ord: the exponent; inf gives the largest |x|, -inf the smallest, 0 the number of nonzero ones. Default: 2.0
        dim: the dim or dims to reduce. Default: None, for all
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.norm(torch.tensor([3., 9., 4.]), mask=torch.tensor([True, False, True]))
        tensor(5.)
    """
    neutral = _INF if ord == -_INF else 0
    if neutral and mask is not None and not input.dtype.is_floating_point:
        raise AssertionError(f"input must be floating point, got {input.dtype}")
    return vector_norm(_filled(input, mask, neutral), ord, _dims(input, dim), keepdim=bool(keepdim), dtype=dtype or input.dtype)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """Return the median of the elements where the mask is True: the lower one of two in the middle.

    Args:
        input: the tensor.
        dim: the dim to reduce. Default: -1
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

    Without an element the result is NaN; integers have no NaN, so then it raises ValueError.

        >>> torch.masked.median(torch.tensor([7., 1., 9., 8.]), mask=torch.tensor([True, False, True, True]))
        tensor(8.)
    """
    dim, whole = _dims(input, dim)[0], not input.dtype.is_floating_point
    result = _filled(input.to(_C.float32) if whole else input, mask, float("nan")).nanmedian(dim, keepdim).values
    if whole and result.isnan().any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return result.to(dtype or input.dtype) if whole else result


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Return log(sum(exp(x))) over the elements where the mask is True, without overflow; -inf if there are none.

    Args:
        input: the tensor.
        dim: the dim or dims to reduce. Default: None, for all
        keepdim: whether reduced dims stay, with size 1. Default: False
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.logsumexp(torch.tensor([0., 9., 0.]), 0, mask=torch.tensor([True, False, True]))
        tensor(0.6931)
    """
    kept = _filled(input, mask, _edge(input, True, "logsumexp", mask))
    return kept.logsumexp(_dims(input, dim), keepdim=keepdim).to(dtype or input.dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """Return log(exp(input) + exp(other)) for each element, leaving out masked-out elements.

    Args:
        input, other: two tensors that broadcast.
        dtype: the dtype of the result. Default: None, for input's
        input_mask, other_mask: the mask of each; True marks elements that count. Default: None, for all

        >>> x = torch.zeros(2)
        >>> torch.masked.logaddexp(x, x, other_mask=torch.tensor([True, False]))
        tensor([0.6931, 0.0000])
    """
    left = _filled(input, input_mask, _edge(input, True, "logaddexp", input_mask))
    right = _filled(other, other_mask, _edge(other, True, "logaddexp", other_mask))
    return _C.logaddexp(left, right).to(dtype or input.dtype)


def cumsum(input, dim, *, dtype=None, mask=None):
    """Return running sums along a dim; masked-out elements add 0.

    Args:
        input: the tensor.
        dim: the dim along which to sum.
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.cumsum(torch.tensor([1., 2., 3.]), 0, mask=torch.tensor([True, False, True]))
        tensor([1., 1., 4.])
    """
    dim, dtype = _dims(input, dim)[0], dtype or input.dtype
    return _filled(input, mask, 0).cumsum(dim, dtype=dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    """Return running products along a dim; masked-out elements multiply by 1.

    Args:
        input: the tensor.
        dim: the dim along which to multiply.
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.cumprod(torch.tensor([2., 3., 4.]), 0, mask=torch.tensor([True, False, True]))
        tensor([2., 2., 8.])
    """
    dim, dtype = _dims(input, dim)[0], dtype or input.dtype
    return _filled(input, mask, 1).cumprod(dim, dtype=dtype)


def softmax(input, dim, *, dtype=None, mask=None):
    """Return exp(x) / sum(exp(x)) along a dim; masked-out elements get 0.

    Args:
        input: the tensor.
        dim: the dim along which the results sum to 1.
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

    A row without marked elements is NaN.

        >>> torch.masked.softmax(torch.tensor([0., 9., 0.]), 0, mask=torch.tensor([True, False, True]))
        tensor([0.5000, 0.0000, 0.5000])
    """
    dim = _dims(input, dim)[0]
    return F.softmax(_filled(input, mask, _edge(input, True, "amax", mask)), dim, dtype=dtype or input.dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    """Return x - log(sum(exp(x))) along a dim; masked-out elements get -inf.

    Args:
        input: the tensor.
        dim: the dim along which exp of the results sums to 1.
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.log_softmax(torch.tensor([0., 9., 0.]), 0, mask=torch.tensor([True, False, True]))
        tensor([-0.6931,    -inf, -0.6931])
    """
    dim = _dims(input, dim)[0]
    return F.log_softmax(_filled(input, mask, _edge(input, True, "amax", mask)), dim, dtype=dtype or input.dtype)


def softmin(input, dim, *, dtype=None, mask=None):
    """Return exp(-x) / sum(exp(-x)) along a dim: large where x is small. Masked-out elements get 0.

    Args:
        input: the tensor.
        dim: the dim along which the results sum to 1.
        dtype: the dtype of the result. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.softmin(torch.tensor([0., -9., 0.]), 0, mask=torch.tensor([True, False, True]))
        tensor([0.5000, 0.0000, 0.5000])
    """
    dim = _dims(input, dim)[0]
    return F.softmin(_filled(input, mask, _edge(input, False, "amin", mask)), dim, dtype=dtype or input.dtype)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """Divide the elements by their norm along a dim: x / max(norm(x), eps). Masked-out elements get 0.

    Args:
        input: the tensor.
        ord: the exponent of the norm; see norm.
        dim: the dim along which to normalize.
        eps: the smallest divisor. Default: 1e-12
        dtype: the dtype of the norm. Default: None, for input's
        mask: a bool tensor that broadcasts to input; True marks elements that count. Default: None, for all

        >>> torch.masked.normalize(torch.tensor([3., 9., 4.]), 2.0, 0, mask=torch.tensor([True, False, True]))
        tensor([0.6000, 0.0000, 0.8000])
    """
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / _C.maximum(size, size.new_full([], eps))


def masked_tensor(data, mask, requires_grad=False):
    """Create a MaskedTensor from a copy of the data; a leaf of the graph.

    Args:
        data: the tensor.
        mask: a bool tensor of the same shape; True marks elements that count.
        requires_grad: whether to record operations on it. Default: False

        >>> x = torch.masked.masked_tensor(torch.tensor([1., 2., 3.]), torch.tensor([True, False, True]))
        >>> x.sum()
        MaskedTensor(  4.0000, True)
    """
    return MaskedTensor(data.detach().clone() if isinstance(data, _C.Tensor) else data, mask, requires_grad)


def as_masked_tensor(data, mask):
    """Create a MaskedTensor from the data itself, with its history.

    Args:
        data: the tensor.
        mask: a bool tensor of the same shape; True marks elements that count.
    """
    return MaskedTensor(data, mask)
