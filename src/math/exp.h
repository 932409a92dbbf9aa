/* SPDX-License-Identifier: BSD-3-Clause */
/* Exponentials: exp, exp2, expm1, sigmoid, tanh, sinh, cosh.
 *
 * All of them reduce c = n ln2 + r, |r| <= ln2 / 2 (Cody and Waite, with ln2 in two parts, so that
 * r is known to twice the precision) and use e^r = 1 + r + r^2 p(r), with p fitted by Sollya's
 * fpminimax. The sum is kept as a pair of numbers if another operation follows. The float32
 * functions that matter less for speed compute in double. Branch-free; called by the generated
 * loops. */
#ifndef CORTEN_MATH_EXP_H
#define CORTEN_MATH_EXP_H

#include "types.h"

/* e^c = 2^n (1 + r + q); n_biased = n + 254. */
typedef struct {
    float r, q;
    uint32_t n_biased;
} ctm_expred_f32;

typedef struct {
    double r, q;
    uint64_t n_biased;
} ctm_expred_f64;

/* Needs |c| < 2^15. Relative error of r + q: 2^-30. */
CTM ctm_expred_f32 ctm_exp_reduce_f32(float c)
{
    ctm_expred_f32 e;
    float z = ctm_fma_f32(c, 0x1.715476p0f, CTM_SHIFT_F32);
    float n = z - CTM_SHIFT_F32;
    float h = ctm_fma_f32(n, -0x1.62e4p-1f, c); /* exact: 15 bits times 8 */
    float l = n * 0x1.7f7d1cp-20f;
    e.r = h - l;
    float r_low = (h - e.r) - l;
    float p = ctm_fma_f32(0x1.9e0c1cp-13f, e.r, 0x1.6d437p-10f);
    p = ctm_fma_f32(p, e.r, 0x1.111306p-7f);
    p = ctm_fma_f32(p, e.r, 0x1.5554fp-5f);
    p = ctm_fma_f32(p, e.r, 0x1.555554p-3f);
    p = ctm_fma_f32(p, e.r, 0.5f);
    e.q = ctm_fma_f32(e.r * e.r, p, r_low);
    e.n_biased = ctm_bits_f32(z) - (ctm_bits_f32(CTM_SHIFT_F32) - 254u);
    return e;
}

/* (e^r - 1 - r) / r^2 for |r| <= ln2 / 2; 1 + r + r^2 times it is e^r to 2^-57. */
CTM double ctm_exp_tail_f64(double r)
{
    double p = ctm_fma_f64(0x1.ad935b5f9cc9dp-26, r, 0x1.28ae0d19fac0ep-22);
    p = ctm_fma_f64(p, r, 0x1.71df18c1ca421p-19);
    p = ctm_fma_f64(p, r, 0x1.a019994fb0d89p-16);
    p = ctm_fma_f64(p, r, 0x1.a01a012ff8c89p-13);
    p = ctm_fma_f64(p, r, 0x1.6c16c1847b872p-10);
    p = ctm_fma_f64(p, r, 0x1.1111111126b2ep-7);
    p = ctm_fma_f64(p, r, 0x1.55555555506afp-5);
    p = ctm_fma_f64(p, r, 0x1.55555555554fep-3);
    p = ctm_fma_f64(p, r, 0x1.000000000000ap-1);
    return p;
}

/* Needs |c| < 2^20. */
CTM ctm_expred_f64 ctm_exp_reduce_f64(double c)
{
    ctm_expred_f64 e;
    double z = ctm_fma_f64(c, 0x1.71547652b82fep0, CTM_SHIFT_F64);
    double n = z - CTM_SHIFT_F64;
    double h = ctm_fma_f64(n, -0x1.62e42feep-1, c); /* exact: 32 bits times 11 */
    double l = n * 0x1.a39ef35793c76p-33;
    e.r = h - l;
    double r_low = (h - e.r) - l;
    e.q = ctm_fma_f64(e.r * e.r, ctm_exp_tail_f64(e.r), r_low);
    e.n_biased = ctm_bits_f64(z) - (ctm_bits_f64(CTM_SHIFT_F64) - 2046u);
    return e;
}

/* y 2^n by two multiplications, of which only the last can round, so that the result may be
 * denormal or overflow. */
CTM float ctm_scale_f32(float y, uint32_t n_biased)
{
    uint32_t half = n_biased >> 1;
    return y * ctm_exp2i_f32(half) * ctm_exp2i_f32(n_biased - half);
}

CTM double ctm_scale_f64(double y, uint64_t n_biased)
{
    uint64_t half = n_biased >> 1;
    return y * ctm_exp2i_f64(half) * ctm_exp2i_f64(n_biased - half);
}

/* e^x. Error below 0.8 ULP (denormal results; others 0.7). */
CTM float ctm_exp_f32(float x)
{
    float c = x < -104.0f ? -104.0f : x;
    c = c > 89.0f ? 89.0f : c;
    ctm_expred_f32 e = ctm_exp_reduce_f32(c);
    float s = 1.0f + e.r;
    float t = e.r - (s - 1.0f);
    return ctm_scale_f32(s + (t + e.q), e.n_biased);
}

/* e^x. Error below 0.8 ULP (denormal results; others 0.7). */
CTM double ctm_exp_f64(double x)
{
    double c = x < -746.0 ? -746.0 : x;
    c = c > 710.0 ? 710.0 : c;
    ctm_expred_f64 e = ctm_exp_reduce_f64(c);
    double s = 1.0 + e.r;
    double t = e.r - (s - 1.0);
    return ctm_scale_f64(s + (t + e.q), e.n_biased);
}

/* e^c 2^24 (float64: 2^54) for c <= 0, or NaN: for sums of exponentials that are divided by the sum
 * in the end, as in softmax. The factor avoids denormals, so one multiplication for the exponent
 * suffices. Error below 1.2 ULP. Below c = -103.9 (-745.8), where e^c would be less than the
 * smallest denormal, the result is 0: masked-out entries must not become denormals, which make
 * multiplications about 100 times slower. */
CTM float ctm_exp_scaled_f32(float c)
{
    const float shift = CTM_SHIFT_F32 + 24.0f;
    float a = c < -103.9f ? -103.9f : c;
    float z = ctm_fma_f32(a, 0x1.715476p0f, shift);
    float n = z - shift;
    float r = ctm_fma_f32(n, -0x1.62e4p-1f, a);
    r = ctm_fma_f32(n, -0x1.7f7d1cp-20f, r);
    float p = ctm_fma_f32(0x1.9e0c1cp-13f, r, 0x1.6d437p-10f);
    p = ctm_fma_f32(p, r, 0x1.111306p-7f);
    p = ctm_fma_f32(p, r, 0x1.5554fp-5f);
    p = ctm_fma_f32(p, r, 0x1.555554p-3f);
    p = ctm_fma_f32(p, r, 0.5f);
    p = ctm_fma_f32(p, r, 1.0f);
    p = ctm_fma_f32(p, r, 1.0f);
    float y = ctm_f32_of_bits(ctm_bits_f32(p) + (ctm_bits_f32(z) << 23));
    y = c < -103.9f ? 0.0f : y;
    return ctm_fma_f32(a, 0.0f, y); /* keeps NaN, whatever the exponent bits */
}

CTM double ctm_exp_scaled_f64(double c)
{
    const double shift = CTM_SHIFT_F64 + 54.0;
    double a = c < -745.8 ? -745.8 : c;
    double z = ctm_fma_f64(a, 0x1.71547652b82fep0, shift);
    double n = z - shift;
    double r = ctm_fma_f64(n, -0x1.62e42feep-1, a);
    r = ctm_fma_f64(n, -0x1.a39ef35793c76p-33, r);
    double p = ctm_fma_f64(ctm_exp_tail_f64(r), r, 1.0);
    p = ctm_fma_f64(p, r, 1.0);
    double y = ctm_f64_of_bits(ctm_bits_f64(p) + (ctm_bits_f64(z) << 52));
    y = c < -745.8 ? 0.0 : y;
    return ctm_fma_f64(a, 0.0, y);
}

/* e^c - 1 = 2^n - 1 + 2^n r + 2^n q as a sum of two numbers, for c <= 40 and n > -127 (-1023). */
CTM float ctm_expm1_pair_f32(float c, float *low)
{
    ctm_expred_f32 e = ctm_exp_reduce_f32(c);
    float two_n = ctm_exp2i_f32(e.n_biased - 127u);
    float a = two_n - 1.0f;
    float b = two_n * e.r;
    float s = a + b;
    float t = (b - (s - a)) + ctm_fma_f32(two_n, e.q, two_n - (a + 1.0f));
    float y = s + t;
    *low = t - (y - s);
    return y;
}

CTM double ctm_expm1_pair_f64(double c, double *low)
{
    ctm_expred_f64 e = ctm_exp_reduce_f64(c);
    double two_n = ctm_exp2i_f64(e.n_biased - 1023u);
    double a = two_n - 1.0;
    double b = two_n * e.r;
    double s = a + b;
    double t = (b - (s - a)) + ctm_fma_f64(two_n, e.q, two_n - (a + 1.0));
    double y = s + t;
    *low = t - (y - s);
    return y;
}

/* tanh = N / (2 - N), N = 1 - e^(-2|x|), corrected by the remainder of the division. For |x| > 10
 * (20) it rounds to 1. Error below 0.8 ULP in float32, 1 in float64. */
CTM float ctm_tanh_f32(float x)
{
    float a = ctm_f32_of_bits(ctm_bits_f32(x) & 0x7fffffffu);
    a = a > 10.0f ? 10.0f : a;
    float n_low;
    float n = -ctm_expm1_pair_f32(-2.0f * a, &n_low);
    float d = 2.0f - n;
    float d_low = ((2.0f - d) - n) + n_low;
    float q = n / d;
    float rest = ctm_fma_exact_f32(-q, d, n) - ctm_fma_f32(q, d_low, n_low);
    float y = ctm_fma_f32(rest, ctm_fma_f32(q, 0.5f, 0.5f), q); /* 1 / d = (1 + q) / 2 */
    return ctm_f32_of_bits(ctm_bits_f32(y) | (ctm_bits_f32(x) & 0x80000000u));
}

CTM double ctm_tanh_f64(double x)
{
    double a = ctm_f64_of_bits(ctm_bits_f64(x) & 0x7fffffffffffffffu);
    a = a > 20.0 ? 20.0 : a;
    double n_low;
    double n = -ctm_expm1_pair_f64(-2.0 * a, &n_low);
    double d = 2.0 - n;
    double d_low = ((2.0 - d) - n) + n_low;
    double q = n / d;
    double rest = ctm_product_rest_f64(-q, d, -n) - ctm_fma_f64(q, d_low, n_low);
    double y = ctm_fma_f64(rest, ctm_fma_f64(q, 0.5, 0.5), q);
    return ctm_f64_of_bits(ctm_bits_f64(y) | (ctm_bits_f64(x) & 0x8000000000000000u));
}

/* e^c = 2^n (1 + r + ...) for float32 functions that compute in double. Needs |c| < 700. */
typedef struct {
    double r, two_n;
} ctm_expshort_f64;

CTM ctm_expshort_f64 ctm_exp_short_reduce_f64(double c)
{
    ctm_expshort_f64 e;
    double z = ctm_fma_f64(c, 0x1.71547652b82fep0, CTM_SHIFT_F64);
    e.r = ctm_fma_f64(z - CTM_SHIFT_F64, -0x1.62e42fefa39efp-1, c);
    e.two_n = ctm_f64_of_bits((ctm_bits_f64(z) << 52) + 0x3ff0000000000000u);
    return e;
}

/* e^r - 1 for |r| <= ln2 / 2; relative error 2^-31.9. */
CTM double ctm_expm1_short_f64(double r)
{
    double p = ctm_fma_f64(0x1.a032c28fb6a45p-13, r, 0x1.6d721bddfb8fp-10);
    p = ctm_fma_f64(p, r, 0x1.1111897f83ccp-7);
    p = ctm_fma_f64(p, r, 0x1.5554b10c8bd38p-5);
    p = ctm_fma_f64(p, r, 0x1.555554ef6f72ap-3);
    p = ctm_fma_f64(p, r, 0x1.00000025fb926p-1);
    return ctm_fma_f64(r * r, p, r);
}

/* e^c, relative error 2^-32, for |c| < 700. */
CTM double ctm_exp_short_f64(double c)
{
    ctm_expshort_f64 e = ctm_exp_short_reduce_f64(c);
    return ctm_fma_f64(ctm_expm1_short_f64(e.r), e.two_n, e.two_n);
}

/* e^x - 1. Error below 0.51 ULP. The last line keeps the sign of -0. */
CTM float ctm_expm1_f32(float x)
{
    float c = x < -20.0f ? -20.0f : x;
    c = c > 90.0f ? 90.0f : c;
    ctm_expshort_f64 e = ctm_exp_short_reduce_f64((double)c);
    float y = (float)ctm_fma_f64(ctm_expm1_short_f64(e.r), e.two_n, e.two_n - 1.0);
    return x == 0.0f ? x : y;
}

/* (e^r - 1 - r - r^2 / 2) / r^3 for |r| <= ln2 / 2. Times r^3, its error is 2^-58 of e^r - 1. */
static const double ctm_expm1_tail[] = {
    0x1.5555555555557p-3,  0x1.5555555555558p-5,  0x1.1111111110001p-7,  0x1.6c16c16c15165p-10,
    0x1.a01a01ac862bep-13, 0x1.a01a01ad67c07p-16, 0x1.71de002f129f9p-19, 0x1.27e4cba26f2f9p-22,
    0x1.af51f2d9c9c0dp-26, 0x1.1f8d503723f5dp-29,
};

/* e^x - 1. Error below 0.8 ULP. Computes half of it, so that 2^n stays finite; r^2 / 2, the next
 * largest term after 2^n and r, is a sum of two numbers. */
CTM double ctm_expm1_f64(double x)
{
    double c = x < -50.0 ? -50.0 : x;
    c = c > 710.0 ? 710.0 : c;
    double z = ctm_fma_f64(c, 0x1.71547652b82fep0, CTM_SHIFT_F64), n = z - CTM_SHIFT_F64;
    double h = ctm_fma_f64(n, -0x1.62e42feep-1, c), l = n * 0x1.a39ef35793c76p-33;
    double r = h - l, r_low = (h - r) - l, half = 0.5 * r, square = half * r;
    double more = r_low + ctm_product_rest_f64(half, r, square);
    more = ctm_fma_f64(r * r, r * CTM_HORNER(ctm_expm1_tail, r), more);
    double two_n = ctm_exp2i_f64(ctm_bits_f64(z) - (ctm_bits_f64(CTM_SHIFT_F64) - 1022u));
    double a = two_n - 0.5, b = two_n * r, d = two_n * square;
    double s = a + b, t = (b - (s - a)) + ((two_n - a) - 0.5);
    double u = s + d, v = (d - (u - s)) + ctm_fma_f64(two_n, more, t);
    double y = 2.0 * (u + v);
    double size = ctm_f64_of_bits(ctm_bits_f64(x) & 0x7fffffffffffffffu);
    return size < 0x1p-54 ? x : y;
}

/* 2^x for |x| < 1000, x = n + r is exact; polynomial by Sollya, relative error 2^-34. */
CTM double ctm_exp2_short_f64(double x)
{
    double z = x + CTM_SHIFT_F64;
    double r = x - (z - CTM_SHIFT_F64);
    double p = ctm_fma_f64(0x1.fde5ccc612075p-17, r, 0x1.445ca6a665f65p-13);
    p = ctm_fma_f64(p, r, 0x1.5d8a8682b86e9p-10);
    p = ctm_fma_f64(p, r, 0x1.3b29f3757eec6p-7);
    p = ctm_fma_f64(p, r, 0x1.c6b08abf99521p-5);
    p = ctm_fma_f64(p, r, 0x1.ebfbe077adffap-3);
    p = ctm_fma_f64(p, r, 0x1.62e42ff0e213dp-1);
    p = ctm_fma_f64(p, r, 1.0);
    return ctm_f64_of_bits(ctm_bits_f64(p) + (ctm_bits_f64(z) << 52));
}

/* 2^f for |f| <= 1/2. */
CTM float ctm_two_to_f32(float f)
{
    float e = ctm_fma_f32(0x1.3f9068p-13f, f, 0x1.5f0a66p-10f);
    e = ctm_fma_f32(e, f, 0x1.3b30bp-7f);
    e = ctm_fma_f32(e, f, 0x1.c6af78p-5f);
    e = ctm_fma_f32(e, f, 0x1.ebfbd8p-3f);
    e = ctm_fma_f32(e, f, 0x1.62e43p-1f);
    return ctm_fma_f32(e, f, 1.0f);
}

/* Whether ctm_exp2 is valid like ctm_exp2_wide: the result is not denormal. */
CTM bool ctm_above_denormal_f32(float x)
{
    return !(x < -126.0f);
}

CTM bool ctm_above_denormal_f64(double x)
{
    (void)x;
    return true;
}

/* 2^x for x >= -126, exact for integers. With fma as 2^n (1 + f h + f^2 p(f)), h = ln2 + 29/128 f,
 * where h and 1 + f h are sums of two numbers, so that the rounding errors are small; without fma
 * in double. Error below 0.5125 ULP. */
CTM float ctm_exp2_f32(float x)
{
#if defined(__CUDACC__) || defined(__FMA__)
    float c = x > 128.0f ? 128.0f : x, z = c + CTM_SHIFT_F32, f = c - (z - CTM_SHIFT_F32);
    float p = ctm_fma_f32(0x1.e061p-17f, f, 0x1.441e1p-13f);
    p = ctm_fma_f32(p, f, 0x1.5da5bp-10f);
    p = ctm_fma_f32(p, f, 0x1.3b2a44p-7f);
    p = ctm_fma_f32(p, f, 0x1.c6b06ep-5f);
    p = ctm_fma_f32(p, f, 0x1.bfbe02p-7f);
    float h = ctm_fma_f32(f, 0x1.dp-3f, 0x1.62e43p-1f);
    float h_low = ctm_fma_f32(f, 0x1.dp-3f, 0x1.62e43p-1f - h);
    float y = ctm_fma_f32(f, h, 1.0f), y_low = ctm_fma_f32(f, h, 1.0f - y);
    y += ctm_fma_f32(f * f, p, ctm_fma_f32(f, h_low, y_low));
    y = ctm_f32_of_bits(ctm_bits_f32(y) + (ctm_bits_f32(z) << 23));
    return ctm_fma_f32(c, 0.0f, y); /* keeps NaN, whatever the exponent bits */
#else
    float y = (float)ctm_exp2_short_f64((double)x);
    return x > 200.0f ? CTM_INF_F32 : y;
#endif
}

/* 2^x for every argument. */
CTM float ctm_exp2_wide_f32(float x)
{
    float y = (float)ctm_exp2_short_f64(x > -200.0f ? (double)x : -200.0);
    return ctm_above_denormal_f32(x) ? ctm_exp2_f32(x) : y;
}

/* 2^x = e^(r ln2) 2^n with r ln2 as a sum of two numbers. Error below 0.6 ULP with fma, 1
 * without. */
CTM double ctm_exp2_f64(double x)
{
    double c = x < -1080.0 ? -1080.0 : x;
    c = c > 1030.0 ? 1030.0 : c;
    double z = c + CTM_SHIFT_F64;
    double r = c - (z - CTM_SHIFT_F64);
    double high = r * 0x1.62e42fefa39efp-1;
    double low = ctm_fma_f64(r, 0x1.62e42fefa39efp-1, -high);
    low = ctm_fma_f64(r, 0x1.abc9e3b39803fp-56, low);
    double q = ctm_fma_f64(high * high, ctm_exp_tail_f64(high), low);
    double s = 1.0 + high;
    double t = high - (s - 1.0);
    uint64_t n_biased = ctm_bits_f64(z) - (ctm_bits_f64(CTM_SHIFT_F64) - 2046u);
    return ctm_scale_f64(s + (t + q), n_biased);
}

CTM double ctm_exp2_wide_f64(double x)
{
    return ctm_exp2_f64(x);
}

/* sinh and cosh of a float32, from e^|x| and e^-|x| in double. Error below 0.51 ULP. For small |x|
 * the difference is taken of e^x - 1, where it loses nothing: sinh = (m + m / (1 + m)) / 2. */
CTM float ctm_sinh_f32(float x)
{
    float c = ctm_f32_of_bits(ctm_bits_f32(x) & 0x7fffffffu);
    c = c > 100.0f ? 100.0f : c;
    ctm_expshort_f64 e = ctm_exp_short_reduce_f64((double)c);
    double m = ctm_fma_f64(ctm_expm1_short_f64(e.r), e.two_n, e.two_n - 1.0);
    float y = (float)(0.5 * (m + m / (1.0 + m)));
    return ctm_f32_of_bits(ctm_bits_f32(y) | (ctm_bits_f32(x) & 0x80000000u));
}

CTM float ctm_cosh_f32(float x)
{
    float c = x < -100.0f ? -100.0f : x;
    c = c > 100.0f ? 100.0f : c;
    double e = ctm_exp_short_f64((double)c);
    return (float)(0.5 * (e + 1.0 / e));
}

/* Half of e^c for 0 <= c <= 720: finite wherever sinh and cosh are. */
CTM double ctm_exp_half_f64(double c)
{
    ctm_expred_f64 e = ctm_exp_reduce_f64(c);
    double s = 1.0 + e.r;
    double t = e.r - (s - 1.0);
    return ctm_scale_f64(s + (t + e.q), e.n_biased - 1u);
}

/* float64: the same, with m and m / (1 + m) as sums of two numbers. Error below 0.9 ULP (sinh) and
 * 1.1 ULP (cosh). */
CTM double ctm_sinh_f64(double x)
{
    double c = ctm_f64_of_bits(ctm_bits_f64(x) & 0x7fffffffffffffffu);
    c = c > 720.0 ? 720.0 : c;
    double m_low, m = ctm_expm1_pair_f64(c > 30.0 ? 30.0 : c, &m_low);
    double d = 1.0 + m, d_low = m < 1.0 ? m - (d - 1.0) : 1.0 - (d - m), q = m / d;
    double rest = m_low - ctm_product_rest_f64(q, d, m) - q * (d_low + m_low);
    double sum = m + q, low = (q - (sum - m)) + (m_low + rest * (1.0 - q)); /* 1 / d = 1 - q */
    double near = 0.5 * (sum + low);
    near = c < 0x1p-28 ? c : near;
    double y = c > 25.0 ? ctm_exp_half_f64(c) : near;
    return ctm_f64_of_bits(ctm_bits_f64(y) | (ctm_bits_f64(x) & 0x8000000000000000u));
}

CTM double ctm_cosh_f64(double x)
{
    double c = ctm_f64_of_bits(ctm_bits_f64(x) & 0x7fffffffffffffffu);
    double e = ctm_exp_half_f64(c > 720.0 ? 720.0 : c);
    return e + 0.25 / e;
}

/* 1 / (1 + e^-x), computed from E = e^-|x| <= 1 as 1 / (1 + E) or E / (1 + E), so that small
 * results keep their digits down to the denormals. Error below 2.3 ULP in float32, 2 in float64. */
CTM float ctm_sigmoid_f32(float x)
{
    float a = -ctm_f32_of_bits(ctm_bits_f32(x) & 0x7fffffffu);
    a = a < -104.0f ? -104.0f : a;
    ctm_expred_f32 r = ctm_exp_reduce_f32(a);
    uint32_t half = r.n_biased >> 1;
    float two_half = ctm_exp2i_f32(half);
    float e = ctm_fma_f32(r.r + r.q, two_half, two_half) * ctm_exp2i_f32(r.n_biased - half);
    float n = x < 0.0f ? e : 1.0f;
    return n / (1.0f + e);
}

CTM double ctm_sigmoid_f64(double x)
{
    double e = ctm_exp_f64(-ctm_f64_of_bits(ctm_bits_f64(x) & 0x7fffffffffffffffu));
    double n = x < 0.0 ? e : 1.0;
    return n / (1.0 + e);
}

#endif
