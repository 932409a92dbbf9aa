/* SPDX-License-Identifier: BSD-3-Clause */
/* float16 and bfloat16 as 16 bits, to and from float32, rounded to nearest even.
 *
 * Integer arithmetic only, so that a loop vectorises on every instruction set: gcc 12 does not
 * vectorise _Float16, and F16C's scalar instruction would be slower here. The bits equal F16C's,
 * including the payloads of NaN. Called by the loops that cast blocks of half types to float32 and
 * back. */
#ifndef CORTEN_MATH_HALF_H
#define CORTEN_MATH_HALF_H

#include "types.h"

/* Shifts the fields to those of float32, and corrects the exponent by a multiplication by 2^112,
 * which also handles denormals. */
CTM float ctm_f32_from_f16(uint16_t h)
{
#ifdef __CUDACC__
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
#else
    uint32_t sign = ((uint32_t)h & 0x8000u) << 16;
    uint32_t body = ((uint32_t)h & 0x7fffu) << 13;
    uint32_t finite = ctm_bits_f32(ctm_f32_of_bits(body) * 0x1p112f);
    uint32_t quiet = body > 0x0f800000u ? 0x7fc00000u : 0x7f800000u;
    return ctm_f32_of_bits((body >= 0x0f800000u ? body | quiet : finite) | sign);
#endif
}

/* Normal results: an integer addition rounds, and carries into the exponent. Denormal ones: adding
 * 0.5 leaves the digits in the low bits, rounded by the hardware. */
CTM uint16_t ctm_f16_from_f32(float x)
{
#ifdef __CUDACC__
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
    return half;
#else
    uint32_t bits = ctm_bits_f32(x);
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t a = bits & 0x7fffffffu;
    uint32_t normal = (a + (0xc8000fffu + ((a >> 13) & 1u))) >> 13;
    uint32_t small = ctm_bits_f32(ctm_f32_of_bits(a) + 0.5f) - 0x3f000000u;
    uint32_t h = a < 0x38800000u ? small : normal;
    h = a >= 0x477ff000u ? 0x7c00u : h;
    h = a > 0x7f800000u ? 0x7e00u | ((a >> 13) & 0x3ffu) : h;
    return (uint16_t)(h | sign);
#endif
}

/* A complex32 is two float16, with the real part in the lower bits. */
CTM ct_c64 ctm_c64_from_c32(uint32_t h)
{
    ct_c64 z = {ctm_f32_from_f16((uint16_t)h), ctm_f32_from_f16((uint16_t)(h >> 16))};
    return z;
}

CTM uint32_t ctm_c32_from_c64(ct_c64 z)
{
    return ctm_f16_from_f32(z.re) | (uint32_t)ctm_f16_from_f32(z.im) << 16;
}

CTM float ctm_f32_from_bf16(uint16_t b)
{
    return ctm_f32_of_bits((uint32_t)b << 16);
}

/* A NaN becomes 0x7fc0 with the sign of x. */
CTM uint16_t ctm_bf16_from_f32(float x)
{
    uint32_t bits = ctm_bits_f32(x);
    uint32_t rounded = (bits + (0x7fffu + ((bits >> 16) & 1u))) >> 16;
    uint32_t nan = ((bits >> 16) & 0x8000u) | 0x7fc0u;
    return (uint16_t)(x != x ? nan : rounded);
}

#endif
