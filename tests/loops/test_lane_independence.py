# SPDX-License-Identifier: BSD-3-Clause
"""The result for an element depends only on the element: not on its position in a vector or in the
tail, nor on its neighbours, although loops choose an algorithm for a whole block."""
import re

import corten as torch
import pytest

UNARY = """
    abs neg exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan sinh cosh tanh sigmoid asin acos
    atan asinh acosh atanh sinc sgn square angle erf erfc erfinv lgamma digamma i0 frac floor ceil trunc round relu
    special.i0e special.i1 special.i1e special.modified_bessel_k0 special.modified_bessel_k1 special.bessel_j0
    special.bessel_j1 special.bessel_y0 special.bessel_y1 special.scaled_modified_bessel_k0
    special.scaled_modified_bessel_k1 special.erfcx special.ndtr special.ndtri special.log_ndtr special.entr
    special.airy_ai special.spherical_bessel_j0 bitwise_not
""".split()
BINARY = """
    add sub mul div pow atan2 hypot fmod remainder floor_divide logaddexp logaddexp2 maximum minimum fmax fmin copysign
    nextafter xlogy gcd lcm bitwise_left_shift bitwise_right_shift bitwise_and eq lt igamma special.xlog1py
""".split()
TYPES = ["float32", "float64", "float16", "bfloat16", "complex64", "complex128", "int64", "int32", "int16", "int8", "uint8"]
LENGTH = 613  # more than a block, and not a multiple of the vector width


def numbers(dtype, seed, odd):
    """Returns ordinary numbers, with special values among them if requested."""
    torch.manual_seed(seed)
    t = getattr(torch, dtype)
    if not t.is_floating_point and not t.is_complex:
        x = torch.randint(-9 if t.is_signed else 1, 9, (LENGTH,)).to(t)
        return torch.where(x == 0, torch.ones_like(x), x)
    x = torch.randn(LENGTH, dtype=t) * 3
    if odd:
        huge = 6e4 if dtype == "float16" else 1e30
        for k, value in enumerate((0.0, -0.0, huge, -huge, 1 / huge, float("inf"), float("nan"))):
            x[k * 5 + 1::41] = value
    return x


def bits(x):
    """Returns the elements as text, which shows the signs of zeros and makes all NaN equal."""
    x = torch.view_as_real(x) if x.is_complex() else x
    if not x.is_floating_point():
        return x.tolist()
    return [repr(v) for v in x.flatten().tolist()]


def find(name):
    found = torch
    for part in name.split("."):
        found = getattr(found, part)
    return found


def check(f, *args):
    try:
        whole = f(*args)
    except (RuntimeError, TypeError) as e:  # the row raises if it has no loop for the type
        assert re.search("not implemented|not supported (for|on|with|by)|can't be cast|only supports|[Ee]xpected|"
                         "does not support|are not supported|for complex", str(e)), e
        pytest.skip("not of this type")
    pieces = [f(*(a[i:i + 5] for a in args)) for i in range(0, LENGTH, 5)]
    assert bits(whole) == bits(torch.cat(pieces))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, dtype):
    for odd in (False, True):
        check(find(name), numbers(dtype, 1, odd))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, dtype):
    for odd in (False, True):
        check(find(name), numbers(dtype, 1, odd), numbers(dtype, 2, odd))
