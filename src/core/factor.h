/* SPDX-License-Identifier: BSD-3-Clause */
/* What the factor engine of every backend is asked for: the factorisations of linear algebra, and
 * what is solved with them, for a batch of matrices. Filled in by src/ops/linalg*.c, run by the
 * backend's factor function. Another factorisation is another kind and its line below. */
#ifndef CORTEN_CORE_FACTOR_H
#define CORTEN_CORE_FACTOR_H

#include "corten/base.h"

enum cti_factor_kind {
    /* part 0: A, m by n, becomes L and U; part 1: the min(m, n) pivots, int32, counted from 1.
     * info: the first i with U[i, i] = 0, counted from 1, or 0 */
    CTI_FACTOR_LU,
    /* part 0: L and U, n by n; part 1: the pivots; part 2: B, n by k, becomes the solution of
     * op(A) X = B; mode: 'N' A, 'T' its transpose, 'C' conjugated too. No info. */
    CTI_FACTOR_LU_SOLVE,
    /* part 0: k pivots; part 1: the order of m rows that they make, int64. info: 1 where a pivot is
     * no row */
    CTI_FACTOR_ORDER,
    /* part 0: A, m by n, is lost; part 1: the singular values, real; part 2: U; part 3: V^H.
     * mode: 'A' all columns of U and rows of V^H, 'S' min(m, n) of them, 'N' none (no parts 2, 3).
     * info: above 0 where it did not converge, -4 where A has NaN; infinities make all NaN */
    CTI_FACTOR_SVD
};

/* A matrix is column-major without gaps, a vector contiguous; neither is shared with another part.
 */
struct cti_factor_part {
    void *data;
    int64_t step; /* elements from one matrix of the batch to the next; 0: one for all, not written
                   */
};

struct cti_factor {
    enum cti_factor_kind kind;
    enum ct_dtype dtype; /* float32, float64, complex64 or complex128, where it matters */
    char mode;
    int64_t m, n, k, batch;
    struct cti_factor_part part[4];
    int32_t *info; /* one for each matrix */
};

#endif
