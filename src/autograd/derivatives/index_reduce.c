/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of scatter_reduce, index_reduce and put_. The first two combine values with the
 * elements that an index selects, and differ only in how the index addresses elements; struct reach
 * describes that. They call differentiable operations, so that they can be differentiated again. */
#include "autograd/derivatives/derivatives.h"

#include "core/backend.h"
#include "fronts.h"

struct reach {
    bool slices; /* the index names slices along dim; otherwise single elements */
    int64_t dim, how;
    ct_tensor *index;
    bool include_self;
};

/* Reads t at the index. */
static ct_tensor *reach_read(const struct reach *r, ct_tensor *t)
{
    return r->slices ? ct_own_index_select(t, r->dim, r->index)
                     : ct_own_gather(t, r->dim, r->index, false);
}

static ct_tensor *reach_add(const struct reach *r, ct_tensor *t, ct_tensor *src)
{
    return r->slices ? ct_own_index_add(t, r->dim, r->index, src, ct_value_int(1))
                     : ct_own_scatter_add(t, r->dim, r->index, src);
}

static ct_tensor *reach_combine(const struct reach *r, ct_tensor *t, ct_tensor *src)
{
    return r->slices ? ct_own_index_combine(t, r->dim, r->index, src, r->how, r->include_self)
                     : ct_own_scatter_combine(t, r->dim, r->index, src, r->how, r->include_self);
}

/* Takes t, and sets it to 0 at the index if self was not included in the reduction. */
static ct_tensor *without_self_take(const struct reach *r, ct_tensor *t)
{
    if (r->include_self)
        return t;
    ct_tensor *rest = r->slices ? ct_own_index_fill(t, r->dim, r->index, ct_value_int(0))
                                : ct_own_scatter_value(t, r->dim, r->index, ct_value_int(0));
    ct_release(t);
    return rest;
}

static ct_value of(ct_tensor *t)
{
    return ct_value_tensor(t);
}

/* t with ones for zeros. */
static ct_tensor *no_zeros(ct_tensor *t)
{
    ct_tensor *zero = ct_own_eq(of(t), ct_value_int(0));
    ct_tensor *result = ct_own_masked_fill(t, zero, ct_value_int(1));
    ct_release(zero);
    return result;
}

/* a times the conjugate of b. */
static ct_tensor *times_conj(ct_tensor *a, ct_tensor *b)
{
    ct_tensor *conj = ct_own_conj(b), *result = ct_own_mul(of(a), of(conj));
    ct_release(conj);
    return result;
}

/* a divided by the conjugate of b. */
static ct_tensor *over_conj(ct_tensor *a, ct_tensor *b)
{
    ct_tensor *conj = ct_own_conj(b), *result = ct_own_div(of(a), of(conj), NULL);
    ct_release(conj);
    return result;
}

/* The part of src that the index covers, which may be smaller; the caller owns it. */
static ct_tensor *used_part(const struct reach *r, ct_tensor *src)
{
    ct_tensor *part = ct_retain(src);
    for (int d = 0; part && !r->slices && d < src->ndim && d < r->index->ndim; d++) {
        if (r->index->shape[d] == src->shape[d])
            continue;
        ct_tensor *narrow = ct_own_narrow(part, d, 0, r->index->shape[d]);
        ct_release(part);
        part = narrow;
    }
    return part;
}

/* Takes the gradient of that part and pads it with zeros to the shape of src. */
static ct_tensor *pad_unused_take(ct_tensor *grad, const ct_tensor *src)
{
    int64_t pad[2 * CTI_MAX_DIMS] = {0};
    bool same = true;
    for (int d = 0; grad && d < src->ndim; d++) {
        pad[2 * (src->ndim - 1 - d) + 1] = src->shape[d] - grad->shape[d];
        same = same && src->shape[d] == grad->shape[d];
    }
    if (!grad || same)
        return grad;
    ct_tensor *whole =
        ct_own_constant_pad_nd(grad, ct_ints_of(pad, 2 * (int64_t)src->ndim), ct_value_int(0));
    ct_release(grad);
    return whole;
}

/* How many values were combined at each position, at least 1. */
static ct_tensor *reach_count(const struct reach *r, ct_tensor *grad, ct_tensor *src)
{
    struct ct_device none = CT_NO_DEVICE;
    ct_tensor *start = r->include_self ? ct_own_ones_like(grad, CT_NO_DTYPE, none, false, -1)
                                       : ct_own_zeros_like(grad, CT_NO_DTYPE, none, false, -1);
    ct_tensor *ones = ct_own_ones_like(src, CT_NO_DTYPE, none, false, -1);
    ct_tensor *sum = reach_add(r, start, ones), *result = no_zeros(sum);
    cti_release_all(start, ones, sum);
    return result;
}

/* For amax and amin: the gradient, divided by the number of elements that are equal to the
 * result. */
static ct_tensor *extreme_share(const struct reach *r, ct_tensor *grad, ct_tensor *self,
                                ct_tensor *src, ct_tensor *result)
{
    enum ct_dtype dtype = ct_dtype(self);
    ct_tensor *value = reach_read(r, result), *mine = ct_own_eq(of(self), of(result));
    ct_tensor *theirs = ct_own_eq(of(src), of(value));
    ct_tensor *a = ct_own_to_dtype(mine, dtype), *b = ct_own_to_dtype(theirs, dtype);
    ct_tensor *n = reach_add(r, a, b), *part = ct_own_div(of(grad), of(n), NULL);
    cti_release_all(value, mine, theirs, a, b, n);
    return part;
}

static ct_tensor *grad_self(const struct reach *r, ct_tensor *grad, ct_tensor *self, ct_tensor *src,
                            ct_tensor *result)
{
    ct_tensor *out = NULL;
    if (r->how == CTI_COMBINE_ADD) {
        out = ct_retain(grad);
    } else if (r->how == CTI_COMBINE_MEAN) {
        ct_tensor *n = reach_count(r, grad, src);
        out = ct_own_div(of(grad), of(n), NULL);
        ct_release(n);
    } else if (r->how == CTI_COMBINE_MULTIPLY) {
        ct_tensor *plain = no_zeros(self), *others = reach_combine(r, plain, src);
        ct_tensor *product = times_conj(grad, others);
        out = over_conj(product, plain);
        cti_release_all(plain, others, product);
    } else {
        ct_tensor *part = extreme_share(r, grad, self, src, result),
                  *is = ct_own_eq(of(self), of(result));
        out = ct_own_mul(of(is), of(part));
        cti_release_all(part, is);
    }
    return without_self_take(r, out);
}

/* For prod: the gradient times the product of all other factors, which is the result divided by the
 * factor. If the factor is the only zero of its product, the division fails, and a product with a
 * one instead of the zero is used. */
static ct_tensor *grad_factor(const struct reach *r, ct_tensor *grad, ct_tensor *self,
                              ct_tensor *src, ct_tensor *result)
{
    struct ct_device none = CT_NO_DEVICE;
    ct_tensor *zero = ct_own_eq(of(src), ct_value_int(0));
    ct_tensor *start = ct_own_zeros_like(self, CT_NO_DTYPE, none, false, -1);
    ct_tensor *ones = ct_own_to_dtype(zero, ct_dtype(self)), *sum = reach_add(r, start, ones);
    ct_tensor *zeros = reach_read(r, sum), *one = ct_own_eq(of(zeros), ct_value_int(1));
    ct_tensor *alone = ct_own_logical_and(zero, one);
    ct_tensor *filled = ct_own_masked_fill(src, alone, ct_value_int(1));
    ct_tensor *others = reach_combine(r, self, filled), *a = times_conj(grad, others);
    ct_tensor *b = times_conj(grad, result), *from_one = reach_read(r, a), *all = reach_read(r, b);
    ct_tensor *plain = no_zeros(src), *ratio = over_conj(all, plain);
    ct_tensor *out = ct_own_where(alone, of(from_one), of(ratio));
    cti_release_all(zero, start, ones, sum, zeros, one, alone, filled, others, a, b, from_one, all,
                    plain, ratio);
    return out;
}

static ct_tensor *grad_src(const struct reach *r, ct_tensor *grad, ct_tensor *self, ct_tensor *src,
                           ct_tensor *result)
{
    if (r->how == CTI_COMBINE_ADD)
        return reach_read(r, grad);
    if (r->how == CTI_COMBINE_MULTIPLY)
        return grad_factor(r, grad, self, src, result);
    if (r->how == CTI_COMBINE_MEAN) {
        ct_tensor *n = reach_count(r, grad, src), *part = ct_own_div(of(grad), of(n), NULL);
        ct_tensor *out = reach_read(r, part);
        cti_release_all(n, part);
        return out;
    }
    ct_tensor *part = extreme_share(r, grad, self, src, result), *there = reach_read(r, part);
    ct_tensor *value = reach_read(r, result), *is = ct_own_eq(of(src), of(value));
    ct_tensor *out = ct_own_mul(of(is), of(there));
    cti_release_all(part, there, value, is);
    return out;
}

ct_tensor *cti_grad_scatter_input(ct_tensor *grad, ct_tensor *input, int64_t dim, ct_tensor *index,
                                  ct_tensor *src, int64_t how, bool include_self, ct_tensor *result)
{
    struct reach r = {false, dim, how, index, include_self};
    ct_tensor *part = used_part(&r, src), *out = grad_self(&r, grad, input, part, result);
    ct_release(part);
    return out;
}

ct_tensor *cti_grad_scatter_src(ct_tensor *grad, ct_tensor *input, int64_t dim, ct_tensor *index,
                                ct_tensor *src, int64_t how, bool include_self, ct_tensor *result)
{
    struct reach r = {false, dim, how, index, include_self};
    ct_tensor *part = used_part(&r, src), *out = grad_src(&r, grad, input, part, result);
    ct_release(part);
    return pad_unused_take(out, src);
}

ct_tensor *cti_grad_index_input(ct_tensor *grad, ct_tensor *input, int64_t dim, ct_tensor *index,
                                ct_tensor *source, int64_t how, bool include_self,
                                ct_tensor *result)
{
    struct reach r = {true, dim, how, index, include_self};
    return grad_self(&r, grad, input, source, result);
}

ct_tensor *cti_grad_index_source(ct_tensor *grad, ct_tensor *input, int64_t dim, ct_tensor *index,
                                 ct_tensor *source, int64_t how, bool include_self,
                                 ct_tensor *result)
{
    struct reach r = {true, dim, how, index, include_self};
    return grad_src(&r, grad, input, source, result);
}

/* put replaces elements, whose gradient is then 0, or adds to them. */
ct_tensor *cti_grad_put(ct_tensor *grad, ct_tensor *index, bool accumulate)
{
    if (accumulate)
        return ct_retain(grad);
    ct_tensor *zeros = ct_own_zeros(ct_ints_of(index->shape, index->ndim), ct_dtype(grad),
                                    grad->storage->device, false);
    ct_tensor *result = ct_own_put(grad, index, zeros, false);
    ct_release(zeros);
    return result;
}
