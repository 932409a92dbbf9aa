/* SPDX-License-Identifier: BSD-3-Clause */
/* Normal numbers by the Box-Muller method (random.h). PyTorch has two algorithms: sixteen at a time
 * from sixteen uniform numbers; or one after the other in double, keeping the second number of each
 * pair in the generator. */
#include "core/dtype.h"
#include "core/interrupt.h"
#include "core/tensor.h"
#include "cpu/pointwise/loops.h"
#include "cpu/random/loops.h"
#include "cpu/random/mt19937.h"
#include "cpu/random/random.h"

#include <math.h>

#define TWO_PI (2 * 3.14159265358979323846)

enum { CHUNK = 256 };

struct normal {
    enum ct_dtype dtype;
    char *dst;
    double mean, std;
};

static void use_normal_f32(const void *context, const uint32_t *words, int64_t first, int64_t count)
{
    const struct normal *r = context;
    cti_random_loops()->normal_f32((float *)r->dst + first, words, count, (float)r->mean,
                                   (float)r->std);
}

static void use_normal_half(const void *context, const uint32_t *words, int64_t first,
                            int64_t count)
{
    const struct normal *r = context;
    float x[CHUNK];
    for (int64_t i = 0; i < count; i += CHUNK) {
        int64_t part = count - i < CHUNK ? count - i : CHUNK;
        cti_random_loops()->normal_f32(x, words + i, part, (float)r->mean, (float)r->std);
        cti_cpu_cast(r->dtype, (uint16_t *)r->dst + first + i, CT_FLOAT32, x, part);
    }
}

static void use_normal_f64(const void *context, const uint32_t *words, int64_t first, int64_t count)
{
    const struct normal *r = context;
    cti_random_loops()->normal_f64((double *)r->dst + first, words, count, r->mean, r->std);
}

/* Requires n >= 16. If n is not a multiple of 16, the last sixteen elements are drawn again. */
static void fill_by_sixteen(ct_generator *g, struct normal *r, int64_t n)
{
    int width = r->dtype == CT_FLOAT64 ? 2 : 1;
    cti_mt19937_use *use = r->dtype == CT_FLOAT64   ? use_normal_f64
                           : r->dtype == CT_FLOAT32 ? use_normal_f32
                                                    : use_normal_half;
    int64_t rest = n % 16;
    cti_mt19937_stream(&g->mt, n - rest, width, use, r);
    if (rest == 0)
        return;
    uint32_t words[2 * 16];
    /* At this point float and double have drawn a number for every element; half types only for
     * full groups of sixteen. */
    if (r->dtype == CT_FLOAT32 || r->dtype == CT_FLOAT64)
        cti_mt19937_draw(&g->mt, words, rest * width);
    cti_mt19937_draw(&g->mt, words, 16 * width);
    use(r, words, n - 16, 16);
}

double cti_cpu_random_next_normal(ct_generator *g)
{
    if (g->has_normal_f64) {
        g->has_normal_f64 = false;
        return g->normal_f64;
    }
    uint32_t words[4];
    double u[2];
    cti_mt19937_draw(&g->mt, words, 4);
    cti_random_loops()->uniform_f64(u, words, 2, 0, 1, 1);
    double radius = sqrt(-2 * log1p(-u[1])), angle = TWO_PI * u[0];
    g->normal_f64 = radius * sin(angle);
    g->has_normal_f64 = true;
    return radius * cos(angle);
}

/* Draws numbers one after the other, and applies `last` to each unless it is NULL. */
static void fill_each(ct_generator *g, const struct normal *r, int64_t n, double (*last)(double))
{
    double x[CHUNK];
    for (int64_t i = 0; i < n && !cti_interrupted_at(i / CHUNK, 64); i += CHUNK) {
        int64_t part = n - i < CHUNK ? n - i : CHUNK;
        for (int64_t j = 0; j < part; j++) {
            double value = fma(cti_cpu_random_next_normal(g), r->std, r->mean);
            x[j] = last ? last(value) : value;
        }
        cti_cpu_cast(r->dtype, r->dst + i * cti_itemsize(r->dtype), CT_FLOAT64, x, part);
    }
}

/* Complex numbers are pairs of real ones, each with half the variance. */
static struct normal as_real(enum ct_dtype dtype, void *dst, int64_t *n, double mean, double std)
{
    struct normal r = {dtype, dst, mean, std};
    if (ct_dtype_is_complex(dtype)) {
        r.dtype = cti_dtype_to_real(dtype);
        r.std = std / sqrt(2);
        *n *= 2;
    }
    return r;
}

void cti_cpu_random_normal(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double mean,
                           double std)
{
    struct normal r = as_real(dtype, dst, &n, mean, std);
    cti_generator_lock(g);
    if (n >= 16)
        fill_by_sixteen(g, &r, n);
    else
        fill_each(g, &r, n, NULL);
    cti_generator_unlock(g);
}

void cti_cpu_random_normal_each(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double mean, double std)
{
    struct normal r = as_real(dtype, dst, &n, mean, std);
    cti_generator_lock(g);
    fill_each(g, &r, n, NULL);
    cti_generator_unlock(g);
}

void cti_cpu_random_log_normal(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                               double mean, double std)
{
    struct normal r = {dtype, dst, mean, std};
    cti_generator_lock(g);
    fill_each(g, &r, n, exp);
    cti_generator_unlock(g);
}
