/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fronts of indexing, gathering, masking and ordering share. Owned references go out,
 * arguments are borrowed. */
#ifndef CORTEN_OPS_INDEXING_H
#define CORTEN_OPS_INDEXING_H

#include "ops/front.h"

/* RuntimeError "value cannot be converted to type uint8_t without overflow" unless the number has a
 * place in the data type (negative ones wrap in unsigned types, as in PyTorch). */
bool cti_number_fits(ct_value number, enum ct_dtype dtype);

ct_tensor *cti_contiguous_copy(ct_tensor *t); /* what function forms write into */

/* Zeros, or a 0-d tensor holding a number cast to a data type. */
ct_tensor *cti_zeros(int ndim, const int64_t *shape, enum ct_dtype dtype, struct ct_device device);
ct_tensor *cti_zeros_for(const ct_tensor *grad, ct_ints sizes); /* of grad's type and device */
ct_tensor *cti_number_tensor(ct_value number, enum ct_dtype dtype, struct ct_device device);

/* t seen with a larger shape, for reading: no history, strides 0 along repeated dims. */
ct_tensor *cti_broadcast_view(ct_tensor *t, int ndim, const int64_t *shape);

/* Note [Where writes go]: engines write values of plain types. A tensor with conj or neg flags, and
 * with `wide` one of float16 or bfloat16, is written through a copy (float32 for the half types, so
 * that sums round once), which cti_target_end copies back. */
struct cti_target {
    ct_tensor *self, *work; /* work: owned */
};
bool cti_target_begin(struct cti_target *to, ct_tensor *self, bool wide);
/* good: whether the work was done; copies it back then. Returns whether all went well. */
bool cti_target_end(struct cti_target *to, bool good);

/* Writing whole slices along a dim: what index_add_ and index_reduce_ refuse, and the writing; `at`
 * is the index in int64, checked, `how` as for the engine's scatter. */
bool cti_check_slices(ct_tensor *self, int dim, ct_tensor *index, ct_tensor *source,
                      const char *name);
bool cti_scatter_slices(ct_tensor *self, int dim, ct_tensor *at, ct_tensor *src,
                        enum cti_combine how);

/* PyTorch still lets these write to an expanded tensor, and warns. */
void cti_warn_expanded(const ct_tensor *self, const char *name, const char *example);

/* The nonzero places of a tensor, [count, ndim] with PyTorch's strides. */
ct_tensor *cti_nonzero(ct_tensor *t);

static inline bool cti_is_mask(const ct_tensor *t)
{
    return t->dtype == CT_BOOL || t->dtype == CT_UINT8;
}

/* An index as engines of self's device can read it, owned: from the CPU it is moved to a card, as
 * PyTorch does for self[index]. */
ct_tensor *cti_index_beside(ct_tensor *index, const ct_tensor *self);

/* The mask of self[..., mask, ...] if it is the only index, seen with self's dims: owned, or NULL.
 * False: it does not fit. */
bool cti_index_only_mask(ct_tensor *self, ct_list indices, ct_tensor **view);

/* self[..., mask, ...] for a mask of self's shape, and its assignment. */
ct_tensor *cti_masked_select(ct_tensor *self, ct_tensor *mask);
bool cti_masked_fill(ct_tensor *self, ct_tensor *mask, ct_value value);

#endif
