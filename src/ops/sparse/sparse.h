/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the operations on sparse tensors. These are composed of differentiable operations on
 * indices and values, so that gradients of any order need no extra code: see Note [Sparse tensors].
 * Arguments are borrowed, and the caller owns results unless a comment says that the list h owns
 * them. */
#ifndef CORTEN_OPS_SPARSE_H
#define CORTEN_OPS_SPARSE_H

#include "core/hold.h"
#include "core/sparse.h"
#include "corten/own.h"
#include "ops/front.h"

/* Whether a tensor, a value or an element of a list is sparse; cti_sparse_any takes any of them. */
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

/* A sparse tensor's parts. `values` is connected to the tensor's gradient history. */
struct cti_coo {
    ct_tensor *of, *indices, *values; /* of: borrowed; the others owned */
    bool coalesced;                   /* row-major order without duplicates */
    bool ordered;                     /* the same in the order of its layout */
};

/* Reads the parts of t; release with cti_sparse_close or cti_sparse_free. `linear`: the caller's
 * result may be summed over duplicates later, so they are not summed now (unless gradients are
 * recorded: the gradient of a position is one number). False: the error is set and c is empty. */
bool cti_sparse_open(struct cti_coo *c, ct_tensor *t, bool linear);
/* Releases c and returns a tensor with c's indices and layout and these values, which it consumes;
 * NULL in, NULL out.
 * */
ct_tensor *cti_sparse_close(struct cti_coo *c, ct_tensor *values);
void cti_sparse_free(struct cti_coo *c); /* ends c without a result */

/* Makes a tensor of indices and values in the layout of `like`; `ordered`: they are sorted in the
 * order of that layout. */
ct_tensor *cti_sparse_made(ct_tensor *indices, ct_tensor *values, ct_ints size, bool ordered,
                           const ct_tensor *like);
/* Converts a sparse tensor to another layout; NULL in, NULL out. Consumes t. */
ct_tensor *cti_sparse_to_take(ct_tensor *t, enum ct_layout layout, bool narrow);
/* Transposes the elements within each block; h owns *indices and *values. */
bool cti_sparse_transpose_blocks(struct cti_hold *h, ct_tensor **indices, ct_tensor **values,
                                 const int64_t block[2]);
/* Checks that all matrices of a batch have the same number of values, as CSR and CSC require. */
bool cti_sparse_even(ct_tensor *t);
/* Converts t to the block layout `kind`; dense_dim: the number of dense dims if t is dense. */
ct_tensor *cti_sparse_to_blocks(ct_tensor *t, int64_t dense_dim, const struct cti_sparse *kind);
/* Expands the positions of blocks, [dims, blocks], to those of all their elements; on the CPU. */
ct_tensor *cti_sparse_spread(ct_tensor *positions, const int64_t block[2]);
/* Converts t to the layout of `like`. Consumes t. */
ct_tensor *cti_sparse_to_take_like(ct_tensor *t, const ct_tensor *like);
/* Checks that t is sparse. */
bool cti_sparse_wanted(const ct_tensor *t, const char *what);

/* Ends an in-place call of the operation `op`: self becomes `made`, in self's dtype; a dense self
 * is overwritten. Consumes made, which may be NULL. Returns self, borrowed, or NULL. */
ct_tensor *cti_sparse_write(ct_tensor *self, ct_tensor *made, const char *op);

/* Computes the flat row-major index of each entry within the leading dims of a shape. */
ct_tensor *cti_sparse_flat(ct_tensor *indices, const int64_t *shape);
/* The same in the order of a layout, for the first n dims in that order. */
ct_tensor *cti_sparse_number(ct_tensor *indices, const int64_t *shape, enum ct_layout layout,
                             int64_t n);
/* Computes the minimum and maximum of all elements and reads them to the host; false: an error. */
bool cti_sparse_extremes(ct_tensor *t, int64_t *least, int64_t *most);
/* Returns the values of c, which must be ordered, at other indices; 0 where c has no entry. *hit
 * (may be NULL) receives a mask of the indices that were found. */
ct_tensor *cti_sparse_lookup(struct cti_coo *c, ct_tensor *indices, ct_tensor **hit);
/* Returns the elements of a dense tensor at indices of its leading dims. */
ct_tensor *cti_sparse_pick(ct_tensor *dense, ct_tensor *indices);
/* Returns a copy of `dense` with values added, or written, at indices. */
ct_tensor *cti_sparse_put(ct_tensor *dense, ct_tensor *indices, ct_tensor *values, bool add);
/* Returns row d of indices; h owns it. */
static inline ct_tensor *cti_sparse_row(struct cti_hold *h, ct_tensor *indices, int64_t d)
{
    return cti_hold(h, ct_own_select(indices, 0, d));
}

/* Implements t[...]; index tensors have to be vectors. */
ct_tensor *cti_sparse_getitem(ct_tensor *t, const ct_index *index, int64_t n);

/* Finds all occurrences of each element of `wanted` in `sorted`, in groups: *which is the index of
 * the element in `wanted`, *where its index in `sorted`. h owns both. */
bool cti_sparse_matches(struct cti_hold *h, ct_tensor *sorted, ct_tensor *wanted, ct_tensor **which,
                        ct_tensor **where);

#endif
