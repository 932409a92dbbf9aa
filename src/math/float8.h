/* SPDX-License-Identifier: BSD-3-Clause */
/* The five float8 types (Note [Float8] in core/dtype.h), to and from float32, rounded to nearest
 * even.
 *
 * Four of them are small floats: a sign, an exponent and `digits` bits of mantissa. They differ in
 * the bias of the exponent and in the meaning of the last codes:
 *
 *   type       digits  bias  beyond the largest number    NaN
 *   e4m3fn        3      7   448, the largest number      S.1111.111
 *   e5m2          2     15   infinity                     S.11111.xx, as in float16
 *   e4m3fnuz      3      8   NaN                          the code of -0
 *   e5m2fnuz      2     16   NaN                          the code of -0
 *
 * e8m0fnu is only the exponent of a float32: a power of two, with 255 as NaN and neither a sign nor
 * a zero. The bits equal PyTorch's for every code and every float32, including the payloads of NaN.
 * Integer arithmetic only, so that loops vectorise. core/float8.c has the functions for one
 * element. */
#ifndef CORTEN_MATH_FLOAT8_H
#define CORTEN_MATH_FLOAT8_H

#include "half.h"

/* The magnitude of a code: shifts its fields to those of float32, and corrects the exponent by a
 * multiplication, which also handles denormals. */
CTM uint32_t ctm_wide_float8(uint8_t x, int digits, float scale)
{
    return ctm_bits_f32(ctm_f32_of_bits(((uint32_t)x & 0x7fu) << (23 - digits)) * scale);
}

/* The code of the magnitude `a` of a float32, before any limit is applied. For the two ways of
 * rounding see ctm_f16_from_f32. */
CTM uint32_t ctm_narrow_float8(uint32_t a, int digits, int bias)
{
    int shift = 23 - digits;
    uint32_t magic = (uint32_t)(127 - bias + shift + 1) << 23;
    uint32_t half = (1u << (shift - 1)) - 1u, odd = (a >> shift) & 1u;
    uint32_t normal = (a - ((uint32_t)(127 - bias) << 23) + half + odd) >> shift;
    uint32_t small = ctm_bits_f32(ctm_f32_of_bits(a) + ctm_f32_of_bits(magic)) - magic;
    return a < (uint32_t)(128 - bias) << 23 ? small : normal;
}

CTM float ctm_f32_from_e4m3fn(uint8_t x)
{
    uint32_t wide = ctm_wide_float8(x, 3, 0x1p120f);
    wide = (x & 0x7f) == 0x7f ? 0x7ff00000u : wide;
    return ctm_f32_of_bits(wide | ((uint32_t)x & 0x80u) << 24);
}

CTM uint8_t ctm_e4m3fn_from_f32(float x)
{
    uint32_t bits = ctm_bits_f32(x), a = bits & 0x7fffffffu, r = ctm_narrow_float8(a, 3, 7);
    r = r > 0x7eu ? 0x7eu : r;
    r = a > 0x7f800000u ? 0x7fu : r;
    return (uint8_t)(r | (bits >> 24 & 0x80u));
}

/* e5m2 consists of the first eight bits of a float16. */
CTM float ctm_f32_from_e5m2(uint8_t x)
{
    return ctm_f32_from_f16((uint16_t)((uint32_t)x << 8));
}

CTM uint8_t ctm_e5m2_from_f32(float x)
{
    uint32_t bits = ctm_bits_f32(x), a = bits & 0x7fffffffu, r = ctm_narrow_float8(a, 2, 15);
    r = r > 0x7cu ? 0x7cu : r;
    r = a > 0x7f800000u ? 0x7fu : r;
    return (uint8_t)(r | (bits >> 24 & 0x80u));
}

CTM float ctm_f32_from_e4m3fnuz(uint8_t x)
{
    uint32_t wide = ctm_wide_float8(x, 3, 0x1p119f) | ((uint32_t)x & 0x80u) << 24;
    return ctm_f32_of_bits(x == 0x80 ? 0x7f800001u : wide);
}

/* There is no -0: its code is NaN. */
CTM uint8_t ctm_e4m3fnuz_from_f32(float x)
{
    uint32_t bits = ctm_bits_f32(x), a = bits & 0x7fffffffu, r = ctm_narrow_float8(a, 3, 8);
    r = r > 0x7fu ? 0x80u : r;
    return (uint8_t)(r | (r ? bits >> 24 & 0x80u : 0u));
}

CTM float ctm_f32_from_e5m2fnuz(uint8_t x)
{
    uint32_t wide = ctm_wide_float8(x, 2, 0x1p111f) | ((uint32_t)x & 0x80u) << 24;
    return ctm_f32_of_bits(x == 0x80 ? 0x7f800001u : wide);
}

CTM uint8_t ctm_e5m2fnuz_from_f32(float x)
{
    uint32_t bits = ctm_bits_f32(x), a = bits & 0x7fffffffu, r = ctm_narrow_float8(a, 2, 16);
    r = r > 0x7fu ? 0x80u : r;
    return (uint8_t)(r | (r ? bits >> 24 & 0x80u : 0u));
}

/* Code 0 is 2^-127, a denormal. */
CTM float ctm_f32_from_e8m0fnu(uint8_t x)
{
    uint32_t wide = x ? (uint32_t)x << 23 : 0x00400000u;
    return ctm_f32_of_bits(x == 0xff ? 0x7f800001u : wide);
}

/* A value halfway between two powers of two, or above, rounds up, except below the smallest normal
 * number. */
CTM uint8_t ctm_e8m0fnu_from_f32(float x)
{
    uint32_t a = ctm_bits_f32(x) & 0x7fffffffu, exponent = a >> 23;
    uint32_t up = (a >> 22 & 1u) & (uint32_t)(((a & 0x3fffffu) != 0) | (exponent != 0));
    return (uint8_t)(a >= 0x7f800000u ? 0xffu : exponent + up);
}

#endif
