/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse tensors in coordinate form.
 *
 * Note [Sparse tensors]: a sparse tensor is two dense ones, the indices [sparse_dim, nnz] and the
 * values [nnz, ...dense dims], and a shape. Its storage holds this pair and no elements, and says
 * that it lies on a device of its own. So whatever does not know sparse tensors (engines, views,
 * accessors) refuses them in the place where it refuses tensors of other devices, and nothing can
 * take the pair for elements. What a row does with them is a C function that its key `sparse`
 * names, made of recorded operations on indices and values (ops/sparse). */
#ifndef CORTEN_CORE_SPARSE_H
#define CORTEN_CORE_SPARSE_H

#include "core/tensor.h"

/* What the storage of a sparse tensor says; ct_device_of() is where its values lie. */
#define CTI_SPARSE_DEVICE ((enum ct_device_type)(CT_BAD_DEVICE + 1))

struct cti_sparse {
    ct_tensor *indices, *values; /* int64; both without history, owned */
    bool coalesced;              /* the indices ascend, and none is there twice */
};

static inline struct cti_sparse *cti_sparse_of(const ct_tensor *t)
{
    return (struct cti_sparse *)(void *)t->storage->data;
}

/* The pair as a tensor; takes indices and values, also on failure. Checks nothing. */
ct_tensor *cti_sparse_take(ct_tensor *indices, ct_tensor *values, ct_ints size, bool coalesced);
/* NotImplementedError, with PyTorch's text; NULL. */
void *cti_sparse_refused(const char *operation);

#endif
