/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of real numbers with exact results: sign and class tests, rounding, minimum and
 * maximum, nextafter; and hypot. A result is exact or correctly rounded unless its comment gives a
 * bound.
 *
 * Branch-free, so that loops vectorise. Called by the generated loops; the results for NaN,
 * infinities and -0 are PyTorch's. */
#ifndef CORTEN_MATH_BASIC_H
#define CORTEN_MATH_BASIC_H

#include "types.h"

/* Note [Rounding without SSE4.1]
 * Without SSE4.1 there is no rounding instruction that gcc vectorises. Then |x| + 2^23 - 2^23
 * rounds half to even where |x| < 2^23 (every larger float is an integer), the sign is restored for
 * -0, and floor, ceil and trunc correct the result by one where rounding went the wrong way.
 * float64: 2^52. */
#if defined(__SSE4_1__) || defined(__CUDACC__)
#define CTM_HAS_ROUND 1
#endif

#define REAL float
#define OF(name) ctm_##name##_f32
#define UINT uint32_t
#define OF_BITS(bits) ctm_f32_of_bits(bits)
#define SIGN 0x80000000u
#define INFINITE CTM_INF_F32
#define PI 0x1.921fb6p1f
#define WHOLE 0x1p23f
#ifdef __CUDACC__
#define LIBM(name) name##f
#else
#define LIBM(name) __builtin_##name##f
#endif
#include "basic_typed.h"

#define REAL double
#define OF(name) ctm_##name##_f64
#define UINT uint64_t
#define OF_BITS(bits) ctm_f64_of_bits(bits)
#define SIGN 0x8000000000000000u
#define INFINITE CTM_INF_F64
#define PI 0x1.921fb54442d18p1
#define WHOLE 0x1p52
#ifdef __CUDACC__
#define LIBM(name) name
#else
#define LIBM(name) __builtin_##name
#endif
#include "basic_typed.h"

/* sqrt(a^2 + b^2); infinite if either is. float32: the squares are exact in double, error below
 * 0.51 ULP. float64: for numbers near 1, error below 1 ULP with fma, 1.2 without. */
CTM float ctm_hypot_f32(float a, float b)
{
    double x = (double)a, y = (double)b;
    float h = (float)ctm_sqrt_f64(x * x + y * y);
    h = ctm_abs_f32(a) == CTM_INF_F32 ? CTM_INF_F32 : h;
    return ctm_abs_f32(b) == CTM_INF_F32 ? CTM_INF_F32 : h;
}

CTM double ctm_hypot_f64(double a, double b)
{
    double x = ctm_abs_f64(a), y = ctm_abs_f64(b);
    double large = x > y ? x : y, small = x > y ? y : x;
    uint64_t e = ctm_bits_f64(large) & 0x7ff0000000000000u;
    e = e > 0x7fd0000000000000u ? 0x7fd0000000000000u : e;
    e = e < 0x0020000000000000u ? 0x0020000000000000u : e;
    double scale = ctm_f64_of_bits(0x7fe0000000000000u - e);
    double p = large * scale, q = small * scale;
    double h = ctm_sqrt_f64(ctm_fma_f64(p, p, q * q)) * ctm_f64_of_bits(e);
    h = ((x != x) | (y != y)) ? CTM_NAN_F64 : h;
    return ((x == CTM_INF_F64) | (y == CTM_INF_F64)) ? CTM_INF_F64 : h;
}

#endif
