/* SPDX-License-Identifier: BSD-3-Clause */
/* The gemm engine: a batch of matrix products. Filled in by src/ops (matmul and its relatives);
 * other engines call the gemm function of their backend on their own memory. */
#ifndef CORTEN_CORE_GEMM_H
#define CORTEN_CORE_GEMM_H

#include "core/engine.h"

/* For each i < batch:  C[i] = alpha * op(A[i]) * op(B[i]) + beta * C[i] + bias[i]
 * with A m by k, B k by n, C m by n, and op the conjugate if the flag is set. Strides count
 * elements. A and B may have any strides (0 = broadcast, negative, overlapping); the elements of C
 * are distinct, and C shares no memory with A or B. If beta is 0, C is not read, so NaNs in it do
 * not propagate; if k is 0, the product is 0. float16 and bfloat16 are multiplied in float32 and
 * rounded once. Integers wrap around; alpha and beta are converted to their type. All types but
 * bool. */
struct cti_gemm {
    struct cti_work work;
    struct {
        ct_tensor *c, *a, *b, *bias; /* the tensors of A, B, C and the bias; bias may be NULL */
    } of;
    enum ct_dtype dtype; /* of A, B and C */
    int64_t m, n, k, batch;
    const void *a, *b; /* read from the tensors above */
    void *c;
    int64_t a_row, a_col, a_batch;
    int64_t b_row, b_col, b_batch;
    int64_t c_row, c_col, c_batch;
    double alpha[2], beta[2]; /* real and imaginary part */
    bool conj_a, conj_b;
    /* NULL, or C's type, and beta is 0: element (i, j) gets bias[i * bias_row + j * bias_col]. */
    const void *bias;
    int64_t bias_row, bias_col, bias_batch;
};

#endif
