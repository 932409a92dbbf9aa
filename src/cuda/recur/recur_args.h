/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of recur.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_RECUR_RECUR_ARGS_H
#define CORTEN_CUDA_RECUR_RECUR_ARGS_H

#include <stdint.h>

#ifndef T
#define T void
#endif

/* What a launch computes (STAGE). Fused stages include the product of a step's states with the
 * weight; those named TENSOR do it on tensor cores. */
#define FORWARD 0    /* states from gates and the product */
#define BACKWARD 1   /* the gradient of the states, then of the gates */
#define STATE_GRAD 2 /* with a projection: the first half of BACKWARD, */
#define GATE_GRAD 3  /* and the second; a product is between them */
#define FUSED_FORWARD 4
#define FUSED_BACKWARD 5 /* first the product of the next step in time */
#define TENSOR_FORWARD 6
#define TENSOR_BACKWARD 7

/* Pointers are those of one step, whose rows are adjacent; Note [Recurrence] in core/recur.h has
 * the shapes. */
struct recur_args {
    int64_t B, H, P;  /* rows of the step, columns of a gate, columns of a state (H, or the
                       * projection's size) */
    const T *product; /* [B, gates, H]: h W'. FUSED_BACKWARD: the gates' gradients of the step that
                       * follows in time */
    const T *bias, *weight;
    T *gates, *extra, *out, *h, *c;
    const T *grad_output;
    const T *before, *first; /* states before the step, and of the rows that begin with it */
    const T *cells_before, *first_cells;
    int64_t before_rows; /* rows that do not begin with the step */
    T *grad_out, *grad_h, *grad_c, *grad_gates, *grad_last, *previous, *unprojected;
    int64_t steps, next; /* KEEP: how many steps, and the rows from one to the next */
    uint32_t *counters;
};

#endif
