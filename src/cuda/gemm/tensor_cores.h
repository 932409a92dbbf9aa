/* SPDX-License-Identifier: BSD-3-Clause */
/* float32 GEMM on tensor cores with float32 accuracy; see tensor_cores.c. */
#ifndef CORTEN_CUDA_GEMM_TENSOR_CORES_H
#define CORTEN_CUDA_GEMM_TENSOR_CORES_H

#include <stdbool.h>
#include <stdint.h>

/* out[m, n] = alpha left[m, k] right[k, n] + beta out[m, n] + bias[n], batched. The result is
 * row-major; an operand is contiguous along k (deep) or along its other dim, and `step` is its
 * leading dimension. */
struct cti_gemm_tensor {
    const void *left, *right, *bias; /* bias: may be NULL */
    void *out;
    int64_t rows, columns, deep, batch;
    int64_t left_step, right_step, out_step, left_batch, right_batch, out_batch;
    bool left_deep, right_deep;
    double alpha, beta;
};

/* Whether these kernels apply and, where there is a library, are faster. */
bool cti_cuda_is_gemm_tensor(const struct cti_gemm_tensor *w, int device, bool library);
bool cti_cuda_gemm_tensor(const struct cti_gemm_tensor *w, int device);
/* Split-K reduction: adds nparts consecutive partial results for each of a batch, with the
 * epilogue. */
bool cti_cuda_gemm_tensor_finish(const struct cti_gemm_tensor *w, int device, void *parts,
                                 int nparts);

/* hopper.c: the same for compute capability 9.0. */
bool cti_cuda_is_gemm_hopper(const struct cti_gemm_tensor *w, int device, bool library);
bool cti_cuda_gemm_hopper(const struct cti_gemm_tensor *w, int device);

#endif
