/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of linear algebra share: checks with PyTorch's texts, tensors as the factor engine
 * wants them, and what its `info` says to the user. Used by this folder alone. */
#ifndef CORTEN_OPS_LINALG_H
#define CORTEN_OPS_LINALG_H

#include "core/factor.h"
#include "ops/front.h"

/* ---- checks: false and the error of an operation called `name` ---- */

bool cti_linalg_is_matrix(const ct_tensor *t, const char *letter, const char *name);
bool cti_linalg_is_square(const ct_tensor *a, const char *name);
bool cti_linalg_is_floating(const ct_tensor *a, const char *name); /* or complex; halves too */
bool cti_linalg_is_full(const ct_tensor *a, const char *name);     /* nor a half */
/* A of n by n and B of m by k, for A X = B or X A = B. */
bool cti_linalg_fit(int64_t n, int64_t m, int64_t k, bool left, const char *name);
/* "NAME" not implemented for 'Half': the kernels know four types. */
bool cti_linalg_has_kernel(const ct_tensor *a, const char *name);
/* Looks at the info of a batch: 0 everywhere, or the first of them in words of `format`, which
 * takes name, the batch element in words, and the info, twice. */
bool cti_linalg_succeeded(ct_tensor *info, enum ct_error_kind kind, const char *format,
                          const char *name);
/* The first that is not 0, or 0. */
bool cti_linalg_first_code(ct_tensor *info, int32_t *code); /* false: failed */

#define CTI_LINALG_SINGULAR_INVERSE                                                                \
    "%s: %sThe diagonal element %d is zero, the inversion could not be completed because the "     \
    "input matrix is singular."

/* The deprecated equations A X = b: types and shapes of matrices. */
bool cti_linalg_can_solve(const ct_tensor *b, const ct_tensor *a, const char *name);

/* ---- tensors; owned ---- */

/* [..., m, n] column-major, not set: batch dims and device of `like`, which has both dims. */
ct_tensor *cti_linalg_columns(const ct_tensor *like, int64_t m, int64_t n, enum ct_dtype dtype);
ct_tensor *cti_linalg_copy(ct_tensor *a); /* column-major, without conj and neg */
/* [..., n] contiguous, not set; n < 0: the batch dims alone. */
ct_tensor *cti_linalg_vectors(const ct_tensor *like, int64_t n, enum ct_dtype dtype);

/* NumPy's rule for equations: B is one vector, or one for each matrix of the batch. */
bool cti_linalg_is_vector(const ct_tensor *a, const ct_tensor *b);
/* The batch dims of two stacks of matrices, broadcast; `b` is named first in the error. */
bool cti_linalg_broadcast(const ct_tensor *a, const ct_tensor *b, int *nbatch, int64_t *shape);
/* A view of t with the batch dims given and its own last `dims`. */
ct_tensor *cti_linalg_spread(ct_tensor *t, int nbatch, const int64_t *batch, int dims);
/* One of several results, taken, as a tensor without a derivative. */
ct_tensor *cti_linalg_without_history(ct_tensor *t);
/* Is it as the engine wants matrices: the transpose contiguous? */
bool cti_linalg_is_column_major(const ct_tensor *t);
int64_t cti_linalg_batch(const ct_tensor *t); /* how many matrices */

/* ---- the engine ---- */

static inline int64_t cti_linalg_rows(const ct_tensor *t)
{
    return t->shape[t->ndim - 2];
}
static inline int64_t cti_linalg_cols(const ct_tensor *t)
{
    return t->shape[t->ndim - 1];
}
/* What iterations that start with random vectors compute in; complex ones are not among them. */
static inline enum ct_dtype cti_linalg_floating(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT16 || dtype == CT_FLOAT64 ? dtype : CT_FLOAT32;
}
/* The engine's work on matrices of one type: all of the batch, with their codes in `info`, which is
 * set to 0 first (NULL: the kind has none). Nothing happens where `on` has no elements. */
bool cti_linalg_run(struct cti_factor *work, const ct_tensor *on, ct_tensor *info);
/* A part of it: `dims` of t belong to one matrix or vector, the others are the
 * batch. */
struct cti_factor_part cti_linalg_part(ct_tensor *t, int dims);

/* P L U = A: all owned, column-major or contiguous. */
struct cti_linalg_lu {
    ct_tensor *lu, *pivots, *info;
};
bool cti_linalg_lu_of(struct cti_linalg_lu *f, ct_tensor *a);
void cti_linalg_lu_release(struct cti_linalg_lu *f);
/* b (column-major [..., n, k], written) becomes the solution of op(A) X = B; op: 'N', 'T', 'C'. The
 * factors have b's batch dims. */
bool cti_linalg_lu_apply(ct_tensor *lu, ct_tensor *pivots, ct_tensor *b, char op);

#endif
