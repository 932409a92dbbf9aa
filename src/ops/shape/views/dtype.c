/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the views that reinterpret the same bytes: another dtype, complex numbers as pairs,
 * conjugated or negated elements. Declared in views.toml; other views are in views.c. */
#include "fronts.h"
#include "ops/front.h"

#include <string.h>

static ct_tensor *retyped(ct_tensor *view, enum ct_dtype dtype, unsigned flags)
{
    if (!view)
        return NULL;
    view->dtype = (uint8_t)dtype;
    view->flags = (uint16_t)((view->flags & ~(unsigned)(CTI_CONJ | CTI_NEG)) | flags);
    return view;
}

/* Views as a wider dtype: the last dim shrinks; offset and strides must be multiples of the ratio.
 */
static bool widen_view(const ct_tensor *t, enum ct_dtype dtype, int64_t ratio, int64_t *shape,
                       int64_t *stride)
{
    const char *from = cti_dtype_scalar_name(t->dtype), *to = cti_dtype_scalar_name(dtype);
    int last = t->ndim - 1;
    if (t->shape[last] % ratio)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "self.size(-1) must be divisible by %lld to view %s as %s (different element "
            "sizes), but got %lld",
            (long long)ratio, from, to, (long long)t->shape[last]);
    if (t->offset % ratio)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "self.storage_offset() must be divisible by %lld to view %s as %s (different "
            "element sizes), but got %lld",
            (long long)ratio, from, to, (long long)t->offset);
    if (t->stride[last] != 1)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "self.stride(-1) must be 1 to view %s as %s (different element sizes), but "
            "got %lld",
            from, to, (long long)t->stride[last]);
    for (int d = 0; d < last; d++) {
        if (t->stride[d] % ratio)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "self.stride(%d) must be divisible by %lld to view %s as %s (different "
                "element sizes), but got %lld",
                d, (long long)ratio, from, to, (long long)t->stride[d]);
        stride[d] = t->stride[d] / ratio;
    }
    shape[last] /= ratio;
    stride[last] = 1;
    return true;
}

/* As in PyTorch the view shares memory and version counter, but has no base and no history. */
ct_tensor *cti_op_view_dtype(ct_tensor *input, enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS], offset = input->offset;
    int64_t from = cti_itemsize(input->dtype), to = cti_itemsize(dtype);
    if (input->flags & (CTI_CONJ | CTI_NEG))
        return ct_fail(CT_ERR_RUNTIME,
                       "torch.Tensor.view is not supported for %s when converting to a different "
                       "dtype.",
                       input->flags & CTI_CONJ ? "conjugate view tensors"
                                               : "tensors with negative bit set");
    memcpy(shape, input->shape, sizeof(int64_t) * input->ndim);
    memcpy(stride, input->stride, sizeof(int64_t) * input->ndim);
    if (from != to && !input->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "self.dim() cannot be 0 to view %s as %s (different element sizes)",
                       cti_dtype_scalar_name(input->dtype), cti_dtype_scalar_name(dtype));
    if (from < to) {
        if (!widen_view(input, dtype, to / from, shape, stride))
            return NULL;
        offset /= to / from;
    } else if (from > to) {
        int last = input->ndim - 1;
        if (input->stride[last] != 1)
            return ct_fail(CT_ERR_RUNTIME,
                           "self.stride(-1) must be 1 to view %s as %s (different element sizes), "
                           "but got %lld",
                           cti_dtype_scalar_name(input->dtype), cti_dtype_scalar_name(dtype),
                           (long long)input->stride[last]);
        for (int d = 0; d < last; d++)
            stride[d] = cti_stride_times(stride[d], from / to);
        shape[last] = cti_mul_sat(shape[last], from / to); /* an empty tensor may have any size */
        offset *= from / to;
    }
    ct_tensor *t = retyped(cti_alias(input), dtype, 0);
    return cti_take_if(t, t && cti_tensor_set_geometry(t, input->ndim, shape, stride, offset));
}

ct_tensor *cti_view_as_real(ct_tensor *input)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    int n = input->ndim;
    if (!ct_dtype_is_complex(input->dtype))
        return ct_fail(CT_ERR_TYPE, "view_as_real is only supported for complex tensors");
    if (input->flags & CTI_CONJ)
        return ct_fail(
            CT_ERR_RUNTIME,
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the "
            "conjugate tensor so you can view it as real, use self.resolve_conj(); however, "
            "be warned that the resulting tensor will NOT alias the original.");
    for (int d = 0; d < n; d++) {
        shape[d] = input->shape[d];
        stride[d] = input->stride[d] * 2;
    }
    shape[n] = 2;
    stride[n] = 1;
    return retyped(cti_view(input, n + 1, shape, stride, input->offset * 2),
                   cti_dtype_to_real(input->dtype), input->flags & CTI_NEG);
}

ct_tensor *cti_view_as_complex(ct_tensor *input)
{
    int64_t stride[CTI_MAX_DIMS];
    int last = input->ndim - 1;
    enum ct_dtype dtype = input->dtype;
    if (dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_TYPE, "view_as_complex is not supported for complex tensors");
    if (dtype != CT_FLOAT16 && dtype != CT_FLOAT32 && dtype != CT_FLOAT64)
        return ct_fail(
            CT_ERR_NOT_IMPLEMENTED,
            "view_as_complex is only supported for half, float and double tensors, but got a "
            "tensor of scalar type: %s",
            cti_dtype_scalar_name(dtype));
    if (!input->ndim)
        return ct_fail(CT_ERR_RUNTIME, "Input tensor must have one or more dimensions");
    if (input->shape[last] != 2)
        return ct_fail(CT_ERR_RUNTIME, "Tensor must have a last dimension of size 2");
    if (input->stride[last] != 1)
        return ct_fail(CT_ERR_RUNTIME, "Tensor must have a last dimension with stride 1");
    for (int d = 0; d < last; d++) {
        if (input->stride[d] % 2 && input->shape[d] != 1) /* size 1: the stride is never used */
            return ct_fail(CT_ERR_RUNTIME,
                           "Tensor must have a stride divisible by 2 for all but last dimension");
        stride[d] = input->stride[d] / 2;
    }
    if (input->offset % 2)
        return ct_fail(CT_ERR_RUNTIME, "Tensor must have a storage_offset divisible by 2");
    return retyped(cti_view(input, last, input->shape, stride, input->offset / 2),
                   cti_dtype_to_complex(dtype), input->flags & CTI_NEG);
}

ct_tensor *cti_view_conj(ct_tensor *input)
{
    if (!ct_dtype_is_complex(input->dtype))
        return ct_retain(input);
    return retyped(cti_view(input, input->ndim, input->shape, input->stride, input->offset),
                   input->dtype, (input->flags & (CTI_CONJ | CTI_NEG)) ^ CTI_CONJ);
}

ct_tensor *cti_view_neg(ct_tensor *input)
{
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"neg_cpu\" not implemented for 'Bool'");
    return retyped(cti_view(input, input->ndim, input->shape, input->stride, input->offset),
                   input->dtype, (input->flags & (CTI_CONJ | CTI_NEG)) ^ CTI_NEG);
}

ct_tensor *cti_op_resolve_conj(ct_tensor *input)
{
    return input->flags & CTI_CONJ ? cti_clone(input) : ct_retain(input);
}

ct_tensor *cti_op_resolve_neg(ct_tensor *input)
{
    return input->flags & CTI_NEG ? cti_clone(input) : ct_retain(input);
}

/* The real (0) or imaginary (1) part; of a conjugated tensor the latter is a negated view. */
static ct_tensor *complex_part(ct_tensor *input, int64_t which)
{
    ct_tensor *plain = input->flags & CTI_CONJ ? ct_own_conj(input) : ct_retain(input);
    ct_tensor *pairs = ct_own_view_as_real(plain), *result = ct_own_select(pairs, -1, which);
    cti_release_all(plain, pairs);
    if (!result || !which || !(input->flags & CTI_CONJ))
        return result;
    return cti_replace_take(result, ct_own__neg_view(result));
}

ct_tensor *cti_op_real(ct_tensor *input)
{
    return ct_dtype_is_complex(input->dtype) ? complex_part(input, 0) : ct_retain(input);
}

ct_tensor *cti_op_imag(ct_tensor *input)
{
    if (!ct_dtype_is_complex(input->dtype))
        return ct_fail(CT_ERR_TYPE, "imag is not implemented for tensors with non-complex dtypes.");
    return complex_part(input, 1);
}
