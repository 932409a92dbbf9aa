/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements sums of products (addmm, addmv, baddbmm, addbmm, addr), declared in matmul.toml: beta
 * * input + alpha * product, as functions, in place and into `out`. If beta is 0, the input is not
 * read, so its NaNs do not propagate. An empty product gives beta * input. */
#include "fronts.h"
#include "ops/index/index.h"
#include "ops/matmul/matmul.h"

/* One sum, c = beta input + alpha a b; `input` has c's shape or is c. */
struct sum {
    ct_tensor *a, *b;
    ct_value beta, alpha;
    const char *kernel;
    bool beta_is_cast; /* if the product is empty, beta is cast to the result's dtype first */
};

/* Computes c = beta input, for an empty product. A beta that would change the dtype is an error. */
static bool scale_input(ct_tensor *c, ct_tensor *input, const struct sum *sum)
{
    if (cti_number_is(sum->beta, 0))
        return cti_fill(c, ct_value_int(0));
    enum ct_dtype dtype = c->dtype;
    ct_value beta = sum->beta;
    if (sum->beta_is_cast && cti_is_integral(dtype, true))
        beta = dtype == CT_BOOL ? ct_value_bool(true) : ct_value_int((int64_t)cti_value_real(beta));
    ct_tensor *scaled = ct_own_mul(V(input), beta);
    bool good = scaled && cti_check_can_cast(scaled->dtype, dtype) && cti_copy(c, scaled);
    ct_release(scaled);
    return good;
}

static bool add_product(ct_tensor *c, ct_tensor *input, const struct sum *sum)
{
    enum ct_dtype dtype = c->dtype;
    if (!c->numel)
        return true;
    if (!sum->a->numel)
        return scale_input(c, input, sum);
    if (dtype != CT_BOOL &&
        (!cti_number_fits(sum->beta, dtype) || !cti_number_fits(sum->alpha, dtype)))
        return false;
    bool plain = input->dtype == c->dtype && !(input->flags & (CTI_CONJ | CTI_NEG));
    if (input->storage != c->storage && dtype != CT_BOOL && plain && cti_number_is(sum->beta, 1))
        return cti_product_plus(c, sum->a, sum->b, sum->alpha, input);
    if (input != c && dtype != CT_BOOL && !cti_number_is(sum->beta, 0) && !cti_copy(c, input))
        return false;
    return cti_product_into(c, sum->a, sum->b, sum->alpha, sum->beta, sum->kernel);
}

/* Computes the sum as a new tensor. */
static ct_tensor *new_sum(ct_tensor *input, int ndim, const int64_t *shape, const struct sum *sum)
{
    ct_tensor *expanded = cti_view_expand(input, ct_ints_of(shape, ndim), false);
    ct_tensor *c = expanded ? cti_empty(ndim, shape, input->dtype, input->storage->device) : NULL;
    bool good = c && add_product(c, expanded, sum);
    ct_release(expanded);
    return cti_take_if(c, good);
}

static bool sum_out(ct_tensor *out, ct_tensor *input, int ndim, const int64_t *shape,
                    const struct sum *sum)
{
    bool direct = cti_product_direct(out, sum->a, sum->b) &&
                  cti_out_is_direct(out, ndim, shape, input->dtype) &&
                  (out->storage != input->storage || out == input);
    if (!direct)
        return cti_out_copy(out, new_sum(input, ndim, shape, sum)) && cti_version_bump(out);
    ct_tensor *expanded =
        out == input ? ct_retain(out) : cti_view_expand(input, ct_ints_of(shape, ndim), false);
    bool good = expanded && cti_shape_check_writable(out) && add_product(out, expanded, sum) &&
                cti_version_bump(out);
    ct_release(expanded);
    return good;
}

static bool sum_inplace(ct_tensor *self, int ndim, const int64_t *shape, const struct sum *sum)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    if (!cti_same_shape(self, ndim, shape))
        return ct_fail(CT_ERR_RUNTIME,
                       "Bad in-place call: input tensor size %s and output tensor size %s should "
                       "match",
                       cti_shape_text(have, self->ndim, self->shape),
                       cti_shape_text(want, ndim, shape));
    if (!cti_shape_check_writable(self))
        return false;
    if (cti_product_direct(self, sum->a, sum->b))
        return add_product(self, self, sum);
    ct_tensor *copy = new_sum(self, ndim, shape, sum);
    bool good = copy && cti_copy(self, copy);
    ct_release(copy);
    return good;
}

/* ---- addmm ---- */

static bool check_addmm(const ct_tensor *input, const ct_tensor *mat1, const ct_tensor *mat2)
{
    if (mat1->dtype != mat2->dtype)
        return ct_fail(CT_ERR_RUNTIME, "mat1 and mat2 must have the same dtype, but got %s and %s",
                       cti_product_scalar_name(mat1), cti_product_scalar_name(mat2));
    if (!cti_product_check_matrices("addmm", mat1, mat2))
        return false;
    if (input->dtype != mat1->dtype)
        return ct_fail(CT_ERR_RUNTIME, "self and mat2 must have the same dtype, but got %s and %s",
                       cti_product_scalar_name(input), cti_product_scalar_name(mat1));
    return true;
}

ct_tensor *cti_op_addmm(ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2, ct_value beta,
                        ct_value alpha)
{
    struct sum sum = {mat1, mat2, beta, alpha, "addmm_impl_cpu_", false};
    if (!check_addmm(input, mat1, mat2))
        return NULL;
    return new_sum(input, 2, (int64_t[]){mat1->shape[0], mat2->shape[1]}, &sum);
}

bool cti_op_addmm_(ct_tensor *self, ct_tensor *mat1, ct_tensor *mat2, ct_value beta, ct_value alpha)
{
    struct sum sum = {mat1, mat2, beta, alpha, "addmm_impl_cpu_", false};
    return check_addmm(self, mat1, mat2) &&
           sum_inplace(self, 2, (int64_t[]){mat1->shape[0], mat2->shape[1]}, &sum);
}

bool cti_op_addmm_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2,
                      ct_value beta, ct_value alpha)
{
    struct sum sum = {mat1, mat2, beta, alpha, "addmm_impl_cpu_", false};
    return check_addmm(input, mat1, mat2) &&
           sum_out(out, input, 2, (int64_t[]){mat1->shape[0], mat2->shape[1]}, &sum);
}

/* ---- addmv ---- */

static bool check_addmv(const ct_tensor *input, const ct_tensor *mat, const ct_tensor *vec)
{
    if (mat->ndim != 2 || vec->ndim != 1 || input->ndim > 1)
        return ct_fail(CT_ERR_RUNTIME, "vector + matrix @ vector expected, got %d, %d, %d",
                       input->ndim, mat->ndim, vec->ndim);
    if (mat->shape[1] != vec->shape[0] || (input->numel != 1 && input->numel != mat->shape[0]))
        return ct_fail(CT_ERR_RUNTIME,
                       "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)",
                       (long long)input->numel, (long long)mat->shape[0], (long long)mat->shape[1],
                       (long long)vec->shape[0]);
    if (mat->dtype != vec->dtype || input->dtype != mat->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "addmv input tensors must have the same dtype, but got %s, %s, and %s",
                       cti_product_scalar_name(input), cti_product_scalar_name(mat),
                       cti_product_scalar_name(vec));
    return true;
}

ct_tensor *cti_op_addmv(ct_tensor *input, ct_tensor *mat, ct_tensor *vec, ct_value beta,
                        ct_value alpha)
{
    struct sum sum = {mat, vec, beta, alpha, "addmv_impl_cpu", true};
    return check_addmv(input, mat, vec) ? new_sum(input, 1, mat->shape, &sum) : NULL;
}

bool cti_op_addmv_(ct_tensor *self, ct_tensor *mat, ct_tensor *vec, ct_value beta, ct_value alpha)
{
    struct sum sum = {mat, vec, beta, alpha, "addmv_impl_cpu", true};
    return check_addmv(self, mat, vec) && sum_inplace(self, 1, mat->shape, &sum);
}

bool cti_op_addmv_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat, ct_tensor *vec,
                      ct_value beta, ct_value alpha)
{
    struct sum sum = {mat, vec, beta, alpha, "addmv_impl_cpu", true};
    return check_addmv(input, mat, vec) && sum_out(out, input, 1, mat->shape, &sum);
}

/* ---- baddbmm ---- */

/* Computes the result's sizes; as in PyTorch, this runs before the number of dims is checked. */
static bool sizes_of(const ct_tensor *batch1, const ct_tensor *batch2, int first, int64_t *shape)
{
    int dim;
    for (int d = first; d < 2; d++) {
        if (!cti_shape_wrap_dim(d, batch1->ndim, &dim))
            return false;
        shape[d - first] = batch1->shape[d];
    }
    if (!cti_shape_wrap_dim(2, batch2->ndim, &dim))
        return false;
    shape[2 - first] = batch2->shape[2];
    return true;
}

/* Computes the result's shape and checks that `input` expands to it. */
static bool check_baddbmm(ct_tensor *input, const ct_tensor *batch1, const ct_tensor *batch2,
                          int64_t shape[3])
{
    ct_tensor *expanded = sizes_of(batch1, batch2, 0, shape)
                              ? cti_view_expand(input, ct_ints_of(shape, 3), false)
                              : NULL;
    ct_release(expanded);
    if (!expanded)
        return false;
    if (input->dtype != batch1->dtype || batch1->dtype != batch2->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "Input dtypes must be the same, got: input %s, batch1: %s, batch2: %s",
                       cti_product_type_name(input), cti_product_type_name(batch1),
                       cti_product_type_name(batch2));
    return cti_product_check_batches(batch1, batch2);
}

ct_tensor *cti_op_baddbmm(ct_tensor *input, ct_tensor *batch1, ct_tensor *batch2, ct_value beta,
                          ct_value alpha)
{
    struct sum sum = {batch1, batch2, beta, alpha, "baddbmm", false};
    int64_t shape[3];
    return check_baddbmm(input, batch1, batch2, shape) ? new_sum(input, 3, shape, &sum) : NULL;
}

bool cti_op_baddbmm_(ct_tensor *self, ct_tensor *batch1, ct_tensor *batch2, ct_value beta,
                     ct_value alpha)
{
    struct sum sum = {batch1, batch2, beta, alpha, "baddbmm", false};
    int64_t shape[3];
    return check_baddbmm(self, batch1, batch2, shape) && sum_inplace(self, 3, shape, &sum);
}

bool cti_op_baddbmm_out(ct_tensor *out, ct_tensor *input, ct_tensor *batch1, ct_tensor *batch2,
                        ct_value beta, ct_value alpha)
{
    struct sum sum = {batch1, batch2, beta, alpha, "baddbmm", false};
    int64_t shape[3];
    return check_baddbmm(input, batch1, batch2, shape) && sum_out(out, input, 3, shape, &sum);
}

/* ---- addbmm ---- */

static bool check_addbmm(const ct_tensor *batch1, const ct_tensor *batch2)
{
    if (batch1->ndim != 3 || batch2->ndim != 3)
        return ct_fail(CT_ERR_RUNTIME, "%s must be a 3D tensor",
                       batch1->ndim != 3 ? "batch1" : "batch2");
    if (batch1->shape[0] != batch2->shape[0])
        return ct_fail(CT_ERR_RUNTIME,
                       "batch1 and batch2 must have same number of batches, got %lld and %lld",
                       (long long)batch1->shape[0], (long long)batch2->shape[0]);
    if (batch1->shape[2] != batch2->shape[1])
        return ct_fail(CT_ERR_RUNTIME,
                       "Incompatible matrix sizes for bmm (%lldx%lld and %lldx%lld)",
                       (long long)batch1->shape[1], (long long)batch1->shape[2],
                       (long long)batch2->shape[1], (long long)batch2->shape[2]);
    return true;
}

/* c = beta c + alpha times the sum of batch1[i] batch2[i]; beta applies to the first product. */
static bool add_each(ct_tensor *c, const struct sum *sum)
{
    struct sum one = *sum;
    bool good = true,
         meta = c->storage->device.type == CT_META; /* on meta, one step makes all checks */
    for (int64_t i = 0; i < (meta ? 1 : sum->a->shape[0]) && good; i++) {
        one.a = cti_view_select(sum->a, 0, i);
        one.b = cti_view_select(sum->b, 0, i);
        good = one.a && one.b && check_addmm(c, one.a, one.b) && add_product(c, c, &one);
        cti_release_all(one.a, one.b);
        one.beta = ct_value_int(1);
    }
    return good;
}

ct_tensor *cti_op_addbmm(ct_tensor *input, ct_tensor *batch1, ct_tensor *batch2, ct_value beta,
                         ct_value alpha)
{
    struct sum sum = {batch1, batch2, beta, alpha, "addmm_impl_cpu_", false};
    int64_t shape[2];
    if (!sizes_of(batch1, batch2, 1, shape))
        return NULL;
    ct_tensor *expanded = cti_view_expand(input, ct_ints_of(shape, 2), false), *c = NULL;
    if (expanded && check_addbmm(batch1, batch2))
        c = cti_empty(2, shape, input->dtype, input->storage->device);
    bool nothing = c && !(batch1->numel && batch2->numel);
    bool good = c && (nothing ? scale_input(c, expanded, &sum)
                              : cti_copy(c, expanded) && add_each(c, &sum));
    ct_release(expanded);
    return cti_take_if(c, good);
}

/* As in PyTorch, self is resized to the result. */
bool cti_op_addbmm_(ct_tensor *self, ct_tensor *batch1, ct_tensor *batch2, ct_value beta,
                    ct_value alpha)
{
    ct_tensor *sum = cti_op_addbmm(self, batch1, batch2, beta, alpha);
    bool good = sum && cti_resize(self, sum->ndim, sum->shape) && cti_shape_check_writable(self) &&
                cti_copy(self, sum);
    ct_release(sum);
    return good;
}

/* ---- addr ---- */

static bool check_addr(const ct_tensor *input, const ct_tensor *vec1, const ct_tensor *vec2,
                       ct_value beta, ct_value alpha)
{
    const ct_tensor *const vec[] = {vec1, vec2};
    const ct_value number[] = {beta, alpha};
    for (int i = 0; i < 2; i++)
        if (vec[i]->ndim != 1)
            return ct_fail(CT_ERR_RUNTIME, "addr: Expected 1-D argument vec%d, but got %d-D", i + 1,
                           vec[i]->ndim);
    ct_value all[] = {V((ct_tensor *)(uintptr_t)input), V((ct_tensor *)(uintptr_t)vec1),
                      V((ct_tensor *)(uintptr_t)vec2)};
    enum ct_dtype dtype = cti_result_type(all, 3);
    if (dtype == CT_NO_DTYPE)
        return false;
    for (int i = 0; i < 2; i++) {
        if (number[i].kind == CT_VALUE_BOOL && dtype != CT_BOOL)
            return ct_fail(CT_ERR_RUNTIME, "Boolean %s only supported for Boolean results.",
                           i ? "alpha" : "beta");
        if (cti_is_integral(dtype, true) && number[i].kind == CT_VALUE_FLOAT)
            return ct_fail(CT_ERR_RUNTIME,
                           "For integral input tensors, argument %s must not be a floating point "
                           "number.",
                           i ? "alpha" : "beta");
        if (dtype != CT_BOOL && !cti_number_fits(number[i], dtype))
            return false;
    }
    return true;
}

/* For products of bools, returns the factor as a bool, which keeps the result's dtype. */
static ct_value as_truth(ct_value number)
{
    return ct_value_bool(!cti_number_is(number, 0));
}

ct_tensor *cti_op_addr(ct_tensor *input, ct_tensor *vec1, ct_tensor *vec2, ct_value beta,
                       ct_value alpha)
{
    if (!check_addr(input, vec1, vec2, beta, alpha))
        return NULL;
    if (input->dtype == CT_BOOL && vec1->dtype == CT_BOOL && vec2->dtype == CT_BOOL) {
        beta = as_truth(beta);
        alpha = as_truth(alpha);
    }
    int64_t shape[2] = {vec1->numel, vec2->numel};
    ct_tensor *expanded = cti_view_expand(input, ct_ints_of(shape, 2), false);
    ct_tensor *column = expanded ? cti_view_unsqueeze(vec1, 1) : NULL;
    ct_tensor *times = cti_number_is(alpha, 1) ? ct_retain(column) : ct_own_mul(V(column), alpha);
    ct_tensor *both = ct_own_mul(V(times), V(vec2)), *result = NULL;
    bool plain = cti_number_is(beta, 1);
    /* A beta of 0 still takes part in promotion and in the choice of strides. */
    ct_tensor *scaled = plain ? ct_retain(expanded)
                        : cti_number_is(beta, 0)
                            ? ct_own_zeros_like(expanded, CT_NO_DTYPE, CT_NO_DEVICE, false, -1)
                            : ct_own_mul(V(expanded), beta);
    if (both && scaled)
        result = ct_own_add(V(scaled), V(both), ct_value_int(1));
    cti_release_all(expanded, column, times, both, scaled);
    return result;
}

bool cti_op_addr_(ct_tensor *self, ct_tensor *vec1, ct_tensor *vec2, ct_value beta, ct_value alpha)
{
    char have[CTI_SHAPE_TEXT];
    if (self->ndim != 2)
        return ct_fail(CT_ERR_RUNTIME, "2D tensor expected, got %dD tensor for input", self->ndim);
    if (vec1->ndim == 1 && vec2->ndim == 1 &&
        (self->shape[0] != vec1->numel || self->shape[1] != vec2->numel))
        return ct_fail(CT_ERR_RUNTIME, "size mismatch, input: %s, v1: [%lld], v2: [%lld]",
                       cti_shape_text(have, 2, self->shape), (long long)vec1->numel,
                       (long long)vec2->numel);
    return cti_write_result(self, cti_op_addr(self, vec1, vec2, beta, alpha));
}
