/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of integer.h for one type that fits int32: they compute in int32 and wrap at the
 * end, or in the type itself if that gives wider vectors. Included with INT, the type, UINT, the
 * unsigned type of its size, and OF(name), the name of a function of it. */

CTM INT OF(add)(INT a, INT b)
{
    return (INT)ctm_add_i32(a, b);
}

CTM INT OF(sub)(INT a, INT b)
{
    return (INT)ctm_sub_i32(a, b);
}

CTM INT OF(mul)(INT a, INT b)
{
    return (INT)ctm_mul_i32(a, b);
}

CTM INT OF(neg)(INT a)
{
    return (INT)-a;
}

CTM INT OF(abs)(INT a)
{
    return (INT)(a > 0 ? a : -a);
}

CTM INT OF(sign)(INT a)
{
    return (INT)ctm_sign_i32(a);
}

CTM INT OF(trunc_divide)(INT a, INT b)
{
    return (INT)ctm_trunc_divide_i32(a, b);
}

CTM INT OF(floor_divide)(INT a, INT b)
{
    return (INT)ctm_floor_divide_i32(a, b);
}

CTM INT OF(fmod)(INT a, INT b)
{
    return (INT)ctm_fmod_i32(a, b);
}

CTM INT OF(remainder)(INT a, INT b)
{
    return (INT)ctm_remainder_i32(a, b);
}

CTM INT OF(pow)(INT a, INT b)
{
    return (INT)ctm_pow_i32(a, b);
}

CTM INT OF(gcd)(INT a, INT b)
{
    return (INT)ctm_gcd_i32(a, b);
}

CTM INT OF(lcm)(INT a, INT b)
{
    return (INT)ctm_lcm_i32(a, b);
}

/* Shifts by each bit of the count in turn, because there is no vector shift with different counts
 * for integers of this size. */
CTM INT OF(bitwise_left_shift)(INT a, INT b)
{
    UINT x = (UINT)a, count = (UINT)b;
    if (sizeof(INT) > 1)
        x = (UINT)((count & 8) != 0 ? x << 8 : x);
    x = (UINT)((count & 4) != 0 ? x << 4 : x);
    x = (UINT)((count & 2) != 0 ? x << 2 : x);
    x = (UINT)((count & 1) != 0 ? x << 1 : x);
    return count < 8 * sizeof(INT) ? (INT)x : 0;
}

/* A shift by the last bit and one more leaves only the sign, or 0. */
CTM INT OF(bitwise_right_shift)(INT a, INT b)
{
    UINT last = 8 * sizeof(INT) - 1, count = (UINT)b < last ? (UINT)b : last;
    if (sizeof(INT) > 1)
        a = (INT)((count & 8) != 0 ? a >> 8 : a);
    a = (INT)((count & 4) != 0 ? a >> 4 : a);
    a = (INT)((count & 2) != 0 ? a >> 2 : a);
    a = (INT)((count & 1) != 0 ? a >> 1 : a);
    return (UINT)b > last ? (INT)(a >> 1) : a;
}

#include "integer_order.h"

#undef INT
#undef UINT
#undef OF
