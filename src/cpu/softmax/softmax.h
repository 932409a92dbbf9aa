/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's softmax engine and its loops, compiled once for each instruction set. */
#ifndef CORTEN_CPU_SOFTMAX_H
#define CORTEN_CPU_SOFTMAX_H

#include "core/backend.h"

#define CTI_SOFTMAX_COLUMNS 256 /* columns of a tile, at most */

/* The arguments of the loops: contiguous memory of float32 or float64. In derivatives `in` is the
 * result of the forward operation. logsumexp writes one element for each line. */
struct cti_softmax_run {
    enum cti_softmax_op op;
    void *out;
    const void *in, *grad;
    int64_t n, inner; /* elements of a line; stride between them */
};

struct cti_softmax_loops {
    /* Contiguous lines (inner is 1). */
    void (*lines)(const struct cti_softmax_run *run, int64_t lines);
    /* Interleaved lines, at most CTI_SOFTMAX_COLUMNS. */
    void (*columns)(const struct cti_softmax_run *run, int64_t lines);
};

#endif
