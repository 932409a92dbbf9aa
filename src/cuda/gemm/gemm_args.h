/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of the float32 GEMM kernels, tensor_cores.cu, hopper.cu and skinny.cu: Note
 * [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_GEMM_GEMM_ARGS_H
#define CORTEN_CUDA_GEMM_GEMM_ARGS_H

#include <stdint.h>

#ifndef T
#define T void /* float in the kernels */
#endif

/* C = alpha A B + beta C + bias, for each product of a batch. */
struct gemm_args {
    const T *A, *B, *bias;             /* bias: one for each column, or NULL */
    T *C, *parts;                      /* parts: split-K results [batch, nparts, M, N] */
    uint32_t *counters;                /* skinny: see cti_cuda_counters */
    int64_t a_batch, b_batch, c_batch; /* strides from one product to the next */
    int32_t lda, ldb, ldc;             /* leading dimensions */
    int32_t M, N, K, part_k, nparts;   /* part_k: the number of terms in a split-K part */
    int32_t tiles_m, tiles_n, items;   /* hopper: items = tiles_m * tiles_n * nparts * batch */
    int32_t vectors;                   /* hopper: results may be stored as vectors */
    int32_t zero;                      /* hopper: always 0, but unknown to the compiler */
    float alpha, beta;
};

#endif
