# SPDX-License-Identifier: BSD-3-Clause
"""assert_close: approximate comparison of tensors, numbers, arrays, and nested sequences and mappings of them."""
import cmath
import collections.abc
import numbers
import sys

import corten

# Default tolerances by dtype: (rtol, atol).
_TOLERANCES = {
    corten.float16: (1e-3, 1e-5), corten.bfloat16: (1.6e-2, 1e-5), corten.float32: (1.3e-6, 1e-5), corten.float64: (1e-7, 1e-7),
    corten.complex64: (1.3e-6, 1e-5), corten.complex128: (1e-7, 1e-7),
}


class _Mismatch(Exception):
    """A difference between two values: its description, and its path in the nested input."""

    def __init__(self, kind, text, at=()):
        super().__init__(text)
        self.kind, self.text, self.at = kind, text, at

    def inside(self, key):
        return _Mismatch(self.kind, self.text, (key, *self.at))

    def full_text(self):
        where = "".join(f"[{key!r}]" for key in self.at)
        return self.text + (f"\n\nThe failure occurred for item {where}" if where else "")


class _Options:
    def __init__(self, rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride):
        if (rtol is None) != (atol is None):
            raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no "
                             f"{'rtol' if rtol is None else 'atol'}.")
        self.given = None if rtol is None else (rtol, atol)
        self.equal_nan, self.check_device, self.check_dtype = equal_nan, check_device, check_dtype
        self.check_layout, self.check_stride = check_layout, check_stride

    def tolerances(self, *dtypes):
        if self.given:
            return self.given
        known = [_TOLERANCES.get(dtype, (0., 0.)) for dtype in dtypes]
        return max(r for r, _ in known), max(a for _, a in known)


def _allowed(value):
    return f" (up to {value} allowed)" if value else ""


def _headline(what, rtol, atol):
    return f"{what} are not {'close' if rtol or atol else 'equal'}!\n\n"


# ---- comparison by type ----

def _compare_none(actual, expected, options):
    if actual is not expected:
        raise _Mismatch(AssertionError, f"None mismatch: {actual} is not {expected}")


def _compare_bool(actual, expected, options):
    if bool(actual) is not bool(expected):
        raise _Mismatch(AssertionError, f"Booleans mismatch: {bool(actual)} is not {bool(expected)}")


def _scalar_text(actual, expected, rtol, atol):
    text = _headline("Scalars", rtol, atol) + f"Expected {expected} but got {actual}.\n"
    absolute = abs(actual - expected)
    relative = absolute / abs(expected) if expected else float("inf")
    return text + f"Absolute difference: {absolute}{_allowed(atol)}\nRelative difference: {relative}{_allowed(rtol)}"


def _compare_number(actual, expected, options):
    kinds = [complex if isinstance(n, numbers.Complex) and not isinstance(n, numbers.Real) else
             int if isinstance(n, numbers.Integral) else float for n in (actual, expected)]
    if options.check_dtype and kinds[0] is not kinds[1]:
        raise _Mismatch(AssertionError, f"The (d)types do not match: {type(actual)} != {type(expected)}.")
    types = {int: corten.int64, float: corten.float64, complex: corten.complex128}
    rtol, atol = options.tolerances(*(types[k] for k in kinds))
    a, b = (k(n) for k, n in zip(kinds, (actual, expected)))
    if a == b or options.equal_nan and cmath.isnan(a) and cmath.isnan(b):
        return
    if cmath.isfinite(a) and cmath.isfinite(b) and abs(a - b) <= atol + rtol * abs(b):
        return
    raise _Mismatch(AssertionError, _scalar_text(a, b, rtol, atol))


def _attributes(actual, expected, options):
    def same(name, a, b):
        if a != b:
            raise _Mismatch(AssertionError, f"The values for attribute '{name}' do not match: {a} != {b}.")
    same("shape", actual.shape, expected.shape)
    if options.check_layout:
        same("layout", actual.layout, expected.layout)
        if options.check_stride and actual.layout == corten.strided:
            same("stride()", actual.stride(), expected.stride())
    if options.check_device:
        same("device", actual.device, expected.device)
    if options.check_dtype:
        same("dtype", actual.dtype, expected.dtype)


def _place(flat, shape):
    """Converts a flat index to a tuple of indices."""
    index = []
    for size in reversed(shape):
        index.append(flat % size)
        flat //= size
    return tuple(reversed(index))


def _tensor_text(actual, expected, matches, rtol, atol):
    if actual.dim() == 0:
        return _scalar_text(actual.item(), expected.item(), rtol, atol)
    wrong, total = int((~matches).sum()), matches.numel()
    text = _headline("Tensor-likes", rtol, atol) + f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})\n"
    flat_a, flat_b, fine = actual.flatten(), expected.flatten(), matches.flatten()
    if not (flat_a.is_floating_point() or flat_a.is_complex()):
        flat_a, flat_b = flat_a.to(corten.int64), flat_b.to(corten.int64)
    absolute = (flat_a - flat_b).abs()
    absolute[fine] = 0
    relative = absolute / flat_b.abs()
    relative[fine] = 0
    for name, difference, allowed in (("absolute", absolute, atol), ("relative", relative, rtol)):
        most, where = difference.max(0)
        text += f"Greatest {name} difference: {most.item()} at index {_place(int(where), actual.shape)}{_allowed(allowed)}\n"
    return text.rstrip("\n")


def _compare_tensors(actual, expected, options):
    actual, expected = actual.detach(), expected.detach()
    if actual.layout != corten.strided or expected.layout != corten.strided:
        _attributes(actual, expected, options)
        actual, expected = actual.to_dense(), expected.to_dense()
    _attributes(actual, expected, options)
    rtol, atol = options.tolerances(actual.dtype, expected.dtype)
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    if actual.dtype != expected.dtype:
        common = corten.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(common), expected.to(common)
    if actual.device.type == "meta" or actual.numel() == 0:
        return
    matches = corten.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=options.equal_nan)
    if not matches.all():
        raise _Mismatch(AssertionError, _tensor_text(actual, expected, matches, rtol, atol))


# ---- dispatch on the type ----

def _is_array(value):
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic))


def _refuse(actual, expected):
    return _Mismatch(TypeError, f"No comparison pair was able to handle inputs of type {_kind(actual)} and {_kind(expected)}.")


def _kind(value):
    return "<class 'torch.Tensor'>" if type(value) is corten.Tensor else str(type(value))


def _compare_sequences(actual, expected, options, allow_subclasses):
    if len(actual) != len(expected):
        raise _Mismatch(AssertionError, f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
    for i, pair in enumerate(zip(actual, expected)):
        _inside(i, *pair, options, allow_subclasses)


def _compare_mappings(actual, expected, options, allow_subclasses):
    missing, additional = expected.keys() - actual.keys(), actual.keys() - expected.keys()
    if missing or additional:
        raise _Mismatch(AssertionError, "The keys of the mappings do not match:\n"
                        f"Missing keys in the actual mapping: {sorted(missing)}\n"
                        f"Additional keys in the actual mapping: {sorted(additional)}")
    for key in expected:
        _inside(key, actual[key], expected[key], options, allow_subclasses)


def _inside(key, actual, expected, options, allow_subclasses):
    try:
        _compare(actual, expected, options, allow_subclasses)
    except _Mismatch as mismatch:
        raise mismatch.inside(key) from None


def _both(kind, actual, expected):
    return isinstance(actual, kind) and isinstance(expected, kind)


def _compare(actual, expected, options, allow_subclasses):
    alike = type(actual) is type(expected)
    if actual is None or expected is None:
        return _compare_none(actual, expected, options)
    if _both(bool, actual, expected):
        return _compare_bool(actual, expected, options)
    if _is_array(actual) and _is_array(expected):
        actual, expected = corten.as_tensor(actual), corten.as_tensor(expected)
        return _compare_tensors(actual, expected, options)
    if _both(corten.Tensor, actual, expected):
        if not (alike or allow_subclasses):
            raise _refuse(actual, expected)
        return _compare_tensors(actual, expected, options)
    if _both(numbers.Number, actual, expected):
        return _compare_number(actual, expected, options)
    if _both(collections.abc.Mapping, actual, expected):
        return _compare_mappings(actual, expected, options, allow_subclasses)
    if _both(collections.abc.Sequence, actual, expected) and not (isinstance(actual, str) or isinstance(expected, str)):
        return _compare_sequences(actual, expected, options, allow_subclasses)
    raise _refuse(actual, expected)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """Raises AssertionError unless |actual - expected| <= atol + rtol * |expected| for all elements.

    Args:
        actual, expected: tensors, numbers, arrays, or sequences and mappings of them.
        allow_subclasses: whether types may differ if they are related. Default: True
        rtol, atol: relative and absolute tolerance; give both or neither. Default: None, for values that depend on the dtype
        equal_nan: whether NaN equals NaN. Default: False
        check_device, check_dtype, check_layout: whether these attributes must be equal. Default: True
        check_stride: whether strides must be equal. Default: False
        msg: the error text, or a function that makes it from the default text. Default: None
    """
    __tracebackhide__ = True
    options = _Options(rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride)
    try:
        _compare(actual, expected, options, allow_subclasses)
        return
    except _Mismatch as mismatch:
        kind, text = mismatch.kind, mismatch.full_text()
    if msg is not None and kind is AssertionError:
        text = msg(text) if callable(msg) else msg
    raise kind(text)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The deprecated predecessor of assert_close: dtypes may differ, and NaN equals NaN."""
    if not isinstance(actual, corten.Tensor):
        actual = corten.tensor(actual)
    if not isinstance(expected, corten.Tensor):
        expected = corten.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        rtol, atol = (max(pair) for pair in zip(*(_TOLERANCES.get(t.dtype, (0., 0.)) for t in (actual, expected))))
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=True, check_dtype=False,
                 check_stride=False, msg=msg or None)
