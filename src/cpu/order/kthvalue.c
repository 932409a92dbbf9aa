/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th smallest element of each line, for kthvalue and median, without sorting: a radix select,
 * which goes digit by digit from the top and keeps only the bucket that contains the k-th element.
 * See Note [Sort keys]; equal elements are ordered by position, as in a stable sort. Called through
 * the backend table. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/index.h"
#include "cpu/order/order.h"

#include <string.h>

enum {
    FEW = 32,     /* pairs that are compared directly */
    BUCKETS = 256 /* of 8-bit digits */
};

struct kthvalue {
    struct cti_lines lines; /* in, values, index */
    enum ct_dtype dtype;
    struct cti_order_store store;
    bool narrow, nan_wins;
    int64_t n, k, tasks, pair_bytes;
    char *pairs, *spare;
};

/* Returns the bucket of the k-th pair; *before is the number of pairs in lower buckets. Four tables
 * of counts keep increments for equal digits independent. */
static int find_bucket(uint32_t (*counts)[BUCKETS], int64_t k, int64_t *before)
{
    int64_t below = 0;
    for (int b = 0;; b++) {
        int64_t here = (int64_t)counts[0][b] + counts[1][b] + counts[2][b] + counts[3][b];
        if (k < below + here) {
            *before = below;
            return b;
        }
        below += here;
    }
}

static uint64_t select_narrow(uint64_t *v, uint64_t *spare, int64_t n, int64_t k, int bits)
{
    for (int shift = 24 + bits, seen = 0; n > FEW && seen < bits && !cti_interrupted();
         shift -= 8) {
        shift = shift < 32 ? 32 : shift; /* the last digit may overlap the one before */
        seen = bits - (shift - 32);
        uint32_t counts[4][BUCKETS] = {{0}};
        int64_t before, kept = 0;
        for (int64_t i = 0; i < n; i++)
            counts[i & 3][v[i] >> shift & (BUCKETS - 1)]++;
        uint64_t bucket = (uint64_t)find_bucket(counts, k, &before);
        for (int64_t i = 0; i < n; i++) {
            spare[kept] = v[i];
            kept += (v[i] >> shift & (BUCKETS - 1)) == bucket;
        }
        uint64_t *old = v;
        v = spare;
        spare = old;
        n = kept;
        k -= before;
    }
    /* If more than FEW are left, their keys are equal and the pairs are ordered by position. */
    return n <= FEW ? cti_order_pick_narrow(v, n, k) : v[k];
}

static struct cti_pair select_wide(struct cti_pair *v, struct cti_pair *spare, int64_t n, int64_t k,
                                   int bits)
{
    for (int shift = bits - 8; n > FEW && shift >= 0 && !cti_interrupted(); shift -= 8) {
        uint32_t counts[4][BUCKETS] = {{0}};
        int64_t before, kept = 0;
        for (int64_t i = 0; i < n; i++)
            counts[i & 3][v[i].key >> shift & (BUCKETS - 1)]++;
        uint64_t bucket = (uint64_t)find_bucket(counts, k, &before);
        for (int64_t i = 0; i < n; i++) {
            spare[kept] = v[i];
            kept += (v[i].key >> shift & (BUCKETS - 1)) == bucket;
        }
        struct cti_pair *old = v;
        v = spare;
        spare = old;
        n = kept;
        k -= before;
    }
    return n <= FEW ? cti_order_pick_wide(v, n, k) : v[k];
}

/* Finds the first NaN, whose key is the largest of all. */
static bool first_nan_narrow(const uint64_t *v, int64_t n, int bits, uint64_t *found)
{
    uint64_t nan = ((1ull << bits) - 1) << 32, most = 0;
    for (int64_t i = 0; i < n; i++)
        most = v[i] > most ? v[i] : most;
    if (most < nan)
        return false;
    while (*v < nan)
        v++;
    *found = *v;
    return true;
}

static bool first_nan_wide(const struct cti_pair *v, int64_t n, int bits, struct cti_pair *found)
{
    uint64_t nan = bits == 64 ? ~0ull : (1ull << bits) - 1;
    for (int64_t i = 0; i < n; i++)
        if (v[i].key == nan) {
            *found = v[i];
            return true;
        }
    return false;
}

static void kthvalue_line(const struct kthvalue *p, const struct cti_line *line, char *pairs,
                          char *spare)
{
    struct cti_order_store to = p->store;
    struct cti_order_span span;
    int bits = cti_order_bits(p->dtype);
    to.in = line->p[0];
    to.values = line->p[1];
    to.index = line->p[2];
    if (cti_order_is_close(p->dtype, to.in, to.in_step, p->n, false, &span)) {
        uint64_t *v = (uint64_t *)(void *)pairs, found;
        to.base = span.base;
        cti_order_load_narrow(p->dtype, to.in, to.in_step, 0, p->n, false, span.base, v);
        if (!p->nan_wins || !first_nan_narrow(v, p->n, bits, &found))
            found = select_narrow(v, (uint64_t *)(void *)spare, p->n, p->k, span.bits);
        cti_order_store_narrow(p->dtype, &to, &found, 0, 1);
    } else {
        struct cti_pair *v = (struct cti_pair *)(void *)pairs, found;
        cti_order_load_wide(p->dtype, to.in, to.in_step, 0, p->n, false, v);
        if (!p->nan_wins || !first_nan_wide(v, p->n, bits, &found))
            found = select_wide(v, (struct cti_pair *)(void *)spare, p->n, p->k, bits);
        cti_order_store_wide(p->dtype, &to, &found, 0, 1);
    }
}

static void place_lines(void *context, int64_t begin, int64_t end)
{
    const struct kthvalue *p = context;
    int64_t i = begin * p->lines.count / p->tasks, last = end * p->lines.count / p->tasks;
    int64_t at = begin * p->n * p->pair_bytes;
    struct cti_line line;
    cti_line_at(&p->lines, i, &line);
    for (; i < last && !cti_interrupted(); i++) {
        kthvalue_line(p, &line, p->pairs + at, p->spare + at);
        cti_line_next(&p->lines, &line);
    }
}

/* Adds a result tensor, with the dims of `in`, where `dim` is missing or has size 1. */
static void add_result(struct kthvalue *p, ct_tensor *t, struct cti_geometry in, int dim)
{
    int64_t stride[CTI_MAX_DIMS];
    struct cti_geometry g = cti_geometry_of(t);
    ct_tensor whole = *t;
    for (int d = 0; d < in.ndim; d++)
        stride[d] = d == dim ? 0 : g.stride[g.ndim == in.ndim || d < dim ? d : d - 1];
    whole.ndim = (uint8_t)in.ndim;
    whole.shape = (int64_t *)(uintptr_t)in.shape;
    whole.stride = stride;
    cti_lines_add(&p->lines, &whole);
}

enum cti_status cti_cpu_kthvalue(struct cti_kthvalue *work)
{
    ct_tensor *values = work->values, *index = work->index, *in = work->in;
    int64_t k = work->k;
    int dim = (int)work->dim;
    bool nan_wins = work->nan_wins;
    struct cti_geometry g = cti_geometry_of(in);
    if (values->numel == 0)
        return true;
    struct kthvalue p = {.dtype = in->dtype, .n = g.shape[dim], .k = k};
    p.nan_wins = nan_wins && ct_dtype_is_floating(p.dtype);
    p.narrow = cti_order_is_narrow(p.dtype, p.n);
    p.pair_bytes = p.narrow ? (int64_t)sizeof(uint64_t) : (int64_t)sizeof(struct cti_pair);
    p.store.in_step = g.stride[dim] * cti_itemsize(p.dtype);
    cti_lines_begin(&p.lines, g.ndim, g.shape, dim, CTI_NO_SKIP);
    cti_lines_add(&p.lines, in);
    add_result(&p, values, g, dim);
    add_result(&p, index, g, dim);
    int64_t threads = cti_parallel_threads(), worth = in->numel / 16384 + 1;
    p.tasks = threads < worth ? threads : worth;
    p.tasks = p.tasks < p.lines.count ? p.tasks : p.lines.count;
    int64_t bytes = p.tasks * p.n * p.pair_bytes;
    struct cti_block *block = cti_block_new(2 * bytes);
    if (!block)
        return false;
    p.pairs = block->address;
    p.spare = p.pairs + bytes;
    cti_parallel_for(p.tasks, 1, place_lines, &p);
    cti_block_free(block);
    return true;
}
