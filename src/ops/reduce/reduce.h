/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement reductions, scans and distances: which dims to reduce, and the
 * call of the engine. */
#ifndef CORTEN_OPS_REDUCE_H
#define CORTEN_OPS_REDUCE_H

#include "core/tensor.h"

enum cti_empty_list { CTI_ALL_DIMS, CTI_NO_DIMS }; /* what dim=() means */

/* Sets reduced[d] for each dim of t; false, with the error set, if a dim is invalid or repeated. */
bool cti_mark_dims(const ct_tensor *t, ct_ints dim, enum cti_empty_list empty, bool *reduced);

/* Returns a list of one dim, or an absent list for CT_NO_DIM. The list points to `dim`. */
static inline ct_ints cti_one_dim(const int64_t *dim)
{
    return *dim == CT_NO_DIM ? CT_NO_DIMS : ct_ints_of(dim, 1);
}

/* Fails with PyTorch's error for reductions without an identity over an empty dim. `given`: the
 * error shows the dim as given instead of wrapped. */
bool cti_check_not_empty(const char *name, const ct_tensor *t, ct_ints dim, bool given,
                         enum ct_error_kind kind, const char *more);
/* Whether a norm of t may be computed in dtype (CT_NO_DTYPE: its own); the error names `name`.
 * Defined in linalg/norm.c. */
bool cti_norm_dtype(const ct_tensor *t, enum ct_dtype dtype, const char *name);

/* An uninitialised result, owned; reduced dims have size 1. */
ct_tensor *cti_reduced_empty(const ct_tensor *t, const bool *reduced, enum ct_dtype dtype);
/* Removes reduced dims from such a result unless kept. Takes t, which may be NULL. */
ct_tensor *cti_reduced_take(ct_tensor *t, const bool *reduced, bool keepdim);
/* Runs the engine and returns a new result; `compute` is the dtype of elements, `dtype` the
 * result's.
 */
ct_tensor *cti_reduce_run(uint16_t row, ct_tensor *input, const bool *reduced, bool keepdim,
                          enum ct_dtype compute, enum ct_dtype dtype, ct_value param);

/* The variance, or its root, for an operation that the warning calls `name`. The caller owns the
 * result. */
ct_tensor *cti_var_named(const char *name, bool root, ct_tensor *input, ct_ints dim,
                         ct_value correction, bool keepdim);

#endif
