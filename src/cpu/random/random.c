/* SPDX-License-Identifier: BSD-3-Clause */
/* Uniform numbers, Bernoulli trials, and the distributions that are a formula of one uniform number
 * (random.h). Words come from mt19937.c, loops from loops.c. */
#include "cpu/random/random.h"
#include "cpu/pointwise/loops.h"

#include "core/dtype.h"
#include "core/small.h"
#include "core/tensor.h"
#include "cpu/isa.h"
#include "cpu/random/loops.h"
#include "cpu/random/mt19937.h"

#include <math.h>

/* Elements at a time in local buffers; a multiple of 16. */
enum { CHUNK = 256 };

extern const struct cti_random_loops CTI_ISA_NAMES(cti_random_loops);

const struct cti_random_loops *cti_random_loops(void)
{
    static const struct cti_random_loops *const loops[] = CTI_ISA_TABLE(cti_random_loops);
    return loops[cti_cpu_isa()];
}

/* ---- uniform ---- */

struct uniform {
    enum ct_dtype dtype;
    char *dst;
    double from, to;
};

static void use_uniform_f32(const void *context, const uint32_t *words, int64_t first,
                            int64_t count)
{
    const struct uniform *u = context;
    float from = (float)u->from, to = (float)u->to;
    cti_random_loops()->uniform_f32((float *)u->dst + first, words, count, from, to - from, to);
}

static void use_uniform_f64(const void *context, const uint32_t *words, int64_t first,
                            int64_t count)
{
    const struct uniform *u = context;
    cti_random_loops()->uniform_f64((double *)u->dst + first, words, count, u->from,
                                    u->to - u->from, u->to);
}

/* Zeros of either sign are equal. */
static inline bool same_half(uint16_t a, uint16_t b)
{
    return a == b || ((a | b) & 0x7fff) == 0;
}

/* Draws in float; a value that rounds up to `to` in the half type becomes `from`. */
static void use_uniform_half(const void *context, const uint32_t *words, int64_t first,
                             int64_t count)
{
    const struct uniform *u = context;
    float bound[2] = {(float)u->from, (float)u->to}, x[CHUNK];
    uint16_t half_bound[2];
    cti_cpu_cast(u->dtype, half_bound, CT_FLOAT32, bound, 2);
    for (int64_t i = 0; i < count; i += CHUNK) {
        int64_t part = min64(CHUNK, count - i);
        uint16_t *dst = (uint16_t *)u->dst + first + i;
        cti_random_loops()->uniform_f32(x, words + i, part, bound[0], bound[1] - bound[0], NAN);
        cti_cpu_cast(u->dtype, dst, CT_FLOAT32, x, part);
        for (int64_t j = 0; j < part; j++)
            dst[j] = same_half(dst[j], half_bound[1]) ? half_bound[0] : dst[j];
    }
}

void cti_cpu_random_uniform(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double from,
                            double to)
{
    if (ct_dtype_is_complex(dtype)) {
        dtype = cti_dtype_to_real(dtype);
        n *= 2;
    }
    struct uniform u = {dtype, dst, from, to};
    cti_generator_lock(g);
    if (dtype == CT_FLOAT64)
        cti_mt19937_stream(&g->mt, n, 2, use_uniform_f64, &u);
    else
        cti_mt19937_stream(&g->mt, n, 1, dtype == CT_FLOAT32 ? use_uniform_f32 : use_uniform_half,
                           &u);
    cti_generator_unlock(g);
}

/* ---- Bernoulli trials ---- */

struct coins {
    enum ct_dtype dtype, p_dtype;
    char *dst;
    const char *p;
    uint64_t p53;
};

static void use_coins(const void *context, const uint32_t *words, int64_t first, int64_t count)
{
    const struct coins *c = context;
    const struct cti_random_loops *loops = cti_random_loops();
    uint8_t coin[CHUNK];
    float single[CHUNK];
    for (int64_t i = 0; i < count; i += CHUNK) {
        int64_t part = min64(CHUNK, count - i), at = first + i;
        if (!c->p) {
            loops->below_p53(coin, words + 2 * i, part, c->p53);
        } else if (c->p_dtype == CT_FLOAT64) {
            loops->below_f64(coin, words + 2 * i, part, (const double *)c->p + at);
        } else if (c->p_dtype == CT_FLOAT32) {
            loops->below_f32(coin, words + i, part, (const float *)c->p + at);
        } else {
            cti_cpu_cast(CT_FLOAT32, single, c->p_dtype, (const char *)c->p + 2 * at, part);
            loops->below_f32(coin, words + i, part, single);
        }
        cti_cpu_cast(c->dtype, c->dst + at * cti_itemsize(c->dtype), CT_BOOL, coin, part);
    }
}

/* Gives the numbers of PyTorch 2.15 on every processor. Older versions drew these, and exponential
 * numbers, from an MKL generator seeded by one word; current builds do not include MKL's
 * generators. */
void cti_cpu_random_bernoulli_p(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double p)
{
    struct coins c = {dtype, CT_FLOAT64, dst, NULL, (uint64_t)ceil(p * 0x1p53)};
    cti_generator_lock(g);
    cti_mt19937_stream(&g->mt, n, 2, use_coins, &c);
    cti_generator_unlock(g);
}

/* Returns the number of leading probabilities within [0, 1]. */
static int64_t count_valid(enum ct_dtype dtype, const void *p, int64_t n)
{
    if (dtype == CT_FLOAT64)
        return cti_random_loops()->valid_f64(p, n);
    if (dtype == CT_FLOAT32)
        return cti_random_loops()->valid_f32(p, n);
    float single[CHUNK];
    for (int64_t i = 0; i < n; i += CHUNK) {
        int64_t part = min64(CHUNK, n - i);
        cti_cpu_cast(CT_FLOAT32, single, dtype, (const char *)p + 2 * i, part);
        int64_t valid = cti_random_loops()->valid_f32(single, part);
        if (valid < part)
            return i + valid;
    }
    return n;
}

bool cti_cpu_random_bernoulli_tensor(ct_generator *g, enum ct_dtype dtype, void *dst,
                                     enum ct_dtype p_dtype, const void *p, int64_t n)
{
    int64_t valid = count_valid(p_dtype, p, n);
    struct coins c = {dtype, p_dtype, dst, p, 0};
    cti_generator_lock(g);
    cti_mt19937_stream(&g->mt, valid, p_dtype == CT_FLOAT64 ? 2 : 1, use_coins, &c);
    cti_generator_unlock(g);
    return valid == n;
}

/* ---- formulas of one uniform number, in double ---- */

struct formula {
    enum ct_dtype dtype;
    char *dst;
    double a, b;
    double (*value)(double u, double a, double b);
};

static double cauchy(double u, double median, double sigma)
{
    return fma(sigma, tan(3.14159265358979323846 * (u - 0.5)), median);
}

static double geometric(double u, double log_q, double unused)
{
    (void)unused;
    return ceil(log(u) / log_q);
}

static void use_formula(const void *context, const uint32_t *words, int64_t first, int64_t count)
{
    const struct formula *f = context;
    double x[CHUNK];
    for (int64_t i = 0; i < count; i += CHUNK) {
        int64_t part = min64(CHUNK, count - i);
        cti_random_loops()->uniform_f64(x, words + 2 * i, part, 0, 1, 1);
        for (int64_t j = 0; j < part; j++)
            x[j] = f->value(x[j], f->a, f->b);
        cti_cpu_cast(f->dtype, f->dst + (first + i) * cti_itemsize(f->dtype), CT_FLOAT64, x, part);
    }
}

static void fill_by_formula(ct_generator *g, const struct formula *f, int64_t n)
{
    cti_generator_lock(g);
    cti_mt19937_stream(&g->mt, n, 2, use_formula, f);
    cti_generator_unlock(g);
}

static void use_exponential(const void *context, const uint32_t *words, int64_t first,
                            int64_t count)
{
    const struct formula *f = context;
    double x[CHUNK];
    for (int64_t i = 0; i < count; i += CHUNK) {
        int64_t part = min64(CHUNK, count - i);
        cti_random_loops()->exponential(x, words + 2 * i, part, f->a);
        cti_cpu_cast(f->dtype, f->dst + (first + i) * cti_itemsize(f->dtype), CT_FLOAT64, x, part);
    }
}

void cti_cpu_random_exponential(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double lambda)
{
    struct formula f = {dtype, dst, -1 / lambda, 0, NULL};
    cti_generator_lock(g);
    cti_mt19937_stream(&g->mt, n, 2, use_exponential, &f);
    cti_generator_unlock(g);
}

void cti_cpu_random_cauchy(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                           double median, double sigma)
{
    fill_by_formula(g, &(struct formula){dtype, dst, median, sigma, cauchy}, n);
}

void cti_cpu_random_geometric(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double p)
{
    fill_by_formula(g, &(struct formula){dtype, dst, log1p(-p), 0, geometric}, n);
}
