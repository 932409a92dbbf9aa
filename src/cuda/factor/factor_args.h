/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of factor.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_FACTOR_FACTOR_ARGS_H
#define CORTEN_CUDA_FACTOR_FACTOR_ARGS_H

#include <stdint.h>

#ifndef T
#define T void
#endif

/* What a launch does, OP:
 *   ADDRESSES b[i] = a + i * step, the pointer arrays of batched functions TRIANGLE zeros the
 *   triangle of a[n, n] above (m is 0) or below (m is 1) the diagonal IDENTITY identity matrices
 *   a[n, n] PIVOTS     b becomes the permutation of n rows that the m LAPACK pivots in a describe;
 *   info becomes
 *              1 if a pivot is not a row
 *   FINITE     info becomes n if one of m elements of a is not finite */
#define FACTOR_ADDRESSES 0
#define FACTOR_TRIANGLE 1
#define FACTOR_IDENTITY 2
#define FACTOR_PIVOTS 3
#define FACTOR_FINITE 4
#define FACTOR_OPS 5

/* Matrices are column-major. */
struct factor_args {
    T *a, *b;
    int32_t *info;
    int64_t n, m, step; /* step: in bytes */
    int64_t batch;
};

#endif
