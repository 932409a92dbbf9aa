/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the geometry of a pointwise program: drops, orders and merges dims, chooses a path for
 * each operand, assigns buffers and sizes blocks (Note [Block paths]). Called by pointwise.c and
 * the files that run a walk; reads no elements. */
#include "cpu/pointwise/walk.h"

#include "core/coalesce.h"
#include "core/parallel.h"
#include "cpu/pointwise/stream.h"

#include <string.h>

#define LEAST_BLOCK 16
#define LONG_ROW (2 * CTI_WALK_SHORT_ROW) /* elements */
#define TILE_LINES 4    /* cache lines of a tile's columns: enough to start the prefetcher */
#define TILE_SHORTER 16 /* elements by which a tile's rows are shorter than a block */
#define DIRECT_BLOCK (INT64_C(1) << 40)

_Static_assert(LEAST_BLOCK * 16 /* bytes of the widest type */ <=
                   CTI_WALK_SCRATCH / (CTI_WALK_BUFFERS),
               "the longest program has its buffers");

/* ---- geometry ---- */

/* Makes the result's strides positive, then coalesces the dims. */
static void walk_dims(struct cti_walk *k)
{
    const struct cti_pointwise *w = k->w;
    int64_t *stride[CTI_MAX_OPERANDS];
    struct cti_dims dims = {.n = w->ndim,
                            .order = CTI_DIMS_EACH,
                            .keep_one = true,
                            .tensors = w->noperands,
                            .size = k->shape,
                            .stride = stride};
    for (int o = 0; o < w->noperands; o++)
        stride[o] = k->bstride[o];
    for (int i = 0; i < w->ndim; i++) {
        int d = w->ndim - 1 - i;
        k->shape[i] = w->shape[d];
        bool reversed = w->operand[0].bstride[d] < 0 && w->shape[d] > 1;
        for (int o = 0; o < w->noperands; o++) {
            int64_t s = w->operand[o].bstride[d];
            if (reversed) {
                k->data[o] += s * (w->shape[d] - 1);
                s = -s;
            }
            k->bstride[o][i] = s;
        }
    }
    k->ndim = cti_coalesce(&dims);
    k->total = 1;
    for (int d = 0; d < k->ndim; d++)
        k->total *= k->shape[d];
}

/* ---- what each operand needs ---- */

static bool is_number(const struct cti_walk *k, int o)
{
    for (int d = 0; d < k->ndim; d++)
        if (k->bstride[o][d] && k->shape[d] > 1)
            return false;
    return true;
}

/* Whether one step can run over rows in place with an operand that has one number for each row. If
 * the shape were treated as one line, that operand would have to be expanded. */
static bool has_plain_rows(const struct cti_walk *k)
{
    const struct cti_pointwise *w = k->w;
    bool numbers = false;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *p = &w->operand[o];
        int64_t s = k->bstride[o][0];
        if (p->dtype != p->compute || p->flags || (s && s != cti_walk_itemsize(p->dtype)))
            return false;
        numbers = numbers || (s == 0 && !is_number(k, o));
    }
    return numbers && w->nsteps == 1;
}

static void choose_paths(struct cti_walk *k)
{
    const struct cti_pointwise *w = k->w;
    k->line = k->ndim > 1 && k->shape[0] < CTI_WALK_SHORT_ROW;
    if (k->line && k->shape[0] >= CTI_WALK_SHORT_ROW / 4 && has_plain_rows(k))
        k->line = false;
    k->tiled = false;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *p = &w->operand[o];
        struct cti_operand_path *y = &k->path[o];
        int64_t size = cti_walk_itemsize(p->dtype);
        y->cast = p->dtype != p->compute;
        y->flagged = p->flags != 0;
        y->number = o >= w->nout && is_number(k, o);
        bool contiguous = k->bstride[o][0] == size || k->shape[0] == 1;
        if (k->line) { /* direct access only if the whole line is contiguous */
            int64_t want = size;
            for (int d = 0; d < k->ndim; d++) {
                contiguous = contiguous && k->bstride[o][d] == want;
                want *= k->shape[d];
            }
        } else if (o >= w->nout && k->bstride[o][0] == 0 && !y->number) {
            contiguous = false;
        }
        y->transposed = !k->line && !contiguous && !y->number && o >= w->nout && k->ndim > 1 &&
                        k->bstride[o][1] == size && k->shape[1] >= 4 && k->bstride[o][0];
        y->repeats = false;
        k->tiled = k->tiled || y->transposed;
        y->direct = !y->number && contiguous;
        y->row_number = !k->line && !y->number && o >= w->nout && k->bstride[o][0] == 0 &&
                        !y->cast && !y->flagged && w->nsteps;
    }
}

/* Whether the program is one step over rows of a half type. One operand may be a single number, or
 * have one number for each row. */
static bool is_of_halves(const struct cti_walk *k)
{
    const struct cti_pointwise *w = k->w;
    const struct cti_step *step = &w->step[0];
    uint8_t half = w->operand[0].dtype;
    int numbers = 0;
    if (w->nsteps != 1 || k->ndim == 1 || k->line || (half != CT_FLOAT16 && half != CT_BFLOAT16) ||
        step->dtype != CT_FLOAT32 || !cti_cpu_find_loop(step->row, (enum ct_dtype)half))
        return false;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *p = &w->operand[o];
        int64_t s = k->bstride[o][0];
        bool is_half = p->dtype == half;
        if (p->flags || p->compute != CT_FLOAT32 ||
            (!is_half && (p->dtype != CT_FLOAT32 || !k->path[o].number)))
            return false;
        if (is_half ? s == 2 : step->params >> (o - 1) & 1)
            continue;
        if (o < w->nout || s || step->params || numbers++)
            return false;
    }
    return !numbers || cti_step_tensors(step) == 2;
}

static void take_halves(struct cti_walk *k)
{
    const struct cti_pointwise *w = k->w;
    k->loop[0] = cti_cpu_find_loop(w->step[0].row, w->operand[0].dtype);
    for (int o = 0; o < w->noperands; o++) {
        struct cti_operand_path *y = &k->path[o];
        y->cast = false;
        y->row_number = !y->number && k->bstride[o][0] == 0;
    }
}

/* Whether to store past the caches: the working set exceeds them, nothing is computed in place, and
 * rows are long enough to consist mostly of whole cache lines. */
static bool is_streamed(const struct cti_walk *k)
{
    int64_t bytes = 0;
    if (!k->line && k->shape[0] < LONG_ROW)
        return false;
    for (int o = 0; o < k->w->noperands; o++) {
        int64_t span = cti_walk_itemsize(k->w->operand[o].dtype);
        for (int d = 0; d < k->ndim; d++)
            span *= k->bstride[o][d] ? k->shape[d] : 1;
        bytes += span;
        if (o && k->data[o] == k->data[0])
            return false;
    }
    return k->w->nout == 1 && cti_cpu_exceeds_caches(bytes);
}

void cti_walk_begin(struct cti_walk *k, const struct cti_pointwise *w)
{
    k->w = w;
    for (int o = 0; o < w->noperands; o++)
        k->data[o] = w->operand[o].data;
    for (int s = 0; s < w->nsteps; s++)
        k->loop[s] = cti_cpu_find_loop(w->step[s].row, w->step[s].dtype);
    walk_dims(k);
    choose_paths(k);
    k->streamed = is_streamed(k);
    k->halves = is_of_halves(k);
    if (k->halves)
        take_halves(k);
}

/* ---- blocks ---- */

static void assign_buffers(struct cti_walk *k)
{
    const struct cti_pointwise *w = k->w;
    int n = 0;
    memset(k->slot_buffer, -1, sizeof k->slot_buffer);
    for (int o = 0; o < w->noperands; o++) {
        struct cti_operand_path *y = &k->path[o];
        y->raw_buffer = y->buffer = -1;
        if (y->row_number || (y->number && !y->cast && !y->flagged && w->nsteps))
            continue;
        bool pack = !y->direct;
        if (pack && !(w->nsteps == 0 && o == 0 && !y->cast)) /* a copy uses its source's buffer */
            y->raw_buffer = (int16_t)n++;
        if (y->cast || (y->flagged && !pack))
            y->buffer = (int16_t)n++;
    }
    for (int s = 0; s < w->nsteps; s++) {
        const struct cti_step *step = &w->step[s];
        unsigned numbers = 0;
        if (step->out >= w->noperands)
            k->slot_buffer[step->out] = (int16_t)n++;
        k->spread[s] = 0;
        for (int i = 0; i < step->nin; i++) {
            bool number = cti_walk_is_plain_number(k, step->in[i]) && !(step->params >> i & 1);
            if (number && !cti_step_takes_number(step, i, numbers))
                k->spread[s] |= (uint8_t)(1u << i);
            else if (number)
                numbers |= 1u << i;
            bool cast = w->slot_dtype[step->in[i]] != cti_step_wanted(step, i);
            k->step_buffer[s][i] = cast || (k->spread[s] >> i & 1) ? (int16_t)n++ : -1;
        }
    }
    k->nbuffers = n;
}

/* Finds operands that repeat for every row or plane of a line, and makes blocks a multiple of the
 * longest period. */
static void find_repeats(struct cti_walk *k)
{
    int64_t longest = 1;
    for (int o = k->w->nout; o < k->w->noperands; o++) {
        int64_t period = 1, count = 1;
        for (int d = 0; d < k->ndim; d++) {
            count *= k->shape[d];
            if (k->bstride[o][d])
                period = count;
        }
        k->path[o].repeats = period <= k->block;
        if (k->path[o].repeats && period > longest)
            longest = period;
    }
    k->block -= k->block % longest;
}

/* Sizes blocks so that all buffers fit a thread's scratch memory. */
static void size_blocks(struct cti_walk *k)
{
    const struct cti_pointwise *w = k->w;
    if (!k->nbuffers) {
        k->block = DIRECT_BLOCK;
        k->rows = 1;
        return;
    }
    int64_t widest = 1, narrowest = 16;
    for (int o = 0; o < w->noperands; o++) {
        int64_t a = cti_walk_itemsize(w->operand[o].dtype),
                b = cti_walk_itemsize(w->operand[o].compute);
        widest = widest > a ? widest : a;
        widest = widest > b ? widest : b;
        if (k->path[o].transposed && a < narrowest)
            narrowest = a;
    }
    for (int s = 0; s < w->nsteps; s++) {
        int64_t a = cti_walk_itemsize(w->step[s].dtype);
        widest = widest > a ? widest : a;
    }
    k->rows = 1;
    int64_t fit = CTI_WALK_SCRATCH / k->nbuffers / widest;
    if (k->tiled) {
        k->rows = TILE_LINES * CTI_WALK_CACHE_LINE / narrowest;
        if (k->rows > k->shape[1])
            k->rows = k->shape[1];
        while (k->rows > 4 &&
               fit / k->rows < (k->rows * narrowest > CTI_WALK_CACHE_LINE ? CTI_WALK_BLOCK / 2
                                                                          : CTI_WALK_BLOCK / 8))
            k->rows /= 2;
        if (fit / k->rows < LEAST_BLOCK)
            k->rows = 1;
    }
    k->block = fit / k->rows / 16 * 16;
    if (k->block > CTI_WALK_BLOCK)
        k->block = CTI_WALK_BLOCK;
    /* The row length is not a power of two, so that the rows of a tile fall into different cache
     * sets. */
    if (k->tiled && k->block > TILE_SHORTER)
        k->block -= TILE_SHORTER;
    if (k->block < LEAST_BLOCK)
        k->block = LEAST_BLOCK;
    if (k->line)
        find_repeats(k);
}

void cti_walk_cut_blocks(struct cti_walk *k)
{
    assign_buffers(k);
    size_blocks(k);
}

void cti_walk_for_units(struct cti_walk *k, void (*body)(void *, int64_t, int64_t))
{
    int64_t tiles = (k->shape[1] + k->rows - 1) / k->rows;
    int64_t units = k->total / k->shape[0] / k->shape[1] * tiles;
    int64_t grain = CTI_WALK_GRAIN / (k->shape[0] * k->rows);
    cti_parallel_for(units, grain ? grain : 1, body, k);
}
