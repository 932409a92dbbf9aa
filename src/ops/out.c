/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that go into a tensor of the caller: `out=` and in-place calls. Generated fronts and the
 * files that compute into a given tensor call this.
 *
 * Note [Results in `out`]: one contract for all rows.
 * 1. While gradients are recorded, a call with a tensor that requires grad is refused.
 * 2. `out` may have any dtype that the result can be cast to.
 * 3. An `out` of another shape is resized, with a warning if it had elements, and gets the strides
 *    of a new result. Only arange, linspace, logspace and range accept an `out` of any shape with
 *    the right number of elements, and fill it in order.
 * 4. `out` may share memory with an argument: the result is the same as without sharing. An `out`
 *    whose elements overlap each other is refused.
 * 5. A call that fails leaves `out` unchanged.
 * The function form therefore computes a new tensor and cti_out_copy moves it; a row with `out`
 * writes straight into a tensor that cti_out_is_direct accepts, after all checks. */
#include "ops/front.h"

#include <string.h>

void *cti_out_refused(const char *name)
{
    return ct_fail(CT_ERR_RUNTIME,
                   "%s(): functions with out=... arguments don't support automatic "
                   "differentiation, but one of the arguments requires grad.",
                   name);
}

bool cti_resize(ct_tensor *t, int ndim, const int64_t *shape)
{
    if (cti_same_shape(t, ndim, shape))
        return true;
    int64_t size = cti_itemsize(t->dtype), stride[CTI_MAX_DIMS];
    int64_t nbytes = cti_shape_nbytes(ndim, shape, NULL, t->offset, size);
    if (nbytes < 0)
        return cti_shape_fail(ndim, shape, NULL);
    if (nbytes > ct_storage_nbytes(t->storage) && !ct_storage_resize(t->storage, nbytes))
        return false;
    cti_shape_contiguous(ndim, shape, stride);
    return cti_tensor_set_geometry(t, ndim, shape, stride, t->offset);
}

bool cti_out_dtype(const ct_tensor *out, enum ct_dtype *dtype)
{
    if (*dtype == CT_NO_DTYPE)
        *dtype = out->dtype;
    if (*dtype == out->dtype)
        return true;
    return cti_refuse(CT_ERR_RUNTIME, "dtype %s does not match dtype of out parameter (%s)",
                      cti_dtype_scalar_name(*dtype), cti_dtype_scalar_name(out->dtype));
}

bool cti_out_resize(ct_tensor *out, int ndim, const int64_t *shape)
{
    if (out->numel && !cti_same_shape(out, ndim, shape)) {
        char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
        cti_warn("An output with one or more elements was resized since it had shape %s, which "
                 "does not match the required output shape %s. This behavior is deprecated, and in "
                 "a future PyTorch release outputs will not be resized unless they have zero "
                 "elements. You can explicitly reuse an out tensor t by resizing it, inplace, to "
                 "zero elements with t.resize_(0).",
                 cti_shape_text(have, out->ndim, out->shape), cti_shape_text(want, ndim, shape));
    }
    return cti_resize(out, ndim, shape);
}

bool cti_out_is_direct(const ct_tensor *out, int ndim, const int64_t *shape, enum ct_dtype dtype)
{
    return out->dtype == dtype && cti_same_shape(out, ndim, shape) &&
           !(out->flags & (CTI_CONJ | CTI_NEG));
}

/* Whether the result can be written to `out`; checks everything before `out` changes. */
static bool takes(ct_tensor *out, const ct_tensor *result)
{
    return !cti_out_apart(out, result) && cti_check_can_cast(result->dtype, out->dtype) &&
           cti_check_inference_write(out) &&
           (!cti_same_shape(out, result->ndim, result->shape) || cti_shape_check_writable(out)) &&
           cti_version_of(out) != NULL;
}

/* Resizes `out` to the result's shape, with the strides of a new tensor, and copies. */
static bool write_resized(ct_tensor *out, ct_tensor *result)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS], fresh[CTI_MAX_DIMS];
    int ndim = out->ndim;
    memcpy(shape, out->shape, (size_t)ndim * sizeof *shape);
    memcpy(stride, out->stride, (size_t)ndim * sizeof *stride);
    cti_shape_like_strides(result, fresh);
    if (!cti_out_resize(out, result->ndim, result->shape))
        return false;
    if (cti_tensor_set_geometry(out, out->ndim, out->shape, fresh, out->offset) &&
        cti_copy(out, result))
        return true;
    cti_tensor_set_geometry(out, ndim, shape, stride, out->offset); /* cannot fail: it had room */
    return false;
}

static bool write(ct_tensor *out, ct_tensor *result)
{
    if (out == result)
        return true;
    /* `result` may be a view of an argument that shares out's memory. */
    ct_tensor *copy = out->storage == result->storage ? cti_clone(result) : ct_retain(result);
    bool good =
        copy && (cti_same_shape(out, result->ndim, result->shape) ? cti_copy(out, copy)
                                                                  : write_resized(out, copy));
    ct_release(copy);
    return good;
}

bool cti_out_copy(ct_tensor *out, ct_tensor *result)
{
    bool good = result && takes(out, result) && write(out, result);
    ct_release(result);
    return good;
}

bool cti_out_copy_elements(ct_tensor *out, ct_tensor *result)
{
    if (!result || out->numel != result->numel)
        return cti_out_copy(out, result);
    int64_t stride[CTI_MAX_DIMS];
    cti_shape_contiguous(out->ndim, out->shape, stride);
    ct_tensor *shaped = cti_view(result, out->ndim, out->shape, stride, result->offset);
    ct_release(result);
    return cti_out_copy(out, shaped);
}

bool cti_out_write(ct_tensor *const *out, ct_tensor *const *result, int n)
{
    bool good = true;
    for (int i = 0; i < n; i++)
        good = good && result[i] && takes(out[i], result[i]);
    for (int i = 0; i < n; i++) {
        good = good && write(out[i], result[i]) && cti_version_bump(out[i]);
        ct_release(result[i]);
    }
    return good;
}

static bool check_in_place_shape(const ct_tensor *self, const ct_tensor *result)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    if (cti_same_shape(self, result->ndim, result->shape))
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Bad in-place call: input tensor size %s and output tensor size %s should match",
        cti_shape_text(have, self->ndim, self->shape),
        cti_shape_text(want, result->ndim, result->shape));
}

bool cti_write_result(ct_tensor *self, ct_tensor *result)
{
    bool good = result && check_in_place_shape(self, result) && cti_shape_check_writable(self) &&
                cti_check_can_cast(result->dtype, self->dtype) && cti_copy(self, result);
    ct_release(result);
    return good;
}
