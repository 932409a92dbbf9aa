/* SPDX-License-Identifier: BSD-3-Clause */
/* gather and index_select: read along one dim at the positions given by an int64 tensor. Values are
 * copied as bytes, so the loops depend on element sizes, not on data types. Called by
 * src/ops/index/gather.c through the backend table. The caller has checked shapes, types and the
 * index of index_select; the index of gather is checked here, line by line, while it is in
 * cache. */
#include "core/backend.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/index.h"

#include <string.h>

static inline __attribute__((always_inline)) void read_each(const struct cti_read r, size_t size)
{
    for (int64_t row = 0; row <= r.more; row++) {
        const char *index = r.index + row * r.index_row, *src = r.src + row * r.src_row;
        char *dst = r.dst + row * r.dst_row;
        for (int64_t i = 0; i < r.n; i++) {
            int64_t v = *(const int64_t *)(const void *)(index + i * r.index_step);
            memcpy(dst + i * r.dst_step, src + i * r.src_step + v * r.jump, size);
        }
    }
}

/* The most common strides are constants here, which shortens the loop. */
static inline __attribute__((always_inline)) void read_line(struct cti_read r, size_t size)
{
    int64_t step = (int64_t)size;
    if (r.dst_step == step && r.index_step == 8 && r.src_step == 0 && r.jump == step) {
        r.dst_step = step;
        r.index_step = 8;
        r.src_step = 0;
        r.jump = step;
        read_each(r, size);
    } else {
        read_each(r, size);
    }
}

void cti_read_line(struct cti_read r, int64_t size)
{
    if (r.index_step == 0 && r.n > 0 && !r.more) { /* one index for the whole line: copies a row */
        r.src += *(const int64_t *)(const void *)r.index * r.jump;
        if (r.dst_step == size && r.src_step == size) {
            memcpy(r.dst, r.src, (size_t)(r.n * size));
            return;
        }
        r.jump = 0;
    }
    switch (size) {
    case 1:
        read_line(r, 1);
        break;
    case 2:
        read_line(r, 2);
        break;
    case 4:
        read_line(r, 4);
        break;
    case 8:
        read_line(r, 8);
        break;
    default:
        read_line(r, 16);
    }
}

/* Prefetches the source of a line whose reads are scattered. */
static void fetch(const char *src, int64_t bytes)
{
    for (int64_t b = 0; b < bytes; b += 64)
        __builtin_prefetch(src + b);
}

struct gather {
    struct cti_lines lines;
    int64_t fetch;        /* bytes of a source line worth prefetching; 0: none */
    struct cti_read line; /* a template without pointers */
    int64_t size, limit, together;
    bool checked; /* the indices were checked before */
    int bad;      /* atomic */
};

/* Whether all indices of these lines are in range. */
static bool all_good(const struct cti_read *r, int64_t limit)
{
    if (r->index_step == 8 && r->index_row == 8 * r->n)
        return cti_index_line_good(r->index, 8, (r->more + 1) * r->n, limit, false);
    for (int64_t row = 0; row <= r->more; row++)
        if (!cti_index_line_good(r->index + row * r->index_row, r->index_step, r->n, limit, false))
            return false;
    return true;
}

static void gather_lines(void *context, int64_t begin, int64_t end)
{
    struct gather *g = context;
    struct cti_line line;
    cti_line_at(&g->lines, begin, &line);
    for (int64_t i = begin, count; i < end; i += count) {
        struct cti_read r = g->line;
        count = cti_line_row(&g->lines, &line, g->together < end - i ? g->together : end - i);
        r.dst = line.p[0];
        r.src = line.p[1];
        r.index = line.p[2];
        r.more = count - 1;
        if (!g->checked && !all_good(&r, g->limit)) {
            __atomic_store_n(&g->bad, 1, __ATOMIC_RELAXED);
            return;
        }
        cti_line_skip(&g->lines, &line, count);
        if (g->fetch && i + count < end)
            fetch(line.p[1], g->fetch);
        cti_read_line(r, g->size);
    }
}

/* Stops at the first line with an index out of range and returns false. */
static bool gather_dim(ct_tensor *out, ct_tensor *in, int dim, ct_tensor *index, bool checked)
{
    struct gather g = {.size = cti_itemsize(in->dtype), .checked = checked};
    struct cti_geometry go = cti_geometry_of(out), gi = cti_geometry_of(in);
    struct cti_geometry gx = cti_geometry_of(index);
    int inner = cti_inner_dim(go);
    cti_lines_begin(&g.lines, go.ndim, go.shape, inner, CTI_NO_SKIP);
    cti_lines_add(&g.lines, out);
    cti_lines_add(&g.lines, in);
    cti_lines_hold(&g.lines, 1, dim);
    cti_lines_add(&g.lines, index);
    g.limit = gi.shape[dim];
    g.line.n = go.shape[inner];
    g.line.dst_step = go.stride[inner] * g.size;
    g.line.src_step = inner == dim ? 0 : gi.stride[inner] * g.size;
    g.line.index_step = gx.stride[inner] * 8;
    g.line.jump = gi.stride[dim] * g.size;
    g.line.dst_row = cti_line_step(&g.lines, 0);
    g.line.src_row = cti_line_step(&g.lines, 1);
    g.line.index_row = cti_line_step(&g.lines, 2);
    g.together = g.line.index_step ? cti_line_together(g.line.n) : 1;
    int64_t bytes = g.limit * g.size;
    if (g.together == 1 && inner == dim && g.line.jump == g.size && bytes <= 32768 &&
        g.line.n * 32 >= bytes)
        g.fetch = bytes;
    /* One long line is split into pieces that count as lines. */
    if (g.lines.count == 1 && g.line.n > 65536) {
        int64_t piece = 16384, whole = g.line.n / piece;
        struct cti_read all = g.line;
        g.lines.ndim = 1;
        g.lines.shape[0] = g.lines.count = whole;
        g.lines.bstride[0][0] = piece * all.dst_step;
        g.lines.bstride[1][0] = piece * all.src_step;
        g.lines.bstride[2][0] = piece * all.index_step;
        g.line.n = piece;
        cti_parallel_for(whole, 2, gather_lines, &g);
        for (int k = 0; k < 3; k++)
            g.lines.base[k] += whole * g.lines.bstride[k][0];
        g.lines.shape[0] = g.lines.count = 1;
        g.line.n = all.n - whole * piece;
    }
    cti_parallel_for(g.lines.count, cti_line_grain(g.line.n), gather_lines, &g);
    return !g.bad;
}

enum cti_status cti_cpu_gather(struct cti_gather *work)
{
    ct_tensor *out = work->out, *in = work->in, *index = work->index;
    int64_t dim = work->dim;
    if (out->numel == 0 || gather_dim(out, in, (int)dim, index, false))
        return true;
    int64_t size = cti_geometry_of(in).shape[dim], value = 0;
    cti_index_inside(index, size, false, &value);
    ct_fail(CT_ERR_RUNTIME, "index %lld is out of bounds for dimension %lld with size %lld",
            (long long)value, (long long)dim, (long long)size);
    return false;
}

/* index_select of rows that are contiguous bytes in both tensors. */
struct rows {
    struct cti_lines lines; /* the dims before `dim`: out, in */
    const char *index;
    int64_t index_step, n, run, dst_step, jump;
};

static void copy_rows(void *context, int64_t begin, int64_t end)
{
    const struct rows *w = context;
    struct cti_line line;
    int64_t j = begin % w->n;
    cti_line_at(&w->lines, begin / w->n, &line);
    for (int64_t i = begin; i < end; i++) {
        const char *at = w->index + j * w->index_step;
        /* Rows are scattered in memory: prefetch. */
        if (j + 8 < w->n) {
            int64_t later = *(const int64_t *)(const void *)(at + 8 * w->index_step);
            for (int64_t b = 0; b < w->run && b < 512; b += 64)
                __builtin_prefetch(line.p[1] + later * w->jump + b);
        }
        memcpy(line.p[0] + j * w->dst_step,
               line.p[1] + *(const int64_t *)(const void *)at * w->jump, (size_t)w->run);
        if (++j == w->n) {
            j = 0;
            cti_line_next(&w->lines, &line);
        }
    }
}

/* Bytes of the dims after `dim` if these are contiguous, otherwise 0. */
static int64_t run_after(struct cti_geometry g, int dim)
{
    int64_t run = 1;
    for (int d = g.ndim - 1; d > dim; d--) {
        if (g.shape[d] != 1 && g.stride[d] != run)
            return 0;
        run *= g.shape[d];
    }
    return run;
}

enum cti_status cti_cpu_index_select(struct cti_index_select *work)
{
    ct_tensor *out = work->out, *in = work->in, *index = work->index;
    int dim = (int)work->dim;
    struct cti_geometry go = cti_geometry_of(out), gi = cti_geometry_of(in);
    int64_t n = index->numel, size = cti_itemsize(in->dtype);
    if (out->numel == 0)
        return true;
    int64_t step = index->ndim ? index->stride[0] : 0;
    int64_t run = run_after(go, dim);
    if (run > 1 && run == run_after(gi, dim)) {
        struct rows w = {.index = cti_data(index), .index_step = step * 8, .n = n};
        int64_t shape[CTI_MAX_DIMS];
        for (int d = 0; d < go.ndim; d++)
            shape[d] = d < dim ? go.shape[d] : 1;
        cti_lines_begin(&w.lines, go.ndim, shape, CTI_NO_SKIP, CTI_NO_SKIP);
        cti_lines_add(&w.lines, out);
        cti_lines_add(&w.lines, in);
        w.run = run * size;
        w.dst_step = go.stride[dim] * size;
        w.jump = gi.stride[dim] * size;
        cti_parallel_for(w.lines.count * n, cti_line_grain(run), copy_rows, &w);
        return true;
    }
    /* A gather whose index is broadcast along the other dims. */
    int64_t stride[CTI_MAX_DIMS] = {0};
    ct_tensor wide = *index;
    stride[dim] = step;
    wide.ndim = (uint8_t)go.ndim;
    wide.shape = (int64_t *)go.shape;
    wide.stride = stride;
    return gather_dim(out, in, dim, &wide, true);
}
