/* SPDX-License-Identifier: BSD-3-Clause */
/* The recur engine, backward (backpropagation through time): the steps of recur.c in reverse.
 * Writes the gradients of the initial states, and those of all gates of all steps, from which the
 * caller computes the gradients of inputs and weights with one product each. */
#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/tensor.h"
#include "cpu/recur/recur.h"

#include <string.h>

#define GRAIN 8192 /* elements of gates that justify a thread */

struct back {
    const struct cti_recur *w;
    const struct cti_recur_loops *loops;
    struct cti_recur_step at;
    int64_t size, gates;
    /* [batch, hidden]: the gradient of the step's new states, before a projection */
    char *grad_out;
    char *keep; /* [batch, hidden], GRU */
};

static char *row_of(const void *data, int64_t row, int64_t width, int64_t size)
{
    return (char *)(uintptr_t)data + row * width * size;
}

/* Returns the state of row i before the step: a row of `all`, or of the initial state. */
static const char *before(const struct back *b, const void *all, const void *first, int64_t width,
                          int64_t i)
{
    if (i < b->at.before_rows)
        return row_of(all, b->at.before_first + i, width, b->size);
    return row_of(first, i, width, b->size);
}

/* Adds up the gradient of a step's states. */
static void gather_grads(void *context, int64_t begin, int64_t end)
{
    const struct back *b = context;
    const struct cti_recur *w = b->w;
    char *to = w->projection ? row_of(w->grad_state, b->at.first, w->width, b->size) : b->grad_out;
    for (int64_t i = begin; i < end; i++) {
        const char *given = row_of(w->grad_output, b->at.first + i, w->width, b->size);
        b->loops->add(row_of(to, i, w->width, b->size), w->grad_output ? given : NULL,
                      row_of(w->grad_h, i, w->width, b->size), w->width);
        memcpy(row_of(w->previous, b->at.first + i, w->width, b->size),
               before(b, w->output, w->h0, w->width, i), (size_t)(w->width * b->size));
    }
}

/* Computes the gradients of the gates of rows [begin, end). */
static void gates(void *context, int64_t begin, int64_t end)
{
    const struct back *b = context;
    const struct cti_recur *w = b->w;
    for (int64_t i = begin; i < end; i++) {
        int64_t line = b->at.first + i;
        struct cti_recur_rows r = {
            .kind = w->kind, .rows = 1, .units = w->hidden, .hidden = w->hidden};
        r.gates = row_of(w->gates, line, b->gates * w->hidden, b->size);
        r.grad_gates = row_of(w->grad_gates, line, b->gates * w->hidden, b->size);
        r.grad_out = row_of(b->grad_out, i, w->hidden, b->size);
        if (w->kind == CTI_RECUR_LSTM) {
            r.extra = row_of(w->extra, line, w->hidden, b->size);
            r.before = before(b, w->extra, w->c0, w->hidden, i);
            r.grad_c = row_of(w->grad_c, i, w->hidden, b->size);
            if (w->projection)
                r.unprojected = row_of(w->unprojected, line, w->hidden, b->size);
        } else if (w->kind == CTI_RECUR_GRU) {
            r.extra = row_of(w->extra, line, w->hidden, b->size);
            r.before = before(b, w->output, w->h0, w->width, i);
            r.grad_last = row_of(w->grad_last, line, w->hidden, b->size);
            r.keep = row_of(b->keep, i, w->hidden, b->size);
        }
        b->loops->backward(&r);
    }
}

static void back_projection(const void *context, int64_t row, int64_t rows, int64_t column,
                            int64_t columns, const void *sums, int64_t sum_row, int64_t set_next)
{
    const struct back *b = context;
    (void)set_next;
    for (int64_t i = 0; i < rows; i++)
        memcpy(row_of(b->grad_out, row + i, b->w->hidden, b->size) + column * b->size,
               (const char *)sums + i * sum_row * b->size, (size_t)(columns * b->size));
}

static void finish_state(const void *context, int64_t row, int64_t rows, int64_t column,
                         int64_t columns, const void *sums, int64_t sum_row, int64_t set_next)
{
    const struct back *b = context;
    (void)set_next;
    for (int64_t i = 0; i < rows; i++) {
        const char *kept = row_of(b->keep, row + i, b->w->hidden, b->size) + column * b->size;
        b->loops->add(row_of(b->w->grad_h, row + i, b->w->width, b->size) + column * b->size,
                      b->keep ? kept : NULL, (const char *)sums + i * sum_row * b->size, columns);
    }
}

static void back_step(struct back *b, const struct cti_recur_weights *weights,
                      const struct cti_recur_weights *projection)
{
    const struct cti_recur *w = b->w;
    int64_t rows = b->at.rows, line = b->gates * w->hidden, grain = GRAIN / (line + 1) + 1;
    cti_parallel_for(rows, grain, gather_grads, b);
    if (w->projection)
        cti_recur_multiply(projection, row_of(w->grad_state, b->at.first, w->width, b->size),
                           w->width, rows, back_projection, b);
    cti_parallel_for(rows, grain, gates, b);
    cti_recur_multiply(weights, row_of(w->grad_gates, b->at.first, line, b->size), line, rows,
                       finish_state, b);
}

bool cti_recur_backward(const struct cti_recur *w)
{
    struct back b = {.w = w, .loops = cti_recur_loops(w->dtype)};
    struct cti_recur_weights weights = {0}, projection = {0};
    b.size = cti_itemsize(w->dtype);
    b.gates = cti_recur_gates(w->kind);
    bool keeps = w->kind == CTI_RECUR_GRU;
    int64_t bytes = w->batch * w->hidden * b.size;
    struct cti_block *room = cti_block_new((keeps ? 2 : 1) * bytes + 1);
    bool good = room && cti_recur_pack(&weights, w->dtype, w->weight, b.gates * w->hidden, w->width,
                                       1, 0, 1, w->width);
    if (good && w->projection)
        good = cti_recur_pack(&projection, w->dtype, w->projection, w->width, w->hidden, 1, 0, 1,
                              w->hidden);
    if (good) {
        b.grad_out = room->address;
        b.keep = keeps ? b.grad_out + bytes : NULL;
        b.at = cti_recur_begin(w, !w->reverse);
    }
    for (int64_t t = 0; good && t < w->steps && !cti_interrupted(); t++) {
        back_step(&b, &weights, &projection);
        cti_recur_next(w, &b.at, w->reverse);
    }
    cti_recur_unpack(&weights);
    cti_recur_unpack(&projection);
    if (room)
        cti_block_free(room);
    return good;
}
