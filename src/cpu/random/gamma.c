/* SPDX-License-Identifier: BSD-3-Clause */
/* Gamma numbers by G. Marsaglia and W. W. Tsang, A simple method for generating gamma variables,
 * 2000, one element after the other. Consumes the same random words as PyTorch and rounds as it
 * does: for float32 the shape is adjusted and inverted in float32, everything else is float64.
 * Called by engine.c. */
#include "core/interrupt.h"
#include "core/value.h"
#include "cpu/pointwise/loops.h"
#include "cpu/random/loops.h"
#include "cpu/random/mt19937.h"
#include "cpu/random/random.h"

#include <float.h>
#include <math.h>

enum { CHUNK = 256 };

static double uniform(ct_generator *g)
{
    uint32_t word[2];
    double u;
    cti_mt19937_draw(&g->mt, word, 2);
    cti_random_loops()->uniform_f64(&u, word, 1, 0, 1, 1);
    return u;
}

/* Draws one gamma number. single: alpha is float32. */
static double gamma_of(ct_generator *g, double alpha, bool single)
{
    double scale = 1, third = (double)(1.0f / 3.0f);
    if (alpha < 1) {
        if (alpha == 0)
            return 0;
        double power = single ? (double)(1.0f / (float)alpha) : 1 / alpha;
        scale = pow(1 - uniform(g), power);
        alpha = single ? (double)((float)alpha + 1.0f) : alpha + 1;
    }
    double d = single ? (double)((float)alpha - (float)third) : alpha - third;
    double c = 1 / sqrt(9 * d);
    for (;;) {
        double x, y;
        do {
            x = cti_cpu_random_next_normal(g);
            y = 1 + c * x;
        } while (y <= 0);
        double v = y * y * y, u = 1 - uniform(g), xx = x * x;
        if (u < 1 - (double)0.0331f * xx * xx || log(u) < 0.5 * xx + d * (1 - v + log(v)))
            return scale * d * v;
        if (isnan(d))
            return d;
    }
}

void cti_cpu_random_gamma(ct_generator *g, enum ct_dtype dtype, void *dst, const void *alpha,
                          int64_t n)
{
    int64_t size = cti_itemsize(dtype);
    bool single = dtype == CT_FLOAT32;
    double x[CHUNK], least = single ? (double)FLT_MIN : DBL_MIN;
    cti_generator_lock(g);
    for (int64_t i = 0; i < n && !cti_interrupted_at(i / CHUNK, 64); i += CHUNK) {
        int64_t part = n - i < CHUNK ? n - i : CHUNK;
        for (int64_t j = 0; j < part; j++) {
            double a = cti_value_real(cti_value_load((const char *)alpha + (i + j) * size, dtype));
            double y = gamma_of(g, a, single);
            x[j] = y < least ? least : y;
        }
        cti_cpu_cast(dtype, (char *)dst + i * size, CT_FLOAT64, x, part);
    }
    cti_generator_unlock(g);
}
