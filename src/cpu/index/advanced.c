/* SPDX-License-Identifier: BSD-3-Clause */
/* x[i, j, ...] and x[i, j, ...] = v with index tensors. The caller has broadcast the indices to one
 * shape and moved the indexed dims first, so x is [indexed dims..., rest...] and the result or
 * value is [index dims..., rest...]. Indices are converted to byte offsets, a block at a time; then
 * one element or a run of bytes is copied at each offset. */
#include "core/backend.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/compress.h"
#include "cpu/index/index.h"

#include <string.h>

#define BLOCK 512

struct advanced {
    int nindex;
    int64_t size[CTI_MAX_DIMS]; /* of the indexed dims */
    int64_t jump[CTI_MAX_DIMS]; /* their byte strides in x */
    ct_tensor *const *index;
    struct cti_geometry at; /* of the index tensors */
    int inner;              /* the index dim that blocks run along */
    int64_t blocks;         /* blocks along it */
    int64_t item;           /* bytes of an element */
    int64_t run; /* bytes of `rest` if contiguous in both tensors; 0: copied element by element */
    struct cti_lines rest;  /* all of rest, element by element: x, other */
    struct cti_lines lines; /* index dims but the inner one: other */
    int64_t other_step;     /* byte stride of the result or value along the inner index dim */
    cti_write_fn *write;    /* NULL when reading */
    bool accumulate;
    char *x;
    int64_t pieces, share; /* writers divide x into pieces of `share` bytes */
    int64_t low;           /* the lowest byte offset that an index can reach */
    int bad;               /* atomic */
};

/* Byte offsets in x for n indices of one line, from `first` on along the inner dim. False: an index
 * is out of bounds. */
static bool offsets_of(const struct advanced *a, const int64_t *at, int64_t first, int64_t n,
                       int64_t *offset)
{
    for (int k = 0; k < a->nindex; k++) {
        struct cti_geometry g = cti_geometry_of(a->index[k]);
        const char *p = cti_data(a->index[k]);
        for (int d = 0; d < a->lines.ndim; d++)
            p += at[d] * g.stride[a->lines.dim[d]] * 8;
        int64_t step = g.stride[a->inner] * 8, size = a->size[k], jump = a->jump[k];
        p += first * step;
        if (!cti_index_line_good(p, step, n, size, true))
            return false;
        for (int64_t i = 0; i < n; i++) {
            int64_t v = *(const int64_t *)(const void *)(p + i * step);
            v += v < 0 ? size : 0;
            offset[i] = (k ? offset[i] : 0) + v * jump;
        }
    }
    return true;
}

static void read_block(const struct advanced *a, char *out, const int64_t *offset, int64_t n)
{
    if (a->run) {
        for (int64_t i = 0; i < n; i++)
            memcpy(out + i * a->other_step, a->x + offset[i], (size_t)a->run);
        return;
    }
    struct cti_read r = {.index = (const char *)offset, .dst_step = a->other_step};
    r.index_step = 8;
    r.jump = 1;
    r.n = n;
    struct cti_line rest;
    cti_line_at(&a->rest, 0, &rest);
    for (int64_t j = 0; j < a->rest.count; j++) {
        r.src = rest.p[0];
        r.dst = out + (rest.p[1] - a->rest.base[1]);
        cti_read_line(r, a->item);
        cti_line_next(&a->rest, &rest);
    }
}

/* Writes n contiguous rows to the given offsets. */
static void write_rows(const struct advanced *a, const char *value, const int64_t *offset,
                       int64_t n)
{
    struct cti_write w = {.dst = a->x, .src = value, .index = (const char *)offset, .jump = 1};
    w.dst_step = w.src_step = a->item;
    w.n = a->run / a->item;
    w.more = n - 1;
    w.src_row = a->other_step;
    w.index_row = 8;
    if (a->accumulate)
        a->write(w);
    else
        for (int64_t i = 0; i < n; i++)
            memmove(a->x + offset[i], value + i * a->other_step, (size_t)a->run);
}

/* Writes n values to the given offsets. `order` lists the positions of these values in the block;
 * NULL: all values, in order. */
static void write_block(const struct advanced *a, char *value, const int64_t *offset,
                        const int64_t *order, int64_t n)
{
    _Alignas(16) char loaded[BLOCK * 16];
    struct cti_write w = {.index = (const char *)offset, .index_step = 8, .jump = 1, .n = n};
    struct cti_read r = {.dst = loaded, .index = (const char *)order, .index_step = 8, .n = n};
    w.src_step = order ? a->item : a->other_step;
    r.dst_step = a->item;
    r.jump = a->other_step;
    struct cti_line rest;
    if (a->run && !order) {
        write_rows(a, value, offset, n);
        return;
    }
    cti_line_at(&a->rest, 0, &rest);
    for (int64_t j = 0; j < a->rest.count; j++) {
        w.dst = rest.p[0];
        w.src = r.src = value + (rest.p[1] - a->rest.base[1]);
        if (order) {
            cti_read_line(r, a->item);
            w.src = loaded;
        }
        a->write(w);
        cti_line_next(&a->rest, &rest);
    }
}

/* Runs blocks [begin, end) of all lines. With a width, writes only to the bytes [low, low + width)
 * of x. */
static void advanced_blocks(struct advanced *a, int64_t begin, int64_t end, int64_t low,
                            uint64_t width)
{
    int64_t offset[BLOCK], mine[BLOCK + 8], order[BLOCK + 8];
    int64_t block = begin % a->blocks, whole = a->at.shape[a->inner];
    struct cti_line line;
    cti_line_at(&a->lines, begin / a->blocks, &line);
    for (int64_t i = begin; i < end; i++) {
        int64_t first = block * BLOCK, n = whole - first < BLOCK ? whole - first : BLOCK;
        if (cti_interrupted_at(i, 64))
            return;
        if (!offsets_of(a, line.at, first, n, offset)) {
            __atomic_store_n(&a->bad, 1, __ATOMIC_RELAXED);
            return;
        }
        char *other = line.p[0] + first * a->other_step;
        if (width)
            n = cti_compress_best()->within(offset, n, low, width, mine, order);
        if (a->write)
            write_block(a, other, width ? mine : offset, width ? order : NULL, n);
        else
            read_block(a, other, offset, n);
        if (++block == a->blocks) {
            block = 0;
            cti_line_next(&a->lines, &line);
        }
    }
}

static void read_blocks(void *context, int64_t begin, int64_t end)
{
    advanced_blocks(context, begin, end, 0, 0);
}

static void write_range(void *context, int64_t begin, int64_t end)
{
    struct advanced *a = context;
    int64_t low = a->low + begin * a->share;
    advanced_blocks(a, 0, a->lines.count * a->blocks, low, (uint64_t)((end - begin) * a->share));
}

static void advanced_prepare(struct advanced *a, ct_tensor *x, ct_tensor *const *index, int nindex,
                             ct_tensor *other)
{
    a->nindex = nindex;
    a->index = index;
    a->x = cti_data(x);
    a->at = cti_geometry_of(index[0]);
    a->inner = cti_inner_dim(a->at);
    a->blocks = (a->at.shape[a->inner] + BLOCK - 1) / BLOCK;
    a->item = cti_itemsize(x->dtype);
    int64_t reach = 0;
    for (int k = 0; k < nindex; k++) {
        a->size[k] = x->shape[k];
        a->jump[k] = x->stride[k] * a->item;
        int64_t last = a->jump[k] * (x->shape[k] > 0 ? x->shape[k] - 1 : 0);
        reach += last < 0 ? -last : last;
        a->low += last < 0 ? last : 0;
    }
    a->pieces = cti_parallel_threads();
    a->share = reach / a->pieces + 1;
    /* Views of the index dims and of `rest`, in both tensors. */
    int lead = index[0]->ndim, nrest = x->ndim - nindex;
    ct_tensor part = *other, inside = *x;
    part.ndim = (uint8_t)lead;
    cti_lines_begin(&a->lines, a->at.ndim, a->at.shape, a->inner, CTI_NO_SKIP);
    cti_lines_add(&a->lines, &part);
    a->other_step = lead ? other->stride[a->inner] * a->item : 0;
    inside.ndim = part.ndim = (uint8_t)nrest;
    inside.shape += nindex;
    inside.stride += nindex;
    part.shape += lead;
    part.stride += lead;
    cti_lines_begin(&a->rest, nrest, inside.shape, CTI_NO_SKIP, CTI_NO_SKIP);
    cti_lines_add(&a->rest, &inside);
    cti_lines_add(&a->rest, &part);
    a->run = a->item;
    for (int d = nrest - 1; d >= 0 && a->run; d--) {
        bool dense = inside.shape[d] == 1 ||
                     (inside.stride[d] * a->item == a->run && part.stride[d] * a->item == a->run);
        a->run = dense ? a->run * inside.shape[d] : 0;
    }
    if (a->run == a->item)
        a->run = 0;
}

/* Sets the error for an index out of bounds: the first one in the order of positions. */
static bool fail_first(const ct_tensor *x, ct_tensor *const *index, int nindex)
{
    int64_t at[CTI_MAX_DIMS] = {0};
    const ct_tensor *shape = index[0];
    for (int64_t i = 0; i < shape->numel; i++) {
        for (int k = 0; k < nindex; k++) {
            int64_t offset = 0, size = x->shape[k];
            for (int d = 0; d < shape->ndim; d++)
                offset += at[d] * index[k]->stride[d];
            int64_t v = ((const int64_t *)(const void *)cti_data(index[k]))[offset];
            if (v < -size || v >= size)
                return ct_fail(CT_ERR_INDEX,
                               "index %lld is out of bounds for dimension %d with size %lld",
                               (long long)v, k, (long long)size);
        }
        for (int d = shape->ndim - 1; d >= 0 && ++at[d] == shape->shape[d]; d--)
            at[d] = 0;
    }
    return cti_ran();
}

static bool check(ct_tensor *x, ct_tensor *const *index, int nindex)
{
    int64_t bad = 0;
    for (int k = 0; k < nindex; k++)
        if (!cti_index_inside(index[k], x->shape[k], true, &bad))
            return fail_first(x, index, nindex);
    return true;
}

enum cti_status cti_cpu_index_get(struct cti_index_get *work)
{
    ct_tensor *out = work->out, *in = work->in;
    ct_tensor *const *index = work->index.v;
    int nindex = (int)work->index.n;
    if (out->numel == 0)
        return true;
    struct advanced a = {.nindex = nindex};
    advanced_prepare(&a, in, index, nindex, out);
    int64_t grain = cti_line_grain(out->numel / (a.lines.count * a.blocks));
    cti_parallel_for(a.lines.count * a.blocks, grain, read_blocks, &a);
    return !a.bad || check(in, index, nindex);
}

enum cti_status cti_cpu_index_put(struct cti_index_put *work)
{
    ct_tensor *self = work->self, *value = work->value;
    ct_tensor *const *index = work->index.v;
    int nindex = (int)work->index.n;
    bool accumulate = work->accumulate;
    if (value->numel == 0)
        return true;
    if (!check(self, index, nindex))
        return false;
    struct advanced a = {.nindex = nindex};
    advanced_prepare(&a, self, index, nindex, value);
    a.accumulate = accumulate;
    a.write = cti_write_line(self->dtype, accumulate ? CTI_COMBINE_ADD : CTI_COMBINE_PUT);
    if (!a.write)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "index_put is not implemented for %s",
                          ct_dtype_str(self->dtype));
    if (value->numel < 65536 || a.pieces < CTI_FEW_THREADS)
        advanced_blocks(&a, 0, a.lines.count * a.blocks, 0, 0);
    else
        cti_parallel_for(a.pieces, 1, write_range, &a);
    return true;
}
