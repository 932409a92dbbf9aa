/* SPDX-License-Identifier: BSD-3-Clause */
/* Mantissa and exponent (frexp, ldexp), nextafter for half types, and logaddexp2.
 *
 * Exact unless a comment gives a bound. Branch-free. Called by the generated loops. */
#ifndef CORTEN_MATH_PARTS_H
#define CORTEN_MATH_PARTS_H

#include "basic.h"
#include "exp.h"
#include "half.h"
#include "log.h"
#include "types.h"

/* x 2^k with k such that the result is normal; *less is what that adds to the exponent. */
CTM float ctm_normal_f32(float x, int32_t *less)
{
    bool tiny = ctm_abs_f32(x) < 0x1p-126f;
    *less = tiny ? 24 : 0;
    return tiny ? x * 0x1p24f : x;
}

CTM double ctm_normal_f64(double x, int64_t *less)
{
    bool tiny = ctm_abs_f64(x) < 0x1p-1022;
    *less = tiny ? 54 : 0;
    return tiny ? x * 0x1p54 : x;
}

/* C's frexp as two functions: 1/2 <= |mantissa| < 1. For zeros, infinities and NaN the mantissa is
 * x itself and the exponent 0. */
CTM float ctm_frexp_mantissa_f32(float x)
{
    int32_t less;
    float y = ctm_normal_f32(x, &less);
    float half = ctm_f32_of_bits((ctm_bits_f32(y) & 0x807fffffu) | 0x3f000000u);
    return ((x == 0.0f) | !ctm_isfinite_f32(x)) ? x : half;
}

CTM double ctm_frexp_mantissa_f64(double x)
{
    int64_t less;
    double y = ctm_normal_f64(x, &less);
    double half = ctm_f64_of_bits((ctm_bits_f64(y) & 0x800fffffffffffffu) | 0x3fe0000000000000u);
    return ((x == 0.0) | !ctm_isfinite_f64(x)) ? x : half;
}

CTM float ctm_frexp_exponent_f32(float x)
{
    int32_t less;
    float y = ctm_normal_f32(x, &less);
    int32_t e = (int32_t)(ctm_bits_f32(y) >> 23 & 0xffu) - 126 - less;
    return ((x == 0.0f) | !ctm_isfinite_f32(x)) ? 0.0f : (float)e;
}

CTM double ctm_frexp_exponent_f64(double x)
{
    int64_t less;
    double y = ctm_normal_f64(x, &less);
    int64_t e = (int64_t)(ctm_bits_f64(y) >> 52 & 0x7ffu) - 1022 - less;
    return ((x == 0.0) | !ctm_isfinite_f64(x)) ? 0.0 : (double)e;
}

/* x 2^n. float32: in double, one rounding. float64: libm for integers n, otherwise error below 1.6
 * ULP. */
CTM float ctm_ldexp_f32(float x, float n)
{
    double c = n < -400.0f ? -400.0 : (double)n;
    c = c > 400.0 ? 400.0 : c;
    return (float)((double)x * ctm_exp2_short_f64(c));
}

CTM double ctm_ldexp_f64(double x, double n)
{
    double c = n < -4000.0 ? -4000.0 : n;
    c = c > 4000.0 ? 4000.0 : c;
    return ctm_round_f64(c) == c ? ldexp(x, (int)c) : x * ctm_exp2_f64(c);
}

/* nextafter of float16 and of bfloat16; both arguments have values of that type. */
CTM float ctm_nextafter_half_f32(float x, float y)
{
    uint32_t bits = ctm_f16_from_f32(x);
    uint32_t away = (x < y) == (x > 0.0f) ? bits + 1u : bits - 1u;
    uint32_t from_zero = (ctm_bits_f32(y) >> 16 & 0x8000u) | 1u;
    float step = ctm_f32_from_f16((uint16_t)(x == 0.0f ? from_zero : away));
    float same = x == y ? y : step;
    return ((x != x) | (y != y)) ? x + y : same;
}

CTM float ctm_nextafter_bfloat_f32(float x, float y)
{
    uint32_t bits = ctm_bits_f32(x) >> 16;
    uint32_t away = (x < y) == (x > 0.0f) ? bits + 1u : bits - 1u;
    uint32_t from_zero = (ctm_bits_f32(y) >> 16 & 0x8000u) | 1u;
    float step = ctm_f32_of_bits((x == 0.0f ? from_zero : away) << 16);
    float same = x == y ? y : step;
    return ((x != x) | (y != y)) ? x + y : same;
}

/* log2(2^a + 2^b) = m + log2(1 + 2^-|a - b|), where m is the larger. Error below 0.51 ULP; if the
 * two terms cancel, 0.51 ULP of m. */
CTM float ctm_logaddexp2_f32(float a, float b)
{
    double m = (double)ctm_maximum_f32(a, b);
    double d = -ctm_abs_f64((double)a - (double)b);
    d = d < -900.0 ? -900.0 : d;
    double y = m + ctm_log1p_wide_f64(ctm_exp2_short_f64(d)) * 0x1.71547652b82fep0;
    return ((a == b) & !ctm_isfinite_f32(a)) ? a : (float)y;
}

/* Error below 2 ULP; if the two terms cancel, 2 ULP of m. */
CTM double ctm_logaddexp2_f64(double a, double b)
{
    double tail = ctm_log1p_f64(ctm_exp2_f64(-ctm_abs_f64(a - b))) * 0x1.71547652b82fep0;
    double y = ctm_maximum_f64(a, b) + tail;
    return ((a == b) & !ctm_isfinite_f64(a)) ? a : y;
}

#endif
