/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients of the weights of embedding and embedding_bag: the gradients of the rows that were
 * looked up, added at their indices, or a sparse tensor of them. They call differentiable
 * operations, so that they can be differentiated again. */
#include "autograd/derivatives/derivatives.h"

static ct_value tensor(ct_tensor *t)
{
    return ct_value_tensor(t);
}

/* Divides each gradient by how often its row was looked up. */
static ct_tensor *by_frequency(struct cti_hold *h, ct_tensor *grad, ct_tensor *flat, int64_t rows)
{
    ct_tensor *counts = cti_hold(h, ct_own_bincount(flat, CT_NO_TENSOR, rows));
    ct_tensor *each = counts ? cti_hold(h, ct_own_index_select(counts, 0, flat)) : NULL;
    ct_tensor *column = each ? cti_hold(h, ct_own_unsqueeze(each, 1)) : NULL;
    return column ? cti_hold(h, ct_own_div(tensor(grad), tensor(column), NULL)) : NULL;
}

/* The sparse gradient: an entry for each row that was looked up, except padding. */
static ct_tensor *as_entries(ct_tensor *grad, ct_ints shape, ct_tensor *indices,
                             int64_t padding_idx)
{
    struct cti_hold h = {0};
    int64_t row[2] = {1, ct_numel(indices)}, matrix[2] = {ct_numel(indices), shape.v[1]};
    ct_tensor *wide = cti_hold(&h, ct_own_to_dtype(indices, CT_INT64));
    ct_tensor *positions = wide ? cti_hold(&h, ct_own_reshape(wide, ct_ints_of(row, 2))) : NULL;
    ct_tensor *values = cti_hold(&h, ct_own_reshape(grad, ct_ints_of(matrix, 2)));
    if (positions && values && padding_idx >= 0) {
        ct_tensor *first = cti_hold(&h, ct_own_select(positions, 0, 0));
        ct_tensor *kept =
            first ? cti_hold(&h, ct_own_ne(tensor(first), ct_value_int(padding_idx))) : NULL;
        ct_tensor *at = kept ? cti_hold(&h, ct_own_nonzero(kept)) : NULL;
        ct_tensor *which = at ? cti_hold(&h, ct_own_select(at, 1, 0)) : NULL;
        positions = which ? cti_hold(&h, ct_own_index_select(positions, 1, which)) : NULL;
        values = which ? cti_hold(&h, ct_own_index_select(values, 0, which)) : NULL;
    }
    return cti_hold_end(&h, positions && values
                                ? cti_hold(&h, ct_own_sparse_coo(positions, values, shape, false))
                                : NULL);
}

ct_tensor *cti_grad_embedding(ct_tensor *grad, ct_ints shape, ct_tensor *indices,
                              int64_t padding_idx, bool scale_grad_by_freq, bool sparse)
{
    if (sparse && scale_grad_by_freq)
        return ct_fail(CT_ERR_RUNTIME, "embedding_backward: scale_grad_by_freq not supported with "
                                       "sparse gradients");
    if (sparse)
        return as_entries(grad, shape, indices, padding_idx);
    struct cti_hold h = {0};
    int64_t all = -1, matrix[2] = {ct_numel(indices), shape.v[1]};
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(indices, ct_ints_of(&all, 1)));
    ct_tensor *given = cti_hold(&h, ct_own_reshape(grad, ct_ints_of(matrix, 2)));
    ct_tensor *start = cti_hold(&h, ct_own_zeros(shape, ct_dtype(grad), ct_device_of(grad), false));
    if (flat && given && padding_idx >= 0) {
        ct_tensor *padded = cti_hold(&h, ct_own_eq(tensor(flat), ct_value_int(padding_idx)));
        ct_tensor *mask = padded ? cti_hold(&h, ct_own_unsqueeze(padded, 1)) : NULL;
        given = mask ? cti_hold(&h, ct_own_masked_fill(given, mask, ct_value_float(0))) : NULL;
    }
    if (flat && given && scale_grad_by_freq)
        given = by_frequency(&h, given, flat, shape.v[0]);
    return cti_hold_end(&h,
                        flat && given && start
                            ? cti_hold(&h, ct_own_index_add(start, 0, flat, given, ct_value_int(1)))
                            : NULL);
}

/* Each row of a bag gets the gradient of the bag. */
ct_tensor *cti_grad_embedding_sum(ct_tensor *grad, ct_ints shape, ct_tensor *indices,
                                  ct_tensor *bag, bool scale_grad_by_freq)
{
    ct_tensor *each = ct_own_index_select(grad, 0, bag);
    ct_tensor *result =
        each ? cti_grad_embedding(each, shape, indices, -1, scale_grad_by_freq, false) : NULL;
    ct_release(each);
    return result;
}

/* The row in which a maximum was found gets its gradient. */
ct_tensor *cti_grad_embedding_max(ct_tensor *grad, ct_ints shape, ct_tensor *greatest,
                                  ct_tensor *size)
{
    struct cti_hold h = {0};
    ct_tensor *start = cti_hold(&h, ct_own_zeros(shape, ct_dtype(grad), ct_device_of(grad), false));
    if (shape.v[0] == 0)
        return cti_hold_end(&h, start);
    ct_tensor *empty = cti_hold(&h, ct_own_eq(tensor(size), ct_value_int(0)));
    ct_tensor *mask = empty ? cti_hold(&h, ct_own_unsqueeze(empty, 1)) : NULL;
    ct_tensor *given =
        mask ? cti_hold(&h, ct_own_masked_fill(grad, mask, ct_value_float(0))) : NULL;
    return cti_hold_end(
        &h, start && given ? cti_hold(&h, ct_own_scatter_add(start, 0, greatest, given)) : NULL);
}
