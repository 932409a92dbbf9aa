/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse tensors: COO, and CSR or CSC.
 *
 * Note [Sparse tensors]: a sparse tensor is two dense ones, the indices [sparse_dim, nnz] and the
 * values [nnz, ...dense dims], and a shape. Its storage holds this pair and no elements, and has a
 * device type of its own. So whatever does not know sparse tensors (engines, views, accessors)
 * refuses them where it refuses tensors of other devices, and nothing can take the pair for
 * elements. What a row does with them is a C function that its key `sparse` names, made of recorded
 * operations on indices and values (ops/sparse).
 *
 * Note [Compressed tensors]: CSR and CSC are the same pair, sorted by rows or columns, with another
 * layout. The dims of a batch are the first of the indices, and each matrix of a batch has equally
 * many values; crow_indices() is counted on demand, col_indices() is a row of the indices. So
 * whatever knows coordinates knows them too.
 *
 * Note [Blocks]: BSR and BSC are this pair as well: the coordinates of every element of every
 * block, one block after the other, each by its rows. So whatever is made of coordinates takes
 * them. What a program sees (where each row of blocks begins, the column of each block, the values
 * as blocks) is made on demand. Blocks are always in the order of their layout, since nothing sorts
 * them. */
#ifndef CORTEN_CORE_SPARSE_H
#define CORTEN_CORE_SPARSE_H

#include "core/tensor.h"

/* The device type of a sparse tensor's storage; ct_device_of() is that of its values. */
#define CTI_SPARSE_DEVICE ((enum ct_device_type)(CT_BAD_DEVICE + 1))

struct cti_sparse {
    ct_tensor *indices, *values; /* int64; both without history, owned */
    bool coalesced; /* the indices ascend (column-major for columns), without duplicates */
    bool narrow;    /* compressed: a program sees the indices as int32 */
    enum ct_layout layout;
    int64_t block[2]; /* rows and columns of a block; 0 of the other layouts */
};

static inline struct cti_sparse *cti_sparse_of(const ct_tensor *t)
{
    return (struct cti_sparse *)(void *)t->storage->data;
}

/* The number of rows of the indices: all sparse dims, those of a batch too; 0 of a dense tensor. */
static inline int64_t cti_sparse_dims(const ct_tensor *t)
{
    return t->flags & CTI_SPARSE ? cti_sparse_of(t)->indices->shape[0] : 0;
}

static inline bool cti_compressed(const ct_tensor *t)
{
    return t->flags & CTI_SPARSE && cti_sparse_of(t)->layout != CT_SPARSE_COO;
}

static inline bool cti_has_blocks(enum ct_layout layout)
{
    return layout == CT_SPARSE_BSR || layout == CT_SPARSE_BSC;
}

static inline bool cti_by_columns(enum ct_layout layout)
{
    return layout == CT_SPARSE_CSC || layout == CT_SPARSE_BSC;
}

/* How many indices of dim d of n sparse dims a block has; 1 of the other layouts. */
static inline int64_t cti_sparse_side(const struct cti_sparse *kind, int64_t n, int64_t d)
{
    return cti_has_blocks(kind->layout) && d >= n - 2 ? kind->block[d - (n - 2)] : 1;
}

/* Which dim of a shape with n sparse dims comes d-th in the order of a layout. */
static inline int64_t cti_sparse_dim_at(enum ct_layout layout, int64_t n, int64_t d)
{
    return cti_by_columns(layout) && d >= n - 2 ? 2 * n - 3 - d : d;
}

/* The pair as a tensor, in the layout and index type of `kind`, whose tensors it does not read;
 * takes indices and values, also on failure. Checks nothing. */
ct_tensor *cti_sparse_take(ct_tensor *indices, ct_tensor *values, ct_ints size,
                           struct cti_sparse kind);
/* The parts of a compressed tensor, with batch dims: the row (column) pointers, on the CPU; the
 * column (row) indices, of blocks on the CPU; the values. The values share memory with the pair,
 * and so do the indices unless there are blocks. Owned. */
ct_tensor *cti_sparse_begins(const ct_tensor *t);
ct_tensor *cti_sparse_plain(const ct_tensor *t);
ct_tensor *cti_sparse_batched(const ct_tensor *t);
/* "Strided", "Sparse", "SparseCsr", ... */
const char *cti_layout_name(const ct_tensor *t);
/* NotImplementedError, with PyTorch's text; NULL. */
void *cti_sparse_refused(const char *operation);

#endif
