/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements cat, stack, split, chunk, unbind and broadcast_tensors, declared in join.toml. */
#include "core/alloc.h"
#include "core/note.h"
#include "core/small.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/shape/padding.h"

#include <stdio.h>
#include <string.h>

/* PyTorch lets empty 1-d tensors join tensors of any shape. */
static bool is_nothing(const ct_tensor *t)
{
    return t->ndim == 1 && t->shape[0] == 0;
}

/* The promoted dtype; CT_NO_DTYPE: the error is set. */
static enum ct_dtype common_type(ct_list tensors)
{
    enum ct_dtype dtype = tensors.n ? (enum ct_dtype)tensors.v[0]->dtype : CT_NO_DTYPE;
    for (int64_t i = 1; i < tensors.n && dtype != CT_NO_DTYPE; i++)
        dtype = ct_promote_types(dtype, tensors.v[i]->dtype);
    return dtype;
}

/* Channels last if the strides of all tensors suggest it, else contiguous. */
static enum ct_memory_format common_format(ct_list tensors)
{
    enum ct_memory_format format = cti_suggested_format(tensors.v[0]);
    for (int64_t i = 1; i < tensors.n && format != CT_CONTIGUOUS_FORMAT; i++)
        if (cti_suggested_format(tensors.v[i]) != format)
            return CT_CONTIGUOUS_FORMAT;
    return format;
}

/* Adds a note that shows the two entries whose sizes differ in dim d. */
static void *note_entries(const ct_tensor *first, const ct_tensor *t, int64_t i, int d)
{
    char name[32];
    snprintf(name, sizeof name, "tensors[%lld]", (long long)i);
    const struct cti_note_row rows[] = {{"the first", first->ndim, first->shape},
                                        {name, t->ndim, t->shape}};
    return cti_note_shapes(rows, 2, first->ndim - 1 - d);
}

/* Computes the result's shape; false: PyTorch's error is set. */
static bool joined_shape(ct_list tensors, int dim, const ct_tensor *like, int64_t *shape)
{
    memcpy(shape, like->shape, sizeof(int64_t) * like->ndim);
    shape[dim] = 0;
    for (int64_t i = 0; i < tensors.n; i++) {
        const ct_tensor *t = tensors.v[i];
        if (is_nothing(t))
            continue;
        if (t->ndim != like->ndim)
            return cti_refuse(CT_ERR_RUNTIME,
                              "Tensors must have same number of dimensions: got %d and %d",
                              like->ndim, t->ndim);
        for (int d = 0; d < t->ndim; d++)
            if (d != dim && t->shape[d] != like->shape[d]) {
                ct_fail(CT_ERR_RUNTIME,
                        "Sizes of tensors must match except in dimension %d. Expected size "
                        "%lld but "
                        "got size %lld for tensor number %lld in the list.",
                        dim, (long long)like->shape[d], (long long)t->shape[d], (long long)i);
                return note_entries(like, t, i, d);
            }
        if (__builtin_add_overflow(shape[dim], t->shape[dim], &shape[dim]))
            return cti_shape_fail(like->ndim, shape, NULL) != NULL;
    }
    return true;
}

static bool fill_whole(ct_tensor *whole, ct_list tensors, int dim)
{
    ct_tensor *few[16], **parts = few;
    int64_t n = 0;
    if (tensors.n > 16 && !(parts = cti_malloc((size_t)tensors.n * sizeof *parts)))
        return false;
    for (int64_t i = 0; i < tensors.n; i++)
        if (!is_nothing(tensors.v[i]))
            parts[n++] = tensors.v[i];
    bool good = CTI_RUN(join, whole, .dst = whole, .dim = dim, .parts = {parts, n});
    if (parts != few)
        cti_free(parts);
    return good;
}

ct_tensor *cti_op_cat(ct_list tensors, int64_t dim)
{
    int64_t shape[CTI_MAX_DIMS];
    int d;
    if (!tensors.n)
        return ct_fail(CT_ERR_VALUE, "torch.cat(): expected a non-empty list of Tensors");
    ct_tensor *like = tensors.v[0];
    for (int64_t i = 0; i < tensors.n; i++) {
        if (!tensors.v[i]->ndim)
            return ct_fail(CT_ERR_RUNTIME,
                           "zero-dimensional tensor (at position %lld) cannot be concatenated",
                           (long long)i);
        if (is_nothing(like))
            like = tensors.v[i];
    }
    if (!cti_shape_wrap_dim(dim, like->ndim, &d) || !joined_shape(tensors, d, like, shape))
        return NULL;
    enum ct_dtype dtype = common_type(tensors);
    if (dtype == CT_NO_DTYPE)
        return NULL;
    enum ct_memory_format format = common_format(tensors);
    int64_t stride[CTI_MAX_DIMS];
    cti_shape_contiguous(like->ndim, shape, stride);
    if (format != CT_CONTIGUOUS_FORMAT &&
        !cti_shape_format_strides(format, like->ndim, shape, stride))
        return NULL;
    ct_tensor *whole = cti_empty_strided(like->ndim, shape, stride, dtype, like->storage->device);
    return cti_take_new_if(whole, whole && fill_whole(whole, tensors, d));
}

/* Splits dim d of a joined tensor into [n, size / n]. Consumes it. */
static ct_tensor *split_dim_take(ct_tensor *whole, int d, int64_t n)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    if (!whole)
        return NULL;
    if (whole->ndim == CTI_MAX_DIMS) {
        ct_release(whole);
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    }
    for (int k = 0, at = 0; k < whole->ndim; k++) {
        int64_t size = k == d ? whole->shape[k] / n : whole->shape[k];
        if (k == d) {
            shape[at] = n;
            stride[at++] = cti_mul_sat(size ? size : 1, whole->stride[k]);
        }
        shape[at] = size;
        stride[at++] = whole->stride[k];
    }
    bool good = cti_tensor_set_geometry(whole, whole->ndim + 1, shape, stride, whole->offset);
    return cti_take_if(whole, good);
}

ct_tensor *cti_op_stack(ct_list tensors, int64_t dim)
{
    int d;
    if (!tensors.n)
        return ct_fail(CT_ERR_RUNTIME, "stack expects a non-empty TensorList");
    ct_tensor *first = tensors.v[0], *result = NULL;
    if (!cti_shape_wrap_dim(dim, first->ndim + 1, &d))
        return NULL;
    for (int64_t i = 1; i < tensors.n; i++) {
        ct_tensor *t = tensors.v[i];
        char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
        if (!cti_same_shape(t, first->ndim, first->shape)) {
            ct_fail(CT_ERR_RUNTIME,
                    "stack expects each tensor to be equal size, but got %s at entry 0 and %s at "
                    "entry %lld",
                    cti_shape_text(a, first->ndim, first->shape),
                    cti_shape_text(b, t->ndim, t->shape), (long long)i);
            for (int k = 0; k < t->ndim && first->ndim == t->ndim; k++)
                if (t->shape[k] != first->shape[k])
                    return note_entries(first, t, i, k);
            return cti_note(
                "stack joins tensors of one shape along a new dim; cat joins them along "
                "an existing dim");
        }
    }
    if (d < first->ndim) /* the memory of cat along d, with that dim split in two */
        return split_dim_take(cti_op_cat(tensors, d), d, tensors.n);
    ct_tensor **lifted = cti_calloc((size_t)tensors.n, sizeof *lifted);
    if (!lifted)
        return NULL;
    bool good = true;
    for (int64_t i = 0; i < tensors.n; i++)
        good = (lifted[i] = cti_view_unsqueeze(tensors.v[i], d)) && good;
    if (good)
        result = cti_op_cat(ct_list_of(lifted, tensors.n), d);
    for (int64_t i = 0; i < tensors.n; i++)
        ct_release(lifted[i]);
    cti_free(lifted);
    return result;
}

/* ---- splitting ---- */

/* Makes n views along d, of the given sizes or of `size` each. select: views without the dim
 * instead. */
static ct_list split_views(ct_tensor *input, int d, int64_t n, const int64_t *sizes, int64_t size,
                           bool select)
{
    ct_tensor **parts = cti_calloc((size_t)(n ? n : 1), sizeof *parts);
    bool good = parts != NULL;
    for (int64_t i = 0, at = 0; good && i < n; i++) {
        int64_t length = sizes                         ? sizes[i]
                         : size < input->shape[d] - at ? size
                                                       : input->shape[d] - at;
        parts[i] =
            select ? cti_view_select(input, d, i) : cti_view_slice(input, d, at, at + length, 1);
        at += length;
        good = parts[i] != NULL;
    }
    return cti_list_take_if(parts, n, good);
}

ct_list cti_view_split(ct_tensor *input, int64_t split_size, int64_t dim)
{
    int d;
    if (!input->ndim)
        return cti_no_list(
            ct_fail(CT_ERR_RUNTIME, "split expects at least a 1-dimensional tensor"));
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return CT_NO_LIST;
    int64_t size = input->shape[d];
    if (split_size < 0)
        return cti_no_list(ct_fail(
            CT_ERR_RUNTIME, "split expects split_size be non-negative, but got split_size=%lld",
            (long long)split_size));
    if (split_size == 0 && size)
        return cti_no_list(ct_fail(
            CT_ERR_RUNTIME,
            "split_size can only be 0 if dimension size is 0, but got dimension size of %lld",
            (long long)size));
    int64_t n = split_size ? ceil_div(size, split_size) : 1;
    return split_views(input, d, n ? n : 1, NULL, split_size, false);
}

/* Formats at most CTI_MAX_DIMS sizes: a list may be longer than any shape. */
static const char *join_sizes_text(char text[CTI_SHAPE_TEXT], ct_ints sizes)
{
    return cti_shape_text(text, sizes.n < CTI_MAX_DIMS ? (int)sizes.n : CTI_MAX_DIMS, sizes.v);
}

ct_list cti_view_split_with_sizes(ct_tensor *input, ct_ints split_sizes, int64_t dim)
{
    int d;
    int64_t sum = 0;
    char text[CTI_SHAPE_TEXT];
    if (!input->ndim)
        return cti_no_list(
            ct_fail(CT_ERR_RUNTIME, "split expects at least a 1-dimensional tensor"));
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return CT_NO_LIST;
    for (int64_t i = 0; i < split_sizes.n; i++) {
        if (split_sizes.v[i] < 0)
            return cti_no_list(
                ct_fail(CT_ERR_RUNTIME,
                        "split_with_sizes expects split_sizes have only non-negative entries, but "
                        "got split_sizes=%s",
                        join_sizes_text(text, split_sizes)));
        sum = cti_add_sat(sum, split_sizes.v[i]);
    }
    if (sum != input->shape[d])
        return cti_no_list(ct_fail(
            CT_ERR_RUNTIME,
            "split_with_sizes expects split_sizes to sum exactly to %lld (input tensor's "
            "size at dimension %lld), but got split_sizes=%s",
            (long long)input->shape[d], (long long)dim, join_sizes_text(text, split_sizes)));
    return split_views(input, d, split_sizes.n, split_sizes.v, 0, false);
}

ct_list cti_op_split_sizes(ct_tensor *input, ct_ints split_size, int64_t dim)
{
    return ct_own_split_with_sizes(input, split_size, dim);
}

typedef ct_list cutter(ct_tensor *input, int64_t size, int64_t dim);
typedef ct_list sizes_cutter(ct_tensor *input, ct_ints sizes, int64_t dim);

static ct_list chunks_by(cutter *by, sizes_cutter *by_sizes, ct_tensor *input, int64_t chunks,
                         int64_t dim)
{
    int d;
    if (!input->ndim)
        return cti_no_list(
            ct_fail(CT_ERR_RUNTIME, "chunk expects at least a 1-dimensional tensor"));
    if (chunks <= 0)
        return cti_no_list(ct_fail(CT_ERR_RUNTIME,
                                   "chunk expects `chunks` to be greater than 0, got: %lld",
                                   (long long)chunks));
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return CT_NO_LIST;
    int64_t size = input->shape[d];
    if (size)
        return by(input, ceil_div(size, chunks), d);
    int64_t *none = cti_calloc((size_t)chunks, sizeof *none);
    ct_list parts = none ? by_sizes(input, ct_ints_of(none, chunks), d) : CT_NO_LIST;
    cti_free(none);
    return parts;
}

ct_list cti_op_chunk(ct_tensor *input, int64_t chunks, int64_t dim)
{
    return chunks_by(ct_own_split, ct_own_split_with_sizes, input, chunks, dim);
}

/* Makes parts independent tensors for autograd: no base, their own version counters. */
static ct_list set_apart(ct_list parts)
{
    for (int64_t i = 0; i < parts.n; i++) {
        ct_release(parts.v[i]->base);
        parts.v[i]->base = NULL;
        cti_version_renew(parts.v[i]);
    }
    return parts;
}

ct_list cti_op_unsafe_split(ct_tensor *input, int64_t split_size, int64_t dim)
{
    return set_apart(cti_view_split(input, split_size, dim));
}

ct_list cti_op_unsafe_split_with_sizes(ct_tensor *input, ct_ints split_sizes, int64_t dim)
{
    return set_apart(cti_view_split_with_sizes(input, split_sizes, dim));
}

ct_list cti_op_unsafe_chunk(ct_tensor *input, int64_t chunks, int64_t dim)
{
    return chunks_by(ct_own_unsafe_split, ct_own_unsafe_split_with_sizes, input, chunks, dim);
}

ct_list cti_view_unbind(ct_tensor *input, int64_t dim)
{
    int d;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return CT_NO_LIST;
    if (!input->ndim)
        return cti_no_list(
            ct_fail(CT_ERR_INDEX, "Dimension specified as %d but tensor has no dimensions", d));
    return split_views(input, d, input->shape[d], NULL, 1, true);
}

/* ---- broadcasting ---- */

ct_list cti_op_broadcast_tensors(ct_list tensors)
{
    int ndim = 0;
    int64_t shape[CTI_MAX_DIMS];
    for (int64_t i = 0; i < tensors.n; i++)
        if (!cti_shape_broadcast(&ndim, shape, tensors.v[i]->ndim, tensors.v[i]->shape))
            return CT_NO_LIST;
    ct_tensor **expanded = cti_calloc((size_t)(tensors.n > 0 ? tensors.n : 1), sizeof *expanded);
    bool good = expanded;
    for (int64_t i = 0; good && i < tensors.n; i++) {
        ct_tensor *t = tensors.v[i];
        expanded[i] = cti_same_shape(t, ndim, shape)
                          ? ct_retain(t)
                          : ct_own_expand(t, ct_ints_of(shape, ndim), false);
        good = expanded[i] != NULL;
    }
    return cti_list_take_if(expanded, tensors.n, good);
}
