/* SPDX-License-Identifier: BSD-3-Clause */
/* scatter with all its reductions: writes along one dim to the positions given by an int64 tensor.
 * index_add, index_copy and index_fill are scatters whose index is broadcast along the other dims.
 * The caller has checked every index. Values with one destination are combined in the order of
 * their positions along the dim, whatever the number of threads. */
#include "core/backend.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/compress.h"
#include "cpu/index/index.h"

#define TILE 512 /* elements of a task along the inner dim */

/* Note [Order of scatter]: one task does all of `dim`, because only positions along it can have the
 * same destination. Threads divide the other dims: the outer ones line by line, the inner one tile
 * by tile. */
struct scatter {
    struct cti_lines lines; /* self, index, src: dims other than `dim` and the inner one */
    struct cti_write line;
    cti_write_fn *write;
    int64_t inner_n, tiles, size, together;
    int64_t dim_n;         /* size of `dim` if it is not the inner one */
    int64_t pieces, limit; /* of one long line, whose destinations are divided among threads */
};

static void scatter_tiles(void *context, int64_t begin, int64_t end)
{
    const struct scatter *s = context;
    struct cti_line line;
    int64_t tile = begin % s->tiles;
    cti_line_at(&s->lines, begin / s->tiles, &line);
    for (int64_t i = begin; i < end; i++) {
        struct cti_write w = s->line;
        int64_t first = tile * TILE;
        w.n = s->inner_n - first < TILE ? s->inner_n - first : TILE;
        w.dst = line.p[0] + first * w.dst_step;
        w.index = line.p[1] + first * w.index_step;
        w.src = line.p[2] + first * w.src_step;
        w.more = s->dim_n - 1; /* positions along `dim` are the lines that run together */
        s->write(w);
        if (++tile == s->tiles) {
            tile = 0;
            cti_line_next(&s->lines, &line);
        }
    }
}

/* `dim` is the inner dim: a task is a line. */
static void scatter_lines(void *context, int64_t begin, int64_t end)
{
    const struct scatter *s = context;
    struct cti_line line;
    cti_line_at(&s->lines, begin, &line);
    for (int64_t i = begin, count; i < end; i += count) {
        struct cti_write w = s->line;
        count = cti_line_row(&s->lines, &line, s->together < end - i ? s->together : end - i);
        w.dst = line.p[0];
        w.index = line.p[1];
        w.src = line.p[2];
        w.more = count - 1;
        s->write(w);
        cti_line_skip(&s->lines, &line, count);
    }
}

/* One long line: each task handles a range of destinations and collects the values for that range,
 * a tile at a time. */
static void scatter_range(void *context, int64_t begin, int64_t end)
{
    const struct scatter *s = context;
    int64_t share = (s->limit + s->pieces - 1) / s->pieces;
    const int64_t *index = (const int64_t *)(const void *)s->lines.base[1];
    int64_t values[TILE + 8], positions[TILE + 8];
    _Alignas(16) char loaded[TILE * 16];
    struct cti_read read = {.dst = loaded, .dst_step = s->size, .jump = s->line.src_step};
    struct cti_write w = s->line;
    w.dst = s->lines.base[0];
    w.index = (const char *)values;
    w.src = loaded;
    w.src_step = s->size;
    read.index = (const char *)positions;
    read.index_step = 8;
    for (int64_t first = 0; first < s->line.n; first += TILE) {
        int64_t n = s->line.n - first < TILE ? s->line.n - first : TILE;
        w.n = read.n = cti_compress_best()->within(
            index + first, n, begin * share, (uint64_t)((end - begin) * share), values, positions);
        read.src = s->lines.base[2] + first * s->line.src_step;
        cti_read_line(read, s->size);
        s->write(w);
    }
}

static bool scatter(ct_tensor *self, int dim, ct_tensor *index, ct_tensor *src,
                    enum cti_combine how)
{
    struct scatter s = {.dim_n = 1, .tiles = 1, .size = cti_itemsize(self->dtype)};
    struct cti_geometry gs = cti_geometry_of(self), gx = cti_geometry_of(index);
    struct cti_geometry gv = cti_geometry_of(src);
    int64_t size = s.size;
    s.write = cti_write_line(self->dtype, how);
    if (!s.write)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "scatter is not implemented for %s",
                       ct_dtype_str(self->dtype));
    int inner = gx.ndim > 1 ? cti_inner_dim(gs) : 0;
    if (gx.shape[inner] == 1)
        inner = cti_inner_dim(gx);
    cti_lines_begin(&s.lines, gx.ndim, gx.shape, inner, dim);
    cti_lines_add(&s.lines, self);
    cti_lines_add(&s.lines, index);
    cti_lines_add(&s.lines, src);
    s.inner_n = s.line.n = gx.shape[inner];
    s.line.dst_step = inner == dim ? 0 : gs.stride[inner] * size;
    s.line.index_step = gx.stride[inner] * 8;
    s.line.src_step = gv.stride[inner] * size;
    s.line.jump = gs.stride[dim] * size;
    if (inner != dim) {
        s.dim_n = gx.shape[dim];
        s.line.index_row = gx.stride[dim] * 8;
        s.line.src_row = gv.stride[dim] * size;
        s.tiles = (s.inner_n + TILE - 1) / TILE;
        int64_t per_tile = s.dim_n * (s.inner_n < TILE ? s.inner_n : TILE);
        cti_parallel_for(s.lines.count * s.tiles, cti_line_grain(per_tile), scatter_tiles, &s);
        return true;
    }
    s.limit = gs.shape[dim];
    s.pieces = cti_parallel_threads();
    if (s.lines.count == 1 && s.pieces >= CTI_FEW_THREADS && s.line.n >= 65536 && s.limit >= 1024 &&
        s.line.index_step == 8) {
        cti_parallel_for(s.pieces, 1, scatter_range, &s);
        return true;
    }
    s.together = cti_line_together(s.line.n);
    s.line.dst_row = cti_line_step(&s.lines, 0);
    s.line.index_row = cti_line_step(&s.lines, 1);
    s.line.src_row = cti_line_step(&s.lines, 2);
    cti_parallel_for(s.lines.count, cti_line_grain(s.line.n), scatter_lines, &s);
    return true;
}

enum cti_status cti_cpu_scatter(struct cti_scatter *work)
{
    ct_tensor *self = work->self, *index = work->index, *src = work->src;
    int64_t dim = work->dim;
    enum cti_combine how = work->how;
    if (index->numel == 0)
        return true;
    return scatter(self, (int)dim, index, src, how);
}
