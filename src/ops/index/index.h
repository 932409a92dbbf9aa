/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement indexing, gathering, masking and ordering. Arguments are
 * borrowed; the caller owns the results. */
#ifndef CORTEN_OPS_INDEXING_H
#define CORTEN_OPS_INDEXING_H

#include "ops/front.h"

/* RuntimeError "value cannot be converted to type uint8_t without overflow" unless the dtype can
 * represent the number. Negative ints wrap in unsigned dtypes, as in PyTorch. */
bool cti_number_fits(ct_value number, enum ct_dtype dtype);

ct_tensor *cti_contiguous_copy(ct_tensor *t); /* the target of a function form */

/* Return a tensor of zeros, and a 0-d tensor that holds a number. */
ct_tensor *cti_zeros(int ndim, const int64_t *shape, enum ct_dtype dtype, struct ct_device device);
ct_tensor *cti_zeros_for(const ct_tensor *grad, ct_ints sizes); /* of grad's type and device */
ct_tensor *cti_number_tensor(ct_value number, enum ct_dtype dtype, struct ct_device device);

/* Returns t expanded for reading: without gradient history, with stride 0 along repeated dims. */
ct_tensor *cti_broadcast_view(ct_tensor *t, int ndim, const int64_t *shape);

/* Note [Write targets]: engines write plain values. A tensor with conj or neg flags, and if `wide`
 * one of float16 or bfloat16, is written through a copy (float32 for the half types, so that sums
 * round once), which cti_target_end copies back. */
struct cti_target {
    ct_tensor *self, *work; /* work: owned */
};
/* Starts a write to self: the engine writes to to->work. False: the error is set. */
bool cti_target_begin(struct cti_target *to, ct_tensor *self, bool wide);
/* Copies back if the work succeeded (`good`), and releases the copy. Returns whether everything
 * succeeded. */
bool cti_target_end(struct cti_target *to, bool good);

/* Writes to whole slices along a dim: the checks of index_add_ and index_reduce_, and the write
 * itself; `at` is the checked index in int64, `how` as in the engine's scatter. */
bool cti_check_slices(ct_tensor *self, int dim, ct_tensor *index, ct_tensor *source,
                      const char *name);
bool cti_scatter_slices(ct_tensor *self, int dim, ct_tensor *at, ct_tensor *src,
                        enum cti_combine how);
/* Divides sums by counts in place to obtain means; integers are rounded down, as in PyTorch. */
bool cti_divide_sums(ct_tensor *sums, ct_tensor *count);
/* Returns the size of a dim; a 0-d tensor counts as one of size [1]. */
static inline int64_t cti_size_of(const ct_tensor *t, int dim)
{
    return t->ndim ? t->shape[dim] : 1;
}

/* Warns if self is expanded, as PyTorch's deprecated forms do. */
void cti_warn_expanded(const ct_tensor *self, const char *name, const char *example);

/* Returns the indices of nonzero elements, [count, ndim] with PyTorch's strides. */
ct_tensor *cti_nonzero(ct_tensor *t);

static inline bool cti_is_mask(const ct_tensor *t)
{
    return t->dtype == CT_BOOL || t->dtype == CT_UINT8;
}

/* Returns the index on self's device: a CPU index is moved to the GPU, as PyTorch does for
 * self[index]. */
ct_tensor *cti_index_beside(ct_tensor *index, const ct_tensor *self);

/* If the only index is one mask, *view is that mask with self's dims (owned), else NULL. False: the
 * mask does not fit self. */
bool cti_index_only_mask(ct_tensor *self, ct_list indices, ct_tensor **view);

/* self[mask] for a bool mask that broadcasts with self, and self[mask] = value, where the value is
 * known to fit self's dtype. */
ct_tensor *cti_masked_select(ct_tensor *self, ct_tensor *mask);
bool cti_masked_fill(ct_tensor *self, ct_tensor *mask, ct_value value);

#endif
