/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of factor.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_FACTOR_FACTOR_ARGS_H
#define CORTEN_CUDA_FACTOR_FACTOR_ARGS_H

#include <stdint.h>

#ifndef T
#define T void
#endif

/* What a launch does, OP */
#define FACTOR_ADDRESSES 0 /* b[i] = a + i * step: the pointer arrays of batched functions */
#define FACTOR_TRIANGLE                                                                            \
    1                     /* a[n, n]: zeros the triangle above (m 0) or below (m 1) the diagonal   \
                           */
#define FACTOR_IDENTITY 2 /* a[n, n]: identity matrices */
#define FACTOR_PIVOTS                                                                              \
    3                   /* m pivots of LAPACK's, a, to the permutation b of n rows; info 1: one of \
                         * them is not a row */
#define FACTOR_FINITE 4 /* info: n if one of m elements of a is not finite */
#define FACTOR_OPS 5

/* Matrices are column-major. */
struct factor_args {
    T *a, *b;
    int32_t *info;
    int64_t n, m, step; /* step: in bytes */
    int64_t batch;
};

#endif
