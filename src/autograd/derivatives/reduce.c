/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of reductions: the gradient of each result is distributed to the elements that it was
 * computed from. The functions call differentiable operations, which return NULL for NULL, so a
 * failure is checked once at the end. */
#include "autograd/derivatives/derivatives.h"

#include <math.h>

/* ---- dims ---- */

static bool is_reduced(ct_ints dim, int64_t d, int64_t ndim)
{
    for (int64_t k = 0; k < dim.n; k++)
        if (dim.v[k] == d || dim.v[k] + ndim == d)
            return true;
    return dim.n == 0; /* no dims mean all */
}

/* How many elements were reduced to one. */
static int64_t count_of(ct_ints shape, ct_ints dim)
{
    int64_t n = 1;
    for (int64_t d = 0; d < shape.n; d++)
        if (is_reduced(dim, d, shape.n))
            n *= shape.v[d];
    return n;
}

/* A reduced tensor with the reduced dims as dims of size 1, so that it broadcasts. The caller owns
 * the result. */
static ct_tensor *kept(ct_tensor *t, ct_ints shape, ct_ints dim, bool keepdim)
{
    if (!t || keepdim || dim.n == 0)
        return ct_retain(t);
    int64_t full[CTI_MAX_DIMS];
    for (int64_t d = 0; d < shape.n; d++)
        full[d] = is_reduced(dim, d, shape.n) ? 1 : shape.v[d];
    return ct_own_view(t, ct_ints_of(full, shape.n));
}

static ct_ints shape_of(const ct_tensor *t)
{
    return ct_ints_of(t->shape, t->ndim);
}

/* ---- sums ---- */

ct_tensor *cti_grad_sum(ct_tensor *grad, ct_ints input, ct_ints dim, bool keepdim)
{
    ct_tensor *g = kept(grad, input, dim, keepdim);
    return cti_replace_take(g, ct_own_expand(g, input, false));
}

ct_tensor *cti_grad_nansum(ct_tensor *grad, ct_tensor *input, ct_ints dim, bool keepdim)
{
    ct_tensor *g = cti_grad_sum(grad, shape_of(input), dim, keepdim);
    ct_tensor *nan = ct_own_isnan(input), *number = ct_own_logical_not(nan);
    ct_tensor *out = ct_own_mul(V(g), V(number));
    cti_release_all(nan, number);
    return cti_replace_take(g, out);
}

ct_tensor *cti_grad_mean(ct_tensor *grad, ct_ints input, ct_ints dim, bool keepdim)
{
    /* PyTorch's result is not a view either */
    ct_tensor *wide = cti_grad_sum(grad, input, dim, keepdim);
    return cti_replace_take(wide, ct_own_div(V(wide), ct_value_int(count_of(input, dim)), NULL));
}

/* Each element gets the product of all others, which is the result divided by the element. If
 * exactly one element is 0, only that one has a gradient, for which division fails; if two or more
 * are 0, none has. */
ct_tensor *cti_grad_prod(ct_tensor *grad, ct_tensor *input, ct_tensor *result, int64_t dim,
                         bool keepdim)
{
    ct_ints dims = dim == CT_NO_DIM ? CT_NO_DIMS : ct_ints_of(&dim, 1);
    if (!(input = ct_own_to_dtype(input, ct_dtype(result)))) /* prod(dtype=...) */
        return NULL;
    ct_tensor *g = kept(grad, shape_of(input), dims, keepdim);
    if (cti_grad_on() && cti_has_zero(input)) {
        ct_tensor *recorded = g ? cti_grad_prod_recorded(g, input, dim) : NULL;
        ct_release(input);
        return cti_replace_take(g, recorded);
    }
    ct_tensor *all = kept(result, shape_of(input), dims, keepdim);
    ct_tensor *zero = ct_own_eq(V(input), ct_value_int(0));
    ct_tensor *zeros = ct_own_sum(zero, dims, true, CT_NO_DTYPE);
    ct_tensor *filled = ct_own_where(zero, ct_value_int(1), V(input));
    ct_tensor *rest = ct_own_prod(filled, dim, false, CT_NO_DTYPE);
    rest = cti_replace_take(rest, kept(rest, shape_of(input), dims, false));
    ct_tensor *alone = ct_own_eq(V(zeros), ct_value_int(1));
    ct_tensor *at_zero = ct_own_where(alone, V(rest), ct_value_int(0));
    ct_tensor *other = ct_own_div(V(all), V(filled), NULL);
    ct_tensor *factor = ct_own_where(zero, V(at_zero), V(other));
    factor = factor ? cti_replace_take(factor, ct_own_conj(factor)) : NULL;
    ct_tensor *out = ct_own_mul(V(g), V(factor));
    ct_tensor *const used[] = {input, g,     all,     zero,  zeros, filled,
                               rest,  alone, at_zero, other, factor};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}

/* ---- extremes ---- */

/* Shares a gradient evenly among the elements that are equal to the result. Takes mask. */
static ct_tensor *share_take(ct_tensor *grad, ct_tensor *mask, ct_ints dim)
{
    ct_tensor *n = ct_own_sum(mask, dim, true, CT_NO_DTYPE);
    ct_tensor *part = ct_own_div(V(grad), V(n), NULL);
    ct_tensor *out = ct_own_where(mask, V(part), ct_value_int(0));
    cti_release_all(n, part, mask);
    return out;
}

ct_tensor *cti_grad_amax(ct_tensor *grad, ct_tensor *input, ct_tensor *result, ct_ints dim,
                         bool keepdim)
{
    ct_tensor *g = kept(grad, shape_of(input), dim, keepdim);
    ct_tensor *r = kept(result, shape_of(input), dim, keepdim);
    ct_tensor *mask = ct_own_eq(V(input), V(r));
    ct_release(r);
    return cti_replace_take(g, share_take(g, mask, dim));
}

/* Either result may have no gradient. */
ct_tensor *cti_grad_aminmax(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *input,
                            ct_tensor *min, ct_tensor *max, int64_t dim, bool keepdim)
{
    ct_ints dims = dim == CT_NO_DIM ? CT_NO_DIMS : ct_ints_of(&dim, 1);
    (void)node;
    ct_tensor *low = grads[0] ? cti_grad_amax(grads[0], input, min, dims, keepdim) : NULL;
    if (!grads[1])
        return low;
    ct_tensor *high = cti_grad_amax(grads[1], input, max, dims, keepdim);
    if (!grads[0])
        return high;
    ct_tensor *both = cti_grad_add(low, high);
    cti_release_all(low, high);
    return both;
}

/* The maximum or minimum of the whole tensor. A NaN in the input is the extreme. */
ct_tensor *cti_grad_max(ct_tensor *grad, ct_tensor *input, ct_tensor *result)
{
    ct_tensor *same = ct_own_eq(V(input), V(result)), *nan = ct_own_isnan(input);
    ct_tensor *is_nan = ct_own_isnan(result);
    ct_tensor *both = ct_own_logical_and(nan, is_nan), *mask = ct_own_logical_or(same, both);
    cti_release_all(same, nan, is_nan, both);
    return share_take(grad, mask, CT_NO_DIMS);
}

ct_tensor *cti_grad_value_selecting(ct_tensor *grad, int64_t dim, ct_tensor *indices, bool keepdim)
{
    if (grad->ndim == 0)
        return ct_retain(grad);
    ct_tensor *index = keepdim ? ct_retain(indices) : ct_own_unsqueeze(indices, dim);
    ct_tensor *picked = cti_replace_take(index, ct_own_gather(grad, dim, index, false));
    return keepdim ? picked : cti_replace_take(picked, ct_own_squeeze(picked, ct_ints_of(&dim, 1)));
}

/* ---- exponentials ---- */

/* grad * exp(input - result): each element's share of the sum. */
ct_tensor *cti_grad_logsumexp(ct_tensor *grad, ct_tensor *input, ct_tensor *result, ct_ints dim,
                              bool keepdim)
{
    ct_tensor *g = kept(grad, shape_of(input), dim, keepdim);
    ct_tensor *r = kept(result, shape_of(input), dim, keepdim);
    ct_tensor *apart = ct_own_sub(V(input), V(r), ct_value_int(1));
    ct_tensor *share = ct_own_exp(apart), *conj = ct_own_conj(share);
    ct_tensor *out = ct_own_mul(V(g), V(conj));
    ct_tensor *const used[] = {g, r, apart, share, conj};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}

/* ---- spread ---- */

ct_tensor *cti_grad_var(ct_tensor *grad, ct_tensor *input, ct_ints dim, ct_value correction,
                        bool keepdim)
{
    double less = correction.kind == CT_VALUE_NONE ? 1 : cti_value_real(correction);
    double scale = 2 / ((double)count_of(shape_of(input), dim) - less);
    ct_tensor *g = kept(grad, shape_of(input), dim, keepdim);
    ct_tensor *scaled = ct_own_mul(V(g), ct_value_float(scale));
    ct_tensor *mean = ct_own_mean(input, dim, true, CT_NO_DTYPE);
    ct_tensor *apart = ct_own_sub(V(input), V(mean), ct_value_int(1));
    ct_tensor *out = ct_own_mul(V(scaled), V(apart));
    cti_release_all(g, scaled, mean, apart);
    return out;
}

ct_tensor *cti_grad_std(ct_tensor *grad, ct_tensor *input, ct_tensor *result, ct_ints dim,
                        ct_value correction, bool keepdim)
{
    ct_tensor *twice = ct_own_mul(V(result), ct_value_int(2));
    ct_tensor *still = ct_own_eq(V(result), ct_value_int(0));
    /* If the input is constant, the numerator of a forward derivative is 0 here, so the divisor
     * must not be 0. */
    ct_tensor *divisor = ct_own_where(still, ct_value_int(1), V(twice));
    ct_tensor *part = ct_own_div(V(grad), V(divisor), NULL);
    ct_tensor *g = ct_own_where(still, ct_value_int(0), V(part));
    cti_release_all(twice, part, divisor, still);
    return cti_replace_take(g, g ? cti_grad_var(g, input, dim, correction, keepdim) : NULL);
}

/* For var_mean (root: std_mean); either result may have no gradient. */
static ct_tensor *spread_mean(bool root, ct_tensor *const *grads, ct_tensor *input, ct_ints dim,
                              ct_value correction, bool keepdim)
{
    ct_tensor *mean = grads[1] ? cti_grad_mean(grads[1], shape_of(input), dim, keepdim) : NULL;
    ct_tensor *spread = NULL;
    if (!grads[0])
        return mean;
    if (root) {
        ct_tensor *std = ct_own_std(input, dim, correction, keepdim);
        spread = std ? cti_grad_std(grads[0], input, std, dim, correction, keepdim) : NULL;
        ct_release(std);
    } else {
        spread = cti_grad_var(grads[0], input, dim, correction, keepdim);
    }
    if (!grads[1])
        return spread;
    ct_tensor *both = spread && mean ? cti_grad_add(spread, mean) : NULL;
    ct_release(mean);
    return cti_replace_take(spread, both);
}

ct_tensor *cti_grad_var_mean(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *input,
                             ct_ints dim, ct_value correction, bool keepdim)
{
    (void)node;
    return spread_mean(false, grads, input, dim, correction, keepdim);
}

ct_tensor *cti_grad_std_mean(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *input,
                             ct_ints dim, ct_value correction, bool keepdim)
{
    (void)node;
    return spread_mean(true, grads, input, dim, correction, keepdim);
}

/* ---- norms ---- */

/* Order inf or -inf: the elements with the largest or smallest magnitude share the gradient, each
 * times its sign. */
static ct_tensor *extreme_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *norm, ct_ints dim)
{
    ct_tensor *size = ct_own_abs(input), *direction = ct_own_sgn(input);
    ct_tensor *part = share_take(grad, ct_own_eq(V(size), V(norm)), dim);
    ct_tensor *out = ct_own_mul(V(part), V(direction));
    cti_release_all(size, direction, part);
    return out;
}

/* direction * |x|^(p - 1) * grad / norm^(p - 1), without 0 / 0. */
static ct_tensor *power_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *norm, double p)
{
    ct_tensor *size = ct_own_abs(input), *direction = ct_own_sgn(input);
    ct_tensor *power = ct_own_pow(V(size), ct_value_float(p - 1));
    if (p < 1) {
        ct_tensor *zero = ct_own_eq(V(input), ct_value_int(0));
        power = cti_replace_take(power, ct_own_where(zero, ct_value_int(0), V(power)));
        ct_release(zero);
    }
    ct_tensor *scaled = ct_own_mul(V(direction), V(power));
    ct_tensor *whole = ct_own_pow(V(norm), ct_value_float(p - 1));
    ct_tensor *part = cti_grad_ratio(grad, whole), *out = ct_own_mul(V(scaled), V(part));
    ct_tensor *const used[] = {size, direction, power, scaled, whole, part};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}

/* Order 0 counts the nonzero elements, so its derivative is 0. */
ct_tensor *cti_grad_vector_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *result, ct_value ord,
                                ct_ints dim, bool keepdim)
{
    return cti_value_real(ord) == 0 ? CT_NO_TENSOR
                                    : cti_grad_norm(grad, input, result, ord, dim, keepdim);
}

ct_tensor *cti_grad_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *result, ct_value ord,
                         ct_ints dim, bool keepdim)
{
    double p = cti_value_real(ord);
    if (p == 0)
        return cti_grad_zeros_like(input);
    ct_tensor *g = kept(grad, shape_of(input), dim, keepdim), *out = NULL;
    ct_tensor *norm = kept(result, shape_of(input), dim, keepdim);
    if (!g || !norm) {
        out = NULL;
    } else if (p == 1) {
        ct_tensor *direction = ct_own_sgn(input);
        out = cti_replace_take(direction, ct_own_mul(V(g), V(direction)));
    } else if (p == 2) {
        ct_tensor *unit = cti_grad_ratio(input, norm);
        out = cti_replace_take(unit, ct_own_mul(V(g), V(unit)));
    } else if (isinf(p)) {
        out = extreme_norm(g, input, norm, dim);
    } else {
        out = power_norm(g, input, norm, p);
    }
    cti_release_all(g, norm);
    return out;
}

ct_tensor *cti_grad_dist(ct_tensor *grad, ct_tensor *input, ct_tensor *other, ct_tensor *result,
                         ct_value p)
{
    ct_tensor *apart = ct_own_sub(V(input), V(other), ct_value_int(1));
    return apart ? cti_replace_take(apart, cti_grad_norm(grad, apart, result, p, CT_NO_DIMS, false))
                 : NULL;
}

ct_tensor *cti_grad_dist_other(ct_tensor *grad, ct_tensor *input, ct_tensor *other,
                               ct_tensor *result, ct_value p)
{
    ct_tensor *one = cti_grad_dist(grad, input, other, result, p);
    return cti_replace_take(one, ct_own_neg(one));
}

/* ---- trace ---- */

/* The elements of the diagonal get the gradient; others get 0. */
ct_tensor *cti_grad_trace(ct_tensor *grad, ct_ints input)
{
    int64_t n = input.v[0] < input.v[1] ? input.v[0] : input.v[1];
    ct_tensor *along = ct_own_expand(grad, ct_ints_of(&n, 1), false);
    ct_tensor *result = ct_own_diagonal_backward(along, input, 0, 0, 1);
    ct_release(along);
    return result;
}
