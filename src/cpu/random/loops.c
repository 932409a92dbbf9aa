/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of loops.h, compiled once for each instruction set; plain C that the compiler
 * vectorises. All sets give the same values: where PyTorch's AVX2 code uses a fused multiply-add,
 * the baseline rounds a sum computed in double, which differs in about one of 2^29 cases. */
#include "cpu/random/loops.h"

#include "cpu/isa.h"
#include "math/log.h"
#include "math/trig.h"

#include <math.h>

#define N 624 /* words of a state */
#define M 397 /* distance of the words that are combined */

/* ---- words ---- */

static inline uint32_t mix(uint32_t far, uint32_t one, uint32_t two)
{
    uint32_t y = (one & 0x80000000U) | (two & 0x7fffffffU);
    return far ^ (y >> 1) ^ ((0U - (two & 1U)) & 0x9908b0dfU);
}

static void twist(uint32_t *state)
{
    for (int i = 0; i < N - M; i++)
        state[i] = mix(state[i + M], state[i], state[i + 1]);
    for (int i = N - M; i < N - 1; i++)
        state[i] = mix(state[i - (N - M)], state[i], state[i + 1]);
    state[N - 1] = mix(state[M - 1], state[N - 1], state[0]);
}

static void temper(uint32_t *restrict dst, const uint32_t *restrict state, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t y = state[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680U;
        y ^= (y << 15) & 0xefc60000U;
        dst[i] = y ^ (y >> 18);
    }
}

/* ---- real numbers ---- */

static inline float fused_f32(float a, float b, float c)
{
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    return (float)((double)a * b + c);
#endif
}

/* Returns the lower 24 bits as a number in [0, 1). */
static inline float unit_f32(uint32_t word)
{
    return (float)(int32_t)(word & 0xffffffU) * 0x1p-24f;
}

/* The first word drawn is the upper half. */
static inline uint64_t pair(const uint32_t *words, int64_t i)
{
    return (uint64_t)words[2 * i] << 32 | words[2 * i + 1];
}

/* Returns 53 bits of two words as a number in [0, 1). Both halves are below 2^31, so that
 * conversion is one instruction on every machine. */
static inline double unit_f64(const uint32_t *words, int64_t i)
{
    uint64_t bits = pair(words, i);
    int32_t high = (int32_t)(bits >> 27 & 0x3ffffffU), low = (int32_t)(bits & 0x7ffffffU);
    return ((double)high * 0x1p27 + (double)low) * 0x1p-53;
}

static void uniform_f32(float *restrict dst, const uint32_t *restrict words, int64_t n, float from,
                        float range, float to)
{
    for (int64_t i = 0; i < n; i++) {
        float x = fused_f32(unit_f32(words[i]), range, from);
        dst[i] = x == to ? from : x;
    }
}

static void uniform_f64(double *restrict dst, const uint32_t *restrict words, int64_t n,
                        double from, double range, double to)
{
    if (from == 0 && range == 1) { /* results never round up to `to` */
        for (int64_t i = 0; i < n; i++)
            dst[i] = unit_f64(words, i);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        double x = __builtin_fma(unit_f64(words, i), range, from);
        dst[i] = x == to ? from : x;
    }
}

/* ---- normal numbers: the steps of PyTorch, which are those of Cephes' logf, sinf and cosf ---- */

/* log(x) for x in (0, 1], a multiple of 2^-24. */
static inline float log_unit(float x)
{
    uint32_t bits = ctm_bits_f32(x);
    float e = (float)((int32_t)(bits >> 23) - 126);
    float m = ctm_f32_of_bits((bits & 0x007fffffU) | 0x3f000000U); /* [0.5, 1) */
    bool low = m < 0.707106781186547524f;
    e = low ? e - 1 : e;
    float r = m - 1 + (low ? m : 0);
    float z = r * r;
    float y = 7.0376836292E-2f;
    y = fused_f32(y, r, -1.1514610310E-1f);
    y = fused_f32(y, r, 1.1676998740E-1f);
    y = fused_f32(y, r, -1.2420140846E-1f);
    y = fused_f32(y, r, 1.4249322787E-1f);
    y = fused_f32(y, r, -1.6668057665E-1f);
    y = fused_f32(y, r, 2.0000714765E-1f);
    y = fused_f32(y, r, -2.4999993993E-1f);
    y = fused_f32(y, r, 3.3333331174E-1f);
    y = fused_f32(y * r, z, e * -2.12194440e-4f);
    y = fused_f32(z, -0.5f, y);
    return fused_f32(e, 0.693359375f, r + y);
}

/* Sine and cosine for x in [0, 2 pi). */
static inline void sincos_2pi(float x, float *sine, float *cosine)
{
    int32_t octant = ((int32_t)(x * 1.27323954473516f) + 1) & ~1;
    float k = (float)octant;
    x = fused_f32(k, -0.78515625f, x);
    x = fused_f32(k, -2.4187564849853515625e-4f, x);
    x = fused_f32(k, -3.77489497744594108e-8f, x);
    float z = x * x;
    float c = fused_f32(2.443315711809948E-005f, z, -1.388731625493765E-003f);
    c = fused_f32(c, z, 4.166664568298827E-002f);
    c = fused_f32(c * z, z, -(z * 0.5f)) + 1;
    float s = fused_f32(-1.9515295891E-4f, z, 8.3321608736E-3f);
    s = fused_f32(s, z, -1.6666654611E-1f);
    s = fused_f32(s * z, x, x);
    bool straight = (octant & 2) == 0;
    uint32_t sine_sign = ((uint32_t)octant & 4) << 29;
    uint32_t cosine_sign = (~(uint32_t)(octant - 2) & 4) << 29;
    *sine = ctm_f32_of_bits(ctm_bits_f32(straight ? s : c) ^ sine_sign);
    *cosine = ctm_f32_of_bits(ctm_bits_f32(straight ? c : s) ^ cosine_sign);
}

/* Box-Muller: computes two normal numbers of each pair of words, x[i] and y[i]. */
static void normal_pairs(float *restrict x, float *restrict y, const uint32_t *restrict words_x,
                         const uint32_t *restrict words_y, int64_t n, float mean, float std)
{
    for (int64_t i = 0; i < n; i++) {
        float sine, cosine;
        float radius = sqrtf(-2 * log_unit(1 - unit_f32(words_x[i])));
        sincos_2pi((float)(2 * 3.14159265358979323846) * unit_f32(words_y[i]), &sine, &cosine);
        x[i] = fused_f32(radius * cosine, std, mean);
        y[i] = fused_f32(radius * sine, std, mean);
    }
}

/* Pairs element j of each sixteen with element j + 8. The halves are separated first, so that the
 * loop over pairs fills registers of any width. Its dependency chains are long, so only many
 * elements in flight make it fast. */
static void normal_f32(float *restrict dst, const uint32_t *restrict words, int64_t n, float mean,
                       float std)
{
    enum { PAIRS = 96 };
    uint32_t words_x[PAIRS], words_y[PAIRS];
    float x[PAIRS], y[PAIRS];
    for (int64_t first = 0; first < n; first += 2 * PAIRS) {
        int64_t pairs = (n - first < 2 * PAIRS ? n - first : 2 * PAIRS) / 2;
        for (int64_t i = 0; i < pairs; i += 8) {
            for (int64_t j = 0; j < 8; j++)
                words_x[i + j] = words[first + 2 * i + j];
            for (int64_t j = 0; j < 8; j++)
                words_y[i + j] = words[first + 2 * i + 8 + j];
        }
        normal_pairs(x, y, words_x, words_y, pairs, mean, std);
        for (int64_t i = 0; i < pairs; i += 8) {
            for (int64_t j = 0; j < 8; j++)
                dst[first + 2 * i + j] = x[i + j];
            for (int64_t j = 0; j < 8; j++)
                dst[first + 2 * i + 8 + j] = y[i + j];
        }
    }
}

/* The same in double. PyTorch calls the C library here; these functions differ from it by at most
 * an ulp. */
static void normal_f64(double *restrict dst, const uint32_t *restrict words, int64_t n, double mean,
                       double std)
{
    for (int64_t i = 0; i < n; i += 16)
        for (int64_t j = i; j < i + 8; j++) {
            double radius = sqrt(-2 * ctm_log_f64(1 - unit_f64(words, j)));
            double angle = 2 * 3.14159265358979323846 * unit_f64(words, j + 8);
            dst[j] = ctm_fma_f64(radius * ctm_cos_f64(angle), std, mean);
            dst[j + 8] = ctm_fma_f64(radius * ctm_sin_f64(angle), std, mean);
        }
}

static void exponential(double *restrict dst, const uint32_t *restrict words, int64_t n,
                        double scale)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = scale * ctm_log1p_f64(-unit_f64(words, i));
}

/* ---- integers ---- */

/* See Note [Division by a constant]. */
static void modulo_32(int64_t *restrict dst, const uint32_t *restrict words, int64_t n,
                      const struct cti_random_range *by)
{
    uint32_t range = (uint32_t)by->range;
    uint64_t factor = by->factor;
    unsigned shift1 = by->shift1, shift2 = by->shift2;
    int64_t base = by->base;
    for (int64_t i = 0; i < n; i++) {
        uint32_t x = words[i];
        uint32_t high = (uint32_t)(factor * x >> 32);
        uint32_t quotient = (high + ((x - high) >> shift1)) >> shift2;
        dst[i] = (int64_t)((uint64_t)(x - quotient * range) + (uint64_t)base);
    }
}

static void modulo_64(int64_t *restrict dst, const uint32_t *restrict words, int64_t n,
                      const struct cti_random_range *by)
{
    uint64_t range = by->range, base = (uint64_t)by->base;
    if (range == 0) {
        for (int64_t i = 0; i < n; i++)
            dst[i] = (int64_t)(pair(words, i) + base);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        uint64_t x = pair(words, i);
        uint64_t high = (uint64_t)((unsigned __int128)by->factor * x >> 64);
        uint64_t quotient = (high + ((x - high) >> by->shift1)) >> by->shift2;
        dst[i] = (int64_t)(x - quotient * range + base);
    }
}

/* Computes the remainder from the quotient rounded to nearest, which is exact in double: word <
 * 2^32, and the error of the quotient is far below 1. */
static void swap_index(uint32_t *restrict dst, const uint32_t *restrict words, int64_t n,
                       int64_t first, int64_t total)
{
    const double round = 0x1.8p52;
    int32_t rest = (int32_t)(total - first), at = (int32_t)first;
    for (int32_t k = 0; k < (int32_t)n; k++) {
        double x = (double)(int32_t)(words[k] ^ 0x80000000U) + 0x1p31;
        double d = (double)(rest - k);
        double quotient = (x / d + round) - round;
        double r = x - quotient * d;
        r = r < 0 ? r + d : r;
        dst[k] = (uint32_t)(at + k + (int32_t)r);
    }
}

/* ---- probabilities ---- */

static void below_f32(uint8_t *restrict dst, const uint32_t *restrict words, int64_t n,
                      const float *restrict p)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = unit_f32(words[i]) < p[i];
}

static void below_f64(uint8_t *restrict dst, const uint32_t *restrict words, int64_t n,
                      const double *restrict p)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = unit_f64(words, i) < p[i];
}

static void below_p53(uint8_t *restrict dst, const uint32_t *restrict words, int64_t n,
                      uint64_t p53)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (pair(words, i) & 0x1fffffffffffffU) < p53;
}

static int64_t valid_f32(const float *p, int64_t n)
{
    const int64_t block = 256;
    int64_t i = 0;
    for (; i + block <= n; i += block) {
        int bad = 0;
        for (int64_t j = i; j < i + block; j++)
            bad |= !(p[j] >= 0) | !(p[j] <= 1);
        if (bad)
            break;
    }
    while (i < n && p[i] >= 0 && p[i] <= 1)
        i++;
    return i;
}

static int64_t valid_f64(const double *p, int64_t n)
{
    int64_t i = 0;
    while (i < n && p[i] >= 0 && p[i] <= 1)
        i++;
    return i;
}

const struct cti_random_loops CTI_ISA_NAME(cti_random_loops) = {
    .twist = twist,
    .temper = temper,
    .uniform_f32 = uniform_f32,
    .uniform_f64 = uniform_f64,
    .normal_f32 = normal_f32,
    .normal_f64 = normal_f64,
    .exponential = exponential,
    .modulo_32 = modulo_32,
    .modulo_64 = modulo_64,
    .below_f32 = below_f32,
    .below_f64 = below_f64,
    .below_p53 = below_p53,
    .valid_f32 = valid_f32,
    .valid_f64 = valid_f64,
    .swap_index = swap_index,
};
