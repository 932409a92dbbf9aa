/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of distance.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_DISTANCE_DISTANCE_ARGS_H
#define CORTEN_CUDA_DISTANCE_DISTANCE_ARGS_H

#include <stdint.h>

#ifndef T
#define T void
#endif

#define TILE 16 /* rows of a and of b for a block, and elements of a step */

struct distance_args {
    const T *a, *b; /* [batch, rows_a, n], [batch, rows_b, n] */
    T *out;         /* [batch, rows_a, rows_b] */
    int64_t rows_a, rows_b, n;
    double p;
};

#endif
