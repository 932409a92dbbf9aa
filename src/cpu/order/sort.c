/* SPDX-License-Identifier: BSD-3-Clause */
/* The sort engine: sorts along a dim, with positions. Threads divide the lines; one long line is
 * sorted by all threads together. Called through the backend table. Every sort is stable, so the
 * argument `stable` has no effect here. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/index.h"
#include "cpu/order/order.h"

#include <string.h>

/* Longer lines are sorted one by one in chunks of this many elements at most, so that the sort can
 * be interrupted between chunks. */
enum { LONG_LINE = 1 << 22, LONG_CHUNK = 1 << 21 };

struct sort {
    struct cti_lines lines; /* in, values, index; the last two are optional */
    enum ct_dtype dtype;
    struct cti_order_store store; /* a template without pointers */
    bool has_values, has_index, narrow;
    int64_t n, chunks;
    int64_t tasks, pair_bytes;
    char *pairs, *spare;
    uint32_t *counts;
};

/* Sorts pairs whose upper halves are already in order: only runs of equal upper halves need
 * sorting. */
static void sort_runs(struct cti_pair *v, struct cti_pair *spare, int64_t n, uint32_t *counts)
{
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && v[end].key >> 32 == v[i].key >> 32; end++)
            ;
        if (end - i == 1)
            continue;
        struct cti_pair *sorted = cti_order_sort_wide(v + i, spare, end - i, 32, counts, 1);
        if (sorted != v + i)
            memcpy(v + i, sorted, (size_t)(end - i) * sizeof *v);
    }
}

/* Sorts one line; Note [Close keys] explains how wide keys are sorted. */
static void sort_line(const struct sort *s, const struct cti_line *line, char *pairs, char *spare,
                      uint32_t *counts)
{
    struct cti_order_store to = s->store;
    struct cti_order_span span;
    int64_t step = to.in_step, n = s->n;
    to.in = line->p[0];
    to.values = s->has_values ? line->p[1] : NULL;
    to.index = s->has_index ? line->p[s->has_values ? 2 : 1] : NULL;
    if (cti_order_is_close(s->dtype, to.in, step, n, to.descending, &span)) {
        uint64_t *v = (uint64_t *)(void *)pairs, *room = (uint64_t *)(void *)spare;
        to.base = span.base;
        cti_order_load_narrow(s->dtype, to.in, step, 0, n, to.descending, span.base, v);
        v = cti_order_sort_narrow(v, room, n, span.bits, counts, 1);
        cti_order_store_narrow(s->dtype, &to, v, 0, n);
        return;
    }
    struct cti_pair *v = (struct cti_pair *)(void *)pairs;
    struct cti_pair *room = (struct cti_pair *)(void *)spare;
    if (n <= UINT32_MAX && cti_order_bits(s->dtype) == 64) {
        uint64_t *high = (uint64_t *)(void *)spare;
        cti_order_load_high(s->dtype, to.in, step, n, to.descending, high);
        high = cti_order_sort_narrow(high, high + n, n, 32, counts, 1);
        cti_order_load_at(s->dtype, to.in, step, high, n, to.descending, v);
        sort_runs(v, room, n, counts);
    } else {
        cti_order_load_wide(s->dtype, to.in, step, 0, n, to.descending, v);
        v = cti_order_sort_wide(v, room, n, 64, counts, 1);
    }
    cti_order_store_wide(s->dtype, &to, v, 0, n);
}

static void sort_lines(void *context, int64_t begin, int64_t end)
{
    const struct sort *s = context;
    int64_t first = begin * s->lines.count / s->tasks, last = end * s->lines.count / s->tasks;
    int64_t bytes = s->n * s->pair_bytes;
    struct cti_line line;
    cti_line_at(&s->lines, first, &line);
    for (int64_t i = first; i < last && !cti_interrupted(); i++) {
        sort_line(s, &line, s->pairs + begin * bytes, s->spare + begin * bytes,
                  s->counts + begin * CTI_ORDER_BUCKETS);
        cti_line_next(&s->lines, &line);
    }
}

static void load_part(void *context, int64_t begin, int64_t end)
{
    const struct sort *s = context;
    bool down = s->store.descending;
    int64_t step = s->store.in_step, n = end - begin;
    if (s->narrow)
        cti_order_load_narrow(s->dtype, s->store.in, step, begin, n, down, s->store.base,
                              (uint64_t *)(void *)s->pairs + begin);
    else
        cti_order_load_wide(s->dtype, s->store.in, step, begin, n, down,
                            (struct cti_pair *)(void *)s->pairs + begin);
}

static void store_part(void *context, int64_t begin, int64_t end)
{
    const struct sort *s = context;
    const void *pairs = s->pairs;
    if (s->narrow)
        cti_order_store_narrow(s->dtype, &s->store, pairs, begin, end - begin);
    else
        cti_order_store_wide(s->dtype, &s->store, pairs, begin, end - begin);
}

static void sort_long_line(struct sort *s, int64_t i)
{
    struct cti_line line;
    cti_line_at(&s->lines, i, &line);
    s->store.in = line.p[0];
    s->store.values = s->has_values ? line.p[1] : NULL;
    s->store.index = s->has_index ? line.p[s->has_values ? 2 : 1] : NULL;
    struct cti_order_span span;
    char *pairs = s->pairs;
    s->narrow = cti_order_is_close(s->dtype, s->store.in, s->store.in_step, s->n,
                                   s->store.descending, &span);
    s->store.base = span.base;
    cti_parallel_for(s->n, CTI_ORDER_CHUNK, load_part, s);
    void *v = s->pairs, *spare = s->spare;
    if (s->narrow)
        s->pairs = (char *)cti_order_sort_narrow(v, spare, s->n, span.bits, s->counts, s->chunks);
    else
        s->pairs = (char *)cti_order_sort_wide(v, spare, s->n, 64, s->counts, s->chunks);
    cti_parallel_for(s->n, CTI_ORDER_CHUNK, store_part, s);
    s->pairs = pairs;
}

/* Allocates the pairs, their spare room and the counts as one block. */
static struct cti_block *make_room(struct sort *s)
{
    int64_t pairs = s->tasks * s->n * s->pair_bytes;
    int64_t counts = s->tasks * s->chunks * CTI_ORDER_BUCKETS * (int64_t)sizeof(uint32_t);
    struct cti_block *block = cti_block_new(2 * pairs + counts);
    if (!block)
        return NULL;
    s->pairs = block->address;
    s->spare = s->pairs + pairs;
    s->counts = (uint32_t *)(void *)(s->spare + pairs);
    return block;
}

enum cti_status cti_cpu_sort(struct cti_sort *work)
{
    ct_tensor *values = work->values, *index = work->index, *in = work->in;
    int dim = (int)work->dim;
    bool descending = work->descending;
    struct cti_geometry g = cti_geometry_of(in);
    if (in->numel == 0)
        return true;
    struct sort s = {.dtype = in->dtype, .n = g.shape[dim], .chunks = 1};
    int64_t item = cti_itemsize(s.dtype);
    s.narrow = cti_order_is_narrow(s.dtype, s.n);
    s.pair_bytes = s.narrow ? (int64_t)sizeof(uint64_t) : (int64_t)sizeof(struct cti_pair);
    s.store.descending = descending;
    s.store.in_step = g.stride[dim] * item;
    cti_lines_begin(&s.lines, g.ndim, g.shape, dim, CTI_NO_SKIP);
    cti_lines_add(&s.lines, in);
    s.has_values = values != NULL;
    s.has_index = index != NULL;
    if (values) {
        cti_lines_add(&s.lines, values);
        s.store.value_step = cti_geometry_of(values).stride[dim] * item;
    }
    if (index) {
        cti_lines_add(&s.lines, index);
        s.store.index_step = cti_geometry_of(index).stride[dim] * 8;
    }
    int64_t threads = cti_parallel_threads(), worth = in->numel / 8192 + 1;
    s.tasks = threads < worth ? threads : worth;
    s.tasks = s.tasks < s.lines.count ? s.tasks : s.lines.count;
    bool long_lines = s.n >= (s.lines.count == 1 ? 2 * CTI_ORDER_CHUNK : LONG_LINE);
    if (long_lines) {
        s.tasks = 1;
        s.chunks = s.n / LONG_CHUNK + 1 > threads ? s.n / LONG_CHUNK + 1 : threads;
    }
    struct cti_block *block = make_room(&s);
    if (!block)
        return false;
    for (int64_t i = 0; long_lines && i < s.lines.count; i++)
        sort_long_line(&s, i);
    if (!long_lines)
        cti_parallel_for(s.tasks, 1, sort_lines, &s);
    cti_block_free(block);
    return true;
}
