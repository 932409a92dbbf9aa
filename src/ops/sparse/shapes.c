/* SPDX-License-Identifier: BSD-3-Clause */
/* Reordering (permute), joining (cat, stack) and indexing of sparse tensors; none of the results is
 * a view. Generated entry points call these functions for sparse arguments, see Note [Sparse
 * tensors]. */
#include "ops/sparse/sparse.h"

#include "core/alloc.h"
#include "fronts.h"

/* ---- dims ---- */

ct_tensor *cti_sparse_permute(ct_tensor *input, ct_ints dims)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    int64_t n = cti_sparse_dims(input), shape[CTI_MAX_DIMS], dense[CTI_MAX_DIMS + 1] = {0};
    ct_tensor *rows[CTI_MAX_DIMS] = {0}, *made = NULL;
    bool seen[CTI_MAX_DIMS] = {false}, compressed = cti_compressed(input), batch = false;
    if (dims.n != input->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "permute(sparse_coo): number of dimensions in the tensor input does not "
                       "match the length of the desired ordering of dimensions i.e. input.dim() = "
                       "%d is not equal to len(dims) = %lld",
                       input->ndim, (long long)dims.n);
    if (!cti_sparse_open(&c, input, true))
        return NULL;
    bool good = true, rows_first = true;
    for (int64_t d = 0; good && d < dims.n; d++) {
        int from;
        good = cti_shape_wrap_dim(dims.v[d], input->ndim, &from);
        if (good && seen[from])
            good = cti_refuse(CT_ERR_RUNTIME, "permute(): duplicate dims are not allowed.");
        if (good && (from < n) != (d < n))
            good = cti_refuse(CT_ERR_RUNTIME,
                              "permute: transpositions between sparse and dense dimensions are not "
                              "allowed.");
        if (good && compressed && (from < n - 2) != (d < n - 2))
            good = cti_refuse(CT_ERR_RUNTIME,
                              "transpose(): can only transpose dimensions of the same type (Batch, "
                              "Sparse, Dense), got %lld(%s) and %d(%s)",
                              (long long)d, d < n - 2 ? "Batch" : "Sparse", from,
                              from < n - 2 ? "Batch" : "Sparse");
        if (!good)
            break;
        batch |= d < n - 2 && from != d;
        rows_first = d == n - 2 ? from == d : rows_first;
        seen[from] = true;
        shape[d] = input->shape[from];
        if (d < n)
            good = (rows[d] = cti_sparse_row(&h, c.indices, from)) != NULL;
        else
            dense[d - n + 1] = from - n + 1;
    }
    ct_tensor *indices = !good ? NULL
                         : n   ? cti_hold(&h, ct_own_stack(ct_list_of(rows, n), 0))
                               : c.indices;
    ct_tensor *values =
        indices ? cti_hold(&h, ct_own_permute(c.values, ct_ints_of(dense, dims.n - n + 1))) : NULL;
    bool ordered = c.coalesced && indices && indices->shape[1] < 2;
    if (values && compressed) { /* CSR becomes CSC or the reverse; entries keep their order */
        struct cti_sparse *kind = cti_sparse_of(input);
        bool blocks = cti_has_blocks(kind->layout),
             by_rows = cti_by_columns(kind->layout) != rows_first;
        enum ct_layout layout = blocks    ? by_rows ? CT_SPARSE_BSR : CT_SPARSE_BSC
                                : by_rows ? CT_SPARSE_CSR
                                          : CT_SPARSE_CSC;
        if (blocks && !rows_first &&
            !cti_sparse_transpose_blocks(&h, &indices, &values, kind->block))
            values = NULL;
        if (values)
            made = cti_hold(&h, ct_own_sparse_compressed(indices, values, ct_ints_of(shape, dims.n),
                                                         c.ordered && !batch, layout, kind->narrow,
                                                         kind->block[rows_first ? 0 : 1],
                                                         kind->block[rows_first ? 1 : 0]));
        if (made && batch && blocks)
            made = ct_fail(CT_ERR_RUNTIME,
                           "transpose(): the batch dims of a block compressed tensor cannot be "
                           "transposed");
        made = made && batch ? cti_hold(&h, ct_own_sparse_sorted(made)) : made;
    } else if (values) {
        made = cti_hold(&h, ct_own_sparse_coo(indices, values, ct_ints_of(shape, dims.n), ordered));
    }
    cti_sparse_free(&c);
    return cti_hold_end(&h, made);
}

ct_tensor *cti_sparse_transpose(ct_tensor *input, int64_t dim0, int64_t dim1)
{
    int a, b;
    int64_t dims[CTI_MAX_DIMS];
    if (!cti_shape_wrap_dim(dim0, input->ndim, &a) || !cti_shape_wrap_dim(dim1, input->ndim, &b))
        return NULL;
    for (int d = 0; d < input->ndim; d++)
        dims[d] = d == a ? b : d == b ? a : d;
    return input->ndim ? cti_sparse_permute(input, ct_ints_of(dims, input->ndim))
                       : ct_retain(input);
}

ct_tensor *cti_sparse_t(ct_tensor *input)
{
    if (input->ndim > 2 && cti_compressed(input))
        return ct_fail(CT_ERR_RUNTIME, "t() expects a tensor with <= 2 dimensions, but self is %dD",
                       input->ndim);
    if (input->ndim > 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
                       "%lld sparse and %lld dense dimensions",
                       (long long)ct_sparse_dim(input), (long long)ct_dense_dim(input));
    return input->ndim < 2 ? ct_retain(input) : cti_sparse_transpose(input, 0, 1);
}

ct_tensor *cti_sparse_unsqueeze(ct_tensor *input, int64_t dim)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    int at;
    int64_t n = cti_sparse_dims(input), shape[CTI_MAX_DIMS];
    if (!cti_shape_wrap_dim(dim, input->ndim + 1, &at) || !cti_sparse_open(&c, input, true))
        return NULL;
    if (input->ndim == CTI_MAX_DIMS) {
        cti_sparse_free(&c);
        return ct_fail(CT_ERR_RUNTIME, "a tensor has at most %d dimensions", CTI_MAX_DIMS);
    }
    for (int d = 0; d <= input->ndim; d++)
        shape[d] = d == at ? 1 : input->shape[d - (d > at)];
    ct_tensor *indices = c.indices, *values = c.values, *made = NULL;
    if (at > n) {
        values = cti_hold(&h, ct_own_unsqueeze(values, at - n + 1));
    } else {
        int64_t row[2] = {1, indices->shape[1]};
        ct_tensor *part[3] = {
            cti_hold(&h, ct_own_narrow(indices, 0, 0, at)),
            cti_hold(&h, ct_own_zeros(ct_ints_of(row, 2), CT_INT64, ct_device_of(indices), false)),
            cti_hold(&h, ct_own_narrow(indices, 0, at, n - at))};
        indices =
            part[0] && part[1] && part[2] ? cti_hold(&h, ct_own_cat(ct_list_of(part, 3), 0)) : NULL;
    }
    if (indices && values)
        made = cti_hold(&h, ct_own_sparse_coo(indices, values, ct_ints_of(shape, input->ndim + 1),
                                              c.coalesced));
    cti_sparse_free(&c);
    return cti_hold_end(&h, made);
}

/* ---- joining ---- */

static bool check_joined(const ct_tensor *t, const ct_tensor *first, int dim, int64_t i)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    if (!cti_sparse_tensor(t) || !cti_sparse_tensor(first))
        return cti_refuse(CT_ERR_RUNTIME,
                          "Concatenating sparse tensors, but a dense tensor was found at position "
                          "%lld.",
                          (long long)i);
    bool good = t->ndim == first->ndim && cti_sparse_dims(t) == cti_sparse_dims(first);
    for (int d = 0; good && d < t->ndim; d++)
        good = d == dim || t->shape[d] == first->shape[d];
    return good || cti_refuse(CT_ERR_RUNTIME,
                              "All tensors must have the same shape: %s (except in the "
                              "concatenating dimension), but found shape: %s at position %lld.",
                              cti_shape_text(want, first->ndim, first->shape),
                              cti_shape_text(have, t->ndim, t->shape), (long long)i);
}

/* Prepares one tensor for a concatenation: indices are shifted along a sparse dim, values are
 * padded along a dense dim. h owns the result. */
static bool shift_indices(struct cti_hold *h, struct cti_coo *c, int dim, int64_t before,
                          int64_t after, ct_tensor **indices, ct_tensor **values)
{
    int64_t n = c->indices->shape[0], pad[2 * CTI_MAX_DIMS + 2] = {0};
    *indices = cti_hold(h, ct_retain(c->indices));
    *values = cti_hold(h, ct_retain(c->values));
    if (dim < n) {
        ct_tensor *part[3] = {cti_hold(h, ct_own_narrow(c->indices, 0, 0, dim)),
                              cti_hold(h, ct_own_narrow(c->indices, 0, dim, 1)),
                              cti_hold(h, ct_own_narrow(c->indices, 0, dim + 1, n - dim - 1))};
        if (part[1])
            part[1] = cti_hold(h, ct_own_add(V(part[1]), ct_value_int(before), ct_value_int(1)));
        *indices =
            part[0] && part[1] && part[2] ? cti_hold(h, ct_own_cat(ct_list_of(part, 3), 0)) : NULL;
    } else if (*values) {
        int last = c->values->ndim - 1, from_end = last - (dim - (int)n + 1);
        pad[2 * from_end] = before;
        pad[2 * from_end + 1] = after;
        *values = cti_hold(h, ct_own_constant_pad_nd(c->values, ct_ints_of(pad, 2 * from_end + 2),
                                                     ct_value_int(0)));
    }
    return *indices && *values;
}

ct_tensor *cti_sparse_cat(ct_list tensors, int64_t dim)
{
    struct cti_hold h = {0};
    int at;
    int64_t shape[CTI_MAX_DIMS], total = 0, before = 0;
    ct_tensor *first = tensors.v[0], *made = NULL;
    ct_tensor **part = cti_calloc((size_t)tensors.n, 2 * sizeof *part);
    bool good = part && cti_shape_wrap_dim(dim, first->ndim, &at);
    for (int64_t i = 0; good && i < tensors.n; i++) {
        good = check_joined(tensors.v[i], first, at, i);
        total += good ? tensors.v[i]->shape[at] : 0;
    }
    for (int64_t i = 0; good && i < tensors.n; i++) {
        struct cti_coo c;
        int64_t size = tensors.v[i]->shape[at];
        good = cti_sparse_open(&c, tensors.v[i], true) &&
               shift_indices(&h, &c, at, before, total - before - size, &part[i],
                             &part[tensors.n + i]);
        before += size;
        cti_sparse_free(&c);
    }
    ct_tensor *indices = good ? cti_hold(&h, ct_own_cat(ct_list_of(part, tensors.n), 1)) : NULL;
    ct_tensor *values =
        indices ? cti_hold(&h, ct_own_cat(ct_list_of(part + tensors.n, tensors.n), 0)) : NULL;
    for (int d = 0; good && d < first->ndim; d++)
        shape[d] = d == at ? total : first->shape[d];
    if (values)
        made =
            cti_hold(&h, ct_own_sparse_coo(indices, values, ct_ints_of(shape, first->ndim), false));
    cti_free(part);
    return cti_hold_end(&h, made);
}

ct_tensor *cti_sparse_stack(ct_list tensors, int64_t dim)
{
    struct cti_hold h = {0};
    ct_tensor **part = cti_calloc((size_t)tensors.n, sizeof *part), *made = NULL;
    bool good = part != NULL;
    for (int64_t i = 0; good && i < tensors.n; i++)
        good = (part[i] = cti_hold(&h, ct_own_unsqueeze(tensors.v[i], dim))) != NULL;
    if (good)
        made = cti_hold(&h, ct_own_cat(ct_list_of(part, tensors.n), dim));
    cti_free(part);
    return cti_hold_end(&h, made);
}

/* ---- parts ---- */

ct_tensor *cti_sparse_index_select(ct_tensor *input, int64_t dim, ct_tensor *index)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    int at;
    int64_t shape[CTI_MAX_DIMS], n = cti_sparse_dims(input);
    ct_tensor *which, *where, *made = NULL;
    if (cti_sparse_tensor(index) || index->ndim > 1)
        return ct_fail(CT_ERR_INDEX, "index_select(): Index is supposed to be a vector");
    if (!cti_shape_wrap_dim(dim, input->ndim, &at) || !cti_sparse_open(&c, input, true))
        return NULL;
    ct_tensor *wanted = cti_hold(&h, ct_own_reshape(index, CT_DIMS(-1)));
    wanted = cti_hold(&h, ct_own_to_dtype(wanted, CT_INT64));
    for (int d = 0; wanted && d < input->ndim; d++)
        shape[d] = d == at ? wanted->numel : input->shape[d];
    ct_ints size = ct_ints_of(shape, input->ndim);
    if (wanted && at >= n) {
        ct_tensor *values = cti_hold(&h, ct_own_index_select(c.values, at - n + 1, wanted));
        if (values)
            made = cti_hold(&h, ct_own_sparse_coo(c.indices, values, size, c.coalesced));
    } else if (wanted) {
        int64_t bad;
        bool inside = cti_check_index(wanted, input->shape[at], false, &bad);
        ct_tensor *row = !inside ? ct_fail(CT_ERR_INDEX,
                                           "index_select(): index contains %lld that "
                                           "is out of range for tensor of size %lld "
                                           "at dimension %d",
                                           (long long)bad, (long long)input->shape[at], at)
                                 : cti_sparse_row(&h, c.indices, at);
        struct ct_sort_result r =
            row ? ct_own_sort(row, 0, false, true) : (struct ct_sort_result){0};
        ct_tensor *sorted = cti_hold(&h, r.values), *order = cti_hold(&h, r.indices);
        if (sorted && order && cti_sparse_matches(&h, sorted, wanted, &which, &where)) {
            ct_tensor *from = cti_hold(&h, ct_own_index_select(order, 0, where));
            ct_tensor *indices = cti_hold(&h, ct_own_index_select(c.indices, 1, from));
            ct_tensor *zero = cti_hold(&h, ct_own_select_scatter(indices, which, 0, at));
            ct_tensor *values = zero ? cti_hold(&h, ct_own_index_select(c.values, 0, from)) : NULL;
            if (values)
                made = cti_hold(&h, ct_own_sparse_coo(zero, values, size, false));
        }
    }
    cti_sparse_free(&c);
    return cti_hold_end(&h, made);
}

/* indices without one row; h owns them */
static ct_tensor *without_row(struct cti_hold *h, ct_tensor *indices, int64_t row)
{
    int64_t n = indices->shape[0];
    ct_tensor *part[2] = {cti_hold(h, ct_own_narrow(indices, 0, 0, row)),
                          cti_hold(h, ct_own_narrow(indices, 0, row + 1, n - row - 1))};
    return part[0] && part[1] ? cti_hold(h, ct_own_cat(ct_list_of(part, 2), 0)) : NULL;
}

ct_tensor *cti_sparse_select(ct_tensor *input, int64_t dim, int64_t index)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    int at;
    int64_t n = cti_sparse_dims(input), shape[CTI_MAX_DIMS];
    if (input->ndim == 0)
        return ct_fail(CT_ERR_INDEX, "select() cannot be applied to a 0-dim tensor.");
    if (!cti_shape_wrap_dim(dim, input->ndim, &at))
        return NULL;
    int64_t wrapped = index < 0 ? index + input->shape[at] : index;
    if (wrapped < 0 || wrapped >= input->shape[at])
        return ct_fail(CT_ERR_INDEX,
                       "select(): index %lld out of range for tensor of size %lld at "
                       "dimension %d",
                       (long long)index, (long long)input->shape[at], at);
    for (int d = 0; d < input->ndim - 1; d++)
        shape[d] = input->shape[d + (d >= at)];
    ct_ints size = ct_ints_of(shape, input->ndim - 1);
    if (!cti_sparse_open(&c, input, true))
        return NULL;
    ct_tensor *made = NULL, *values = NULL, *indices = c.indices;
    if (at >= n) {
        values = cti_hold(&h, ct_own_select(c.values, at - n + 1, wrapped));
    } else {
        ct_tensor *row = cti_sparse_row(&h, c.indices, at);
        ct_tensor *is = row ? cti_hold(&h, ct_own_eq(V(row), ct_value_int(wrapped))) : NULL;
        ct_tensor *positions = cti_hold(&h, ct_own_nonzero(is));
        ct_tensor *from = cti_hold(&h, ct_own_select(positions, 1, 0));
        values = cti_hold(&h, ct_own_index_select(c.values, 0, from));
        indices = values ? cti_hold(&h, ct_own_index_select(c.indices, 1, from)) : NULL;
        indices = indices ? without_row(&h, indices, at) : NULL;
    }
    if (indices && values && n == 1 && at < n) /* no sparse dim is left: a dense result */
        made = cti_hold(&h, ct_own_sum(values, CT_DIMS(0), false, ct_dtype(values)));
    else if (indices && values)
        made = cti_hold(&h, ct_own_sparse_coo(indices, values, size,
                                              c.coalesced || (c.ordered && at == n - 1)));
    cti_sparse_free(&c);
    if (made && cti_compressed(input) && at < n - 2) /* one matrix of a batch */
        return cti_sparse_to_take_like(cti_hold_end(&h, made), input);
    return cti_hold_end(&h, made);
}

ct_list cti_sparse_unbind(ct_tensor *input, int64_t dim)
{
    int at;
    ct_list none = {NULL, 0};
    if (!cti_shape_wrap_dim(dim, input->ndim, &at))
        return none;
    int64_t n = input->shape[at];
    ct_tensor **part = cti_calloc((size_t)n + 1, sizeof *part);
    bool good = part != NULL;
    for (int64_t i = 0; good && i < n; i++)
        good = (part[i] = ct_own_select(input, at, i)) != NULL;
    return cti_list_take_if(part, n, good);
}

/* ---- x[i, a:b, ..., None] ---- */

static ct_tensor *sliced(ct_tensor *t, int64_t dim, const ct_index *i)
{
    int64_t n = t->shape[dim], step = i->step == CT_NO_DIM ? 1 : i->step;
    int64_t start = i->start == CT_NO_DIM ? 0 : i->start < 0 ? i->start + n : i->start;
    int64_t stop = i->stop == CT_NO_DIM ? n : i->stop < 0 ? i->stop + n : i->stop;
    start = start < 0 ? 0 : start > n ? n : start;
    stop = stop < start ? start : stop > n ? n : stop;
    if (start == 0 && stop == n && step == 1)
        return ct_retain(t);
    if (step <= 0)
        return ct_fail(CT_ERR_VALUE, "step must be greater than zero");
    ct_tensor *positions = ct_own_arange(ct_value_int(start), ct_value_int(stop),
                                         ct_value_int(step), CT_INT64, ct_device_of(t), false);
    return cti_replace_take(positions, ct_own_index_select(t, dim, positions));
}

ct_tensor *cti_sparse_getitem(ct_tensor *t, const ct_index *index, int64_t n)
{
    int64_t dim = 0, taken = 0;
    for (int64_t i = 0; i < n; i++)
        taken += index[i].kind != CT_INDEX_NONE && index[i].kind != CT_INDEX_ELLIPSIS;
    if (taken > t->ndim)
        return ct_fail(CT_ERR_INDEX, "too many indices for tensor of dimension %d", t->ndim);
    int64_t rest = t->ndim - taken;
    ct_tensor *part = ct_retain(t);
    for (int64_t i = 0; part && i < n; i++) {
        ct_tensor *old = part;
        bool dense = !cti_sparse_tensor(part);
        if (index[i].kind == CT_INDEX_INT)
            part = ct_own_select(old, dim, index[i].start);
        else if (index[i].kind == CT_INDEX_NONE)
            part = ct_own_unsqueeze(old, dim++);
        else if (index[i].kind == CT_INDEX_SLICE && !dense)
            part = sliced(old, dim++, &index[i]);
        else if (index[i].kind == CT_INDEX_TENSOR && index[i].tensor->ndim == 1)
            part = ct_own_index_select(old, dim++, index[i].tensor);
        else if (index[i].kind == CT_INDEX_ELLIPSIS)
            part = ct_retain(old), dim += rest;
        else
            part = cti_sparse_refused("index.Tensor");
        ct_release(old);
    }
    return part;
}
