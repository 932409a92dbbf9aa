/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal interface of the CPU's recur engine, and the loops over rows of a step for each
 * instruction set. Note [Steps]: steps are sequential, so the overhead of a step matters. Weights
 * are packed into the gemm micro-kernels' panels once, with the panels of all gates of the same
 * hidden units adjacent. A thread takes a block of rows and a block of units, multiplies, and
 * computes the new states while the accumulators are in L1. */
#ifndef CORTEN_CPU_RECUR_H
#define CORTEN_CPU_RECUR_H

#include "core/recur.h"
#include "cpu/gemm/kernel.h"

bool cti_recur_backward(const struct cti_recur *work); /* backward.c */

/* A block of one step: some rows, and columns [0, units) of each gate. Every pointer is at the
 * first row and unit; strides are between rows. */
struct cti_recur_rows {
    enum cti_recur_kind kind;
    int64_t rows, units, hidden; /* hidden: stride of gates in `gates` */
    const void *sums;            /* h W^T, gate by gate, gate_next apart */
    int64_t sum_row, gate_next;
    void *gates, *extra, *out, *c; /* strides: gates * hidden, hidden, out_row, hidden */
    int64_t out_row;
    const void *bias, *h; /* GRU: bias of the units; the previous states, h_row apart */
    int64_t h_row;
    /* Backward: */
    const void *grad_out; /* of the new states, with stride hidden */
    const void *before;   /* the previous cell states (LSTM) or states (GRU) */
    void *grad_c, *grad_gates, *grad_last, *unprojected, *keep;
};

struct cti_recur_loops {
    void (*forward)(const struct cti_recur_rows *r);
    /* keep (GRU): the part of the previous state's gradient that does not go through the
     * product. */
    void (*backward)(const struct cti_recur_rows *r);
    /* out = a + b, or b if a is NULL. */
    void (*add)(void *out, const void *a, const void *b, int64_t n);
    /* sums[i * sum_row + j] = sum over k of a[i * a_row + k] * panel[k * width + j], for
     * instruction sets whose micro-kernels need both operands in panels. */
    void (*multiply)(void *sums, int64_t sum_row, const void *a, int64_t a_row, int64_t rows,
                     const void *panel, int64_t k, int64_t width);
};

/* ---- weights.c: products with prepacked weights ---- */

enum { CTI_RECUR_ROWS = 64, CTI_RECUR_SUMS = 32 << 10 }; /* of a block; bytes of its sums */

/* A matrix [k, sets * n]: for each block of nr columns of n, the panels of all sets. */
struct cti_recur_weights {
    const struct cti_gemm_kernel *kernel;
    const struct cti_recur_loops *loops;
    struct cti_block *block; /* owned */
    int64_t size, k, n, sets, blocks;
};

/* Packs a matrix whose element (k, set, n) is at set * set_stride + n * n_stride + k * k_stride. */
bool cti_recur_pack(struct cti_recur_weights *w, enum ct_dtype dtype, const void *data, int64_t k,
                    int64_t n, int64_t sets, int64_t set_stride, int64_t n_stride,
                    int64_t k_stride);
void cti_recur_unpack(struct cti_recur_weights *w);

/* Multiplies a (contiguous rows, a_row apart) by the weights on several threads, and calls
 * finish(context, row, rows, column, columns, sums, sum_row, set_next) for each block of rows and
 * columns. */
typedef void cti_recur_finish(const void *context, int64_t row, int64_t rows, int64_t column,
                              int64_t columns, const void *sums, int64_t sum_row, int64_t set_next);
void cti_recur_multiply(const struct cti_recur_weights *w, const void *a, int64_t a_row,
                        int64_t rows, cti_recur_finish *finish, const void *context);

const struct cti_recur_loops *cti_recur_loops(enum ct_dtype dtype);

/* ---- steps ---- */

/* One step of a sequence: its number and where its rows begin, and the same for the previous step
 * in time, whose number of rows may differ (packed sequences). */
struct cti_recur_step {
    int64_t step, first, rows;
    int64_t before_first, before_rows; /* before_rows 0: no step before */
};
static inline int64_t cti_recur_size(const struct cti_recur *w, int64_t step)
{
    return step < 0 || step >= w->steps ? 0 : w->sizes ? w->sizes[step] : w->batch;
}
struct cti_recur_step cti_recur_begin(const struct cti_recur *w, bool last);
void cti_recur_next(const struct cti_recur *w, struct cti_recur_step *s, bool up);

#endif
