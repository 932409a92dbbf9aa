/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of integer.h for one type that fits int32: it computes there and wraps at the end.
 * Included with INT, the type, and OF(word), a function of it. */

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
    return (INT)ctm_neg_i32(a);
}

CTM INT OF(abs)(INT a)
{
    return (INT)ctm_abs_i32(a);
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

CTM INT OF(bitwise_left_shift)(INT a, INT b)
{
    return (INT)ctm_bitwise_left_shift_i32(a, b);
}

CTM INT OF(bitwise_right_shift)(INT a, INT b)
{
    return (INT)ctm_bitwise_right_shift_i32(a, b);
}

#include "integer_order.h"

#undef INT
#undef OF
