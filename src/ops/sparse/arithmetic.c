/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, products and quotients of sparse tensors with sparse tensors, dense tensors and numbers;
 * copies. Generated entry points call these functions for sparse arguments, see Note [Sparse
 * tensors]. */
#include "ops/sparse/sparse.h"

#include "fronts.h"

static bool same_size(const char *what, const ct_tensor *a, const ct_tensor *b)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    return cti_same_shape(a, b->ndim, b->shape) ||
           cti_refuse(CT_ERR_RUNTIME,
                      "%s: expected 'self' and 'other' to have same size, but self has size %s "
                      "while other has size %s (FYI: op2-sparse addition does not currently "
                      "support broadcasting)",
                      what, cti_shape_text(have, a->ndim, a->shape),
                      cti_shape_text(want, b->ndim, b->shape));
}

/* Computes values * alpha in the dtype of the sum, because -1 would wrap in an unsigned dtype. */
static ct_tensor *scale_values(struct cti_hold *h, ct_tensor *values, ct_value alpha,
                               enum ct_dtype dtype)
{
    values = cti_hold(h, ct_own_to_dtype(values, dtype));
    if (values && !cti_number_is(alpha, 1))
        values = cti_hold(h, ct_own_mul(V(values), alpha));
    return values;
}

static ct_tensor *join_entries(struct cti_hold *h, ct_tensor *a, ct_tensor *b, int64_t dim)
{
    ct_tensor *two[] = {a, b};
    return a && b ? cti_hold(h, ct_own_cat(ct_list_of(two, 2), dim)) : NULL;
}

/* Adds two sparse tensors: concatenates their entries, or adds the values if they share the
 * indices. */
static ct_tensor *add_sparse(ct_tensor *input, ct_tensor *other, ct_value alpha,
                             enum ct_dtype dtype)
{
    struct cti_hold h = {0};
    struct cti_coo a, b = {0};
    ct_tensor *made = NULL;
    if (cti_sparse_dims(input) != cti_sparse_dims(other)) {
        /* As in PyTorch, an empty tensor may have any number of sparse dims. */
        if (!cti_compressed(input) && !cti_compressed(other) && ct_sparse_nnz(other) == 0)
            return ct_own_to_dtype(input, dtype);
        if (!cti_compressed(input) && !cti_compressed(other) && ct_sparse_nnz(input) == 0) {
            ct_tensor *cast = cti_hold(&h, ct_own_to_dtype(other, dtype));
            return cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(cast), alpha)));
        }
        return ct_fail(CT_ERR_RUNTIME,
                       "add: expected 'self' and 'other' to have same density, but 'self' has "
                       "%lld sparse dimensions while 'other' has %lld sparse dimensions",
                       (long long)cti_sparse_dims(input), (long long)cti_sparse_dims(other));
    }
    if (cti_sparse_open(&a, input, true) && cti_sparse_open(&b, other, true)) {
        ct_tensor *more = scale_values(&h, b.values, alpha, dtype);
        ct_tensor *own = cti_hold(&h, ct_own_to_dtype(a.values, dtype));
        if (a.indices->storage == b.indices->storage && a.ordered == b.ordered &&
            a.indices->numel == b.indices->numel && a.indices->offset == b.indices->offset) {
            ct_tensor *sum = own && more ? ct_own_add(V(own), V(more), ct_value_int(1)) : NULL;
            made = cti_sparse_close(&a, sum);
        } else {
            ct_tensor *indices = join_entries(&h, a.indices, b.indices, 1);
            ct_tensor *values = join_entries(&h, own, more, 0);
            made = ct_own_sparse_coo(indices, values, cti_shape_of(input), false);
            if (made && a.ordered && b.ordered && !cti_compressed(input))
                made = cti_replace_take(made, ct_own_coalesce(made));
            made = cti_sparse_to_take_like(made, input);
        }
    }
    cti_sparse_free(&a);
    cti_sparse_free(&b);
    cti_hold_end(&h, NULL);
    return made;
}

ct_tensor *cti_sparse_add(ct_value input, ct_value other, ct_value alpha)
{
    struct cti_hold h = {0};
    struct cti_coo c;
    ct_value both[] = {input, other};
    if (other.kind == CT_VALUE_TENSOR && !cti_sparse_value(other) &&
        cti_compressed(input.as.tensor)) { /* as in PyTorch, not for COO */
        ct_tensor *dense = cti_hold(&h, ct_own_mul(other, alpha));
        return cti_hold_end(&h, cti_hold(&h, ct_own_add(V(dense), input, ct_value_int(1))));
    }
    if (!cti_sparse_value(other))
        return ct_fail(CT_ERR_RUNTIME,
                       "add(sparse, dense) is not supported. Use add(dense, sparse) instead.");
    if (input.kind != CT_VALUE_TENSOR)
        return cti_sparse_refused("add");
    ct_tensor *a = input.as.tensor, *b = other.as.tensor, *made = NULL;
    enum ct_dtype dtype = cti_result_type(both, 2);
    if (dtype == CT_NO_DTYPE || !same_size("add", a, b))
        return NULL;
    if (cti_sparse_tensor(a))
        return add_sparse(a, b, alpha, dtype);
    if (!cti_sparse_open(&c, b, dtype != CT_BOOL))
        return NULL;
    ct_tensor *values = scale_values(&h, c.values, alpha, dtype);
    ct_tensor *dense = cti_hold(&h, ct_own_to_dtype(a, dtype));
    if (values && dense)
        made = cti_hold(&h, cti_sparse_put(dense, c.indices, values, true));
    cti_sparse_free(&c);
    return cti_hold_end(&h, made);
}

ct_tensor *cti_sparse_sub(ct_value input, ct_value other, ct_value alpha)
{
    ct_value operand[] = {input, other};
    if (!cti_check_sub(operand))
        return NULL;
    ct_value less = alpha.kind == CT_VALUE_FLOAT ? ct_value_float(-alpha.as.f)
                    : alpha.kind == CT_VALUE_INT ? ct_value_int(-alpha.as.i)
                                                 : ct_value_int(-1);
    return cti_sparse_add(input, other, less);
}

/* Multiplies two sparse tensors: keeps the entries at indices that both have. */
static ct_tensor *mul_sparse(ct_tensor *input, ct_tensor *other)
{
    struct cti_hold h = {0};
    struct cti_coo a, b = {0};
    ct_tensor *made = NULL, *hit = NULL;
    if (!same_size("mul", input, other))
        return NULL;
    if (cti_sparse_dims(input) != cti_sparse_dims(other))
        return ct_fail(CT_ERR_RUNTIME,
                       "mul: expected sparse inputs with equal number of sparse dimensions, but "
                       "got %lld and %lld",
                       (long long)cti_sparse_dims(input), (long long)cti_sparse_dims(other));
    if (cti_sparse_open(&a, input, false) && cti_sparse_open(&b, other, false)) {
        ct_tensor *values = cti_hold(&h, cti_sparse_lookup(&b, a.indices, &hit));
        ct_tensor *positions =
            cti_hold(&h, hit) && values ? cti_hold(&h, ct_own_nonzero(hit)) : NULL;
        ct_tensor *at = cti_hold(&h, ct_own_select(positions, 1, 0));
        ct_tensor *product = at ? cti_hold(&h, ct_own_mul(V(a.values), V(values))) : NULL;
        product = cti_hold(&h, ct_own_index_select(product, 0, at));
        ct_tensor *indices = product ? cti_hold(&h, ct_own_index_select(a.indices, 1, at)) : NULL;
        if (indices)
            made = cti_sparse_to_take_like(
                ct_own_sparse_coo(indices, product, cti_shape_of(input), a.coalesced), input);
    }
    cti_sparse_free(&a);
    cti_sparse_free(&b);
    cti_hold_end(&h, NULL);
    return made;
}

static bool is_number(ct_value v)
{
    return v.kind != CT_VALUE_TENSOR || v.as.tensor->ndim == 0;
}

ct_tensor *cti_sparse_mul(ct_value input, ct_value other)
{
    struct cti_coo c;
    if (cti_sparse_value(input) && cti_sparse_value(other))
        return mul_sparse(input.as.tensor, other.as.tensor);
    bool first = cti_sparse_value(input);
    ct_tensor *t = first ? input.as.tensor : other.as.tensor;
    ct_value factor = first ? other : input;
    if (!cti_sparse_open(&c, t, true))
        return NULL;
    if (is_number(factor))
        return cti_sparse_close(&c, ct_own_mul(V(c.values), factor));
    ct_tensor *dense = ct_own_expand(factor.as.tensor, cti_shape_of(t), false);
    ct_tensor *picked = dense ? cti_sparse_pick(dense, c.indices) : NULL;
    ct_tensor *product = picked ? ct_own_mul(V(c.values), V(picked)) : NULL;
    cti_release_all(picked, dense);
    return cti_sparse_close(&c, product);
}

ct_tensor *cti_sparse_div(ct_value input, ct_value other, const char *rounding_mode)
{
    struct cti_coo c;
    char shape[CTI_SHAPE_TEXT];
    if (!cti_sparse_value(input) || cti_sparse_value(other))
        return ct_fail(CT_ERR_RUNTIME,
                       "Sparse division requires a scalar or zero-dim dense tensor divisor (got a "
                       "sparse divisor)");
    if (!is_number(other))
        return ct_fail(CT_ERR_RUNTIME,
                       "Sparse division requires a scalar or zero-dim dense tensor divisor (got "
                       "shape %s for divisor)",
                       cti_shape_text(shape, other.as.tensor->ndim, other.as.tensor->shape));
    if (!cti_sparse_open(&c, input.as.tensor, !rounding_mode))
        return NULL;
    return cti_sparse_close(&c, ct_own_div(V(c.values), other, rounding_mode));
}

/* ---- copies ---- */

ct_tensor *cti_sparse_to_copy(ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                              bool non_blocking, int memory_format)
{
    struct cti_coo c;
    (void)memory_format;
    if (!cti_sparse_open(&c, input, true))
        return NULL;
    ct_tensor *values = ct_own_to(c.values, dtype, device, non_blocking, true, CT_PRESERVE_FORMAT);
    ct_tensor *indices =
        values ? ct_own_to(c.indices, CT_NO_DTYPE, device, non_blocking, true, CT_PRESERVE_FORMAT)
               : NULL;
    ct_release(c.indices);
    c.indices = indices;
    if (!indices) {
        ct_release(values);
        values = NULL;
    }
    return cti_sparse_close(&c, values);
}

ct_tensor *cti_sparse_clone(ct_tensor *input, int memory_format)
{
    return cti_sparse_to_copy(input, ct_dtype(input), CT_NO_DEVICE, false, memory_format);
}

ct_tensor *cti_sparse_copy(ct_tensor *input, ct_tensor *other, bool non_blocking)
{
    bool compressed = cti_compressed(input) || cti_compressed(other);
    if (!compressed && (!cti_sparse_tensor(input) || !cti_sparse_tensor(other)))
        return ct_fail(CT_ERR_RUNTIME,
                       "copy_() between dense and sparse Tensors is not implemented! Found self "
                       "type = %s and src type = %s",
                       cti_sparse_tensor(input) ? "torch.sparse" : "torch",
                       cti_sparse_tensor(other) ? "torch.sparse" : "torch");
    if (ct_layout_of(input) != ct_layout_of(other))
        return ct_fail(CT_ERR_RUNTIME,
                       "torch.copy_: copy of sparse compressed tensors having different layouts is "
                       "not supported. self layout is %s and src layout is %s",
                       cti_layout_name(input), cti_layout_name(other));
    int64_t have = cti_sparse_dims(input), want = cti_sparse_dims(other);
    if (!compressed && have != want && ct_sparse_nnz(input))
        return ct_fail(CT_ERR_RUNTIME,
                       "changing the number of sparse dimensions (from %lld to %lld) on a "
                       "non-empty sparse tensor is not supported.",
                       (long long)have, (long long)want);
    return same_size("copy_", input, other)
               ? cti_sparse_to_copy(other, ct_dtype(input), ct_device_of(input), non_blocking, -1)
               : NULL;
}

/* Makes an empty tensor with the shape, sparse dims and layout of another. */
static ct_tensor *none_like(ct_tensor *input, enum ct_dtype dtype, struct ct_device device)
{
    struct cti_sparse *pair = cti_sparse_of(input), kind = *pair;
    kind.coalesced = true;
    int64_t shape[CTI_MAX_DIMS + 1] = {0}, none[2] = {pair->indices->shape[0], 0};
    for (int d = 1; d < pair->values->ndim; d++)
        shape[d] = pair->values->shape[d];
    device = device.type == CT_NO_DEVICE_TYPE ? ct_device_of(input) : device;
    dtype = dtype == CT_NO_DTYPE ? ct_dtype(input) : dtype;
    return cti_sparse_take(
        ct_own_zeros(ct_ints_of(none, 2), CT_INT64, device, false),
        ct_own_zeros(ct_ints_of(shape, pair->values->ndim), dtype, device, false),
        cti_shape_of(input), kind);
}

ct_tensor *cti_sparse_zeros_like(ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                                 bool requires_grad, int memory_format)
{
    (void)memory_format;
    ct_tensor *t = none_like(input, dtype, device);
    return cti_take_if(t, t && (!requires_grad || ct_set_requires_grad(t, true)));
}

ct_tensor *cti_sparse_zero(ct_tensor *input)
{
    return none_like(input, CT_NO_DTYPE, CT_NO_DEVICE);
}
