/* SPDX-License-Identifier: BSD-3-Clause */
/* sort, topk, kthvalue, searchsorted and sorting of rows. Lines of up to 2048 elements are sorted
 * by a block (sort.cu), longer ones digit by digit (radix.c); a few elements of a long line are
 * found by selection (select.cu). All methods are stable. */
#include "cuda/order/order.h"

#include "core/small.h"
#include "cuda/common/line_strides.h"
#include "cuda/engines.h"
#include "cuda/order/order_args.h"
#include "cuda/runtime/kernel.h"

#define SHORT 2048 /* elements that a block sorts */

/* One call: finds the first `count` elements of each line in order, or only the element of rank
 * `count`. */
struct order {
    ct_tensor *values, *index, *in;
    int64_t dim, n, count;
    bool descending, one, nan_wins;
    struct cti_lines lines;
};

static bool order_launch(const char *file, int what, const struct order *o, int64_t blocks,
                         const void *args, size_t size)
{
    struct cti_launch l =
        cti_cuda_order_launch(file, what, o->in->dtype, o->in->storage->device.index, args, size);
    l.grid[0] = blocks;
    return cti_cuda_run(&l);
}

static struct sort_args sort_args_of(const struct order *o)
{
    return (struct sort_args){.in = cti_data(o->in),
                              .values = cti_cuda_data(o->values),
                              .index = cti_cuda_data(o->index),
                              .flip = o->descending ? UINT64_MAX : 0,
                              .n = o->n,
                              .count = o->count,
                              .in_stride = cti_cuda_line_stride(o->in, o->dim),
                              .value_stride = o->one ? 0 : cti_cuda_line_stride(o->values, o->dim),
                              .index_stride = o->one ? 0 : cti_cuda_line_stride(o->index, o->dim),
                              .nan_wins = o->nan_wins,
                              .lines = o->lines};
}

static bool sort_short(const struct order *o, int what, struct sort_args *a)
{
    for (a->padded = 1; a->padded < a->n;)
        a->padded *= 2;
    a->per_block = a->padded < 512 ? 512 / a->padded : 1;
    return order_launch("order/sort", what, o, ceil_div(a->lines.count, a->per_block), a,
                        sizeof *a);
}

/* Finds the key of the last requested element, and then its position, digit by digit from the
 * top. */
static bool select_digits(const struct order *o, struct select_args *a, int64_t blocks)
{
    bool good = true;
    for (a->shift = 8 * (int)cti_itemsize(o->in->dtype) - 8; good && a->shift >= 0; a->shift -= 8)
        good = order_launch("order/select", SELECT_DIGIT, o, blocks, a, sizeof *a);
    a->on_position = 1;
    a->shift = 0;
    while (a->n - 1 >= INT64_C(256) << a->shift)
        a->shift += 8;
    for (; good && a->shift >= 0; a->shift -= 8)
        good = order_launch("order/select", SELECT_DIGIT, o, blocks, a, sizeof *a);
    return good;
}

/* For long lines: gathers the first elements, then sorts them like short lines. */
static bool select_long(const struct order *o, int multiprocessors)
{
    int device = o->in->storage->device.index;
    int64_t count = o->lines.count, state_bytes = count * (int64_t)sizeof(struct select_state);
    struct sort_args s = sort_args_of(o);
    struct select_args a = {
        .in = s.in,
        .values = s.values,
        .index = s.index,
        .flip = s.flip,
        .n = o->n,
        .count = o->one ? o->count + 1 : o->count,
        .blocks = min64(ceil_div(o->n, THREADS * 8), ceil_div(8 * (int64_t)multiprocessors, count)),
        .in_stride = s.in_stride,
        .nan_wins = o->nan_wins,
        .single = o->one,
        .lines = o->lines};
    void *block = NULL;
    a.states = cti_cuda_scratch(device, state_bytes + (o->one ? 0 : count * o->count * 4), &block);
    if (!a.states)
        return false;
    a.positions = (uint32_t *)(void *)(a.states + count);
    int64_t blocks = count * a.blocks;
    bool good =
        cti_cuda_check(cti_cu.set_bytes((cu_address)(uintptr_t)a.states, 0, (size_t)state_bytes,
                                        cti_cuda_stream(device))) &&
        select_digits(o, &a, blocks) &&
        order_launch("order/select", o->one ? SELECT_ONE : SELECT_GATHER, o, blocks, &a, sizeof a);
    if (!o->one) {
        s.positions = a.positions;
        s.n = o->count;
        good = good && sort_short(o, SORT_GATHERED, &s);
    }
    cti_cuda_scratch_end(block);
    return good;
}

/* For long lines with many requested elements: sorts the lines and copies the first elements. */
static bool sort_long(const struct order *o)
{
    int bits = 8 * (int)cti_itemsize(o->in->dtype);
    if (o->count == o->n)
        return cti_cuda_radix_sort(o->values, o->index, o->in, o->dim, o->descending, 0, bits);
    const ct_tensor *in = o->in;
    struct ct_device device = in->storage->device;
    ct_tensor *values = cti_empty(in->ndim, in->shape, in->dtype, device);
    ct_tensor *index = values ? cti_empty(in->ndim, in->shape, CT_INT64, device) : NULL;
    ct_tensor *first_values = NULL, *first_index = NULL;
    bool good = index &&
                cti_cuda_radix_sort(values, index, o->in, o->dim, o->descending, 0, bits) &&
                (first_values = cti_view(values, in->ndim, o->values->shape, values->stride, 0)) &&
                (first_index = cti_view(index, in->ndim, o->index->shape, index->stride, 0)) &&
                cti_run_copy(o->values, first_values) && cti_run_copy(o->index, first_index);
    cti_release_all(values, index, first_values, first_index);
    return good;
}

/* Declines lines of 2^31 or more elements. */
static enum cti_status order_run(struct order *o)
{
    o->n = cti_cuda_line_size(o->in, o->dim);
    if (!cti_cuda_has_kernels() || o->in->dtype >= CT_COMPLEX64 || o->n >= INT32_MAX ||
        !cti_cuda_lines(&o->lines, (const ct_tensor *const[]){o->in, o->values, o->index}, o->dim))
        return CTI_DECLINED;
    struct cti_cuda_device *d = cti_cuda_use(o->in->storage->device.index);
    if (!d)
        return CTI_FAILED;
    if (o->in->numel == 0 || (!o->one && o->count == 0))
        return CTI_DONE;
    struct sort_args a = sort_args_of(o);
    return cti_cuda_launched(o->n <= SHORT ? sort_short(o, o->one ? SORT_ONE : SORT_FIRST, &a)
                             : o->one || (o->count <= SHORT && o->count < o->n)
                                 ? select_long(o, d->multiprocessors)
                                 : sort_long(o));
}

enum cti_status cti_cuda_sort(struct cti_sort *w)
{
    struct order o = {w->values, w->index, w->in, w->dim, .descending = w->descending};
    o.count = cti_cuda_line_size(w->in, w->dim);
    return order_run(&o);
}

enum cti_status cti_cuda_topk(struct cti_topk *w)
{
    struct order o = {w->values, w->index, w->in, w->dim, .count = w->k, .descending = w->largest};
    return order_run(&o);
}

enum cti_status cti_cuda_kthvalue(struct cti_kthvalue *w)
{
    struct order o = {w->values, w->index, w->in, w->dim, .count = w->k, .one = true};
    o.nan_wins = w->nan_wins && w->in->dtype >= CT_FLOAT16 && w->in->dtype <= CT_FLOAT64;
    return w->values->numel ? order_run(&o) : CTI_DONE;
}

/* ---- searchsorted ---- */

enum cti_status cti_cuda_search(struct cti_search *work)
{
    ct_tensor *sorted = work->sorted, *values = work->values, *sorter = work->sorter;
    struct search_args a = {.sorted = cti_data(sorted),
                            .values = cti_data(values),
                            .sorter = cti_cuda_data(sorter),
                            .out = cti_cuda_data(work->out),
                            .count = values->numel,
                            .n = sorted->shape[sorted->ndim - 1],
                            .values_per_line = sorted->ndim == 1 ? 0
                                               : values->ndim    ? values->shape[values->ndim - 1]
                                                                 : 1,
                            .sorter_count = sorter ? sorter->numel : 0,
                            .right = work->right};
    int device = work->out->storage->device.index;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    if (sorter && !cti_cuda_fault_page(device, &a.fault))
        return CTI_FAILED;
    return cti_cuda_launched(cti_cuda_run(
        &(struct cti_launch){.file = "order/search",
                             .texts = {{"T", cti_cuda_type[sorted->dtype]}},
                             .device = device,
                             .grid = {ceil_div(max64(a.count, a.sorter_count), THREADS)},
                             .threads = THREADS,
                             CTI_ARGS(a)}));
}

/* ---- rows ---- */

#define MAX_COLUMNS 256 /* more launches take longer than the CPU's sort */

/* Sorts *order, the rows' order so far, by one more column; swaps *order and *spare. */
static bool sort_by_column(ct_tensor **order, ct_tensor **spare, ct_tensor *column, ct_tensor *keys,
                           ct_tensor *values, ct_tensor *moved)
{
    ct_tensor *keep = *order;
    if (!CTI_RUN(index_select, keys, .out = keys, .in = column, .index = *order) ||
        !CTI_RUN(sort, keys, .values = values, .index = moved, .in = keys, .stable = true) ||
        !CTI_RUN(index_select, keys, .out = *spare, .in = *order, .index = moved))
        return false;
    *order = *spare;
    *spare = keep;
    return true;
}

enum cti_status cti_cuda_sort_rows(struct cti_sort_rows *work)
{
    ct_tensor *index = work->index, *rows = work->rows;
    int64_t n = rows->shape[0], columns = n ? rows->numel / n : 0;
    struct ct_device device = rows->storage->device;
    enum ct_dtype dtype = (enum ct_dtype)rows->dtype;
    if (!cti_cuda_has_kernels() || dtype >= CT_COMPLEX64 || columns > MAX_COLUMNS || columns == 0 ||
        n < 2)
        return CTI_DECLINED;
    ct_tensor *t[5] = {0}, *order, *spare, *column = NULL;
    bool good = true;
    for (int i = 0; i < 5; i++)
        good = (t[i] = cti_empty(1, &n, i < 3 ? CT_INT64 : dtype, device)) && good;
    order = t[0];
    spare = t[1];
    good = good && CTI_RUN(ramp, order, .dst = order, .start = ct_value_int(0),
                           .step = ct_value_int(1), .end = ct_value_none());
    /* Sorts by the last column first; the sort is stable, so rows with equal elements in a column
     * keep the order of the later columns. */
    for (int64_t c = columns - 1; good && c >= 0; c--) {
        column = cti_view(rows, 1, &n, &columns, rows->offset + c);
        good = column && sort_by_column(&order, &spare, column, t[3], t[4], t[2]);
        ct_release(column);
    }
    good = good && cti_run_copy(index, order);
    for (int i = 0; i < 5; i++)
        ct_release(t[i]);
    return good;
}
