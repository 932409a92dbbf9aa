/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of float32 matrices on tensor cores with float32's accuracy; see gemm_tensor.c. */
#ifndef CORTEN_CUDA_GEMM_TENSOR_H
#define CORTEN_CUDA_GEMM_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

/* out[m, n] = alpha left[m, k] right[k, n] + beta out[m, n] + bias[n], for each of a batch. Rows of
 * the result are contiguous; of a factor either k is (deep) or the other dim, and the step leads to
 * the next of what is not. */
struct cti_gemm_tensor {
    const void *left, *right, *bias; /* bias: may be NULL */
    void *out;
    int64_t rows, columns, deep, batch;
    int64_t left_step, right_step, out_step, left_batch, right_batch, out_batch;
    bool left_deep, right_deep;
    double alpha, beta;
};

/* Whether these kernels can do it and, where there is a library, are faster than its. */
bool cti_cuda_is_gemm_tensor(const struct cti_gemm_tensor *w, int device, bool library);
bool cti_cuda_gemm_tensor(const struct cti_gemm_tensor *w, int device);
/* Adds up parts of all results, nparts of them one after the other for each of a batch. */
bool cti_cuda_gemm_tensor_finish(const struct cti_gemm_tensor *w, int device, void *parts,
                                 int nparts);

/* gemm_hopper.c: the same for cards of generation 9. */
bool cti_cuda_is_gemm_hopper(const struct cti_gemm_tensor *w, int device, bool library);
bool cti_cuda_gemm_hopper(const struct cti_gemm_tensor *w, int device);

#endif
