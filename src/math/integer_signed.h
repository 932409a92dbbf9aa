/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of integer.h for one signed type, included there with
 *   INT       the type; UINT the unsigned type of its size; BITS its size in bits
 *   OF(name)  the name of a function of it; trunc_divide is defined before
 *   OF_QUOTIENT(name)  the same for functions that divide */

CTM INT OF(add)(INT a, INT b)
{
    return (INT)((UINT)a + (UINT)b);
}

CTM INT OF(sub)(INT a, INT b)
{
    return (INT)((UINT)a - (UINT)b);
}

CTM INT OF(mul)(INT a, INT b)
{
    return (INT)((UINT)a * (UINT)b);
}

CTM INT OF(neg)(INT a)
{
    return (INT)(0u - (UINT)a);
}

CTM INT OF(abs)(INT a)
{
    return a < 0 ? OF(neg)(a) : a;
}

CTM INT OF(sign)(INT a)
{
    return (a > 0) - (a < 0);
}

/* C's %, with the sign of a. */
CTM INT OF_QUOTIENT(fmod)(INT a, INT b)
{
    INT r = OF(sub)(a, OF(mul)(OF(trunc_divide)(a, b), b));
    return b == 0 ? 0 : r;
}

/* Python's %, with the sign of b, and //, rounded down. */
CTM INT OF_QUOTIENT(remainder)(INT a, INT b)
{
    INT r = OF_QUOTIENT(fmod)(a, b);
    return ((r != 0) & ((r < 0) != (b < 0))) ? OF(add)(r, b) : r;
}

CTM INT OF_QUOTIENT(floor_divide)(INT a, INT b)
{
    INT q = OF(trunc_divide)(a, b);
    INT r = OF(sub)(a, OF(mul)(q, b));
    return OF(sub)(q, (b != 0) & (r != 0) & ((r < 0) != (b < 0)));
}

CTM INT OF(pow)(INT a, INT b)
{
    return (INT)ctm_power_i64(a, b);
}

CTM INT OF(gcd)(INT a, INT b)
{
    return (INT)ctm_common_u64((UINT)OF(abs)(a), (UINT)OF(abs)(b));
}

CTM INT OF(lcm)(INT a, INT b)
{
    return OF(abs)(OF(mul)(OF(trunc_divide)(a, OF(gcd)(a, b)), b));
}

CTM INT OF(bitwise_left_shift)(INT a, INT b)
{
    UINT shifted = (UINT)a << (b & (BITS - 1));
    return (UINT)b < BITS ? (INT)shifted : 0;
}

CTM INT OF(bitwise_right_shift)(INT a, INT b)
{
    return a >> ((UINT)b < BITS ? b : BITS - 1);
}

#include "integer_order.h"

#undef INT
#undef UINT
#undef BITS
#undef OF
#undef OF_QUOTIENT
