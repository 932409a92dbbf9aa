/* SPDX-License-Identifier: BSD-3-Clause */
/* Circular functions: sin, cos, tan, asin, acos, atan, atan2.
 *
 * Note [Wide arguments]
 * ctm_sin, ctm_cos and ctm_tan are branch-free with a short reduction that is exact enough while
 * ctm_narrow(x) holds: |x| <= 2^21 (float32, about 2e6) or 2^20 (float64, about 1e6), or not
 * finite. Beyond it use ctm_sin_wide and so on, right for every argument; a loop asks ctm_narrow
 * for a block of elements and picks one of the two for the block. CUDA's words ask for themselves.
 *
 * sin and cos reduce to x = n pi + r, |r| <= pi / 2, and use one odd polynomial (Sollya's
 * fpminimax). float32 computes in double: that is the cheapest way to know r to enough digits. */
#ifndef CORTEN_MATH_TRIG_H
#define CORTEN_MATH_TRIG_H

#include "types.h"

CTM bool ctm_narrow_f32(float x)
{
    float a = ctm_f32_of_bits(ctm_bits_f32(x) & 0x7fffffffu);
    return !(a > 0x1p21f) | !(a < CTM_INF_F32);
}

CTM bool ctm_narrow_f64(double x)
{
    double a = ctm_f64_of_bits(ctm_bits_f64(x) & 0x7fffffffffffffffu);
    return !(a > 0x1p20) | !(a < CTM_INF_F64);
}

/* sin(r) for |r| <= pi / 2 + 2^-10, relative error 2^-33; the sign is flipped where flip is odd. */
CTM float ctm_sin_short_f32(double r, uint64_t flip)
{
    double z = r * r;
    double p = ctm_fma_f64(-0x1.9daef0dd57a69p-26, z, 0x1.71967be0b2114p-19);
    p = ctm_fma_f64(p, z, -0x1.a019055d77a06p-13);
    p = ctm_fma_f64(p, z, 0x1.11110fda488c2p-7);
    p = ctm_fma_f64(p, z, -0x1.5555555460369p-3);
    p = ctm_fma_f64(p, z, 1.0);
    return (float)ctm_f64_of_bits(ctm_bits_f64(r * p) ^ (flip << 63));
}

/* x - n pi for |n| <= 2^20: the first part of pi has 33 bits, so n times it is exact. */
CTM double ctm_less_pi_f32(double x, double n)
{
    double r = ctm_fma_f64(n, -0x1.921fb544p1, x);
    return ctm_fma_f64(n, -0x1.0b4611a626331p-33, r);
}

/* Error below 0.51 ULP where ctm_narrow_f32(x). */
CTM float ctm_sin_f32(float x)
{
    double z = ctm_fma_f64((double)x, 0x1.45f306dc9c883p-2, CTM_SHIFT_F64);
    double r = ctm_less_pi_f32((double)x, z - CTM_SHIFT_F64);
    return ctm_sin_short_f32(r, ctm_bits_f64(z));
}

/* cos(x) = -(-1)^k sin(x - (k + 1/2) pi). Error below 0.51 ULP where ctm_narrow_f32(x). */
CTM float ctm_cos_f32(float x)
{
    double z = ctm_fma_f64((double)x, 0x1.45f306dc9c883p-2, -0.5) + CTM_SHIFT_F64;
    double r = ctm_less_pi_f32((double)x, (z - CTM_SHIFT_F64) + 0.5);
    return ctm_sin_short_f32(r, ctm_bits_f64(z) + 1u);
}

#endif
