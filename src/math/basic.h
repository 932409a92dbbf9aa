/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact words of real numbers: sign and class tests, rounding, minimum and maximum, division with
 * its remainders, neighbours. Each result is exact or correctly rounded unless its comment says
 * otherwise.
 *
 * Branch-free and vectorised, except the _wide words (libm's fmod). Called by the generated
 * loops; results at the edges (NaN, infinities, -0) are PyTorch's. */
#ifndef CORTEN_MATH_BASIC_H
#define CORTEN_MATH_BASIC_H

#include "types.h"

CTM float ctm_abs_f32(float x)
{
    return ctm_f32_of_bits(ctm_bits_f32(x) & 0x7fffffffu);
}

CTM double ctm_abs_f64(double x)
{
    return ctm_f64_of_bits(ctm_bits_f64(x) & 0x7fffffffffffffffu);
}

CTM float ctm_copysign_f32(float size, float sign)
{
    return ctm_f32_of_bits((ctm_bits_f32(size) & 0x7fffffffu) | (ctm_bits_f32(sign) & 0x80000000u));
}

CTM double ctm_copysign_f64(double size, double sign)
{
    return ctm_f64_of_bits((ctm_bits_f64(size) & 0x7fffffffffffffffu) |
                           (ctm_bits_f64(sign) & 0x8000000000000000u));
}

CTM bool ctm_signbit_f32(float x)
{
    return ctm_bits_f32(x) >> 31;
}

CTM bool ctm_signbit_f64(double x)
{
    return ctm_bits_f64(x) >> 63;
}

CTM bool ctm_isnan_f32(float x)
{
    return x != x;
}

CTM bool ctm_isnan_f64(double x)
{
    return x != x;
}

CTM bool ctm_isinf_f32(float x)
{
    return ctm_abs_f32(x) == CTM_INF_F32;
}

CTM bool ctm_isinf_f64(double x)
{
    return ctm_abs_f64(x) == CTM_INF_F64;
}

CTM bool ctm_isfinite_f32(float x)
{
    return ctm_abs_f32(x) < CTM_INF_F32;
}

CTM bool ctm_isfinite_f64(double x)
{
    return ctm_abs_f64(x) < CTM_INF_F64;
}

/* -1, 0 or 1; 0 for NaN and -0, as torch.sign. */
CTM float ctm_sign_f32(float x)
{
    float y = x > 0.0f ? 1.0f : 0.0f;
    return x < 0.0f ? -1.0f : y;
}

CTM double ctm_sign_f64(double x)
{
    double y = x > 0.0 ? 1.0 : 0.0;
    return x < 0.0 ? -1.0 : y;
}

/* Words of complex numbers that formulas also say of real ones. */
CTM float ctm_conj_f32(float x)
{
    return x;
}

CTM double ctm_conj_f64(double x)
{
    return x;
}

CTM float ctm_sgn_f32(float x)
{
    return ctm_sign_f32(x);
}

CTM double ctm_sgn_f64(double x)
{
    return ctm_sign_f64(x);
}

/* pi below 0, else 0; NaN for NaN. */
CTM float ctm_angle_f32(float x)
{
    float y = x < 0.0f ? 0x1.921fb6p1f : 0.0f;
    return x != x ? x : y;
}

CTM double ctm_angle_f64(double x)
{
    double y = x < 0.0 ? 0x1.921fb54442d18p1 : 0.0;
    return x != x ? x : y;
}

CTM float ctm_square_f32(float x)
{
    return x * x;
}

CTM double ctm_square_f64(double x)
{
    return x * x;
}

CTM float ctm_sqrt_f32(float x)
{
#ifdef __CUDACC__
    return sqrtf(x);
#else
    return __builtin_sqrtf(x);
#endif
}

CTM double ctm_sqrt_f64(double x)
{
#ifdef __CUDACC__
    return sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
}

/* Two roundings, as PyTorch computes it: error below 1.5 ULP. */
CTM float ctm_rsqrt_f32(float x)
{
    return 1.0f / ctm_sqrt_f32(x);
}

CTM double ctm_rsqrt_f64(double x)
{
    return 1.0 / ctm_sqrt_f64(x);
}

CTM float ctm_reciprocal_f32(float x)
{
    return 1.0f / x;
}

CTM double ctm_reciprocal_f64(double x)
{
    return 1.0 / x;
}

/* Note [Rounding without SSE4.1]
 * The baseline has no rounding instruction that gcc vectorises. There |x| + 2^23 - 2^23 rounds half
 * to even where |x| < 2^23 (every larger float is an integer already), the sign is put back for -0,
 * and floor, ceil and trunc step back by one where that went too far. float64: 2^52. */
#if defined(__SSE4_1__) || defined(__CUDACC__)
#define CTM_HAS_ROUND 1
#endif

CTM float ctm_round_f32(float x)
{
#if defined(__CUDACC__)
    return rintf(x);
#elif defined(CTM_HAS_ROUND)
    return __builtin_rintf(x);
#else
    float a = ctm_abs_f32(x);
    float r = (a + 0x1p23f) - 0x1p23f;
    return ctm_copysign_f32(a < 0x1p23f ? r : a, x);
#endif
}

CTM double ctm_round_f64(double x)
{
#if defined(__CUDACC__)
    return rint(x);
#elif defined(CTM_HAS_ROUND)
    return __builtin_rint(x);
#else
    double a = ctm_abs_f64(x);
    double r = (a + 0x1p52) - 0x1p52;
    return ctm_copysign_f64(a < 0x1p52 ? r : a, x);
#endif
}

CTM float ctm_floor_f32(float x)
{
#if defined(__CUDACC__)
    return floorf(x);
#elif defined(CTM_HAS_ROUND)
    return __builtin_floorf(x);
#else
    float r = ctm_round_f32(x);
    return ctm_copysign_f32(r - (r > x ? 1.0f : 0.0f), x);
#endif
}

CTM double ctm_floor_f64(double x)
{
#if defined(__CUDACC__)
    return floor(x);
#elif defined(CTM_HAS_ROUND)
    return __builtin_floor(x);
#else
    double r = ctm_round_f64(x);
    return ctm_copysign_f64(r - (r > x ? 1.0 : 0.0), x);
#endif
}

CTM float ctm_ceil_f32(float x)
{
    return -ctm_floor_f32(-x);
}

CTM double ctm_ceil_f64(double x)
{
    return -ctm_floor_f64(-x);
}

CTM float ctm_trunc_f32(float x)
{
    return ctm_copysign_f32(ctm_floor_f32(ctm_abs_f32(x)), x);
}

CTM double ctm_trunc_f64(double x)
{
    return ctm_copysign_f64(ctm_floor_f64(ctm_abs_f64(x)), x);
}

/* What a number adds to a sum of squares. Exact rule: one rounding. */
CTM float ctm_norm_square_f32(float x)
{
    return x * x;
}

CTM double ctm_norm_square_f64(double x)
{
    return x * x;
}

/* NaN where either is NaN; a where they are equal. */
CTM float ctm_maximum_f32(float a, float b)
{
    float y = a < b ? b : a;
    return b != b ? b : y;
}

CTM double ctm_maximum_f64(double a, double b)
{
    double y = a < b ? b : a;
    return b != b ? b : y;
}

CTM float ctm_minimum_f32(float a, float b)
{
    float y = b < a ? b : a;
    return b != b ? b : y;
}

CTM double ctm_minimum_f64(double a, double b)
{
    double y = b < a ? b : a;
    return b != b ? b : y;
}

/* The other one where one is NaN. */
CTM float ctm_fmax_f32(float a, float b)
{
    float y = a < b ? b : a;
    return a != a ? b : y;
}

CTM double ctm_fmax_f64(double a, double b)
{
    double y = a < b ? b : a;
    return a != a ? b : y;
}

CTM float ctm_fmin_f32(float a, float b)
{
    float y = b < a ? b : a;
    return a != a ? b : y;
}

CTM double ctm_fmin_f64(double a, double b)
{
    double y = b < a ? b : a;
    return a != a ? b : y;
}

/* Note [Remainders]
 * The remainder of |a| by |b| is a float, so |a| - q |b| is exact in one rounding for the whole q
 * next to the quotient; a q that was rounded up makes it negative, and |b| mends that. This holds
 * up to quotients of 2^22 (2^51); beyond, where ctm_narrow_quotient does not hold, and for what is
 * not finite, the _wide words ask libm. Both are exact: see Note [Wide arguments] in trig.h.
 * Without fma float32 computes in double, and float64 is libm's. */
CTM bool ctm_narrow_quotient_f32(float a, float b)
{
    float size = ctm_abs_f32(b);
    return (ctm_abs_f32(a) < size * 0x1p22f) & (size < CTM_INF_F32);
}

CTM bool ctm_narrow_quotient_f64(double a, double b)
{
#if defined(__FMA__) || defined(__CUDACC__)
    double size = ctm_abs_f64(b);
    return (ctm_abs_f64(a) < size * 0x1p51) & (size < CTM_INF_F64);
#else
    (void)a, (void)b;
    return false;
#endif
}

/* C's fmod: the sign of a. Exact where ctm_narrow_quotient holds. */
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

/* libm, exact. */
CTM float ctm_fmod_wide_f32(float a, float b)
{
    return fmodf(a, b);
}

CTM double ctm_fmod_wide_f64(double a, double b)
{
    return fmod(a, b);
}

/* Python's %, the sign of b, from the remainder m of C's. */
CTM float ctm_remainder_of_f32(float m, float b)
{
    return ((m != 0.0f) & ((b < 0.0f) != (m < 0.0f))) ? m + b : m;
}

CTM double ctm_remainder_of_f64(double m, double b)
{
    return ((m != 0.0) & ((b < 0.0) != (m < 0.0))) ? m + b : m;
}

CTM float ctm_remainder_f32(float a, float b)
{
    return ctm_remainder_of_f32(ctm_fmod_f32(a, b), b);
}

CTM double ctm_remainder_f64(double a, double b)
{
    return ctm_remainder_of_f64(ctm_fmod_f64(a, b), b);
}

CTM float ctm_remainder_wide_f32(float a, float b)
{
    return ctm_remainder_of_f32(ctm_fmod_wide_f32(a, b), b);
}

CTM double ctm_remainder_wide_f64(double a, double b)
{
    return ctm_remainder_of_f64(ctm_fmod_wide_f64(a, b), b);
}

/* Python's // as PyTorch computes it: from the exact remainder m, so that a == q b + remainder(a,
 * b) as nearly as floats can; a / b where b is 0. */
CTM float ctm_floor_divide_of_f32(float a, float b, float m)
{
    float div = (a - m) / b;
    div = ((m != 0.0f) & ((b < 0.0f) != (m < 0.0f))) ? div - 1.0f : div;
    float f = ctm_floor_f32(div);
    f = div - f > 0.5f ? f + 1.0f : f;
    float y = div == 0.0f ? ctm_copysign_f32(0.0f, a / b) : f;
    return b == 0.0f ? a / b : y;
}

CTM double ctm_floor_divide_of_f64(double a, double b, double m)
{
    double div = (a - m) / b;
    div = ((m != 0.0) & ((b < 0.0) != (m < 0.0))) ? div - 1.0 : div;
    double f = ctm_floor_f64(div);
    f = div - f > 0.5 ? f + 1.0 : f;
    double y = div == 0.0 ? ctm_copysign_f64(0.0, a / b) : f;
    return b == 0.0 ? a / b : y;
}

CTM float ctm_floor_divide_f32(float a, float b)
{
    return ctm_floor_divide_of_f32(a, b, ctm_fmod_f32(a, b));
}

CTM double ctm_floor_divide_f64(double a, double b)
{
    return ctm_floor_divide_of_f64(a, b, ctm_fmod_f64(a, b));
}

CTM float ctm_floor_divide_wide_f32(float a, float b)
{
    return ctm_floor_divide_of_f32(a, b, ctm_fmod_wide_f32(a, b));
}

CTM double ctm_floor_divide_wide_f64(double a, double b)
{
    return ctm_floor_divide_of_f64(a, b, ctm_fmod_wide_f64(a, b));
}

CTM float ctm_trunc_divide_f32(float a, float b)
{
    return ctm_trunc_f32(a / b);
}

CTM double ctm_trunc_divide_f64(double a, double b)
{
    return ctm_trunc_f64(a / b);
}

/* The next float after x towards y. */
CTM float ctm_nextafter_f32(float x, float y)
{
    uint32_t bits = ctm_bits_f32(x);
    uint32_t away = (x < y) == (x > 0.0f) ? bits + 1u : bits - 1u;
    uint32_t from_zero = (ctm_bits_f32(y) & 0x80000000u) | 1u;
    float step = ctm_f32_of_bits(x == 0.0f ? from_zero : away);
    float same = x == y ? y : step;
    return ((x != x) | (y != y)) ? x + y : same;
}

CTM double ctm_nextafter_f64(double x, double y)
{
    uint64_t bits = ctm_bits_f64(x);
    uint64_t away = (x < y) == (x > 0.0) ? bits + 1u : bits - 1u;
    uint64_t from_zero = (ctm_bits_f64(y) & 0x8000000000000000u) | 1u;
    double step = ctm_f64_of_bits(x == 0.0 ? from_zero : away);
    double same = x == y ? y : step;
    return ((x != x) | (y != y)) ? x + y : same;
}

/* sqrt(a^2 + b^2). float32: squares are exact in double, error below 0.51 ULP; infinite if either
 * is. float64: of numbers near 1, error below 1 ULP with fma, 1.2 without. */
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
