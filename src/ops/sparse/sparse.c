/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversion between sparse and dense tensors: construction, coalescing, access to indices and
 * values. The other files of this folder build on these. See Note [Sparse tensors]. */
#include "ops/sparse/sparse.h"

#include "fronts.h"
#include "ops/create/create.h"

#include <string.h>

bool cti_sparse_list(ct_list list)
{
    for (int64_t i = 0; i < list.n; i++)
        if (cti_sparse_tensor(list.v[i]))
            return true;
    return false;
}

/* ---- making ---- */

ct_tensor *cti_op_sparse_coo(ct_tensor *indices, ct_tensor *values, ct_ints size, bool is_coalesced)
{
    return cti_sparse_take(cti_alias(indices), cti_alias(values), size,
                           (struct cti_sparse){.coalesced = is_coalesced, .layout = CT_SPARSE_COO});
}

/* Computes the minimum and maximum of each row of indices and reads them to the host; false: an
 * error. */
static bool index_bounds(ct_tensor *indices, int64_t *least, int64_t *most)
{
    struct cti_hold h = {0};
    struct ct_aminmax_result r = ct_own_aminmax(indices, 1, false);
    ct_tensor *low = cti_hold(&h, cti_host(cti_hold(&h, r.min)));
    ct_tensor *high = cti_hold(&h, cti_host(cti_hold(&h, r.max)));
    for (int64_t d = 0; low && high && d < indices->shape[0]; d++) {
        least[d] = ((const int64_t *)(const void *)cti_data(low))[d];
        most[d] = ((const int64_t *)(const void *)cti_data(high))[d];
    }
    cti_hold_end(&h, NULL);
    return low && high;
}

bool cti_sparse_extremes(ct_tensor *t, int64_t *least, int64_t *most)
{
    int64_t row[2] = {1, -1};
    ct_tensor *flat = ct_own_reshape(t, ct_ints_of(row, 2));
    bool good = flat && index_bounds(flat, least, most);
    ct_release(flat);
    return good;
}

/* Checks that indices are within the shape; infers the shape if it is not given. */
static bool sparse_check_indices(ct_tensor *indices, int64_t *shape, bool given)
{
    int64_t n = indices->shape[0], least[CTI_MAX_DIMS] = {0}, most[CTI_MAX_DIMS];
    if (indices->shape[1] == 0 || n == 0) {
        if (!given && n > 0)
            return cti_refuse(CT_ERR_RUNTIME, "found negative index -1 for dim 0");
        return true;
    }
    if (indices->storage->device.type == CT_META)
        return given || cti_refuse(CT_ERR_NOT_IMPLEMENTED, "a sparse meta tensor needs a size");
    if (!index_bounds(indices, least, most))
        return false;
    for (int64_t d = 0; d < n; d++) {
        if (least[d] < 0)
            return cti_refuse(CT_ERR_RUNTIME, "found negative index %lld for dim %lld",
                              (long long)least[d], (long long)d);
        if (!given)
            shape[d] = most[d] + 1;
        if (most[d] >= shape[d])
            return cti_refuse(CT_ERR_RUNTIME,
                              "size is inconsistent with indices: for dim %lld, size is %lld but "
                              "found index %lld",
                              (long long)d, (long long)shape[d], (long long)most[d]);
    }
    return true;
}

static bool check_shapes(ct_tensor *indices, ct_tensor *values, ct_ints size)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    if (cti_sparse_tensor(indices) || cti_sparse_tensor(values))
        return cti_refuse(CT_ERR_RUNTIME, "expected values and indices to be dense tensors");
    if (indices->ndim != 2)
        return cti_refuse(CT_ERR_RUNTIME, "indices must be sparse_dim x nnz, but got: %s",
                          cti_shape_text(have, indices->ndim, indices->shape));
    int64_t sparse = indices->shape[0], dense = values->ndim - 1;
    if (values->ndim == 0 || values->shape[0] != indices->shape[1])
        return cti_refuse(CT_ERR_RUNTIME,
                          "indices and values must have same nnz, but got nnz from indices: %lld, "
                          "nnz from values: %lld",
                          (long long)indices->shape[1],
                          values->ndim ? (long long)values->shape[0] : 1LL);
    if (sparse + dense > CTI_MAX_DIMS)
        return cti_refuse(CT_ERR_RUNTIME, "a tensor has at most %d dimensions, not %lld",
                          CTI_MAX_DIMS, (long long)(sparse + dense));
    if (!size.v)
        return true;
    if (size.n != sparse + dense)
        return cti_refuse(CT_ERR_RUNTIME,
                          "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
                          "%lld, sparse_dim = %lld, dense_dim = %lld",
                          (long long)size.n, (long long)sparse, (long long)dense);
    if (cti_shape_numel((int)size.n, size.v) < 0)
        return false;
    if (!cti_same_shape(values, values->ndim, values->shape) ||
        memcmp(values->shape + 1, size.v + sparse, (size_t)dense * sizeof *size.v) != 0) {
        int64_t full[CTI_MAX_DIMS + 1] = {values->shape[0]};
        for (int64_t d = 0; d < dense; d++)
            full[d + 1] = size.v[sparse + d];
        return cti_refuse(CT_ERR_RUNTIME, "values has incorrect size, expected %s, got %s",
                          cti_shape_text(want, (int)dense + 1, full),
                          cti_shape_text(have, values->ndim, values->shape));
    }
    return true;
}

ct_tensor *cti_op_sparse_coo_tensor(ct_tensor *indices, ct_tensor *values, ct_ints size,
                                    bool is_coalesced)
{
    int64_t shape[CTI_MAX_DIMS];
    struct cti_hold h = {0};
    if (values->ndim == 0 && !cti_sparse_tensor(values)) /* a number is the value of one entry */
        values = cti_hold(&h, ct_own_unsqueeze(values, 0));
    if (!values || !check_shapes(indices, values, size))
        return cti_hold_end(&h, NULL);
    int64_t sparse = indices->shape[0], n = sparse + values->ndim - 1;
    for (int64_t d = 0; d < n; d++)
        shape[d] = size.v ? size.v[d] : d < sparse ? 0 : values->shape[d - sparse + 1];
    ct_tensor *coordinates = cti_hold(
        &h, ct_own_to(indices, CT_INT64, ct_device_of(values), false, false, CT_PRESERVE_FORMAT));
    ct_tensor *made = NULL;
    if (coordinates && sparse_check_indices(coordinates, shape, size.v != NULL))
        made = cti_hold(&h,
                        ct_own_sparse_coo(coordinates, values, ct_ints_of(shape, n), is_coalesced));
    return cti_hold_end(&h, made);
}

/* Makes an empty tensor in the layout of `kind`. */
static ct_tensor *without_values(ct_ints size, int64_t sparse, enum ct_dtype dtype,
                                 struct ct_device device, struct cti_sparse kind)
{
    int64_t none[2] = {sparse, 0};
    kind.coalesced = true;
    if (cti_shape_numel((int)size.n, size.v) < 0)
        return NULL;
    return cti_sparse_take(ct_own_zeros(ct_ints_of(none, 2), CT_INT64, device, false),
                           ct_own_zeros(ct_ints_of(none + 1, 1), dtype, device, false), size, kind);
}

ct_tensor *cti_op_sparse_zeros(ct_ints size, int layout, enum ct_dtype dtype,
                               struct ct_device device, bool requires_grad)
{
    if (layout < 0)
        layout = CT_SPARSE_COO;
    bool compressed = layout == CT_SPARSE_CSR || layout == CT_SPARSE_CSC;
    if (cti_has_blocks((enum ct_layout)layout))
        return ct_fail(CT_ERR_RUNTIME,
                       "zeros_sparse_compressed expected sparse compressed (non-block) tensor "
                       "layout but got %s",
                       layout == CT_SPARSE_BSR ? "SparseBsr" : "SparseBsc");
    char text[CTI_SHAPE_TEXT];
    if (!compressed && layout != CT_SPARSE_COO)
        return ct_fail(CT_ERR_RUNTIME, "sparse_zeros expected a sparse (non-block) layout");
    if (size.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor has at most %d dimensions", CTI_MAX_DIMS);
    if (compressed && size.n < 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "torch.empty: Only batched sparse compressed (non-block) tensors are "
                       "supported, but got size %s",
                       cti_shape_text(text, (int)size.n, size.v));
    struct cti_sparse kind = {.layout = (enum ct_layout)layout};
    ct_tensor *t = without_values(size, size.n, cti_create_dtype(dtype), device, kind);
    return cti_take_if(t, t && (!requires_grad || ct_set_requires_grad(t, true)));
}

ct_tensor *cti_sparse_new_zeros(ct_tensor *input, ct_ints size, enum ct_dtype dtype,
                                struct ct_device device, bool requires_grad)
{
    return ct_own_sparse_zeros(
        size, (int)ct_layout_of(input), dtype == CT_NO_DTYPE ? ct_dtype(input) : dtype,
        device.type == CT_NO_DEVICE_TYPE ? ct_device_of(input) : device, requires_grad);
}

/* ---- access to the parts ---- */

bool cti_sparse_wanted(const ct_tensor *t, const char *what)
{
    return cti_sparse_tensor(t) ||
           cti_refuse(CT_ERR_RUNTIME, "%s expected sparse tensor layout but got Strided", what);
}

static bool is_coo(const ct_tensor *t, const char *what)
{
    return ct_layout_of(t) == CT_SPARSE_COO ||
           cti_refuse(CT_ERR_RUNTIME, "%s expected sparse coordinate tensor layout but got %s",
                      what, cti_layout_name(t));
}

/* Returns a tensor that shares t's indices and values, without t's gradient history. */
static ct_tensor *detached_alias(ct_tensor *t)
{
    struct cti_sparse *pair = cti_sparse_of(t);
    return cti_sparse_take(cti_alias(pair->indices), cti_alias(pair->values), cti_shape_of(t),
                           *pair);
}

bool cti_sparse_open(struct cti_coo *c, ct_tensor *t, bool linear)
{
    *c = (struct cti_coo){.of = t};
    if (!cti_sparse_tensor(t))
        return is_coo(t, "coalesce");
    struct cti_sparse *pair = cti_sparse_of(t);
    bool recorded = cti_grad_on() && cti_wants_grad(t);
    if (!pair->coalesced && linear && !recorded) {
        c->values = cti_alias(pair->values);
        c->indices = cti_alias(pair->indices);
    } else {
        ct_tensor *sorted = pair->coalesced ? ct_retain(t) : ct_own_sparse_sorted(t);
        ct_tensor *like = !sorted ? NULL : recorded ? detached_alias(sorted) : ct_retain(sorted);
        c->values = ct_own_sparse_entries(sorted, like);
        c->indices = like ? cti_alias(cti_sparse_of(like)->indices) : NULL;
        ct_release(like);
        c->ordered = true;
        c->coalesced = pair->layout == CT_SPARSE_COO || pair->layout == CT_SPARSE_CSR;
        ct_release(sorted);
    }
    if (c->values && c->indices)
        return true;
    cti_sparse_free(c);
    return false;
}

void cti_sparse_free(struct cti_coo *c)
{
    cti_release_all(c->indices, c->values);
    c->indices = c->values = NULL;
}

ct_tensor *cti_sparse_close(struct cti_coo *c, ct_tensor *values)
{
    ct_tensor *made =
        values ? cti_sparse_made(c->indices, values, cti_shape_of(c->of), c->ordered, c->of) : NULL;
    ct_release(values);
    cti_sparse_free(c);
    return made;
}

ct_tensor *cti_op_sparse_entries(ct_tensor *input, ct_tensor *like)
{
    (void)like; /* for the derivative */
    return cti_sparse_wanted(input, "values") ? cti_alias(cti_sparse_of(input)->values) : NULL;
}

static bool check_coalesced(const ct_tensor *t, const char *what)
{
    return cti_sparse_of(t)->coalesced ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Cannot get %s on an uncoalesced tensor, please call .coalesce() first",
                      what);
}

ct_tensor *cti_op_values(ct_tensor *input)
{
    if (!cti_sparse_wanted(input, "values"))
        return NULL;
    if (cti_compressed(input))
        return cti_sparse_batched(input);
    return check_coalesced(input, "values") ? cti_alias(cti_sparse_of(input)->values) : NULL;
}

ct_tensor *cti_op_indices(ct_tensor *input)
{
    return is_coo(input, "indices") && check_coalesced(input, "indices")
               ? cti_alias(cti_sparse_of(input)->indices)
               : NULL;
}

/* ---- coalescing ---- */

ct_tensor *cti_sparse_flat(ct_tensor *indices, const int64_t *shape)
{
    return cti_sparse_number(indices, shape, CT_SPARSE_COO, indices->shape[0]);
}

ct_tensor *cti_sparse_number(ct_tensor *indices, const int64_t *shape, enum ct_layout layout,
                             int64_t n)
{
    struct cti_hold h = {0};
    int64_t all = indices->shape[0], nnz = indices->shape[1];
    ct_tensor *flat = NULL;
    if (n == 0)
        flat =
            cti_hold(&h, ct_own_zeros(ct_ints_of(&nnz, 1), CT_INT64, ct_device_of(indices), false));
    else
        flat = cti_sparse_row(&h, indices, cti_sparse_dim_at(layout, all, 0));
    for (int64_t k = 1; k < n && flat; k++) {
        int64_t d = cti_sparse_dim_at(layout, all, k);
        ct_tensor *step = cti_hold(&h, ct_own_mul(V(flat), ct_value_int(shape[d])));
        ct_tensor *row = cti_sparse_row(&h, indices, d);
        flat = step && row ? cti_hold(&h, ct_own_add(V(step), V(row), ct_value_int(1))) : NULL;
    }
    return cti_hold_end(&h, flat);
}

/* Sums the values of each group, where group[i] is the group index of value i, ascending. Bools are
 * combined by "or". h owns the result. */
static ct_tensor *add_up(struct cti_hold *h, ct_tensor *values, ct_tensor *group, int64_t positions)
{
    int64_t shape[CTI_MAX_DIMS] = {positions};
    bool truths = values->dtype == CT_BOOL;
    for (int d = 1; d < values->ndim; d++)
        shape[d] = values->shape[d];
    if (truths)
        values = cti_hold(h, ct_own_to_dtype(values, CT_INT64));
    ct_tensor *start =
        values ? cti_hold(h, ct_own_zeros(ct_ints_of(shape, values->ndim), ct_dtype(values),
                                          ct_device_of(values), false))
               : NULL;
    ct_tensor *sums = cti_hold(h, ct_own_index_add(start, 0, group, values, ct_value_int(1)));
    return truths && sums ? cti_hold(h, ct_own_to_dtype(sums, CT_BOOL)) : sums;
}

ct_tensor *cti_op_sparse_sorted(ct_tensor *input)
{
    struct cti_hold h = {0};
    if (!cti_sparse_wanted(input, "coalesce"))
        return NULL;
    struct cti_sparse *pair = cti_sparse_of(input), kind = *pair;
    kind.coalesced = true;
    ct_tensor *made = NULL;
    ct_tensor *flat = cti_hold(
        &h, cti_sparse_number(pair->indices, input->shape, pair->layout, pair->indices->shape[0]));
    struct ct_sort_result sort =
        flat ? ct_own_sort(flat, 0, false, true) : (struct ct_sort_result){0};
    ct_tensor *sorted = cti_hold(&h, sort.values), *order = cti_hold(&h, sort.indices);
    ct_list runs = {NULL, 0};
    if (sorted && order)
        runs = ct_own_unique_consecutive(sorted, true, true, CT_NO_DIM);
    if (runs.n == 3) {
        ct_tensor *group = runs.v[1], *counts = runs.v[2];
        ct_tensor *ends = cti_hold(&h, ct_own_cumsum(counts, 0, CT_NO_DTYPE));
        ct_tensor *first =
            ends ? cti_hold(&h, ct_own_sub(V(ends), V(counts), ct_value_int(1))) : NULL;
        ct_tensor *at = cti_hold(&h, ct_own_index_select(order, 0, first));
        ct_tensor *indices = cti_hold(&h, ct_own_index_select(pair->indices, 1, at));
        ct_tensor *values =
            indices ? cti_hold(&h, ct_own_index_select(pair->values, 0, order)) : NULL;
        values = values ? add_up(&h, values, group, counts->shape[0]) : NULL;
        if (values)
            made =
                cti_sparse_take(cti_alias(indices), cti_alias(values), cti_shape_of(input), kind);
    }
    ct_list_release(runs);
    cti_hold_end(&h, NULL);
    return made;
}

ct_tensor *cti_op_coalesce(ct_tensor *input)
{
    if (!is_coo(input, "coalesce"))
        return NULL;
    return cti_sparse_of(input)->coalesced ? ct_retain(input) : ct_own_sparse_sorted(input);
}

/* ---- dense tensors ---- */

/* Returns the rows of indices as a list. */
static ct_list index_rows(ct_tensor *indices)
{
    return ct_own_unbind(indices, 0);
}

ct_tensor *cti_sparse_pick(ct_tensor *dense, ct_tensor *indices)
{
    if (indices->shape[0] == 0) {
        int64_t shape[CTI_MAX_DIMS + 1] = {indices->shape[1]};
        for (int d = 0; d < dense->ndim; d++)
            shape[d + 1] = -1;
        return ct_own_expand(dense, ct_ints_of(shape, dense->ndim + 1), false);
    }
    ct_list rows = index_rows(indices);
    ct_tensor *picked = rows.v ? ct_own_index_Tensor(dense, rows) : NULL;
    ct_list_release(rows);
    return picked;
}

ct_tensor *cti_sparse_put(ct_tensor *dense, ct_tensor *indices, ct_tensor *values, bool add)
{
    if (indices->shape[0] == 0) {
        ct_tensor *sum = ct_own_sum(values, CT_DIMS(0), false, ct_dtype(dense));
        return cti_replace_take(sum, sum ? ct_own_add(V(dense), V(sum), ct_value_int(1)) : NULL);
    }
    ct_list rows = index_rows(indices);
    ct_tensor *r = rows.v ? ct_own_index_put(dense, rows, values, add) : NULL;
    ct_list_release(rows);
    return r;
}

ct_tensor *cti_op_to_dense(ct_tensor *input, enum ct_dtype dtype, int masked_grad)
{
    struct cti_coo c;
    (void)masked_grad; /* the gradient always has the input's sparsity */
    if (!cti_sparse_tensor(input))
        return ct_own_to(input, dtype, CT_NO_DEVICE, false, false, CT_PRESERVE_FORMAT);
    if (!cti_sparse_open(&c, input, input->dtype != CT_BOOL))
        return NULL;
    ct_tensor *zeros =
        ct_own_zeros(cti_shape_of(input), ct_dtype(input), ct_device_of(input), false);
    ct_tensor *dense = zeros ? cti_sparse_put(zeros, c.indices, c.values, !c.ordered) : NULL;
    ct_tensor *cast = dense && dtype != CT_NO_DTYPE ? ct_own_to_dtype(dense, dtype) : dense;
    if (cast != dense)
        ct_release(dense);
    ct_release(zeros);
    cti_sparse_free(&c);
    return cast;
}

ct_tensor *cti_op_to_sparse(ct_tensor *input, int64_t sparse_dim, int layout, ct_ints blocksize,
                            int64_t dense_dim)
{
    if (layout == CT_STRIDED)
        return ct_own_to_dense(input, CT_NO_DTYPE, -1);
    if (layout >= 0 && cti_has_blocks((enum ct_layout)layout)) {
        if (!blocksize.v)
            return ct_fail(CT_ERR_RUNTIME,
                           "dense_to_sparse: conversion from %s to %s without blocksize argument "
                           "given is not supported",
                           cti_layout_name(input),
                           layout == CT_SPARSE_BSR ? "SparseBsr" : "SparseBsc");
        return layout == CT_SPARSE_BSR ? ct_own_to_sparse_bsr(input, blocksize, dense_dim)
                                       : ct_own_to_sparse_bsc(input, blocksize, dense_dim);
    }
    if (layout > CT_SPARSE_BSC)
        return ct_fail(CT_ERR_RUNTIME, "to_sparse: a conversion to this layout is not supported");
    if (layout == CT_SPARSE_CSR || layout == CT_SPARSE_CSC)
        return layout == CT_SPARSE_CSR ? ct_own_to_sparse_csr(input, dense_dim)
                                       : ct_own_to_sparse_csc(input, dense_dim);
    if (cti_compressed(input) && sparse_dim != CT_NO_DIM && sparse_dim != 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "sparse_compressed_to_sparse: conversion from %s to Sparse with sparse_dim "
                       "argument !=2 is not supported",
                       cti_layout_name(input));
    if (cti_sparse_tensor(input))
        return cti_sparse_to_take(ct_retain(input), CT_SPARSE_COO, false);
    struct cti_hold h = {0};
    int64_t n = sparse_dim == CT_NO_DIM ? input->ndim : sparse_dim;
    if (n < 0 || n > input->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse: sparse_dim argument must be in [0,%d] range, but %lld is "
                       "given",
                       input->ndim, (long long)n);
    if (input->ndim > 0 && n == 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0");
    ct_tensor *nonzero = cti_hold(&h, ct_own_ne(V(input), ct_value_int(0)));
    if (nonzero && n < input->ndim) {
        nonzero = cti_hold(&h, ct_own_flatten(nonzero, n, -1));
        nonzero = cti_hold(&h, ct_own_any(nonzero, CT_DIMS(-1), false));
    }
    ct_tensor *positions = cti_hold(&h, ct_own_nonzero(nonzero));
    ct_tensor *indices = cti_hold(&h, ct_own_t(positions));
    ct_tensor *values = indices ? cti_hold(&h, cti_sparse_pick(input, indices)) : NULL;
    ct_tensor *made = cti_hold(&h, ct_own_sparse_coo(indices, values, cti_shape_of(input), true));
    return cti_hold_end(&h, made);
}

/* ---- values at other indices ---- */

/* Whether both are the same view. This is true for most gradients, which share the indices of their
 * tensor. */
static bool is_same_view(const ct_tensor *a, const ct_tensor *b)
{
    return a->storage == b->storage && a->offset == b->offset &&
           cti_same_shape(a, b->ndim, b->shape) &&
           memcmp(a->stride, b->stride, a->ndim * sizeof *a->stride) == 0;
}

/* `hit` with the trailing dims of size 1 that values with dense dims need. */
static ct_tensor *add_trailing_dims(struct cti_hold *h, ct_tensor *hit, int ndim)
{
    for (int d = 1; hit && d < ndim; d++)
        hit = cti_hold(h, ct_own_unsqueeze(hit, -1));
    return hit;
}

ct_tensor *cti_sparse_lookup(struct cti_coo *c, ct_tensor *indices, ct_tensor **hit)
{
    if (!hit && is_same_view(c->indices, indices))
        return ct_retain(c->values);
    struct cti_hold h = {0};
    bool blocks = cti_has_blocks(ct_layout_of(c->of));
    enum ct_layout layout = blocks ? CT_SPARSE_COO : ct_layout_of(c->of);
    const int64_t *shape = c->of->shape, n = indices->shape[0];
    ct_tensor *have = cti_hold(&h, cti_sparse_number(c->indices, shape, layout, n));
    ct_tensor *want = cti_hold(&h, cti_sparse_number(indices, shape, layout, n));
    ct_tensor *found = NULL, *is = NULL, *values = c->values;
    if (have && want && blocks) { /* blocks are not stored in the order of coordinates */
        struct ct_sort_result sort = ct_own_sort(have, 0, false, true);
        have = cti_hold(&h, sort.values);
        ct_tensor *order = cti_hold(&h, sort.indices);
        values = cti_hold(&h, ct_own_index_select(values, 0, order));
    }
    /* The gather below needs at least one value: add one at -1, which no index matches. */
    if (have && want && values && have->numel == 0) {
        ct_tensor *none =
            cti_hold(&h, ct_own_constant_pad_nd(have, CT_DIMS(0, 1), ct_value_int(-1)));
        int64_t pad[2 * CTI_MAX_DIMS + 2] = {0};
        pad[2 * values->ndim - 1] = 1;
        values = cti_hold(
            &h, ct_own_constant_pad_nd(values, ct_ints_of(pad, 2 * values->ndim), ct_value_int(0)));
        have = none;
    }
    if (have && want && values) {
        found = cti_hold(&h, ct_own_searchsorted(have, V(want), false, false, NULL, CT_NO_TENSOR));
        found = cti_hold(&h, ct_own_clamp_max(found, ct_value_int(have->numel - 1)));
    }
    ct_tensor *present = cti_hold(&h, ct_own_index_select(have, 0, found));
    is = present ? cti_hold(&h, ct_own_eq(V(present), V(want))) : NULL;
    ct_tensor *picked = is ? cti_hold(&h, ct_own_index_select(values, 0, found)) : NULL;
    ct_tensor *mask = picked ? add_trailing_dims(&h, is, picked->ndim) : NULL;
    ct_tensor *result = cti_hold(&h, ct_own_where(mask, V(picked), ct_value_bool(false)));
    if (hit)
        *hit = result ? ct_retain(is) : NULL;
    return cti_hold_end(&h, result);
}

ct_tensor *cti_op_sparse_mask(ct_tensor *input, ct_tensor *mask)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    if (!cti_sparse_wanted(mask, "sparse_mask"))
        return NULL;
    if (!cti_same_shape(input, mask->ndim, mask->shape))
        return ct_fail(CT_ERR_RUNTIME,
                       "sparse_mask(): operands have incompatible sizes; self has size %s but mask "
                       "has size %s",
                       cti_shape_text(have, input->ndim, input->shape),
                       cti_shape_text(want, mask->ndim, mask->shape));
    struct cti_sparse *pair = cti_sparse_of(mask);
    struct cti_coo c = {0};
    ct_tensor *values = NULL, *made = NULL;
    if (!cti_sparse_tensor(input))
        values = cti_sparse_pick(input, pair->indices);
    else if (cti_sparse_open(&c, input, false))
        values = cti_sparse_lookup(&c, pair->indices, NULL);
    if (values)
        made = cti_sparse_made(pair->indices, values, cti_shape_of(mask), pair->coalesced, mask);
    cti_sparse_free(&c);
    ct_release(values);
    return made;
}

/* ---- derivatives ---- */

ct_tensor *cti_op_sparse_pick(ct_tensor *grad, ct_tensor *indices)
{
    struct cti_coo c;
    if (!cti_sparse_tensor(grad))
        return cti_sparse_pick(grad, indices);
    if (!cti_sparse_open(&c, grad, false))
        return NULL;
    ct_tensor *values = cti_sparse_lookup(&c, indices, NULL);
    cti_sparse_free(&c);
    return values;
}

ct_tensor *cti_op_sparse_like(ct_tensor *grad, ct_tensor *input)
{
    if (!cti_sparse_wanted(input, "values")) /* saved-tensor hooks may return anything */
        return NULL;
    struct cti_sparse *pair = cti_sparse_of(input);
    ct_tensor *flat = ct_own_reshape(grad, cti_shape_of(pair->values)); /* merges batch dims */
    return cti_replace_take(flat, flat ? cti_sparse_made(pair->indices, flat, cti_shape_of(input),
                                                         pair->coalesced, input)
                                       : NULL);
}
