/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made of several products and views: contractions, powers, chains, Kronecker's and the
 * cross product, linear and bilinear maps. The rows of matmul.toml call these; they compute through
 * recorded operations, so most need no derivative of their own. */
#include "core/alloc.h"
#include "core/scope.h"
#include "fronts.h"
#include "ops/matmul.h"

#include <string.h>

static void release_all(ct_tensor *const *t, int n)
{
    for (int i = 0; i < n; i++)
        ct_release(t[i]);
}

/* Puts `fresh` (owned) in the place of *t (owned). */
static bool renew(ct_tensor **t, ct_tensor *fresh)
{
    ct_release(*t);
    *t = fresh;
    return fresh != NULL;
}

/* ---- tensordot ---- */

/* dims as a set; each may be named once. */
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

/* A dim of size 1 on one side is broadcast, so the other side can be summed at once. */
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
            if (!renew(&c->t[which], ct_own_sum(c->t[which], ct_ints_of(&dim, 1), true,
                                                (enum ct_dtype)c->t[which]->dtype)))
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

/* t with its free dims in front of (or behind) the contracted ones, as a matrix. Free sizes are
 * added to `shape`. */
static ct_tensor *as_matrix(const struct contraction *c, int which, ct_ints dims, uint64_t set,
                            int64_t *shape, int *ndim)
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
    ct_tensor *turned = ct_own_permute(t, ct_ints_of(order, t->ndim ? n : 0));
    int64_t matrix[2] = {which ? c->common : size, which ? size : c->common};
    ct_tensor *flat = ct_own_reshape(turned, ct_ints_of(matrix, 2));
    ct_release(turned);
    return flat;
}

/* A row times a column is a dot product. */
static ct_tensor *multiply_flat(ct_tensor *left, ct_tensor *right)
{
    if (!left || !right || left->shape[0] != 1 || right->shape[1] != 1)
        return ct_own_mm(left, right);
    ct_ints all = ct_ints_of((int64_t[]){left->shape[1]}, 1);
    ct_tensor *a = ct_own_reshape(left, all), *b = ct_own_reshape(right, all);
    ct_tensor *sum = ct_own_dot(a, b);
    ct_release(a);
    ct_release(b);
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
        left = as_matrix(&c, 0, dims_self, set1, shape, &ndim);
        right = as_matrix(&c, 1, dims_other, set2, shape, &ndim);
        flat = multiply_flat(left, right);
        result = ct_own_reshape(flat, ct_ints_of(shape, ndim));
    }
    release_all((ct_tensor *const[]){c.t[0], c.t[1], left, right, flat}, 5);
    return result;
}

/* For C programs: over the last dims of one and the first of the other. */
ct_tensor *ct_tensordot_ex(ct_tensor *input, ct_tensor *other,
                           const struct ct_tensordot_args *given)
{
    struct ct_tensordot_args a = ct_tensordot_defaults;
    int64_t last[CTI_MAX_DIMS], first[CTI_MAX_DIMS];
    cti_keywords_copy(&a, sizeof a, given);
    if (!input || !other)
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

/* Last dim against last dim. */
ct_tensor *cti_op_inner(ct_tensor *input, ct_tensor *other)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (!input->ndim || !other->ndim)
        return ct_own_mul(ct_value_tensor(input), ct_value_tensor(other));
    if (input->shape[input->ndim - 1] != other->shape[other->ndim - 1])
        return ct_fail(
            CT_ERR_RUNTIME,
            "inner() the last dimension must match on both input tensors but got shapes %s and %s",
            cti_shape_text(a, input->ndim, input->shape),
            cti_shape_text(b, other->ndim, other->shape));
    if (input->ndim == 1 && other->ndim == 1)
        return ct_own_dot(input, other);
    ct_ints last = ct_ints_of((int64_t[]){-1}, 1);
    return cti_op_tensordot_dims(input, other, last, last);
}

/* ---- powers and chains ---- */

static ct_tensor *identity_like(ct_tensor *t)
{
    ct_tensor *copy = ct_own_clone(t, CT_CONTIGUOUS_FORMAT);
    ct_tensor *unit = copy ? ct_own_eye(t->shape[t->ndim - 1], t->shape[t->ndim - 1],
                                        (enum ct_dtype)t->dtype, t->storage->device, false)
                           : NULL;
    ct_tensor *done = unit ? ct_own_copy_(copy, unit, false) : NULL;
    ct_release(unit);
    if (!done)
        ct_release(copy);
    return done;
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
    if (n < 0)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "linalg.matrix_power: the inverse of a matrix is not implemented");
    if (n == 0)
        return identity_like(input);
    if (n == 1)
        return ct_own_clone(input, CT_CONTIGUOUS_FORMAT);
    if (n == 3) { /* two products, where squaring alone would round in another order */
        ct_tensor *square = ct_own_matmul(input, input), *cube = ct_own_matmul(square, input);
        ct_release(square);
        return cube;
    }
    ct_tensor *power = NULL, *result = NULL;
    for (bool good = true; n > 0 && good; n /= 2) {
        good = renew(&power, power ? ct_own_matmul(power, power) : ct_retain(input));
        if (good && n % 2)
            good = renew(&result, result ? ct_own_matmul(result, power) : ct_retain(power));
        if (!good)
            renew(&result, NULL);
    }
    ct_release(power);
    return result;
}

/* Where the chain i..j is cut, by the least number of multiplications. */
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

/* Recursion as deep as the chain is long. */
static ct_tensor *multiply_chain(const struct order *o, const ct_list chain, int64_t i, int64_t j)
{
    if (i == j)
        return ct_retain(chain.v[i]);
    int64_t k = o->cut[i * o->n + j];
    ct_tensor *left = multiply_chain(o, chain, i, k), *right = multiply_chain(o, chain, k + 1, j);
    ct_tensor *result = ct_own_mm(left, right);
    ct_release(left);
    ct_release(right);
    return result;
}

static bool check_chain(ct_list m)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    for (int64_t i = 0; i < m.n; i++)
        if (m.v[i]->ndim != 2)
            return ct_fail(CT_ERR_RUNTIME, "Tensor dimension is %d, expected 2 instead.",
                           m.v[i]->ndim);
    for (int64_t i = 1; i < m.n; i++)
        if (m.v[i]->dtype != m.v[0]->dtype)
            return ct_fail(CT_ERR_RUNTIME,
                           "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                           "%s and tensor %lld %s",
                           cti_product_type_name(m.v[0]), (long long)i,
                           cti_product_type_name(m.v[i]));
    for (int64_t i = 1; i < m.n; i++)
        if (m.v[i - 1]->shape[1] != m.v[i]->shape[0])
            return ct_fail(CT_ERR_RUNTIME,
                           "multi_dot(): tensors %lld and %lld with shapes %s and %s cannot be "
                           "multiplied",
                           (long long)i - 1, (long long)i, cti_shape_text(a, 2, m.v[i - 1]->shape),
                           cti_shape_text(b, 2, m.v[i]->shape));
    return true;
}

ct_tensor *cti_op_chain_matmul(ct_list matrices)
{
    int64_t n = matrices.n;
    cti_warn("torch.chain_matmul is deprecated and will be removed in a future PyTorch release. "
             "Use torch.linalg.multi_dot instead, which accepts a list of two or more tensors "
             "rather than multiple parameters.");
    if (n == 0)
        return ct_fail(CT_ERR_RUNTIME, "chain_matmul(): Expected one or more matrices");
    if (!check_chain(matrices))
        return NULL;
    if (n == 1)
        return ct_own_clone(matrices.v[0], -1);
    struct order o = {n, cti_malloc((size_t)(n * n) * sizeof *o.cut),
                      cti_malloc((size_t)(n * n) * sizeof *o.cost)};
    ct_tensor *flat = NULL;
    if (o.cut && o.cost) {
        choose_order(&o, matrices);
        flat = multiply_chain(&o, matrices, 0, n - 1);
    }
    ct_tensor *result = flat ? ct_own_view(flat, cti_shape_of(flat)) : NULL;
    ct_release(flat);
    cti_free(o.cut);
    cti_free(o.cost);
    return result;
}

/* ---- Kronecker's product ---- */

/* Each size of t beside a 1, behind it or before it, missing dims in front. */
static ct_tensor *spread(ct_tensor *t, int ndim, int place)
{
    int64_t shape[2 * CTI_MAX_DIMS];
    for (int d = 0; d < ndim; d++) {
        int own = d - (ndim - t->ndim);
        shape[2 * d + place] = own < 0 ? 1 : t->shape[own];
        shape[2 * d + 1 - place] = 1;
    }
    return ct_own_unsafe_view(t, ct_ints_of(shape, 2 * ndim));
}

ct_tensor *cti_op_kron(ct_tensor *input, ct_tensor *other)
{
    int ndim = input->ndim > other->ndim ? input->ndim : other->ndim;
    int64_t shape[CTI_MAX_DIMS];
    if (2 * ndim > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "kron: tensors of %d dims are too many", ndim);
    ct_tensor *a = spread(input, ndim, 0), *b = spread(other, ndim, 1);
    ct_tensor *both = ct_own_mul(ct_value_tensor(a), ct_value_tensor(b)), *result = NULL;
    if (both) {
        for (int d = 0; d < ndim; d++)
            shape[d] = both->shape[2 * d] * both->shape[2 * d + 1];
        result = ct_own_unsafe_view(both, ct_ints_of(shape, ndim));
    }
    release_all((ct_tensor *const[]){a, b, both}, 3);
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
    ct_tensor *plus = ct_own_mul(ct_value_tensor(part[1]), ct_value_tensor(part[4]));
    ct_tensor *minus = ct_own_mul(ct_value_tensor(part[2]), ct_value_tensor(part[3]));
    bool good = part[0] && plus && minus &&
                ct_own_sub_out(part[0], ct_value_tensor(plus), ct_value_tensor(minus),
                               ct_value_int(1)) != NULL;
    release_all(part, 5);
    ct_release(plus);
    ct_release(minus);
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
                       cti_dtype_scalar_name((enum ct_dtype)input->dtype),
                       cti_dtype_scalar_name((enum ct_dtype)other->dtype));
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"cross\" not implemented for 'Bool'");
    ct_tensor *result = cti_empty(ndim, shape, (enum ct_dtype)input->dtype, input->storage->device);
    bool good = result != NULL;
    for (int k = 0; k < 3 && good; k++)
        good = cross_part(result, input, other, wrapped, k);
    if (good)
        return result;
    ct_release(result);
    return NULL;
}

ct_tensor *cti_op_cross(ct_tensor *input, ct_tensor *other, int64_t dim)
{
    if (dim != CT_NO_DIM)
        return ct_own_linalg_cross(input, other, dim);
    if (input->ndim != other->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "linalg.cross: inputs must have the same number of dimensions.");
    cti_warn("Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass "
             "the dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will "
             "change to agree with that of linalg.cross in a future release.");
    for (int d = 0; d < input->ndim; d++)
        if (input->shape[d] == 3)
            return ct_own_linalg_cross(input, other, d);
    return ct_fail(CT_ERR_RUNTIME, "no dimension of size 3 in input");
}

/* ---- linear and bilinear maps ---- */

ct_tensor *cti_op_linear(ct_tensor *input, ct_tensor *weight, ct_tensor *bias)
{
    if (!input->ndim || !weight->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "both arguments to linear need to be at least 1D, but they are %dD and %dD",
                       input->ndim, weight->ndim);
    ct_tensor *turned = ct_own_t(weight), *result;
    ct_value unit = ct_value_int(1);
    if (bias == CT_NO_TENSOR) {
        result = ct_own_matmul(input, turned);
    } else if (input->ndim == 2) {
        result = ct_own_addmm(bias, input, turned, unit, unit);
    } else {
        int64_t shape[CTI_MAX_DIMS], rows = 1, last = input->ndim - 1;
        for (int d = 0; d < last; d++) {
            shape[d] = input->shape[d];
            rows *= input->shape[d];
        }
        ct_tensor *tall =
            ct_own_reshape(input, ct_ints_of((int64_t[]){rows, input->shape[last]}, 2));
        ct_tensor *flat = ct_own_addmm(bias, tall, turned, unit, unit);
        shape[last] = flat ? flat->shape[1] : 0;
        result = ct_own_unsafe_view(flat, ct_ints_of(shape, last + 1));
        ct_release(tall);
        ct_release(flat);
    }
    ct_release(turned);
    return result;
}

enum { TRILINEAR_ROOM = 1 << 21 }; /* elements between the two products */

/* out[n, o] = sum of x[n, i] w[o, i, j] y[n, j]: x times all w[o] at once, then rows with y, a few
 * rows at a time so that what lies between stays small. */
ct_tensor *cti_op_trilinear(ct_tensor *input1, ct_tensor *weight, ct_tensor *input2)
{
    int64_t n = input1->shape[0], o = weight->shape[0], i = weight->shape[1], j = weight->shape[2];
    int64_t step = TRILINEAR_ROOM / (o * j > 0 ? o * j : 1);
    step = step < 16 ? 16 : step;
    ct_tensor *result =
        cti_empty(2, (int64_t[]){n, o}, (enum ct_dtype)input1->dtype, input1->storage->device);
    ct_tensor *turned = ct_own_transpose(weight, 0, 1);
    ct_tensor *wide = ct_own_reshape(turned, ct_ints_of((int64_t[]){i, o * j}, 2));
    bool good = result && wide;
    for (int64_t at = 0; at < n && good; at += step) {
        int64_t rows = at + step < n ? step : n - at;
        ct_tensor *x = ct_own_narrow(input1, 0, at, rows), *y = ct_own_narrow(input2, 0, at, rows);
        ct_tensor *part = ct_own_narrow(result, 0, at, rows);
        ct_tensor *flat = ct_own_mm(x, wide);
        ct_tensor *between = ct_own_view(flat, ct_ints_of((int64_t[]){rows, o, j}, 3));
        ct_tensor *column = ct_own_unsqueeze(y, 2), *into = ct_own_unsqueeze(part, 2);
        good = into && ct_own_bmm_out(into, between, column) != NULL;
        release_all((ct_tensor *const[]){x, y, part, flat, between, column, into}, 7);
    }
    ct_release(turned);
    ct_release(wide);
    if (good)
        return result;
    ct_release(result);
    return NULL;
}

static bool check_bilinear(const ct_tensor *x, const ct_tensor *y, const ct_tensor *w,
                           const ct_tensor *bias)
{
    int dim;
    if (x->dtype != y->dtype || x->dtype != w->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "All tensors must have the same dtype, got input1: %s, input2: %s, weight: "
                       "%s",
                       cti_product_type_name(x), cti_product_type_name(y),
                       cti_product_type_name(w));
    if (x->ndim != y->ndim)
        return ct_fail(CT_ERR_RUNTIME, "bilinear(): input dimensions do not match: got %d and %d",
                       x->ndim, y->ndim);
    for (int d = 0; d < x->ndim - 1; d++)
        if (x->shape[d] != y->shape[d])
            return ct_fail(CT_ERR_RUNTIME,
                           "bilinear(): input batch dimensions do not match at dim %d: got %lld "
                           "and %lld",
                           d, (long long)x->shape[d], (long long)y->shape[d]);
    const ct_tensor *const both[] = {x, y};
    for (int i = 0; i < 2; i++) {
        if (!both[i]->ndim)
            return ct_fail(CT_ERR_INDEX, "Dimension specified as -1 but tensor has no dimensions");
        int64_t size = both[i]->shape[both[i]->ndim - 1];
        if (!cti_shape_wrap_dim(i + 1, w->ndim, &dim))
            return false;
        if (size != w->shape[i + 1])
            return ct_fail(CT_ERR_RUNTIME,
                           "bilinear(): input%d size does not match weight size: got %lld but "
                           "expected %lld",
                           i + 1, (long long)size, (long long)w->shape[i + 1]);
    }
    if (bias != CT_NO_TENSOR && (!bias->ndim || bias->shape[0] != w->shape[0]))
        return ct_fail(CT_ERR_RUNTIME,
                       "bilinear(): bias size does not match weight size: got %lld but expected "
                       "%lld",
                       bias->ndim ? (long long)bias->shape[0] : 0, (long long)w->shape[0]);
    return true;
}

ct_tensor *cti_op_bilinear(ct_tensor *input1, ct_tensor *input2, ct_tensor *weight, ct_tensor *bias)
{
    if (!check_bilinear(input1, input2, weight, bias))
        return NULL;
    int last = input1->ndim - 1;
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < last; d++)
        shape[d] = input1->shape[d];
    shape[last] = weight->shape[0];
    ct_tensor *x = ct_own_reshape(input1, ct_ints_of((int64_t[]){-1, weight->shape[1]}, 2));
    ct_tensor *y = ct_own_reshape(input2, ct_ints_of((int64_t[]){-1, weight->shape[2]}, 2));
    ct_tensor *flat = ct_own_trilinear(x, weight, y);
    ct_tensor *result = ct_own_reshape(flat, ct_ints_of(shape, last + 1));
    release_all((ct_tensor *const[]){x, y, flat}, 3);
    if (bias != CT_NO_TENSOR && result)
        renew(&result, ct_own_add(ct_value_tensor(result), ct_value_tensor(bias), ct_value_int(1)));
    return result;
}
