/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of division.h for one type, included there with REAL, the type, and OF(name), the
 * name of a function of it. */

/* Python's %, which has the sign of b, from the remainder m of C's fmod. */
CTM REAL OF(remainder_of)(REAL m, REAL b)
{
    return ((m != 0) & ((b < 0) != (m < 0))) ? m + b : m;
}

CTM REAL OF(remainder)(REAL a, REAL b)
{
    return OF(remainder_of)(OF(fmod)(a, b), b);
}

CTM REAL OF(remainder_wide)(REAL a, REAL b)
{
    return OF(remainder_of)(OF(fmod_wide)(a, b), b);
}

/* Python's // as PyTorch computes it, from the exact remainder m, so that a == q b + remainder(a,
 * b) as closely as floats can; a / b if b is 0. */
CTM REAL OF(floor_divide_of)(REAL a, REAL b, REAL m)
{
    REAL div = (a - m) / b;
    div = ((m != 0) & ((b < 0) != (m < 0))) ? div - 1 : div;
    REAL f = OF(floor)(div);
    f = div - f > (REAL)0.5 ? f + 1 : f;
    REAL y = div == 0 ? OF(copysign)(0, a / b) : f;
    return b == 0 ? a / b : y;
}

CTM REAL OF(floor_divide)(REAL a, REAL b)
{
    return OF(floor_divide_of)(a, b, OF(fmod)(a, b));
}

CTM REAL OF(floor_divide_wide)(REAL a, REAL b)
{
    return OF(floor_divide_of)(a, b, OF(fmod_wide)(a, b));
}

CTM REAL OF(trunc_divide)(REAL a, REAL b)
{
    return OF(trunc)(a / b);
}

#undef REAL
#undef OF
