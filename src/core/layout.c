/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory formats, strides of results and overlap of memory, for all fronts and backends.
 * Note [Result strides]: a result keeps the order of dims that its inputs have in memory. Inputs
 * that agree exactly (all contiguous, all channels_last, or all dense with the same strides) pass
 * their layout on. Otherwise the dims are sorted by the strides of the inputs, where the first
 * input that distinguishes two dims decides, and the result is dense in that order. The order, ties
 * and special cases are exactly PyTorch's, because x.stride() is visible. */
#include "core/guard.h"
#include "core/shape.h"

#include <string.h>

void cti_shape_contiguous(int ndim, const int64_t *shape, int64_t *stride)
{
    uint64_t step = 1;
    for (int d = ndim - 1; d >= 0; d--) {
        stride[d] = (int64_t)step;
        step *= (uint64_t)(shape[d] > 1 ? shape[d] : 1);
    }
}

/* The dims of channels_last and channels_last_3d, the innermost first. */
static const int8_t order_4d[] = {1, 3, 2, 0}, order_5d[] = {1, 4, 3, 2, 0};

static const int8_t *format_order(enum ct_memory_format format, int ndim)
{
    if (format == CT_CHANNELS_LAST && ndim == 4)
        return order_4d;
    if (format == CT_CHANNELS_LAST_3D && ndim == 5)
        return order_5d;
    return NULL;
}

bool cti_shape_format_strides(enum ct_memory_format format, int ndim, const int64_t *shape,
                              int64_t *stride)
{
    const int8_t *order = format_order(format, ndim);
    switch (format) {
    case CT_CONTIGUOUS_FORMAT:
    case CT_PRESERVE_FORMAT:
        cti_shape_contiguous(ndim, shape, stride);
        return true;
    case CT_CHANNELS_LAST:
        if (!order)
            return ct_fail(CT_ERR_RUNTIME, "required rank 4 tensor to use channels_last format");
        break;
    case CT_CHANNELS_LAST_3D:
        if (!order)
            return ct_fail(CT_ERR_RUNTIME, "required rank 5 tensor to use channels_last_3d format");
        break;
    }
    uint64_t step = 1;
    for (int i = 0; i < ndim; i++) {
        stride[order[i]] = (int64_t)step;
        step *= (uint64_t)shape[order[i]];
    }
    return true;
}

bool cti_shape_is_contiguous(int ndim, const int64_t *shape, const int64_t *stride,
                             enum ct_memory_format format)
{
    const int8_t *order = format_order(format, ndim);
    if (!order && (format == CT_CHANNELS_LAST || format == CT_CHANNELS_LAST_3D))
        return false;
    if (!order)
        for (int d = 0; d < ndim; d++)
            if (shape[d] == 0)
                return true;
    int64_t step = 1;
    for (int i = 0; i < ndim; i++) {
        int d = order ? order[i] : ndim - 1 - i;
        if (shape[d] == 1)
            continue;
        if (stride[d] != step)
            return false;
        step *= shape[d];
    }
    return true;
}

bool cti_shape_is_dense(const ct_tensor *t)
{
    if (t->flags & CTI_CONTIGUOUS)
        return true;
    if (t->ndim == 1)
        return t->shape[0] < 2 || t->stride[0] == 1;
    /* Remove dims from the innermost; those of size 0 and 1 come last and do not matter. */
    uint64_t taken = 0;
    int64_t step = 1;
    for (int i = 0; i < t->ndim; i++) {
        int best = -1;
        for (int d = 0; d < t->ndim; d++)
            if (!(taken >> d & 1) && t->shape[d] >= 2 &&
                (best < 0 || t->stride[d] < t->stride[best]))
                best = d;
        if (best < 0)
            return true;
        if (t->stride[best] != step)
            return false;
        step *= t->shape[best];
        taken |= (uint64_t)1 << best;
    }
    return true;
}

/* ---- strides of results ---- */

/* Compares two dims for an order with the innermost first: 1 if dim a comes after dim b, -1 if
 * before, 0 if no input decides. */
static int compare_dims(int count, const int64_t *const *stride, const int64_t *shape, int a, int b)
{
    for (int i = 0; i < count; i++) {
        int64_t sa = stride[i][a], sb = stride[i][b];
        if (sa == 0 || sb == 0)
            continue;
        if (sa != sb)
            return sa < sb ? -1 : 1;
        if (shape[a] > shape[b])
            return 1;
    }
    return 0;
}

/* Insertion sort like PyTorch's: the comparison need not be transitive, so another algorithm could
 * give another order. */
static void order_dims(int count, const int64_t *const *stride, int ndim, const int64_t *shape,
                       int *order)
{
    for (int i = 0; i < ndim; i++)
        order[i] = ndim - 1 - i;
    for (int i = 1; i < ndim; i++) {
        int at = i;
        for (int j = i - 1; j >= 0; j--) {
            int compared = compare_dims(count, stride, shape, order[j], order[at]);
            if (compared < 0)
                break;
            if (compared == 0)
                continue;
            int swap = order[j];
            order[j] = order[at];
            order[at] = swap;
            at = j;
        }
    }
}

static bool same_shape(const ct_tensor *t, int ndim, const int64_t *shape)
{
    return t->ndim == ndim && memcmp(t->shape, shape, (size_t)ndim * sizeof *shape) == 0;
}

/* The first rule of Note [Result strides]. False: the inputs do not agree. */
static bool common_layout(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                          int64_t *stride)
{
    bool contiguous = true, channels_last = ndim == 4, dense = true, equal = true;
    for (int i = 0; i < count; i++) {
        const ct_tensor *t = input[i];
        if (!same_shape(t, ndim, shape))
            return false;
        if (t->flags & CTI_CONTIGUOUS && contiguous && !channels_last)
            continue;
        contiguous &= (t->flags & CTI_CONTIGUOUS) != 0;
        channels_last =
            channels_last && cti_shape_is_contiguous(ndim, t->shape, t->stride, CT_CHANNELS_LAST);
    }
    if (contiguous) {
        cti_shape_contiguous(ndim, shape, stride);
        return true;
    }
    if (channels_last)
        return cti_shape_format_strides(CT_CHANNELS_LAST, ndim, shape, stride);
    for (int i = 0; i < count; i++) {
        dense = dense && cti_shape_is_dense(input[i]);
        equal =
            equal && memcmp(input[i]->stride, input[0]->stride, (size_t)ndim * sizeof *stride) == 0;
    }
    if (!dense || !equal)
        return false;
    for (int d = 0; d < ndim; d++) /* dims of size 0 and 1 may have any stride */
        stride[d] = input[0]->stride[d] < 0 ? -input[0]->stride[d] : input[0]->stride[d];
    return true;
}

/* The second rule: sort the dims by the strides of all inputs. */
void cti_shape_sorted_strides(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                              int64_t *stride)
{
    enum { MOST = 16 };
    int64_t expanded[MOST][CTI_MAX_DIMS];
    const int64_t *view[MOST];
    int order[CTI_MAX_DIMS];
    if (count > MOST)
        count = MOST;
    for (int i = 0; i < count; i++) {
        cti_shape_expand_strides(input[i], ndim, shape, expanded[i]);
        view[i] = expanded[i];
    }
    order_dims(count, view, ndim, shape, order);
    bool plain = true;
    for (int i = 0; i < ndim; i++)
        plain &= order[i] == ndim - 1 - i;
    if (plain) {
        cti_shape_contiguous(ndim, shape, stride);
        return;
    }
    uint64_t step = 1;
    for (int i = 0; i < ndim; i++) {
        stride[order[i]] = (int64_t)step;
        step *= (uint64_t)shape[order[i]];
    }
}

void cti_shape_result_strides(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                              int64_t *stride)
{
    if (count == 0)
        cti_shape_contiguous(ndim, shape, stride);
    else if (!common_layout(count, input, ndim, shape, stride))
        cti_shape_sorted_strides(count, input, ndim, shape, stride);
}

void cti_shape_like_strides(const ct_tensor *t, int64_t *stride)
{
    if (cti_shape_is_dense(t)) {
        for (int d = 0; d < t->ndim; d++) /* dims of size 0 and 1 may have any stride */
            stride[d] = t->stride[d] < 0 ? -t->stride[d] : t->stride[d];
        return;
    }
    int order[CTI_MAX_DIMS];
    order_dims(1, &(const int64_t *){t->stride}, t->ndim, t->shape, order);
    int64_t step = 1;
    for (int i = 0; i < t->ndim; i++) {
        stride[order[i]] = step;
        if (t->shape[order[i]] > 1)
            step *= t->shape[order[i]];
    }
}

ct_tensor *cti_empty_result(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                            enum ct_dtype dtype, struct ct_device device)
{
    bool plain = true;
    for (int i = 0; i < count && plain; i++)
        plain = input[i]->flags & CTI_CONTIGUOUS && same_shape(input[i], ndim, shape);
    if (plain)
        return cti_empty(ndim, shape, dtype, device);
    int64_t stride[CTI_MAX_DIMS];
    cti_shape_result_strides(count, input, ndim, shape, stride);
    return cti_empty_strided(ndim, shape, stride, dtype, device);
}

/* Whether t has at most two dims, elements, and the strides of a new tensor. */
static bool is_like_new(const ct_tensor *t)
{
    if (t->ndim > 2 || t->numel == 0 || (t->ndim && t->stride[t->ndim - 1] != 1))
        return false;
    return t->ndim < 2 || t->stride[0] == t->shape[1];
}

ct_tensor *cti_empty_like(const ct_tensor *t, enum ct_dtype dtype, enum ct_memory_format format)
{
    int64_t stride[CTI_MAX_DIMS];
    if (format == CT_CONTIGUOUS_FORMAT || (format == CT_PRESERVE_FORMAT && is_like_new(t)))
        return cti_empty(t->ndim, t->shape, dtype, t->storage->device);
    if (format == CT_PRESERVE_FORMAT)
        cti_shape_like_strides(t, stride);
    else if (!cti_shape_format_strides(format, t->ndim, t->shape, stride))
        return NULL;
    return cti_empty_strided(t->ndim, t->shape, stride, dtype, t->storage->device);
}

/* ---- overlap ---- */

bool cti_storage_check_writable(const ct_storage *s)
{
    if (s->read_only)
        return cti_refuse(CT_ERR_RUNTIME,
                          "unsupported operation: the memory of the written-to tensor is "
                          "read-only. Please clone() the tensor before performing the "
                          "operation.");
    return !cti_storage_closed(s) || cti_guard_refuse_write();
}

bool cti_check_inference_write(const ct_tensor *t)
{
    if (!(t->flags & CTI_INFERENCE) || (cti_thread.new_flags & CTI_INFERENCE))
        return true;
    return cti_refuse(CT_ERR_RUNTIME,
                      "Inplace update to inference tensor outside InferenceMode is not allowed."
                      "You can make a clone to get a normal tensor before doing inplace update."
                      "See https://github.com/pytorch/rfcs/pull/17 for more details.");
}

bool cti_shape_check_writable(const ct_tensor *t)
{
    if (__builtin_expect(t->flags & CTI_INFERENCE, 0) && !cti_check_inference_write(t))
        return false;
    if (__builtin_expect(cti_storage_closed(t->storage), 0))
        return cti_storage_check_writable(t->storage);
    if (t->flags & CTI_CONTIGUOUS)
        return true;
    for (int d = 0; d < t->ndim; d++)
        if (t->stride[d] == 0 && t->shape[d] > 1 && !cti_shape_is_dense(t))
            return ct_fail(CT_ERR_RUNTIME,
                           "unsupported operation: more than one element of the written-to tensor "
                           "refers to a single memory location. Please clone() the tensor before "
                           "performing the operation.");
    return true;
}

/* The range of addresses from the lowest to the highest element. */
static void address_range(const ct_tensor *t, const char **begin, const char **end)
{
    int64_t low = 0, high = 1;
    for (int d = 0; d < t->ndim; d++)
        *(t->stride[d] < 0 ? &low : &high) += (t->shape[d] - 1) * t->stride[d];
    int64_t itemsize = cti_itemsize(t->dtype);
    *begin = cti_data(t) + low * itemsize;
    *end = cti_data(t) + high * itemsize;
}

bool cti_shape_may_overlap(const ct_tensor *a, const ct_tensor *b)
{
    if (a->storage != b->storage || a->numel == 0 || b->numel == 0)
        return false;
    const char *a_begin, *a_end, *b_begin, *b_end;
    address_range(a, &a_begin, &a_end);
    address_range(b, &b_begin, &b_end);
    return a_begin < b_end && b_begin < a_end;
}

/* Whether the strides are equal. The sign does not matter in dims of at most two elements:
 * x[0:1][::-1]. */
static bool same_steps(const ct_tensor *a, const ct_tensor *b)
{
    bool same = a->ndim == b->ndim;
    for (int d = 0; same && d < a->ndim; d++) {
        bool backwards = a->stride[d] < 0 || b->stride[d] < 0;
        same = a->stride[d] == b->stride[d] || (backwards && a->shape[d] < 2);
    }
    return same;
}

bool cti_shape_check_overlap(const ct_tensor *out, const ct_tensor *in, bool same_ok)
{
    /* As in PyTorch, tensors that are not dense pass, because their overlap is too expensive to
     * decide. */
    if (out == in && same_ok)
        return true;
    if (out != in && (out->storage != in->storage || !cti_shape_may_overlap(out, in) ||
                      !cti_shape_is_dense(out) || !cti_shape_is_dense(in)))
        return true;
    const char *out_begin, *out_end, *in_begin, *in_end;
    address_range(out, &out_begin, &out_end);
    address_range(in, &in_begin, &in_end);
    if (same_ok && out_begin == in_begin && out_end == in_end && same_steps(out, in))
        return true;
    return ct_fail(CT_ERR_RUNTIME,
                   "unsupported operation: some elements of the input tensor and the written-to "
                   "tensor refer to a single memory location. Please clone() the tensor before "
                   "performing the operation.");
}
