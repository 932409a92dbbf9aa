# SPDX-License-Identifier: BSD-3-Clause
"""Sobol sequences: points that fill the unit cube more evenly than random ones.

The direction numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
projections", SIAM J. Sci. Comput. 30, 2635 (2008), the table new-joe-kuo-6.21201 (copyright 2008 Frances Y. Kuo and
Stephen Joe, under a BSD licence). `_sobol.bin` holds its bits: for each degree from 2 on, for each primitive polynomial its
inner coefficients and the first numbers without their last bit, which is 1; a degree ends with a whole byte.
"""
import functools
import pathlib

import corten

__all__ = ["SobolEngine"]
_arange = functools.partial(corten.arange, device="cpu")  # whatever the default device is
_zeros = functools.partial(corten.zeros, dtype=corten.int64, device="cpu")
_randint = functools.partial(corten.randint, device="cpu")

# How many primitive polynomials there are of each degree from 1 on; together with the first dimension 21201.
_POLYNOMIALS = (1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630, 756, 1800, 2048, 7710, 7776)
_BITS = 30
_BLOCK = 1024  # points whose last bits run through all combinations


def _numbers(bits):
    """Bits along the last axis, the lowest first, as integers."""
    return (bits << _arange(bits.shape[-1])).sum(-1)


def _directions(dimension):
    """The direction numbers, [dimension, 30], as fractions of 2^30."""
    state = _zeros(dimension, _BITS)
    state[0] = 1 << _arange(_BITS - 1, -1, -1)
    table = corten.frombuffer(bytearray(pathlib.Path(__file__).with_name("_sobol.bin").read_bytes()), dtype=corten.uint8)
    first, at = 1, 0
    for degree, count in enumerate(_POLYNOMIALS, 1):
        width = degree - 1 + degree * (degree - 1) // 2
        nbytes = (count * width + 7) // 8
        if first < dimension:
            bits = table[at:at + nbytes].unsqueeze(1) >> _arange(8, dtype=corten.uint8) & 1
            bits = bits.flatten()[:count * width].reshape(count, width)[:dimension - first].to(corten.int64)
            _fill(state[first:first + count], degree, bits)
        first, at = first + count, at + nbytes
    return state


def _fill(state, degree, bits):
    """The directions of all polynomials of one degree: those given, then what the recurrence makes of them."""
    inner = bits[:, :degree - 1]
    for i in range(degree):
        start = degree - 1 + i * (i - 1) // 2
        state[:, i] = (2 * _numbers(bits[:, start:start + i]) + 1) << (_BITS - 1 - i)
    for i in range(degree, _BITS):
        column = state[:, i - degree] ^ (state[:, i - degree] >> degree)
        for k in range(1, degree):
            column ^= inner[:, degree - 1 - k] * state[:, i - k]
        state[:, i] = column


def _combined(state, index):
    """The points of these numbers: the directions that the bits of their Gray codes name, combined."""
    gray = (index ^ (index >> 1)).unsqueeze(1)
    points = _zeros(len(index), len(state))
    for bit in range(_BITS):
        points ^= (gray >> bit & 1) * state[:, bit]
    return points


def _points(state, begin, count):
    """Points [begin, begin + count), without a shift. Gray codes are linear, so a point is one of the first ones combined
    with one at a multiple of the block."""
    index = _arange(begin, begin + count)
    if count <= _BLOCK:
        return _combined(state, index)
    blocks = index // _BLOCK
    first = begin // _BLOCK
    heads = _combined(state, _arange(first, (begin + count - 1) // _BLOCK + 1) * _BLOCK)
    return heads[blocks - first].bitwise_xor_(_combined(state, _arange(_BLOCK))[index % _BLOCK])


class SobolEngine:
    """Draws points of a Sobol sequence in up to 21201 dimensions; `scramble` shuffles it by Owen's linear matrices and a
    shift, at random or by a seed."""

    MAXBIT = _BITS
    MAXDIM = 1 + sum(_POLYNOMIALS)

    def __init__(self, dimension, scramble=False, seed=None):
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.seed, self.scramble, self.dimension = seed, scramble, dimension
        self.sobolstate = _directions(dimension)
        self.shift = _zeros(dimension)
        if scramble:
            self._scramble()
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**_BITS).reshape(1, -1)
        self.num_generated = 0

    def _scramble(self):
        generator = None if self.seed is None else corten.Generator().manual_seed(self.seed)
        self.shift = _numbers(_randint(2, (self.dimension, _BITS), generator=generator))
        matrices = _randint(2, (self.dimension, _BITS, _BITS), generator=generator).tril()
        matrices.diagonal(0, -2, -1).fill_(1)
        bits = self.sobolstate.unsqueeze(-1) >> _arange(_BITS - 1, -1, -1) & 1  # the highest first, as in the matrices
        self.sobolstate.copy_(_numbers((bits @ matrices.mT % 2).flip(-1)))

    def draw(self, n=1, out=None, dtype=None):
        """The next n points, [n, dimension]."""
        dtype = dtype or corten.get_default_dtype()
        points = self._ahead(n)
        result = points.to(dtype) / 2**_BITS
        if self.num_generated == n:  # the origin is kept in the default type
            result[0] = self._first_point[0].to(dtype)
        return result if out is None else out.resize_as_(result).copy_(result)

    def draw_base2(self, m, out=None, dtype=None):
        """The next 2^m points, which have to make a power of 2 together with those drawn before."""
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError("The balance properties of Sobol' points require n to be a power of 2. "
                             f"{self.num_generated} points have been previously generated, then: "
                             f"n={self.num_generated}+2**{m}={total}. If you still want to do this, please use "
                             "'SobolEngine.draw()' instead.")
        return self.draw(n, out, dtype)

    def _ahead(self, n):
        points = _points(self.sobolstate, self.num_generated, n) ^ self.shift
        self.num_generated += n
        if n:
            self.quasi = points[-1].clone()
        return points

    def reset(self):
        """Back to the first point."""
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        """As if n points had been drawn."""
        if n:
            self.num_generated += n - 1
            self._ahead(1)
        return self

    def __repr__(self):
        parts = [f"dimension={self.dimension}", *(["scramble=True"] if self.scramble else []),
                 *([] if self.seed is None else [f"seed={self.seed}"])]
        return f"{type(self).__name__}({', '.join(parts)})"
