/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements diff and integrals by the trapezoidal rule (difference.toml), which are composed of
 * differentiable operations, and logcumsumexp (scan.toml). */
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"

/* All elements but the last (first) along a dim. h owns the result. */
static ct_tensor *all_but_last(struct cti_hold *h, ct_tensor *t, int d)
{
    return t ? cti_hold(h, ct_own_narrow(t, d, 0, t->shape[d] ? t->shape[d] - 1 : 0)) : NULL;
}

static ct_tensor *all_but_first(struct cti_hold *h, ct_tensor *t, int d)
{
    int64_t n = t ? t->shape[d] : 0;
    return cti_hold(h, ct_own_narrow(t, d, n ? 1 : 0, n ? n - 1 : 0));
}

/* ---- diff ---- */

static bool check_end(const ct_tensor *input, const ct_tensor *end, int d)
{
    if (end == CT_NO_TENSOR)
        return true;
    if (end->ndim != input->ndim)
        return cti_refuse(CT_ERR_RUNTIME,
                          "diff expects prepend or append to be the same dimension as input");
    for (int i = 0; i < input->ndim; i++)
        if (i != d && end->shape[i] != input->shape[i])
            return cti_refuse(
                CT_ERR_RUNTIME,
                "diff expects the shape of tensor to prepend or append to match that of "
                "input except along the differencing dimension; input.size(%d) = %lld, "
                "but got tensor.size(%d) = %lld",
                i, (long long)input->shape[i], i, (long long)end->shape[i]);
    return true;
}

/* Copies like PyTorch, so that the autograd graph is the same. */
static ct_tensor *recorded_copy(ct_tensor *input)
{
    ct_tensor *to = cti_empty_like(input, input->dtype, CT_PRESERVE_FORMAT);
    return cti_take_if(to, to && ct_own_copy_(to, input, false));
}

ct_tensor *cti_op_diff(ct_tensor *input, int64_t n, int64_t dim, ct_tensor *prepend,
                       ct_tensor *append)
{
    struct cti_hold h = {0};
    int d;
    if (!input->ndim)
        return ct_fail(CT_ERR_RUNTIME, "diff expects input to be at least one-dimensional");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d) || !check_end(input, prepend, d) ||
        !check_end(input, append, d))
        return NULL;
    if (n < 0)
        return ct_fail(CT_ERR_RUNTIME, "order must be non-negative but got %lld", (long long)n);
    if (n == 0) /* ignores prepend and append */
        return recorded_copy(input);
    ct_tensor *parts[3], *t = input;
    int64_t count = 0;
    if (prepend != CT_NO_TENSOR)
        parts[count++] = prepend;
    parts[count++] = input;
    if (append != CT_NO_TENSOR)
        parts[count++] = append;
    if (count > 1)
        t = cti_hold(&h, ct_own_cat(ct_list_of(parts, count), d));
    if (t && n > t->shape[d])
        n = t->shape[d];
    ct_tensor *result = t;
    for (int64_t i = 0; i < n && result; i++) {
        struct cti_hold step = {0};
        ct_tensor *before = all_but_last(&step, result, d),
                  *after = all_but_first(&step, result, d);
        ct_tensor *next = input->dtype == CT_BOOL
                              ? ct_own_logical_xor(after, before)
                              : ct_own_sub(V(after), V(before), ct_value_int(1));
        next = cti_hold_end(&step, next ? cti_hold(&step, next) : NULL);
        if (i > 0)
            ct_release(result);
        result = next;
    }
    if (n == 0 && t) /* the dim is empty */
        result = ct_retain(t);
    cti_hold_end(&h, NULL);
    return result;
}

/* ---- trapezoids ---- */

static bool difference_check_types(const char *name, const ct_tensor *y, const ct_tensor *x)
{
    if (y->dtype != CT_BOOL && (!x || x->dtype != CT_BOOL))
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                      "%s: received a bool input for %s, but bool is not supported", name,
                      x ? "`x` or `y`" : "`y`");
}

static bool check_width(const char *name, ct_value dx)
{
    if (dx.kind != CT_VALUE_COMPLEX && dx.kind != CT_VALUE_BOOL)
        return true;
    return cti_refuse(CT_ERR_RUNTIME, "%s: Currently, we only support dx as a real number.", name);
}

/* The distances between the points x, in a shape that broadcasts with y's intervals. h owns the
 * result. */
static ct_tensor *widths(struct cti_hold *h, const char *name, ct_tensor *y, ct_tensor *x, int d)
{
    int64_t shape[CTI_MAX_DIMS];
    ct_tensor *positions = x;
    if (x->ndim == 1) {
        if (!y->ndim)
            return ct_fail(CT_ERR_INDEX, "Dimension specified as 0 but tensor has no dimensions");
        if (x->shape[0] != y->shape[d])
            return ct_fail(CT_ERR_RUNTIME, "%s: There must be one `x` value for each sample point",
                           name);
        for (int i = 0; i < y->ndim; i++)
            shape[i] = i == d ? x->shape[0] : 1;
        positions = cti_hold(h, ct_own_view(x, ct_ints_of(shape, y->ndim)));
    } else if (x->ndim < y->ndim) {
        for (int i = 0; i < y->ndim; i++)
            shape[i] = i < y->ndim - x->ndim ? 1 : x->shape[i - (y->ndim - x->ndim)];
        positions = cti_hold(h, ct_own_view(x, ct_ints_of(shape, y->ndim)));
    }
    if (!positions)
        return NULL;
    ct_tensor *left = all_but_last(h, positions, d), *right = all_but_first(h, positions, d);
    return cti_hold(h, ct_own_sub(V(right), V(left), ct_value_int(1)));
}

/* Sums neighbours, which gives twice the mean height of each trapezoid. h owns the result. */
static ct_tensor *heights(struct cti_hold *h, ct_tensor *y, int d)
{
    ct_tensor *left = all_but_last(h, y, d), *right = all_but_first(h, y, d);
    return cti_hold(h, ct_own_add(V(left), V(right), ct_value_int(1)));
}

/* Returns zeros without dim d, the integral over no points. */
static ct_tensor *nothing(ct_tensor *y, int d)
{
    return ct_own_sum(y, CT_INTS(d), false, y->dtype);
}

ct_tensor *cti_op_trapezoid_x(ct_tensor *y, ct_tensor *x, int64_t dim)
{
    struct cti_hold h = {0};
    int d;
    if (!cti_shape_wrap_dim(dim, y->ndim, &d))
        return NULL;
    if (!y->ndim)
        return ct_fail(CT_ERR_INDEX, "Dimension specified as 0 but tensor has no dimensions");
    if (!y->shape[d])
        return nothing(y, d);
    if (!difference_check_types("trapezoid", y, x))
        return NULL;
    ct_tensor *width = widths(&h, "trapezoid", y, x, d), *height = width ? heights(&h, y, d) : NULL;
    ct_tensor *area = cti_hold(&h, ct_own_mul(V(height), V(width)));
    ct_tensor *sum = cti_hold(&h, ct_own_sum(area, CT_INTS(d), false, CT_NO_DTYPE));
    return cti_hold_end(&h, cti_hold(&h, ct_own_div_number(sum, ct_value_float(2))));
}

ct_tensor *cti_op_trapezoid(ct_tensor *y, ct_value dx, int64_t dim)
{
    struct cti_hold h = {0};
    int d;
    if (!y->ndim)
        return ct_fail(CT_ERR_INDEX, "Dimension specified as %lld but tensor has no dimensions",
                       (long long)dim);
    if (!cti_shape_wrap_dim(dim, y->ndim, &d))
        return NULL;
    if (!y->shape[d])
        return nothing(y, d);
    if (!difference_check_types("trapezoid", y, NULL) || !check_width("trapezoid", dx))
        return NULL;
    ct_tensor *sum = cti_hold(&h, ct_own_sum(y, CT_INTS(d), false, CT_NO_DTYPE));
    ct_tensor *first = cti_hold(&h, ct_own_select(y, d, 0));
    ct_tensor *last = cti_hold(&h, ct_own_select(y, d, -1));
    ct_tensor *ends = cti_hold(&h, ct_own_add(V(first), V(last), ct_value_int(1)));
    ct_tensor *half = cti_hold(&h, ct_own_mul(V(ends), ct_value_float(0.5)));
    ct_tensor *area = cti_hold(&h, ct_own_sub(V(sum), V(half), ct_value_int(1)));
    return cti_hold_end(&h, cti_hold(&h, ct_own_mul_number(area, dx)));
}

ct_tensor *cti_op_mul_number(ct_tensor *input, ct_value other)
{
    return ct_own_mul(V(input), other);
}

ct_tensor *cti_op_div_number(ct_tensor *input, ct_value other)
{
    return ct_own_div(V(input), other, NULL);
}

static bool cumulative_dim(const char *name, const ct_tensor *y, const ct_tensor *x, int64_t dim,
                           int *d)
{
    if (!cti_shape_wrap_dim(dim, y->ndim, d) || !difference_check_types(name, y, x))
        return false;
    if (!y->ndim && (!x || x->ndim != 1))
        return cti_refuse(CT_ERR_INDEX, "slice() cannot be applied to a 0-dim tensor.");
    return true;
}

ct_tensor *cti_op_cumulative_trapezoid_x(ct_tensor *y, ct_tensor *x, int64_t dim)
{
    static const char name[] = "cumulative_trapezoid";
    struct cti_hold h = {0};
    int d;
    if (!cumulative_dim(name, y, x, dim, &d))
        return NULL;
    ct_tensor *width = widths(&h, name, y, x, d), *height = width ? heights(&h, y, d) : NULL;
    ct_tensor *area = cti_hold(&h, ct_own_mul(V(height), V(width)));
    ct_tensor *sums = cti_hold(&h, ct_own_cumsum(area, d, CT_NO_DTYPE));
    return cti_hold_end(&h, cti_hold(&h, ct_own_div_number(sums, ct_value_float(2))));
}

ct_tensor *cti_op_cumulative_trapezoid(ct_tensor *y, ct_value dx, int64_t dim)
{
    struct cti_hold h = {0};
    int d;
    if (!cumulative_dim("cumulative_trapezoid", y, NULL, dim, &d) ||
        !check_width("cumulative_trapezoid", dx))
        return NULL;
    ct_value half = ct_value_float(cti_value_real(dx) / 2);
    ct_tensor *area = cti_hold(&h, ct_own_mul(V(heights(&h, y, d)), half));
    return cti_hold_end(&h, cti_hold(&h, ct_own_cumsum(area, d, CT_NO_DTYPE)));
}

/* ---- logcumsumexp ---- */

ct_tensor *cti_op_logcumsumexp(ct_tensor *input, int64_t dim)
{
    int d;
    enum ct_dtype dtype = input->dtype;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (dtype < CT_FLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"logcumsumexp_out_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    if (!input->ndim || !input->numel)
        return cti_clone(input);
    ct_tensor *in = cti_cast(input, cti_dtype_compute(dtype)), *result = NULL;
    ct_tensor *out = in ? cti_empty(in->ndim, in->shape, in->dtype, in->storage->device) : NULL;
    if (out && CTI_RUN(scan, in, .op = CTI_SCAN_LOGSUMEXP, .out = out, .in = in, .dim = d))
        result = cti_cast(out, dtype);
    cti_release_all(in, out);
    return result;
}
