/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements softmax, log_softmax, logsumexp and their derivatives: PyTorch's checks, dtypes, and
 * merging of dims; the softmax engine does the arithmetic. gumbel_softmax is composed of other
 * operations. */
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/reduce/reduce.h"

/* t contiguous in the computing dtype: float32 for half types. The caller owns the result. */
static ct_tensor *softmax_operand(ct_tensor *t, enum ct_dtype dtype)
{
    bool half = dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
    ct_tensor *rounded = cti_cast(t, dtype);
    return cti_replace_take(rounded, cti_cast_contiguous(rounded, half ? CT_FLOAT32 : dtype));
}

/* Runs the engine on t, from softmax_operand, and casts the result to dtype. */
static ct_tensor *run_softmax(enum cti_softmax_op op, ct_tensor *t, ct_tensor *grad, int d,
                              enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int i = 0; i < t->ndim; i++)
        shape[i] = i == d && op == CTI_LOGSUMEXP ? 1 : t->shape[i];
    ct_tensor *out = cti_empty(t->ndim, shape, t->dtype, t->storage->device);
    ct_tensor *result = NULL;
    if (out && CTI_RUN(softmax, t, .op = op, .out = out, .in = t, .grad = grad, .dim = d))
        result = cti_cast(out, dtype);
    ct_release(out);
    return result;
}

/* softmax or log_softmax, by the cti_softmax_op. */
ct_tensor *cti_op_softmax(ct_tensor *input, int64_t dim, enum ct_dtype dtype, int op)
{
    int d;
    if (dtype == CT_NO_DTYPE)
        dtype = input->dtype;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (input->numel == 0)
        return cti_empty(input->ndim, input->shape, dtype, input->storage->device);
    if (dtype < CT_FLOAT16 || dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "\"%ssoftmax_%skernel_impl\" not implemented for '%s'",
                       op == CTI_SOFTMAX ? "" : "log_", d >= input->ndim - 1 ? "lastdim_" : "",
                       cti_dtype_scalar_name(dtype));
    ct_tensor *in = softmax_operand(input, dtype);
    return cti_replace_take(in, in ? run_softmax(op, in, NULL, d, dtype) : NULL);
}

ct_tensor *cti_op_softmax_backward(ct_tensor *upstream, ct_tensor *output, int64_t dim, int op)
{
    int d;
    enum ct_dtype dtype = output->dtype;
    if (!cti_shape_wrap_dim(dim, output->ndim, &d))
        return NULL;
    if (!cti_same_shape(upstream, output->ndim, output->shape))
        return ct_fail(CT_ERR_RUNTIME, "grad and output must have the same shape");
    if (output->numel == 0) /* as in forward, this precedes the dtype check */
        return cti_empty(output->ndim, output->shape, dtype, output->storage->device);
    if (dtype < CT_FLOAT16 || dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "\"softmax_backward_kernel_impl\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    ct_tensor *y = softmax_operand(output, dtype), *g = softmax_operand(upstream, dtype);
    ct_tensor *result = y && g ? run_softmax(op, y, g, d, dtype) : NULL;
    cti_release_all(y, g);
    return result;
}

/* ---- logsumexp ---- */

/* t with the marked dims merged into the last. The caller owns the result. */
static ct_tensor *merge_reduced_dims(ct_tensor *t, const bool *reduced)
{
    int64_t order[CTI_MAX_DIMS], shape[CTI_MAX_DIMS], n = 0, kept = 0, last = 1;
    for (int d = 0; d < t->ndim; d++)
        if (!reduced[d]) {
            shape[kept++] = t->shape[d];
            order[n++] = d;
        }
    for (int d = 0; d < t->ndim; d++)
        if (reduced[d]) {
            last *= t->shape[d];
            order[n++] = d;
        }
    shape[kept++] = last;
    ct_tensor *permuted = ct_own_permute(t, ct_ints_of(order, n));
    return cti_replace_take(permuted, ct_own_reshape(permuted, ct_ints_of(shape, kept)));
}

/* Complex inputs are shifted by the largest real part. */
static ct_tensor *logsumexp_complex(ct_tensor *input, ct_ints dim, bool keepdim)
{
    ct_value none = ct_value_int(0);
    ct_tensor *re = ct_own_real(input);
    ct_tensor *most =
        input->numel ? ct_own_amax(re, dim, true) : ct_own_sum(re, dim, true, CT_NO_DTYPE);
    ct_tensor *infinite = ct_own_isinf(most), *m = ct_own_where(infinite, none, V(most));
    ct_tensor *difference = ct_own_sub(V(input), V(m), ct_value_int(1));
    ct_tensor *e = ct_own_exp(difference), *sum = ct_own_sum(e, dim, keepdim, CT_NO_DTYPE);
    ct_tensor *log = ct_own_log(sum), *back = m && log ? ct_own_view(m, cti_shape_of(log)) : NULL;
    ct_tensor *result = ct_own_add(V(log), V(back), ct_value_int(1));
    cti_release_all(re, most, infinite, m, difference, e, sum, log, back);
    return result;
}

/* Computes logsumexp over the marked dims of a real input; autograd does not treat the result as a
 * view. The caller owns the result. */
static ct_tensor *logsumexp_real(ct_tensor *input, const bool *reduced, bool keepdim)
{
    enum ct_dtype dtype = input->dtype;
    int64_t shape[CTI_MAX_DIMS], n = 0;
    int last = -1;
    dtype = dtype < CT_FLOAT16 ? ct_get_default_dtype() : dtype;
    for (int d = 0; d < input->ndim; d++) {
        if (!reduced[d] || keepdim)
            shape[n++] = reduced[d] ? 1 : input->shape[d];
        if (reduced[d])
            last = last == -1 ? d : -2;
    }
    /* The engine reduces one dim in place; several dims are merged first. */
    ct_tensor *flat = last >= 0 ? ct_retain(input) : merge_reduced_dims(input, reduced);
    ct_tensor *in = flat ? softmax_operand(flat, dtype) : NULL;
    ct_tensor *sums =
        in ? run_softmax(CTI_LOGSUMEXP, in, NULL, last >= 0 ? last : in->ndim - 1, dtype) : NULL;
    ct_tensor *view = ct_own_view(sums, ct_ints_of(shape, n));
    ct_tensor *result = view ? cti_alias(view) : NULL; /* not a view for autograd */
    cti_release_all(view, flat, in, sums);
    return result;
}

ct_tensor *cti_op_logsumexp(ct_tensor *input, ct_ints dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    char ones[CTI_SHAPE_TEXT];
    int64_t shape[CTI_MAX_DIMS];
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    if (dim.n == 0 && !keepdim && input->ndim && input->numel) {
        for (int d = 0; d < input->ndim; d++)
            shape[d] = 1;
        return ct_fail(CT_ERR_RUNTIME, "output with shape [] doesn't match the broadcast shape %s",
                       cti_shape_text(ones, input->ndim, shape));
    }
    if (input->dtype >= CT_COMPLEX64)
        return logsumexp_complex(input, dim, keepdim);
    return logsumexp_real(input, reduced, keepdim);
}

ct_tensor *cti_op_gumbel_softmax(ct_tensor *logits, double tau, bool hard, double eps, int64_t dim)
{
    struct cti_hold h = {0};
    if (eps != 1e-10)
        cti_warn("`eps` parameter is deprecated and has no effect.");
    ct_tensor *noise = cti_hold(
        &h, ct_own_empty_like(logits, CT_NO_DTYPE, CT_NO_DEVICE, false, CT_CONTIGUOUS_FORMAT));
    bool drawn = noise && ct_own_exponential_(noise, 1, NULL);
    ct_tensor *log = drawn ? cti_hold(&h, ct_own_log(noise)) : NULL;
    ct_tensor *sum = cti_hold(&h, ct_own_sub(V(logits), V(log), ct_value_int(1)));
    ct_tensor *scaled = cti_hold(&h, ct_own_div(V(sum), ct_value_float(tau), NULL));
    ct_tensor *soft = cti_hold(&h, ct_own_softmax(scaled, dim, CT_NO_DTYPE));
    if (!hard || !soft)
        return cti_hold_end(&h, soft);
    ct_tensor *fixed = cti_hold(&h, ct_own_detach(soft));
    ct_tensor *index = cti_hold(&h, ct_own_argmax(fixed, dim, true));
    ct_tensor *zeros = cti_hold(
        &h, ct_own_zeros_like(logits, CT_NO_DTYPE, CT_NO_DEVICE, false, CT_CONTIGUOUS_FORMAT));
    ct_tensor *one_hot = cti_hold(&h, ct_own_scatter_value(zeros, dim, index, ct_value_float(1)));
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(one_hot), V(fixed), ct_value_int(1)));
    return cti_hold_end(&h, cti_hold(&h, ct_own_add(V(difference), V(soft), ct_value_int(1))));
}
