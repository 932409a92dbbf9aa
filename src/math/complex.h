/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex words on ct_c64 and ct_c128, with PyTorch's formulas.
 *
 * Arithmetic is branch-free and follows c10::complex: products by the plain formula, quotients by
 * Smith's, so infinities come out as PyTorch's do, not as C's Annex G would have it. Transcendental
 * words are libm's complex functions, below 4 ULP in each part, and exist on the host only. Called
 * by the generated loops. */
#ifndef CORTEN_MATH_COMPLEX_H
#define CORTEN_MATH_COMPLEX_H

#include "basic.h"
#include "cast.h"
#include "exp.h"
#include "log.h"
#include "trig.h"
#include "types.h"

CTM ct_c64 ctm_add_c64(ct_c64 a, ct_c64 b)
{
    return ctm_make_c64(a.re + b.re, a.im + b.im);
}

CTM ct_c64 ctm_sub_c64(ct_c64 a, ct_c64 b)
{
    return ctm_make_c64(a.re - b.re, a.im - b.im);
}

CTM ct_c64 ctm_mul_c64(ct_c64 a, ct_c64 b)
{
    return ctm_make_c64(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* Smith, Algorithm 116 (1962), with the larger part of b as the pivot; x / 0 is x.re / 0, x.im / 0.
 */
CTM ct_c64 ctm_div_c64(ct_c64 a, ct_c64 b)
{
    bool flat = ctm_abs_f32(b.re) >= ctm_abs_f32(b.im);
    float pivot = flat ? b.re : b.im;
    float other = flat ? b.im : b.re;
    float ratio = other / pivot;
    float scale = 1.0f / (pivot + other * ratio);
    float re = (flat ? a.re + a.im * ratio : a.re * ratio + a.im) * scale;
    float im = (flat ? a.im - a.re * ratio : a.im * ratio - a.re) * scale;
    bool zero = (b.re == 0) & (b.im == 0);
    return ctm_make_c64(zero ? a.re / 0.0f : re, zero ? a.im / 0.0f : im);
}

CTM ct_c64 ctm_neg_c64(ct_c64 z)
{
    return ctm_make_c64(-z.re, -z.im);
}

CTM ct_c64 ctm_conj_c64(ct_c64 z)
{
    return ctm_make_c64(z.re, -z.im);
}

CTM ct_c64 ctm_square_c64(ct_c64 z)
{
    return ctm_mul_c64(z, z);
}

CTM ct_c64 ctm_reciprocal_c64(ct_c64 z)
{
    return ctm_div_c64(ctm_make_c64(1.0f, 0.0f), z);
}

CTM float ctm_real_c64(ct_c64 z)
{
    return z.re;
}

CTM float ctm_imag_c64(ct_c64 z)
{
    return z.im;
}

CTM float ctm_abs_c64(ct_c64 z)
{
    return ctm_hypot_f32(z.re, z.im);
}

CTM float ctm_angle_c64(ct_c64 z)
{
    return ctm_atan2_f32(z.im, z.re);
}

CTM float ctm_norm_square_c64(ct_c64 z)
{
    return z.re * z.re + z.im * z.im;
}

CTM bool ctm_eq_c64(ct_c64 a, ct_c64 b)
{
    return (a.re == b.re) & (a.im == b.im);
}

CTM bool ctm_ne_c64(ct_c64 a, ct_c64 b)
{
    return (a.re != b.re) | (a.im != b.im);
}

CTM bool ctm_isnan_c64(ct_c64 z)
{
    return (z.re != z.re) | (z.im != z.im);
}

CTM bool ctm_isinf_c64(ct_c64 z)
{
    return (int)ctm_isinf_f32(z.re) | (int)ctm_isinf_f32(z.im);
}

CTM bool ctm_isfinite_c64(ct_c64 z)
{
    return (int)ctm_isfinite_f32(z.re) & (int)ctm_isfinite_f32(z.im);
}

/* z / |z|, 0 for 0. */
CTM ct_c64 ctm_sgn_c64(ct_c64 z)
{
    float size = ctm_abs_c64(z);
    bool zero = size == 0;
    return ctm_make_c64(zero ? 0.0f : z.re / size, zero ? 0.0f : z.im / size);
}

CTM ct_c128 ctm_add_c128(ct_c128 a, ct_c128 b)
{
    return ctm_make_c128(a.re + b.re, a.im + b.im);
}

CTM ct_c128 ctm_sub_c128(ct_c128 a, ct_c128 b)
{
    return ctm_make_c128(a.re - b.re, a.im - b.im);
}

CTM ct_c128 ctm_mul_c128(ct_c128 a, ct_c128 b)
{
    return ctm_make_c128(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* Smith, Algorithm 116 (1962), with the larger part of b as the pivot; x / 0 is x.re / 0, x.im / 0.
 */
CTM ct_c128 ctm_div_c128(ct_c128 a, ct_c128 b)
{
    bool flat = ctm_abs_f64(b.re) >= ctm_abs_f64(b.im);
    double pivot = flat ? b.re : b.im;
    double other = flat ? b.im : b.re;
    double ratio = other / pivot;
    double scale = 1.0 / (pivot + other * ratio);
    double re = (flat ? a.re + a.im * ratio : a.re * ratio + a.im) * scale;
    double im = (flat ? a.im - a.re * ratio : a.im * ratio - a.re) * scale;
    bool zero = (b.re == 0) & (b.im == 0);
    return ctm_make_c128(zero ? a.re / 0.0 : re, zero ? a.im / 0.0 : im);
}

CTM ct_c128 ctm_neg_c128(ct_c128 z)
{
    return ctm_make_c128(-z.re, -z.im);
}

CTM ct_c128 ctm_conj_c128(ct_c128 z)
{
    return ctm_make_c128(z.re, -z.im);
}

CTM ct_c128 ctm_square_c128(ct_c128 z)
{
    return ctm_mul_c128(z, z);
}

CTM ct_c128 ctm_reciprocal_c128(ct_c128 z)
{
    return ctm_div_c128(ctm_make_c128(1.0, 0.0), z);
}

CTM double ctm_real_c128(ct_c128 z)
{
    return z.re;
}

CTM double ctm_imag_c128(ct_c128 z)
{
    return z.im;
}

CTM double ctm_abs_c128(ct_c128 z)
{
    return ctm_hypot_f64(z.re, z.im);
}

CTM double ctm_angle_c128(ct_c128 z)
{
    return ctm_atan2_f64(z.im, z.re);
}

CTM double ctm_norm_square_c128(ct_c128 z)
{
    return z.re * z.re + z.im * z.im;
}

CTM bool ctm_eq_c128(ct_c128 a, ct_c128 b)
{
    return (a.re == b.re) & (a.im == b.im);
}

CTM bool ctm_ne_c128(ct_c128 a, ct_c128 b)
{
    return (a.re != b.re) | (a.im != b.im);
}

CTM bool ctm_isnan_c128(ct_c128 z)
{
    return (z.re != z.re) | (z.im != z.im);
}

CTM bool ctm_isinf_c128(ct_c128 z)
{
    return (int)ctm_isinf_f64(z.re) | (int)ctm_isinf_f64(z.im);
}

CTM bool ctm_isfinite_c128(ct_c128 z)
{
    return (int)ctm_isfinite_f64(z.re) & (int)ctm_isfinite_f64(z.im);
}

/* z / |z|, 0 for 0. */
CTM ct_c128 ctm_sgn_c128(ct_c128 z)
{
    double size = ctm_abs_c128(z);
    bool zero = size == 0;
    return ctm_make_c128(zero ? 0.0 : z.re / size, zero ? 0.0 : z.im / size);
}

#ifndef __CUDACC__

/* The compiler's own complex type has the same layout; libm wants it. */
CTM float _Complex ctm_native_c64(ct_c64 z)
{
    union {
        ct_c64 ours;
        float _Complex theirs;
    } v;
    v.ours = z;
    return v.theirs;
}

CTM ct_c64 ctm_foreign_c64(float _Complex z)
{
    union {
        float _Complex theirs;
        ct_c64 ours;
    } v;
    v.theirs = z;
    return v.ours;
}

#define CTM_LIBM_C64(word)                                                                         \
    CTM ct_c64 ctm_##word##_c64(ct_c64 z)                                                          \
    {                                                                                              \
        return ctm_foreign_c64(__builtin_c##word##f(ctm_native_c64(z)));                           \
    }

CTM_LIBM_C64(exp)
CTM_LIBM_C64(log)
CTM_LIBM_C64(sqrt)
CTM_LIBM_C64(sin)
CTM_LIBM_C64(cos)
CTM_LIBM_C64(tan)
CTM_LIBM_C64(sinh)
CTM_LIBM_C64(cosh)
CTM_LIBM_C64(tanh)
CTM_LIBM_C64(asin)
CTM_LIBM_C64(acos)
CTM_LIBM_C64(atan)
CTM_LIBM_C64(asinh)
CTM_LIBM_C64(acosh)
CTM_LIBM_C64(atanh)

CTM ct_c64 ctm_pow_c64(ct_c64 a, ct_c64 b)
{
    return ctm_foreign_c64(__builtin_cpowf(ctm_native_c64(a), ctm_native_c64(b)));
}

CTM ct_c64 ctm_log2_c64(ct_c64 z)
{
    ct_c64 y = ctm_log_c64(z);
    return ctm_make_c64(y.re / 0x1.62e43p-1f, y.im / 0x1.62e43p-1f);
}

CTM ct_c64 ctm_log10_c64(ct_c64 z)
{
    ct_c64 y = ctm_log_c64(z);
    return ctm_make_c64(y.re / 0x1.26bb1cp1f, y.im / 0x1.26bb1cp1f);
}

CTM ct_c64 ctm_exp2_c64(ct_c64 z)
{
    return ctm_exp_c64(ctm_make_c64(z.re * 0x1.62e43p-1f, z.im * 0x1.62e43p-1f));
}

/* |1 + z|^2 - 1 = x (2 + x) + y^2 keeps the digits of a small z. */
CTM ct_c64 ctm_log1p_c64(ct_c64 z)
{
    float near = 0.5f * ctm_log1p_f32(z.re * (2.0f + z.re) + z.im * z.im);
    float far = ctm_log_f32(ctm_hypot_f32(z.re + 1.0f, z.im));
    return ctm_make_c64(ctm_abs_c64(z) < 0.5f ? near : far, ctm_atan2_f32(z.im, z.re + 1.0f));
}

/* e^x cos y - 1 = (e^x - 1) - 2 e^x sin(y / 2)^2. */
CTM ct_c64 ctm_expm1_c64(ct_c64 z)
{
    float m = ctm_expm1_f32(z.re);
    float s = ctm_sin_wide_f32(0.5f * z.im);
    return ctm_make_c64(m - 2.0f * s * s * (m + 1.0f), (m + 1.0f) * ctm_sin_wide_f32(z.im));
}

CTM ct_c64 ctm_sigmoid_c64(ct_c64 z)
{
    ct_c64 e = ctm_exp_c64(ctm_neg_c64(z));
    return ctm_reciprocal_c64(ctm_make_c64(1.0f + e.re, e.im));
}

CTM ct_c64 ctm_rsqrt_c64(ct_c64 z)
{
    return ctm_reciprocal_c64(ctm_sqrt_c64(z));
}

/* The compiler's own complex type has the same layout; libm wants it. */
CTM double _Complex ctm_native_c128(ct_c128 z)
{
    union {
        ct_c128 ours;
        double _Complex theirs;
    } v;
    v.ours = z;
    return v.theirs;
}

CTM ct_c128 ctm_foreign_c128(double _Complex z)
{
    union {
        double _Complex theirs;
        ct_c128 ours;
    } v;
    v.theirs = z;
    return v.ours;
}

#define CTM_LIBM_C128(word)                                                                        \
    CTM ct_c128 ctm_##word##_c128(ct_c128 z)                                                       \
    {                                                                                              \
        return ctm_foreign_c128(__builtin_c##word(ctm_native_c128(z)));                            \
    }

CTM_LIBM_C128(exp)
CTM_LIBM_C128(log)
CTM_LIBM_C128(sqrt)
CTM_LIBM_C128(sin)
CTM_LIBM_C128(cos)
CTM_LIBM_C128(tan)
CTM_LIBM_C128(sinh)
CTM_LIBM_C128(cosh)
CTM_LIBM_C128(tanh)
CTM_LIBM_C128(asin)
CTM_LIBM_C128(acos)
CTM_LIBM_C128(atan)
CTM_LIBM_C128(asinh)
CTM_LIBM_C128(acosh)
CTM_LIBM_C128(atanh)

CTM ct_c128 ctm_pow_c128(ct_c128 a, ct_c128 b)
{
    return ctm_foreign_c128(__builtin_cpow(ctm_native_c128(a), ctm_native_c128(b)));
}

CTM ct_c128 ctm_log2_c128(ct_c128 z)
{
    ct_c128 y = ctm_log_c128(z);
    return ctm_make_c128(y.re / 0x1.62e42fefa39efp-1, y.im / 0x1.62e42fefa39efp-1);
}

CTM ct_c128 ctm_log10_c128(ct_c128 z)
{
    ct_c128 y = ctm_log_c128(z);
    return ctm_make_c128(y.re / 0x1.26bb1bbb55516p1, y.im / 0x1.26bb1bbb55516p1);
}

CTM ct_c128 ctm_exp2_c128(ct_c128 z)
{
    return ctm_exp_c128(ctm_make_c128(z.re * 0x1.62e42fefa39efp-1, z.im * 0x1.62e42fefa39efp-1));
}

/* |1 + z|^2 - 1 = x (2 + x) + y^2 keeps the digits of a small z. */
CTM ct_c128 ctm_log1p_c128(ct_c128 z)
{
    double near = 0.5 * ctm_log1p_f64(z.re * (2.0 + z.re) + z.im * z.im);
    double far = ctm_log_f64(ctm_hypot_f64(z.re + 1.0, z.im));
    return ctm_make_c128(ctm_abs_c128(z) < 0.5 ? near : far, ctm_atan2_f64(z.im, z.re + 1.0));
}

/* e^x cos y - 1 = (e^x - 1) - 2 e^x sin(y / 2)^2. */
CTM ct_c128 ctm_expm1_c128(ct_c128 z)
{
    double m = ctm_expm1_f64(z.re);
    double s = ctm_sin_wide_f64(0.5 * z.im);
    return ctm_make_c128(m - 2.0 * s * s * (m + 1.0), (m + 1.0) * ctm_sin_wide_f64(z.im));
}

CTM ct_c128 ctm_sigmoid_c128(ct_c128 z)
{
    ct_c128 e = ctm_exp_c128(ctm_neg_c128(z));
    return ctm_reciprocal_c128(ctm_make_c128(1.0 + e.re, e.im));
}

CTM ct_c128 ctm_rsqrt_c128(ct_c128 z)
{
    return ctm_reciprocal_c128(ctm_sqrt_c128(z));
}

#endif

#endif
