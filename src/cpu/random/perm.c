/* SPDX-License-Identifier: BSD-3-Clause */
/* Random permutations: the Fisher-Yates shuffles of PyTorch's randperm. Long permutations are
 * shuffled as 32-bit numbers with prefetching, then widened. */
#include "core/interrupt.h"
#include "core/tensor.h"
#include "cpu/pointwise/loops.h"
#include "cpu/random/loops.h"
#include "cpu/random/mt19937.h"
#include "cpu/random/random.h"

#include <string.h>

/* From this length on PyTorch draws 64 bits for each swap, and shuffles inside-out. */
#define LONG_PERMUTATION (UINT32_MAX / 20)

enum {
    BLOCK = 4 * CTI_MT19937_WORDS, /* swaps whose positions are drawn together */
    AHEAD = 128,                   /* swaps between a prefetch and its use */
    CHUNK = 256
};

/* ---- the numbers in order ---- */

static void fill_in_order(enum ct_dtype dtype, char *dst, int64_t n)
{
    int64_t x[CHUNK];
    for (int64_t i = 0; i < n; i += CHUNK) {
        int64_t part = n - i < CHUNK ? n - i : CHUNK;
        for (int64_t j = 0; j < part; j++)
            x[j] = i + j;
        cti_cpu_cast(dtype, dst + i * cti_itemsize(dtype), CT_INT64, x, part);
    }
}

/* ---- swaps by element size: a[first + k] with a[other[k]] ---- */

static void swap_u8(uint8_t *a, const uint32_t *other, int64_t first, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        uint8_t saved = a[first + k];
        a[first + k] = a[other[k]];
        a[other[k]] = saved;
    }
}

static void swap_u16(uint16_t *a, const uint32_t *other, int64_t first, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        uint16_t saved = a[first + k];
        a[first + k] = a[other[k]];
        a[other[k]] = saved;
    }
}

static void swap_u32(uint32_t *a, const uint32_t *other, int64_t first, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        __builtin_prefetch(&a[other[k + AHEAD]], 0, 2); /* into L2, which has more room */
        uint32_t saved = a[first + k];
        a[first + k] = a[other[k]];
        a[other[k]] = saved;
    }
}

static void swap(int64_t itemsize, void *a, const uint32_t *other, int64_t first, int64_t count)
{
    if (itemsize == 1)
        swap_u8(a, other, first, count);
    else if (itemsize == 2)
        swap_u16(a, other, first, count);
    else
        swap_u32(a, other, first, count);
}

/* Draws the positions of AHEAD more swaps in advance, so that swap_u32 can prefetch. */
static void shuffle(struct cti_mt19937 *mt, int64_t itemsize, void *a, int64_t n)
{
    uint32_t words[BLOCK], other[AHEAD + BLOCK + AHEAD] = {0};
    int64_t swaps = n - 1, drawn = 0, done = 0;
    while (done < swaps && !cti_interrupted()) {
        int64_t count = swaps - drawn < BLOCK ? swaps - drawn : BLOCK, kept = drawn - done;
        cti_mt19937_draw(mt, words, count);
        cti_random_loops()->swap_index(other + kept, words, count, drawn, n);
        drawn += count;
        int64_t now = drawn < swaps ? drawn - done - AHEAD : drawn - done;
        swap(itemsize, a, other, done, now);
        done += now;
        memmove(other, other + now, AHEAD * sizeof *other);
    }
}

/* ---- long permutations ---- */

/* Widens 32-bit numbers to the result's type. src is the upper half of dst: since 8 bytes are
 * written for each 4 read, writes catch up with reads only at the very end. */
static void widen(enum ct_dtype dtype, char *dst, const uint32_t *src, int64_t n)
{
    int64_t x[CHUNK];
    for (int64_t i = 0; i < n; i += CHUNK) {
        int64_t part = n - i < CHUNK ? n - i : CHUNK;
        for (int64_t j = 0; j < part; j++)
            x[j] = src[i + j];
        cti_cpu_cast(dtype, dst + 8 * i, CT_INT64, x, part);
    }
}

static uint64_t draw_64(struct cti_mt19937 *mt)
{
    uint32_t words[2];
    cti_mt19937_draw(mt, words, 2);
    return (uint64_t)words[0] << 32 | words[1];
}

static void inside_out_u32(struct cti_mt19937 *mt, uint32_t *a, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t z = draw_64(mt) % (uint64_t)(i + 1);
        a[i] = (uint32_t)i;
        a[i] = a[z];
        a[z] = (uint32_t)i;
    }
}

static void inside_out_u64(struct cti_mt19937 *mt, int64_t *a, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t z = draw_64(mt) % (uint64_t)(i + 1);
        a[i] = i;
        a[i] = a[z];
        a[z] = i;
    }
}

static void permute_long(struct cti_mt19937 *mt, enum ct_dtype dtype, void *dst, int64_t n)
{
    if (cti_itemsize(dtype) == 4) {
        inside_out_u32(mt, dst, n);
        return;
    }
    inside_out_u64(mt, dst, n);
    if (dtype == CT_FLOAT64)
        for (int64_t i = 0; i < n; i++) {
            int64_t x = ((int64_t *)dst)[i];
            ((double *)dst)[i] = (double)x;
        }
}

void cti_cpu_random_permutation(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n)
{
    int64_t itemsize = cti_itemsize(dtype);
    cti_generator_lock(g);
    if (n >= LONG_PERMUTATION) {
        permute_long(&g->mt, dtype, dst, n);
    } else if (itemsize == 8) {
        uint32_t *small = (uint32_t *)dst + n;
        fill_in_order(CT_INT32, (char *)small, n);
        shuffle(&g->mt, 4, small, n);
        widen(dtype, dst, small, n);
    } else {
        fill_in_order(dtype, dst, n);
        shuffle(&g->mt, itemsize, dst, n);
    }
    cti_generator_unlock(g);
}
