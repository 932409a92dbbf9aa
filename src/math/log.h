/* SPDX-License-Identifier: BSD-3-Clause */
/* Logarithms and functions made of them: log, log2, log10, log1p, logaddexp, pow, asinh, acosh,
 * atanh.
 *
 * x = 2^e (1 + f) with f near 0. float32 log uses a polynomial in f (Sollya's fpminimax) and keeps
 * e ln2 + f as a pair. The others use 2 atanh(s), s = f / (2 + f), as fdlibm does. The other
 * float32 functions compute in double, which makes them short and nearly correctly rounded.
 * Branch-free, except float64's pow without fma; called by the generated loops. */
#ifndef CORTEN_MATH_LOG_H
#define CORTEN_MATH_LOG_H

#include "basic.h"
#include "exp.h"
#include "types.h"

/* (log(1 + f) - f) / f^2 for 2/3 <= 1 + f < 4/3. */
CTM float ctm_log_poly_f32(float f)
{
    float p = ctm_fma_f32(0x1.e8550cp-4f, f, -0x1.071854p-3f);
    p = ctm_fma_f32(p, f, 0x1.b97f28p-4f);
    p = ctm_fma_f32(p, f, -0x1.f38694p-4f);
    p = ctm_fma_f32(p, f, 0x1.24e784p-3f);
    p = ctm_fma_f32(p, f, -0x1.559928p-3f);
    p = ctm_fma_f32(p, f, 0x1.999808p-3f);
    p = ctm_fma_f32(p, f, -0x1.ffff0ep-3f);
    p = ctm_fma_f32(p, f, 0x1.555556p-2f);
    return ctm_fma_f32(p, f, -0.5f);
}

/* Natural logarithm; 2/3 <= 1 + f < 4/3. Error below 0.85 ULP with fma, 0.95 without. */
CTM float ctm_log_f32(float x)
{
    float scaled = x < 0x1p-126f ? x * 0x1p23f : x;
    float e_bias = x < 0x1p-126f ? -23.0f : 0.0f;
    uint32_t bits = ctm_bits_f32(scaled);
    uint32_t above = bits - 0x3f2aaaabu;
    float e = (float)((int32_t)above >> 23) + e_bias;
    float f = ctm_f32_of_bits(bits - (above & 0xff800000u)) - 1.0f;
    float p = ctm_log_poly_f32(f);
    float high = e * 0x1.62e4p-1f; /* exact */
    float s = high + f;
    float t = f - (s - high);
    float y = s + ctm_fma_f32(f * f, p, ctm_fma_f32(e, 0x1.7f7d1cp-20f, t));
    y = x < CTM_INF_F32 ? y : x;
    y = x < 0.0f ? CTM_NAN_F32 : y;
    return x == 0.0f ? -CTM_INF_F32 : y;
}

/* log(1 + x) = log(u) + c / u, where u is 1 + x rounded, and c the rounding error. Error below 1.1
 * ULP. */
CTM float ctm_log1p_f32(float x)
{
    float u = 1.0f + x;
    float c = x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
    uint32_t bits = ctm_bits_f32(u);
    uint32_t above = bits - 0x3f2aaaabu;
    float e = (float)((int32_t)above >> 23);
    float f = ctm_f32_of_bits(bits - (above & 0xff800000u)) - 1.0f;
    float p = ctm_log_poly_f32(f);
    float high = e * 0x1.62e4p-1f; /* exact */
    float s = high + f;
    float t = f - (s - high);
    float y = s + ctm_fma_f32(f * f, p, ctm_fma_f32(e, 0x1.7f7d1cp-20f, t + c / u));
    y = x < CTM_INF_F32 ? y : x;
    y = x < -1.0f ? CTM_NAN_F32 : y;
    y = x == -1.0f ? -CTM_INF_F32 : y;
    return x == 0.0f ? x : y;
}

/* x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2). */
typedef struct {
    double e, f;
} ctm_logred_f64;

/* Needs a positive, finite, normal x. */
CTM ctm_logred_f64 ctm_log_reduce_f64(double x)
{
    ctm_logred_f64 r;
    uint64_t bits = ctm_bits_f64(x);
    uint64_t e_biased = (bits + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu)) >> 52;
    r.e = ctm_f64_of_bits(e_biased | 0x4330000000000000u) - (0x1p52 + 1023.0);
    r.f = ctm_f64_of_bits(bits - (e_biased << 52) + 0x3ff0000000000000u) - 1.0;
    return r;
}

/* Returns s (f^2/2 + R) of log(1 + f) = f - f^2/2 + s (f^2/2 + R), with s = f / (2 + f) and R = s^2
 * p(s^2). */
CTM double ctm_log_tail_f64(double f)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double p = ctm_fma_f64(0x1.2b5d0cf2ad28fp-3, z, 0x1.39fdfad2b2ddcp-3);
    p = ctm_fma_f64(p, z, 0x1.7462b7c2edf37p-3);
    p = ctm_fma_f64(p, z, 0x1.c71c62dafe998p-3);
    p = ctm_fma_f64(p, z, 0x1.2492492df8286p-2);
    p = ctm_fma_f64(p, z, 0x1.99999999952d3p-2);
    p = ctm_fma_f64(p, z, 0x1.5555555555558p-1);
    return s * ctm_fma_f64(p, z, 0.5 * f * f);
}

/* e ln2 + log(1 + f) + low as a sum of two numbers, as in fdlibm's e_log.c. */
CTM double ctm_log_parts_f64(double e, double f, double low, double *rest)
{
    double half = 0.5 * f * f;
    double tail = ctm_log_tail_f64(f) + ctm_fma_f64(e, 0x1.a39ef35793c76p-33, low);
    double high = e * 0x1.62e42feep-1; /* exact */
    double t = high + f;
    double t_low = f - (t - high);
    *rest = t_low + (tail - half);
    return t;
}

CTM double ctm_log_finish_f64(double e, double f, double low)
{
    double rest, t = ctm_log_parts_f64(e, f, low, &rest);
    return t + rest;
}

/* The result of log for an argument that is not positive and finite; otherwise y. */
CTM double ctm_log_special_f64(double x, double y)
{
    y = x < CTM_INF_F64 ? y : x;
    y = x < 0.0 ? CTM_NAN_F64 : y;
    return x == 0.0 ? -CTM_INF_F64 : y;
}

/* Natural logarithm. Error below 0.9 ULP. */
CTM double ctm_log_f64(double x)
{
    double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
    double e_bias = x < 0x1p-1022 ? -54.0 : 0.0;
    ctm_logred_f64 r = ctm_log_reduce_f64(scaled);
    return ctm_log_special_f64(x, ctm_log_finish_f64(r.e + e_bias, r.f, 0.0));
}

/* log(1 + x) = log(u) + c / u, where u is 1 + x rounded, and c the rounding error. Error below 0.9
 * ULP. */
CTM double ctm_log1p_f64(double x)
{
    double u = 1.0 + x;
    double c = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
    ctm_logred_f64 r = ctm_log_reduce_f64(u);
    double y = ctm_log_special_f64(u, ctm_log_finish_f64(r.e, r.f, c / u));
    return x == 0.0 ? x : y;
}

/* log(1 + f) in another base, as in FreeBSD's e_log2.c and e_log10.c: the high part of the
 * logarithm times the high part of 1 / ln(base), which is exact, plus the small products; e_high,
 * an integer, is added without rounding error. */
CTM double ctm_log_base_f64(double f, double e_high, double e_low, double base_high,
                            double base_low)
{
    double half = 0.5 * f * f;
    double high = ctm_f64_of_bits(ctm_bits_f64(f - half) & 0xffffffff00000000u);
    double low = ((f - high) - half) + ctm_log_tail_f64(f);
    double y = high * base_high;
    double y_low = ctm_fma_f64(low + high, base_low, ctm_fma_f64(low, base_high, e_low));
    double w = e_high + y;
    return w + (y_low + ((e_high - w) + y));
}

/* Error below 0.9 ULP; exact for powers of two. */
CTM double ctm_log2_f64(double x)
{
    double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
    double e_bias = x < 0x1p-1022 ? -54.0 : 0.0;
    ctm_logred_f64 r = ctm_log_reduce_f64(scaled);
    double y = ctm_log_base_f64(r.f, r.e + e_bias, 0.0, 0x1.71547p0, 0x1.94ae0bf85ddf4p-22);
    return ctm_log_special_f64(x, y);
}

/* Error below 1 ULP. */
CTM double ctm_log10_f64(double x)
{
    double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
    double e_bias = x < 0x1p-1022 ? -54.0 : 0.0;
    ctm_logred_f64 r = ctm_log_reduce_f64(scaled);
    double e = r.e + e_bias;
    double y = ctm_log_base_f64(r.f, e * 0x1.34413509f6p-2, e * 0x1.9fef311f12b36p-42, 0x1.bcb7bp-2,
                                0x1.526e50e32a6abp-26);
    return ctm_log_special_f64(x, y);
}

/* log(1 + f) for the f of ctm_log_reduce_f64; relative error 2^-43. For float32 functions. */
CTM double ctm_log1p_short_f64(double f)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double p = ctm_fma_f64(0x1.8c951d1576e8bp-3, z, 0x1.c67a525ead837p-3);
    p = ctm_fma_f64(p, z, 0x1.249325235eafap-2);
    p = ctm_fma_f64(p, z, 0x1.999998c91a08dp-2);
    p = ctm_fma_f64(p, z, 0x1.5555555565251p-1);
    return s * ctm_fma_f64(p, z, 2.0);
}

/* log2(x), relative error 2^-42, for x > 0 finite and normal. */
CTM double ctm_log2_short_f64(double x)
{
    ctm_logred_f64 r = ctm_log_reduce_f64(x);
    return ctm_fma_f64(ctm_log1p_short_f64(r.f), 0x1.71547652b82fep0, r.e);
}

/* log(1 + x), relative error 2^-42, for x > -1 finite; -0 for -0. */
CTM double ctm_log1p_wide_f64(double x)
{
    ctm_logred_f64 r = ctm_log_reduce_f64(1.0 + x);
    double y = ctm_log1p_short_f64(r.e == 0.0 ? x : r.f);
    return r.e == 0.0 ? y : ctm_fma_f64(r.e, 0x1.62e42fefa39efp-1, y);
}

/* The float32 functions below: error below 0.51 ULP. */
CTM float ctm_log2_f32(float x)
{
    return (float)ctm_log_special_f64((double)x, ctm_log2_short_f64((double)x));
}

CTM float ctm_log10_f32(float x)
{
    double y = ctm_log2_short_f64((double)x) * 0x1.34413509f79ffp-2;
    return (float)ctm_log_special_f64((double)x, y);
}

/* asinh |x| = log1p(|x| + x^2 / (1 + sqrt(1 + x^2))). */
CTM float ctm_asinh_f32(float x)
{
    double a = (double)ctm_abs_f32(x);
    double y = ctm_log1p_wide_f64(a + a * a / (1.0 + ctm_sqrt_f64(ctm_fma_f64(a, a, 1.0))));
    return ctm_copysign_f32((float)(a < CTM_INF_F64 ? y : a), x);
}

/* acosh x = log1p(t + sqrt(t (2 + t))), t = x - 1; NaN below 1. */
CTM float ctm_acosh_f32(float x)
{
    double t = (double)x - 1.0;
    double y = ctm_log1p_wide_f64(t + ctm_sqrt_f64(t * (2.0 + t)));
    y = t < CTM_INF_F64 ? y : t;
    return (float)(t < 0.0 ? CTM_NAN_F64 : y);
}

/* atanh |x| = log1p(2 |x| / (1 - |x|)) / 2. */
CTM float ctm_atanh_f32(float x)
{
    double a = (double)ctm_abs_f32(x);
    double y = 0.5 * ctm_log1p_wide_f64(2.0 * a / (1.0 - a));
    y = a < 1.0 ? y : (a == 1.0 ? CTM_INF_F64 : CTM_NAN_F64);
    return ctm_copysign_f32((float)y, x);
}

/* log(1 + u + low) for finite u >= 0 and a small low. */
CTM double ctm_log1p_sum_f64(double u, double low)
{
    double w = 1.0 + u, lost = u < 1.0 ? u - (w - 1.0) : 1.0 - (w - u);
    ctm_logred_f64 r = ctm_log_reduce_f64(w);
    return ctm_log_finish_f64(r.e, r.f, (lost + low) / w);
}

/* float64: the same, with the argument of the logarithm as a sum of two numbers. Above 2^28 it is
 * log(2 |x|), because x^2 could overflow. Error below 1 ULP. */
CTM double ctm_asinh_f64(double x)
{
    double a = ctm_abs_f64(x);
    bool big = a > 0x1p28;
    double c = big ? 1.0 : a, s = c * c, s_low = ctm_product_rest_f64(c, c, s);
    double w = 1.0 + s, w_low = (s < 1.0 ? s - (w - 1.0) : 1.0 - (w - s)) + s_low;
    double h = ctm_sqrt_f64(w), h_low = (w_low - ctm_product_rest_f64(h, h, w)) * (0.5 / h);
    double d = 1.0 + h, d_low = (1.0 - (d - h)) + h_low, inverse = 1.0 / d, q = s * inverse;
    double q_low = ((s_low - ctm_product_rest_f64(q, d, s)) - q * d_low) * inverse;
    double u = c + q, low = (q - (u - c)) + q_low;
    double y = ctm_log1p_sum_f64(big ? a - 1.0 : u, big ? 0.0 : low);
    y = a < CTM_INF_F64 ? y + (big ? 0x1.62e42fefa39efp-1 : 0.0) : a;
    return ctm_copysign_f64(y, x);
}

CTM double ctm_acosh_f64(double x)
{
    bool big = x > 0x1p28;
    double t = (big ? 2.0 : x) - 1.0, d = 2.0 + t, p = t * d, v = ctm_sqrt_f64(p);
    double p_low = ctm_fma_f64(t, t - (d - 2.0), ctm_product_rest_f64(t, d, p));
    double v_low = (p_low - ctm_product_rest_f64(v, v, p)) * (0.5 / v);
    double u = t + v, low = (t < v ? t - (u - v) : v - (u - t)) + (p > 0.0 ? v_low : 0.0);
    double y = ctm_log1p_sum_f64(big ? x - 1.0 : u, big ? 0.0 : low);
    y = x < CTM_INF_F64 ? y + (big ? 0x1.62e42fefa39efp-1 : 0.0) : x;
    return x < 1.0 ? CTM_NAN_F64 : y;
}

CTM double ctm_atanh_f64(double x)
{
    double a = ctm_abs_f64(x), c = a < 1.0 ? a : 0.5, d = 1.0 - c, inverse = 1.0 / d;
    double q = 2.0 * c * inverse, rest = ctm_product_rest_f64(q, d, 2.0 * c) + q * ((1.0 - d) - c);
    double y = 0.5 * ctm_log1p_sum_f64(q, -rest * inverse);
    y = a < 1.0 ? y : (a == 1.0 ? CTM_INF_F64 : CTM_NAN_F64);
    return ctm_copysign_f64(y, x);
}

/* log(e^a + e^b) = m + log1p(e^-|a - b|), where m is the larger. Error below 0.51 ULP; if the two
 * terms cancel, 0.51 ULP of m. */
CTM float ctm_logaddexp_f32(float a, float b)
{
    double m = (double)ctm_maximum_f32(a, b);
    double d = -ctm_abs_f64((double)a - (double)b);
    d = d < -600.0 ? -600.0 : d;
    double y = m + ctm_log1p_wide_f64(ctm_exp_short_f64(d));
    return ((a == b) & !ctm_isfinite_f32(a)) ? a : (float)y;
}

/* Error below 1.5 ULP; if the two terms cancel, 1.5 ULP of m. */
CTM double ctm_logaddexp_f64(double a, double b)
{
    double y = ctm_maximum_f64(a, b) + ctm_log1p_f64(ctm_exp_f64(-ctm_abs_f64(a - b)));
    return ((a == b) & !ctm_isfinite_f64(a)) ? a : y;
}

/* |x|^y = 2^(y log2 |x|) in double, then the special cases of C's pow, in the order in which they
 * override each other. Error below 0.55 ULP; x^3 is two products, as in PyTorch: 1 ULP. Conditions
 * on y alone are bit masks instead of bools, because gcc would not vectorise a loop over x
 * otherwise. */
CTM float ctm_pow_f32(float x, float y)
{
    float half = 0.5f * y;
    bool whole = ctm_round_f32(y) == y, odd = whole & (ctm_round_f32(half) != half);
    uint32_t flip = odd ? 0x80000000u : 0u, part = whole ? 0u : 0x7FC00000u;
    uint32_t lost = y != y ? 0x7FC00000u : 0u, zero = y == 0.0f ? ~0u : 0u;
    uint32_t three = y == 3.0f ? ~0u : 0u;
    x = ctm_f32_of_bits((ctm_bits_f32(x) & ~zero) | (0x3F800000u & zero)); /* x^0 is 1^0 */
    double a = (double)ctm_abs_f32(x), b = (double)y;
    double log_a = ctm_log_special_f64(a, ctm_log2_short_f64(a));
    double t = a == 1.0 ? 0.0 : b * log_a; /* (-1)^inf is 1 */
    t = t < -400.0 ? -400.0 : t;
    t = t > 400.0 ? 400.0 : t;
    uint32_t p = ctm_bits_f32((float)ctm_exp2_short_f64(t)) ^ (ctm_bits_f32(x) & flip);
    p |= ((x < 0.0f) & (a < CTM_INF_F64)) ? part : 0u;
    p = (p & ~three) | (ctm_bits_f32(x * x * x) & three);
    return x == 1.0f ? 1.0f : ctm_f32_of_bits(p | lost);
}

/* log(x) as a sum of two numbers for finite x > 0, relative error 2^-66: e ln2 + 2 s + s^3 p(s^2),
 * s = f / (2 + f), where s and the terms of similar size are sums of two numbers. */
CTM double ctm_log_pair_f64(double x, double *low)
{
    double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
    ctm_logred_f64 r = ctm_log_reduce_f64(scaled);
    double e = r.e + (x < 0x1p-1022 ? -54.0 : 0.0);
    double d = 2.0 + r.f, d_low = r.f - (d - 2.0), inverse = 1.0 / d;
    double s = r.f * inverse;
    double s_low = -ctm_fma_f64(s, d_low, ctm_product_rest_f64(s, d, r.f)) * inverse;
    double z = s * s, z_low = ctm_product_rest_f64(s, s, z) + 2.0 * s * s_low;
    double q = ctm_fma_f64(0x1.da90000729459p-4, z, 0x1.e01b9e2a1cd4cp-4);
    q = ctm_fma_f64(q, z, 0x1.11154601f4abdp-3);
    q = ctm_fma_f64(q, z, 0x1.3b13aa0342a95p-3);
    q = ctm_fma_f64(q, z, 0x1.745d173c57417p-3);
    q = ctm_fma_f64(q, z, 0x1.c71c71c74d1cp-3);
    q = ctm_fma_f64(q, z, 0x1.24924924922fcp-2);
    q = ctm_fma_f64(q, z, 0x1.999999999999ap-2) * z;
    double p = 0x1.5555555555555p-1 + q; /* 2/3 + ... */
    double p_low = (0x1.5555555555555p-1 - p) + q + 0x1.5555555555555p-55;
    double c = s * z, c_low = ctm_product_rest_f64(s, z, c) + ctm_fma_f64(s, z_low, s_low * z);
    double t = c * p, t_low = ctm_product_rest_f64(c, p, t) + ctm_fma_f64(c, p_low, c_low * p);
    double high = e * 0x1.62e42fefa38p-1, twice = 2.0 * s; /* exact */
    double sum = high + twice, rest = twice - (sum - high);
    double y = sum + t;
    rest = rest + ((sum - y) + t) + (2.0 * s_low + t_low) + e * 0x1.ef35793c7673p-45;
    double result = y + rest;
    *low = (y - result) + rest;
    return result;
}

/* e^(t + low), where low is small compared to t, or below 2^-30. Error below 0.75 ULP. */
CTM double ctm_exp_sum_f64(double t, double low)
{
    low = ctm_abs_f64(t) < 750.0 ? low : 0.0;
    t = t < -750.0 ? -750.0 : t;
    t = t > 710.0 ? 710.0 : t;
    ctm_expred_f64 e = ctm_exp_reduce_f64(t);
    double s = 1.0 + e.r, rest = e.r - (s - 1.0);
    return ctm_scale_f64(s + (rest + (e.q + low * (s + e.q))), e.n_biased);
}

#if defined(__FMA__) || defined(__CUDACC__)
/* |x|^y = e^(y log |x|), with sums of two numbers up to the last step; the special cases of C's pow
 * as in float32. Error below 0.75 ULP. */
CTM double ctm_pow_f64(double x, double y)
{
    double half = 0.5 * y;
    bool whole = ctm_round_f64(y) == y, odd = whole & (ctm_round_f64(half) != half);
    uint64_t flip = odd ? 0x8000000000000000u : 0u, part = whole ? 0u : 0x7ff8000000000000u;
    uint64_t lost = y != y ? 0x7ff8000000000000u : 0u, zero = y == 0.0 ? ~(uint64_t)0 : 0u;
    uint64_t three = y == 3.0 ? ~(uint64_t)0 : 0u;
    x = ctm_f64_of_bits((ctm_bits_f64(x) & ~zero) | (0x3ff0000000000000u & zero)); /* x^0 is 1^0 */
    double a = ctm_abs_f64(x), low;
    double log_a = ctm_log_pair_f64(a, &low);
    double t = y * log_a, t_low = ctm_fma_f64(y, log_a, -t) + y * low;
    bool edge = (a == 0.0) | !(a < CTM_INF_F64);
    t = edge ? y * (a == 0.0 ? -CTM_INF_F64 : a) : t;
    t = a == 1.0 ? 0.0 : t; /* (-1)^inf is 1 */
    double v = ctm_exp_sum_f64(t, a != 1.0 ? t_low : 0.0);
    uint64_t p = ctm_bits_f64(v) ^ (ctm_bits_f64(x) & flip);
    p |= ((x < 0.0) & (a < CTM_INF_F64)) ? part : 0u;
    p = (p & ~three) | (ctm_bits_f64(x * x * x) & three);
    return x == 1.0 ? 1.0 : ctm_f64_of_bits(p | lost);
}
#else
/* Calls libm; error below 1 ULP. */
CTM double ctm_pow_f64(double x, double y)
{
    return y == 3.0 ? x * x * x : pow(x, y);
}
#endif

#endif
