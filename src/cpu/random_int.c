/* SPDX-License-Identifier: BSD-3-Clause */
/* Random integers of a range, in every real data type. The fronts call this (random.h) after their
 * checks of the bounds. */
#include "core/tensor.h"
#include "cpu/mt19937.h"
#include "cpu/random.h"
#include "cpu/random_loops.h"

#include <stdlib.h>

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
        cti_random_casts()->from_i64(r->dtype, r->dst + (first + i) * cti_itemsize(r->dtype), x,
                                     part);
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

static void fill(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t base,
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
    /* From 2^28 on PyTorch takes 64 bits, so that % favours no value by more than a few percent. */
    fill(g, dtype, dst, n, range ? base : 0, range, range == 0 || range >= (uint64_t)1 << 28);
}

/* Bits of a floating type's significand; 0 for the other types. */
static int digits_of(enum ct_dtype dtype)
{
    switch (dtype) {
    case CT_FLOAT16:
        return 11;
    case CT_BFLOAT16:
        return 8;
    case CT_FLOAT32:
        return 24;
    case CT_FLOAT64:
        return 53;
    case CT_BOOL:
    case CT_UINT8:
    case CT_INT8:
    case CT_INT16:
    case CT_INT32:
    case CT_INT64:
    case CT_UINT16:
    case CT_UINT32:
    case CT_UINT64:
    case CT_COMPLEX64:
    case CT_COMPLEX128:
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        break;
    }
    return 0;
}

/* x as the floating type holds it. */
static double rounded(enum ct_dtype dtype, int64_t x)
{
    if (dtype == CT_FLOAT64)
        return (double)x;
    float single;
    if (dtype == CT_FLOAT32)
        return (float)x;
    uint16_t half;
    cti_random_casts()->from_i64(dtype, &half, &x, 1);
    cti_random_casts()->to_f32(&single, dtype, &half, 1);
    return single;
}

static int log2_of(uint64_t x)
{
    return x ? 63 - __builtin_clzll(x) : 0;
}

void cti_cpu_random_narrow(enum ct_dtype dtype, int64_t *from, int64_t *to)
{
    int digits = digits_of(dtype);
    if (digits == 0)
        return;
    double above = rounded(dtype, *from + 1), below = rounded(dtype, *to - 1);
    if (above < (double)*from && above >= -0x1p63)
        *from = (int64_t)above + ((int64_t)1 << (log2_of((uint64_t)llabs(*from + 1)) - digits + 1));
    if (below >= (double)*to && below < 0x1p63)
        *to = (int64_t)below - ((int64_t)1 << (log2_of((uint64_t)llabs(*to - 1)) - digits + 1));
}

void cti_cpu_random_randint(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t low,
                            int64_t high)
{
    cti_cpu_random_narrow(dtype, &low, &high);
    cti_cpu_random_range(g, dtype, dst, n, low, (uint64_t)high - (uint64_t)low);
}

void cti_cpu_random_full(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n)
{
    /* Numbers the type has from 0 to its largest; of a floating type, to the last whole number
     * before which none is missing. */
    int digits = digits_of(dtype), bits = (int)(8 * cti_itemsize(dtype));
    uint64_t range = digits                      ? ((uint64_t)1 << digits) + 1
                     : dtype == CT_BOOL          ? 2
                     : ct_dtype_is_signed(dtype) ? (uint64_t)1 << (bits - 1)
                     : bits == 64                ? 0
                                                 : (uint64_t)1 << bits;
    bool wide = bits == 64;
    fill(g, dtype, dst, n, 0, !wide && range >> 32 ? 0 : range, wide);
}
