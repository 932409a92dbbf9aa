/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the real scalar functions of src/math with higher precision: float32 with float64 libm
 * over a dense sample of all bit patterns, float64 with long double. Each function runs in a plain
 * loop, which tests the vector code that the compiler generates. Built once per instruction set;
 * exits with 0 if every bound holds, with 77 (skip) if the processor lacks the instructions. */
#include "cpu/simd/math_avx512.h"
#include "math/math.h"
#include "math_check.h"

#include <stdio.h>

enum { BLOCK = 4096, STRIDE = 7919 };

static double random_between(double low, double high)
{
    return low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53;
}

/* Returns the error of got in units in the last place of the true value. */
static double ulp_f32(float got, double want)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (want == 0 || isinf((float)want) || isinf(got))
        return got == (float)want && !signbit(got) == !signbit(want) ? 0 : INFINITY;
    int e;
    frexp(want, &e);
    return fabs((double)got - want) / ldexp(1, (e < -125 ? -125 : e) - 24);
}

static double ulp_f64(double got, long double want)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (want == 0 || isinf((double)want) || isinf(got))
        return got == (double)want && !signbit(got) == !signbit(want) ? 0 : INFINITY;
    int e;
    frexpl(want, &e);
    return (double)(fabsl((long double)got - want) / ldexpl(1, (e < -1021 ? -1021 : e) - 53));
}

static double ref_sigmoid(double x)
{
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static double ref_rsqrt(double x)
{
    return 1 / sqrt(x);
}

static double ref_reciprocal(double x)
{
    return 1 / x;
}

static double ref_sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* Two Newton steps on erf or erfc. */
static double ref_erfinv(double x)
{
    double a = fabs(x);
    if (!(a < 1))
        return a == 1 ? copysign(INFINITY, x) : NAN;
    double y = ctm_erfinv_f64(a);
    for (int i = 0; i < 2; i++) {
        double e = a < 0.5 ? erf(y) - a : (1 - a) - erfc(y);
        y -= e / (M_2_SQRTPI * exp(-y * y));
    }
    return copysign(y, x);
}

/* function, float64 reference, bound in ULP */
#define WORDS_F32(X)                                                                               \
    X(exp, exp, 0.80)                                                                              \
    X(exp2_wide, exp2, 0.5125)                                                                     \
    X(expm1, expm1, 0.51)                                                                          \
    X(log, log, 0.9)                                                                               \
    X(log2, log2, 0.51)                                                                            \
    X(log10, log10, 0.51)                                                                          \
    X(log1p, log1p, 0.95)                                                                          \
    X(sin_wide, sin, 0.51)                                                                         \
    X(cos_wide, cos, 0.51)                                                                         \
    X(tan_wide, tan, 0.51)                                                                         \
    X(asin, asin, 0.51)                                                                            \
    X(acos, acos, 0.51)                                                                            \
    X(atan, atan, 0.51)                                                                            \
    X(sinh, sinh, 0.51)                                                                            \
    X(cosh, cosh, 0.51)                                                                            \
    X(tanh, tanh, 0.80)                                                                            \
    X(asinh, asinh, 0.51)                                                                          \
    X(acosh, acosh, 0.51)                                                                          \
    X(atanh, atanh, 0.51)                                                                          \
    X(sigmoid, ref_sigmoid, 2.3)                                                                   \
    X(erf, erf, 1.30)                                                                              \
    X(erfc, erfc, 0.51)                                                                            \
    X(erfinv, ref_erfinv, 0.51)                                                                    \
    X(lgamma_wide, lgamma, 0.51)                                                                   \
    X(sqrt, sqrt, 0.5)                                                                             \
    X(rsqrt, ref_rsqrt, 1.5)                                                                       \
    X(reciprocal, ref_reciprocal, 0.51)                                                            \
    X(floor, floor, 0)                                                                             \
    X(ceil, ceil, 0)                                                                               \
    X(trunc, trunc, 0)                                                                             \
    X(round, rint, 0)                                                                              \
    X(abs, fabs, 0)                                                                                \
    X(sign, ref_sign, 0)
/* Variants with the short argument reduction, for arguments with ctm_narrow_f32. */
#define NARROW_F32(X)                                                                              \
    X(sin, sin, 0.51)                                                                              \
    X(cos, cos, 0.51)                                                                              \
    X(tan, tan, 0.51)

/* The replacements for AVX-512, with the same bounds. */
#ifdef __AVX512DQ__
#define VECTORS_F32(X)                                                                             \
    X(exp, exp, 0.80)                                                                              \
    X(log, log, 0.9)                                                                               \
    X(tanh, tanh, 0.80)                                                                            \
    X(sigmoid, ref_sigmoid, 2.3)                                                                   \
    X(sin, sin, 0.51)                                                                              \
    X(cos, cos, 0.51)
#else
#define VECTORS_F32(X)
#endif
#define LOOP_VECTORS(word, ref, bound)                                                             \
    static void loop_simd_##word(float *dst, const float *src, int n)                              \
    {                                                                                              \
        cti_simd_##word(dst, src, n);                                                              \
    }
VECTORS_F32(LOOP_VECTORS)

#define LOOP_F32(word, ref, bound)                                                                 \
    static void loop_##word##_f32(float *dst, const float *src, int n)                             \
    {                                                                                              \
        for (int i = 0; i < n; i++)                                                                \
            dst[i] = ctm_##word##_f32(src[i]);                                                     \
    }
WORDS_F32(LOOP_F32)
NARROW_F32(LOOP_F32)

static const float special_f32[] = {
    0.0f,
    -0.0f,
    1.0f,
    -1.0f,
    0.5f,
    -0.5f,
    2.0f,
    -2.0f,
    1.5f,
    2.5f,
    -1.5f,
    -2.5f,
    3.0f,
    -3.0f,
    10.0f,
    0x1p-126f,
    -0x1p-126f,
    0x1p-149f,
    -0x1p-149f,
    0x1.8p-127f,
    0x1.fffffep127f,
    -0x1.fffffep127f,
    88.7f,
    -88.0f,
    -103.9f,
    -104.5f,
    0x1p23f,
    0x1.fffffep22f,
    0x1p24f,
    0x1.fffffep-1f,
    0x1.000002p0f,
    -0x1.fffffep-1f,
    1e-8f,
    -1e-8f,
    0x1p31f,
    INFINITY,
    -INFINITY,
    NAN,
};
enum { SPECIALS = sizeof special_f32 / sizeof *special_f32 };

struct word_f32 {
    const char *name;
    void (*loop)(float *dst, const float *src, int n);
    double (*ref)(double);
    double bound;
    bool narrow;
};

static void check_block_f32(const struct word_f32 *w, const float *src, int n, double *worst,
                            float *where)
{
    float dst[BLOCK];
    w->loop(dst, src, n);
    for (int i = 0; i < n; i++) {
        if (w->narrow && !ctm_narrow_f32(src[i]))
            continue;
        double u = ulp_f32(dst[i], w->ref((double)src[i]));
        if (u > *worst) {
            *worst = u;
            *where = src[i];
        }
    }
}

static void check_word_f32(const struct word_f32 *w)
{
    double worst = 0;
    float where = 0, src[BLOCK];
    check_block_f32(w, special_f32, SPECIALS, &worst, &where);
    uint64_t bits = random_bits() % STRIDE;
    while (bits < 0x100000000u) {
        int n = 0;
        for (; n < BLOCK && bits < 0x100000000u; n++, bits += STRIDE)
            src[n] = ctm_f32_of_bits((uint32_t)bits);
        check_block_f32(w, src, n, &worst, &where);
    }
    if (worst > w->bound)
        fail("%s_f32: %.4f ULP at %a, bound %.2f", w->name, worst, (double)where, w->bound);
}

static void check_f32(void)
{
#define ROW_F32(word, ref, bound) {#word, loop_##word##_f32, ref, bound, false},
#define ROW_NARROW(word, ref, bound) {#word, loop_##word##_f32, ref, bound, true},
#define ROW_VECTORS(word, ref, bound) {"simd " #word, loop_simd_##word, ref, bound, false},
    static const struct word_f32 words[] = {WORDS_F32(ROW_F32) NARROW_F32(ROW_NARROW)
                                                VECTORS_F32(ROW_VECTORS)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        check_word_f32(&words[i]);
}

#ifndef __AVX512DQ__
#define cti_simd_gelu loop_gelu_f32
#endif
static void loop_gelu_f32(float *dst, const float *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = ctm_gelu_f32(src[i]);
}

/* gelu: for large negative x, 1 + erf cancels, so the bound contains the absolute error of erf,
 * 1.5 * 2^-24; the sum and two products add rounding errors. */
static void check_gelu_f32(void)
{
    float src[BLOCK], plain[BLOCK], simd[BLOCK];
    for (int round = 0; round < 64; round++) {
        for (int i = 0; i < BLOCK; i++)
            src[i] = round ? (float)random_between(-9, 9) : special_f32[i % SPECIALS];
        loop_gelu_f32(plain, src, BLOCK);
        cti_simd_gelu(simd, src, BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            double x = (double)src[i], want = 0.5 * x * erfc(-x * 0x1.6a09e667f3bcdp-1);
            double room = 0.5 * fabs(x) * 1.5 * 0x1p-24 + fabs(want) * 0x1.8p-23 + 0x1p-149;
            if (x == -INFINITY || isnan(x)) {
                if (!isnan(plain[i]) || !isnan(simd[i]))
                    fail("gelu_f32(%a): %a, %a", x, (double)plain[i], (double)simd[i]);
            } else if (fabs((double)plain[i] - want) > room ||
                       fabs((double)simd[i] - want) > room) {
                if (x != INFINITY || plain[i] != simd[i] || !isinf(plain[i]))
                    fail("gelu_f32(%a): %a, %a, want %a", x, (double)plain[i], (double)simd[i],
                         want);
            }
        }
    }
}

/* Every float next to the zeros of lgamma left of 0, where its reflection formula cancels. */
static void check_lgamma_zeros_f32(void)
{
    static const float zeros[] = {-2.4570247f, -2.7476826f, -3.1435809f,
                                  -3.9552943f, -4.0393618f, -4.9915447f};
    static const struct word_f32 word = {"lgamma_wide", loop_lgamma_wide_f32, lgamma, 0.51, false};
    double worst = 0;
    float where = 0, src[BLOCK];
    for (size_t k = 0; k < sizeof zeros / sizeof *zeros; k++) {
        for (uint32_t i = 0; i < BLOCK; i++)
            src[i] = ctm_f32_of_bits(ctm_bits_f32(zeros[k]) - BLOCK / 2 + i);
        check_block_f32(&word, src, BLOCK, &worst, &where);
    }
    if (worst > word.bound)
        fail("lgamma_wide_f32: %.4f ULP at %a, bound %.2f", worst, (double)where, word.bound);
}

static long double ref_sigmoidl(long double x)
{
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}

static long double ref_erfinvl(long double x)
{
    double a = (double)fabsl(x);
    long double y = ctm_erfinv_f64(a);
    for (int i = 0; i < 2; i++) {
        long double e = a < 0.5 ? erfl(y) - a : (1 - (long double)a) - erfcl(y);
        y -= e / (1.12837916709551257389615890312154517L * expl(-y * y));
    }
    return copysignl(y, x);
}

/* function, long double reference, range, bound in ULP. The 80-bit libm itself is off by up to
 * 0.001 ULP of float64. */
#define WORDS_F64(X)                                                                               \
    X(exp, expl, -750, 712, 0.80)                                                                  \
    X(exp2, exp2l, -1080, 1026, 0.9)                                                               \
    X(expm1, expm1l, -40, 712, 0.85)                                                               \
    X(log, logl, 0, 8, 0.9)                                                                        \
    X(log2, log2l, 0, 8, 0.9)                                                                      \
    X(log10, log10l, 0, 8, 0.8)                                                                    \
    X(log1p, log1pl, -1, 3, 0.95)                                                                  \
    X(sin, sinl, -30, 30, 0.8)                                                                     \
    X(cos, cosl, -30, 30, 0.8)                                                                     \
    X(tan, tanl, -30, 30, 0.95)                                                                    \
    X(sin_wide, sinl, -1e10, 1e10, 0.8)                                                            \
    X(cos_wide, cosl, -1e10, 1e10, 0.8)                                                            \
    X(asin, asinl, -1, 1, 0.9)                                                                     \
    X(acos, acosl, -1, 1, 0.9)                                                                     \
    X(atan, atanl, -9, 9, 0.7)                                                                     \
    X(sinh, sinhl, -9, 9, 0.95)                                                                    \
    X(cosh, coshl, -9, 9, 1.1)                                                                     \
    X(tanh, tanhl, -9, 9, 1.0)                                                                     \
    X(asinh, asinhl, -9, 9, 0.9)                                                                   \
    X(acosh, acoshl, 1, 9, 0.8)                                                                    \
    X(atanh, atanhl, -1, 1, 0.9)                                                                   \
    X(sigmoid, ref_sigmoidl, -750, 40, 2.0)                                                        \
    X(erf, erfl, -4, 4, 1.3)                                                                       \
    X(erfc, erfcl, -4, 20, 1.2)                                                                    \
    X(erfinv, ref_erfinvl, -1, 1, 1.7)                                                             \
    X(lgamma, lgammal, 0, 99, 1.2)                                                                 \
    X(lgamma_wide, lgammal, -3, 9, 1.5)                                                            \
    X(sqrt, sqrtl, 0, 9, 0.51)                                                                     \
    X(floor, floorl, -99, 99, 0)                                                                   \
    X(ceil, ceill, -99, 99, 0)                                                                     \
    X(trunc, truncl, -99, 99, 0)                                                                   \
    X(round, rintl, -99, 99, 0)

#define LOOP_F64(word, ref, low, high, bound)                                                      \
    static void loop_##word##_f64(double *dst, const double *src, int n)                           \
    {                                                                                              \
        for (int i = 0; i < n; i++)                                                                \
            dst[i] = ctm_##word##_f64(src[i]);                                                     \
    }
WORDS_F64(LOOP_F64)

struct word_f64 {
    const char *name;
    void (*loop)(double *dst, const double *src, int n);
    long double (*ref)(long double);
    double low, high, bound;
};

/* Half of the points spread over the range, half crowded at its ends, at 0 and at 1. */
static double point_f64(const struct word_f64 *w, int i)
{
    double x = random_between(w->low, w->high);
    double small = ldexp(random_between(-1, 1), -(int)(random_bits() % 60));
    switch (i % 8) {
    case 0:
        return w->low <= 0 ? (w->low < 0 ? small : fabs(small)) : x;
    case 1:
        return w->high > 1 ? 1 + small * (w->low < 1 && w->low > -1 ? 0.5 : 0) : x;
    case 2:
        return w->low == 0 ? ldexp(fabs(small) + 1, (int)(random_bits() % 2040) - 1060) : x;
    default:
        return x;
    }
}

static void check_word_f64(const struct word_f64 *w)
{
    double src[BLOCK], dst[BLOCK], worst = 0, where = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < BLOCK; i++)
            src[i] = point_f64(w, i);
        w->loop(dst, src, BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            double u = ulp_f64(dst[i], w->ref((long double)src[i]));
            if (u > worst) {
                worst = u;
                where = src[i];
            }
        }
    }
    if (worst > w->bound)
        fail("%s_f64: %.4f ULP at %a, bound %.2f", w->name, worst, where, w->bound);
}

#define WORDS_SPECIAL(X) X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(tanh)
#define AT_F64(word)                                                                               \
    static double at_##word(double x)                                                              \
    {                                                                                              \
        return ctm_##word##_f64(x);                                                                \
    }
WORDS_SPECIAL(AT_F64)

/* float64 functions at NaN, infinities and signed zeros, compared with libm. */
static void check_special_f64(void)
{
    static const double x[] = {0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               INFINITY,
                               -INFINITY,
                               NAN,
                               0x1p-1074,
                               -0x1p-1074,
                               1000,
                               -1000,
                               0x1p-1022,
                               0x1.fffffffffffffp1023};
#define ROW_SPECIAL(word) {#word, at_##word, word},
    static const struct {
        const char *name;
        double (*word)(double), (*ref)(double);
    } words[] = {WORDS_SPECIAL(ROW_SPECIAL)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
            if (words[i].ref == sin && !ctm_narrow_f64(x[k]))
                continue;
            double got = words[i].word(x[k]);
            if (ulp_f64(got, (long double)words[i].ref(x[k])) > 1)
                fail("%s_f64(%a): %a", words[i].name, x[k], got);
        }
}

/* Left of -3 lgamma has zeros next to each integer. There its terms cancel, so the error is bounded
 * absolutely, by 2^-53, rather than in ULP. */
static void check_lgamma_left_f64(void)
{
    double src[BLOCK], dst[BLOCK], worst = 0, where = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < BLOCK; i++)
            src[i] = random_between(-(double)(4 << i % 6), -3);
        loop_lgamma_wide_f64(dst, src, BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            long double want = lgammal((long double)src[i]);
            double u = fabsl(want) < 0.25L ? (double)fabsl(dst[i] - want) * 0x1.8p53
                                           : ulp_f64(dst[i], want);
            if (u > worst) {
                worst = u;
                where = src[i];
            }
        }
    }
    if (worst > 1.5)
        fail("lgamma_wide_f64: %.4f at %a, bound 1.5", worst, where);
}

static void check_f64(void)
{
#define ROW_F64(word, ref, low, high, bound) {#word, loop_##word##_f64, ref, low, high, bound},
    static const struct word_f64 words[] = {
        WORDS_F64(ROW_F64) /* and ranges where terms cancel */
        {"lgamma", loop_lgamma_f64, lgammal, 0.5, 4, 1.2},
        {"lgamma_wide", loop_lgamma_wide_f64, lgammal, -2.9, -2.3, 1.5},
        {"erfc", loop_erfc_f64, erfcl, 0.4, 2, 1.2},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        check_word_f64(&words[i]);
    check_lgamma_left_f64();
    check_special_f64();
}

/* Python's % and PyTorch's floor_divide, in double as PyTorch states them. */
static double ref_remainder(double a, double b)
{
    double m = fmod(a, b);
    return m != 0 && (b < 0) != (m < 0) ? (double)((float)m + (float)b) : m;
}

static double ref_maximum(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : a < b ? b : a;
}

static double ref_minimum(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : b < a ? b : a;
}

static double ref_nextafter(double a, double b)
{
    return (double)nextafterf((float)a, (float)b);
}

static double ref_logaddexp(double a, double b)
{
    if (a == b && isinf(a))
        return a;
    return ref_maximum(a, b) + log1p(exp(-fabs(a - b)));
}

static double ref_trunc_divide(double a, double b)
{
    return trunc((double)((float)a / (float)b));
}

#define PAIRS_F32(X)                                                                               \
    X(pow, pow, 1.00)                                                                              \
    X(atan2, atan2, 0.52)                                                                          \
    X(hypot, hypot, 0.51)                                                                          \
    X(logaddexp, ref_logaddexp, 0.51)                                                              \
    X(fmod_wide, fmod, 0)                                                                          \
    X(remainder_wide, ref_remainder, 0)                                                            \
    X(trunc_divide, ref_trunc_divide, 0)                                                           \
    X(maximum, ref_maximum, 0)                                                                     \
    X(minimum, ref_minimum, 0)                                                                     \
    X(copysign, copysign, 0)                                                                       \
    X(nextafter, ref_nextafter, 0)

/* Variants with the short division, for arguments with ctm_narrow_quotient_f32. */
#define NARROW_PAIRS_F32(X)                                                                        \
    X(fmod, fmod, 0)                                                                               \
    X(remainder, ref_remainder, 0)

#define LOOP_PAIR(word, ref, bound)                                                                \
    static void loop_##word##_f32(float *dst, const float *a, const float *b, int n)               \
    {                                                                                              \
        for (int i = 0; i < n; i++)                                                                \
            dst[i] = ctm_##word##_f32(a[i], b[i]);                                                 \
    }
PAIRS_F32(LOOP_PAIR)
NARROW_PAIRS_F32(LOOP_PAIR)

struct pair_f32 {
    const char *name;
    void (*loop)(float *dst, const float *a, const float *b, int n);
    double (*ref)(double, double);
    double bound;
    bool narrow;
};

static void check_pair_block(const struct pair_f32 *w, const float *a, const float *b, int n)
{
    float dst[BLOCK];
    w->loop(dst, a, b, n);
    for (int i = 0; i < n; i++) {
        if (w->narrow && !ctm_narrow_quotient_f32(a[i], b[i]))
            continue;
        double want = w->ref((double)a[i], (double)b[i]);
        if (w->ref == ref_maximum || w->ref == ref_minimum)
            want = want == 0 ? (double)dst[i] : want; /* accept either sign of zero */
        double u = ulp_f32(dst[i], want);
        if (u > w->bound) {
            fail("%s_f32(%a, %a): %a, want %a (%.3f ULP)", w->name, (double)a[i], (double)b[i],
                 (double)dst[i], want, u);
            return;
        }
    }
}

static void check_pairs(void)
{
#define ROW_PAIR(word, ref, bound) {#word, loop_##word##_f32, ref, bound, false},
#define ROW_NARROW_PAIR(word, ref, bound) {#word, loop_##word##_f32, ref, bound, true},
    static const struct pair_f32 words[] = {PAIRS_F32(ROW_PAIR) NARROW_PAIRS_F32(ROW_NARROW_PAIR)};
    float a[BLOCK], b[BLOCK];
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        for (int i = 0; i < SPECIALS; i++) {
            for (int k = 0; k < SPECIALS; k++) {
                a[k] = special_f32[i];
                b[k] = special_f32[k];
            }
            check_pair_block(&words[w], a, b, SPECIALS);
        }
        for (int round = 0; round < 24; round++) {
            for (int i = 0; i < BLOCK; i++) {
                a[i] = ctm_f32_of_bits((uint32_t)random_bits());
                b[i] = round % 2 ? (float)random_between(-30, 30)
                                 : ctm_f32_of_bits((uint32_t)random_bits());
                a[i] = round % 4 == 1 ? (float)random_between(-9, 9) : a[i];
            }
            check_pair_block(&words[w], a, b, BLOCK);
        }
    }
}

/* pow and hypot of float64, over all magnitudes and at the limits. */
static void check_pairs_f64(void)
{
    static const double ends[] = {0,       -0.0,   1,        -1,         2,   -3,
                                  0.5,     -0.5,   INFINITY, -INFINITY,  NAN, 1e300,
                                  -1e-300, 5e-324, 0x1p53,   1 - 0x1p-53};
    enum { ENDS = sizeof ends / sizeof *ends };
    for (int i = 0; i < 1 << 19; i++) {
        double x = ldexp(random_between(1, 2), (int)(random_bits() % 2000) - 1000);
        double y = random_between(-745, 710) / log(x);
        if (i % 3 == 1)
            x = random_between(0, 9), y = random_between(-9, 9);
        if (i < ENDS * ENDS)
            x = ends[i / ENDS], y = ends[i % ENDS];
        double power = ulp_f64(ctm_pow_f64(x, y), powl((long double)x, (long double)y));
        if (power > 1)
            fail("pow_f64(%a, %a): %a (%.3f ULP)", x, y, ctm_pow_f64(x, y), power);
        double length = ulp_f64(ctm_hypot_f64(x, y), hypotl((long double)x, (long double)y));
        if (length > 1.2)
            fail("hypot_f64(%a, %a): %a (%.3f ULP)", x, y, ctm_hypot_f64(x, y), length);
    }
}

/* Quotients next to integers, where a rounded quotient would give the wrong floor. */
static void check_remainders_f64(void)
{
    for (int i = 0; i < 1 << 20; i++) {
        double b = ldexp(random_between(1, 2), (int)(random_bits() % 40) - 20);
        double q = floor(random_between(0, ldexp(1, (int)(random_bits() % 52))));
        double a = q * b + (double)((int)(random_bits() % 5) - 2) * ldexp(b, -52);
        a = i % 4 ? a : ldexp(random_between(-1, 1), (int)(random_bits() % 90) - 45);
        if (!ctm_narrow_quotient_f64(a, b))
            continue;
        double got = ctm_fmod_f64(a, b), want = fmod(a, b);
        if (ctm_bits_f64(got) != ctm_bits_f64(want))
            fail("fmod_f64(%a, %a): %a, want %a", a, b, got, want);
    }
}

/* Recorded from PyTorch 2.15. */
static void check_floor_divide(void)
{
    static const float facts[][3] = {
        {5, 3, 1},          {-5, 3, -2},        {5, -3, -2},
        {-5, -3, 1},        {-0.0f, 3, -0.0f},  {5, 0, INFINITY},
        {-5, 0, -INFINITY}, {INFINITY, 3, NAN}, {5, INFINITY, 0},
        {-5, INFINITY, -1}, {0, 0, NAN},        {1e20f, 3, 3.3333333268354826e+19f},
        {-7.5f, 2.5f, -3},  {0.3f, 0.1f, 3},    {-1e-20f, 3, -1},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        float a = facts[i][0], b = facts[i][1], got = ctm_floor_divide_wide_f32(a, b);
        bool same = !ctm_narrow_quotient_f32(a, b) ||
                    ctm_bits_f32(ctm_floor_divide_f32(a, b)) == ctm_bits_f32(got);
        if (!same || ulp_f32(got, (double)facts[i][2]) > 0)
            fail("floor_divide_f32(%g, %g): %g", (double)facts[i][0], (double)facts[i][1],
                 (double)got);
    }
}

static void check_tests_of_class(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        float x = special_f32[i];
        if (ctm_isnan_f32(x) != !!isnan(x) || ctm_isinf_f32(x) != !!isinf(x) ||
            ctm_isfinite_f32(x) != !!isfinite(x) || ctm_signbit_f32(x) != !!signbit(x))
            fail("class of %a (float32)", (double)x);
        double d = (double)x;
        if (ctm_isnan_f64(d) != !!isnan(d) || ctm_isinf_f64(d) != !!isinf(d) ||
            ctm_isfinite_f64(d) != !!isfinite(d) || ctm_signbit_f64(d) != !!signbit(d))
            fail("class of %a (float64)", d);
    }
    if (ctm_fmax_f32(NAN, 1) != 1 || ctm_fmax_f32(1, NAN) != 1 || ctm_fmin_f32(NAN, 1) != 1 ||
        ctm_fmin_f64(1, NAN) != 1 || ctm_fmax_f64(NAN, 1) != 1)
        fail("fmax or fmin with NaN");
}

int main(void)
{
    if (!processor_has_it())
        return 77;
    check_f32();
    check_lgamma_zeros_f32();
    check_f64();
    check_pairs();
    check_pairs_f64();
    check_remainders_f64();
    check_floor_divide();
    check_tests_of_class();
    check_gelu_f32();
    return failures != 0;
}
