/* SPDX-License-Identifier: BSD-3-Clause */
/* Random integers in a range, in every real data type (random.h). Callers have checked the
 * bounds. */
#include "core/random.h"
#include "core/tensor.h"
#include "cpu/pointwise/loops.h"
#include "cpu/random/loops.h"
#include "cpu/random/mt19937.h"
#include "cpu/random/random.h"

enum { CHUNK = 256 };

struct integers {
    enum ct_dtype dtype;
    bool wide; /* two words for each element */
    char *dst;
    struct cti_random_range by;
};

static void use_integers(const void *context, const uint32_t *words, int64_t first, int64_t count)
{
    const struct integers *r = context;
    const struct cti_random_loops *loops = cti_random_loops();
    int width = r->wide ? 2 : 1;
    if (r->dtype == CT_INT64 || r->dtype == CT_UINT64) {
        int64_t *dst = (int64_t *)r->dst + first;
        (r->wide ? loops->modulo_64 : loops->modulo_32)(dst, words, count, &r->by);
        return;
    }
    int64_t x[CHUNK];
    for (int64_t i = 0; i < count; i += CHUNK) {
        int64_t part = count - i < CHUNK ? count - i : CHUNK;
        (r->wide ? loops->modulo_64 : loops->modulo_32)(x, words + i * width, part, &r->by);
        cti_cpu_cast(r->dtype, r->dst + (first + i) * cti_itemsize(r->dtype), CT_INT64, x, part);
    }
}

/* See Note [Division by a constant]. */
static struct cti_random_range divide_by(uint64_t range, int64_t base, bool wide)
{
    struct cti_random_range by = {.range = range, .base = base};
    if (range == 0)
        return by;
    unsigned bits = wide ? 64 : 32, length = 0;
    while (length < bits && ((uint64_t)1 << length) < range)
        length++;
    unsigned __int128 power = (unsigned __int128)1 << length;
    by.factor = (uint64_t)(((power - range) << bits) / range + 1);
    by.shift1 = length > 0 ? 1 : 0;
    by.shift2 = length > 0 ? length - 1 : 0;
    return by;
}

static void fill_integers(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t base,
                          uint64_t range, bool wide)
{
    struct integers r = {dtype, wide, dst, divide_by(range, base, wide)};
    cti_generator_lock(g);
    cti_mt19937_stream(&g->mt, n, wide ? 2 : 1, use_integers, &r);
    cti_generator_unlock(g);
}

void cti_cpu_random_range(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t base,
                          uint64_t range)
{
    /* Like PyTorch, draws 64 bits if the range is 2^28 or more, so that % favours no value by more
     * than a few percent. */
    fill_integers(g, dtype, dst, n, range ? base : 0, range,
                  range == 0 || range >= (uint64_t)1 << 28);
}

void cti_cpu_random_randint(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t low,
                            int64_t high)
{
    cti_random_narrow(dtype, &low, &high);
    cti_cpu_random_range(g, dtype, dst, n, low, (uint64_t)high - (uint64_t)low);
}

void cti_cpu_random_full(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n)
{
    /* Computes how many consecutive integers from 0 on the type can represent. A floating-point
     * type stops at the first gap. */
    int digits = cti_random_digits(dtype), bits = (int)(8 * cti_itemsize(dtype));
    uint64_t range = digits                      ? ((uint64_t)1 << digits) + 1
                     : dtype == CT_BOOL          ? 2
                     : ct_dtype_is_signed(dtype) ? (uint64_t)1 << (bits - 1)
                     : bits == 64                ? 0
                                                 : (uint64_t)1 << bits;
    bool wide = bits == 64;
    fill_integers(g, dtype, dst, n, 0, !wide && range >> 32 ? 0 : range, wide);
}
