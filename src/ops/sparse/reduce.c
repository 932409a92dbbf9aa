/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, norms and softmax of sparse tensors: implements torch.sparse.sum and its relatives, and the
 * general operations for sparse arguments. See Note [Sparse tensors]. */
#include "ops/sparse/sparse.h"

#include "fronts.h"

/* ---- sums ---- */

/* Marks the dims to be reduced; *left is the number of sparse dims that remain. False: an error. */
static bool mark_dims(ct_tensor *input, ct_ints dim, bool *reduced, int64_t *left)
{
    for (int64_t i = 0; i < dim.n; i++) {
        int d;
        if (!cti_shape_wrap_dim(dim.v[i], input->ndim, &d))
            return false;
        if (reduced[d])
            return cti_refuse(CT_ERR_RUNTIME, "dim %d appears multiple times in the list of dims",
                              d);
        reduced[d] = true;
    }
    *left = 0;
    for (int64_t d = 0; d < cti_sparse_dims(input); d++)
        *left += !reduced[d];
    return true;
}

/* Returns the indices of the remaining sparse dims. */
static ct_tensor *rows_left(struct cti_hold *h, struct cti_coo *c, const bool *reduced)
{
    ct_tensor *rows[CTI_MAX_DIMS];
    int64_t n = 0;
    for (int64_t d = 0; d < c->indices->shape[0]; d++)
        if (!reduced[d] && !(rows[n++] = cti_sparse_row(h, c->indices, d)))
            return NULL;
    return cti_hold(h, ct_own_stack(ct_list_of(rows, n), 0));
}

/* Sums the values over dense dims, and drops the indices of summed sparse dims so that coalescing
 * adds the values. Dense if no sparse dim remains. The caller owns the result. */
static ct_tensor *sum_over(ct_tensor *input, ct_ints dim, enum ct_dtype dtype)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    bool reduced[CTI_MAX_DIMS] = {false};
    int64_t left, n = cti_sparse_dims(input), dense[CTI_MAX_DIMS + 1], ndense = 0,
                  shape[CTI_MAX_DIMS];
    if (!mark_dims(input, dim, reduced, &left) || !cti_sparse_open(&c, input, true))
        return NULL;
    ct_tensor *made = NULL, *values = c.values;
    if (left == 0)
        dense[ndense++] = 0;
    for (int64_t d = n; d < input->ndim; d++)
        if (reduced[d])
            dense[ndense++] = d - n + 1;
    if (ndense)
        values = cti_hold(&h, ct_own_sum(values, ct_ints_of(dense, ndense), false, dtype));
    else if (dtype != CT_NO_DTYPE)
        values = cti_hold(&h, ct_own_to_dtype(values, dtype));
    if (left == 0) {
        made = values;
    } else if (values) {
        int64_t dims = 0;
        for (int d = 0; d < input->ndim; d++)
            if (!reduced[d])
                shape[dims++] = input->shape[d];
        ct_tensor *indices = rows_left(&h, &c, reduced);
        ct_tensor *all = cti_hold(&h, ct_own_sparse_coo(indices, values, ct_ints_of(shape, dims),
                                                        left == n && c.coalesced));
        made = cti_hold(&h, ct_own_coalesce(all));
    }
    made = cti_hold_end(&h, made);
    cti_sparse_free(&c);
    return made;
}

ct_tensor *cti_op_sparse_sum(ct_tensor *input, ct_ints dim, enum ct_dtype dtype)
{
    if (dtype == CT_NO_DTYPE && dim.v && dim.n) /* unlike torch.sum, keeps integer dtypes */
        dtype = ct_dtype(input);
    return ct_own_sum(input, dim, false, dtype);
}

ct_tensor *cti_sparse_sum(ct_tensor *input, ct_ints dim, bool keepdim, enum ct_dtype dtype)
{
    struct cti_coo c;
    if (dtype == CT_NO_DTYPE && cti_is_integral(ct_dtype(input), true))
        dtype = CT_INT64;
    if (!dim.v || dim.n == 0) {
        if (!cti_sparse_open(&c, input, true))
            return NULL;
        ct_tensor *sum = ct_own_sum(c.values, CT_NO_DIMS, false, dtype);
        cti_sparse_free(&c);
        return sum;
    }
    bool reduced[CTI_MAX_DIMS] = {false};
    int64_t left;
    ct_tensor *sum = sum_over(input, dim, dtype);
    if (keepdim && sum && mark_dims(input, dim, reduced, &left))
        for (int d = 0; sum && d < input->ndim; d++)
            if (reduced[d])
                sum = cti_replace_take(sum, ct_own_unsqueeze(sum, d));
    return keepdim && sum ? cti_sparse_to_take_like(sum, input) : sum;
}

ct_tensor *cti_sparse_norm(ct_tensor *input, ct_value ord, ct_ints dim, bool keepdim,
                           enum ct_dtype dtype)
{
    struct cti_coo c;
    if (dim.v && dim.n && dim.n != input->ndim)
        return ct_fail(CT_ERR_RUNTIME, "norm_sparse currently only supports full reductions, so "
                                       "'dim' must either be empty or contain all dimensions of "
                                       "the input");
    if (keepdim)
        return ct_fail(CT_ERR_RUNTIME, "norm_sparse currently does not support keepdim=True");
    if (!cti_sparse_open(&c, input, false))
        return NULL;
    ct_tensor *norm = ct_own_norm(c.values, ord, CT_NO_DIMS, false, dtype);
    cti_sparse_free(&c);
    return norm;
}

/* ---- softmax ---- */

/* For each value, returns the index of its line along a sparse dim; lines without values are not
 * counted. */
static ct_tensor *line_of_each(struct cti_hold *h, struct cti_coo *c, int dim, int64_t *lines)
{
    int64_t n = c->indices->shape[0], shape[CTI_MAX_DIMS], rest = 0;
    ct_tensor *rows[CTI_MAX_DIMS], *key = NULL;
    for (int64_t d = 0; d < n; d++)
        if (d != dim) {
            shape[rest] = c->of->shape[d];
            if (!(rows[rest++] = cti_sparse_row(h, c->indices, d)))
                return NULL;
        }
    ct_tensor *indices = rest ? cti_hold(h, ct_own_stack(ct_list_of(rows, rest), 0))
                              : cti_hold(h, ct_own_narrow(c->indices, 0, 0, 0));
    key = indices ? cti_hold(h, cti_sparse_flat(indices, shape)) : NULL;
    struct ct_sort_result r = key ? ct_own_sort(key, 0, false, true) : (struct ct_sort_result){0};
    ct_tensor *sorted = cti_hold(h, r.values), *order = cti_hold(h, r.indices), *line = NULL;
    ct_list runs = {NULL, 0};
    if (sorted && order)
        runs = ct_own_unique_consecutive(sorted, true, false, CT_NO_DIM);
    if (runs.n >= 2) {
        *lines = runs.v[0]->numel;
        line = cti_hold(h, ct_own_scatter(runs.v[1], 0, order, runs.v[1]));
    }
    ct_list_release(runs);
    return line;
}

/* Computes the softmax of the values x over the entries of each line along a sparse dim. The caller
 * owns the result. */
static ct_tensor *softmax_along(struct cti_coo *c, ct_tensor *x, int dim, bool logarithm)
{
    struct cti_hold h = {0};
    int64_t lines = 0, shape[CTI_MAX_DIMS];
    ct_tensor *out = NULL, *line = line_of_each(&h, c, dim, &lines);
    for (int d = 0; line && d < x->ndim; d++)
        shape[d] = d ? x->shape[d] : lines;
    ct_tensor *zeros = line ? cti_hold(&h, ct_own_zeros(ct_ints_of(shape, x->ndim), ct_dtype(x),
                                                        ct_device_of(x), false))
                            : NULL;
    /* The maximum only keeps exp in range, so it needs no gradient. */
    ct_tensor *fixed = zeros ? cti_hold(&h, ct_own_detach(x)) : NULL;
    ct_tensor *at = fixed ? line : NULL;
    for (int d = 1; at && d < x->ndim; d++)
        at = cti_hold(&h, ct_own_unsqueeze(at, -1));
    at = cti_hold(&h, ct_own_expand_as(at, x));
    ct_tensor *most = cti_hold(&h, ct_own_scatter_reduce(zeros, 0, at, fixed, "amax", false));
    ct_tensor *top = cti_hold(&h, ct_own_index_select(most, 0, line));
    ct_tensor *less = top ? cti_hold(&h, ct_own_sub(V(x), V(top), ct_value_int(1))) : NULL;
    ct_tensor *e = cti_hold(&h, ct_own_exp(less));
    ct_tensor *sums = cti_hold(&h, ct_own_index_add(zeros, 0, line, e, ct_value_int(1)));
    if (sums && logarithm)
        sums = cti_hold(&h, ct_own_log(sums));
    ct_tensor *sum = cti_hold(&h, ct_own_index_select(sums, 0, line));
    if (sum)
        out = cti_hold(&h, logarithm ? ct_own_sub(V(less), V(sum), ct_value_int(1))
                                     : ct_own_div(V(e), V(sum), NULL));
    return cti_hold_end(&h, out);
}

/* Computes the softmax or its logarithm. Along a dense dim this is the softmax of the values; dense
 * inputs are accepted, too. */
ct_tensor *cti_op_sparse_softmax(ct_tensor *input, int64_t dim, enum ct_dtype dtype, bool logarithm)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    int at;
    if (!cti_shape_wrap_dim(dim, input->ndim, &at))
        return NULL;
    if (!cti_sparse_tensor(input))
        return logarithm ? ct_own_log_softmax(input, dim, dtype)
                         : ct_own_softmax(input, dim, dtype);
    if (!cti_sparse_open(&c, input, false))
        return NULL;
    int64_t n = c.indices->shape[0];
    ct_tensor *x = c.values;
    if (dtype != CT_NO_DTYPE)
        x = cti_hold(&h, ct_own_to_dtype(x, dtype));
    ct_tensor *out = NULL;
    if (x && at < n)
        out = x->numel ? softmax_along(&c, x, at, logarithm) : ct_retain(x);
    else if (x)
        out = logarithm ? ct_own_log_softmax(x, at - n + 1, CT_NO_DTYPE)
                        : ct_own_softmax(x, at - n + 1, CT_NO_DTYPE);
    cti_hold_end(&h, NULL);
    return cti_sparse_close(&c, out);
}
