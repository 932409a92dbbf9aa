/* SPDX-License-Identifier: BSD-3-Clause */
/* topk along a dim. A line is read once: elements that beat the worst of the k best so far join a
 * short list of candidates, which is cut back to k whenever it is full, and that raises the bar; a
 * few best are a sorted list into which an element is inserted. One long line is split into pieces
 * whose best meet in a last cut. The best are sorted in the end. See Note [Sort keys]. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/parallel.h"
#include "cpu/index.h"
#include "cpu/order.h"

#include <string.h>

#define BLOCK 256 /* elements looked at before a decision */
#define QUICK 64  /* the same, where a look costs little */
#define FEW 32    /* as many are kept in order all the time */

struct topk {
    struct cti_lines lines; /* in, values, index */
    enum ct_dtype dtype;
    struct cti_order_store store;
    bool narrow;
    int64_t n, k, room; /* room: candidates that fit */
    int64_t tasks, pair_bytes;
    char *pairs, *spare;
    uint32_t *counts;
};

/* The k best of n candidates, in order. When k is a good part of n, sorting all of it is cheaper.
 */
static void finish_narrow(const struct topk *t, uint64_t *v, uint64_t *spare, int64_t n,
                          uint32_t *counts)
{
    if (t->k < n / 2) {
        cti_order_keep_narrow(v, spare, n, t->k);
        n = t->k;
    }
    uint64_t *sorted = cti_order_sort_narrow(v, spare, n, cti_order_bits(t->dtype), counts, 1);
    if (sorted != v)
        memcpy(v, sorted, (size_t)t->k * sizeof *v);
}

static void finish_wide(const struct topk *t, struct cti_pair *v, struct cti_pair *spare, int64_t n,
                        uint32_t *counts)
{
    if (t->k < n / 2) {
        cti_order_keep_wide(v, spare, n, t->k);
        n = t->k;
    }
    struct cti_pair *sorted = cti_order_sort_wide(v, spare, n, counts, 1);
    if (sorted != v)
        memcpy(v, sorted, (size_t)t->k * sizeof *v);
}

static bool floats_beat(const float *x, int64_t n, float bar, bool largest)
{
    int any = 0;
    if (largest)
        for (int64_t i = 0; i < n; i++)
            any |= !(x[i] <= bar);
    else
        for (int64_t i = 0; i < n; i++)
            any |= !(x[i] >= bar);
    return any != 0;
}

static bool doubles_beat(const double *x, int64_t n, double bar, bool largest)
{
    int any = 0;
    if (largest)
        for (int64_t i = 0; i < n; i++)
            any |= !(x[i] <= bar);
    else
        for (int64_t i = 0; i < n; i++)
            any |= !(x[i] >= bar);
    return any != 0;
}

/* Can a look tell that no element of a block beats the bar? */
static bool is_quick(const struct topk *t)
{
    return (t->dtype == CT_FLOAT32 || t->dtype == CT_FLOAT64) &&
           t->store.in_step == cti_itemsize(t->dtype);
}

/* The look, with the element at the bar: most blocks are dismissed here. */
static bool any_beats(const struct topk *t, const char *in, int64_t first, int64_t n, uint64_t bar)
{
    if (t->dtype == CT_FLOAT64) {
        const double *x = (const double *)(const void *)in;
        return doubles_beat(x + first, n, x[bar], t->store.descending);
    }
    const float *x = (const float *)(const void *)in;
    return floats_beat(x + first, n, x[bar], t->store.descending);
}

/* The keys of n elements from i on. False: none of them can beat the bar, UINT64_MAX for none yet.
 */
static bool load_narrow(const struct topk *t, const char *in, int64_t i, int64_t n, uint64_t bar,
                        uint64_t *block)
{
    if (bar != UINT64_MAX && is_quick(t) && !any_beats(t, in, i, n, bar & UINT32_MAX))
        return false;
    cti_order_load_narrow(t->dtype, in, t->store.in_step, i, n, t->store.descending, block);
    return true;
}

/* The same; bar is NULL for none yet. */
static bool load_wide(const struct topk *t, const char *in, int64_t i, int64_t n,
                      const struct cti_pair *bar, struct cti_pair *block)
{
    if (bar && is_quick(t) && !any_beats(t, in, i, n, bar->at))
        return false;
    cti_order_load_wide(t->dtype, in, t->store.in_step, i, n, t->store.descending, block);
    return true;
}

/* The best of [first, last) of a line, sorted, at v. A later element never beats an equal one
 * before it, so `<` is enough. */
static void best_narrow(const struct topk *t, const char *in, int64_t first, int64_t last,
                        uint64_t *v, uint64_t *spare, uint32_t *counts)
{
    uint64_t block[BLOCK], bar = UINT64_MAX;
    int64_t count = 0, step = is_quick(t) ? QUICK : BLOCK;
    for (int64_t i = first; i < last; i += step) {
        int64_t n = last - i < step ? last - i : step;
        if (!load_narrow(t, in, i, n, bar, block))
            continue;
        for (int64_t j = 0; j < n; j++) {
            v[count] = block[j];
            count += block[j] < bar;
        }
        if (count + step >= t->room && count > t->k) {
            bar = cti_order_keep_narrow(v, spare, count, t->k);
            count = t->k;
        }
    }
    finish_narrow(t, v, spare, count, counts);
}

static void best_wide(const struct topk *t, const char *in, int64_t first, int64_t last,
                      struct cti_pair *v, struct cti_pair *spare, uint32_t *counts)
{
    struct cti_pair block[BLOCK], bar = {UINT64_MAX, 0};
    bool full = false;
    int64_t count = 0, step = is_quick(t) ? QUICK : BLOCK;
    for (int64_t i = first; i < last; i += step) {
        int64_t n = last - i < step ? last - i : step;
        if (!load_wide(t, in, i, n, full ? &bar : NULL, block))
            continue;
        for (int64_t j = 0; j < n; j++) {
            v[count] = block[j];
            count += !full || block[j].key < bar.key;
        }
        if (count + step >= t->room && count > t->k) {
            bar = cti_order_keep_wide(v, spare, count, t->k);
            count = t->k;
            full = true;
        }
    }
    finish_wide(t, v, spare, count, counts);
}

/* The same for a small k. */
static void few_narrow(const struct topk *t, const char *in, int64_t first, int64_t last,
                       uint64_t *v)
{
    uint64_t block[BLOCK], bar = UINT64_MAX;
    int64_t count = 0, step = is_quick(t) ? QUICK : BLOCK;
    for (int64_t i = first; i < last; i += step) {
        int64_t n = last - i < step ? last - i : step;
        if (!load_narrow(t, in, i, n, bar, block))
            continue;
        for (int64_t j = 0; j < n; j++) {
            if (block[j] >= bar)
                continue;
            int64_t at = count < t->k ? count++ : count - 1;
            for (; at > 0 && block[j] < v[at - 1]; at--)
                v[at] = v[at - 1];
            v[at] = block[j];
            bar = count == t->k ? v[count - 1] : bar;
        }
    }
}

static void few_wide(const struct topk *t, const char *in, int64_t first, int64_t last,
                     struct cti_pair *v)
{
    struct cti_pair block[BLOCK];
    int64_t count = 0, step = is_quick(t) ? QUICK : BLOCK;
    for (int64_t i = first; i < last; i += step) {
        int64_t n = last - i < step ? last - i : step;
        if (!load_wide(t, in, i, n, count == t->k ? &v[count - 1] : NULL, block))
            continue;
        for (int64_t j = 0; j < n; j++) {
            if (count == t->k && block[j].key >= v[count - 1].key)
                continue;
            int64_t at = count < t->k ? count++ : count - 1;
            for (; at > 0 && block[j].key < v[at - 1].key; at--)
                v[at] = v[at - 1];
            v[at] = block[j];
        }
    }
}

static void best(const struct topk *t, const char *in, int64_t first, int64_t last, int64_t task)
{
    char *v = t->pairs + task * t->room * t->pair_bytes;
    char *spare = t->spare + task * t->room * t->pair_bytes;
    uint32_t *counts = t->counts + task * CTI_ORDER_BUCKETS;
    if (t->k <= FEW && t->narrow)
        few_narrow(t, in, first, last, (void *)v);
    else if (t->k <= FEW)
        few_wide(t, in, first, last, (void *)v);
    else if (t->narrow)
        best_narrow(t, in, first, last, (void *)v, (void *)spare, counts);
    else
        best_wide(t, in, first, last, (void *)v, (void *)spare, counts);
}

static void store_best(const struct topk *t, const struct cti_line *line, const char *pairs)
{
    struct cti_order_store to = t->store;
    to.in = line->p[0];
    to.values = line->p[1];
    to.index = line->p[2];
    if (t->narrow)
        cti_order_store_narrow(t->dtype, &to, (const void *)pairs, 0, t->k);
    else
        cti_order_store_wide(t->dtype, &to, (const void *)pairs, 0, t->k);
}

static void best_of_lines(void *context, int64_t begin, int64_t end)
{
    const struct topk *t = context;
    int64_t last = end * t->lines.count / t->tasks, i = begin * t->lines.count / t->tasks;
    struct cti_line line;
    cti_line_at(&t->lines, i, &line);
    for (; i < last; i++) {
        best(t, line.p[0], 0, t->n, begin);
        store_best(t, &line, t->pairs + begin * t->room * t->pair_bytes);
        cti_line_next(&t->lines, &line);
    }
}

static void best_of_pieces(void *context, int64_t begin, int64_t end)
{
    const struct topk *t = context;
    for (int64_t p = begin; p < end; p++)
        best(t, t->lines.base[0], p * t->n / t->tasks, (p + 1) * t->n / t->tasks, p);
}

/* Every piece holds its k best (pieces are longer than k); together they hold the line's. */
static void join_pieces(struct topk *t)
{
    size_t bytes = (size_t)(t->k * t->pair_bytes);
    for (int64_t p = 1; p < t->tasks; p++)
        memmove(t->pairs + p * t->k * t->pair_bytes, t->pairs + p * t->room * t->pair_bytes, bytes);
    void *v = t->pairs, *spare = t->spare;
    if (t->narrow)
        finish_narrow(t, v, spare, t->tasks * t->k, t->counts);
    else
        finish_wide(t, v, spare, t->tasks * t->k, t->counts);
    struct cti_line line;
    cti_line_at(&t->lines, 0, &line);
    store_best(t, &line, t->pairs);
}

bool cti_cpu_topk(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim64,
                  bool largest, bool sorted)
{
    (void)sorted; /* it always is */
    int dim = (int)dim64;
    struct cti_geometry g = cti_geometry_of(in);
    if (values->numel == 0)
        return true;
    struct topk t = {.dtype = (enum ct_dtype)in->dtype, .n = g.shape[dim], .k = k};
    int64_t item = cti_itemsize(t.dtype), threads = cti_parallel_threads();
    threads = threads < 32 ? threads : 32; /* a piece stays longer than k */
    t.narrow = cti_order_is_narrow(t.dtype, t.n);
    t.pair_bytes = t.narrow ? (int64_t)sizeof(uint64_t) : (int64_t)sizeof(struct cti_pair);
    /* Room for k, for a block, and enough more that cutting back pays; all of a short line. */
    t.room = k < t.n / 4 ? 2 * k + BLOCK : t.n;
    t.room = (t.room < t.n ? t.room : t.n) + BLOCK + 1;
    t.store.descending = largest;
    t.store.in_step = g.stride[dim] * item;
    t.store.value_step = cti_geometry_of(values).stride[dim] * item;
    t.store.index_step = cti_geometry_of(index).stride[dim] * 8;
    cti_lines_begin(&t.lines, g.ndim, g.shape, dim, CTI_NO_SKIP);
    cti_lines_add(&t.lines, in);
    cti_lines_add(&t.lines, values);
    cti_lines_add(&t.lines, index);
    bool pieces = t.lines.count == 1 && t.n >= CTI_ORDER_CHUNK && k < t.n / 64;
    int64_t worth = in->numel / 32768 + 1;
    t.tasks = threads < worth ? threads : worth;
    if (!pieces && t.tasks > t.lines.count)
        t.tasks = t.lines.count;
    int64_t pairs = t.tasks * t.room * t.pair_bytes;
    struct cti_block *block =
        cti_block_new(2 * pairs + t.tasks * CTI_ORDER_BUCKETS * (int64_t)sizeof(uint32_t));
    if (!block)
        return false;
    t.pairs = block->address;
    t.spare = t.pairs + pairs;
    t.counts = (uint32_t *)(void *)(t.spare + pairs);
    if (pieces) {
        cti_parallel_for(t.tasks, 1, best_of_pieces, &t);
        join_pieces(&t);
    } else {
        cti_parallel_for(t.tasks, 1, best_of_lines, &t);
    }
    cti_block_free(block);
    return true;
}
