/* SPDX-License-Identifier: BSD-3-Clause */
/* Special functions: erf, erfc, erfinv.
 *
 * float32 functions except erf compute in double; all are branch-free. Polynomials are fitted by
 * Sollya's fpminimax, or interpolate at Chebyshev points computed to 60 digits. The quantiles are
 * Wichura's PPND16 (Applied Statistics 37, 1988, AS 241). Called by the generated loops. */
#ifndef CORTEN_MATH_SPECIAL_H
#define CORTEN_MATH_SPECIAL_H

#include "basic.h"
#include "exp.h"
#include "log.h"
#include "types.h"

/* erf(x) for |x| <= 1; relative error 2^-34. */
CTM double ctm_erf_short_f64(double x)
{
    double z = x * x;
    double p = ctm_fma_f64(-0x1.4383fc9545591p-17, z, 0x1.d8268dd5bd567p-14);
    p = ctm_fma_f64(p, z, -0x1.bcbe99bccf4cdp-11);
    p = ctm_fma_f64(p, z, 0x1.5628eddbf150fp-8);
    p = ctm_fma_f64(p, z, -0x1.b829a7a3d6359p-6);
    p = ctm_fma_f64(p, z, 0x1.ce2f079892a4p-4);
    p = ctm_fma_f64(p, z, -0x1.8127465fb8db1p-2);
    p = ctm_fma_f64(p, z, 0x1.20dd7504007d3p0);
    return x * p;
}

/* erfc(a) for 1 <= a <= 10.2; relative error 2^-31. erfc(a) e^(a^2) (1 + 2 a) is smooth in
 * t = (a - 4) / (a + 4). */
CTM double ctm_erfc_short_f64(double a)
{
    double t = (a - 4.0) / (a + 4.0);
    double p = ctm_fma_f64(-0x1.8909bd87d5d83p-12, t, 0x1.46d3b5adb89p-8);
    p = ctm_fma_f64(p, t, -0x1.0c25c65529c52p-6);
    p = ctm_fma_f64(p, t, 0x1.306d075d97804p-5);
    p = ctm_fma_f64(p, t, -0x1.0f9221bd22cb8p-4);
    p = ctm_fma_f64(p, t, 0x1.7ff01f42c2fbp-4);
    p = ctm_fma_f64(p, t, -0x1.9ddd5b6568758p-4);
    p = ctm_fma_f64(p, t, 0x1.16eccd222cfep-4);
    p = ctm_fma_f64(p, t, 0x1.f7f65791abeaap-7);
    p = ctm_fma_f64(p, t, -0x1.1df1acd5c7821p-3);
    p = ctm_fma_f64(p, t, 0x1.3ba5916d95195p0);
    return ctm_exp_short_f64(-(a * a)) * p / ctm_fma_f64(2.0, a, 1.0);
}

/* Two formulas: a + a q(a^2) for a < 15/16, and above 1 - 2^g with g = a h(a) = log2(erfc(a)),
 * split into an integer and a fraction without rounding. For a > 4 the result rounds to 1. Error
 * below 1.1 ULP with fma, 1.3 without. */
CTM float ctm_erf_f32(float x)
{
    float a = ctm_abs_f32(x);
    a = a > 4.0f ? 4.0f : a;
    float s = a * a;
    float q = ctm_fma_f32(-0x1.37cd6cp-11f, s, 0x1.46b886p-8f);
    q = ctm_fma_f32(q, s, -0x1.b677ecp-6f);
    q = ctm_fma_f32(q, s, 0x1.ce196p-4f);
    q = ctm_fma_f32(q, s, -0x1.8126e2p-2f);
    q = ctm_fma_f32(q, s, 0x1.06eba6p-3f);
    float h = ctm_fma_f32(0x1.421584p-12f, a, -0x1.2f228ep-8f);
    h = ctm_fma_f32(h, a, 0x1.0e31ap-5f);
    h = ctm_fma_f32(h, a, -0x1.36e1c4p-3f);
    h = ctm_fma_f32(h, a, -0x1.d59a9ap-1f);
    h = ctm_fma_f32(h, a, -0x1.a0ca62p0f);
    float z = ctm_fma_f32(h, a, CTM_SHIFT_F32);
    float f = ctm_fma_f32(h, a, -(z - CTM_SHIFT_F32));
    float e = ctm_two_to_f32(f);
    float minus_two_n = ctm_f32_of_bits((ctm_bits_f32(z) << 23) + 0xbf800000u);
    float near = ctm_fma_f32(q, a, a), far = ctm_fma_f32(e, minus_two_n, 1.0f);
    float y = a > 0.9375f ? far : near;
    return ctm_f32_of_bits(ctm_bits_f32(y) | (ctm_bits_f32(x) & 0x80000000u));
}

/* 1 + erf(x / sqrt(2)), twice the normal distribution function. Only the absolute error of erf
 * matters here, so 1 - 2^g is used for all x, with g = a h(a) = log2(erfc(a / sqrt(2))). Absolute
 * error below 1.5 * 2^-24; for x < 0 the relative error is that of PyTorch, which adds 1 and a
 * rounded erf. */
CTM float ctm_ndtr_twice_f32(float x)
{
    float a = ctm_abs_f32(x);
    a = a > 5.65625f ? 5.65625f : a;
    float h = ctm_fma_f32(-0x1.7c7ec2p-19f, a, 0x1.4a52ep-15f);
    h = ctm_fma_f32(h, a, -0x1.8672acp-13f);
    h = ctm_fma_f32(h, a, -0x1.1f2d5cp-13f);
    h = ctm_fma_f32(h, a, 0x1.cee888p-8f);
    h = ctm_fma_f32(h, a, -0x1.ae0c78p-5f);
    h = ctm_fma_f32(h, a, -0x1.d63aacp-2f);
    h = ctm_fma_f32(h, a, -0x1.26aed4p0f);
    float z = ctm_fma_f32(h, a, CTM_SHIFT_F32);
    float f = ctm_fma_f32(h, a, -(z - CTM_SHIFT_F32));
    float y = ctm_fma_f32(ctm_two_to_f32(f), ctm_f32_of_bits((ctm_bits_f32(z) << 23) + 0xbf800000u),
                          1.0f);
    return 1.0f + ctm_f32_of_bits(ctm_bits_f32(y) | (ctm_bits_f32(x) & 0x80000000u));
}

/* x times the normal distribution function. */
CTM float ctm_gelu_f32(float x)
{
    return x * 0.5f * ctm_ndtr_twice_f32(x);
}

/* Error below 0.52 ULP. */
CTM float ctm_erfc_f32(float x)
{
    double a = (double)ctm_abs_f32(x);
    double c = a > 10.2 ? 10.2 : a;
    double near = 1.0 - ctm_erf_short_f64((double)x);
    double far = ctm_erfc_short_f64(c);
    far = x < 0.0f ? 2.0 - far : far;
    return (float)(a < 1.0 ? near : far);
}

/* q of erf(a) = a + a q(a^2) for 0 <= a <= 1. */
CTM double ctm_erf_part_f64(double a)
{
    double s = a * a;
    double q = ctm_fma_f64(0x1.297830425d4c6p-34, s, -0x1.46794feb14f71p-30);
    q = ctm_fma_f64(q, s, 0x1.fc78cbccf5c55p-27);
    q = ctm_fma_f64(q, s, -0x1.5f9828c55da1cp-23);
    q = ctm_fma_f64(q, s, 0x1.b9ee95850f6f4p-20);
    q = ctm_fma_f64(q, s, -0x1.f4d333884b5cap-17);
    q = ctm_fma_f64(q, s, 0x1.f9a335388d2f5p-14);
    q = ctm_fma_f64(q, s, -0x1.c02db49b09506p-11);
    q = ctm_fma_f64(q, s, 0x1.565bcd12991cp-8);
    q = ctm_fma_f64(q, s, -0x1.b82ce312abf08p-6);
    q = ctm_fma_f64(q, s, 0x1.ce2f21a04362dp-4);
    q = ctm_fma_f64(q, s, -0x1.812746b0379fdp-2);
    return ctm_fma_f64(q, s, 0x1.06eba8214db69p-3);
}

/* As in float32, with the limit 1: x + x q(x^2), and 1 - 2^g with g = |x| h(|x|) = log2(erfc(|x|)),
 * where h is a weighted least-squares fit. For |x| > 6 the result rounds to 1. Error below 1.5 ULP
 * with fma, 1.6 without. */
CTM double ctm_erf_f64(double x)
{
    double a = ctm_abs_f64(x);
    a = a > 6.0 ? 6.0 : a;
    double u = a - 3.5;
    double h = ctm_fma_f64(0x1.30e7c7dd3b2f4p-39, u, 0x1.1e87d860b08a1p-35);
    h = ctm_fma_f64(h, u, 0x1.e462dd0043339p-33);
    h = ctm_fma_f64(h, u, 0x1.e76ff2cb088aep-31);
    h = ctm_fma_f64(h, u, 0x1.23578c12fede2p-29);
    h = ctm_fma_f64(h, u, 0x1.b6072873f0dd1p-29);
    h = ctm_fma_f64(h, u, 0x1.0eaa29369f781p-31);
    h = ctm_fma_f64(h, u, -0x1.9d0b8c25ab865p-29);
    h = ctm_fma_f64(h, u, 0x1.92083e2ffbb51p-30);
    h = ctm_fma_f64(h, u, -0x1.52a67eb85d72ap-23);
    h = ctm_fma_f64(h, u, 0x1.709710bb74e34p-20);
    h = ctm_fma_f64(h, u, -0x1.5d78cab175172p-17);
    h = ctm_fma_f64(h, u, 0x1.2c85f017bb093p-14);
    h = ctm_fma_f64(h, u, -0x1.e5c67190a68e2p-12);
    h = ctm_fma_f64(h, u, 0x1.79bd0e5faad4p-9);
    h = ctm_fma_f64(h, u, -0x1.20c7b441e5d83p-6);
    h = ctm_fma_f64(h, u, -0x1.554217e6a0ccp0);
    h = ctm_fma_f64(h, u, -0x1.744bcdcacf971p2);
    double z = ctm_fma_f64(h, a, CTM_SHIFT_F64);
    double f = ctm_fma_f64(h, a, -(z - CTM_SHIFT_F64)) * 0x1.62e42fefa39efp-1;
    double e = ctm_fma_f64(f * f, ctm_exp_tail_f64(f), f);
    double two_n = ctm_f64_of_bits((ctm_bits_f64(z) << 52) + 0x3ff0000000000000u);
    double near = ctm_fma_f64(ctm_erf_part_f64(a), a, a), far = ctm_fma_f64(e, -two_n, 1.0 - two_n);
    double y = a > 1.0 ? far : near;
    return ctm_f64_of_bits(ctm_bits_f64(y) | (ctm_bits_f64(x) & 0x8000000000000000u));
}

CTM double ctm_ndtr_twice_f64(double x)
{
    return 1.0 + ctm_erf_f64(x * 0x1.6a09e667f3bcdp-1);
}

CTM double ctm_gelu_f64(double x)
{
    return x * 0.5 * ctm_ndtr_twice_f64(x);
}

/* (1 + 2x) e^(x^2) erfc(x) - 5/4 for x >= 1/2, as a polynomial in (x - 3) / (x + 3); error
 * 2^-58. */
static const double ctm_erfcx_sum[] = {
    0x1.8a45afc930e69p-9,  -0x1.15c084bb9e8f4p-3,  -0x1.85a15c58aa62dp-5,  0x1.098366a5b4763p-3,
    -0x1.e88b803a48524p-4, 0x1.17ca2877edc8dp-4,   -0x1.8574c40c33141p-6,  0x1.4b884e4c19a76p-9,
    0x1.ef1bdda290da7p-10, -0x1.98db527ab352bp-11, -0x1.b912a3cbe1fe7p-14, 0x1.065a5eeca976ep-13,
    0x1.4c33fab3f9627p-18, -0x1.51411a3324ab1p-16, -0x1.89e05770742aap-21, 0x1.d297ed8b9e324p-19,
    0x1.834b4b2561779p-22, -0x1.4f3fb6a2e9f08p-21, -0x1.383eab2265503p-23, 0x1.df93a19139637p-24,
    0x1.70abe723a91a3p-25, -0x1.5f0dba7857daap-26, -0x1.f3e615e3aceb0p-28, 0x1.bfa85defe33e1p-29,
};

/* e^(a^2) erfc(a) for a >= 1/2 as a sum of two numbers. */
CTM double ctm_erfcx_right_f64(double a, double *low)
{
    double c = a > 0x1p60 ? 0x1p60 : a;
    double part = CTM_HORNER(ctm_erfcx_sum, (c - 3.0) / (c + 3.0));
    double top = 1.25 + part, top_low = part - (top - 1.25);
    double d = 1.0 + 2.0 * a, d_low = 1.0 - (d - 2.0 * a), inverse = 1.0 / d;
    double y = top * inverse;
    double rest = (top_low - ctm_product_rest_f64(y, d, top)) - y * d_low;
    *low = a < 0x1p60 ? rest * inverse : 0.0;
    return y;
}

/* e^(x^2) for side 1 and e^(-x^2) for side -1, for 0 <= x < 2^26, divided by 2^*n, as a sum of two
 * numbers. The square is a sum of two numbers, too; its rounding error would cost x^2 ULP. */
CTM double ctm_exp_square_parts_f64(double x, double side, double *rest, uint64_t *n)
{
    double head = ctm_f64_of_bits(ctm_bits_f64(x) & 0xfffffffff8000000u);
    double tail = (x - head) * (x + head), square = head * head + tail;
    double low = side * ((head * head - square) + tail), c = side * square;
    low = square < 750.0 ? low : 0.0;
    c = c < -746.0 ? -746.0 : c;
    c = c > 710.0 ? 710.0 : c;
    ctm_expred_f64 e = ctm_exp_reduce_f64(c);
    double s = 1.0 + e.r, t = e.r - (s - 1.0);
    *rest = t + (e.q + low * (s + e.q));
    *n = e.n_biased;
    return s;
}

CTM double ctm_exp_square_f64(double x, double side)
{
    uint64_t n;
    double rest, s = ctm_exp_square_parts_f64(x, side, &rest, &n);
    return ctm_scale_f64(s + rest, n);
}

/* 1 - erf(x) for |x| <= 1/2; |x| is a. */
CTM double ctm_erfc_near_f64(double x, double a)
{
    double head = 1.0 - x, rest = (1.0 - head) - x;
    return head + (rest - x * ctm_erf_part_f64(a));
}

/* 1 - erf(x) for x < 1/2, otherwise by erfcx. Error below 1 ULP, 1.3 for denormal results. */
CTM_LONG double ctm_erfc_f64(double x)
{
    double a = ctm_abs_f64(x), c = a > 28.0 ? 28.0 : a < 0.5 ? 0.5 : a;
    double near = ctm_erfc_near_f64(x, a < 0.5 ? a : 0.5);
    uint64_t n;
    double low, y = ctm_erfcx_right_f64(c, &low);
    double rest, e = ctm_exp_square_parts_f64(c, -1.0, &rest, &n);
    double p = y * e, p_low = ctm_product_rest_f64(y, e, p) + ctm_fma_f64(y, rest, low * e);
    double far = ctm_scale_f64(p + p_low, n);
    return a < 0.5 ? near : x < 0.0 ? 2.0 - far : far;
}

/* The quantile of the normal distribution at 1/2 + q, |q| <= 0.425. */
CTM double ctm_quantile_near_f64(double q)
{
    double r = ctm_fma_f64(-q, q, 0.180625);
    double a = ctm_fma_f64(2.5090809287301226727e+3, r, 3.3430575583588128105e+4);
    a = ctm_fma_f64(a, r, 6.7265770927008700853e+4);
    a = ctm_fma_f64(a, r, 4.5921953931549871457e+4);
    a = ctm_fma_f64(a, r, 1.3731693765509461125e+4);
    a = ctm_fma_f64(a, r, 1.9715909503065514427e+3);
    a = ctm_fma_f64(a, r, 1.3314166789178437745e+2);
    a = ctm_fma_f64(a, r, 3.3871328727963666080e+0);
    double b = ctm_fma_f64(5.2264952788528545610e+3, r, 2.8729085735721942674e+4);
    b = ctm_fma_f64(b, r, 3.9307895800092710610e+4);
    b = ctm_fma_f64(b, r, 2.1213794301586595867e+4);
    b = ctm_fma_f64(b, r, 5.3941960214247511077e+3);
    b = ctm_fma_f64(b, r, 6.8718700749205790830e+2);
    b = ctm_fma_f64(b, r, 4.2313330701600911252e+1);
    b = ctm_fma_f64(b, r, 1.0);
    return q * a / b;
}

/* The same for a tail probability p with r = sqrt(-log p) <= 5. */
CTM double ctm_quantile_far_f64(double r)
{
    r -= 1.6;
    double a = ctm_fma_f64(7.74545014278341407640e-4, r, 2.27238449892691845833e-2);
    a = ctm_fma_f64(a, r, 2.41780725177450611770e-1);
    a = ctm_fma_f64(a, r, 1.27045825245236838258e+0);
    a = ctm_fma_f64(a, r, 3.64784832476320460504e+0);
    a = ctm_fma_f64(a, r, 5.76949722146069140550e+0);
    a = ctm_fma_f64(a, r, 4.63033784615654529590e+0);
    a = ctm_fma_f64(a, r, 1.42343711074968357734e+0);
    double b = ctm_fma_f64(1.05075007164441684324e-9, r, 5.47593808499534494600e-4);
    b = ctm_fma_f64(b, r, 1.51986665636164571966e-2);
    b = ctm_fma_f64(b, r, 1.48103976427480074590e-1);
    b = ctm_fma_f64(b, r, 6.89767334985100004550e-1);
    b = ctm_fma_f64(b, r, 1.67638483018380384940e+0);
    b = ctm_fma_f64(b, r, 2.05319162663775882187e+0);
    b = ctm_fma_f64(b, r, 1.0);
    return a / b;
}

/* The same for r > 5. */
CTM double ctm_quantile_end_f64(double r)
{
    r -= 5.0;
    double a = ctm_fma_f64(2.01033439929228813265e-7, r, 2.71155556874348757815e-5);
    a = ctm_fma_f64(a, r, 1.24266094738807843860e-3);
    a = ctm_fma_f64(a, r, 2.65321895265761230930e-2);
    a = ctm_fma_f64(a, r, 2.96560571828504891230e-1);
    a = ctm_fma_f64(a, r, 1.78482653991729133580e+0);
    a = ctm_fma_f64(a, r, 5.46378491116411436990e+0);
    a = ctm_fma_f64(a, r, 6.65790464350110377720e+0);
    double b = ctm_fma_f64(2.04426310338993978564e-15, r, 1.42151175831644588870e-7);
    b = ctm_fma_f64(b, r, 1.84631831751005468180e-5);
    b = ctm_fma_f64(b, r, 7.86869131145613259100e-4);
    b = ctm_fma_f64(b, r, 1.48753612908506148525e-2);
    b = ctm_fma_f64(b, r, 1.36929880922735805310e-1);
    b = ctm_fma_f64(b, r, 5.99832206555887937690e-1);
    b = ctm_fma_f64(b, r, 1.0);
    return a / b;
}

/* The values of erfinv for |x| >= 1: infinity at 1, NaN beyond. */
CTM double ctm_erfinv_special_f64(double x, double y)
{
    double a = ctm_abs_f64(x);
    y = a == 1.0 ? CTM_INF_F64 : y;
    y = a <= 1.0 ? y : CTM_NAN_F64;
    return ctm_copysign_f64(y, x);
}

/* erfinv(x) / x for w = -log2(1 - x^2) <= 23 in w - 0x1.704p3; relative error 2^-34. */
static const double ctm_erfinv_short[] = {
    0x1.5422bffef2039p+1,   0x1.f55fc13791d0fp-4,   -0x1.3f72a020243c4p-9,  0x1.5828e9112ee85p-14,
    -0x1.122502622a575p-19, -0x1.5b0ddc7dd076ap-24, 0x1.393b6525e877ap-26,  -0x1.d3d1b92e175e7p-30,
    0x1.d04cc7827d84ep-34,  -0x1.0c6fbed165e5ap-38, -0x1.2ee879123962bp-44, 0x1.df0b6161f258ep-46,
    -0x1.624d8982aaf24p-49, 0x1.6dec44cae6b48p-54,  0x1.6fc96e8141b3bp-60,  0x1.3405b39c05812p-61,
    -0x1.3cc17a4f9f8b7p-65, -0x1.7a235fff3cf4bp-67, 0x1.025c24d548c12p-70,  0x1.7534a1402246ep-75,
    -0x1.84d112a44a4b8p-78, -0x1.b9544e9fc3e19p-85, 0x1.f277198b8d2d6p-87,  -0x1.69f7894086234p-96,
    -0x1.e7085d7d68e93p-97,
};

/* Error below 0.51 ULP. */
CTM float ctm_erfinv_f32(float x)
{
    double a = (double)ctm_abs_f32(x), rest = a < 1.0 ? 1.0 - a * a : 1.0;
    double y = a * CTM_HORNER(ctm_erfinv_short, -ctm_log2_short_f64(rest) - 0x1.704p3);
    return (float)ctm_erfinv_special_f64((double)x, y);
}

/* With w = -log(1 - x^2): erfinv(x) / x - 1 for w <= 4, as a polynomial in w - 1; error 2^-58. */
static const double ctm_erfinv_near[] = {
    0x1.04dcddb9f1ca6p-3,   0x1.fb8fccc606520p-3,   0x1.16931130fada4p-8,   -0x1.3779be7c1cf7fp-9,
    0x1.a3f0f04a16d89p-14,  0x1.4075e58080453p-15,  -0x1.1eee00cdf7f75p-18, -0x1.2f73f709a8fb3p-21,
    0x1.06ac8e84016eep-23,  0x1.9f1397befd38ep-28,  -0x1.9fa3a6f925cc4p-29, 0x1.233657a9993f8p-36,
    0x1.2951843ef51aep-34,  -0x1.054e5a8643b5bp-38, -0x1.84151c4dde1aap-40, 0x1.5ce824e756119p-43,
    0x1.f0b660176bdf7p-46,  -0x1.06c7f8fc953b7p-47, 0x1.124ed0579934bp-51,  0x1.32f054de4e564p-56,
    -0x1.76a861a18a887p-59,
};

/* erfinv(x) / x - sqrt(w) for 4 <= w <= 36.1, in sqrt(w) - 0x1.0048p2, error 2^-57. */
static const double ctm_erfinv_far[] = {
    -0x1.48098c189128ep-3,  0x1.376fa50c80682p-7,   0x1.47449462871ddp-10,  -0x1.c4a7eb9349962p-11,
    0x1.4dd8d281dee0fp-12,  -0x1.e842309c45cd7p-14, 0x1.cab8617357fe1p-15,  -0x1.0b9657238095ap-15,
    0x1.336ae2446cab5p-16,  -0x1.25850d135f419p-17, 0x1.91e682fe9e98ap-19,  -0x1.cda4e7a54596ep-22,
    -0x1.18979284f5cb5p-22, 0x1.f5290079dfd12p-23,  -0x1.8dd442520eb87p-24, 0x1.078850fcd7d6ep-26,
    0x1.62a635a06e2a4p-28,  -0x1.393775ee0a84fp-28, 0x1.9a81e7ff988c0p-30,  -0x1.61a87f1b8ed15p-33,
    -0x1.5d1e91be6ced9p-34, 0x1.e55bfb1aa15b7p-35,  -0x1.5cd4690bd0788p-36, 0x1.53486f61989c8p-42,
    0x1.bd95a1a8bcf6dp-39,  -0x1.fa402361d82aap-44, -0x1.a6a8ce1474493p-41, 0x1.a60c7e1ea7ff8p-49,
    0x1.a50dea73eac88p-43,  -0x1.94950790ee027p-46, -0x1.c0a09dd8166fdp-46, 0x1.6fb8babd534dcp-48,
    0x1.dfa1b5b7fe0a5p-50,  -0x1.fedd6f46fc8b4p-52, -0x1.a330d1174d1dap-55, 0x1.09a779010e50cp-56,
};

/* 1 or sqrt(w) is the main part of erfinv(x) / x; the rounding error of the root is added. Error
 * below 1.5 ULP. */
CTM double ctm_erfinv_f64(double x)
{
    double a = ctm_abs_f64(x), low;
    ctm_logred_f64 r = ctm_log_reduce_f64(a < 1.0 ? (1.0 - a) * (1.0 + a) : 1.0);
    double high = ctm_log_parts_f64(r.e, r.f, 0.0, &low);
    double w = -(high + low), w_low = -((high + w) + low);
    double near = ctm_fma_f64(a, CTM_HORNER(ctm_erfinv_near, w - 1.0), a);
    double v = ctm_sqrt_f64(w < 4.0 ? 4.0 : w);
    double v_low = (w_low - ctm_product_rest_f64(v, v, w)) * (0.5 / v);
    double part = CTM_HORNER(ctm_erfinv_far, v - 0x1.0048p2) + v_low;
    double far = ctm_fma_f64(a, v, a * part);
    return ctm_erfinv_special_f64(x, w < 4.0 ? near : far);
}

#endif
