/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of real numbers with remainders: C's fmod, Python's % and //, and truncated quotients.
 * Exact unless a comment gives a bound.
 *
 * Branch-free, so that loops vectorise, except the _wide functions, which may call libm's fmod.
 * Called by the generated loops; the results for NaN, infinities and -0 are PyTorch's. */
#ifndef CORTEN_MATH_DIVISION_H
#define CORTEN_MATH_DIVISION_H

#include "basic.h"

/* Note [Remainders]
 * The remainder of |a| by |b| is a float, so |a| - q |b| is exact with a single rounding if q is
 * the integer nearest below the quotient. If q was rounded up, the result is negative, and adding
 * |b| corrects it. This is valid for quotients up to 2^22 (float64: 2^51). If there is no remainder
 * (b = 0, a infinite, NaN), the same steps give NaN. For the other arguments, where
 * ctm_narrow_quotient is false, the _wide functions call libm. Both are exact, so Note [Wide
 * arguments] in trig.h applies. Without fma, float32 computes in double, and float64 uses libm. */
CTM bool ctm_narrow_quotient_f32(float a, float b)
{
    float x = ctm_abs_f32(a), y = ctm_abs_f32(b);
    bool far = ((x >= y * 0x1p22f) & (y > 0)) | (y == CTM_INF_F32);
    return !(far & (x < CTM_INF_F32));
}

CTM bool ctm_narrow_quotient_f64(double a, double b)
{
#if defined(__FMA__) || defined(__CUDACC__)
    double x = ctm_abs_f64(a), y = ctm_abs_f64(b);
    bool far = ((x >= y * 0x1p51) & (y > 0)) | (y == CTM_INF_F64);
    return !(far & (x < CTM_INF_F64));
#else
    (void)a, (void)b;
    return false;
#endif
}

/* C's fmod, with the sign of a. Exact if ctm_narrow_quotient. */
CTM float ctm_fmod_f32(float a, float b)
{
    float x = ctm_abs_f32(a), y = ctm_abs_f32(b);
#if defined(__FMA__) || defined(__CUDACC__)
    float r = ctm_fma_f32(-ctm_floor_f32(x / y), y, x);
    r = r < 0.0f ? r + y : r;
#else
    double q = ctm_floor_f64((double)x / (double)y);
    float r = (float)((double)x - q * (double)y);
#endif
    return ctm_f32_of_bits(ctm_bits_f32(r) | (ctm_bits_f32(a) & 0x80000000u));
}

CTM double ctm_fmod_f64(double a, double b)
{
#if defined(__FMA__) || defined(__CUDACC__)
    double x = ctm_abs_f64(a), y = ctm_abs_f64(b);
    double r = ctm_fma_f64(-ctm_floor_f64(x / y), y, x);
    r = r < 0.0 ? r + y : r;
    return ctm_f64_of_bits(ctm_bits_f64(r) | (ctm_bits_f64(a) & 0x8000000000000000u));
#else
    return fmod(a, b);
#endif
}

/* For every argument; calls libm if the short form is not valid. */
CTM float ctm_fmod_wide_f32(float a, float b)
{
    return ctm_narrow_quotient_f32(a, b) ? ctm_fmod_f32(a, b) : fmodf(a, b);
}

CTM double ctm_fmod_wide_f64(double a, double b)
{
    return ctm_narrow_quotient_f64(a, b) ? ctm_fmod_f64(a, b) : fmod(a, b);
}

#define REAL float
#define OF(name) ctm_##name##_f32
#include "division_typed.h"

#define REAL double
#define OF(name) ctm_##name##_f64
#include "division_typed.h"

#endif
