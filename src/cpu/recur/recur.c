/* SPDX-License-Identifier: BSD-3-Clause */
/* The recur engine: the steps of one direction of one layer, forward; backward.c is the backward
 * pass. Called through the backend table; see Note [Recurrence] in core/recur.h, Note [Steps] in
 * recur.h. */
#include "cpu/recur/recur.h"
#include "cpu/engines.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/tensor.h"

#include <string.h>

/* Returns an iterator that starts at the first step in time, or at the last. */
struct cti_recur_step cti_recur_begin(const struct cti_recur *w, bool last)
{
    struct cti_recur_step s = {.step = last ? w->steps - 1 : 0};
    for (int64_t t = 0; t < s.step; t++)
        s.first += cti_recur_size(w, t);
    s.step += last ? 1 : -1; /* cti_recur_next then moves to the first */
    s.first += last ? cti_recur_size(w, s.step - 1) : 0;
    s.rows = 0;
    cti_recur_next(w, &s, !last);
    return s;
}

void cti_recur_next(const struct cti_recur *w, struct cti_recur_step *s, bool up)
{
    if (up)
        s->first += s->rows;
    s->step += up ? 1 : -1;
    s->rows = cti_recur_size(w, s->step);
    if (!up)
        s->first -= s->rows;
    int64_t before = s->step + (w->reverse ? 1 : -1);
    s->before_rows = cti_recur_size(w, before);
    s->before_first = w->reverse ? s->first + s->rows : s->first - s->before_rows;
}

struct forward {
    const struct cti_recur *w;
    const struct cti_recur_loops *loops;
    struct cti_recur_step at;
    int64_t size, gates;
    char *out; /* new states: [rows, hidden], the output or the input of the projection */
};

/* The epilogue: computes new states from accumulators while these are in L1. */
static void finish_gates(const void *context, int64_t row, int64_t rows, int64_t column,
                         int64_t columns, const void *sums, int64_t sum_row, int64_t set_next)
{
    const struct forward *f = context;
    const struct cti_recur *w = f->w;
    int64_t line = f->at.first + row, size = f->size;
    struct cti_recur_rows r = {.kind = w->kind,
                               .rows = rows,
                               .units = columns,
                               .hidden = w->hidden,
                               .sums = sums,
                               .sum_row = sum_row,
                               .gate_next = set_next,
                               .out_row = w->hidden,
                               .h_row = w->width};
    r.gates = (char *)w->gates + (line * f->gates * w->hidden + column) * size;
    r.out = f->out + (row * w->hidden + column) * size;
    if (w->extra)
        r.extra = (char *)w->extra + (line * w->hidden + column) * size;
    if (w->c)
        r.c = (char *)w->c + (row * w->hidden + column) * size;
    if (w->bias)
        r.bias = (const char *)w->bias + column * size;
    if (w->kind == CTI_RECUR_GRU)
        r.h = (const char *)w->h + (row * w->width + column) * size;
    f->loops->forward(&r);
}

static void finish_projection(const void *context, int64_t row, int64_t rows, int64_t column,
                              int64_t columns, const void *sums, int64_t sum_row, int64_t set_next)
{
    const struct forward *f = context;
    (void)set_next;
    for (int64_t i = 0; i < rows; i++)
        memcpy((char *)f->w->output + ((f->at.first + row + i) * f->w->width + column) * f->size,
               (const char *)sums + i * sum_row * f->size, (size_t)(columns * f->size));
}

static void run_step(struct forward *f, const struct cti_recur_weights *weights,
                     const struct cti_recur_weights *projection, char *unprojected)
{
    const struct cti_recur *w = f->w;
    char *output = (char *)w->output + f->at.first * w->width * f->size;
    f->out = unprojected ? unprojected : output;
    cti_recur_multiply(weights, w->h, w->width, f->at.rows, finish_gates, f);
    if (unprojected)
        cti_recur_multiply(projection, unprojected, w->hidden, f->at.rows, finish_projection, f);
    memcpy(w->h, output, (size_t)(f->at.rows * w->width * f->size));
}

static bool recur_forward(const struct cti_recur *w)
{
    struct forward f = {.w = w, .loops = cti_recur_loops(w->dtype)};
    struct cti_recur_weights weights = {0}, projection = {0};
    struct cti_block *room = NULL;
    f.size = cti_itemsize(w->dtype);
    f.gates = cti_recur_gates(w->kind);
    memcpy(w->h, w->h0, (size_t)(w->batch * w->width * f.size));
    if (w->c)
        memcpy(w->c, w->c0, (size_t)(w->batch * w->hidden * f.size));
    bool good = cti_recur_pack(&weights, w->dtype, w->weight, w->width, w->hidden, f.gates,
                               w->hidden * w->width, w->width, 1);
    if (good && w->projection) {
        room = cti_block_new(w->batch * w->hidden * f.size);
        good = room && cti_recur_pack(&projection, w->dtype, w->projection, w->hidden, w->width, 1,
                                      0, w->hidden, 1);
    }
    f.at = cti_recur_begin(w, w->reverse);
    for (int64_t t = 0; good && t < w->steps && !cti_interrupted(); t++) {
        run_step(&f, &weights, &projection, room ? room->address : NULL);
        cti_recur_next(w, &f.at, !w->reverse);
    }
    cti_recur_unpack(&weights);
    cti_recur_unpack(&projection);
    if (room)
        cti_block_free(room);
    return good;
}

enum cti_status cti_cpu_recur(struct cti_recur *w)
{
    return w->backward ? cti_recur_backward(w) : recur_forward(w);
}
