/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of cdist, pdist and renorm. They call differentiable operations, so that they can be
 * differentiated again. */
#include "autograd/derivatives/derivatives.h"

#include "corten/macros.h"

#include <math.h>

/* Order 2: with w = grad / distance, the gradient of x is x sum(w) - w y, which needs no tensor of
 * differences. */
static ct_tensor *grad_euclidean(ct_tensor *grad, ct_tensor *x, ct_tensor *y, ct_tensor *dist)
{
    ct_tensor *w = cti_grad_ratio(grad, dist);
    ct_tensor *sum = ct_own_sum(w, CT_INTS(-1), true, CT_NO_DTYPE);
    ct_tensor *own = ct_own_mul(V(x), V(sum)), *other = ct_own_matmul(w, y);
    ct_tensor *out = ct_own_sub(V(own), V(other), ct_value_int(1));
    ct_tensor *const used[] = {w, sum, own, other};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}

/* sign * (size / dist)^(p - 1). For p < 2 the power or its derivative is infinite at 0. PyTorch
 * returns 0 there and where dist is 0; cti_grad_pdist relies on the latter for the pairs that it
 * skips. */
static ct_tensor *by_power(ct_tensor *sign, ct_tensor *size, ct_tensor *dist, double p)
{
    ct_tensor *share = cti_grad_ratio(size, dist);
    if (p < 2) {
        ct_tensor *same = ct_own_eq(V(share), ct_value_int(0));
        share = cti_replace_take(share, ct_own_where(same, ct_value_int(1), V(share)));
        sign = ct_own_where(same, ct_value_int(0), V(sign));
        ct_release(same);
    } else {
        sign = ct_retain(sign);
    }
    ct_tensor *power = ct_own_pow(V(share), ct_value_float(p - 1));
    ct_tensor *out = ct_own_mul(V(sign), V(power));
    cti_release_all(power, share, sign);
    return out;
}

/* The derivative of the p-norm of `difference` with respect to each difference; dist has size 1 in
 * the last dim. */
static ct_tensor *by_difference(ct_tensor *difference, ct_tensor *dist, double p)
{
    ct_tensor *sign = ct_own_sgn(difference), *size = ct_own_abs(difference), *out = NULL;
    if (p == 1)
        out = ct_retain(sign);
    else if (isinf(p)) {
        ct_tensor *greatest = ct_own_eq(V(size), V(dist));
        out = cti_replace_take(greatest, ct_own_mul(V(sign), V(greatest)));
    } else
        out = by_power(sign, size, dist, p);
    ct_release(size);
    return cti_replace_take(sign, out);
}

ct_tensor *cti_grad_cdist(ct_tensor *grad, ct_tensor *x1, ct_tensor *x2, ct_tensor *result,
                          double p)
{
    if (p == 0)
        return cti_grad_zeros_like(x1);
    if (p == 2)
        return grad_euclidean(grad, x1, x2, result);
    ct_tensor *a = ct_own_unsqueeze(x1, -2), *b = ct_own_unsqueeze(x2, -3);
    ct_tensor *difference = ct_own_sub(V(a), V(b), ct_value_int(1));
    ct_tensor *dist = ct_own_unsqueeze(result, -1), *g = ct_own_unsqueeze(grad, -1);
    ct_tensor *slope = difference && dist ? by_difference(difference, dist, p) : NULL;
    ct_tensor *parts = ct_own_mul(V(g), V(slope));
    ct_tensor *out = ct_own_sum(parts, CT_INTS(-2), false, CT_NO_DTYPE);
    ct_tensor *const used[] = {a, b, difference, dist, g, slope, parts};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}

/* The gradient of the other argument: exchange the two. */
ct_tensor *cti_grad_cdist_other(ct_tensor *grad, ct_tensor *x1, ct_tensor *x2, ct_tensor *result,
                                double p)
{
    ct_tensor *g = ct_own_transpose(grad, -1, -2), *dist = ct_own_transpose(result, -1, -2);
    ct_tensor *out = g && dist ? cti_grad_cdist(g, x2, x1, dist, p) : NULL;
    cti_release_all(g, dist);
    return out;
}

/* The values of pdist's pairs as a matrix, above its diagonal. */
static ct_tensor *upper_triangle_of(ct_tensor *pairs, int64_t n)
{
    ct_tensor *zeros = ct_own_new_zeros(pairs, CT_INTS(n, n), CT_NO_DTYPE, CT_NO_DEVICE, false);
    ct_tensor *ones = ct_own_ones(CT_INTS(n, n), CT_BOOL, pairs->storage->device, false);
    ct_tensor *mask = ct_own_triu(ones, 1), *out = ct_own_masked_scatter(zeros, mask, pairs);
    cti_release_all(zeros, ones, mask);
    return out;
}

/* pdist is cdist of the rows with themselves, in which every pair counts once. */
ct_tensor *cti_grad_pdist(ct_tensor *grad, ct_tensor *input, ct_tensor *result, double p)
{
    if (input->shape[0] < 2)
        return cti_grad_zeros_like(input);
    ct_tensor *g = upper_triangle_of(grad, input->shape[0]),
              *dist = upper_triangle_of(result, input->shape[0]);
    ct_tensor *one = g && dist ? cti_grad_cdist(g, input, input, dist, p) : NULL;
    ct_tensor *other = one ? cti_grad_cdist_other(g, input, input, dist, p) : NULL;
    cti_release_all(g, dist);
    ct_tensor *out = ct_own_add(V(one), V(other), ct_value_int(1));
    cti_release_all(one, other);
    return out;
}

/* For slices that were scaled down: maxnorm / norm (grad - d norm * sum(grad * slice) / norm),
 * where d norm is the derivative of the norm; for other slices grad. */
ct_tensor *cti_grad_renorm(ct_tensor *grad, ct_tensor *input, ct_value p, int64_t dim,
                           ct_value maxnorm)
{
    int64_t dims[CTI_MAX_DIMS], n = 0, d = dim < 0 ? dim + input->ndim : dim;
    for (int64_t i = 0; i < input->ndim; i++)
        if (i != d)
            dims[n++] = i;
    ct_ints rest = ct_ints_of(dims, n);
    bool half = input->dtype == CT_FLOAT16 || input->dtype == CT_BFLOAT16;
    ct_tensor *norm = ct_own_vector_norm(input, p, rest, true, half ? CT_FLOAT32 : CT_NO_DTYPE);
    ct_tensor *conj = ct_own_conj(input), *products = ct_own_mul(V(conj), V(grad));
    ct_tensor *real =
        products && products->dtype >= CT_COMPLEX64 ? ct_own_real(products) : ct_retain(products);
    ct_tensor *sum = ct_own_sum(real, rest, true, CT_NO_DTYPE);
    ct_tensor *slope = sum && norm ? cti_grad_norm(sum, input, norm, p, rest, true) : NULL;
    ct_tensor *least = ct_own_add(V(norm), ct_value_float(1e-7), ct_value_int(1));
    ct_tensor *inverse = ct_own_reciprocal(least), *less = ct_own_mul(V(inverse), V(slope));
    ct_tensor *difference = ct_own_sub(V(grad), V(less), ct_value_int(1));
    ct_tensor *scale = ct_own_mul(V(inverse), maxnorm),
              *scaled = ct_own_mul(V(scale), V(difference));
    ct_tensor *far = ct_own_gt(V(norm), maxnorm), *out = ct_own_where(far, V(scaled), V(grad));
    ct_tensor *const used[] = {norm,    conj, products,   real,  sum,    slope, least,
                               inverse, less, difference, scale, scaled, far};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}
