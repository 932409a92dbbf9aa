/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions with the same text for every integer type, included at the end of integer_signed.h,
 * integer_unsigned.h and integer_narrow.h, with their INT and OF(name). */

CTM INT OF(maximum)(INT a, INT b)
{
    return a > b ? a : b;
}

CTM INT OF(minimum)(INT a, INT b)
{
    return a < b ? a : b;
}

CTM INT OF(square)(INT a)
{
    return OF(mul)(a, a);
}
