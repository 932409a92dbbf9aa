/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of join.cu and ramp.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_POINTWISE_POINTWISE_ARGS_H
#define CORTEN_CUDA_POINTWISE_POINTWISE_ARGS_H

#include "cuda/common/divisor.h"

#ifndef T
#define T void
#endif

#define THREADS 256
#define JOIN_PARTS 32  /* sources of one launch */
#define JOIN_VECTORS 4 /* of a thread, all in flight at once */

/* Every source is a matrix of `rows` rows, which become columns of the result. Lengths count
 * vectors of PACK bytes. */
struct join_part {
    const void *from;
    int64_t column;           /* the first one, in the result */
    struct cti_divisor width; /* of a row of the source */
};

struct join_args {
    void *to;
    int64_t rows, row_size; /* row_size: of a row of the result */
    struct join_part parts[JOIN_PARTS];
};

/* out[i] = start + i * step. linspace (mirrored) counts its second half down from the end. */
struct ramp_args {
    T *out;
    int64_t n, int_start, int_step;   /* integers */
    double start[2], step[2], end[2]; /* other types: real and imaginary parts */
    int32_t mirrored, unused;
};

#endif
