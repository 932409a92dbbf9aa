/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with sparse matrices: gathers rows of the dense factor, scales them by the values and
 * adds them up by row. Generated entry points call these functions for sparse arguments, see Note
 * [Sparse tensors]. */
#include "ops/sparse/sparse.h"

#include "fronts.h"

/* Checks sizes and dtypes of two factors, at least one of them sparse. */
static bool sparse_check_factors(const ct_tensor *a, const ct_tensor *b, int ndim)
{
    const ct_tensor *sparse = cti_sparse_tensor(a) ? a : b;
    if (a->ndim != ndim || (b->ndim != ndim && b->ndim != 1))
        return cti_refuse(CT_ERR_RUNTIME,
                          "addmm: Argument #%d: Expected dense tensor to have %d dimensions, but "
                          "got %d",
                          a->ndim != ndim ? 2 : 3, ndim, a->ndim != ndim ? a->ndim : b->ndim);
    if (ct_dense_dim(sparse) > 0)
        return cti_refuse(CT_ERR_RUNTIME, "addmm: scalar values expected, got %lldD values",
                          (long long)ct_dense_dim(sparse));
    if (a->dtype != b->dtype)
        return cti_refuse(CT_ERR_RUNTIME, "expected scalar type %s but found %s",
                          cti_dtype_scalar_name(ct_dtype(a)), cti_dtype_scalar_name(ct_dtype(b)));
    int inner = b->ndim == 1 ? 0 : ndim - 2;
    bool compressed = cti_compressed(sparse);
    if (a->shape[ndim - 1] != b->shape[inner] && sparse == a && ndim == 2 && b->ndim == 2 &&
        !cti_sparse_tensor(b) && !compressed)
        return cti_refuse(CT_ERR_RUNTIME,
                          "addmm: Argument #3 (dense): Expected dim 0 size %lld, got %lld",
                          (long long)a->shape[1], (long long)b->shape[0]);
    if (a->shape[ndim - 1] != b->shape[inner])
        return cti_refuse(CT_ERR_RUNTIME,
                          "%smat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)",
                          compressed ? "addmm: " : "", (long long)a->shape[ndim - 2],
                          (long long)a->shape[ndim - 1], (long long)b->shape[inner],
                          (long long)(b->ndim == 1 ? 1 : b->shape[ndim - 1]));
    return true;
}

/* [rows] or [rows, columns]: out[row[i]] += values[i] * dense[column[i]]. */
static ct_tensor *add_scaled_rows(struct cti_coo *c, int64_t rows, ct_tensor *row,
                                  ct_tensor *column, ct_tensor *dense)
{
    struct cti_hold h = {0};
    int64_t shape[2] = {rows, dense->ndim == 2 ? dense->shape[1] : 0};
    ct_tensor *out = NULL;
    ct_tensor *zeros = cti_hold(&h, ct_own_zeros(ct_ints_of(shape, dense->ndim), ct_dtype(dense),
                                                 ct_device_of(dense), false));
    ct_tensor *picked = zeros ? cti_hold(&h, ct_own_index_select(dense, 0, column)) : NULL;
    ct_tensor *scale = dense->ndim == 2 ? cti_hold(&h, ct_own_unsqueeze(c->values, 1)) : c->values;
    ct_tensor *part = picked && scale ? cti_hold(&h, ct_own_mul(V(picked), V(scale))) : NULL;
    if (part)
        out = cti_hold(&h, ct_own_index_add(zeros, 0, row, part, ct_value_int(1)));
    return cti_hold_end(&h, out);
}

static ct_tensor *by_dense(ct_tensor *sparse, ct_tensor *dense)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    ct_tensor *out = NULL;
    if (!cti_sparse_open(&c, sparse, true))
        return NULL;
    ct_tensor *row = cti_sparse_row(&h, c.indices, 0), *column = cti_sparse_row(&h, c.indices, 1);
    if (row && column)
        out = cti_hold(&h, add_scaled_rows(&c, sparse->shape[0], row, column, dense));
    cti_sparse_free(&c);
    return cti_hold_end(&h, out);
}

bool cti_sparse_matches(struct cti_hold *h, ct_tensor *sorted, ct_tensor *wanted, ct_tensor **which,
                        ct_tensor **where)
{
    ct_value one = ct_value_int(1);
    ct_tensor *begin =
        cti_hold(h, ct_own_searchsorted(sorted, V(wanted), false, false, NULL, CT_NO_TENSOR));
    ct_tensor *end =
        cti_hold(h, ct_own_searchsorted(sorted, V(wanted), false, true, NULL, CT_NO_TENSOR));
    ct_tensor *count = begin && end ? cti_hold(h, ct_own_sub(V(end), V(begin), one)) : NULL;
    *which = cti_hold(h, ct_own_repeat_interleave_Tensor(count, CT_NO_DIM));
    /* Match k belongs to a group; its index within the group is k - (matches before the group). */
    ct_tensor *upto = *which ? cti_hold(h, ct_own_cumsum(count, 0, CT_NO_DTYPE)) : NULL;
    ct_tensor *before = upto ? cti_hold(h, ct_own_sub(V(upto), V(count), one)) : NULL;
    ct_tensor *shift = before ? cti_hold(h, ct_own_sub(V(begin), V(before), one)) : NULL;
    ct_tensor *of = cti_hold(h, ct_own_index_select(shift, 0, *which));
    ct_tensor *k = of ? cti_hold(h, ct_own_arange(ct_value_int(0), ct_value_int((*which)->numel),
                                                  one, CT_INT64, ct_device_of(sorted), false))
                      : NULL;
    *where = k ? cti_hold(h, ct_own_add(V(k), V(of), one)) : NULL;
    return *where != NULL;
}

static ct_tensor *sparse_select(struct cti_hold *h, ct_tensor *t, ct_tensor *index)
{
    return cti_hold(h, ct_own_index_select(t, 0, index));
}

/* For two sparse factors: combines each value of a with the row of b that its column selects. */
static ct_tensor *by_sparse(ct_tensor *input, ct_tensor *other)
{
    struct cti_hold h = {0};
    struct cti_coo a, b = {0};
    ct_tensor *which, *where, *made = NULL;
    /* COO sorts b by rows, as the search below requires. */
    other =
        cti_hold(&h, ct_own_to_sparse(other, CT_NO_DIM, CT_SPARSE_COO, (ct_ints){0}, CT_NO_DIM));
    bool open = cti_sparse_open(&a, input, true) && other && cti_sparse_open(&b, other, false);
    ct_tensor *column = open ? cti_sparse_row(&h, a.indices, 1) : NULL;
    ct_tensor *line = column ? cti_sparse_row(&h, b.indices, 0) : NULL;
    line = cti_hold(&h, ct_own_contiguous(line, CT_CONTIGUOUS_FORMAT));
    if (line && cti_sparse_matches(&h, line, column, &which, &where)) {
        int64_t shape[2] = {input->shape[0], other->shape[1]};
        enum ct_layout layout = cti_compressed(input) ? CT_SPARSE_CSR : CT_SPARSE_COO;
        ct_tensor *left = sparse_select(&h, a.values, which),
                  *right = sparse_select(&h, b.values, where);
        ct_tensor *product = left && right ? cti_hold(&h, ct_own_mul(V(left), V(right))) : NULL;
        ct_tensor *rows[] = {sparse_select(&h, cti_sparse_row(&h, a.indices, 0), which),
                             sparse_select(&h, cti_sparse_row(&h, b.indices, 1), where)};
        ct_tensor *indices =
            rows[0] && rows[1] ? cti_hold(&h, ct_own_stack(ct_list_of(rows, 2), 0)) : NULL;
        ct_tensor *all =
            cti_hold(&h, ct_own_sparse_coo(indices, product, ct_ints_of(shape, 2), false));
        made = all ? cti_hold(&h, cti_sparse_to_take(ct_own_coalesce(all), layout, false)) : NULL;
    }
    cti_sparse_free(&a);
    cti_sparse_free(&b);
    return cti_hold_end(&h, made);
}

/* PyTorch implements block compressed rows only as the left factor of a dense matrix. */
static bool check_blocks(const ct_tensor *a, const ct_tensor *b)
{
    enum ct_layout left = ct_layout_of(a), right = ct_layout_of(b);
    bool good = !cti_has_blocks(right) &&
                (!cti_has_blocks(left) || (left == CT_SPARSE_BSR && right == CT_STRIDED));
    /* linear() transposes a BSR weight to BSC. */
    good = good || (left == CT_STRIDED && right == CT_SPARSE_BSC);
    return good || cti_refuse(CT_ERR_RUNTIME,
                              "addmm: computation on CPU is not implemented for Strided + %s @ %s",
                              cti_layout_name(a), cti_layout_name(b));
}

ct_tensor *cti_sparse_mm(ct_tensor *input, ct_tensor *mat2)
{
    struct cti_hold h = {0};
    if (!check_blocks(input, mat2) || !sparse_check_factors(input, mat2, 2))
        return NULL;
    if (cti_sparse_tensor(input))
        return cti_sparse_tensor(mat2) ? by_sparse(input, mat2) : by_dense(input, mat2);
    /* a b = (b^T a^T)^T */
    ct_tensor *bt = cti_hold(&h, ct_own_t(mat2)), *at = cti_hold(&h, ct_own_t(input));
    ct_tensor *ct = bt && at ? cti_hold(&h, by_dense(bt, at)) : NULL;
    ct_tensor *c = cti_hold(&h, ct_own_t(ct));
    return cti_hold_end(&h, c);
}

ct_tensor *cti_op_sparse_mm(ct_tensor *mat1, ct_tensor *mat2)
{
    return ct_own_mm(mat1, mat2);
}

ct_tensor *cti_sparse_mv(ct_tensor *input, ct_tensor *vec)
{
    if (!cti_sparse_tensor(input) || cti_sparse_tensor(vec))
        return cti_sparse_refused("mv");
    if (input->ndim != 2 || vec->ndim != 1)
        return ct_fail(CT_ERR_RUNTIME, "mv: two dim tensor 'self' and one dim tensor 'vec' are "
                                       "expected");
    if (input->shape[1] != vec->shape[0] && cti_compressed(input))
        return ct_fail(CT_ERR_RUNTIME,
                       "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)",
                       (long long)input->shape[0], (long long)input->shape[0],
                       (long long)input->shape[1], (long long)vec->shape[0]);
    if (input->shape[1] != vec->shape[0])
        return ct_fail(CT_ERR_RUNTIME, "mv: expected self.size(-1) == vec.size(-1)");
    return sparse_check_factors(input, vec, 2) ? by_dense(input, vec) : NULL;
}

/* Multiplies a batch as one block diagonal matrix. */
ct_tensor *cti_sparse_bmm(ct_tensor *input, ct_tensor *mat2)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    ct_tensor *out = NULL;
    if (!cti_sparse_tensor(input) || cti_sparse_tensor(mat2))
        return cti_sparse_refused("bmm");
    if (!sparse_check_factors(input, mat2, 3) || input->shape[0] != mat2->shape[0])
        return ct_fail(CT_ERR_RUNTIME, "bmm_sparse: Argument 'mat2' must be 3 dimensional, with as "
                                       "many matrices as 'self'");
    if (!cti_sparse_open(&c, input, true))
        return NULL;
    int64_t n = input->shape[0], rows = input->shape[1], inner = input->shape[2];
    int64_t flat[2] = {cti_mul_sat(n, inner), mat2->shape[2]}, full[3] = {n, rows, mat2->shape[2]};
    ct_tensor *batch = cti_sparse_row(&h, c.indices, 0), *dense = NULL, *row_of[2] = {0};
    for (int d = 0; batch && d < 2; d++) {
        ct_tensor *step = cti_hold(&h, ct_own_mul(V(batch), ct_value_int(d ? inner : rows)));
        ct_tensor *row = cti_sparse_row(&h, c.indices, d + 1);
        if (step && row)
            row_of[d] = cti_hold(&h, ct_own_add(V(step), V(row), ct_value_int(1)));
    }
    if (row_of[0] && row_of[1])
        dense = cti_hold(&h, ct_own_reshape(mat2, ct_ints_of(flat, 2)));
    if (dense)
        out = cti_hold(&h, add_scaled_rows(&c, cti_mul_sat(n, rows), row_of[0], row_of[1], dense));
    out = cti_hold(&h, ct_own_reshape(out, ct_ints_of(full, 3)));
    cti_sparse_free(&c);
    return cti_hold_end(&h, out);
}

ct_tensor *cti_sparse_matmul(ct_tensor *input, ct_tensor *other)
{
    struct cti_hold h = {0};
    if (input->ndim == 2 && other->ndim == 1)
        return ct_own_mv(input, other);
    if (input->ndim == 3 && other->ndim == 3)
        return ct_own_bmm(input, other);
    if (input->ndim == 1 && other->ndim == 2 && cti_sparse_tensor(other)) {
        ct_tensor *t = cti_hold(&h, ct_own_t(other));
        return cti_hold_end(&h, cti_hold(&h, ct_own_mv(t, input)));
    }
    return ct_own_mm(input, other);
}

ct_tensor *cti_sparse_addmm(ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2, ct_value beta,
                            ct_value alpha)
{
    struct cti_hold h = {0};
    ct_tensor *product = cti_hold(&h, ct_own_mm(mat1, mat2));
    ct_tensor *base = product ? cti_hold(&h, ct_own_mul(V(input), beta)) : NULL;
    ct_tensor *sum = base ? cti_hold(&h, ct_own_add(V(base), V(product), alpha)) : NULL;
    return cti_hold_end(&h, sum);
}

/* beta * input + alpha * (mat1 mat2), computing only the stored elements of input. */
ct_tensor *cti_op_sparse_sampled_addmm(ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2,
                                       ct_value beta, ct_value alpha)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    if (!cti_compressed(input) || cti_sparse_tensor(mat1) || cti_sparse_tensor(mat2))
        return cti_sparse_refused("sparse_sampled_addmm");
    if (input->ndim != 2 || mat1->ndim != 2 || mat2->ndim != 2)
        return ct_fail(CT_ERR_RUNTIME, "sampled_addmm: Expected matrices, got %dD, %dD and %dD",
                       input->ndim, mat1->ndim, mat2->ndim);
    if (mat1->shape[1] != mat2->shape[0])
        return ct_fail(
            CT_ERR_RUNTIME,
            "sampled_addmm: mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)",
            (long long)mat1->shape[0], (long long)mat1->shape[1], (long long)mat2->shape[0],
            (long long)mat2->shape[1]);
    if (mat1->shape[0] != input->shape[0] || mat2->shape[1] != input->shape[1])
        return ct_fail(CT_ERR_RUNTIME, "sampled_addmm: self.shape[-2] must match mat1.shape[-2] "
                                       "and self.shape[-1] must match mat2.shape[-1]");
    if (!cti_sparse_open(&c, input, false))
        return NULL;
    ct_tensor *columns = cti_hold(&h, ct_own_t(mat2));
    ct_tensor *left = sparse_select(&h, mat1, cti_sparse_row(&h, c.indices, 0));
    ct_tensor *right =
        columns ? sparse_select(&h, columns, cti_sparse_row(&h, c.indices, 1)) : NULL;
    ct_tensor *product = left && right ? cti_hold(&h, ct_own_mul(V(left), V(right))) : NULL;
    ct_tensor *sum =
        product ? cti_hold(&h, ct_own_sum(product, CT_DIMS(1), false, ct_dtype(product))) : NULL;
    ct_tensor *old = sum ? cti_hold(&h, ct_own_mul(V(c.values), beta)) : NULL;
    ct_tensor *values = old ? ct_own_add(V(old), V(sum), alpha) : NULL;
    cti_hold_end(&h, NULL);
    return cti_sparse_close(&c, values);
}

ct_tensor *cti_sparse_linear(ct_tensor *input, ct_tensor *weight, ct_tensor *bias)
{
    struct cti_hold h = {0};
    if (cti_sparse_tensor(input) || cti_sparse_tensor(bias) || weight->ndim != 2)
        return cti_sparse_refused("linear");
    ct_tensor *rows = input->ndim > 1 ? cti_hold(&h, ct_own_flatten(input, 0, -2)) : input;
    ct_tensor *w = rows ? cti_hold(&h, ct_own_t(weight)) : NULL;
    ct_tensor *out = cti_hold(&h, ct_own_matmul(rows, w));
    if (out && bias != CT_NO_TENSOR)
        out = cti_hold(&h, ct_own_add(V(out), V(bias), ct_value_int(1)));
    if (out && input->ndim > 2) {
        int64_t shape[CTI_MAX_DIMS];
        for (int d = 0; d < input->ndim; d++)
            shape[d] = d < input->ndim - 1 ? input->shape[d] : weight->shape[0];
        out = cti_hold(&h, ct_own_reshape(out, ct_ints_of(shape, input->ndim)));
    }
    return cti_hold_end(&h, out);
}
