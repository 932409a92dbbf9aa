/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares integer functions with __int128, half types bit by bit, casts and complex functions with
 * values recorded from PyTorch and libm. Complements test_math.c; exits with 0 if all checks pass,
 * with 77 (skip) if the processor lacks the instructions that it was compiled for. */
#include "math/math.h"
#include "math_check.h"

#include <complex.h>
#include <stdio.h>

typedef __int128 wide;

/* --- integers ------------------------------------------------------------------------------- */

struct kind {
    const char *name;
    int bits;
    bool is_signed;
};

static wide wrap(wide x, const struct kind *k)
{
    unsigned __int128 one = 1, mask = (one << k->bits) - 1, low = (unsigned __int128)x & mask;
    if (k->is_signed && low >> (k->bits - 1))
        return (wide)low - (wide)mask - 1;
    return (wide)low;
}

static wide ref_add(wide a, wide b)
{
    return a + b;
}

static wide ref_sub(wide a, wide b)
{
    return a - b;
}

static wide ref_mul(wide a, wide b)
{
    return (wide)((unsigned __int128)a * (unsigned __int128)b);
}

static wide ref_trunc_divide(wide a, wide b)
{
    return b == 0 ? 0 : a / b;
}

static wide ref_fmod(wide a, wide b)
{
    return b == 0 ? 0 : a % b;
}

static wide ref_remainder(wide a, wide b)
{
    wide r = ref_fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static wide ref_floor_divide(wide a, wide b)
{
    return b == 0 ? 0 : (a - ref_remainder(a, b)) / b;
}

static wide ref_gcd(wide a, wide b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        wide r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Multiplies repeatedly as long as the exponent is small. */
static wide ref_pow(wide a, wide b)
{
    if (b < 0)
        return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    unsigned __int128 r = 1;
    for (wide i = 0; i < b; i++)
        r *= (unsigned __int128)a;
    return (wide)r;
}

static wide ref_left_shift(wide a, wide b)
{
    return b < 0 || b > 63 ? 0 : (wide)((unsigned __int128)a << b);
}

static wide ref_right_shift(wide a, wide b)
{
    return b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b;
}

#define INTEGER_WORDS(X, t, T)                                                                     \
    X(add, ref_add, t, T)                                                                          \
    X(sub, ref_sub, t, T)                                                                          \
    X(mul, ref_mul, t, T)                                                                          \
    X(trunc_divide, ref_trunc_divide, t, T)                                                        \
    X(fmod, ref_fmod, t, T)                                                                        \
    X(remainder, ref_remainder, t, T)                                                              \
    X(floor_divide, ref_floor_divide, t, T)                                                        \
    X(gcd, ref_gcd, t, T)                                                                          \
    X(pow, ref_pow, t, T)                                                                          \
    X(bitwise_left_shift, ref_left_shift, t, T)                                                    \
    X(bitwise_right_shift, ref_right_shift, t, T)

/* int64 division has two implementations, between which loops choose. */
#define CHOOSE(word, a, b)                                                                         \
    (ctm_narrow_quotient_i64(a, b) ? ctm_##word##_i64(a, b) : ctm_##word##_wide_i64(a, b))
#define ctm_fmod_i64(a, b) CHOOSE(fmod, a, b)
#define ctm_remainder_i64(a, b) CHOOSE(remainder, a, b)
#define ctm_floor_divide_i64(a, b) CHOOSE(floor_divide, a, b)

#define CALL(word, ref, t, T)                                                                      \
    static wide word##_##t(wide a, wide b)                                                         \
    {                                                                                              \
        return ctm_##word##_##t((T)a, (T)b);                                                       \
    }
#define ROW(word, ref, t, T) {#word, word##_##t, ref},
#define TYPES(X)                                                                                   \
    X(i8, int8_t)                                                                                  \
    X(i16, int16_t)                                                                                \
    X(i32, int32_t)                                                                                \
    X(i64, int64_t) X(u8, uint8_t) X(u16, uint16_t) X(u32, uint32_t) X(u64, uint64_t)

#define CALLS(t, T) INTEGER_WORDS(CALL, t, T)
TYPES(CALLS)

struct integer_word {
    const char *name;
    wide (*word)(wide, wide), (*ref)(wide, wide);
};

#define TABLE(t, T) static const struct integer_word words_##t[] = {INTEGER_WORDS(ROW, t, T)};
TYPES(TABLE)

static void check_pair(const struct integer_word *w, const struct kind *k, wide a, wide b)
{
    if (w->ref == ref_pow && b > 300)
        b = (wide)(random_bits() % 70);
    wide got = w->word(a, b), want = wrap(w->ref(a, b), k);
    if (got != want)
        fail("%s_%s(%lld, %lld): %lld, want %lld", w->name, k->name, (long long)a, (long long)b,
             (long long)got, (long long)want);
}

/* Every pair of edge values, and random pairs of all magnitudes. */
static void check_integers(const struct integer_word *words, size_t count, struct kind k)
{
    wide top = wrap(((wide)1 << (k.bits - k.is_signed)) - 1, &k),
         bottom = k.is_signed ? -top - 1 : 0;
    const wide edges[] = {0,
                          1,
                          2,
                          3,
                          7,
                          31,
                          64,
                          wrap(-1, &k),
                          wrap(-2, &k),
                          wrap(-7, &k),
                          top,
                          top - 1,
                          top / 2,
                          bottom,
                          bottom + 1,
                          bottom / 2,
                          wrap((wide)1 << 31, &k),
                          wrap(-((wide)1 << 31), &k)};
    enum { EDGES = sizeof edges / sizeof *edges };
    for (size_t w = 0; w < count; w++) {
        for (int i = 0; i < EDGES; i++)
            for (int j = 0; j < EDGES; j++)
                check_pair(&words[w], &k, edges[i], edges[j]);
        for (int i = 0; i < 20000 && failures < 20; i++) {
            wide a = wrap((wide)(random_bits() >> (random_bits() % 64)), &k);
            wide b = wrap((wide)(random_bits() >> (random_bits() % 64)), &k);
            check_pair(&words[w], &k, a, b);
        }
    }
}

static void check_all_integers(void)
{
#define RUN(t, T)                                                                                  \
    check_integers(words_##t, sizeof words_##t / sizeof *words_##t,                                \
                   (struct kind){#t, 8 * sizeof(T), (T)-1 < (T)1});
    TYPES(RUN)
    if (ctm_abs_i8(-128) != -128 || ctm_abs_i32(INT32_MIN) != INT32_MIN || ctm_neg_i64(5) != -5 ||
        ctm_abs_i64(-7) != 7 || ctm_neg_u8(1) != 255 || ctm_sign_i16(-3) != -1 ||
        ctm_maximum_u64(1, UINT64_MAX) != UINT64_MAX || ctm_minimum_i8(-1, 1) != -1)
        fail("abs, neg, sign, maximum or minimum");
    if (ctm_lcm_i32(INT32_MIN, -1) != INT32_MIN || ctm_lcm_i32(7, -7) != 7 ||
        ctm_lcm_i8(4, 6) != 12 || ctm_lcm_u16(0, 5) != 0 || ctm_lcm_i64(0, 0) != 0)
        fail("lcm");
}

/* --- half types ----------------------------------------------------------------------------- */

static float ref_f32_from_f16(unsigned h)
{
    int e = (int)(h >> 10) & 31, m = (int)(h & 1023u);
    double size = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return (float)(h & 0x8000u ? -size : size);
}

/* Rounds to the nearest half, ties to even, in units of the last place. */
static float ref_round_f16(float x)
{
    int e;
    frexpf(x, &e);
    int unit = (e < -13 ? -13 : e) - 11;
    double y = ldexp(rint(ldexp((double)x, -unit)), unit);
    return fabs(y) > 65504 ? copysignf(INFINITY, x) : (float)y;
}

static void check_half(void)
{
    for (unsigned h = 0; h < 65536; h++) {
        float x = ctm_f32_from_f16((uint16_t)h), want = ref_f32_from_f16(h);
        if (isnan(want) ? !isnan(x) || (ctm_f16_from_f32(x) | 0x200u) != (h | 0x200u)
                        : ctm_bits_f32(x) != ctm_bits_f32(want) || ctm_f16_from_f32(x) != h)
            fail("float16 0x%04x", h);
        float b = ctm_f32_from_bf16((uint16_t)h);
        if (ctm_bits_f32(b) != h << 16 || (!isnan(b) && ctm_bf16_from_f32(b) != h) ||
            (isnan(b) && !isnan(ctm_f32_from_bf16(ctm_bf16_from_f32(b)))))
            fail("bfloat16 0x%04x", h);
    }
    for (uint64_t u = 0; u < 0x100000000u && failures < 20; u += 4093) {
        float x = ctm_f32_of_bits((uint32_t)u);
        if (isnan(x) || isinf(x))
            continue;
        if (ctm_f32_from_f16(ctm_f16_from_f32(x)) != ref_round_f16(x))
            fail("float16 of %a", (double)x);
        uint32_t up = (uint32_t)u & 0xffffu, whole = (uint32_t)(u >> 16);
        uint32_t want = whole + (up > 0x8000u || (up == 0x8000u && (whole & 1u)));
        if (ctm_bf16_from_f32(x) != want)
            fail("bfloat16 of %a", (double)x);
    }
}

/* --- casts ---------------------------------------------------------------------------------- */

/* Loops, so that the vectorized casts are tested. */
#define CAST_LOOP(dst, D, src, S)                                                                  \
    static void dst##_from_##src(D *to, const S *from, int n)                                      \
    {                                                                                              \
        for (int i = 0; i < n; i++)                                                                \
            to[i] = ctm_##dst##_from_##src(from[i]);                                               \
    }
#define CAST_LOOPS(dst, D) CAST_LOOP(dst, D, f32, float) CAST_LOOP(dst, D, f64, double)
TYPES(CAST_LOOPS)

enum { POINTS = 19 };

/* x, and its casts by PyTorch on x86-64: u8 u16 u32 u64 i8 i16 i32 i64. */
static const struct {
    double x;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
} facts[POINTS] = {
#define LOW INT32_MIN, INT64_MIN
    {-1.5, 255, 65535, 4294967295, UINT64_MAX, -1, -1, -1, -1},
    {-0.5, 0, 0, 0, 0, 0, 0, 0, 0},
    {255.75, 255, 255, 255, 255, -1, 255, 255, 255},
    {300, 44, 300, 300, 300, 44, 300, 300, 300},
    {-300, 212, 65236, 4294966996, 18446744073709551316u, -44, -300, -300, -300},
    {70000, 112, 4464, 70000, 70000, 112, 4464, 70000, 70000},
    {3e9, 0, 0, 3000000000, 3000000000, 0, 0, INT32_MIN, 3000000000},
    {-3e9, 0, 0, 1294967296, 18446744070709551616u, 0, 0, INT32_MIN, -3000000000},
    {5e9, 0, 0, 705032704, 5000000000, 0, 0, INT32_MIN, 5000000000},
    {1e10, 0, 0, 1410065408, 10000000000, 0, 0, INT32_MIN, 10000000000},
    {0x1p62, 0, 0, 0, 0x4000000000000000, 0, 0, INT32_MIN, 0x4000000000000000},
    {-0x1p63, 0, 0, 0, 0x8000000000000000u, 0, 0, LOW},
    {0x1p63, 0, 0, 0, 0x8000000000000000u, 0, 0, LOW},
    {0x1.8p63, 0, 0, 0, 0xc000000000000000u, 0, 0, LOW},
    {1e20, 0, 0, 0, 0, 0, 0, LOW},
    {-1e20, 0, 0, 0, 0x8000000000000000u, 0, 0, LOW},
    {NAN, 0, 0, 0, 0x8000000000000000u, 0, 0, LOW},
    {INFINITY, 0, 0, 0, 0, 0, 0, LOW},
    {-INFINITY, 0, 0, 0, 0x8000000000000000u, 0, 0, LOW},
};

static void check_casts(void)
{
    float f32[POINTS];
    double f64[POINTS];
    for (int i = 0; i < POINTS; i++) {
        volatile double x = facts[i].x; /* volatile: no conversion at compile time */
        f64[i] = x;
        f32[i] = (float)x;
    }
    /* Beyond int32 the result depends on the processor, as in PyTorch; recorded on x86-64. */
#if defined(__x86_64__)
    const bool recorded_here = true;
#else
    const bool recorded_here = false;
#endif
#define CAST_CHECK(t, T)                                                                           \
    {                                                                                              \
        T a[POINTS], b[POINTS];                                                                    \
        t##_from_f32(a, f32, POINTS);                                                              \
        t##_from_f64(b, f64, POINTS);                                                              \
        for (int i = 0; i < POINTS; i++)                                                           \
            if ((recorded_here || fabs(f64[i]) < 0x1p31) &&                                        \
                (a[i] != facts[i].t || b[i] != facts[i].t))                                        \
                fail(#t " from %g: %lld (f32), %lld (f64), want %lld", f64[i], (long long)a[i],    \
                     (long long)b[i], (long long)facts[i].t);                                      \
    }
    TYPES(CAST_CHECK)
    ct_c64 z = {3.5f, -1};
    ct_c128 w = {0, 2};
    if (!ctm_b8_from_f32(NAN) || ctm_b8_from_f64(-0.0) || !ctm_b8_from_i64(INT64_MIN) ||
        !ctm_b8_from_c128(w) || ctm_i32_from_c64(z) != 3 || ctm_f64_from_c64(z) != 3.5 ||
        ctm_i8_from_i64(300) != 44 || ctm_u16_from_i8(-1) != 65535 || ctm_c64_from_u8(7).re != 7 ||
        ctm_c128_from_c64(z).im != -1 || ctm_u8_from_f64(1e15 + 3) != 3 || ctm_f32_from_b8(1) != 1)
        fail("casts of bool, complex or integers");
}

/* --- complex -------------------------------------------------------------------------------- */

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

/* Recorded from PyTorch 2.15: (1 + i) / z. */
static void check_quotients(void)
{
    static const double q[][4] = {
        {INFINITY, 0, 0, 0}, {INFINITY, INFINITY, NAN, NAN}, {0, 0, INFINITY, INFINITY},
        {NAN, 0, NAN, NAN},  {1e300, 1e300, 1e-300, 0},      {0, INFINITY, 0, -0.0},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
        ct_c128 y = ctm_div_c128(ctm_make_c128(1, 1), ctm_make_c128(q[i][0], q[i][1]));
        if (!same(y.re, q[i][2]) || !same(y.im, q[i][3]))
            fail("(1 + i) / (%g + %gi): %g + %gi", q[i][0], q[i][1], y.re, y.im);
    }
}

static void near_c128(const char *name, ct_c128 got, double complex want)
{
    double distance = hypot(got.re - creal(want), got.im - cimag(want));
    if (!(distance <= 4e-15 * cabs(want)))
        fail("%s: %.17g + %.17gi, want %.17g + %.17gi", name, got.re, got.im, creal(want),
             cimag(want));
}

static void near_c64(const char *name, ct_c64 got, double complex want)
{
    double distance = hypot((double)got.re - creal(want), (double)got.im - cimag(want));
    if (!(distance <= 1e-6 * cabs(want)))
        fail("%s: %.9g + %.9gi, want %.9g + %.9gi", name, (double)got.re, (double)got.im,
             creal(want), cimag(want));
}

static double complex ref_cexpm1(double complex z)
{
    return cexp(z) - 1;
}

static double complex ref_clog1p(double complex z)
{
    return clog(1 + z);
}

static double complex ref_csigmoid(double complex z)
{
    return 1 / (1 + cexp(-z));
}

static double complex ref_csquare(double complex z)
{
    return z * z;
}

static double complex ref_crsqrt(double complex z)
{
    return 1 / csqrt(z);
}

#define COMPLEX_WORDS(X)                                                                           \
    X(exp, cexp)                                                                                   \
    X(log, clog)                                                                                   \
    X(sqrt, csqrt)                                                                                 \
    X(sin, csin)                                                                                   \
    X(cos, ccos)                                                                                   \
    X(tan, ctan)                                                                                   \
    X(sinh, csinh)                                                                                 \
    X(cosh, ccosh)                                                                                 \
    X(tanh, ctanh)                                                                                 \
    X(asin, casin)                                                                                 \
    X(acos, cacos)                                                                                 \
    X(atan, catan)                                                                                 \
    X(asinh, casinh)                                                                               \
    X(acosh, cacosh)                                                                               \
    X(atanh, catanh)                                                                               \
    X(expm1, ref_cexpm1)                                                                           \
    X(log1p, ref_clog1p) X(sigmoid, ref_csigmoid) X(square, ref_csquare) X(rsqrt, ref_crsqrt)

static void check_complex(void)
{
    check_quotients();
    for (int i = 0; i < 200; i++) {
        float re = (float)((double)(random_bits() >> 40) * 0x1p-22 - 2);
        float im = (float)((double)(random_bits() >> 40) * 0x1p-22 - 2);
        ct_c64 z = {re, im};
        ct_c128 w = ctm_c128_from_c64(z);
        double complex v = (double)re + (double)im * I;
#define COMPLEX_CHECK(word, ref)                                                                   \
    near_c128(#word "_c128", ctm_##word##_c128(w), ref(v));                                        \
    near_c64(#word "_c64", ctm_##word##_c64(z), ref(v));
        COMPLEX_WORDS(COMPLEX_CHECK)
        near_c128("pow_c128", ctm_pow_c128(w, ctm_make_c128(0.5, -1)), cpow(v, 0.5 - I));
        near_c64("mul_c64", ctm_mul_c64(z, ctm_make_c64(2, -3)), v * (2 - 3 * I));
        near_c64("div_c64", ctm_div_c64(z, ctm_make_c64(2, -3)), v / (2 - 3 * I));
        near_c64("reciprocal_c64", ctm_reciprocal_c64(z), 1 / v);
        near_c128("log2_c128", ctm_log2_c128(w), clog(v) / M_LN2);
        near_c128("log10_c128", ctm_log10_c128(w), clog(v) / M_LN10);
        near_c128("sgn_c128", ctm_sgn_c128(w), v / cabs(v));
        near_c128("polar", ctm_make_c128(ctm_abs_c128(w), ctm_angle_c128(w)),
                  cabs(v) + carg(v) * I);
    }
    ct_c64 zero = {0, 0}, bad = {0, NAN};
    if (ctm_sgn_c64(zero).re != 0 || ctm_eq_c64(bad, bad) || !ctm_ne_c64(bad, bad) ||
        !ctm_isnan_c64(bad) || ctm_isfinite_c64(bad) || ctm_isinf_c64(bad))
        fail("class of a complex number");
}

int main(void)
{
    if (!processor_has_it())
        return 77;
    check_all_integers();
    check_half();
    check_casts();
    check_complex();
    return failures != 0;
}
