/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements tensordot and inner, declared in matmul.toml: each contraction is one product of two
 * matrices. They are composed of differentiable operations. */
#include "core/check_args.h"
#include "core/scope.h"
#include "fronts.h"
#include "ops/matmul/matmul.h"

/* Returns dims as a bit set; duplicates are an error. */
static bool dim_set(ct_ints dims, int ndim, uint64_t *set, int *wrapped)
{
    *set = 0;
    for (int64_t i = 0; i < dims.n; i++) {
        if (!cti_shape_wrap_dim(dims.v[i], ndim, &wrapped[i]))
            return false;
        if (*set >> wrapped[i] & 1)
            return ct_fail(CT_ERR_RUNTIME, "dim %d appears multiple times in the list of dims",
                           wrapped[i]);
        *set |= UINT64_C(1) << wrapped[i];
    }
    return true;
}

struct contraction {
    ct_tensor *t[2]; /* owned */
    int dims[2][CTI_MAX_DIMS];
    int64_t common; /* product of the contracted sizes */
};

/* If a contracted dim has size 1 in one operand, it is broadcast, so the other operand is summed
 * along it. */
static bool sum_broadcast(struct contraction *c, ct_ints dims1, ct_ints dims2)
{
    const ct_tensor *first = c->t[0], *second = c->t[1];
    c->common = 1;
    for (int64_t i = 0; i < dims1.n; i++) {
        int d1, d2;
        if (!cti_shape_wrap_dim(dims1.v[i], first->ndim, &d1) ||
            !cti_shape_wrap_dim(dims2.v[i], second->ndim, &d2))
            return false;
        int64_t s1 = first->ndim ? first->shape[d1] : 1, s2 = second->ndim ? second->shape[d2] : 1;
        if (s2 == 1 || s1 == 1) {
            int which = s2 == 1 ? 0 : 1;
            int64_t dim = which ? d2 : d1;
            if (!cti_product_renew(&c->t[which], ct_own_sum(c->t[which], ct_ints_of(&dim, 1), true,
                                                            c->t[which]->dtype)))
                return false;
        } else if (s1 != s2) {
            return ct_fail(CT_ERR_RUNTIME,
                           "contracted dimensions need to match, but first has size %lld in dim "
                           "%lld and second has size %lld in dim %lld",
                           (long long)s1, (long long)dims1.v[i], (long long)s2,
                           (long long)dims2.v[i]);
        } else {
            c->common *= s1;
        }
        first = c->t[0];
        second = c->t[1];
    }
    return true;
}

/* t as a matrix: free dims are rows and contracted dims columns (which = 0), or the reverse (1).
 * Appends the free sizes to `shape`. */
static ct_tensor *contract_matrix(const struct contraction *c, int which, ct_ints dims,
                                  uint64_t set, int64_t *shape, int *ndim)
{
    ct_tensor *t = c->t[which];
    int64_t order[CTI_MAX_DIMS], size = 1;
    int n = 0;
    for (int64_t i = 0; which && i < dims.n; i++)
        order[n++] = c->dims[which][i];
    for (int d = 0; d < t->ndim; d++)
        if (!(set >> d & 1)) {
            order[n++] = d;
            size *= t->shape[d];
            shape[(*ndim)++] = t->shape[d];
        }
    for (int64_t i = 0; !which && i < dims.n; i++)
        order[n++] = c->dims[which][i];
    ct_tensor *transposed = ct_own_permute(t, ct_ints_of(order, t->ndim ? n : 0));
    int64_t matrix[2] = {which ? c->common : size, which ? size : c->common};
    return cti_replace_take(transposed, ct_own_reshape(transposed, ct_ints_of(matrix, 2)));
}

/* A row times a column becomes a dot product. */
static ct_tensor *multiply_flat(ct_tensor *left, ct_tensor *right)
{
    if (!left || !right || left->shape[0] != 1 || right->shape[1] != 1)
        return ct_own_mm(left, right);
    ct_ints all = ct_ints_of((int64_t[]){left->shape[1]}, 1);
    ct_tensor *a = ct_own_reshape(left, all), *b = ct_own_reshape(right, all);
    ct_tensor *sum = ct_own_dot(a, b);
    cti_release_all(a, b);
    return sum;
}

ct_tensor *cti_op_tensordot_dims(ct_tensor *input, ct_tensor *other, ct_ints dims_self,
                                 ct_ints dims_other)
{
    if (dims_self.n != dims_other.n)
        return ct_fail(CT_ERR_RUNTIME, "both dimension lists should have same length");
    if (input->dtype != other->dtype)
        return ct_fail(CT_ERR_RUNTIME, "both inputs should have same dtype");
    struct contraction c = {.t = {ct_retain(input), ct_retain(other)}};
    uint64_t set1, set2;
    int64_t shape[2 * CTI_MAX_DIMS];
    int ndim = 0;
    ct_tensor *left = NULL, *right = NULL, *flat = NULL, *result = NULL;
    if (sum_broadcast(&c, dims_self, dims_other) &&
        dim_set(dims_self, input->ndim, &set1, c.dims[0]) &&
        dim_set(dims_other, other->ndim, &set2, c.dims[1])) {
        left = contract_matrix(&c, 0, dims_self, set1, shape, &ndim);
        right = contract_matrix(&c, 1, dims_other, set2, shape, &ndim);
        flat = multiply_flat(left, right);
        result = ct_own_reshape(flat, ct_ints_of(shape, ndim));
    }
    cti_release_all(c.t[0], c.t[1], left, right, flat);
    return result;
}

/* The form for C programs: contracts the last `dims` dims of input with the first `dims` of
 * other. */
ct_tensor *ct_tensordot_ex(ct_tensor *input, ct_tensor *other,
                           const struct ct_tensordot_args *given)
{
    struct ct_tensordot_args a = ct_tensordot_defaults;
    int64_t last[CTI_MAX_DIMS], first[CTI_MAX_DIMS];
    cti_keywords_copy(&a, sizeof a, given);
    if (!cti_check_tensor(input, "ct_tensordot", "input") ||
        !cti_check_tensor(other, "ct_tensordot", "other"))
        return NULL;
    int64_t most = input->ndim < other->ndim ? input->ndim : other->ndim;
    if (a.dims < 0)
        return ct_fail(CT_ERR_RUNTIME, "tensordot expects dims >= 0, but got dims=%lld",
                       (long long)a.dims);
    if (a.dims > most)
        return ct_fail(CT_ERR_RUNTIME,
                       "tensordot expects dims < ndim_a or ndim_b, but got dims=%lld",
                       (long long)a.dims);
    for (int64_t i = 0; i < a.dims; i++) {
        last[i] = i - a.dims;
        first[i] = i;
    }
    return ct_scoped(
        ct_own_tensordot_dims(input, other, ct_ints_of(last, a.dims), ct_ints_of(first, a.dims)));
}

/* Contracts both last dims. */
ct_tensor *cti_op_inner(ct_tensor *input, ct_tensor *other)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (!input->ndim || !other->ndim)
        return ct_own_mul(V(input), V(other));
    if (input->shape[input->ndim - 1] != other->shape[other->ndim - 1])
        return ct_fail(
            CT_ERR_RUNTIME,
            "inner() the last dimension must match on both input tensors but got shapes %s and %s",
            cti_shape_text(a, input->ndim, input->shape),
            cti_shape_text(b, other->ndim, other->shape));
    if (input->ndim == 1 && other->ndim == 1 && input->dtype == other->dtype) {
        ct_tensor *dot = ct_own_dot(input, other); /* like tensordot, which ends in a view */
        ct_tensor *view = ct_own_view(dot, ct_ints_of((int64_t[]){0}, 0));
        ct_release(dot);
        return view;
    }
    ct_ints last = ct_ints_of((int64_t[]){-1}, 1);
    return cti_op_tensordot_dims(input, other, last, last);
}
