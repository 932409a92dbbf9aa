/* SPDX-License-Identifier: BSD-3-Clause */
/* topk along a dim. Elements that can be among the k best are collected in a list of candidates,
 * which is reduced to the k best whenever it is full. A very small k in a short line uses insertion
 * into a sorted list. One very long line is split into pieces, whose k best are collected in a
 * final list. The k best are sorted at the end. See Note [Sort keys]; topk_typed.h has the code for
 * one line.
 *
 * Note [Groups]: a long line is cut into groups of neighbours, and the best element of each group
 * is found in vector code (peaks.h). Take the k groups whose best elements are best by key and
 * position. These best elements are k elements of the line, so no element worse than all of them is
 * among the k best; and an element that is better than one of them belongs to a group whose best
 * element is better still. So only these k groups need to be examined, whatever the line
 * contains. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/index.h"
#include "cpu/isa.h"
#include "cpu/order/order.h"
#include "cpu/order/peaks.h"

#include <string.h>

#define BLOCK 256  /* elements that are examined before a decision */
#define FEW 8      /* for k up to this, the list is kept sorted */
#define GROUP 1024 /* elements of a group, at most */

struct topk {
    struct cti_lines lines; /* in, values, index */
    enum ct_dtype dtype;
    struct cti_order_store store;
    bool narrow;
    int bits;           /* of keys */
    int64_t n, k, room; /* room: capacity of the list */
    cti_peaks_fn *peaks;
    int64_t group; /* elements of a group; 0: no groups */
    int64_t tasks, task_bytes, pair_bytes;
    char *pairs, *spare;
    uint32_t *counts;
};

extern const struct cti_peaks CTI_ISA_NAMES(cti_peaks);
static const struct cti_peaks *const peaks[] = CTI_ISA_TABLE(cti_peaks);

#define T uint64_t
#define LESS(a, b) ((a) < (b))
#define LAST(x) ((x) | UINT32_MAX)
#define NONE UINT64_MAX
#define POSITION(x) ((x)&UINT32_MAX)
#define LOAD(dtype, in, step, first, n, down, to)                                                  \
    cti_order_load_narrow(dtype, in, step, first, n, down, t->store.base, to)
#define NAME(x) x##_narrow
#include "cpu/order/topk_typed.h"

#define T struct cti_pair
#define LESS(a, b) (((a).key < (b).key) | (((a).key == (b).key) & ((a).at < (b).at)))
#define LAST(x) ((struct cti_pair){(x).key, UINT64_MAX})
#define NONE ((struct cti_pair){UINT64_MAX, UINT64_MAX})
#define POSITION(x) ((x).at)
#define LOAD cti_order_load_wide
#define NAME(x) x##_wide
#include "cpu/order/topk_typed.h"

static void best(const struct topk *t, const char *in, int64_t first, int64_t last, int64_t task)
{
    void *v = t->pairs + task * t->task_bytes, *spare = t->spare + task * t->task_bytes;
    uint32_t *counts = t->counts + task * CTI_ORDER_BUCKETS;
    if (t->narrow)
        best_narrow(t, in, first, last, v, spare, counts);
    else
        best_wide(t, in, first, last, v, spare, counts);
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
    struct topk t = *(const struct topk *)context;
    int64_t last = end * t.lines.count / t.tasks, i = begin * t.lines.count / t.tasks;
    bool narrow = t.narrow;
    struct cti_line line;
    cti_line_at(&t.lines, i, &line);
    for (; i < last && !cti_interrupted(); i++) {
        struct cti_order_span span;
        if (!narrow && !t.group && t.k > FEW) { /* Note [Close keys] */
            t.narrow = cti_order_is_close(t.dtype, line.p[0], t.store.in_step, t.n,
                                          t.store.descending, &span);
            t.store.base = span.base;
            t.bits = span.bits;
        }
        best(&t, line.p[0], 0, t.n, begin);
        store_best(&t, &line, t.pairs + begin * t.task_bytes);
        cti_line_next(&t.lines, &line);
    }
}

static void best_of_pieces(void *context, int64_t begin, int64_t end)
{
    const struct topk *t = context;
    for (int64_t p = begin; p < end; p++)
        best(t, t->lines.base[0], p * t->n / t->tasks, (p + 1) * t->n / t->tasks, p);
}

/* Selects the k best of the candidates of all pieces; each piece has k, because pieces are longer
 * than k. */
static void join_pieces(struct topk *t)
{
    size_t bytes = (size_t)(t->k * t->pair_bytes);
    for (int64_t p = 1; p < t->tasks; p++)
        memmove(t->pairs + p * t->k * t->pair_bytes, t->pairs + p * t->task_bytes, bytes);
    void *v = t->pairs, *spare = t->spare;
    int64_t count = t->tasks * t->k;
    if (t->narrow)
        finish_narrow(t, &(struct list_narrow){.v = v, .spare = spare, .count = count}, t->counts);
    else
        finish_wide(t, &(struct list_wide){.v = v, .spare = spare, .count = count}, t->counts);
    struct cti_line line;
    cti_line_at(&t->lines, 0, &line);
    store_best(t, &line, t->pairs);
}

/* Chooses the capacity of the list: k, a block, and enough spare room to make reducing the list
 * worthwhile; a short line is taken whole. Groups have about sqrt(n / k) elements, which balances
 * the number of groups against the number of elements to examine in the k best. */
static void size_up(struct topk *t, int64_t n)
{
    int64_t k = t->k, group = CTI_PEAKS_LANES;
    t->room = k < n / 4 && 2 * k + BLOCK < n ? 2 * k + BLOCK : n;
    t->room += BLOCK + 1;
    while (group < GROUP && group * group < n / k)
        group *= 2;
    t->peaks = peaks[cti_cpu_isa()]->of[t->dtype];
    if (t->peaks && t->store.in_step == cti_itemsize(t->dtype) && n / group / 2 >= k)
        t->group = group;
    int64_t groups = t->group ? n / group + 1 : 0;
    t->room = t->room < groups ? groups : t->room;
    t->task_bytes = (t->room + groups) * t->pair_bytes;
}

enum cti_status cti_cpu_topk(struct cti_topk *work)
{
    ct_tensor *values = work->values, *index = work->index, *in = work->in;
    int64_t k = work->k;
    int dim = (int)work->dim;
    bool largest = work->largest;
    struct cti_geometry g = cti_geometry_of(in);
    if (values->numel == 0)
        return true;
    struct topk t = {.dtype = in->dtype, .n = g.shape[dim], .k = k};
    int64_t item = cti_itemsize(t.dtype), threads = cti_parallel_threads();
    threads = threads < 32 ? threads : 32; /* pieces must stay longer than k */
    t.narrow = cti_order_is_narrow(t.dtype, t.n);
    t.bits = cti_order_bits(t.dtype);
    t.pair_bytes = t.narrow ? (int64_t)sizeof(uint64_t) : (int64_t)sizeof(struct cti_pair);
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
    size_up(&t, pieces ? t.n / t.tasks + 1 : t.n);
    int64_t pairs = t.tasks * t.task_bytes;
    struct cti_block *block =
        cti_block_new(2 * pairs + t.tasks * CTI_ORDER_BUCKETS * (int64_t)sizeof(uint32_t));
    if (!block)
        return false;
    t.pairs = block->address;
    t.spare = t.pairs + pairs;
    t.counts = (uint32_t *)(void *)(t.spare + pairs);
    if (pieces) {
        if (cti_parallel_for(t.tasks, 1, best_of_pieces, &t))
            join_pieces(&t);
    } else {
        cti_parallel_for(t.tasks, 1, best_of_lines, &t);
    }
    cti_block_free(block);
    return true;
}
