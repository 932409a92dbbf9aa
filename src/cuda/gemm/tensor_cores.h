/* SPDX-License-Identifier: BSD-3-Clause */
/* float32 GEMM on tensor cores with float32 accuracy; see tensor_cores.c and hopper.c. */
#ifndef CORTEN_CUDA_GEMM_TENSOR_CORES_H
#define CORTEN_CUDA_GEMM_TENSOR_CORES_H

#include "cuda/gemm/gemm_args.h"

#include <stdbool.h>

/* One operand: k-major (contiguous along k) or contiguous along its other dim; ld is its leading
 * dimension, batch the stride from one product to the next. */
struct cti_gemm_operand {
    const void *data;
    int64_t ld, batch;
    bool k_major;
};

/* c[m, n] = alpha a[m, k] b[k, n] + beta c[m, n] + bias[n], batched; c is row-major. */
struct cti_gemm_tensor {
    struct cti_gemm_operand a, b;
    const void *bias; /* may be NULL */
    void *c;
    int64_t m, n, k, batch, ldc, c_batch;
    double alpha, beta;
};

/* tensor_cores.c: for cards before Hopper. `fits`: whether the kernels support the product and, if
 * there is cuBLASLt (`library`), are faster. */
bool cti_cuda_gemm_tensor_fits(const struct cti_gemm_tensor *w, int device, bool library);
bool cti_cuda_gemm_tensor(const struct cti_gemm_tensor *w, int device);
/* Split-K reduction: adds the partial results a->parts and applies the epilogue. */
bool cti_cuda_gemm_tensor_finish(const struct cti_gemm_tensor *w, int device,
                                 const struct gemm_args *a);

/* hopper.c: the same for compute capability 9.0. */
bool cti_cuda_gemm_hopper_fits(const struct cti_gemm_tensor *w, int device, bool library);
bool cti_cuda_gemm_hopper(const struct cti_gemm_tensor *w, int device);

/* Fills in the arguments that both kernels share; the caller adds the split of K and allocates
 * parts. */
static inline struct gemm_args gemm_args_of(const struct cti_gemm_tensor *w, int64_t part_k)
{
    return (struct gemm_args){.A = w->a.data,
                              .B = w->b.data,
                              .bias = w->bias,
                              .C = w->c,
                              .a_batch = w->a.batch,
                              .b_batch = w->b.batch,
                              .c_batch = w->c_batch,
                              .lda = (int32_t)w->a.ld,
                              .ldb = (int32_t)w->b.ld,
                              .ldc = (int32_t)w->ldc,
                              .M = (int32_t)w->m,
                              .N = (int32_t)w->n,
                              .K = (int32_t)w->k,
                              .part_k = (int32_t)part_k,
                              .nparts = (int32_t)((w->k + part_k - 1) / part_k),
                              .alpha = (float)w->alpha,
                              .beta = (float)w->beta};
}

/* Limits of the kernels' 32-bit arithmetic, and of their grids. */
static inline bool gemm_fits_int32(const struct cti_gemm_tensor *w)
{
    const int64_t most = INT32_MAX / 2;
    return w->m < most && w->n < most && w->k < most && w->a.ld < most && w->b.ld < most &&
           w->ldc < most && w->batch < 65536;
}

#endif
