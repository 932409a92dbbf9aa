/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor engine: batched matrix factorisations, and solves that use them. Filled in by
 * src/ops/linalg. To add a factorisation, add a kind here; its comment lists the parts, LAPACK's
 * parameters and the meaning of info. */
#ifndef CORTEN_CORE_FACTOR_H
#define CORTEN_CORE_FACTOR_H

#include "core/engine.h"

enum cti_factor_kind {
    /* part 0: A, m by n, becomes L and U; part 1: the min(m, n) pivots, int32, counted from 1.
     * info: the first i with U[i, i] = 0, counted from 1, or 0 */
    CTI_FACTOR_LU,
    /* part 0: L and U, n by n; part 1: the pivots; part 2: B, n by k, becomes the solution of op(A)
     * X = B; mode: op is 'N' A, 'T' its transpose, 'C' its conjugate transpose. No info. */
    CTI_FACTOR_LU_SOLVE,
    /* part 0: k pivots; part 1: the permutation of m rows that they describe, int64. info: 1 if a
     * pivot is not a row number */
    CTI_FACTOR_ORDER,
    /* part 0: A, m by n, is overwritten; part 1: the singular values, real; part 2: U; part 3: V^H.
     * mode: 'A' all columns of U and rows of V^H, 'S' min(m, n) of them, 'N' none (no parts 2 and
     * 3). info: above 0 if it did not converge, -4 if A has a NaN; with infinities all results are
     * NaN */
    CTI_FACTOR_SVD,
    /* part 0: L and U, n by n, become the inverse; part 1: the pivots. info as for LU */
    CTI_FACTOR_LU_INVERSE,
    /* part 0: A, n by n, becomes its factor L (uplo 'L') or U ('U'), with zeros in the other
     * triangle. info: the first leading minor that is not positive, counted from 1, or 0 */
    CTI_FACTOR_CHOLESKY,
    /* part 0: that factor; part 1: B, n by k, becomes the solution. No info. */
    CTI_FACTOR_CHOLESKY_SOLVE,
    /* part 0: that factor becomes the inverse of A. info: the position of a zero on its diagonal,
     * or 0 */
    CTI_FACTOR_CHOLESKY_INVERSE,
    /* part 0: A, triangular (uplo 'L' or 'U'), with a unit diagonal if diag is 'U'; part 1: B, m by
     * n, becomes the solution of op(A) X = B (side 'L') or X op(A) = B ('R'); op: 'N', 'T', 'C'. No
     * info. */
    CTI_FACTOR_TRIANGULAR,
    /* part 0: A, m by n, becomes R and the reflectors below its diagonal; part 1: their min(m, n)
     * factors. No info. */
    CTI_FACTOR_QR,
    /* part 0: k reflectors below the diagonal of an m by n matrix, k <= n <= m, become the first n
     * columns of their product Q; part 1: their factors. No info. */
    CTI_FACTOR_REFLECTORS,
    /* part 0: k reflectors of m (side 'L') or n ('R') rows; part 1: their factors; part 2: C, m by
     * n, becomes op(Q) C or C op(Q); op: 'N', 'C'. No info. */
    CTI_FACTOR_REFLECT,
    /* part 0: A, m by n, is overwritten; part 1: B in max(m, n) rows, k columns, becomes the
     * solution in its first n rows; part 2: the singular values, real; part 3: the rank, int64.
     * mode: LAPACK's driver, 'y', 'd', 's' for gelsy, gelsd, gelss, or '-' for gels, which has no
     * parts 2 and 3; only gelsd and gelss have part 2. Singular values below `least` times the
     * largest count as 0. info: above 0 if it did not converge or A does not have full rank, -4 if
     * an element is not finite */
    CTI_FACTOR_LSTSQ,
    /* part 0: A, n by n, symmetric (mode 'S') or Hermitian ('H'), of which the lower triangle is
     * read, becomes L and D; part 1: pivots, int32. info: the first i with D[i, i] = 0 */
    CTI_FACTOR_LDL,
    /* part 0: L and D; part 1: pivots; part 2: B, n by k, becomes the solution. No info. */
    CTI_FACTOR_LDL_SOLVE,
    /* part 0: A, n by n, symmetric or Hermitian, of which only the triangle uplo ('L' or 'U') is
     * read; mode: 'V' it becomes the eigenvectors, 'N' it is overwritten; part 1: the eigenvalues,
     * real, ascending. info: above 0 if it did not converge or an element is not finite */
    CTI_FACTOR_EIGH,
    /* part 0: A, n by n, is overwritten; part 1: the eigenvalues, complex; part 2: the
     * eigenvectors, complex, or none. info: above 0 if it did not converge, -1 if an element is not
     * finite */
    CTI_FACTOR_EIG
};

/* Matrices are column-major without gaps and vectors are contiguous. Parts do not overlap. */
struct cti_factor_part {
    ct_tensor *tensor; /* becomes of.part[i] */
    void *data;        /* its address */
    int64_t
        /* elements from one matrix of the batch to the next; 0: the same matrix for all, read
         * only */
        step;
};

struct cti_factor {
    struct cti_work work;
    struct {
        ct_tensor *part[4], *info; /* info may be NULL */
    } of;
    enum cti_factor_kind kind;
    enum ct_dtype dtype; /* float32, float64, complex64 or complex128; unused by ORDER */
    char mode, side, uplo, op, diag; /* LAPACK's parameters, for the kinds that name them */
    double least;
    int64_t m, n, k, batch;
    struct cti_factor_part part[4];
    int32_t *info; /* one for each matrix */
};

#endif
