/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions of single float16 and bfloat16 elements, for printing, item() and fills. math/half.h
 * has the versions for loops. */
#ifndef CORTEN_CORE_HALF_H
#define CORTEN_CORE_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t cti_float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float cti_bits_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float cti_half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = h >> 10 & 31u, mantissa = h & 0x3ffu;
    if (exponent == 31)
        return cti_bits_float(sign | 0x7f800000u | mantissa << 13);
    if (exponent != 0)
        return cti_bits_float(sign | (exponent + 112) << 23 | mantissa << 13);
    float small = (float)mantissa * 0x1p-24f; /* zero and denormal numbers, exactly */
    return sign ? -small : small;
}

static inline uint16_t cti_float_to_half(float x)
{
    uint32_t bits = cti_float_bits(x), sign = bits >> 16 & 0x8000u, a = bits & 0x7fffffffu;
    if (a > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00u);
    if (a >= 0x477ff000u) /* rounds to 65536 and beyond */
        return (uint16_t)(sign | 0x7c00u);
    if (a < 0x38800000u) { /* below the smallest normal number: count in units of 2^-24 */
        float shifted = cti_bits_float(a) + 0.5f; /* adding rounds to nearest even */
        return (uint16_t)(sign | (cti_float_bits(shifted) - cti_float_bits(0.5f)));
    }
    uint32_t odd = a >> 13 & 1u;
    return (uint16_t)(sign | ((a - 0x38000000u + 0xfffu + odd) >> 13));
}

static inline float cti_bfloat_to_float(uint16_t b)
{
    return cti_bits_float((uint32_t)b << 16);
}

static inline uint16_t cti_float_to_bfloat(float x)
{
    uint32_t bits = cti_float_bits(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fc0u;
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

#endif
