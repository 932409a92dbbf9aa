/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of linear algebra: checks with PyTorch's error messages, tensors in the
 * factor engine's layout (column-major matrices), calls of the engine, and errors from its `info`
 * codes. Used by this folder and ops/compat. */
#ifndef CORTEN_OPS_LINALG_H
#define CORTEN_OPS_LINALG_H

#include "core/factor.h"
#include "ops/front.h"

/* ---- checks: false, and the error of the operation `name` is set ---- */

/* At least 2 dims; square in the last two. `letter` names the argument. */
bool cti_linalg_is_matrix(const ct_tensor *t, const char *letter, const char *name);
bool cti_linalg_is_square(const ct_tensor *a, const char *name);
bool cti_linalg_is_floating(const ct_tensor *a, const char *name); /* also complex and half types */
bool cti_linalg_is_full(const ct_tensor *a, const char *name);     /* the same without half types */
/* Whether the sizes fit: A is n by n and B is m by k, in A X = B (left) or X A = B. */
bool cti_linalg_fit(int64_t n, int64_t m, int64_t k, bool left, const char *name);
/* Checks for the types of LAPACK (float32, float64 and their complex types); the error is "NAME"
 * not implemented for 'Half'. */
bool cti_linalg_has_kernel(const ct_tensor *a, const char *name);
/* Checks the codes of a batch, which are 0 for success. The first nonzero code becomes an error:
 * the arguments of `format` are `name`, a string that identifies the batch element, and twice the
 * code. */
bool cti_linalg_succeeded(ct_tensor *info, enum ct_error_kind kind, const char *format,
                          const char *name);
/* Sets *code to the first nonzero code, or 0. */
bool cti_linalg_first_code(ct_tensor *info, int32_t *code); /* false: failed */

#define CTI_LINALG_SINGULAR_INVERSE                                                                \
    "%s: %sThe diagonal element %d is zero, the inversion could not be completed because the "     \
    "input matrix is singular."

/* Checks dtypes and shapes for the deprecated solvers of A X = b. */
bool cti_linalg_can_solve(const ct_tensor *b, const ct_tensor *a, const char *name);

/* ---- tensors; owned ---- */

/* [..., m, n], column-major and uninitialised, with the batch dims and device of `like`. */
ct_tensor *cti_linalg_columns(const ct_tensor *like, int64_t m, int64_t n, enum ct_dtype dtype);
ct_tensor *cti_linalg_copy(ct_tensor *a); /* column-major, conj and neg resolved */
/* [..., n], contiguous and uninitialised; n < 0: only the batch dims. */
ct_tensor *cti_linalg_vectors(const ct_tensor *like, int64_t n, enum ct_dtype dtype);
/* An empty 1-d tensor on like's device, for a result that was not requested. */
static inline ct_tensor *cti_linalg_nothing(const ct_tensor *like, enum ct_dtype dtype)
{
    return cti_empty(1, (int64_t[]){0}, dtype, like->storage->device);
}
/* Writes identity matrices into t, [..., m, n]. */
bool cti_linalg_fill_identity(ct_tensor *t);

/* Decides by NumPy's rule for A X = B whether B is one vector, or one vector per matrix of the
 * batch. */
bool cti_linalg_is_vector(const ct_tensor *a, const ct_tensor *b);
/* Broadcasts the batch dims of two stacks of matrices; the error names `b` first. */
bool cti_linalg_broadcast(const ct_tensor *a, const ct_tensor *b, int *nbatch, int64_t *shape);
/* Returns a view of t that is expanded to these batch dims, followed by its last `dims` dims. */
ct_tensor *cti_linalg_spread(ct_tensor *t, int nbatch, const int64_t *batch, int dims);
/* Consumes t and returns it, or an alias without a gradient history. */
ct_tensor *cti_linalg_without_history(ct_tensor *t);
/* Whether each matrix is column-major and the batch is dense, as the engine requires. */
bool cti_linalg_is_column_major(const ct_tensor *t);
int64_t cti_linalg_batch(const ct_tensor *t); /* the number of matrices */

/* ---- the engine ---- */

static inline int64_t cti_linalg_rows(const ct_tensor *t)
{
    return t->shape[t->ndim - 2];
}
static inline int64_t cti_linalg_cols(const ct_tensor *t)
{
    return t->shape[t->ndim - 1];
}
/* Returns the dtype in which lobpcg, svd_lowrank and pca_lowrank iterate for a real input. */
static inline enum ct_dtype cti_linalg_floating(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT16 || dtype == CT_FLOAT64 ? dtype : CT_FLOAT32;
}
/* Runs `work` on all matrices of the batch of `on`. Fills in dtype, batch and tensors from `part`;
 * zeroes `info` first (NULL if the kind has no codes). Does nothing if `on` is empty. */
bool cti_linalg_run(struct cti_factor *work, const ct_tensor *on, ct_tensor *info);
/* Describes an operand for cti_linalg_run; its last `dims` dims belong to one matrix or vector. */
struct cti_factor_part cti_linalg_part(ct_tensor *t, int dims);
/* The range of pivots, which LAPACK uses as indices unchecked: *least and *most of p, or of |p| if
 * `magnitude`. Both are 1 if there are none or t is on the meta device. */
bool cti_linalg_pivot_range(ct_tensor *t, bool magnitude, int32_t *least, int32_t *most);

/* P L U = A. All owned; lu is column-major. cti_linalg_lu_of factorises a copy of `a` and does not
 * check the codes; after success release them with cti_linalg_lu_release. */
struct cti_linalg_lu {
    ct_tensor *lu, *pivots, *info;
};
bool cti_linalg_lu_of(struct cti_linalg_lu *f, ct_tensor *a);
void cti_linalg_lu_release(struct cti_linalg_lu *f);
/* Overwrites b, column-major [..., n, k], with the solution X of op(A) X = b; op is LAPACK's 'N',
 * 'T' or 'C'. The factors have b's batch dims. */
bool cti_linalg_lu_apply(ct_tensor *lu, ct_tensor *pivots, ct_tensor *b, char op);

#endif
