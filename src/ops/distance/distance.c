/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements cdist, pdist, cosine_similarity, pairwise_distance, renorm, cov and corrcoef, declared
 * in distance.toml, with PyTorch's checks. Apart from the distance engine, they are composed of
 * other operations. */
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <string.h>

#define MANY_ROWS 25 /* with more, Euclidean distances use a product, as in PyTorch */

/* ---- cdist ---- */

static bool distance_check_rows(const ct_tensor *a, const ct_tensor *b, double p)
{
    const ct_tensor *both[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i]->ndim < 2)
            return cti_refuse(CT_ERR_RUNTIME,
                              "cdist only supports at least 2D tensors, X%d got: %dD", i + 1,
                              both[i]->ndim);
    if (a->shape[a->ndim - 1] != b->shape[b->ndim - 1])
        return cti_refuse(CT_ERR_RUNTIME,
                          "X1 and X2 must have the same number of columns. X1: %lld X2: %lld",
                          (long long)a->shape[a->ndim - 1], (long long)b->shape[b->ndim - 1]);
    for (int i = 0; i < 2; i++)
        if (both[i]->dtype < CT_FLOAT16 || both[i]->dtype >= CT_COMPLEX64)
            return cti_refuse(CT_ERR_RUNTIME,
                              "cdist only supports floating-point dtypes, X%d got: %s", i + 1,
                              cti_dtype_scalar_name(both[i]->dtype));
    if (!(p >= 0))
        return cti_refuse(CT_ERR_RUNTIME, "cdist only supports non-negative p values");
    return true;
}

/* t expanded to the batch dims of a shape. h owns the result. */
static ct_tensor *in_batches(struct cti_hold *h, ct_tensor *t, int ndim, const int64_t *batch)
{
    int64_t shape[CTI_MAX_DIMS];
    memcpy(shape, batch, (size_t)(ndim - 2) * sizeof *shape);
    shape[ndim - 2] = t->shape[t->ndim - 2];
    shape[ndim - 1] = t->shape[t->ndim - 1];
    return cti_hold(h, ct_own_expand(t, ct_ints_of(shape, ndim), false));
}

/* sqrt(|x|^2 + |y|^2 - 2 x y) with one product, [-2 x, |x|^2, 1] times [y, 1, |y|^2]. h owns the
 * result. */
static ct_tensor *by_product(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    ct_value two = ct_value_int(2);
    ct_tensor *aa = cti_hold(h, ct_own_pow(V(a), two)), *bb = cti_hold(h, ct_own_pow(V(b), two));
    ct_tensor *na = cti_hold(h, ct_own_sum(aa, CT_INTS(-1), true, CT_NO_DTYPE));
    ct_tensor *nb = cti_hold(h, ct_own_sum(bb, CT_INTS(-1), true, CT_NO_DTYPE));
    ct_tensor *ones_a = cti_hold(h, ct_own_ones_like(na, CT_NO_DTYPE, CT_NO_DEVICE, false, -1));
    ct_tensor *ones_b = cti_hold(h, ct_own_ones_like(nb, CT_NO_DTYPE, CT_NO_DEVICE, false, -1));
    ct_tensor *minus = cti_hold(h, ct_own_mul(V(a), ct_value_int(-2)));
    if (!minus || !na || !nb || !ones_a || !ones_b)
        return NULL;
    ct_tensor *left =
        cti_hold(h, ct_own_cat(ct_list_of((ct_tensor *[]){minus, na, ones_a}, 3), -1));
    ct_tensor *right = cti_hold(h, ct_own_cat(ct_list_of((ct_tensor *[]){b, ones_b, nb}, 3), -1));
    ct_tensor *transposed = cti_hold(h, ct_own_transpose(right, -2, -1));
    ct_tensor *square = cti_hold(h, ct_own_matmul(left, transposed));
    ct_tensor *positive = cti_hold(h, ct_own_clamp_min(square, ct_value_int(0)));
    return cti_hold(h, ct_own_sqrt(positive));
}

static ct_tensor *distances(ct_tensor *a, ct_tensor *b, double p, int mode)
{
    struct cti_hold h = {0};
    int64_t batch[CTI_MAX_DIMS];
    int ndim = a->ndim - 2;
    memcpy(batch, a->shape, (size_t)ndim * sizeof *batch);
    if (!cti_shape_broadcast(&ndim, batch, b->ndim - 2, b->shape))
        return NULL;
    ndim += 2;
    int64_t rows_a = a->shape[a->ndim - 2], rows_b = b->shape[b->ndim - 2];
    ct_tensor *x = in_batches(&h, a, ndim, batch), *y = in_batches(&h, b, ndim, batch);
    bool product = p == 2 && rows_a && rows_b && a->shape[a->ndim - 1] &&
                   (mode == 1 || (mode == 0 && (rows_a > MANY_ROWS || rows_b > MANY_ROWS)));
    ct_tensor *result = NULL;
    if (x && y)
        result = product ? by_product(&h, x, y) : cti_hold(&h, ct_own_cdist_forward(x, y, p));
    return cti_hold_end(&h, result);
}

ct_tensor *cti_op_cdist(ct_tensor *x1, ct_tensor *x2, double p, const char *compute_mode)
{
    static const char *const modes[] = {"use_mm_for_euclid_dist_if_necessary",
                                        "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"};
    for (int mode = 0; mode < 3; mode++)
        if (strcmp(compute_mode, modes[mode]) == 0)
            return distance_check_rows(x1, x2, p) ? distances(x1, x2, p, mode) : NULL;
    return ct_fail(CT_ERR_VALUE, "%s is not a valid value for compute_mode", compute_mode);
}

ct_tensor *cti_op_cdist_forward(ct_tensor *x1, ct_tensor *x2, double p)
{
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS];
    enum ct_dtype dtype = x1->dtype;
    if (x2->dtype != dtype)
        return ct_fail(CT_ERR_RUNTIME, "expected scalar type %s but found %s",
                       cti_dtype_scalar_name(dtype), cti_dtype_scalar_name(x2->dtype));
    memcpy(shape, x1->shape, (size_t)x1->ndim * sizeof *shape);
    shape[x1->ndim - 1] = x2->shape[x2->ndim - 2];
    ct_tensor *out = cti_hold(&h, cti_empty(x1->ndim, shape, dtype, x1->storage->device));
    if (out && out->numel && dtype != CT_FLOAT32 && dtype != CT_FLOAT64) {
        cti_hold_end(&h, NULL);
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"cdist\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    }
    ct_tensor *a = cti_hold(&h, cti_contiguous(x1)), *b = cti_hold(&h, cti_contiguous(x2));
    bool good = out && a && b && CTI_RUN(distance, out, .out = out, .a = a, .b = b, .p = p);
    return cti_hold_end(&h, good ? out : NULL);
}

/* Returns the part of the distance matrix above its diagonal, row by row. */
ct_tensor *cti_op_pdist(ct_tensor *input, double p)
{
    struct cti_hold h = {0};
    enum ct_dtype dtype = input->dtype;
    if (input->ndim != 2)
        return ct_fail(CT_ERR_RUNTIME, "pdist only supports 2D tensors, got: %dD", input->ndim);
    if (dtype < CT_FLOAT16 || dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME, "pdist only supports floating-point dtypes");
    if (!(p >= 0))
        return ct_fail(CT_ERR_RUNTIME, "pdist only supports non-negative p values");
    int64_t n = input->shape[0];
    if (n < 2)
        return cti_zeros(1, (int64_t[]){0}, dtype, input->storage->device);
    if (input->shape[1] && dtype != CT_FLOAT32 && dtype != CT_FLOAT64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"pdist\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    ct_tensor *rows = cti_hold(&h, ct_own_contiguous(input, CT_CONTIGUOUS_FORMAT));
    ct_tensor *all = cti_hold(&h, ct_own_cdist_forward(rows, rows, p));
    ct_tensor *ones =
        cti_hold(&h, ct_own_ones(CT_INTS(n, n), CT_BOOL, input->storage->device, false));
    ct_tensor *above = cti_hold(&h, ct_own_triu(ones, 1));
    return cti_hold_end(&h, cti_hold(&h, ct_own_masked_select(all, above)));
}

/* ---- cosine_similarity and pairwise_distance ---- */

/* The norm along dim, at least eps. As in PyTorch the bound does not affect the derivative. h owns
 * the result.
 * */
static ct_tensor *bounded_norm(struct cti_hold *h, ct_tensor *t, int64_t dim, double eps)
{
    ct_tensor *norm =
        cti_hold(h, ct_own_vector_norm(t, ct_value_int(2), ct_ints_of(&dim, 1), true, CT_NO_DTYPE));
    ct_tensor *copy = cti_hold(h, ct_own_clone(norm, -1));
    bool mode = cti_grad_pause();
    ct_tensor *done = ct_own_clamp_min_(copy, ct_value_float(eps));
    cti_grad_restore(mode);
    return done;
}

ct_tensor *cti_op_cosine_similarity(ct_tensor *x1, ct_tensor *x2, int64_t dim, double eps)
{
    struct cti_hold h = {0};
    enum ct_dtype dtype = cti_result_type((ct_value[]){V(x1), V(x2)}, 2);
    int64_t shape[CTI_MAX_DIMS];
    int ndim = x1->ndim;
    if (dtype == CT_NO_DTYPE)
        return NULL;
    if (dtype < CT_FLOAT16 || dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME,
                       "expected common dtype to be floating point, yet common dtype is %s",
                       cti_dtype_scalar_name(dtype));
    memcpy(shape, x1->shape, (size_t)ndim * sizeof *shape);
    if (!cti_shape_broadcast(&ndim, shape, x2->ndim, x2->shape))
        return NULL;
    ct_tensor *a = x1->dtype < CT_FLOAT16 ? cti_hold(&h, ct_own_to_dtype(x1, dtype)) : x1;
    ct_tensor *b = x2->dtype < CT_FLOAT16 ? cti_hold(&h, ct_own_to_dtype(x2, dtype)) : x2;
    a = cti_hold(&h, ct_own_expand(a, ct_ints_of(shape, ndim), false));
    b = cti_hold(&h, ct_own_expand(b, ct_ints_of(shape, ndim), false));
    ct_tensor *na = a ? bounded_norm(&h, a, dim, eps) : NULL;
    ct_tensor *nb = na && b ? bounded_norm(&h, b, dim, eps) : NULL;
    if (!nb)
        return cti_hold_end(&h, NULL);
    ct_tensor *ua = cti_hold(&h, ct_own_div(V(a), V(na), NULL));
    ct_tensor *ub = cti_hold(&h, ct_own_div(V(b), V(nb), NULL));
    ct_tensor *products = cti_hold(&h, ct_own_mul(V(ua), V(ub)));
    return cti_hold_end(
        &h, cti_hold(&h, ct_own_sum(products, ct_ints_of(&dim, 1), false, CT_NO_DTYPE)));
}

ct_tensor *cti_op_norm_along(ct_tensor *input, ct_value p, ct_ints dim, bool keepdim)
{
    return ct_own_norm(input, p, dim, keepdim, CT_NO_DTYPE);
}

ct_tensor *cti_op_pairwise_distance(ct_tensor *x1, ct_tensor *x2, double p, double eps,
                                    bool keepdim)
{
    struct cti_hold h = {0};
    int64_t last = (x1->ndim > x2->ndim ? x1->ndim : x2->ndim) - 1;
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(x1), V(x2), ct_value_int(1)));
    ct_tensor *moved =
        cti_hold(&h, ct_own_add(V(difference), ct_value_float(eps), ct_value_int(1)));
    return cti_hold_end(&h, cti_hold(&h, ct_own_norm_along(moved, ct_value_float(p),
                                                           ct_ints_of(&last, 1), keepdim)));
}

/* ---- renorm ---- */

ct_tensor *cti_op_renorm(ct_tensor *input, ct_value p, int64_t dim, ct_value maxnorm)
{
    struct cti_hold h = {0};
    int64_t dims[CTI_MAX_DIMS], n = 0;
    int d;
    if (p.kind == CT_VALUE_COMPLEX)
        return ct_fail(CT_ERR_RUNTIME, "renorm: p must be real-valued");
    if (!(cti_value_real(p) > 0))
        return ct_fail(CT_ERR_RUNTIME, "renorm: non-positive-norm not supported");
    if (maxnorm.kind == CT_VALUE_COMPLEX)
        return ct_fail(CT_ERR_RUNTIME, "renorm: maxnorm must be real-valued");
    if (!(cti_value_real(maxnorm) >= 0))
        return ct_fail(CT_ERR_RUNTIME, "renorm: expected maxnorm to be >= 0 but got %g",
                       cti_value_real(maxnorm));
    if (input->ndim < 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "renorm: input needs at least 2 dimensions, got %d dimensions", input->ndim);
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    for (int i = 0; i < input->ndim; i++)
        if (i != d)
            dims[n++] = i;
    bool half = input->dtype == CT_FLOAT16 || input->dtype == CT_BFLOAT16;
    ct_tensor *norm = cti_hold(&h, ct_own_vector_norm(input, p, ct_ints_of(dims, n), true,
                                                      half ? CT_FLOAT32 : CT_NO_DTYPE));
    ct_tensor *far = cti_hold(&h, ct_own_gt(V(norm), maxnorm));
    ct_tensor *least = cti_hold(&h, ct_own_add(V(norm), ct_value_float(1e-7), ct_value_int(1)));
    ct_tensor *inverse = cti_hold(&h, ct_own_reciprocal(least));
    ct_tensor *share = cti_hold(&h, ct_own_mul(V(inverse), maxnorm));
    ct_tensor *factor = cti_hold(&h, ct_own_where(far, V(share), ct_value_float(1)));
    ct_tensor *scaled = cti_hold(&h, ct_own_mul(V(input), V(factor)));
    return cti_hold_end(&h, cti_hold(&h, cti_cast_contiguous(scaled, input->dtype)));
}

/* ---- covariance ---- */

static bool all_at_least_zero(ct_tensor *weights)
{
    ct_tensor *good = ct_own_ge(V(weights), ct_value_int(0));
    ct_tensor *all = ct_own_all(good, CT_NO_DIMS, false);
    bool answer = all && ct_item(all) != 0;
    cti_release_all(good, all);
    return answer;
}

static bool cov_check_weights(const char *name, ct_tensor *weights, int64_t n, bool integral)
{
    enum ct_dtype dtype = weights->dtype;
    if (weights->ndim > 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "cov(): expected %s to have one or fewer dimensions but got %s with %d "
                          "dimensions",
                          name, name, weights->ndim);
    if (integral ? !cti_is_integral(dtype, false) : dtype < CT_FLOAT16 || dtype >= CT_COMPLEX64)
        return cti_refuse(
            CT_ERR_RUNTIME, "cov(): expected %s to have %s dtype but got %s with %s dtype", name,
            integral ? "integral" : "floating point", name, cti_dtype_scalar_name(dtype));
    if (weights->numel != n)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "cov(): expected %s to have the same numel as there are observations in the "
            "input but got %lld != %lld",
            name, (long long)weights->numel, (long long)n);
    if (n && weights->storage->device.type != CT_META && !all_at_least_zero(weights))
        return cti_refuse(CT_ERR_RUNTIME, "cov(): %s cannot be negative", name);
    return true;
}

/* The divisor of the sums of products: the sum of the weights, minus the correction. h owns the
 * result. */
static ct_tensor *cov_divisor(struct cti_hold *h, ct_tensor *sum, ct_tensor *w, ct_tensor *aweights,
                              int64_t correction)
{
    ct_tensor *less = NULL;
    if (w && aweights && correction != 0) {
        ct_tensor *squares = cti_hold(h, ct_own_mul(V(w), V(aweights)));
        ct_tensor *total = cti_hold(h, ct_own_sum(squares, CT_NO_DIMS, false, CT_NO_DTYPE));
        ct_tensor *times = cti_hold(h, ct_own_mul(V(total), ct_value_int(correction)));
        less = cti_hold(h, ct_own_div(V(times), V(sum), NULL));
        if (!less)
            return NULL;
    }
    ct_tensor *divisor =
        cti_hold(h, ct_own_sub(V(sum), less ? V(less) : ct_value_int(correction), ct_value_int(1)));
    bool known = divisor && divisor->storage->device.type != CT_META;
    if (known && ct_item(divisor) <= 0) {
        cti_warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the "
                 "number of observations.");
        divisor = cti_hold(h, ct_own_zeros_like(divisor, CT_NO_DTYPE, CT_NO_DEVICE, false, -1));
    }
    return divisor;
}

static bool check_cov(const ct_tensor *input)
{
    if (input->ndim > 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "cov(): expected input to have two or fewer dimensions but got an input "
                          "with %d dimensions",
                          input->ndim);
    if (input->dtype == CT_BOOL)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "cov(): bool dtype is not supported for input");
    return true;
}

ct_tensor *cti_op_cov(ct_tensor *input, int64_t correction, ct_tensor *fweights,
                      ct_tensor *aweights)
{
    struct cti_hold h = {0};
    ct_tensor *f = fweights == CT_NO_TENSOR ? NULL : fweights, *w = f;
    ct_tensor *a = aweights == CT_NO_TENSOR ? NULL : aweights;
    if (!check_cov(input))
        return NULL;
    ct_tensor *rows =
        input->ndim < 2 ? cti_hold(&h, ct_own_reshape(input, CT_INTS(1, input->numel))) : input;
    int64_t n = rows ? rows->shape[1] : 0;
    if (!rows || (f && !cov_check_weights("fweights", f, n, true)) ||
        (a && !cov_check_weights("aweights", a, n, false)))
        return cti_hold_end(&h, NULL);
    if (a)
        w = f ? cti_hold(&h, ct_own_mul(V(f), V(a))) : a;
    if (a && !w)
        return cti_hold_end(&h, NULL);
    ct_tensor *sum =
        w ? cti_hold(&h, ct_own_sum(w, CT_NO_DIMS, false, CT_NO_DTYPE))
          : cti_hold(&h, cti_number_tensor(ct_value_int(n), CT_INT64, input->storage->device));
    if (w && sum && sum->storage->device.type != CT_META && ct_item(sum) == 0) {
        cti_hold_end(&h, NULL);
        return ct_fail(CT_ERR_RUNTIME, "cov(): weights sum to zero, can't be normalized");
    }
    ct_tensor *part = w ? cti_hold(&h, ct_own_mul(V(rows), V(w))) : rows;
    ct_tensor *total = cti_hold(&h, ct_own_sum(part, CT_INTS(1), false, CT_NO_DTYPE));
    ct_tensor *mean = cti_hold(&h, ct_own_div(V(total), V(sum), NULL));
    ct_tensor *divisor = sum ? cov_divisor(&h, sum, w, a, correction) : NULL;
    ct_tensor *column = cti_hold(&h, ct_own_unsqueeze(mean, 1));
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(rows), V(column), ct_value_int(1)));
    ct_tensor *other = w ? cti_hold(&h, ct_own_mul(V(difference), V(w))) : difference;
    ct_tensor *transposed = cti_hold(&h, ct_own_t(other)),
              *conj = cti_hold(&h, ct_own_conj(transposed));
    ct_tensor *products = cti_hold(&h, ct_own_mm(difference, conj));
    ct_tensor *cov = cti_hold(&h, ct_own_div(V(products), V(divisor), NULL));
    return cti_hold_end(&h, cti_hold(&h, ct_own_squeeze(cov, CT_NO_DIMS)));
}

/* The covariance divided by both standard deviations, clamped to [-1, 1]. */
ct_tensor *cti_op_corrcoef(ct_tensor *input)
{
    struct cti_hold h = {0};
    ct_value low = ct_value_int(-1), high = ct_value_int(1);
    if (input->ndim > 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "corrcoef(): expected input to have two or fewer dimensions but got an "
                       "input with %d dimensions",
                       input->ndim);
    ct_tensor *c = cti_hold(&h, ct_own_cov(input, 1, CT_NO_TENSOR, CT_NO_TENSOR));
    if (c && c->ndim == 0)
        return cti_hold_end(&h, cti_hold(&h, ct_own_div(V(c), V(c), NULL)));
    bool complex = c && c->dtype >= CT_COMPLEX64;
    ct_tensor *d = cti_hold(&h, ct_own_diag(c, 0));
    d = complex ? cti_hold(&h, ct_own_real(d)) : d;
    ct_tensor *std = cti_hold(&h, ct_own_sqrt(d));
    ct_tensor *rows = cti_hold(&h, ct_own_view(std, CT_INTS(-1, 1)));
    ct_tensor *columns = cti_hold(&h, ct_own_view(std, CT_INTS(1, -1)));
    c = cti_hold(&h, ct_own_div(V(c), V(rows), NULL));
    c = cti_hold(&h, ct_own_div(V(c), V(columns), NULL));
    if (!complex)
        return cti_hold_end(&h, cti_hold(&h, ct_own_clamp(c, low, high)));
    ct_tensor *re = cti_hold(&h, ct_own_real(c)), *im = cti_hold(&h, ct_own_imag(c));
    re = cti_hold(&h, ct_own_clamp(re, low, high));
    im = cti_hold(&h, ct_own_clamp(im, low, high));
    return cti_hold_end(&h, cti_hold(&h, ct_own_complex(re, im)));
}
