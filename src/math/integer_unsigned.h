/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of integer.h for one unsigned type, included there with
 *   UINT      the type; BITS its size in bits
 *   OF(name)  the name of a function of it; trunc_divide is defined before */

CTM UINT OF(add)(UINT a, UINT b)
{
    return a + b;
}

CTM UINT OF(sub)(UINT a, UINT b)
{
    return a - b;
}

CTM UINT OF(mul)(UINT a, UINT b)
{
    return a * b;
}

CTM UINT OF(neg)(UINT a)
{
    return 0u - a;
}

CTM UINT OF(abs)(UINT a)
{
    return a;
}

CTM UINT OF(sign)(UINT a)
{
    return a > 0;
}

CTM UINT OF(fmod)(UINT a, UINT b)
{
    UINT r = OF(sub)(a, OF(mul)(OF(trunc_divide)(a, b), b));
    return b == 0 ? 0 : r;
}

CTM UINT OF(remainder)(UINT a, UINT b)
{
    return OF(fmod)(a, b);
}

CTM UINT OF(floor_divide)(UINT a, UINT b)
{
    return OF(trunc_divide)(a, b);
}

CTM UINT OF(pow)(UINT a, UINT b)
{
    return (UINT)ctm_power_u64(a, b);
}

CTM UINT OF(gcd)(UINT a, UINT b)
{
    return (UINT)ctm_common_u64(a, b);
}

CTM UINT OF(lcm)(UINT a, UINT b)
{
    return OF(mul)(OF(trunc_divide)(a, OF(gcd)(a, b)), b);
}

CTM UINT OF(bitwise_left_shift)(UINT a, UINT b)
{
    UINT shifted = a << (b & (BITS - 1));
    return b < BITS ? shifted : 0u;
}

CTM UINT OF(bitwise_right_shift)(UINT a, UINT b)
{
    UINT shifted = a >> (b & (BITS - 1));
    return b < BITS ? shifted : 0u;
}

#define INT UINT
#include "integer_order.h"

#undef INT
#undef UINT
#undef BITS
#undef OF
