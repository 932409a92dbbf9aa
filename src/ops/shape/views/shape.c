/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the views of another shape: view, reshape, flatten, unflatten, expand and as_strided.
 * Declared in views.toml; other views are in views.c. */
#include "core/note.h"
#include "core/settings.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/shape/views/views.h"

#include <string.h>

/* Adds notes on why a shape does not fit. known: the product of the given sizes, -1 on overflow;
 * unknown: the dim of the -1, or -1. */
static bool note_sizes(ct_ints asked, int64_t numel, int64_t known, int unknown)
{
    if (known > 0 && unknown >= 0)
        cti_note("  %lld elements are not a multiple of %lld, the product of the other sizes",
                 (long long)numel, (long long)known);
    else if (known >= 0)
        cti_note("  the input has %lld elements, this shape has %lld", (long long)numel,
                 (long long)known);
    for (int64_t d = asked.n - 1; d >= 0 && unknown < 0 && known > 0; d--) {
        int64_t others = known / asked.v[d];
        if (numel > 0 && numel % others == 0) {
            cti_note("use -1 for dim %lld to compute its size: %lld", (long long)d,
                     (long long)(numel / others));
            break;
        }
    }
    return false;
}

bool cti_infer_shape(ct_ints asked, int64_t numel, int64_t *shape)
{
    int64_t known = 1;
    int unknown = -1;
    char text[CTI_SHAPE_TEXT];
    if (asked.n > CTI_MAX_DIMS)
        return cti_refuse(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    for (int d = 0; d < asked.n; d++) {
        shape[d] = asked.v[d];
        if (asked.v[d] == -1) {
            if (unknown >= 0)
                return cti_refuse(CT_ERR_RUNTIME, "only one dimension can be inferred");
            unknown = d;
        } else if (asked.v[d] < 0) {
            return cti_refuse(
                CT_ERR_RUNTIME, "invalid shape dimension %lld at index %d of shape %s",
                (long long)asked.v[d], d, cti_shape_text(text, (int)asked.n, asked.v));
        } else if (__builtin_mul_overflow(known, asked.v[d], &known)) {
            known = -1;
        }
    }
    if (known == numel && unknown < 0)
        return true;
    if (unknown >= 0 && known > 0 && numel % known == 0) {
        shape[unknown] = numel / known;
        return true;
    }
    if (unknown >= 0 && known == 0 && numel == 0)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "cannot reshape tensor of 0 elements into shape %s because the unspecified "
            "dimension size -1 can be any value and is ambiguous",
            cti_shape_text(text, (int)asked.n, asked.v));
    ct_fail(CT_ERR_RUNTIME, "shape '%s' is invalid for input of size %lld",
            cti_shape_text(text, (int)asked.n, asked.v), (long long)numel);
    return note_sizes(asked, numel, known, unknown);
}

/* Matches both shapes from the end: a run of old dims that is contiguous in itself is divided into
 * new dims. */
bool cti_view_strides(const ct_tensor *t, int ndim, const int64_t *shape, int64_t *stride)
{
    if (t->numel == 0) {
        if (cti_same_shape(t, ndim, shape))
            memcpy(stride, t->stride, sizeof(int64_t) * (size_t)ndim);
        else
            cti_shape_contiguous(ndim, shape, stride);
        return true;
    }
    int to = ndim - 1;
    int64_t step = t->ndim ? t->stride[t->ndim - 1] : 1, old = 1, new = 1;
    for (int d = t->ndim - 1; d >= 0; d--) {
        old *= t->shape[d];
        bool ends = d == 0 || (t->shape[d - 1] != 1 && t->stride[d - 1] != cti_mul_sat(old, step));
        if (!ends)
            continue;
        while (to >= 0 && (new < old || shape[to] == 1)) {
            stride[to] = cti_stride_times(step, new);
            new *= shape[to--];
        }
        if (new != old)
            return false;
        if (d > 0) {
            step = t->stride[d - 1];
            old = new = 1;
        }
    }
    for (; to >= 0; to--) { /* remaining new dims must have size 1 */
        if (shape[to] != 1)
            return false;
        stride[to] = 1;
    }
    return true;
}

static void *fail_view(const ct_tensor *t, ct_ints size)
{
    char want[CTI_SHAPE_TEXT], is[CTI_SHAPE_TEXT], stride[CTI_SHAPE_TEXT];
    ct_fail(CT_ERR_RUNTIME,
            "view size is not compatible with input tensor's size and stride (at least "
            "one dimension spans across two contiguous subspaces). Use .reshape(...) "
            "instead.");
    cti_note("  input: shape %s, stride %s, not contiguous", cti_shape_text(is, t->ndim, t->shape),
             cti_shape_text(stride, t->ndim, t->stride));
    return cti_note("x.reshape(%s) copies if necessary, like x.contiguous().view(...)",
                    cti_shape_text(want, (int)size.n, size.v));
}

ct_tensor *cti_view_view(ct_tensor *input, ct_ints size)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    if (!cti_infer_shape(size, input->numel, shape))
        return NULL;
    if (!cti_view_strides(input, (int)size.n, shape, stride))
        return fail_view(input, size);
    return cti_view(input, (int)size.n, shape, stride, input->offset);
}

ct_tensor *cti_op_reshape(ct_tensor *input, ct_ints size)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    if (!cti_infer_shape(size, input->numel, shape))
        return NULL;
    ct_ints fitted = ct_ints_of(shape, size.n);
    if (input->flags & CTI_CONTIGUOUS)
        return ct_own_view(input, fitted);
    if (cti_view_strides(input, (int)size.n, shape, stride))
        return ct_own_reshape_alias(input, fitted);
    ct_tensor *copy = ct_own_clone(input, CT_CONTIGUOUS_FORMAT);
    return cti_replace_take(copy, ct_own_unsafe_view(copy, fitted));
}

ct_tensor *cti_op_flatten(ct_tensor *input, int64_t start_dim, int64_t end_dim)
{
    int from, to;
    int64_t shape[CTI_MAX_DIMS], n = 0;
    if (!cti_shape_wrap_dim(start_dim, input->ndim, &from) ||
        !cti_shape_wrap_dim(end_dim, input->ndim, &to))
        return NULL;
    if (from > to)
        return ct_fail(CT_ERR_RUNTIME,
                       "flatten() has invalid args: start_dim cannot come after end_dim");
    if (!input->ndim)
        return ct_own_reshape(input, ct_ints_of((int64_t[]){1}, 1));
    if (from == to)
        return ct_retain(input);
    for (int d = 0; d < input->ndim; d++) {
        if (d > from && d <= to)
            shape[n - 1] *= input->shape[d];
        else
            shape[n++] = input->shape[d];
    }
    return ct_own_reshape(input, ct_ints_of(shape, n));
}

ct_tensor *cti_op_unflatten(ct_tensor *input, int64_t dim, ct_ints sizes)
{
    int d;
    char text[CTI_SHAPE_TEXT];
    int64_t shape[2 * CTI_MAX_DIMS], known = 1, unknown = -1;
    if (!sizes.n)
        return ct_fail(CT_ERR_RUNTIME, "unflatten: sizes must be non-empty");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (!input->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "unflatten got an unexpected error:\nDimension specified as 0 but tensor "
                       "has no dimensions");
    if (sizes.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "unflatten: at most %d dims, got %lld sizes", CTI_MAX_DIMS,
                       (long long)sizes.n);
    for (int64_t i = 0; i < sizes.n; i++) {
        shape[d + i] = sizes.v[i];
        if (sizes.v[i] < -1)
            return ct_fail(CT_ERR_RUNTIME,
                           "unflatten got an unexpected error:\ninvalid shape dimension %lld at "
                           "index %lld of shape %s",
                           (long long)sizes.v[i], (long long)i,
                           cti_shape_text(text, (int)sizes.n, sizes.v));
        if (sizes.v[i] == -1 && unknown >= 0)
            return ct_fail(CT_ERR_RUNTIME, "unflatten got an unexpected error:\nonly one dimension "
                                           "can be inferred");
        if (sizes.v[i] == -1)
            unknown = i;
        else if (__builtin_mul_overflow(known, sizes.v[i], &known))
            known = INT64_MAX; /* fits no dim, unless a 0 follows */
    }
    if (unknown >= 0 && known && input->shape[d] % known == 0)
        shape[d + unknown] = input->shape[d] / known;
    else if (known != input->shape[d])
        return ct_fail(
            CT_ERR_RUNTIME,
            "unflatten: Provided sizes %s don't multiply up to the size of dim %d (%lld) in "
            "the input tensor",
            cti_shape_text(text, (int)sizes.n, sizes.v), d, (long long)input->shape[d]);
    memcpy(shape, input->shape, sizeof(int64_t) * (size_t)d);
    memcpy(shape + d + sizes.n, input->shape + d + 1,
           sizeof(int64_t) * (size_t)(input->ndim - d - 1));
    return ct_own_view(input, ct_ints_of(shape, input->ndim - 1 + sizes.n));
}

static void *expand_fails(const ct_tensor *t, ct_ints size, int d, int64_t have)
{
    char want[CTI_SHAPE_TEXT], is[CTI_SHAPE_TEXT];
    ct_fail(CT_ERR_RUNTIME,
            "The expanded size of the tensor (%lld) must match the existing size (%lld) at "
            "non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s",
            (long long)size.v[d], (long long)have, d, cti_shape_text(want, (int)size.n, size.v),
            cti_shape_text(is, t->ndim, t->shape));
    return cti_note_broadcast(&(struct cti_note_row){"target", (int)size.n, size.v},
                              &(struct cti_note_row){"tensor", t->ndim, t->shape});
}

ct_tensor *cti_view_expand(ct_tensor *input, ct_ints size, bool implicit)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    int ndim = (int)size.n, pad = ndim - input->ndim;
    (void)implicit;
    if (pad < 0) {
        char is[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
        return ct_fail(CT_ERR_RUNTIME,
                       "expand(%s{%s}, size=%s): the number of sizes provided (%d) must be "
                       "greater or equal to the number of dimensions in the tensor (%d)",
                       cti_dtype_old_name(input->dtype),
                       cti_shape_text(is, input->ndim, input->shape),
                       cti_shape_text(want, ndim, size.v), ndim, input->ndim);
    }
    if (size.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    for (int d = ndim - 1; d >= 0; d--) {
        int64_t have = d < pad ? 1 : input->shape[d - pad], want = size.v[d];
        if (want == -1) {
            if (d < pad)
                return ct_fail(CT_ERR_RUNTIME,
                               "The expanded size of the tensor (-1) isn't allowed in a leading, "
                               "non-existing dimension %d",
                               d);
            want = have;
        }
        if (want != have && (have != 1 || want < 0))
            return expand_fails(input, size, d, have);
        shape[d] = want;
        if (d < pad)
            stride[d] =
                d + 1 < ndim && want == 1 ? cti_stride_times(stride[d + 1], shape[d + 1]) : 0;
        else
            stride[d] = want == have ? input->stride[d - pad] : 0;
    }
    if (cti_shape_numel(ndim, shape) < 0)
        return NULL;
    return cti_view(input, ndim, shape, stride, input->offset);
}

ct_tensor *cti_view_as_strided(ct_tensor *input, ct_ints size, ct_ints stride,
                               int64_t storage_offset)
{
    int64_t offset = storage_offset == CT_NO_DIM ? input->offset : storage_offset;
    int64_t itemsize = cti_itemsize(input->dtype), least = offset, most = offset;
    char sizes[CTI_SHAPE_TEXT], strides[CTI_SHAPE_TEXT];
    bool empty = false;
    if (size.n != stride.n)
        return ct_fail(CT_ERR_RUNTIME, "mismatch in length of strides and shape");
    if (size.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    if (offset < 0)
        return ct_fail(CT_ERR_RUNTIME, "Tensor: invalid storage offset %lld", (long long)offset);
    for (int64_t d = 0; d < size.n; d++) {
        int64_t span, *end = stride.v[d] < 0 ? &least : &most;
        if (size.v[d] < 0 || __builtin_mul_overflow(size.v[d] - 1, stride.v[d], &span) ||
            __builtin_add_overflow(*end, size.v[d] ? span : 0, end))
            return ct_fail(CT_ERR_RUNTIME,
                           "Storage size calculation overflowed with sizes=%s and strides=%s",
                           cti_shape_text(sizes, (int)size.n, size.v),
                           cti_shape_text(strides, (int)stride.n, stride.v));
        empty = empty || size.v[d] == 0;
    }
    int64_t need = empty ? 0 : cti_mul_sat(cti_add_sat(most, 1), itemsize);
    int64_t have = ct_storage_nbytes(input->storage);
    if (!empty && (least < 0 || most >= INT64_MAX / itemsize || need > have))
        return ct_fail(
            CT_ERR_RUNTIME,
            "setStorage: sizes %s, strides %s, storage offset %lld, and itemsize %lld requiring "
            "a storage size of %lld are out of bounds for storage of size %lld",
            cti_shape_text(sizes, (int)size.n, size.v),
            cti_shape_text(strides, (int)stride.n, stride.v), (long long)offset,
            (long long)itemsize, (long long)need, (long long)have);
    return cti_view(input, (int)size.n, size.v, stride.v, offset);
}

ct_tensor *cti_op_as_strided(ct_tensor *input, ct_ints size, ct_ints stride, int64_t storage_offset)
{
    char text[CTI_SHAPE_TEXT];
    for (int64_t d = 0; d < stride.n && !cti_negative_strides(); d++)
        if (stride.v[d] < 0)
            return ct_fail(CT_ERR_RUNTIME,
                           "as_strided: Negative strides are not supported at the moment, got "
                           "strides: %s",
                           cti_shape_text(text, (int)stride.n, stride.v));
    return cti_view_as_strided(input, size, stride, storage_offset);
}

bool cti_op_as_strided_(ct_tensor *self, ct_ints size, ct_ints stride, int64_t storage_offset)
{
    ct_tensor *view = cti_op_as_strided(self, size, stride, storage_offset);
    bool good =
        view && cti_tensor_set_geometry(self, view->ndim, view->shape, view->stride, view->offset);
    ct_release(view);
    return good;
}

ct_tensor *cti_view_slice_inverse(ct_tensor *input, ct_tensor *src, int64_t dim, int64_t start,
                                  int64_t end, int64_t step)
{
    (void)dim, (void)start, (void)end, (void)step;
    return cti_view_as_strided(input, cti_shape_of(src), ct_ints_of(src->stride, src->ndim),
                               src->offset);
}
