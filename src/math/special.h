/* SPDX-License-Identifier: BSD-3-Clause */
/* Special functions: erf, erfc, erfinv.
 *
 * float32 but erf computes in double; all branch-free. Polynomials by Sollya's fpminimax, or
 * through Chebyshev's points computed to 60 digits; float64's erfinv is Wichura's PPND16 (Applied
 * Statistics 37, 1988, AS 241). Called by the generated loops. */
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

/* Two ways, met at 15/16: a + a q(a^2), and 1 - 2^g with g = a h(a) = log2(erfc(a)) taken apart
 * into a whole and a fraction without rounding. 1 in every digit beyond 4. Error below 1.1 ULP with
 * fma, 1.3 without. */
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

/* 1 + erf(x / sqrt(2)), twice the normal distribution. Here erf counts by its absolute error alone,
 * so 1 - 2^g serves for all x, g = a h(a) = log2(erfc(a / sqrt(2))). Absolute error below 1.5 *
 * 2^-24, relative for x < 0 as that of the sum of 1 and a rounded erf, which is PyTorch's. */
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

/* erf(a) = a + a q(a^2) for 0 <= a <= 1. */
CTM double ctm_erf_near_f64(double a)
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
    q = ctm_fma_f64(q, s, 0x1.06eba8214db69p-3);
    return ctm_fma_f64(q, a, a);
}

/* As float32's, met at 1: x + x q(x^2), and 1 - 2^g, g = |x| h(|x|) = log2(erfc(|x|)), h fitted by
 * weighted least squares. 1 in every digit beyond 6. Error below 1.5 ULP with fma, 1.6 without. */
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
    double near = ctm_erf_near_f64(a), far = ctm_fma_f64(e, -two_n, 1.0 - two_n);
    double y = a > 1.0 ? far : near;
    return ctm_f64_of_bits(ctm_bits_f64(y) | (ctm_bits_f64(x) & 0x8000000000000000u));
}

CTM double ctm_ndtr_twice_f64(double x)
{
    return 1.0 + ctm_erf_f64(x * 0x1.6a09e667f3bcdp-1);
}

/* (1 + 2x) e^(x^2) erfc(x) for x >= 0, in (x - 3) / (x + 3). */
static const double ctm_erfcx_sum[] = {
    0x1.40c522d7e4987p+0,  -0x1.15c084bb9e8f2p-3,  -0x1.85a15c58aa5e6p-5,  0x1.098366a5b466cp-3,
    -0x1.e88b803a49228p-4, 0x1.17ca2877f2532p-4,   -0x1.8574c40bd189cp-6,  0x1.4b884e41eebcbp-9,
    0x1.ef1bdd4ca47a3p-10, -0x1.98db50d72f6fdp-11, -0x1.b91279aaf4f8dp-14, 0x1.065a34115a389p-13,
    0x1.4c2781340ddffp-18, -0x1.513b482a54a1dp-16, -0x1.88ba0a324beaap-21, 0x1.d20f41dbcb1c9p-19,
    0x1.7f26fd7caec6cp-22, -0x1.4b0fad3f74c42p-21, -0x1.3015c7bf14f85p-23, 0x1.b58741910ab39p-24,
    0x1.67206d83c9b4dp-25, -0x1.c9e3f1cd92f5bp-27, -0x1.24124a7979a5cp-27, 0x1.0fbd1ff90e1c8p-30,
    0x1.e750cac4778d3p-31,
};

/* e^(a^2) erfc(a) for a >= 0. Error below 3 ULP. */
CTM double ctm_erfcx_right_f64(double a)
{
    double c = a > 0x1p60 ? 0x1p60 : a;
    return CTM_HORNER(ctm_erfcx_sum, (c - 3.0) / (c + 3.0)) / (1.0 + 2.0 * a);
}

/* e^(x^2) for side 1 and e^(-x^2) for -1, 0 <= x < 2^26: the square is known as a sum of two, or
 * its rounding would cost x^2 ULP. */
CTM double ctm_exp_square_f64(double x, double side)
{
    double head = ctm_f64_of_bits(ctm_bits_f64(x) & 0xfffffffff8000000u);
    double tail = (x - head) * (x + head), square = head * head + tail;
    double low = side * ((head * head - square) + tail), c = side * square;
    low = square < 750.0 ? low : 0.0;
    c = c < -746.0 ? -746.0 : c;
    c = c > 710.0 ? 710.0 : c;
    ctm_expred_f64 e = ctm_exp_reduce_f64(c);
    double s = 1.0 + e.r, t = e.r - (s - 1.0);
    return ctm_scale_f64(s + (t + (e.q + low * (s + e.q))), e.n_biased);
}

/* 1 - erf(x) left of 1/2, else by erfcx. Error below 4 ULP. */
CTM_LONG double ctm_erfc_f64(double x)
{
    double a = ctm_abs_f64(x), c = a > 28.0 ? 28.0 : a;
    double near = 1.0 - ctm_copysign_f64(ctm_erf_near_f64(c < 0.5 ? c : 0.5), x);
    double far = ctm_erfcx_right_f64(c) * ctm_exp_square_f64(c, -1.0);
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

/* The same at a tail p, r = sqrt(-log p) <= 5. */
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

/* What erfinv gives at and beyond 1. */
CTM double ctm_erfinv_special_f64(double x, double y)
{
    double a = ctm_abs_f64(x);
    y = a == 1.0 ? CTM_INF_F64 : y;
    y = a <= 1.0 ? y : CTM_NAN_F64;
    return ctm_copysign_f64(y, x);
}

/* erfinv(x) / x by w = -log(1 - x^2): for w <= 5 in w - 5/2, else in sqrt(w) - 25/8. Relative error
 * 2^-30. */
static const double ctm_erfinv_near[] = {
    0x1.805c5cfcedef5p+0,   0x1.f91e89955a57fp-3,   -0x1.11c3c3612a2ccp-8,  -0x1.4863d1009b54p-10,
    0x1.c9b46cd91df7ap-13,  -0x1.4f4496f9c1788p-18, -0x1.caa32f746fad4p-19, 0x1.00f8719914c4ap-21,
    0x1.d66fac2d14be4p-27,  -0x1.74f4495a187ccp-27, 0x1.c9c81e3c5b325p-31,  0x1.0e8b1b9516a51p-33,
    -0x1.75045e36fd876p-36,
};

static const double ctm_erfinv_far[] = {
    0x1.7aaa3c10b3684p+1,   0x1.00f3b54e1ba33p+0,  0x1.cde64daeac57p-8,    -0x1.5b690dbc6bda5p-8,
    0x1.f111ae9d79cd5p-9,   -0x1.4a3051b8ea7fap-9, 0x1.4d5c664cb6f59p-10,  -0x1.5cd63c6ebeb06p-12,
    -0x1.e5bf3357991a4p-14, 0x1.3274cb0cf7a3ep-13, -0x1.f85d4d27b9071p-16, -0x1.4bc77cd4bc4c9p-17,
};

/* Error below 0.53 ULP. */
CTM float ctm_erfinv_f32(float x)
{
    double a = (double)ctm_abs_f32(x), rest = a < 1.0 ? 1.0 - a * a : 1.0;
    double w = ctm_log2_short_f64(rest) * -0x1.62e42fefa39efp-1;
    double far = CTM_HORNER(ctm_erfinv_far, ctm_sqrt_f64(w) - 3.125);
    double y = a * (w <= 5.0 ? CTM_HORNER(ctm_erfinv_near, w - 2.5) : far);
    return (float)ctm_erfinv_special_f64((double)x, y);
}

/* erfinv(x) = quantile((1 + x) / 2) / sqrt(2). Error below 8 ULP. */
CTM double ctm_erfinv_f64(double x)
{
    double a = ctm_abs_f64(x);
    double p = a < 1.0 ? 0.5 - 0.5 * a : 0.5;
    double r = ctm_sqrt_f64(-ctm_log_f64(p));
    double tail = r <= 5.0 ? ctm_quantile_far_f64(r) : ctm_quantile_end_f64(r);
    double q = a <= 0.85 ? ctm_quantile_near_f64(0.5 * a) : tail;
    return ctm_erfinv_special_f64(x, q * 0x1.6a09e667f3bcdp-1);
}

#endif
