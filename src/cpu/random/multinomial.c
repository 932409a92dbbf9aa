/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws with replacement from rows of weights. Called by engine.c; uniform numbers come from
 * random.c. */
#include "core/alloc.h"
#include "core/value.h"
#include "cpu/random/random.h"

#include <math.h>

/* Computes the cumulative shares of a row's weights. As in PyTorch, sums have the type of the
 * weights; half types are added in float. */
static bool cumulative_shares(const char *p, enum ct_dtype dtype, int64_t categories, double *share)
{
    bool wide = dtype == CT_FLOAT64;
    double sum = 0;
    for (int64_t i = 0; i < categories; i++) {
        double x = cti_value_real(cti_value_load(p + i * cti_itemsize(dtype), dtype));
        if (!(x >= 0))
            return ct_fail(CT_ERR_RUNTIME, "invalid multinomial distribution (encountering "
                                           "probability entry < 0)");
        if (isinf(x))
            return ct_fail(CT_ERR_RUNTIME, "invalid multinomial distribution (encountering "
                                           "probability entry = infinity or NaN)");
        sum = wide ? sum + x : (double)((float)sum + (float)x);
        share[i] = sum;
    }
    if (!(sum > 0))
        return ct_fail(CT_ERR_RUNTIME,
                       "invalid multinomial distribution (sum of probabilities <= 0)");
    for (int64_t i = 0; i < categories; i++)
        share[i] = wide ? share[i] / sum : (double)((float)share[i] / (float)sum);
    share[categories - 1] = 1;
    return true;
}

/* Returns the first category whose cumulative share is at least x. */
static int64_t category_of(const double *share, int64_t categories, double x)
{
    int64_t low = 0, high = categories;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (share[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool cti_cpu_random_multinomial(ct_generator *g, int64_t *dst, int64_t draws, enum ct_dtype p_dtype,
                                const void *p, int64_t rows, int64_t categories)
{
    enum { CHUNK = 256 };
    double *share = cti_malloc((size_t)(categories ? categories : 1) * sizeof *share), x[CHUNK];
    bool good = share != NULL;
    for (int64_t r = 0; good && r < rows; r++, dst += draws) {
        good = cumulative_shares((const char *)p + r * categories * cti_itemsize(p_dtype), p_dtype,
                                 categories, share);
        for (int64_t i = 0; good && i < draws; i += CHUNK) {
            int64_t part = draws - i < CHUNK ? draws - i : CHUNK;
            cti_cpu_random_uniform(g, CT_FLOAT64, x, part, 0, 1);
            for (int64_t j = 0; j < part; j++)
                dst[i + j] = category_of(share, categories, x[j]);
        }
    }
    cti_free(share);
    return good;
}
