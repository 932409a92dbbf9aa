# SPDX-License-Identifier: BSD-3-Clause
"""Sobol sequences: points that fill the unit cube more evenly than random ones.

The direction numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
projections", SIAM J. Sci. Comput. 30, 2635 (2008), table new-joe-kuo-6.21201 (copyright 2008 Frances Y. Kuo and Stephen Joe,
BSD licence). `_sobol.bin` holds them bit by bit: for each degree from 2 on and each primitive polynomial, the inner
coefficients and the initial numbers without their lowest bit, which is 1. Each degree is padded to a whole byte.
"""
import functools
import pathlib

import corten

__all__ = ["SobolEngine"]
_arange = functools.partial(corten.arange, device="cpu")  # independent of the default device
_zeros = functools.partial(corten.zeros, dtype=corten.int64, device="cpu")
_randint = functools.partial(corten.randint, device="cpu")

# Number of primitive polynomials of each degree, from 1 on; with the first dimension they make 21201.
_POLYNOMIALS = (1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630, 756, 1800, 2048, 7710, 7776)
_BITS = 30
_BLOCK = 1024  # points whose lowest index bits run through all combinations


def _numbers(bits):
    """Converts bits along the last axis, lowest first, to integers."""
    return (bits << _arange(bits.shape[-1])).sum(-1)


def _directions(dimension):
    """Returns the direction numbers, [dimension, 30], as multiples of 2^-30."""
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
    """Fills in the direction numbers of all polynomials of one degree: initial values, then the recurrence."""
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
    """Returns the points with these indices: the XOR of the direction numbers selected by the index's Gray code."""
    gray = (index ^ (index >> 1)).unsqueeze(1)
    points = _zeros(len(index), len(state))
    for bit in range(_BITS):
        points ^= (gray >> bit & 1) * state[:, bit]
    return points


def _points(state, begin, count):
    """Returns the unscrambled points [begin, begin + count).

    Gray codes are linear over XOR, so a point is the XOR of a point of the first block and a point at a multiple of the block.
    """
    index = _arange(begin, begin + count)
    if count <= _BLOCK:
        return _combined(state, index)
    blocks = index // _BLOCK
    first = begin // _BLOCK
    heads = _combined(state, _arange(first, (begin + count - 1) // _BLOCK + 1) * _BLOCK)
    return heads[blocks - first].bitwise_xor_(_combined(state, _arange(_BLOCK))[index % _BLOCK])


class SobolEngine:
    """Draws points of a Sobol sequence in up to 21201 dimensions.

    dimension: number of dimensions. scramble: apply Owen scrambling (random lower-triangular matrices and a digital shift). seed:
    seed of the scrambling; None uses the default generator.
    """

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
        bits = self.sobolstate.unsqueeze(-1) >> _arange(_BITS - 1, -1, -1) & 1  # highest bit first, as in the matrices
        self.sobolstate.copy_(_numbers((bits @ matrices.mT % 2).flip(-1)))

    def draw(self, n=1, out=None, dtype=None):
        """Returns the next n points, [n, dimension]."""
        dtype = dtype or corten.get_default_dtype()
        points = self._ahead(n)
        result = points.to(dtype) / 2**_BITS
        if self.num_generated == n:  # the first point is stored in the default dtype
            result[0] = self._first_point[0].to(dtype)
        return result if out is None else out.resize_as_(result).copy_(result)

    def draw_base2(self, m, out=None, dtype=None):
        """Returns the next 2^m points; together with those already drawn they must make a power of 2."""
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
        """Restarts the sequence."""
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        """Skips n points."""
        if n:
            self.num_generated += n - 1
            self._ahead(1)
        return self

    def __repr__(self):
        parts = [f"dimension={self.dimension}", *(["scramble=True"] if self.scramble else []),
                 *([] if self.seed is None else [f"seed={self.seed}"])]
        return f"{type(self).__name__}({', '.join(parts)})"
