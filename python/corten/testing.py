# SPDX-License-Identifier: BSD-3-Clause
"""assert_close: whether tensors, numbers and nests of them agree, and a text that says where they do not."""
import cmath
from collections.abc import Mapping, Sequence

from . import _C, Tensor, as_tensor, isclose, promote_types, unravel_index

__all__ = ["assert_allclose", "assert_close"]

_RTOL = {"float16": 1e-3, "bfloat16": 1.6e-2, "float32": 1.3e-6, "float64": 1e-7, "complex64": 1.3e-6, "complex128": 1e-7}


def _tolerances(*values, rtol, atol):
    if rtol is not None:
        return rtol, atol
    kinds = [str(v.dtype).split(".")[1] for v in values]
    return (max(_RTOL.get(k, 0.0) for k in kinds),
            max({"float64": 1e-7, "complex128": 1e-7}.get(k, 1e-5 if k in _RTOL else 0.0) for k in kinds))


def _fail(text, path, msg):
    if path:
        text += f"\n\nThe failure occurred for item {''.join(f'[{p!r}]' if not isinstance(p, int) else f'[{p}]' for p in path)}"
    raise AssertionError(text if msg is None else msg(text) if callable(msg) else msg)


def _compare_numbers(actual, expected, rtol, atol, equal_nan, path, msg):
    if rtol is None:
        kinds = {type(actual), type(expected)}
        rtol, atol = (0.0, 0.0) if kinds <= {int, bool} else (1e-7, 1e-7)
    difference = abs(actual - expected) if actual != expected else 0
    nan = cmath.isnan(actual) and cmath.isnan(expected)
    if actual == expected or (nan and equal_nan) or (cmath.isfinite(actual) and cmath.isfinite(expected)
                                                     and difference <= atol + rtol * abs(expected)):
        return
    if rtol == 0 and atol == 0:
        return _fail(f"Scalars are not equal!\n\nExpected {expected} but got {actual}.\nAbsolute difference: {difference}\n"
                     f"Relative difference: {difference / abs(expected) if expected else float('inf')}", path, msg)
    relative = difference / abs(expected) if expected else float("inf")
    _fail(f"Scalars are not close!\n\nExpected {expected} but got {actual}.\nAbsolute difference: {difference} (up to {atol} allowed)\n"
          f"Relative difference: {relative} (up to {rtol} allowed)", path, msg)


def _compare_tensors(actual, expected, rtol, atol, equal_nan, checks, path, msg):
    if actual.shape != expected.shape:
        _fail(f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}.", path, msg)
    if checks["layout"] and actual.layout != expected.layout:
        _fail(f"The values for attribute 'layout' do not match: {actual.layout} != {expected.layout}.", path, msg)
    if checks["device"] and actual.device != expected.device:
        _fail(f"The values for attribute 'device' do not match: {actual.device} != {expected.device}.", path, msg)
    if checks["dtype"] and actual.dtype != expected.dtype:
        _fail(f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}.", path, msg)
    if checks["stride"] and actual.stride() != expected.stride():
        _fail(f"The values for attribute 'stride()' do not match: {actual.stride()} != {expected.stride()}.", path, msg)
    rtol, atol = _tolerances(actual, expected, rtol=rtol, atol=atol)
    if actual.dtype != expected.dtype:
        common = promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(common), expected.to(common)
    actual, expected = actual.detach().cpu(), expected.detach().cpu()
    matches = isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if bool(matches.all()):
        return
    _fail(_describe(actual, expected, matches, rtol, atol), path, msg)


def _describe(actual, expected, matches, rtol, atol):
    bad, total = int((~matches).sum()), actual.numel()
    exact = rtol == 0 and atol == 0
    if not actual.dtype.is_floating_point and not actual.dtype.is_complex:
        actual, expected = actual.to(_C.int64), expected.to(_C.int64)
    difference = (actual - expected).abs().masked_fill(matches, 0)
    relative = (difference / expected.abs()).masked_fill(matches, 0)

    def worst(name, values, allowed):
        place = int(values.flatten().argmax())
        value = values.flatten()[place].item()
        where = "" if not values.ndim else f" at index {tuple(int(i) for i in unravel_index(as_tensor(place), values.shape))}"
        return f"Greatest {name} difference: {value}{where}" + ("" if exact else f" (up to {allowed} allowed)")

    head = f"{'Tensor-likes' if actual.ndim else 'Scalars'} are not {'equal' if exact else 'close'}!\n\n"
    if not actual.ndim:
        value, want = actual.item(), expected.item()
        gap = abs(value - want)
        part = gap / abs(want) if want else float("inf")
        more = ("", "") if exact else (f" (up to {atol} allowed)", f" (up to {rtol} allowed)")
        return head + f"Expected {want} but got {value}.\nAbsolute difference: {gap}{more[0]}\nRelative difference: {part}{more[1]}"
    return (head + f"Mismatched elements: {bad} / {total} ({bad / total:.1%})\n" + worst("absolute", difference, atol) + "\n"
            + worst("relative", relative, rtol))


def _walk(actual, expected, options, path, msg):
    checks, rtol, atol, equal_nan = options["checks"], options["rtol"], options["atol"], options["equal_nan"]
    plain = (str, bytes)
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            missing, extra = sorted(set(expected) - set(actual), key=str), sorted(set(actual) - set(expected), key=str)
            _fail("The keys of the mappings do not match:\n" + f"Missing keys in the actual mapping: {missing}\n"
                  + f"Additional keys in the actual mapping: {extra}", path, msg)
        for key in actual:
            _walk(actual[key], expected[key], options, (*path, key), msg)
    elif (isinstance(actual, Sequence) and isinstance(expected, Sequence) and not isinstance(actual, plain)
          and not isinstance(expected, plain)):
        if len(actual) != len(expected):
            _fail(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", path, msg)
        for i, (x, y) in enumerate(zip(actual, expected)):
            _walk(x, y, options, (*path, i), msg)
    elif actual is None or expected is None:
        if actual is not expected:
            _fail(f"None mismatch: {actual} is not {expected}", path, msg)
    elif isinstance(actual, (bool, int, float, complex)) and isinstance(expected, (bool, int, float, complex)):
        if isinstance(actual, bool) and isinstance(expected, bool):
            if actual is not expected:
                _fail(f"Booleans mismatch: {actual} is not {expected}", path, msg)
            return
        if checks["dtype"] and type(actual) is not type(expected):
            _fail(f"The (d)types do not match: {type(actual)} != {type(expected)}.", path, msg)
        _compare_numbers(actual, expected, rtol, atol, equal_nan, path, msg)
    else:
        if not options["allow_subclasses"] and type(actual) is not type(expected):
            raise TypeError(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.")
        try:
            actual, expected = (v if isinstance(v, Tensor) else as_tensor(v) for v in (actual, expected))
        except Exception:
            raise TypeError(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.") from None
        _compare_tensors(actual, expected, rtol, atol, equal_nan, checks, path, msg)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True,
                 check_layout=True, check_stride=False, msg=None):
    """An AssertionError that says where two values differ by more than atol + rtol * |expected|."""
    if (rtol is None) != (atol is None):
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {'rtol' if rtol is None else 'atol'}.")
    checks = {"device": check_device, "dtype": check_dtype, "layout": check_layout, "stride": check_stride}
    _walk(actual, expected, {"checks": checks, "rtol": rtol, "atol": atol, "equal_nan": equal_nan, "allow_subclasses": allow_subclasses},
          (), msg)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The older form, which does not look at types."""
    actual, expected = (v if isinstance(v, Tensor) else as_tensor(v) for v in (actual, expected))
    if rtol is None and atol is None:
        rtol, atol = _tolerances(actual, expected, rtol=None, atol=None)
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=True, check_dtype=False, check_stride=False,
                 msg=msg or None)
