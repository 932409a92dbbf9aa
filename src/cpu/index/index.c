/* SPDX-License-Identifier: BSD-3-Clause */
/* Iteration over lines and the check of index values, for the index, scan and order engines. It
 * handles geometry and int64 values, and is independent of the operations. */
#include "cpu/index/index.h"
#include "cpu/engines.h"

#include "core/parallel.h"

struct cti_geometry cti_geometry_of(const ct_tensor *t)
{
    static const int64_t one[1] = {1};
    if (t->ndim == 0)
        return (struct cti_geometry){1, one, one};
    return (struct cti_geometry){t->ndim, t->shape, t->stride};
}

void cti_lines_begin(struct cti_lines *l, int ndim, const int64_t *shape, int skip, int skip_too)
{
    l->ndim = 0;
    l->noperands = 0;
    l->count = 1;
    for (int d = 0; d < ndim; d++) {
        if (d == skip || d == skip_too)
            continue;
        l->dim[l->ndim] = d;
        l->shape[l->ndim++] = shape[d];
        l->count *= shape[d];
    }
}

void cti_lines_add(struct cti_lines *l, const ct_tensor *t)
{
    struct cti_geometry g = cti_geometry_of(t);
    int64_t size = cti_itemsize(t->dtype);
    int k = l->noperands++;
    l->base[k] = cti_data(t);
    for (int d = 0; d < l->ndim; d++)
        l->bstride[k][d] = g.stride[l->dim[d]] * size;
}

void cti_lines_hold(struct cti_lines *l, int operand, int dim)
{
    for (int d = 0; d < l->ndim; d++)
        if (l->dim[d] == dim)
            l->bstride[operand][d] = 0;
}

void cti_line_at(const struct cti_lines *l, int64_t number, struct cti_line *line)
{
    for (int k = 0; k < l->noperands; k++)
        line->p[k] = l->base[k];
    for (int d = l->ndim - 1; d >= 0; d--) {
        int64_t at = l->shape[d] > 0 ? number % l->shape[d] : 0;
        number = l->shape[d] > 0 ? number / l->shape[d] : 0;
        line->at[d] = at;
        for (int k = 0; k < l->noperands; k++)
            line->p[k] += at * l->bstride[k][d];
    }
}

void cti_line_next(const struct cti_lines *l, struct cti_line *line)
{
    for (int d = l->ndim - 1; d >= 0; d--) {
        bool carry = ++line->at[d] == l->shape[d];
        int64_t steps = carry ? 1 - l->shape[d] : 1;
        for (int k = 0; k < l->noperands; k++)
            line->p[k] += steps * l->bstride[k][d];
        if (!carry)
            return;
        line->at[d] = 0;
    }
}

int64_t cti_line_row(const struct cti_lines *l, const struct cti_line *line, int64_t most)
{
    int last = l->ndim - 1;
    int64_t left = l->ndim ? l->shape[last] - line->at[last] : 1;
    return left < most ? left : most;
}

void cti_line_skip(const struct cti_lines *l, struct cti_line *line, int64_t count)
{
    if (l->ndim)
        line->at[l->ndim - 1] += count - 1;
    for (int k = 0; k < l->noperands; k++)
        line->p[k] += (count - 1) * cti_line_step(l, k);
    cti_line_next(l, line);
}

int cti_inner_dim(struct cti_geometry g)
{
    int best = g.ndim - 1;
    int64_t least = INT64_MAX;
    for (int d = g.ndim - 1; d >= 0; d--) {
        int64_t step = g.stride[d] < 0 ? -g.stride[d] : g.stride[d];
        if (g.shape[d] > 1 && step < least) {
            least = step;
            best = d;
        }
    }
    return best;
}

struct check {
    struct cti_lines lines;
    int64_t n, bstride, size;
    bool wrap;
    int bad; /* atomic */
};

static void check_lines(void *context, int64_t begin, int64_t end)
{
    struct check *c = context;
    struct cti_line line;
    cti_line_at(&c->lines, begin, &line);
    for (int64_t i = begin; i < end; i++) {
        if (!cti_index_line_good(line.p[0], c->bstride, c->n, c->size, c->wrap)) {
            __atomic_store_n(&c->bad, 1, __ATOMIC_RELAXED);
            return;
        }
        cti_line_next(&c->lines, &line);
    }
}

/* Returns the first bad value; the caller knows that there is one. */
static int64_t first_bad(const struct check *c)
{
    struct cti_line line;
    cti_line_at(&c->lines, 0, &line);
    for (int64_t i = 0; i < c->lines.count; i++) {
        for (int64_t j = 0; j < c->n; j++) {
            const char *at = line.p[0] + j * c->bstride;
            if (!cti_index_line_good(at, 0, 1, c->size, c->wrap))
                return *(const int64_t *)(const void *)at;
        }
        cti_line_next(&c->lines, &line);
    }
    return 0;
}

bool cti_index_inside(ct_tensor *index, int64_t size, bool wrap, int64_t *bad)
{
    if (index->numel == 0)
        return true;
    struct check c = {.size = size, .wrap = wrap};
    struct cti_geometry g = cti_geometry_of(index);
    bool flat = (index->flags & CTI_CONTIGUOUS) != 0;
    if (flat) { /* split a flat tensor, since one thread would check a 1-d index */
        int64_t piece = 16384;
        int64_t shape = index->numel / piece;
        cti_lines_begin(&c.lines, 1, &shape, CTI_NO_SKIP, CTI_NO_SKIP);
        c.lines.noperands = 1;
        c.lines.base[0] = cti_data(index);
        c.lines.bstride[0][0] = piece * 8;
        c.n = piece;
        c.bstride = 8;
        if (!cti_parallel_for(shape, 2, check_lines, &c))
            return false;
        c.lines.base[0] += shape * piece * 8;
        c.n = index->numel - shape * piece;
        c.lines.count = c.lines.shape[0] = 1;
        check_lines(&c, 0, 1);
        if (!c.bad)
            return true;
    }
    cti_lines_begin(&c.lines, g.ndim, g.shape, g.ndim - 1, CTI_NO_SKIP);
    cti_lines_add(&c.lines, index);
    c.n = g.shape[g.ndim - 1];
    c.bstride = g.stride[g.ndim - 1] * 8;
    if (!flat && !cti_parallel_for(c.lines.count, cti_line_grain(c.n), check_lines, &c))
        return false;
    if (c.bad)
        *bad = first_bad(&c);
    return !c.bad;
}

enum cti_status cti_cpu_index_check(struct cti_index_check *work)
{
    work->outside = !cti_index_inside(work->index, work->size, work->wrap, &work->bad);
    return CTI_DONE;
}
