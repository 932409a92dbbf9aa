# SPDX-License-Identifier: BSD-3-Clause
"""The array API standard (version 2025.12) for Corten's tensors; `x.__array_namespace__()` returns this module.

Names, argument order and rules are the standard's where PyTorch differs: 0-d arrays take part in type promotion like others,
sums of unsigned integers are unsigned, `max` and `min` return arrays, and reductions over no axes return the array unchanged.
The functions call Corten's operations. The extensions `fft` and `linalg` are available.
"""
import builtins as _builtins
import collections as _collections

from . import _C, _array_api_fft as fft  # noqa: F401
from ._C import (Tensor as _Tensor, bool, complex64, complex128, float32, float64, int8, int16, int32, int64, uint8, uint16,
                 uint32, uint64)
from .functional import broadcast_shapes as _broadcast_shapes, tensordot as _tensordot

__array_api_version__ = "2025.12"
_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
e, inf, nan, newaxis, pi = 2.718281828459045, float("inf"), float("nan"), None, 3.141592653589793

_KINDS = {
    "bool": (bool,),
    "signed integer": (int8, int16, int32, int64),
    "unsigned integer": (uint8, uint16, uint32, uint64),
    "real floating": (_C.float16, _C.bfloat16, float32, float64),
    "complex floating": (complex64, complex128),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]
_NUMBERS = (_builtins.bool, int, float, complex)


# ---- data types ----

def _kind(dtype):
    return next(name for name, types in _KINDS.items() if dtype in types)


def isdtype(dtype, kind):
    """Returns whether a dtype is of a kind: a kind's name, a dtype, or a tuple of these."""
    if isinstance(kind, tuple):
        return _builtins.any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"unrecognized data type kind: {kind!r}")
        return dtype in _KINDS[kind]
    return dtype == kind


def _dtype_of(x):
    return x.dtype if isinstance(x, _Tensor) else x


def can_cast(from_, to, /):
    """Returns whether type promotion can convert one dtype (or an array's dtype) to another."""
    from_ = _dtype_of(from_)
    floating = ("real floating", "complex floating")
    kinds = _kind(from_), _kind(to)
    related = (from_ == to or _builtins.all(k in floating for k in kinds)
               or _builtins.all("integer" in k for k in kinds))
    return related and _C.promote_types(from_, to) == to


def _with_number(dtype, number):
    """Returns the dtype of an operation between an array of `dtype` and a Python number."""
    if isinstance(number, complex) and not dtype.is_complex:
        return complex128 if dtype == float64 else complex64
    if isinstance(number, float) and not (dtype.is_floating_point or dtype.is_complex):
        return _C.get_default_dtype()
    if isinstance(number, int) and not isinstance(number, _builtins.bool) and dtype == bool:
        return int64
    return dtype


def result_type(*arrays_and_dtypes):
    """Returns the dtype that results from promoting arrays, dtypes and Python numbers."""
    types = [_dtype_of(a) for a in arrays_and_dtypes if not isinstance(a, _NUMBERS)]
    if not types:
        raise ValueError("at least one array or dtype is required")
    found = types[0]
    for dtype in types[1:]:
        found = _C.promote_types(found, dtype)
    for number in arrays_and_dtypes:
        if isinstance(number, _NUMBERS):
            found = _with_number(found, number)
    return found


def astype(x, dtype, /, *, copy=True, device=None):
    """Converts an array to another dtype; copy=False avoids the copy if the dtype is the same."""
    return x.to(dtype=dtype, device=device or x.device, copy=copy)


_finfo = _collections.namedtuple("finfo_object", "bits eps max min smallest_normal dtype")
_iinfo = _collections.namedtuple("iinfo_object", "bits max min dtype")


def finfo(type, /):
    """Returns the limits of a floating-point dtype."""
    dtype = _dtype_of(type)
    info = _C.finfo(dtype)
    real = {complex64: float32, complex128: float64}.get(dtype, dtype)
    return _finfo(info.bits, info.eps, info.max, info.min, info.smallest_normal, real)


def iinfo(type, /):
    """Returns the limits of an integer dtype."""
    dtype = _dtype_of(type)
    info = _C.iinfo(dtype)
    return _iinfo(info.bits, info.max, info.min, dtype)


# ---- element-wise functions ----

def _pair(x1, x2):
    """Returns two operands, cast where PyTorch would ignore the dtype of a 0-d array."""
    if isinstance(x1, _Tensor) and isinstance(x2, _Tensor) and x1.dtype != x2.dtype:
        dtype = _C.promote_types(x1.dtype, x2.dtype)
        return x1.to(dtype), x2.to(dtype)
    return x1, x2


def _unary(name, doc, source=None):
    source = source or name

    def function(x, /):
        return getattr(_C, source)(x)

    return _named(function, name, doc)


def _binary(name, doc, source=None):
    source = source or name

    def function(x1, x2, /):
        x1, x2 = _pair(x1, x2)
        if isinstance(x1, _Tensor):
            return getattr(_C, source)(x1, _like_tensor(x2, x1) if source in _TENSORS_ONLY else x2)
        if isinstance(x2, _Tensor):  # most of PyTorch's functions require a tensor as first argument
            return getattr(_C, source)(_like_tensor(x1, x2), x2)
        raise TypeError(f"{name}: one operand has to be an array")

    return _named(function, name, doc)


def _like_tensor(x, other):
    """Converts a number to a 0-d array of the dtype it has in an operation with `other`."""
    return x if isinstance(x, _Tensor) else _C.tensor(x, dtype=_with_number(other.dtype, x), device=other.device)


def _named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


# Functions whose second operand must be a tensor in PyTorch.
_TENSORS_ONLY = {"atan2", "hypot", "logaddexp", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "nextafter"}

abs = _unary("abs", "The magnitude of each element.")
acos = _unary("acos", "The angle with that cosine.")
acosh = _unary("acosh", "The inverse of cosh.")
asin = _unary("asin", "The angle with that sine.")
asinh = _unary("asinh", "The inverse of sinh.")
atan = _unary("atan", "The angle with that tangent.")
atanh = _unary("atanh", "The inverse of tanh.")
bitwise_invert = _unary("bitwise_invert", "Each bit inverted.", "bitwise_not")
ceil = _unary("ceil", "The next integer upwards.")
cos = _unary("cos", "The cosine.")
cosh = _unary("cosh", "The hyperbolic cosine.")
exp = _unary("exp", "The exponential function.")
floor = _unary("floor", "The next integer downwards.")
imag = _unary("imag", "The imaginary parts.")
isfinite = _unary("isfinite", "Whether elements are numbers and finite.")
isinf = _unary("isinf", "Whether elements are infinite.")
isnan = _unary("isnan", "Whether elements are not a number.")
log = _unary("log", "The natural logarithm.")
log10 = _unary("log10", "The logarithm to base 10.")
log1p = _unary("log1p", "log(1 + x), exact near 0.")
log2 = _unary("log2", "The logarithm to base 2.")
logical_not = _unary("logical_not", "Whether elements are false.")
negative = _unary("negative", "The elements with the other sign.", "neg")
positive = _unary("positive", "The elements as they are.", "clone")
real = _unary("real", "The real parts.")
reciprocal = _unary("reciprocal", "1 / x.")
signbit = _unary("signbit", "Whether the sign is set, also of zeros.")
sin = _unary("sin", "The sine.")
sinh = _unary("sinh", "The hyperbolic sine.")
sqrt = _unary("sqrt", "The square root.")
square = _unary("square", "x * x.")
tan = _unary("tan", "The tangent.")
tanh = _unary("tanh", "The hyperbolic tangent.")
trunc = _unary("trunc", "The integer towards 0.")

add = _binary("add", "x1 + x2.")
atan2 = _binary("atan2", "The angle of the point (x2, x1).")
bitwise_and = _binary("bitwise_and", "x1 & x2.")
bitwise_left_shift = _binary("bitwise_left_shift", "x1 << x2.")
bitwise_or = _binary("bitwise_or", "x1 | x2.")
bitwise_right_shift = _binary("bitwise_right_shift", "x1 >> x2.")
bitwise_xor = _binary("bitwise_xor", "x1 ^ x2.")
copysign = _binary("copysign", "x1 with the sign of x2.")
divide = _binary("divide", "x1 / x2.", "div")
equal = _binary("equal", "x1 == x2.", "eq")
floor_divide = _binary("floor_divide", "x1 // x2.")
greater = _binary("greater", "x1 > x2.", "gt")
greater_equal = _binary("greater_equal", "x1 >= x2.", "ge")
hypot = _binary("hypot", "The root of the sum of squares.")
less = _binary("less", "x1 < x2.", "lt")
less_equal = _binary("less_equal", "x1 <= x2.", "le")
logaddexp = _binary("logaddexp", "log(exp(x1) + exp(x2)).")
logical_and = _binary("logical_and", "x1 and x2.")
logical_or = _binary("logical_or", "x1 or x2.")
logical_xor = _binary("logical_xor", "Either x1 or x2.")
maximum = _binary("maximum", "The greater one.")
minimum = _binary("minimum", "The smaller one.")
multiply = _binary("multiply", "x1 * x2.", "mul")
nextafter = _binary("nextafter", "The neighbour of x1 in the direction of x2.")
not_equal = _binary("not_equal", "x1 != x2.", "ne")
pow = _binary("pow", "x1 ** x2.")
subtract = _binary("subtract", "x1 - x2.", "sub")


def conj(x, /):
    """Complex conjugate."""
    return _C.conj(x).resolve_conj()


def expm1(x, /):
    """exp(x) - 1, accurate near 0; infinite complex numbers follow the limits of exp."""
    found = _C.expm1(x)
    return _C.where(_C.isfinite(x), found, _C.exp(x) - 1) if x.dtype.is_complex else found


_remainder = _binary("remainder", "x1 % x2.")


def remainder(x1, x2, /):
    """x1 % x2 with the sign of x2, also for zeros."""
    found = _remainder(x1, x2)
    return _C.where(found == 0, _C.copysign(found, x2), found) if found.dtype.is_floating_point else found


def round(x, /):
    """Rounds to the nearest integer, halves to even; for complex numbers both parts."""
    if not x.dtype.is_complex:
        return _C.round(x)
    return _C.view_as_complex(_C.round(_C.view_as_real(x)))


def sign(x, /):
    """Sign of real numbers, NaN for NaN; z / |z| for complex numbers."""
    found = _C.sgn(x)
    return _C.where(_C.isnan(x), x, found) if x.dtype.is_floating_point else found


def clip(x, /, min=None, max=None):
    """Limits elements to the range from min to max."""
    if min is None and max is None:
        return x.clone()
    if isinstance(min, _Tensor) or isinstance(max, _Tensor):
        min, max = (m if m is None or isinstance(m, _Tensor) else _like_tensor(m, x) for m in (min, max))
    return _C.clamp(x, min, max).to(x.dtype)


def where(condition, x1, x2, /):
    """Selects x1 where the condition is true, otherwise x2."""
    x1, x2 = _pair(x1, x2)
    if not isinstance(x1, _Tensor) and isinstance(x2, _Tensor):
        x1 = _like_tensor(x1, x2)
    elif not isinstance(x2, _Tensor) and isinstance(x1, _Tensor):
        x2 = _like_tensor(x2, x1)
    if isinstance(x1, _Tensor) and x1.dtype != x2.dtype:
        x1, x2 = _pair(x1, x2)
    return _C.where(condition, x1, x2)


# ---- creation ----

def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """Converts numbers, nested sequences, arrays of other libraries or buffers to an array; copy=False never copies."""
    if not isinstance(obj, _Tensor):
        if copy is False and not hasattr(obj, "__array__") and not hasattr(obj, "__dlpack__"):
            raise ValueError("asarray: this data requires a copy")
        shared = hasattr(obj, "__array__") and copy is not True
        made = _C.as_tensor(obj) if shared else _C.tensor(obj, dtype=dtype)
        if not shared:
            return made.to(device=device) if device is not None else made
        obj = made
    wanted = dict(dtype=dtype or obj.dtype, device=device or obj.device)
    if copy is False and (wanted["dtype"] != obj.dtype or _C.device(wanted["device"]).type != obj.device.type):
        raise ValueError("asarray: a different dtype or device requires a copy")
    return obj.to(**wanted, copy=_builtins.bool(copy))


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """Evenly spaced values in [start, stop)."""
    if stop is None:
        start, stop = 0, start
    if (stop - start) * step <= 0:  # an empty range
        whole = _builtins.all(isinstance(n, int) for n in (start, stop, step))
        return _C.empty(0, dtype=dtype or (int64 if whole else None), device=device)
    return _C.arange(start, stop, step, dtype=dtype, device=device)


def empty(shape, *, dtype=None, device=None):
    """An array with uninitialized elements."""
    return _C.empty(shape, dtype=dtype, device=device)


def zeros(shape, *, dtype=None, device=None):
    """An array of zeros."""
    return _C.zeros(shape, dtype=dtype, device=device)


def ones(shape, *, dtype=None, device=None):
    """An array of ones."""
    return _C.ones(shape, dtype=dtype, device=device)


def full(shape, fill_value, *, dtype=None, device=None):
    """An array filled with one value."""
    return _C.full((shape,) if isinstance(shape, int) else shape, fill_value, dtype=dtype, device=device)


def empty_like(x, /, *, dtype=None, device=None):
    """An uninitialized array with the shape and dtype of x."""
    return _C.empty_like(x, dtype=dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    """Zeros with the shape and dtype of x."""
    return _C.zeros_like(x, dtype=dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    """Ones with the shape and dtype of x."""
    return _C.ones_like(x, dtype=dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """An array with the shape and dtype of x, filled with one value."""
    return _C.full_like(x, fill_value, dtype=dtype, device=device)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """Ones on the k-th diagonal, zeros elsewhere."""
    n_cols = n_rows if n_cols is None else n_cols
    if k == 0:
        return _C.eye(n_rows, n_cols, dtype=dtype, device=device)
    result = _C.zeros(n_rows, n_cols, dtype=dtype, device=device)
    if -n_rows < k < n_cols:
        result.diagonal(k).fill_(1)
    return result


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """`num` evenly spaced values from start to stop, including stop if `endpoint`."""
    if endpoint or num == 0:
        return _C.linspace(start, stop, num, dtype=dtype, device=device)
    return _C.linspace(start, stop, num + 1, dtype=dtype, device=device)[:-1]


def meshgrid(*arrays, indexing="xy"):
    """Coordinate arrays of a grid, one for each axis."""
    return tuple(_C.meshgrid(*arrays, indexing=indexing))


def tril(x, /, *, k=0):
    """Keeps the elements on and below the k-th diagonal and sets others to zero."""
    return _C.tril(x, k)


def triu(x, /, *, k=0):
    """Keeps the elements on and above the k-th diagonal and sets others to zero."""
    return _C.triu(x, k)


def from_dlpack(x, /, *, device=None, copy=None):
    """Imports an array from another library through DLPack, without a copy unless requested."""
    return _C.from_dlpack(x, device=device, copy=copy)


# ---- shapes ----

def broadcast_arrays(*arrays):
    """Broadcasts arrays to a common shape."""
    return tuple(a.expand(_broadcast_shapes(*(b.shape for b in arrays))) for a in arrays)


def broadcast_shapes(*shapes):
    """Returns the shape to which shapes broadcast."""
    try:
        return tuple(_broadcast_shapes(*shapes))
    except RuntimeError as error:
        raise ValueError(str(error)) from None


def broadcast_to(x, /, shape):
    """Broadcasts x to a shape."""
    return x.expand(shape)


def concat(arrays, /, *, axis=0):
    """Joins arrays along an axis; axis=None flattens them first."""
    dtype = result_type(*arrays)
    arrays = [a.to(dtype) for a in arrays]
    if axis is None:
        return _C.cat([a.flatten() for a in arrays])
    shapes = {a.ndim for a in arrays}
    if shapes != {arrays[0].ndim}:
        raise ValueError("concat: arrays have to have the same number of dimensions")
    return _C.cat(arrays, axis)


def stack(arrays, /, *, axis=0):
    """Joins arrays of one shape along a new axis."""
    dtype = result_type(*arrays)
    return _C.stack([a.to(dtype) for a in arrays], axis)


def unstack(x, /, *, axis=0):
    """Splits an array into the slices along an axis."""
    return tuple(_C.unbind(x, axis))


def expand_dims(x, /, axis):
    """Inserts an axis of size 1, or several for a tuple."""
    if isinstance(axis, int):
        return _C.unsqueeze(x, axis)
    ndim = x.ndim + len(axis)
    for a in sorted(_wrapped(a, ndim) for a in axis):
        x = _C.unsqueeze(x, a)
    return x


def _wrapped(axis, ndim):
    if not -ndim <= axis < ndim:
        raise IndexError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


def squeeze(x, /, axis):
    """Removes axes of size 1."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if _builtins.any(x.shape[a] != 1 for a in axes):
        raise ValueError("cannot squeeze an axis whose size is not 1")
    return _C.squeeze(x, axes)


def flip(x, /, *, axis=None):
    """Reverses the order of elements along axes."""
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    return _C.flip(x, axes)


def moveaxis(x, source, destination, /):
    """Moves axes to other positions."""
    return _C.movedim(x, source, destination)


def permute_dims(x, /, axes):
    """Permutes the axes."""
    return _C.permute(x, axes)


def repeat(x, repeats, /, *, axis=None):
    """Repeats each element along an axis."""
    return _C.repeat_interleave(x, repeats, dim=axis)


def reshape(x, /, shape, *, copy=None):
    """Reshapes an array; copy=False raises an error if a copy is needed."""
    if copy is False:
        try:
            return x.view(shape)
        except RuntimeError as error:
            raise ValueError(str(error)) from None
    return _C.reshape(x.clone() if copy else x, shape)


def roll(x, /, shift, *, axis=None):
    """Shifts elements cyclically along axes."""
    if axis is not None and not isinstance(shift, int) and isinstance(axis, int):
        axis = (axis,) * len(shift)
    if axis is not None and isinstance(shift, int) and not isinstance(axis, int):
        shift = (shift,) * len(axis)
    if axis is not None and not isinstance(axis, int) and not axis:
        return x.clone()
    return _C.roll(x, shift, () if axis is None else axis)


def tile(x, repetitions, /):
    """Repeats the whole array along axes."""
    return _C.tile(x, repetitions)


# ---- products ----

def matmul(x1, x2, /):
    """Matrix product."""
    return _C.matmul(*_pair(x1, x2))


def matrix_transpose(x, /):
    """Transposes the last two axes."""
    if x.ndim < 2:
        raise ValueError("matrix_transpose: at least two dimensions are needed")
    return x.mT


def tensordot(x1, x2, /, *, axes=2):
    """Sums products over several axes."""
    return _tensordot(*_pair(x1, x2), dims=axes)


def vecdot(x1, x2, /, *, axis=-1):
    """Dot products of vectors along an axis, with the first conjugated."""
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError("vecdot: the vectors must have the same length")
    x1, x2 = _pair(x1, x2)
    return _C.sum(conj(x1) * x2, axis, dtype=x1.dtype)


# ---- reductions ----

def _wide(x, dtype):
    """Returns the dtype of a sum."""
    if dtype is not None or not isdtype(x.dtype, ("bool", "integral")):
        return dtype or x.dtype
    return uint64 if isdtype(x.dtype, "unsigned integer") else int64


def _axes(x, axis):
    if axis is None:
        return tuple(range(x.ndim))
    return (axis,) if isinstance(axis, int) else tuple(axis)


def _over_each(function, x, axis, keepdims):
    """Applies a reduction that PyTorch supports for one axis only to several axes."""
    axes = sorted((_wrapped(a, x.ndim) for a in _axes(x, axis)), reverse=True)
    for a in axes:
        x = function(x, a, keepdims)
    return x


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """Sum of elements."""
    axes, dtype = _axes(x, axis), _wide(x, dtype)
    return _C.sum(x, axes, keepdims, dtype=dtype) if axes else x.to(dtype, copy=True)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """Product of elements."""
    dtype = _wide(x, dtype)
    return _over_each(lambda part, a, keep: _C.prod(part, a, keep, dtype=dtype), x.to(dtype, copy=True), axis, keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    """Mean of elements."""
    axes = _axes(x, axis)
    return _C.mean(x, axes, keepdims) if axes else x.clone()


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """Standard deviation, with the divisor N - correction."""
    return _C.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """Variance, with the divisor N - correction."""
    axes = _axes(x, axis)
    if axes:
        return _C.var(x, axes, correction=correction, keepdim=keepdims)
    return _C.var(x.unsqueeze(-1), -1, correction=correction)


def max(x, /, *, axis=None, keepdims=False):
    """Maximum."""
    axes = _axes(x, axis)
    return _C.amax(x, axes, keepdims) if axes else x.clone()


def min(x, /, *, axis=None, keepdims=False):
    """Minimum."""
    axes = _axes(x, axis)
    return _C.amin(x, axes, keepdims) if axes else x.clone()


def all(x, /, *, axis=None, keepdims=False):
    """Returns whether all elements are nonzero."""
    return _over_each(_C.all, x.to(bool, copy=True), axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    """Returns whether any element is nonzero."""
    return _over_each(_C.any, x.to(bool, copy=True), axis, keepdims)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """Number of nonzero elements."""
    return sum(x != 0, axis=axis, dtype=int64, keepdims=keepdims)


def argmax(x, /, *, axis=None, keepdims=False):
    """Index of the first maximum."""
    return _C.argmax(x, axis, keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """Index of the first minimum."""
    return _C.argmin(x, axis, keepdims)


def _running(function, x, axis, dtype, include_initial, first):
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis is needed for arrays of other than one dimension")
        axis = 0
    result = function(x, axis, dtype=_wide(x, dtype))
    if include_initial:
        shape = list(x.shape)
        shape[axis] = 1
        result = _C.cat([_C.full(shape, first, dtype=result.dtype, device=x.device), result], axis)
    return result


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """Cumulative sum along an axis; include_initial prepends 0."""
    return _running(_C.cumsum, x, axis, dtype, include_initial, 0)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """Cumulative product along an axis; include_initial prepends 1."""
    return _running(_C.cumprod, x, axis, dtype, include_initial, 1)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """n-th differences of adjacent elements."""
    return _C.diff(x, n, axis, prepend, append)


# ---- order and search ----

def sort(x, /, *, axis=-1, descending=False, stable=True):
    """Sorts along an axis."""
    return _C.sort(x, dim=axis, descending=descending, stable=stable).values


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """Indices that sort along an axis."""
    return _C.argsort(x, dim=axis, descending=descending, stable=stable)


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Indices at which to insert x2 into the sorted x1, so that it stays sorted."""
    if isinstance(x2, _Tensor):
        x1, x2 = _pair(x1, x2)
    return _C.searchsorted(x1, x2, side=side, sorter=sorter)


def nonzero(x, /):
    """Indices of nonzero elements, one array for each axis."""
    if x.ndim == 0:
        raise ValueError("nonzero: an array of at least one dimension is needed")
    return _C.nonzero(x, as_tuple=True)


def isin(x1, x2, /, *, invert=False):
    """Returns whether each element of x1 is in x2 (or is not, with invert=True)."""
    return _C.isin(*_pair(x1, x2), invert=invert)


def take(x, indices, /, *, axis=None):
    """Selects slices along an axis by index."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis is needed for arrays of other than one dimension")
        axis = 0
    return x[(slice(None),) * _wrapped(axis, x.ndim) + (indices,)]


def take_along_axis(x, indices, /, *, axis=-1):
    """Selects elements along an axis by indices of the same number of dims."""
    return _C.take_along_dim(x, indices, axis)


# ---- sets ----

_unique_all = _collections.namedtuple("unique_all_result", "values indices inverse_indices counts")
_unique_counts = _collections.namedtuple("unique_counts_result", "values counts")
_unique_inverse = _collections.namedtuple("unique_inverse_result", "values inverse_indices")


def _order(flat):
    """Returns the indices that sort; complex numbers by real, then imaginary part."""
    if not flat.dtype.is_complex:
        return _C.argsort(flat, stable=True)
    by_imag = _C.argsort(_C.imag(flat), stable=True)
    return by_imag[_C.argsort(_C.real(flat)[by_imag], stable=True)]


def unique_all(x, /):
    """Returns the distinct values, index of first occurrences, inverse indices, and counts."""
    flat = x.flatten()
    order = _order(flat)
    ordered = flat[order]
    fresh = _C.ones(flat.shape, dtype=bool, device=x.device)  # differs from the previous element; NaN always does
    fresh[1:] = ordered[1:] != ordered[:-1]
    starts = _C.nonzero(fresh, as_tuple=True)[0]
    inverse = _C.empty_like(order)
    inverse[order] = _C.cumsum(fresh, 0) - 1
    ends = _C.cat([starts[1:], _C.full((1,), len(flat), device=x.device)])[:len(starts)]
    return _unique_all(ordered[starts], order[starts], inverse.reshape(x.shape), ends - starts)


def unique_counts(x, /):
    """Returns the distinct values and their counts."""
    found = unique_all(x)
    return _unique_counts(found.values, found.counts)


def unique_inverse(x, /):
    """Returns the distinct values and the inverse indices."""
    found = unique_all(x)
    return _unique_inverse(found.values, found.inverse_indices)


def unique_values(x, /):
    """Returns the distinct values."""
    return unique_all(x).values


# ---- inspection ----

class __array_namespace_info__:
    """Capabilities, devices and dtypes of the library."""

    def capabilities(self):
        """Returns which optional parts of the standard are supported."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        """Returns the device on which arrays are created by default."""
        return _C.get_default_device()

    def default_dtypes(self, *, device=None):
        """Returns the default dtypes of new arrays."""
        real = _C.get_default_dtype()
        return {"real floating": real, "complex floating": complex128 if real == float64 else complex64,
                "integral": int64, "indexing": int64}

    def dtypes(self, *, device=None, kind=None):
        """Returns the supported dtypes by name, optionally of some kinds only."""
        standard = (bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128)
        kind = tuple(_KINDS) if kind is None else kind
        return {str(d).partition(".")[2]: d for d in standard if isdtype(d, kind)}

    def devices(self):
        """Returns the available devices."""
        return [_C.device("cpu")]


def _namespace(api_version=None):
    """Implements x.__array_namespace__()."""
    if api_version is not None and api_version not in _VERSIONS:
        raise ValueError(f"version {api_version!r} of the array API standard is not supported")
    from . import array_api
    return array_api


from . import _array_api_linalg as linalg  # noqa: E402, F401

__all__ = [name for name in globals() if name[0] != "_"] + ["__array_api_version__", "__array_namespace_info__"]


def __dir__():
    return sorted(__all__)
