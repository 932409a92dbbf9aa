/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson and binomial numbers. As in PyTorch, elements are drawn one after the other by rejection,
 * because the number of random words that an element consumes is not known in advance. Called by
 * engine.c; words come from mt19937.c. */
#include "core/interrupt.h"
#include "core/value.h"
#include "cpu/pointwise/loops.h"
#include "cpu/random/loops.h"
#include "cpu/random/mt19937.h"
#include "cpu/random/random.h"

#include <math.h>

enum { CHUNK = 256 };

/* Draws the next uniform number in [0, 1): 53 bits of two words. */
static double draw(struct cti_mt19937 *mt)
{
    uint32_t word[2];
    cti_mt19937_draw(mt, word, 2);
    uint64_t both = (uint64_t)word[0] << 32 | word[1];
    return (double)(both & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}

/* ---- Poisson ---- */

/* Multiplies uniform numbers until the product is below exp(-rate). */
static double poisson_small(struct cti_mt19937 *mt, double rate)
{
    double least = exp(-rate), product = 1, count = 0;
    for (;;) {
        product *= draw(mt);
        if (!(product > least))
            return count;
        count += 1;
    }
}

/* W. Hoermann, The transformed rejection method for generating Poisson random variables, 1993. */
static double poisson_large(struct cti_mt19937 *mt, double rate)
{
    double log_rate = log(rate), b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    int sign;
    for (;;) {
        double u = draw(mt) - 0.5, v = draw(mt), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + rate + 0.43);
        if (!(fabs(k) < 0x1p63)) /* out of range: what a cast to int64 gives */
            k = -0x1p63;
        if (us >= 0.07 && v <= v_r)
            return k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <=
            -rate + k * log_rate - lgamma_r(k + 1, &sign))
            return k;
    }
}

bool cti_cpu_random_poisson(ct_generator *g, enum ct_dtype dtype, void *dst, const void *rate,
                            int64_t n)
{
    int64_t size = cti_itemsize(dtype);
    double x[CHUNK];
    bool good = true;
    cti_generator_lock(g);
    for (int64_t i = 0; i < n && good && !cti_interrupted_at(i / CHUNK, 64); i += CHUNK) {
        int64_t part = n - i < CHUNK ? n - i : CHUNK;
        for (int64_t j = 0; j < part && good; j++) {
            double r = cti_value_real(cti_value_load((const char *)rate + (i + j) * size, dtype));
            good = r >= 0;
            x[j] = !good || r == 0 ? 0
                   : r >= 10       ? poisson_large(&g->mt, r)
                                   : poisson_small(&g->mt, r);
        }
        cti_cpu_cast(dtype, (char *)dst + i * size, CT_FLOAT64, x, part);
    }
    cti_generator_unlock(g);
    return good;
}

/* ---- binomial ---- */

/* Trials with a success probability p in (0, 0.5]. If `single` is set, values that PyTorch keeps in
 * the tensors' type are rounded to float32. */
struct tries {
    double count, p;
    bool single;
};

static double in_type(const struct tries *t, double x)
{
    return t->single ? (double)(float)x : x;
}

/* Adds the gaps between successes, which are geometrically distributed. */
static double binomial_gaps(struct cti_mt19937 *mt, const struct tries *t)
{
    double log_q = t->single ? (double)log1pf((float)-t->p) : log1p(-t->p), sum = 0, successes = 0;
    for (;;) {
        sum += ceil(log(draw(mt)) / log_q);
        if (sum > t->count)
            return successes;
        successes = in_type(t, successes + 1);
    }
}

/* log(k!) minus Stirling's approximation. */
static double stirling_tail(double k)
{
    static const double first[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                                   0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                                   0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                                   0.00833056343336287};
    if (k < 10)
        return first[(int)k];
    double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/* W. Hoermann, The generation of binomial random variates, 1993: algorithm BTRS. */
static double binomial_rejection(struct cti_mt19937 *mt, const struct tries *t)
{
    double n = t->count, p = t->p, q = in_type(t, 1 - p), np = in_type(t, n * p);
    double sd = in_type(t, sqrt(in_type(t, np * q)));
    double b = 1.15 + 2.53 * sd, a = -0.0873 + 0.0248 * b + 0.01 * p, c = np + 0.5;
    double v_r = 0.92 - 4.2 / b, r = in_type(t, p / q), alpha = (2.83 + 5.1 / b) * sd;
    double n1 = in_type(t, n + 1), m = floor(in_type(t, n1 * p));
    for (;;) {
        double u = draw(mt) - 0.5, v = draw(mt), us = 0.5 - fabs(u);
        double k = in_type(t, floor((2 * a / us + b) * u + c));
        if (k < 0 || k > n)
            continue;
        if (us >= 0.07 && v <= v_r)
            return k;
        double left = in_type(t, in_type(t, n - k) + 1), k1 = in_type(t, k + 1);
        double most = (m + 0.5) * log((m + 1) / (r * (n - m + 1))) + n1 * log((n - m + 1) / left) +
                      (k + 0.5) * log(r * left / k1) + stirling_tail(m) + stirling_tail(n - m) -
                      stirling_tail(k) - stirling_tail(in_type(t, n - k));
        if (log(v * alpha / (a / (us * us) + b)) <= most)
            return k;
    }
}

static double binomial(struct cti_mt19937 *mt, double count, double p, bool single)
{
    if (count <= 0 || p <= 0)
        return 0;
    if (p >= 1)
        return count;
    if (isnan(count) || isnan(p))
        return NAN;
    struct tries t = {count, p, single};
    if (p > 0.5)
        t.p = in_type(&t, 1 - p);
    double k = in_type(&t, count * t.p) >= 10 ? binomial_rejection(mt, &t) : binomial_gaps(mt, &t);
    return p > 0.5 ? count - k : k;
}

void cti_cpu_random_binomial(ct_generator *g, enum ct_dtype dtype, void *dst, const void *count,
                             const void *prob, int64_t n)
{
    bool single = dtype == CT_FLOAT32;
    cti_generator_lock(g);
    for (int64_t i = 0; i < n && !cti_interrupted_at(i, 64 * CHUNK); i++) {
        double c = single ? (double)((const float *)count)[i] : ((const double *)count)[i];
        double p = single ? (double)((const float *)prob)[i] : ((const double *)prob)[i];
        double k = binomial(&g->mt, c, p, single);
        if (single)
            ((float *)dst)[i] = (float)k;
        else
            ((double *)dst)[i] = k;
    }
    cti_generator_unlock(g);
}
