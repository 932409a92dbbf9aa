/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of basic.h for one type, included there with
 *   REAL        the type; OF(name) the name of a function of it
 *   UINT        the unsigned integer of the same size; OF_BITS(bits) reads one as a number; SIGN
 *   the sign bit
 *   INFINITE    infinity; PI; WHOLE the number from which on all numbers are integers
 *   LIBM(name)  the compiler's builtin function for the type */

CTM REAL OF(abs)(REAL x)
{
    return OF_BITS(OF(bits)(x) & ~SIGN);
}

CTM REAL OF(copysign)(REAL size, REAL sign)
{
    return OF_BITS((OF(bits)(size) & ~SIGN) | (OF(bits)(sign) & SIGN));
}

CTM bool OF(signbit)(REAL x)
{
    return OF(bits)(x) >> (8 * sizeof(REAL) - 1);
}

CTM bool OF(isnan)(REAL x)
{
    return x != x;
}

CTM bool OF(isinf)(REAL x)
{
    return OF(abs)(x) == INFINITE;
}

CTM bool OF(isfinite)(REAL x)
{
    return OF(abs)(x) < INFINITE;
}

/* -1, 0 or 1; 0 for NaN and -0, like torch.sign. */
CTM REAL OF(sign)(REAL x)
{
    REAL y = x > 0 ? 1 : 0;
    return x < 0 ? -1 : y;
}

/* Functions of complex numbers that formulas also apply to real ones. */
CTM REAL OF(conj)(REAL x)
{
    return x;
}

CTM REAL OF(sgn)(REAL x)
{
    return OF(sign)(x);
}

/* pi below 0, else 0; NaN for NaN. */
CTM REAL OF(angle)(REAL x)
{
    REAL y = x < 0 ? PI : 0;
    return x != x ? x : y;
}

CTM REAL OF(square)(REAL x)
{
    return x * x;
}

CTM REAL OF(sqrt)(REAL x)
{
    return LIBM(sqrt)(x);
}

/* Two roundings, as PyTorch computes it: error below 1.5 ULP. */
CTM REAL OF(rsqrt)(REAL x)
{
    return 1 / OF(sqrt)(x);
}

CTM REAL OF(reciprocal)(REAL x)
{
    return 1 / x;
}

CTM REAL OF(round)(REAL x)
{
#ifdef CTM_HAS_ROUND
    return LIBM(rint)(x);
#else
    REAL a = OF(abs)(x);
    REAL r = (a + WHOLE) - WHOLE;
    return OF(copysign)(a < WHOLE ? r : a, x);
#endif
}

CTM REAL OF(floor)(REAL x)
{
#ifdef CTM_HAS_ROUND
    return LIBM(floor)(x);
#else
    REAL r = OF(round)(x);
    return OF(copysign)(r - (r > x ? 1 : 0), x);
#endif
}

CTM REAL OF(ceil)(REAL x)
{
    return -OF(floor)(-x);
}

CTM REAL OF(trunc)(REAL x)
{
    return OF(copysign)(OF(floor)(OF(abs)(x)), x);
}

/* x^2, the term of a sum of squares. */
CTM REAL OF(norm_square)(REAL x)
{
    return x * x;
}

/* NaN if either is NaN; a if they are equal. */
CTM REAL OF(maximum)(REAL a, REAL b)
{
    REAL y = a < b ? b : a;
    return b != b ? b : y;
}

CTM REAL OF(minimum)(REAL a, REAL b)
{
    REAL y = b < a ? b : a;
    return b != b ? b : y;
}

/* If one argument is NaN, returns the other. */
CTM REAL OF(fmax)(REAL a, REAL b)
{
    REAL y = a < b ? b : a;
    return a != a ? b : y;
}

CTM REAL OF(fmin)(REAL a, REAL b)
{
    REAL y = b < a ? b : a;
    return a != a ? b : y;
}

CTM REAL OF(nan_to_num)(REAL x, REAL nan, REAL posinf, REAL neginf)
{
    REAL y = x == INFINITE ? posinf : x;
    y = x == -INFINITE ? neginf : y;
    return x != x ? nan : y;
}

/* The next number after x in the direction of y. */
CTM REAL OF(nextafter)(REAL x, REAL y)
{
    UINT bits = OF(bits)(x);
    UINT away = (x < y) == (x > 0) ? bits + 1u : bits - 1u;
    UINT from_zero = (OF(bits)(y) & SIGN) | 1u;
    REAL step = OF_BITS(x == 0 ? from_zero : away);
    REAL same = x == y ? y : step;
    return ((x != x) | (y != y)) ? x + y : same;
}

#undef REAL
#undef OF
#undef UINT
#undef OF_BITS
#undef SIGN
#undef INFINITE
#undef PI
#undef WHOLE
#undef LIBM
