/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements matrix powers, products of several matrices, the Kronecker product and the cross
 * product; declared in matmul.toml. They are composed of differentiable operations, so most need no
 * separate derivative. */
#include "core/alloc.h"
#include "fronts.h"
#include "ops/matmul/matmul.h"
#include "ops/shape/views/views.h"

#include <string.h>

/* ---- powers and chains ---- */

static ct_tensor *identity_like(ct_tensor *t)
{
    ct_tensor *copy = ct_own_clone(t, CT_CONTIGUOUS_FORMAT);
    ct_tensor *unit = copy ? ct_own_eye(t->shape[t->ndim - 1], t->shape[t->ndim - 1], t->dtype,
                                        t->storage->device, false)
                           : NULL;
    ct_tensor *done = ct_own_copy_(copy, unit, false);
    ct_release(unit);
    return cti_take_if(copy, done != NULL);
}

ct_tensor *cti_op_matrix_power(ct_tensor *input, int64_t n)
{
    int ndim = input->ndim;
    if (ndim < 2)
        return ct_fail(CT_ERR_RUNTIME, "linalg.matrix_power: The input tensor A must have at least "
                                       "2 dimensions.");
    if (input->shape[ndim - 2] != input->shape[ndim - 1])
        return ct_fail(CT_ERR_RUNTIME,
                       "linalg.matrix_power: A must be batches of square matrices, but they are "
                       "%lld by %lld matrices",
                       (long long)input->shape[ndim - 2], (long long)input->shape[ndim - 1]);
    if (n < 0) { /* -INT64_MIN overflows; INT64_MAX fails as well: neither power can be computed */
        ct_tensor *inverse = ct_own_linalg_inv(input);
        return cti_replace_take(
            inverse, n == -1 ? ct_retain(inverse)
                             : ct_own_matrix_power(inverse, n == INT64_MIN ? INT64_MAX : -n));
    }
    if (n == 0)
        return identity_like(input);
    if (n == 1)
        return ct_own_clone(input, CT_CONTIGUOUS_FORMAT);
    if (n == 3) { /* as in PyTorch; squaring would round in another order */
        ct_tensor *square = ct_own_matmul(input, input), *cube = ct_own_matmul(square, input);
        ct_release(square);
        return cube;
    }
    ct_tensor *power = NULL, *result = NULL;
    for (bool good = true; n > 0 && good; n /= 2) {
        good = cti_product_renew(&power, power ? ct_own_matmul(power, power) : ct_retain(input));
        if (good && n % 2)
            good = cti_product_renew(&result,
                                     result ? ct_own_matmul(result, power) : ct_retain(power));
        if (!good)
            cti_product_renew(&result, NULL);
    }
    ct_release(power);
    return result;
}

/* Finds, for each chain i, ..., j, the last product in the order with the fewest multiplications
 * (dynamic programming). */
struct order {
    int64_t n, *cut;
    double *cost;
};

static void choose_order(const struct order *o, const ct_list chain)
{
    int64_t n = o->n;
    for (int64_t i = 0; i < n; i++)
        o->cost[i * n + i] = 0;
    for (int64_t span = 1; span < n; span++)
        for (int64_t i = 0; i + span < n; i++) {
            int64_t j = i + span;
            o->cost[i * n + j] = -1;
            for (int64_t k = i; k < j; k++) {
                double cost = o->cost[i * n + k] + o->cost[(k + 1) * n + j] +
                              (double)chain.v[i]->shape[0] * (double)chain.v[k]->shape[1] *
                                  (double)chain.v[j]->shape[1];
                if (o->cost[i * n + j] < 0 || cost < o->cost[i * n + j]) {
                    o->cost[i * n + j] = cost;
                    o->cut[i * n + j] = k;
                }
            }
        }
}

/* Recurses at most as deep as the chain is long. */
static ct_tensor *multiply_chain(const struct order *o, const ct_list chain, int64_t i, int64_t j)
{
    if (i == j)
        return ct_retain(chain.v[i]);
    int64_t k = o->cut[i * o->n + j];
    ct_tensor *left = multiply_chain(o, chain, i, k), *right = multiply_chain(o, chain, k + 1, j);
    ct_tensor *result = ct_own_mm(left, right);
    cti_release_all(left, right);
    return result;
}

static bool check_neighbours(ct_list t)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    for (int64_t i = 1; i < t.n; i++) {
        ct_tensor *left = t.v[i - 1], *right = t.v[i];
        if (right->dtype != t.v[0]->dtype)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                "%s and tensor %lld %s",
                cti_product_type_name(t.v[0]), (long long)i, cti_product_type_name(right));
        if (left->shape[left->ndim - 1] != right->shape[0])
            return cti_refuse(CT_ERR_RUNTIME,
                              "multi_dot(): tensors %lld and %lld with shapes %s and %s cannot be "
                              "multiplied",
                              (long long)i - 1, (long long)i,
                              cti_shape_text(a, left->ndim, left->shape),
                              cti_shape_text(b, right->ndim, right->shape));
    }
    return true;
}

/* The product of checked matrices, at least one, in the order that costs least. */
static ct_tensor *best_product(ct_list matrices)
{
    int64_t n = matrices.n;
    struct order o = {n, cti_malloc((size_t)(n * n) * sizeof *o.cut),
                      cti_malloc((size_t)(n * n) * sizeof *o.cost)};
    ct_tensor *product = NULL;
    if (o.cut && o.cost) {
        choose_order(&o, matrices);
        product = multiply_chain(&o, matrices, 0, n - 1);
    }
    cti_free(o.cut);
    cti_free(o.cost);
    return product;
}

ct_tensor *cti_op_chain_matmul(ct_list matrices)
{
    static bool warned;
    int64_t n = matrices.n;
    cti_warn_once(
        &warned,
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. "
        "Use torch.linalg.multi_dot instead, which accepts a list of two or more tensors "
        "rather than multiple parameters.");
    if (n == 0)
        return ct_fail(CT_ERR_RUNTIME, "chain_matmul(): Expected one or more matrices");
    for (int64_t i = 0; i < n; i++)
        if (matrices.v[i]->ndim != 2)
            return ct_fail(CT_ERR_RUNTIME, "Tensor dimension is %d, expected 2 instead.",
                           matrices.v[i]->ndim);
    if (!check_neighbours(matrices))
        return NULL;
    if (n == 1)
        return ct_own_clone(matrices.v[0], -1);
    ct_tensor *flat = best_product(matrices);
    return cti_replace_take(flat, ct_own_view(flat, cti_shape_of(flat)));
}

static bool chain_check_dims(ct_list t)
{
    if (t.n < 2)
        return cti_refuse(CT_ERR_RUNTIME, "multi_dot(): expected at least 2 tensors but got %lld",
                          (long long)t.n);
    for (int end = 0; end < 2; end++) {
        int ndim = t.v[end ? t.n - 1 : 0]->ndim;
        if (ndim != 1 && ndim != 2)
            return cti_refuse(CT_ERR_RUNTIME,
                              "multi_dot(): the %s tensor must be 1D or 2D but got %dD",
                              end ? "last" : "first", ndim);
    }
    for (int64_t i = 1; i < t.n - 1; i++)
        if (t.v[i]->ndim != 2)
            return cti_refuse(CT_ERR_RUNTIME, "multi_dot(): tensor %lld must be 2D but got %dD",
                              (long long)i, t.v[i]->ndim);
    return true;
}

/* A vector as the first tensor is a row, as the last a column. */
ct_tensor *cti_op_linalg_multi_dot(ct_list tensors)
{
    int64_t n = tensors.n, shape[2];
    int ndim = 0;
    if (!chain_check_dims(tensors) || !check_neighbours(tensors))
        return NULL;
    ct_tensor *first = tensors.v[0], *last = tensors.v[n - 1], *product = NULL, *result = NULL;
    ct_tensor **matrix = cti_malloc((size_t)n * sizeof *matrix);
    if (!matrix)
        return NULL;
    memcpy(matrix, tensors.v, (size_t)n * sizeof *matrix);
    if (first->ndim == 2)
        shape[ndim++] = first->shape[0];
    if (last->ndim == 2)
        shape[ndim++] = last->shape[1];
    matrix[0] = first->ndim == 2 ? ct_retain(first) : ct_own_unsqueeze(first, 0);
    matrix[n - 1] = last->ndim == 2 ? ct_retain(last) : ct_own_unsqueeze(last, 1);
    if (matrix[0] && matrix[n - 1])
        product = best_product(ct_list_of(matrix, n));
    result = ct_own_view(product, ct_ints_of(shape, ndim));
    cti_release_all(matrix[0], matrix[n - 1], product);
    cti_free(matrix);
    return result;
}

/* ---- Kronecker product ---- */

/* Reshapes t to 2 * ndim dims: each size is followed (slot 0) or preceded (slot 1) by a 1. */
static ct_tensor *interleave(ct_tensor *t, int ndim, int slot)
{
    int64_t shape[2 * CTI_MAX_DIMS];
    for (int d = 0; d < ndim; d++) {
        int own = d - (ndim - t->ndim);
        shape[2 * d + slot] = own < 0 ? 1 : t->shape[own];
        shape[2 * d + 1 - slot] = 1;
    }
    return ct_own_reshape(t, ct_ints_of(shape, 2 * ndim));
}

ct_tensor *cti_op_kron(ct_tensor *input, ct_tensor *other)
{
    int ndim = input->ndim > other->ndim ? input->ndim : other->ndim;
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    if (2 * ndim > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "kron: inputs have %d dims, more than the supported %d",
                       ndim, CTI_MAX_DIMS / 2);
    ct_tensor *a = interleave(input, ndim, 0), *b = interleave(other, ndim, 1);
    ct_tensor *both = ct_own_mul(V(a), V(b)), *result = NULL;
    if (both) {
        for (int d = 0; d < ndim; d++)
            shape[d] = cti_mul_sat(both->shape[2 * d], both->shape[2 * d + 1]);
        ct_ints size = ct_ints_of(shape, ndim);
        bool fits = both->flags & CTI_CONTIGUOUS || cti_view_strides(both, ndim, shape, stride);
        result = fits ? ct_own_unsafe_view(both, size) : ct_own_reshape(both, size);
    }
    cti_release_all(a, b, both);
    return result;
}

/* ---- cross product ---- */

static bool check_cross(const ct_tensor *a, const ct_tensor *b, int64_t dim, int *wrapped)
{
    if (a->ndim != b->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "linalg.cross: inputs must have the same number of dimensions.");
    if (a->ndim == 0)
        return ct_fail(CT_ERR_INDEX, "Dimension specified as %lld but tensor has no dimensions",
                       (long long)dim);
    if (!cti_shape_wrap_dim(dim, a->ndim, wrapped))
        return false;
    int64_t s1 = a->shape[*wrapped], s2 = b->shape[*wrapped];
    if (s1 != 3 || s2 != 3)
        return ct_fail(CT_ERR_RUNTIME,
                       "linalg.cross: inputs dimension %lld must have length 3. Got %lld and %lld",
                       (long long)dim, (long long)s1, (long long)s2);
    return true;
}

/* out[k] = a[k + 1] b[k + 2] - a[k + 2] b[k + 1] */
static bool cross_part(ct_tensor *out, ct_tensor *a, ct_tensor *b, int dim, int k)
{
    int next = (k + 1) % 3, last = (k + 2) % 3;
    ct_tensor *part[] = {cti_view_select(out, dim, k), cti_view_select(a, dim, next),
                         cti_view_select(a, dim, last), cti_view_select(b, dim, next),
                         cti_view_select(b, dim, last)};
    ct_tensor *plus = ct_own_mul(V(part[1]), V(part[4]));
    ct_tensor *minus = ct_own_mul(V(part[2]), V(part[3]));
    bool good = part[0] && plus && minus &&
                ct_own_sub_out(part[0], V(plus), V(minus), ct_value_int(1)) != NULL;
    cti_release_tensors(part, 5);
    cti_release_all(plus, minus);
    return good;
}

ct_tensor *cti_op_linalg_cross(ct_tensor *input, ct_tensor *other, int64_t dim)
{
    int wrapped, ndim = 0;
    int64_t shape[CTI_MAX_DIMS];
    if (!check_cross(input, other, dim, &wrapped) ||
        !cti_shape_broadcast(&ndim, shape, input->ndim, input->shape) ||
        !cti_shape_broadcast(&ndim, shape, other->ndim, other->shape))
        return NULL;
    if (input->dtype != other->dtype)
        return ct_fail(CT_ERR_RUNTIME, "expected scalar type %s but found %s",
                       cti_dtype_scalar_name(input->dtype), cti_dtype_scalar_name(other->dtype));
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"cross\" not implemented for 'Bool'");
    ct_tensor *result = cti_empty(ndim, shape, input->dtype, input->storage->device);
    bool good = result != NULL;
    for (int k = 0; k < 3 && good; k++)
        good = cross_part(result, input, other, wrapped, k);
    return cti_take_new_if(result, good);
}

static ct_tensor *cross(ct_tensor *input, ct_tensor *other, int64_t dim)
{
    if (dim != CT_NO_DIM)
        return ct_own_linalg_cross(input, other, dim);
    for (int d = 0; d < input->ndim; d++)
        if (input->shape[d] == 3)
            return ct_own_linalg_cross(input, other, d);
    return ct_fail(CT_ERR_RUNTIME, "no dimension of size 3 in input");
}

ct_tensor *cti_op_cross(ct_tensor *input, ct_tensor *other, int64_t dim)
{
    if (dim != CT_NO_DIM)
        return cross(input, other, dim);
    static bool warned;
    cti_warn_once(
        &warned,
        "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass "
        "the dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will "
        "change to agree with that of linalg.cross in a future release.");
    return cross(input, other, CT_NO_DIM);
}
