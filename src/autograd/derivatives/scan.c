/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of cumprod and logcumsumexp, and that of prod without division. If a factor is 0, the
 * product of the other factors is not a quotient of the result, so it is computed from cumulative
 * products. That is more expensive than division (reduce.c, and the operation cumprod_backward), so
 * these functions check for a zero first. NULL passes through and is checked at the end. */
#include "autograd/derivatives/derivatives.h"

#include "core/alloc.h"
#include "core/shape.h"

#include <float.h>

/* ---- products ---- */

bool cti_has_zero(ct_tensor *x)
{
    if (ct_device_of(x).type == CT_META)
        return false;
    bool mode = cti_grad_pause();
    ct_tensor *truth = ct_own_ne(V(x), ct_value_int(0));
    ct_tensor *all = ct_own_all(truth, CT_NO_DIMS, false);
    bool found = all && ct_item(all) == 0;
    cti_grad_restore(mode);
    cti_release_all(truth, all);
    return found;
}

/* `count` ones along dim, with t's other sizes. */
static ct_tensor *ones_along(ct_tensor *t, int dim, int64_t count)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < t->ndim; d++)
        shape[d] = d == dim ? count : t->shape[d];
    return ct_own_new_ones(t, ct_ints_of(shape, t->ndim), CT_NO_DTYPE, CT_NO_DEVICE, false);
}

/* 1, x_from, x_from x_from+1, ...: the cumulative products along dim, from element `from` on. */
static ct_tensor *cumulative_products(ct_tensor *x, int dim, int64_t from)
{
    ct_tensor *one = ones_along(x, dim, 1);
    ct_tensor *rest = ct_own_narrow(x, dim, from, x->shape[dim] - from);
    ct_tensor *both = ct_own_cat(ct_list_of((ct_tensor *[]){one, rest}, 2), dim);
    ct_tensor *result = ct_own_cumprod(both, dim, CT_NO_DTYPE);
    cti_release_all(one, rest, both);
    return result;
}

/* For each element along dim, the product of all others: of those before it times those after
 * it. */
static ct_tensor *product_of_others(ct_tensor *x, int dim)
{
    int64_t n = x->shape[dim], back = dim;
    ct_tensor *flipped = ct_own_flip(x, ct_ints_of(&back, 1));
    ct_tensor *before = cumulative_products(x, dim, 0),
              *behind = flipped ? cumulative_products(flipped, dim, 0) : NULL;
    ct_tensor *early = ct_own_narrow(before, dim, 0, n), *late = ct_own_narrow(behind, dim, 0, n);
    ct_tensor *ordered = ct_own_flip(late, ct_ints_of(&back, 1));
    ct_tensor *result = ct_own_mul(V(early), V(ordered));
    ct_tensor *const used[] = {flipped, before, behind, early, late, ordered};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return result;
}

/* grad has the dims of input, with size 1 in the reduced ones; dim CT_NO_DIM: the product of
 * all. */
ct_tensor *cti_grad_prod_recorded(ct_tensor *grad, ct_tensor *input, int64_t dim)
{
    int d = 0;
    if (!input->ndim)
        return ct_retain(grad);
    if (dim != CT_NO_DIM && !cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    ct_ints shape = ct_ints_of(input->shape, input->ndim);
    const int64_t whole = -1;
    ct_tensor *line =
        dim == CT_NO_DIM ? ct_own_reshape(input, ct_ints_of(&whole, 1)) : ct_retain(input);
    ct_tensor *others = line && input->numel ? product_of_others(line, d) : ct_retain(line);
    ct_tensor *shaped = ct_own_reshape(others, shape), *conj = ct_own_conj(shaped);
    ct_tensor *result = ct_own_mul(V(grad), V(conj));
    ct_tensor *const used[] = {line, others, shaped, conj};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return result;
}

/* The k-th element of the gradient of cumprod: each later product without x_k. */
static ct_tensor *cumprod_part(ct_tensor *grad, ct_tensor *x, int dim, int64_t k)
{
    int64_t n = x->shape[dim], along = dim;
    ct_tensor *head = ct_own_narrow(x, dim, 0, k),
              *until = ct_own_prod(head, dim, true, CT_NO_DTYPE);
    ct_tensor *behind = cumulative_products(x, dim, k + 1),
              *others = ct_own_mul(V(until), V(behind));
    ct_tensor *later = ct_own_narrow(grad, dim, k, n - k), *conj = ct_own_conj(others);
    ct_tensor *terms = ct_own_mul(V(later), V(conj));
    ct_tensor *result = ct_own_sum(terms, ct_ints_of(&along, 1), true, CT_NO_DTYPE);
    ct_tensor *const used[] = {head, until, behind, others, later, conj, terms};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return result;
}

ct_tensor *cti_grad_cumprod(ct_tensor *grad, ct_tensor *input, int64_t dim, ct_tensor *result)
{
    int d = 0;
    if (!cti_grad_on() || !cti_has_zero(input))
        return ct_own_cumprod_backward(grad, input, dim, result);
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (!input->ndim || !input->numel)
        return ct_retain(grad);
    ct_tensor *x = ct_own_to_dtype(input, ct_dtype(result)); /* cumprod(dtype=...) */
    int64_t n = x ? x->shape[d] : 0, made = 0;
    ct_tensor **part = x ? cti_calloc((size_t)n, sizeof *part) : NULL, *all = NULL;
    for (; part && made < n; made++)
        if (!(part[made] = cumprod_part(grad, x, d, made)))
            break;
    if (part && made == n)
        all = ct_own_cat(ct_list_of(part, n), d);
    for (int64_t k = 0; k < made; k++)
        ct_release(part[k]);
    cti_free(part);
    ct_release(x);
    return all;
}

/* ---- logcumsumexp ---- */

/* exp(input + log(sum of e^(log_grad - result) from each element to the end)). */
static ct_tensor *logcumsumexp_share(ct_tensor *log_grad, ct_tensor *input, ct_tensor *result,
                                     int64_t dim)
{
    ct_tensor *difference = ct_own_sub(V(log_grad), V(result), ct_value_int(1));
    ct_tensor *back = ct_own_flip(difference, ct_ints_of(&dim, 1));
    ct_tensor *sums = ct_own_logcumsumexp(back, dim);
    ct_tensor *sums_ahead = ct_own_flip(sums, ct_ints_of(&dim, 1));
    ct_tensor *whole = ct_own_add(V(sums_ahead), V(input), ct_value_int(1)),
              *out = ct_own_exp(whole);
    ct_tensor *const used[] = {difference, back, sums, sums_ahead, whole};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}

/* The lowest finite number. Unlike -inf, it does not cause NaN in differences of its derivative. */
static double lowest(int dtype)
{
    return dtype == CT_FLOAT64 ? -DBL_MAX : dtype == CT_FLOAT16 ? -65504 : -3.3895313892515355e38;
}

/* Positive and negative gradients are treated separately, because each needs its logarithm. */
ct_tensor *cti_grad_logcumsumexp(ct_tensor *grad, ct_tensor *input, ct_tensor *result, int64_t dim)
{
    if (!grad->ndim || !grad->numel)
        return ct_retain(grad);
    ct_value low = ct_value_float(lowest(grad->dtype)), none = ct_value_int(0);
    if (input->dtype >= CT_COMPLEX64) {
        ct_tensor *conj = ct_own_conj(result), *log = ct_own_log(grad), *own = ct_own_conj(input);
        ct_tensor *out = log && conj && own ? logcumsumexp_share(log, own, conj, dim) : NULL;
        cti_release_all(conj, own);
        return cti_replace_take(log, out);
    }
    ct_tensor *size = ct_own_abs(grad), *log = ct_own_log(size);
    ct_tensor *above = ct_own_gt(V(grad), none), *below = ct_own_lt(V(grad), none);
    ct_tensor *log_above = ct_own_where(above, V(log), low);
    ct_tensor *log_below = ct_own_where(below, V(log), low);
    ct_tensor *plus = log_above ? logcumsumexp_share(log_above, input, result, dim) : NULL;
    ct_tensor *minus = log_below ? logcumsumexp_share(log_below, input, result, dim) : NULL;
    ct_tensor *out = ct_own_sub(V(plus), V(minus), ct_value_int(1));
    ct_tensor *const used[] = {size, log, above, below, log_above, log_below, plus, minus};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}
