/* SPDX-License-Identifier: BSD-3-Clause */
/* The softmax engine of the CPU and its loops, built once for each instruction set. */
#ifndef CORTEN_CPU_SOFTMAX_H
#define CORTEN_CPU_SOFTMAX_H

#include "core/backend.h"

#define CTI_SOFTMAX_COLUMNS 256 /* lines that run side by side, at most */

/* What loops are given: contiguous memory of float32 or float64. `in` is the result of the forward
 * operation in derivatives, which have `grad` too; logsumexp writes one element for each line. */
struct cti_softmax_run {
    enum cti_softmax_op op;
    void *out;
    const void *in, *grad;
    int64_t n, inner; /* elements of a line, and how far apart they are */
};

struct cti_softmax_loops {
    /* Lines one after the other (inner is 1). */
    void (*lines)(const struct cti_softmax_run *run, int64_t lines);
    /* Lines side by side, at most CTI_SOFTMAX_COLUMNS. */
    void (*columns)(const struct cti_softmax_run *run, int64_t lines);
};

#endif
