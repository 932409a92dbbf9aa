/* SPDX-License-Identifier: BSD-3-Clause */
/* The five types of one byte (Note [Float8] in core/dtype.h), to and from float32, rounded to
 * nearest even.
 *
 * Four of them are small floats: a sign, an exponent and `digits` bits of the mantissa. They differ
 * in the bias of the exponent and in what the last codes mean:
 *
 *   type       digits  bias  beyond the greatest number   NaN
 *   e4m3fn        3      7   448, the greatest number     S.1111.111
 *   e5m2          2     15   infinity                     S.11111.xx, as in float16
 *   e4m3fnuz      3      8   NaN                          what would be -0
 *   e5m2fnuz      2     16   NaN                          what would be -0
 *
 * e8m0fnu is the exponent of a float32 alone: a power of two, with 255 as NaN and neither a sign
 * nor a zero. The bits equal PyTorch's for every code and every float32, payloads of NaN included.
 * Integer arithmetic only, so that loops vectorise. core/float8.c has the same for one element. */
#ifndef CORTEN_MATH_FLOAT8_H
#define CORTEN_MATH_FLOAT8_H

#include "half.h"

/* The magnitude of a code: its fields move into float32's places and a multiplication mends the
 * exponent, also of denormals. */
CTM uint32_t ctm_wide_float8(uint8_t x, int digits, float scale)
{
    return ctm_bits_f32(ctm_f32_of_bits(((uint32_t)x & 0x7fu) << (23 - digits)) * scale);
}

/* The magnitude of a code from the magnitude `a` of a float32, before any limit: see
 * ctm_f16_from_f32 for both ways of rounding. */
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

/* A float16 without its last eight bits. */
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

/* Zero has no sign: its code would be that of NaN. */
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

/* Half a step above a power of two rounds up, save below the least normal number. */
CTM uint8_t ctm_e8m0fnu_from_f32(float x)
{
    uint32_t a = ctm_bits_f32(x) & 0x7fffffffu, exponent = a >> 23;
    uint32_t up = (a >> 22 & 1u) & (uint32_t)(((a & 0x3fffffu) != 0) | (exponent != 0));
    return (uint8_t)(a >= 0x7f800000u ? 0xffu : exponent + up);
}

#endif
