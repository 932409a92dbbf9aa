# SPDX-License-Identifier: BSD-3-Clause
"""torch.masked: reductions over the elements that a mask marks. Elements outside the mask count as the neutral element of the
reduction: 0 in a sum, 1 in a product, -inf in a maximum. The results have the type of the input, or `dtype`, as in PyTorch."""
from .. import _C
from ..linalg import vector_norm
from ..nn import functional as F
from .maskedtensor import MaskedTensor, is_masked_tensor

__all__ = ["MaskedTensor", "amax", "amin", "argmax", "argmin", "as_masked_tensor", "cumprod", "cumsum", "is_masked_tensor",
           "log_softmax", "logaddexp", "logsumexp", "masked_tensor", "mean", "median", "norm", "normalize", "prod", "softmax",
           "softmin", "std", "sum", "var"]

_INF = float("inf")


def _dims(input, dim):
    """The dims that are reduced, counted from 0, in order."""
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
    """The mask as truths in the shape of the input."""
    if mask.shape != input.shape:
        if mask.dim() > input.dim():
            raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
        mask = _C.broadcast_to(mask, input.shape)
    return mask.to(_C.bool)


def _filled(input, mask, value):
    """The input with a value in place of the elements outside the mask."""
    if not isinstance(input, _C.Tensor):
        raise TypeError(f"input type must be a Tensor, got {type(input)}")
    if mask is None:
        return input
    marks = _marks(input, mask)
    if marks.layout != _C.strided:
        marks = marks.to_dense()
    return _C.where(marks, input, _C.full((), value, dtype=input.dtype, device=input.device))


def _edge(input, least, name, mask):
    """The least or the greatest number of the input's type, which is the neutral element of a reduction."""
    if mask is None or _is_float(input.dtype):
        return -_INF if least else _INF
    if not (input.dtype.is_signed or input.dtype == _C.uint8) or input.dtype == _C.bool:
        raise NotImplementedError(f"identity of {name} on {input.dtype} input")
    info = _C.iinfo(input.dtype)
    return info.min if least else info.max


def _sum_dtype(input, dtype):
    """Small integers and truths are summed as int64."""
    small = not _is_float(input.dtype) and input.dtype != _C.int64
    return dtype or (_C.int64 if small else input.dtype)


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The sum."""
    return _filled(input, mask, 0).sum(_dims(input, dim), keepdim=bool(keepdim), dtype=_sum_dtype(input, dtype))


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The product."""
    dims, result = _dims(input, dim), _filled(input, mask, 1).to(_sum_dtype(input, dtype))
    for d in reversed(dims):
        result = result.prod(d, keepdim=bool(keepdim))
    return result


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The greatest."""
    kept = _filled(input, mask, _edge(input, True, "amax", mask))
    return kept.amax(_dims(input, dim), keepdim=bool(keepdim)).to(dtype or input.dtype)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The least."""
    kept = _filled(input, mask, _edge(input, False, "amin", mask))
    return kept.amin(_dims(input, dim), keepdim=bool(keepdim)).to(dtype or input.dtype)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the greatest is; a number of the input's type, as in PyTorch."""
    return _filled(input, mask, _edge(input, True, "argmax", mask)).argmax(dim, keepdim=bool(keepdim)).to(dtype or input.dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the least is; a number of the input's type, as in PyTorch."""
    return _filled(input, mask, _edge(input, False, "argmin", mask)).argmin(dim, keepdim=bool(keepdim)).to(dtype or input.dtype)


def _count(input, dim, keepdim, mask):
    marks = _C.ones(input.shape, dtype=_C.int64, device=input.device) if mask is None else _marks(input, mask)
    return marks.sum(_dims(input, dim), keepdim=bool(keepdim))


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The mean of those that are marked; of none it is nan."""
    kind = dtype or input.dtype
    if not _is_float(kind):
        source = "Input" if dtype is None else "Optional"
        raise ValueError(f"mean(): Could not infer output dtype. {source} dtype must be either a floating point or complex dtype. "
                         f"Got: {kind}")
    return sum(input, dim, keepdim=keepdim, dtype=kind, mask=mask) / _count(input, dim, keepdim, mask)


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The variance: the sum of squared distances from the mean, divided by the number of marked elements less `correction`."""
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
    """The square root of the variance."""
    dtype = dtype or (input.dtype if _is_float(input.dtype) else _C.float32)
    inner = dtype if _is_float(dtype) else _C.float32
    return var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=inner, mask=mask).sqrt().to(dtype)


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The norm of vectors."""
    neutral = _INF if ord == -_INF else 0
    if neutral and mask is not None and not input.dtype.is_floating_point:
        raise AssertionError(f"input must be floating point, got {input.dtype}")
    return vector_norm(_filled(input, mask, neutral), ord, _dims(input, dim), keepdim=bool(keepdim), dtype=dtype or input.dtype)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """The median of those that are marked; integers need one in every row, since they have no nan."""
    dim, whole = _dims(input, dim)[0], not input.dtype.is_floating_point
    result = _filled(input.to(_C.float32) if whole else input, mask, float("nan")).nanmedian(dim, keepdim).values
    if whole and result.isnan().any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return result.to(dtype or input.dtype) if whole else result


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The logarithm of the sum of exponentials."""
    kept = _filled(input, mask, _edge(input, True, "logsumexp", mask))
    return kept.logsumexp(_dims(input, dim), keepdim=keepdim).to(dtype or input.dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """The logarithm of the sum of two exponentials."""
    left = _filled(input, input_mask, _edge(input, True, "logaddexp", input_mask))
    right = _filled(other, other_mask, _edge(other, True, "logaddexp", other_mask))
    return _C.logaddexp(left, right).to(dtype or input.dtype)


def cumsum(input, dim, *, dtype=None, mask=None):
    """Running sums."""
    dim, dtype = _dims(input, dim)[0], dtype or input.dtype
    return _filled(input, mask, 0).cumsum(dim, dtype=dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    """Running products."""
    dim, dtype = _dims(input, dim)[0], dtype or input.dtype
    return _filled(input, mask, 1).cumprod(dim, dtype=dtype)


def softmax(input, dim, *, dtype=None, mask=None):
    """Shares that sum to 1."""
    dim = _dims(input, dim)[0]
    return F.softmax(_filled(input, mask, _edge(input, True, "amax", mask)), dim, dtype=dtype or input.dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    """The logarithms of shares that sum to 1."""
    dim = _dims(input, dim)[0]
    return F.log_softmax(_filled(input, mask, _edge(input, True, "amax", mask)), dim, dtype=dtype or input.dtype)


def softmin(input, dim, *, dtype=None, mask=None):
    """Shares that are greater for lesser numbers."""
    dim = _dims(input, dim)[0]
    return F.softmin(_filled(input, mask, _edge(input, False, "amin", mask)), dim, dtype=dtype or input.dtype)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """Divided by the norm, or by `eps` where that is greater."""
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / _C.maximum(size, size.new_full([], eps))


def masked_tensor(data, mask, requires_grad=False):
    """A MaskedTensor with a copy of the data; a leaf."""
    return MaskedTensor(data.detach().clone() if isinstance(data, _C.Tensor) else data, mask, requires_grad)


def as_masked_tensor(data, mask):
    """A MaskedTensor that has the data itself, with its history."""
    return MaskedTensor(data, mask)
