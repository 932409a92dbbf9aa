# SPDX-License-Identifier: BSD-3-Clause
"""torch.masked: reductions over the elements that a mask marks. Those that it does not mark count as the neutral element."""
from . import _C
from .linalg import vector_norm
from .nn import functional as F

__all__ = ["amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median", "norm",
           "normalize", "prod", "softmax", "softmin", "std", "sum", "var"]


def _dims(input, dim):
    if dim is None or dim == ():
        return tuple(range(input.dim()))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def _filled(input, mask, value, dtype=None):
    """The tensor with a value where the mask is not set."""
    if not isinstance(input, _C.Tensor):
        raise TypeError(f"input type must be a Tensor, got {type(input)}")
    input = input if dtype is None else input.to(dtype)
    return input if mask is None else _C.where(mask.to(_C.bool), input, _C.full((), value, dtype=input.dtype, device=input.device))


def _edge(input, least):
    """The least or the greatest number of a type."""
    if input.dtype.is_floating_point:
        return float("-inf") if least else float("inf")
    info = _C.iinfo(input.dtype)
    return info.min if least else info.max


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The sum."""
    return _filled(input, mask, 0).sum(_dims(input, dim), keepdim=keepdim, dtype=dtype)


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The product."""
    result = _filled(input, mask, 1)
    if dtype is None and not (result.dtype.is_floating_point or result.dtype.is_complex):
        dtype = _C.int64
    for d in sorted((d % input.dim() for d in _dims(input, dim)), reverse=True):
        result = result.prod(d, keepdim=keepdim, dtype=dtype)
    return result


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The greatest."""
    return _filled(input, mask, _edge(input, True), dtype).amax(_dims(input, dim), keepdim=keepdim)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The least."""
    return _filled(input, mask, _edge(input, False), dtype).amin(_dims(input, dim), keepdim=keepdim)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the greatest is."""
    return _filled(input, mask, _edge(input, True), dtype).argmax(dim, keepdim=keepdim)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the least is."""
    return _filled(input, mask, _edge(input, False), dtype).argmin(dim, keepdim=keepdim)


def _count(input, dim, keepdim, mask):
    marks = _C.ones_like(input, dtype=_C.int64) if mask is None else mask.to(_C.int64).expand(input.shape)
    return marks.sum(_dims(input, dim), keepdim=keepdim)


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The mean of those that are marked; of none it is nan."""
    dtype = dtype or input.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f"Mean: The dtype of input tensor must be a float or complex, got {dtype}")
    return sum(input.to(dtype), dim, keepdim=keepdim, mask=mask) / _count(input, dim, keepdim, mask)


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The variance."""
    correction = (0 if unbiased is False else 1) if correction is None else correction
    if dtype is None:
        dtype = input.dtype if input.dtype.is_floating_point or input.dtype.is_complex else _C.get_default_dtype()
    input = input.to(dtype)
    count = _count(input, dim, True, mask)
    middle = sum(input, dim, keepdim=True, mask=mask) / count
    far = input - middle
    squares = sum(far * far.conj(), dim, keepdim=keepdim, mask=mask)
    count = (_count(input, dim, keepdim, mask) - correction).clamp(min=0)
    result = squares / count
    return result.real if result.is_complex() else result


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """Its square root."""
    return var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask).sqrt()


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The norm of vectors."""
    return vector_norm(_filled(input, mask, float("inf") if ord == float("-inf") else 0, dtype), ord, _dims(input, dim), keepdim=keepdim)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """The median, of those that are marked."""
    input = input if dtype is None else input.to(dtype)
    if mask is None:
        return input.median(dim, keepdim).values
    return _filled(input, mask, float("nan")).nanmedian(dim, keepdim).values


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The logarithm of the sum of exponentials."""
    return _filled(input, mask, float("-inf"), dtype).logsumexp(_dims(input, dim), keepdim=keepdim)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """The same of two."""
    low = float("-inf")
    return _C.logaddexp(_filled(input, input_mask, low, dtype), _filled(other, other_mask, low, dtype))


def cumsum(input, dim, *, dtype=None, mask=None):
    """Running sums."""
    return _filled(input, mask, 0, dtype).cumsum(dim)


def cumprod(input, dim, *, dtype=None, mask=None):
    """Running products."""
    return _filled(input, mask, 1, dtype).cumprod(dim)


def softmax(input, dim, *, dtype=None, mask=None):
    """Shares that sum to 1."""
    return _filled(input, mask, float("-inf"), dtype).softmax(dim)


def log_softmax(input, dim, *, dtype=None, mask=None):
    """Their logarithms."""
    return _filled(input, mask, float("-inf"), dtype).log_softmax(dim)


def softmin(input, dim, *, dtype=None, mask=None):
    """Shares that are greater for lesser numbers."""
    return (-_filled(input, mask, float("inf"), dtype)).softmax(dim)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """Divided by the norm."""
    return F.normalize(_filled(input, mask, 0, dtype), ord, dim, eps)
