/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fronts of reductions share: which dims go, and the call of the engine. For this folder,
 * scans and distances. */
#ifndef CORTEN_OPS_REDUCE_H
#define CORTEN_OPS_REDUCE_H

#include "core/tensor.h"

enum cti_empty_list { CTI_ALL_DIMS, CTI_NO_DIMS }; /* what dim=() means */

/* reduced[d] for every dim of t; false (the error is set): no such dim, or one twice. */
bool cti_mark_dims(const ct_tensor *t, ct_ints dim, enum cti_empty_list empty, bool *reduced);

/* A dim as a list, CT_NO_DIM as none. */
static inline ct_ints cti_one_dim(const int64_t *dim)
{
    return *dim == CT_NO_DIM ? CT_NO_DIMS : ct_ints_of(dim, 1);
}

/* PyTorch's refusal of reductions without an identity over nothing; given: it names a dim as it was
 * given. */
bool cti_check_not_empty(const char *name, const ct_tensor *t, ct_ints dim, bool given,
                         enum ct_error_kind kind, const char *more);
/* Whether a norm of t may be computed in dtype (or CT_NO_DTYPE); false: the error of `name`. In
 * linalg/norm.c. */
bool cti_norm_dtype(const ct_tensor *t, enum ct_dtype dtype, const char *name);

ct_tensor *cti_reduced_empty(const ct_tensor *t, const bool *reduced,
                             enum ct_dtype dtype); /* reduced dims have size 1 */
ct_tensor *cti_reduced_take(ct_tensor *t, const bool *reduced, bool keepdim); /* they are dropped */
/* Runs the engine: `compute` is the elements' type, `dtype` the result's. */
ct_tensor *cti_reduce_run(uint16_t row, ct_tensor *input, const bool *reduced, bool keepdim,
                          enum ct_dtype compute, enum ct_dtype dtype, ct_value param);

/* The variance, or its root, in the name of an operation: `name` stands in its warning. */
ct_tensor *cti_var_named(const char *name, bool root, ct_tensor *input, ct_ints dim,
                         ct_value correction, bool keepdim);

#endif
