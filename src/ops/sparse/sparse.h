/* SPDX-License-Identifier: BSD-3-Clause */
/* What the operations on sparse tensors share. They are chains of recorded operations on indices
 * and values, so that gradients of any order come of themselves: see Note [Sparse tensors]. */
#ifndef CORTEN_OPS_SPARSE_H
#define CORTEN_OPS_SPARSE_H

#include "core/hold.h"
#include "core/sparse.h"
#include "corten/own.h"
#include "ops/front.h"

static inline bool cti_sparse_tensor(const ct_tensor *t)
{
    return t != CT_NO_TENSOR && __builtin_expect(t->flags & CTI_SPARSE, 0);
}

static inline bool cti_sparse_value(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR && __builtin_expect(v.as.tensor->flags & CTI_SPARSE, 0);
}

bool cti_sparse_list(ct_list list);
#define cti_sparse_any(x)                                                                          \
    _Generic((x), ct_value                                                                         \
             : cti_sparse_value, ct_list                                                           \
             : cti_sparse_list, default                                                            \
             : cti_sparse_tensor)(x)

/* A sparse tensor taken apart: values with their history, one after the other. */
struct cti_coo {
    ct_tensor *of, *indices, *values; /* of: borrowed; the others owned */
    bool coalesced;                   /* row-major */
    bool ordered;                     /* coalesced in the order of its layout */
};

/* linear: what becomes of each value may be added up afterwards, so that values of one place need
 * not be added up now (but where gradients are recorded: the gradient of a place is one number).
 * False, and values is NULL: the error is set. */
bool cti_sparse_open(struct cti_coo *c, ct_tensor *t, bool linear);
/* The same indices with other values, which it takes, in the same layout; NULL in, NULL out. */
ct_tensor *cti_sparse_close(struct cti_coo *c, ct_tensor *values);
void cti_sparse_free(struct cti_coo *c);

/* A pair in the layout of another tensor, whose order it has. Owned. */
ct_tensor *cti_sparse_made(ct_tensor *indices, ct_tensor *values, ct_ints size, bool ordered,
                           const ct_tensor *like);
/* A sparse tensor in another layout; NULL in, NULL out. Takes t. */
ct_tensor *cti_sparse_to_take(ct_tensor *t, enum ct_layout layout, bool narrow);
/* The elements of each block by columns instead of rows: both are held. */
bool cti_sparse_transpose_blocks(struct cti_hold *h, ct_tensor **indices, ct_tensor **values,
                                 const int64_t block[2]);
/* Has each matrix of a batch as many values? False: an error. */
bool cti_sparse_even(ct_tensor *t);
/* In blocks; dense_dim of a dense tensor. */
ct_tensor *cti_sparse_to_blocks(ct_tensor *t, int64_t dense_dim, const struct cti_sparse *kind);
/* From the place [dims, blocks] of each block, in blocks, those of all elements. Owned. */
ct_tensor *cti_sparse_spread(ct_tensor *places, const int64_t block[2]);
ct_tensor *cti_sparse_to_take_like(ct_tensor *t, const ct_tensor *like);
/* Makes sure that it is sparse; false and the error is set. */
bool cti_sparse_wanted(const ct_tensor *t, const char *what);

/* In place: self becomes what the row `op` made of it (owned, may be NULL), in self's data type, or
 * a dense self gets its elements. */
ct_tensor *cti_sparse_write(ct_tensor *self, ct_tensor *made, const char *op);

/* The number of each index, row-major, among the first dims of a shape. Owned. */
ct_tensor *cti_sparse_flat(ct_tensor *indices, const int64_t *shape);
/* The same in the order of a layout, among its first n dims. */
ct_tensor *cti_sparse_number(ct_tensor *indices, const int64_t *shape, enum ct_layout layout,
                             int64_t n);
/* The least and the greatest of all elements, on the host; false: an error. */
bool cti_sparse_extremes(ct_tensor *t, int64_t *least, int64_t *most);
/* The values of a coalesced tensor at other indices, 0 where it has none. Owned. *hit, if asked
 * for: where it has some. */
ct_tensor *cti_sparse_lookup(struct cti_coo *c, ct_tensor *indices, ct_tensor **hit);
/* The elements of a dense tensor at indices of its first dims. Owned. */
ct_tensor *cti_sparse_pick(ct_tensor *dense, ct_tensor *indices);
/* dense with values added (or put) at indices. Owned. */
ct_tensor *cti_sparse_put(ct_tensor *dense, ct_tensor *indices, ct_tensor *values, bool add);
/* Row d of indices, borrowed from the list. */
static inline ct_tensor *cti_sparse_row(struct cti_hold *h, ct_tensor *indices, int64_t d)
{
    return indices ? cti_hold(h, ct_own_select(indices, 0, d)) : NULL;
}
static inline ct_value cti_tensor_value(ct_tensor *t)
{
    return ct_value_tensor(t);
}

/* x[...] */
ct_tensor *cti_sparse_getitem(ct_tensor *t, const ct_index *index, int64_t n);

/* For each of `wanted`, the places in `sorted` where it stands, one group after the other: which of
 * `wanted` each belongs to and where it is. Held. */
bool cti_sparse_matches(struct cti_hold *h, ct_tensor *sorted, ct_tensor *wanted, ct_tensor **which,
                        ct_tensor **where);

#endif
