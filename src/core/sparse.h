/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse tensors: COO, CSR, CSC, BSR and BSC.
 *
 * Note [Sparse tensors]: a sparse tensor consists of two dense ones, the indices [sparse_dim, nnz]
 * and the values [nnz, ...dense dims], and a shape. Its storage holds this pair and no elements,
 * and has a special device type. Code without support for sparse tensors (engines, views,
 * accessors) therefore rejects them like tensors of other devices, and never mistakes the pair for
 * elements. An operation that supports sparse tensors names a C function in the key `sparse` of its
 * table row. That function consists of differentiable operations on indices and values
 * (src/ops/sparse).
 *
 * Note [Compressed tensors]: CSR and CSC are the same pair, sorted by rows or columns, with another
 * layout. The batch dims are the first rows of the indices, and all matrices of a batch have the
 * same number of values. crow_indices() is computed on demand; col_indices() is a row of the
 * indices. Code for coordinates therefore works for them, too.
 *
 * Note [Blocks]: BSR and BSC are this pair as well: the coordinates of every element of every
 * block, one block after the other, each in row-major order. Code for coordinates therefore works
 * for them, too. What a program sees (the offset of each row of blocks, the column of each block,
 * the values as blocks) is computed on demand. Blocks are always in the order of their layout,
 * because no operation sorts them. */
#ifndef CORTEN_CORE_SPARSE_H
#define CORTEN_CORE_SPARSE_H

#include "core/tensor.h"

/* The device type of a sparse tensor's storage; ct_device_of() is that of its values. */
#define CTI_SPARSE_DEVICE ((enum ct_device_type)(CT_BAD_DEVICE + 1))

struct cti_sparse {
    ct_tensor *indices, *values; /* int64 indices; both owned, without history */
    bool coalesced; /* the indices ascend (column-major for columns), without duplicates */
    bool narrow;    /* compressed: programs see the indices as int32 */
    enum ct_layout layout;
    int64_t block[2]; /* rows and columns of a block; 0 in the other layouts */
};

static inline struct cti_sparse *cti_sparse_of(const ct_tensor *t)
{
    return (struct cti_sparse *)(void *)t->storage->data;
}

/* The number of rows of the indices: the sparse dims including batch dims; 0 for a dense tensor. */
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

/* The size of a block in dim d of n sparse dims; 1 in the other layouts. */
static inline int64_t cti_sparse_side(const struct cti_sparse *kind, int64_t n, int64_t d)
{
    return cti_has_blocks(kind->layout) && d >= n - 2 ? kind->block[d - (n - 2)] : 1;
}

/* Which of n sparse dims comes d-th in the order of a layout. */
static inline int64_t cti_sparse_dim_at(enum ct_layout layout, int64_t n, int64_t d)
{
    return cti_by_columns(layout) && d >= n - 2 ? 2 * n - 3 - d : d;
}

/* Makes a tensor of the pair, which it takes over, also on failure. `kind` gives the layout and the
 * index type; its tensors are not read. The pair is not checked. */
ct_tensor *cti_sparse_take(ct_tensor *indices, ct_tensor *values, ct_ints size,
                           struct cti_sparse kind);
/* The parts of a compressed tensor, with batch dims: the row (column) offsets, on the CPU; the
 * column (row) indices, with blocks on the CPU; the values. The values share memory with the pair,
 * and so do the indices unless there are blocks. The caller owns the result. */
ct_tensor *cti_sparse_begins(const ct_tensor *t);
ct_tensor *cti_sparse_plain(const ct_tensor *t);
ct_tensor *cti_sparse_batched(const ct_tensor *t);
/* "Strided", "Sparse", "SparseCsr", ... */
const char *cti_layout_name(const ct_tensor *t);
/* Sets NotImplementedError with PyTorch's message. Returns NULL. */
void *cti_sparse_refused(const char *operation);

#endif
