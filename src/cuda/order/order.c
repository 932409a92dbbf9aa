/* SPDX-License-Identifier: BSD-3-Clause */
/* sort, topk, the k-th of each line, and places in sorted lines. Lines of up to 2048 elements are
 * sorted by a block (sort.cu), longer ones digit by digit (radix.c); few elements of a long
 * line are found by selection (select.cu). All of them keep the order of equal elements. */
#include "cuda/order/order.h"

#include "cuda/common/line_strides.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/memory.h"

#define THREADS 256
#define SHORT 2048 /* elements that a block sorts */

struct sort_arguments {
    const char *in;
    char *values, *index;
    const uint32_t *given;
    uint64_t flip;
    int64_t n, count, in_step, value_step, index_step;
    int padded, per, nan_wins, unused;
    struct cti_cuda_lines all;
};

struct select_arguments {
    const char *in;
    char *values, *index;
    void *of;
    uint32_t *given;
    uint64_t flip;
    int64_t n, count, blocks, in_step;
    int shift, on_position, nan_wins, single;
    struct cti_cuda_lines all;
};
#define KNOWN_BYTES (2 * 8 + 8 * 4 + 256 * 4) /* of a line; struct known in the kernel */

/* What is asked of lines: the first `count` in order, or one at a place. */
struct order {
    ct_tensor *values, *index, *in;
    int64_t dim, n, count;
    bool descending, one, nan_wins;
    struct cti_cuda_lines all;
};

static cu_function kernel_of(int device, const char *name, char what, int dtype)
{
    char keys[160];
    cti_cuda_key_text(keys, sizeof keys, dtype);
    return cti_cuda_template(device, name, "#define WHAT '%c'\n%s", what, keys);
}

/* Whether kernels can: rare geometries and lines that 31 bits cannot number go by the host. */
static bool describe(struct order *o)
{
    o->n = cti_cuda_line_size(o->in, o->dim);
    return cti_cuda_has_kernels() && o->in->dtype < CT_COMPLEX64 && o->n < INT32_MAX &&
           cti_cuda_lines(&o->all, (const ct_tensor *const[]){o->in, o->values, o->index}, o->dim);
}

static struct sort_arguments sort_arguments(const struct order *o)
{
    struct sort_arguments a = {.in = cti_data(o->in), .n = o->n, .count = o->count, .per = 1};
    a.values = o->values ? cti_data(o->values) : NULL;
    a.index = o->index ? cti_data(o->index) : NULL;
    a.flip = o->descending ? UINT64_MAX : 0;
    a.in_step = cti_cuda_line_step(o->in, o->dim);
    a.value_step = o->one ? 0 : cti_cuda_line_step(o->values, o->dim);
    a.index_step = o->one ? 0 : cti_cuda_line_step(o->index, o->dim);
    a.nan_wins = o->nan_wins;
    a.all = o->all;
    return a;
}

static bool launch_sort(int device, cu_function f, struct sort_arguments *a)
{
    for (a->padded = 1; a->padded < a->n;)
        a->padded *= 2;
    a->per = a->padded < 512 ? 512 / a->padded : 1;
    int64_t blocks = (a->all.count + a->per - 1) / a->per;
    return cti_cuda_launch(device, f, (unsigned)blocks, THREADS, 0, a, sizeof *a);
}

static bool sort_short(const struct order *o, int device)
{
    cu_function f = kernel_of(device, "order/sort", o->one ? 'p' : 's', o->in->dtype);
    struct sort_arguments a = sort_arguments(o);
    return f && (cti_cuda_fake() || launch_sort(device, f, &a));
}

/* The digits of keys from the top, then those of positions. */
static bool launch_digits(int device, cu_function f, struct select_arguments *a, int bits,
                          unsigned blocks)
{
    bool good = true;
    for (a->shift = bits - 8; good && a->shift >= 0; a->shift -= 8)
        good = cti_cuda_launch(device, f, blocks, THREADS, 0, a, sizeof *a);
    a->on_position = 1;
    a->shift = 0;
    while (a->n - 1 >= INT64_C(256) << a->shift)
        a->shift += 8;
    for (; good && a->shift >= 0; a->shift -= 8)
        good = cti_cuda_launch(device, f, blocks, THREADS, 0, a, sizeof *a);
    return good;
}

/* Long lines: the first ones are gathered and then sorted as short lines are. */
static bool select_long(const struct order *o, int device, const struct cti_cuda_device *d)
{
    cu_function digit = kernel_of(device, "order/select", 'h', o->in->dtype);
    cu_function take =
        digit ? kernel_of(device, "order/select", o->one ? 'p' : 'g', o->in->dtype) : NULL;
    cu_function sort = take && !o->one ? kernel_of(device, "order/sort", 'g', o->in->dtype) : take;
    struct sort_arguments s = sort_arguments(o);
    struct select_arguments a = {.in = s.in, .values = s.values, .index = s.index, .flip = s.flip};
    void *block = NULL;
    if (!sort || cti_cuda_fake())
        return sort != NULL;
    int64_t lines = o->all.count, known = lines * KNOWN_BYTES;
    int64_t fill = (8 * (int64_t)d->multiprocessors + lines - 1) / lines;
    a.blocks = (o->n + THREADS * 8 - 1) / (THREADS * 8);
    a.blocks = a.blocks < fill ? a.blocks : fill;
    a.n = o->n;
    a.count = o->one ? o->count + 1 : o->count;
    a.in_step = s.in_step;
    a.nan_wins = o->nan_wins;
    a.single = o->one;
    a.all = o->all;
    a.of = cti_cuda_scratch(device, known + (o->one ? 0 : lines * o->count * 4), &block);
    if (!a.of)
        return false;
    a.given = (uint32_t *)(void *)((char *)a.of + known);
    unsigned blocks = (unsigned)(lines * a.blocks);
    int bits = 8 * (int)cti_itemsize((enum ct_dtype)o->in->dtype);
    bool good = cti_cuda_check(cti_cu.set_bytes((cu_address)(uintptr_t)a.of, 0, (size_t)known,
                                                cti_cuda_stream(device))) &&
                launch_digits(device, digit, &a, bits, blocks) &&
                cti_cuda_launch(device, take, blocks, THREADS, 0, &a, sizeof a);
    if (good && !o->one) {
        s.given = a.given;
        s.n = o->count;
        good = launch_sort(device, sort, &s);
    }
    cti_cuda_scratch_end(block);
    return good;
}

/* Many of a long line: all of it is sorted, and the first ones copied. */
static bool sort_and_cut(const struct order *o)
{
    int device = o->in->storage->device.index;
    int bits = 8 * (int)cti_itemsize((enum ct_dtype)o->in->dtype);
    if (o->count == o->n || cti_cuda_fake())
        return cti_cuda_radix_sort(o->values, o->index, o->in, o->dim, o->descending, 0, bits);
    const ct_tensor *in = o->in;
    struct ct_device where = {CT_CUDA, device};
    ct_tensor *values = cti_empty(in->ndim, in->shape, (enum ct_dtype)in->dtype, where);
    ct_tensor *index = values ? cti_empty(in->ndim, in->shape, CT_INT64, where) : NULL;
    ct_tensor *first = NULL, *at = NULL;
    bool good = index &&
                cti_cuda_radix_sort(values, index, o->in, o->dim, o->descending, 0, bits) &&
                (first = cti_view(values, in->ndim, o->values->shape, values->stride, 0)) &&
                (at = cti_view(index, in->ndim, o->index->shape, index->stride, 0)) &&
                cti_run_copy(o->values, first) && cti_run_copy(o->index, at);
    ct_release(values);
    ct_release(index);
    ct_release(first);
    ct_release(at);
    return good;
}

static enum cti_status run(struct order *o)
{
    int device = o->in->storage->device.index;
    if (!describe(o))
        return CTI_DECLINED;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return CTI_FAILED;
    if (o->in->numel == 0 || (!o->one && o->count == 0))
        return CTI_DONE;
    return cti_cuda_launched(o->n <= SHORT ? sort_short(o, device)
                             : o->one || (o->count <= SHORT && o->count < o->n)
                                 ? select_long(o, device, d)
                                 : sort_and_cut(o));
}

enum cti_status cti_cuda_sort(struct cti_sort *w)
{
    struct order o = {w->values, w->index, w->in, w->dim, .descending = w->descending};
    o.count = cti_cuda_line_size(w->in, w->dim);
    return run(&o);
}

enum cti_status cti_cuda_topk(struct cti_topk *w)
{
    struct order o = {w->values, w->index, w->in, w->dim, .count = w->k, .descending = w->largest};
    return run(&o);
}

enum cti_status cti_cuda_kthvalue(struct cti_kthvalue *w)
{
    struct order o = {w->values, w->index, w->in, w->dim, .count = w->k, .one = true};
    o.nan_wins = w->nan_wins && w->in->dtype >= CT_FLOAT16 && w->in->dtype <= CT_FLOAT64;
    return w->values->numel ? run(&o) : CTI_DONE;
}

/* ---- searchsorted ---- */

struct search_arguments {
    const char *sorted, *values, *sorter;
    char *out;
    void *bad;
    int64_t count, n, per_line, sorters;
    int right, what;
};

enum cti_status cti_cuda_search(struct cti_search *work)
{
    ct_tensor *out = work->out, *sorted = work->sorted, *values = work->values,
              *sorter = work->sorter;
    bool right = work->right;
    struct search_arguments a = {.sorted = cti_data(sorted),
                                 .values = cti_data(values),
                                 .sorter = sorter ? cti_data(sorter) : NULL,
                                 .out = cti_data(out),
                                 .what = CTI_FAULT_SORTER};
    int device = out->storage->device.index;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    cu_function f = cti_cuda_use(device)
                        ? cti_cuda_template(device, "order/search", "typedef %s T;\n",
                                            cti_cuda_type[sorted->dtype])
                        : NULL;
    if (!f || (sorter && !cti_cuda_fault_page(device, &a.bad)))
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    a.count = values->numel;
    a.n = sorted->shape[sorted->ndim - 1];
    a.per_line = sorted->ndim == 1 ? 0 : values->ndim ? values->shape[values->ndim - 1] : 1;
    a.sorters = sorter ? sorter->numel : 0;
    a.right = right;
    int64_t threads = a.count > a.sorters ? a.count : a.sorters;
    return cti_cuda_launch(device, f, (unsigned)((threads + 255) / 256), 256, 0, &a, sizeof a);
}

/* ---- rows ---- */

#define MOST_COLUMNS 256 /* that are worth their launches */

/* The rows so far in the order of one column more: `order` and `spare` change places. */
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
    struct ct_device where = rows->storage->device;
    enum ct_dtype dtype = (enum ct_dtype)rows->dtype;
    if (!cti_cuda_has_kernels() || cti_cuda_fake() || dtype >= CT_COMPLEX64 ||
        columns > MOST_COLUMNS || columns == 0 || n < 2)
        return CTI_DECLINED;
    ct_tensor *t[5] = {0}, *order, *spare, *column = NULL;
    bool good = true;
    for (int i = 0; i < 5; i++)
        good = (t[i] = cti_empty(1, &n, i < 3 ? CT_INT64 : dtype, where)) && good;
    order = t[0];
    spare = t[1];
    good = good && CTI_RUN(ramp, order, .dst = order, .start = ct_value_int(0),
                           .step = ct_value_int(1), .end = ct_value_none());
    /* From the last column on, and stable: what was ordered before stays so among equals. */
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
