/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs without steps that need no blocks: a copy, cast or fill of one contiguous line, a copy
 * row by row, or a transposing copy. Called by pointwise.c; all other programs run block by block
 * (block.c). */
#include "core/parallel.h"
#include "core/scratch.h"
#include "cpu/pointwise/pack.h"
#include "cpu/pointwise/stream.h"
#include "cpu/pointwise/walk.h"

#define TRANSPOSED 4096 /* elements of a task of a transposing copy; fit the scratch */
#define TRANSPOSED_BLOCK 128
#define COPIED 8192 /* elements of a task of any other copy */

/* ---- one line ---- */

static bool is_line(const struct cti_walk *k)
{
    const struct cti_operand_path *out = &k->path[0], *in = &k->path[1];
    return (k->ndim == 1 || k->line) && out->direct && !in->cast && !in->flagged &&
           (in->number ? !out->cast : in->direct);
}

static void copy_bytes(const struct cti_walk *k, char *to, const char *from, int64_t n)
{
    if (k->streamed && (to + n <= from || from + n <= to)) {
        cti_cpu_stream(to, from, n);
        cti_cpu_stream_end();
    } else {
        cti_cpu_copy_bytes(to, from, n);
    }
}

/* Casts elements [at, at + n) to `to`. */
static void make_cast(const void *context, int64_t at, int64_t n, char *to)
{
    const struct cti_walk *k = context;
    enum ct_dtype out = k->w->operand[0].dtype;
    enum ct_dtype in = k->w->operand[1].dtype;
    cti_cpu_cast(out, to, in, k->data[1] + at * cti_itemsize(in), n);
}

/* One contiguous line: a fill, a copy or a cast. Fills read nothing, so non-temporal stores would
 * gain nothing. */
static void copy_line(void *context, int64_t begin, int64_t end)
{
    const struct cti_walk *k = context;
    int64_t size = cti_walk_itemsize(k->w->operand[0].dtype), n = end - begin;
    char *to = k->data[0] + begin * size;
    if (k->path[1].number)
        cti_cpu_spread(to, k->data[1], n, size);
    else if (!k->path[0].cast)
        copy_bytes(k, to, k->data[1] + begin * size, n * size);
    else if (k->streamed)
        cti_cpu_stream_made(k->data[0], size, begin, end, make_cast, k);
    else
        make_cast(k, begin, n, to);
}

/* ---- transposed ---- */

/* Whether the source of a copy is contiguous along the second dim, even if the first dim is
 * short. */
static bool is_transposed(const struct cti_walk *k)
{
    const struct cti_operand *out = &k->w->operand[0], *in = &k->w->operand[1];
    int64_t size = cti_walk_itemsize(in->dtype);
    return k->ndim > 1 && in->compute == in->dtype && !in->flags &&
           k->bstride[0][0] == cti_walk_itemsize(out->dtype) && k->bstride[1][1] == size &&
           k->bstride[1][0] != size && k->bstride[1][0] && k->shape[1] >= 4;
}

/* Transposes one block; if the types differ, transposes it to a buffer first and casts from
 * there. */
static void transpose_block(const struct cti_walk *k, char *to, const char *from, int64_t n,
                            int64_t rows, char *buffer)
{
    const struct cti_operand *out = &k->w->operand[0], *in = &k->w->operand[1];
    int64_t size = cti_walk_itemsize(in->dtype), step = k->bstride[0][1];
    if (out->dtype == in->dtype) {
        cti_cpu_transpose(to, step, from, k->bstride[1][0], rows, n, size);
        return;
    }
    cti_cpu_transpose(buffer, n * size, from, k->bstride[1][0], rows, n, size);
    if (step == n * cti_walk_itemsize(out->dtype))
        cti_cpu_cast(out->dtype, to, in->dtype, buffer, n * rows);
    else
        for (int64_t r = 0; r < rows; r++)
            cti_cpu_cast(out->dtype, to + r * step, in->dtype, buffer + r * n * size, n);
}

static void transpose_units(void *context, int64_t begin, int64_t end)
{
    const struct cti_walk *k = context;
    char *buffer = cti_scratch_take();
    for (int64_t unit = begin; unit < end; unit++) {
        char *base[2];
        int64_t rows = cti_walk_start_unit(k, unit, base);
        for (int64_t at = 0; at < k->shape[0]; at += TRANSPOSED_BLOCK) {
            int64_t n = k->shape[0] - at < TRANSPOSED_BLOCK ? k->shape[0] - at : TRANSPOSED_BLOCK;
            transpose_block(k, base[0] + at * k->bstride[0][0], base[1] + at * k->bstride[1][0], n,
                            rows, buffer);
        }
    }
    cti_scratch_release(buffer);
}

/* ---- rows ---- */

/* Whether this is any other copy without a cast. (If rows are short in both dims, block.c treats
 * them as one line.) */
static bool is_rows(const struct cti_walk *k)
{
    const struct cti_operand *out = &k->w->operand[0], *in = &k->w->operand[1];
    return !k->tiled && in->dtype == out->dtype && in->compute == in->dtype && !in->flags &&
           !(k->line && k->shape[0] * k->shape[1] < CTI_WALK_SHORT_ROW);
}

/* Copies units: tiles of rows, or the elements of a single dim. */
static void copy_rows(void *context, int64_t begin, int64_t end)
{
    const struct cti_walk *k = context;
    struct cti_rows rows = {.rows = 1,
                            .n = k->shape[0],
                            .itemsize = cti_walk_itemsize(k->w->operand[0].dtype),
                            .dst_bstride = k->bstride[0][0],
                            .src_bstride = k->bstride[1][0]};
    if (k->ndim == 1) {
        rows.n = end - begin;
        cti_cpu_move_rows(k->data[0] + begin * rows.dst_bstride,
                          k->data[1] + begin * rows.src_bstride, &rows);
        return;
    }
    rows.dst_row = k->bstride[0][1];
    rows.src_row = k->bstride[1][1];
    for (int64_t unit = begin; unit < end; unit++) {
        char *base[2];
        rows.rows = cti_walk_start_unit(k, unit, base);
        cti_cpu_move_rows(base[0], base[1], &rows);
    }
}

bool cti_walk_try_copy(struct cti_walk *k)
{
    if (k->w->nsteps)
        return false;
    if (is_line(k)) {
        cti_parallel_for(k->total, CTI_WALK_GRAIN, copy_line, k);
    } else if (is_transposed(k)) {
        k->rows = TRANSPOSED / (k->shape[0] < TRANSPOSED_BLOCK ? k->shape[0] : TRANSPOSED_BLOCK);
        k->rows = k->rows < k->shape[1] ? k->rows : k->shape[1];
        cti_walk_for_units(k, transpose_units);
    } else if (!is_rows(k)) {
        return false;
    } else if (k->ndim == 1) {
        cti_parallel_for(k->total, CTI_WALK_GRAIN, copy_rows, k);
    } else {
        k->rows = k->shape[0] < COPIED ? COPIED / k->shape[0] : 1;
        k->rows = k->rows > k->shape[1] ? k->shape[1] : k->rows;
        cti_walk_for_units(k, copy_rows);
    }
    return true;
}
