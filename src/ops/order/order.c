/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements sort, topk, kthvalue, median, cumsum, cumprod, cummax and cummin, declared in
 * order.toml and scan.toml: PyTorch's checks and error messages, then the order and scan
 * engines. */
#include "core/dtype.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/index/index.h"

#include <math.h>

/* ---- sort and topk ---- */

bool cti_op_sort(struct ct_sort_result *result, ct_tensor *input, int64_t dim, bool descending,
                 int stable)
{
    int d;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return false;
    if (ct_dtype_is_complex(input->dtype))
        return ct_fail(CT_ERR_TYPE, " Sort does not support complex dtypes on CPU");
    ct_tensor *in = cti_resolve(input);
    if (!in)
        return false;
    result->values = cti_empty_like(in, in->dtype, CT_PRESERVE_FORMAT);
    result->indices = cti_empty_like(in, CT_INT64, CT_PRESERVE_FORMAT);
    bool good = result->values && result->indices;
    good = good && CTI_RUN(sort, in, .values = result->values, .index = result->indices, .in = in,
                           .dim = d, .descending = descending, .stable = stable > 0);
    ct_release(in);
    return good;
}

ct_tensor *cti_op_argsort(ct_tensor *input, int64_t dim, bool descending, bool stable)
{
    int d;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (ct_dtype_is_complex(input->dtype))
        return ct_fail(CT_ERR_TYPE, " Sort does not support complex dtypes on CPU");
    ct_tensor *in = cti_resolve(input), *index = NULL;
    if (in)
        index = cti_empty_like(in, CT_INT64, CT_PRESERVE_FORMAT);
    index = cti_take_if(index, index && CTI_RUN(sort, in, .index = index, .in = in, .dim = d,
                                                .descending = descending, .stable = stable));
    ct_release(in);
    return index;
}

bool cti_op_topk(struct ct_topk_result *result, ct_tensor *input, int64_t k, int64_t dim,
                 bool largest, bool sorted)
{
    int d;
    int64_t shape[CTI_MAX_DIMS];
    enum ct_dtype dtype = input->dtype;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return false;
    if (k < 0 || k > (input->ndim ? input->shape[d] : 1))
        return ct_fail(CT_ERR_RUNTIME, "selected index k out of range");
    if (ct_dtype_is_complex(dtype))
        return ct_fail(CT_ERR_TYPE, " topk does not support complex dtypes on CPU");
    if (dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "topk does not support bool dtypes on CPU");
    ct_tensor *in = cti_resolve(input);
    if (!in)
        return false;
    for (int i = 0; i < in->ndim; i++)
        shape[i] = i == d ? k : in->shape[i];
    result->values = cti_empty(in->ndim, shape, dtype, in->storage->device);
    result->indices = cti_empty(in->ndim, shape, CT_INT64, in->storage->device);
    bool good = result->values && result->indices;
    /* As in PyTorch, a 0-d tensor is its own topk, even for k = 0. */
    good = good && CTI_RUN(topk, in, .values = result->values, .index = result->indices, .in = in,
                           .k = in->ndim ? k : 1, .dim = d, .largest = largest, .sorted = sorted);
    ct_release(in);
    return good;
}

ct_tensor *cti_op_msort(ct_tensor *input)
{
    struct ct_sort_result all = ct_own_sort(input, 0, false, -1);
    ct_release(all.indices);
    return all.values;
}

/* ---- kthvalue and median ---- */

/* The k-th smallest element (from 0) of each line. NaN counts as the largest; with nan_wins a line
 * that contains NaN gives NaN. */
static bool kth_of_lines(ct_tensor **values, ct_tensor **indices, ct_tensor *input, int d,
                         int64_t k, bool keepdim, bool nan_wins)
{
    int64_t shape[CTI_MAX_DIMS];
    int ndim = 0;
    for (int i = 0; i < input->ndim; i++)
        if (i != d || keepdim)
            shape[ndim++] = i == d ? 1 : input->shape[i];
    ct_tensor *in = cti_resolve(input);
    *values = *indices = NULL;
    if (!in)
        return false;
    *values = cti_empty(ndim, shape, in->dtype, in->storage->device);
    *indices = cti_empty(ndim, shape, CT_INT64, in->storage->device);
    bool good = *values && *indices &&
                CTI_RUN(kthvalue, in, .values = *values, .index = *indices, .in = in, .k = k,
                        .dim = d, .nan_wins = nan_wins);
    ct_release(in);
    if (good)
        return true;
    cti_release_all(*values, *indices);
    *values = *indices = NULL;
    return false;
}

/* PyTorch does not order bools and complex numbers here. */
static bool order_check_type(const ct_tensor *t, const char *kernel)
{
    enum ct_dtype dtype = t->dtype;
    if (dtype != CT_BOOL && !ct_dtype_is_complex(dtype))
        return true;
    return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel,
                   cti_dtype_scalar_name(dtype));
}

/* Wraps the dim and computes the lines' length, which must not be 0. */
static bool order_check_lines(const char *name, const ct_tensor *input, int64_t dim, int *d,
                              int64_t *n)
{
    if (!cti_shape_wrap_dim(dim, input->ndim, d))
        return false;
    *n = input->ndim ? input->shape[*d] : 1;
    return *n || cti_refuse(CT_ERR_INDEX, "%s(): Expected reduction dim %d to have non-zero size.",
                            name, *d);
}

bool cti_op_kthvalue(struct ct_kthvalue_result *result, ct_tensor *input, int64_t k, int64_t dim,
                     bool keepdim)
{
    int d;
    int64_t n;
    if (!order_check_lines("kthvalue", input, dim, &d, &n) ||
        !order_check_type(input, "kthvalue_cpu"))
        return false;
    if (k < 1 || k > n)
        return ct_fail(CT_ERR_RUNTIME,
                       "kthvalue(): selected number k out of range for dimension %d", d);
    return kth_of_lines(&result->values, &result->indices, input, d, k - 1, keepdim, false);
}

/* Returns the lower of the middle elements, or NaN if the line contains NaN. */
bool cti_op_median_dim(struct ct_median_dim_result *result, ct_tensor *input, int64_t dim,
                       bool keepdim)
{
    int d;
    int64_t n;
    return order_check_lines("median", input, dim, &d, &n) &&
           order_check_type(input, "median_out") &&
           kth_of_lines(&result->values, &result->indices, input, d, (n - 1) / 2, keepdim, true);
}

ct_tensor *cti_op_median(ct_tensor *input)
{
    if (input->numel == 0) {
        /* PyTorch returns NaN; for an integer dtype, the number to which x86 converts NaN. */
        enum ct_dtype dtype = input->dtype;
        ct_value none = dtype == CT_INT32                         ? ct_value_int(INT32_MIN)
                        : dtype == CT_INT64 || dtype == CT_UINT64 ? ct_value_int(INT64_MIN)
                        : dtype == CT_BOOL                        ? ct_value_bool(true)
                        : dtype < CT_FLOAT16                      ? ct_value_int(0)
                                                                  : ct_value_float(NAN);
        return cti_number_tensor(none, dtype, input->storage->device);
    }
    if (!order_check_type(input, "median_cpu"))
        return NULL;
    ct_tensor *flat = ct_own_reshape(input, CT_INTS(-1));
    if (!flat)
        return NULL;
    struct ct_median_dim_result one = ct_own_median_dim(flat, 0, false);
    cti_release_all(flat, one.indices);
    return one.values;
}

/* ---- running sums and products ---- */

/* cumsum or cumprod, by the cti_scan_op. Half types are accumulated in float32, and each result is
 * rounded. */
ct_tensor *cti_op_cumulate(ct_tensor *input, int64_t dim, enum ct_dtype dtype, int op)
{
    int d;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (dtype == CT_NO_DTYPE)
        dtype = cti_is_integral(input->dtype, true) ? CT_INT64 : input->dtype;
    if (dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s_out_cpu\" not implemented for 'Bool'",
                       op == CTI_SCAN_SUM ? "cumsum" : "cumprod");
    enum ct_dtype work = cti_dtype_compute(dtype);
    ct_tensor *first = cti_cast(input, dtype), *in = first ? cti_cast(first, work) : NULL;
    ct_tensor *out = NULL, *result = NULL;
    if (in)
        out = cti_empty(in->ndim, in->shape, work, in->storage->device);
    if (out && (out->numel == 0 || CTI_RUN(scan, in, .op = op, .out = out, .in = in, .dim = d)))
        result = cti_cast(out, dtype);
    cti_release_all(first, in, out);
    return result;
}

/* The in-place form keeps self's dtype. */
bool cti_op_cumulate_(ct_tensor *self, int64_t dim, enum ct_dtype dtype, int op)
{
    enum ct_dtype own = self->dtype;
    if (dtype != CT_NO_DTYPE && dtype != own)
        return ct_fail(CT_ERR_RUNTIME,
                       "Bad in-place call: input tensor dtype %s and output tensor dtype %s should "
                       "match",
                       cti_dtype_cpp_name(own), cti_dtype_cpp_name(dtype));
    int d;
    if (!cti_shape_wrap_dim(dim, self->ndim, &d))
        return false;
    if (self->ndim == 0 || self->numel == 0)
        return true;
    return cti_write_result(self, cti_op_cumulate(self, dim, own, op));
}

/* Returns a view of t reversed along a dim, without gradient history. */
static ct_tensor *reversed(ct_tensor *t, int d)
{
    int64_t stride[CTI_MAX_DIMS], offset = t->offset;
    for (int i = 0; i < t->ndim; i++)
        stride[i] = t->stride[i];
    if (t->ndim && t->shape[d] > 0) {
        offset = cti_offset_by(offset, stride[d], t->shape[d] - 1);
        stride[d] = -stride[d];
    }
    return cti_view(t, t->ndim, t->shape, stride, offset);
}

/* The gradient of cumsum: sums from each element to the end. */
ct_tensor *cti_op_cumsum_backward(ct_tensor *grad, int64_t dim)
{
    int d;
    if (!cti_shape_wrap_dim(dim, grad->ndim, &d))
        return NULL;
    if (grad->numel <= 1 || grad->shape[d] == 1)
        return cti_alias(grad);
    ct_tensor *back = reversed(grad, d),
              *sums = back ? cti_op_cumulate(back, d, CT_NO_DTYPE, CTI_SCAN_SUM) : NULL;
    ct_tensor *view = sums ? reversed(sums, d) : NULL, *result = view ? cti_contiguous(view) : NULL;
    cti_release_all(back, sums, view);
    return result;
}

/* The gradient of cumprod. Let z be the first zero of a line. Before z: the sum of the later
 * grad * output, divided by the input. At z: that sum with products that leave out z. After z: 0.
 * Composed of differentiable operations, for double backward. */
ct_tensor *cti_op_cumprod_backward(ct_tensor *grad, ct_tensor *input, int64_t dim,
                                   ct_tensor *output)
{
    ct_value x = V(input), one = ct_value_int(1), none = ct_value_int(0);
    enum {
        ZERO,
        SEEN,
        FIRST,
        BEFORE,
        SAFE,
        WITHOUT,
        OTHER,
        PART,
        LATER,
        TOTAL,
        SHARE,
        AT_ZERO,
        REST,
        N
    };
    ct_tensor *t[N] = {NULL}, *result = NULL;
    t[ZERO] = ct_own_eq(x, none);
    t[SEEN] = ct_own_cumsum(t[ZERO], dim, CT_INT64);
    t[BEFORE] = ct_own_eq(V(t[SEEN]), none);
    t[OTHER] = ct_own_eq(V(t[SEEN]), one);
    t[FIRST] = ct_own_logical_and(t[ZERO], t[OTHER]);
    t[SAFE] = ct_own_where(t[FIRST], one, x);
    t[WITHOUT] = ct_own_cumprod(t[SAFE], dim, CT_NO_DTYPE);
    /* cumsum_backward sums from each element to the end */
    ct_tensor *conj_without = ct_own_conj(t[WITHOUT]), *conj_output = ct_own_conj(output);
    t[PART] = ct_own_mul(V(grad), V(conj_without));
    t[AT_ZERO] = ct_own_cumsum_backward(t[PART], dim);
    t[LATER] = ct_own_mul(V(grad), V(conj_output));
    t[TOTAL] = ct_own_cumsum_backward(t[LATER], dim);
    ct_tensor *divisor = ct_own_where(t[ZERO], one, x), *conj_divisor = ct_own_conj(divisor);
    t[SHARE] = ct_own_div(V(t[TOTAL]), V(conj_divisor), NULL);
    t[REST] = ct_own_where(t[BEFORE], V(t[SHARE]), none);
    result = ct_own_where(t[FIRST], V(t[AT_ZERO]), V(t[REST]));
    for (int i = 0; i < N; i++)
        ct_release(t[i]);
    cti_release_all(conj_without, conj_output, divisor, conj_divisor);
    return result;
}

/* ---- running extremes ---- */

/* cummax or cummin: values and indices, owned. The caller releases *indices after a failure. */
bool cti_op_cumulative_extreme(ct_tensor **values, ct_tensor **indices, ct_tensor *input,
                               int64_t dim, int op)
{
    int d;
    enum ct_dtype dtype = input->dtype;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return false;
    if (ct_dtype_is_complex(dtype) && input->ndim && input->numel)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"cum%s_cpu\" not implemented for '%s'",
                       op == CTI_SCAN_MAX ? "max" : "min", cti_dtype_scalar_name(dtype));
    struct ct_device device = input->storage->device;
    ct_tensor *in = cti_cast(input, cti_dtype_compute(dtype)), *out = NULL;
    if (in) {
        out = cti_empty(in->ndim, in->shape, in->dtype, device);
        *indices = cti_empty(in->ndim, in->shape, CT_INT64, device);
    }
    /* PyTorch refuses complex inputs, except 0-d or empty ones, which need no comparison. */
    bool good = out && *indices;
    if (good && ct_dtype_is_complex(dtype))
        good = cti_copy(out, in) && cti_fill(*indices, ct_value_int(0));
    else if (good && out->numel)
        good = CTI_RUN(scan, in, .op = op, .out = out, .index = *indices, .in = in, .dim = d);
    if (good)
        *values = cti_cast(out, dtype);
    cti_release_all(in, out);
    return *values != NULL;
}
