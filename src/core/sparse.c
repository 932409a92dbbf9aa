/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and freeing sparse tensors: see Note [Sparse tensors]. Knows no operations. */
#include "core/sparse.h"

#include "core/alloc.h"

static void drop(void *context)
{
    struct cti_sparse *pair = context;
    ct_release(pair->indices);
    ct_release(pair->values);
    cti_free(pair);
}

ct_tensor *cti_sparse_take(ct_tensor *indices, ct_tensor *values, ct_ints size, bool coalesced)
{
    static const int64_t none[CTI_MAX_DIMS];
    struct cti_sparse *pair = indices && values ? cti_malloc(sizeof *pair) : NULL;
    if (!pair) {
        ct_release(indices);
        ct_release(values);
        return NULL;
    }
    *pair = (struct cti_sparse){indices, values, coalesced};
    struct ct_device device = {CTI_SPARSE_DEVICE, 0};
    enum ct_dtype dtype = ct_dtype(values);
    ct_tensor *t = cti_tensor_take(cti_storage_borrow(pair, 0, device, drop, pair), dtype,
                                   (int)size.n, size.v, none, 0);
    if (t)
        t->flags |= CTI_SPARSE;
    return t;
}

void *cti_sparse_refused(const char *operation)
{
    return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                   "Could not run 'aten::%s' with arguments from the 'SparseCPU' backend. This "
                   "could be because the operator doesn't exist for this backend.",
                   operation);
}

bool ct_is_sparse(const ct_tensor *t)
{
    return t && t->flags & CTI_SPARSE;
}

int64_t ct_sparse_dim(const ct_tensor *t)
{
    return !t ? -1 : t->flags & CTI_SPARSE ? cti_sparse_of(t)->indices->shape[0] : 0;
}

int64_t ct_dense_dim(const ct_tensor *t)
{
    return t ? t->ndim - ct_sparse_dim(t) : -1;
}

static struct cti_sparse *pair_of(const ct_tensor *t, const char *what)
{
    if (t && !(t->flags & CTI_SPARSE))
        ct_fail(CT_ERR_NOT_IMPLEMENTED,
                "Could not run 'aten::%s' with arguments from the 'CPU' backend. This could be "
                "because the operator doesn't exist for this backend.",
                what);
    return t && t->flags & CTI_SPARSE ? cti_sparse_of(t) : NULL;
}

int64_t ct_sparse_nnz(const ct_tensor *t)
{
    struct cti_sparse *pair = pair_of(t, "_nnz");
    return pair ? pair->indices->shape[1] : -1;
}

ct_tensor *ct_own_sparse_indices(ct_tensor *t)
{
    struct cti_sparse *pair = pair_of(t, "_indices");
    return pair ? cti_alias(pair->indices) : NULL;
}

ct_tensor *ct_own_sparse_values(ct_tensor *t)
{
    struct cti_sparse *pair = pair_of(t, "_values");
    return pair ? cti_alias(pair->values) : NULL;
}

int ct_sparse_is_coalesced(const ct_tensor *t)
{
    if (t && !(t->flags & CTI_SPARSE)) {
        ct_fail(CT_ERR_RUNTIME,
                "is_coalesced expected sparse coordinate tensor layout but got Strided");
        return -1;
    }
    return t ? cti_sparse_of(t)->coalesced : -1;
}

bool ct_sparse_set_coalesced(ct_tensor *t, bool coalesced)
{
    struct cti_sparse *pair = pair_of(t, "_coalesced_");
    if (pair)
        pair->coalesced = coalesced;
    return pair != NULL;
}
