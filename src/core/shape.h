/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of sizes and strides: counting, broadcasting, memory formats, the strides of results,
 * overlap of memory; with PyTorch's rules and error messages. Apart from the last functions, this
 * is plain arithmetic. */
#ifndef CORTEN_CORE_SHAPE_H
#define CORTEN_CORE_SHAPE_H

#include "core/tensor.h"

/* Saturating sums and products of sizes, which programs may pass as any int64. INT64_MAX is more
 * than any storage holds, so making a tensor of that size fails. */
static inline int64_t cti_add_sat(int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t cti_sub_sat(int64_t a, int64_t b)
{
    int64_t difference;
    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t cti_mul_sat(int64_t a, int64_t b)
{
    int64_t product;
    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

/* The number of elements; -1 and PyTorch's error for a negative size or an overflow, even if a size
 * is 0: see Note [Countable]. */
int64_t cti_shape_numel(int ndim, const int64_t *shape);
/* How many bytes a storage needs for this geometry (strides >= 0; NULL: contiguous; offset in
 * elements). -1 without an error if something is negative or overflows, or the number of elements
 * does. */
int64_t cti_shape_nbytes(int ndim, const int64_t *shape, const int64_t *stride, int64_t offset,
                         int64_t itemsize);
/* Sets the error for sizes (and strides, or NULL) that no tensor can have. Returns NULL. */
void *cti_shape_fail(int ndim, const int64_t *shape, const int64_t *stride);
/* Writes "[2, 3]" into a buffer that is long enough for every tensor. */
#define CTI_SHAPE_TEXT (CTI_MAX_DIMS * 22 + 3)
const char *cti_shape_text(char text[CTI_SHAPE_TEXT], int ndim, const int64_t *shape);

/* *wrapped = dim, or dim + ndim if it is negative. False and IndexError: out of range. A 0-d tensor
 * counts as one dim, as in PyTorch. */
bool cti_shape_wrap_dim(int64_t dim, int ndim, int *wrapped);

/* Row-major strides. */
void cti_shape_contiguous(int ndim, const int64_t *shape, int64_t *stride);
/* The strides of a memory format other than preserve; false and an error: not for this number of
 * dims. */
bool cti_shape_format_strides(enum ct_memory_format format, int ndim, const int64_t *shape,
                              int64_t *stride);
bool cti_shape_is_contiguous(int ndim, const int64_t *shape, const int64_t *stride,
                             enum ct_memory_format format);
/* Whether the elements fill their range of memory without gaps or overlap, in any order of dims. */
bool cti_shape_is_dense(const ct_tensor *t);

/* Broadcasts the shape `more` with the shape in (*ndim, shape), in place; shape has capacity for
 * CTI_MAX_DIMS. False and PyTorch's error if they do not broadcast. */
bool cti_shape_broadcast(int *ndim, int64_t *shape, int more_ndim, const int64_t *more);
/* The strides of t expanded to a broadcast shape: 0 along repeated dims. */
void cti_shape_expand_strides(const ct_tensor *t, int ndim, const int64_t *shape, int64_t *stride);

/* The strides of the result of a pointwise operation on these inputs with this broadcast shape, by
 * Note [Result strides]. */
void cti_shape_result_strides(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                              int64_t *stride);
/* The same, but only by the second rule of the note, for inputs of other shapes, such as
 * scalars. */
void cti_shape_sorted_strides(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                              int64_t *stride);
/* The strides of empty_like, clone and the like with memory_format=preserve_format. */
void cti_shape_like_strides(const ct_tensor *t, int64_t *stride);

/* Allocate uninitialised tensors: for a pointwise result, and in a memory format (preserve: the
 * layout of t). */
ct_tensor *cti_empty_result(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                            enum ct_dtype dtype, struct ct_device device);
ct_tensor *cti_empty_like(const ct_tensor *t, enum ct_dtype dtype, enum ct_memory_format format);

/* ---- writing ---- */

/* Whether t can be written in place. False and PyTorch's error if its elements certainly share
 * memory (expanded tensors), or if one of the next two functions refuses it. */
bool cti_shape_check_writable(const ct_tensor *t);
bool cti_storage_check_writable(const ct_storage *s); /* false and an error: read-only */
/* false and an error: t was made in inference mode, which has ended */
bool cti_check_inference_write(const ct_tensor *t);
/* False and an error if `in` partially overlaps `out`, or, unless same_ok, is the same memory. */
bool cti_shape_check_overlap(const ct_tensor *out, const ct_tensor *in, bool same_ok);
/* Whether the tensors share memory. May be true if only their address ranges overlap. */
bool cti_shape_may_overlap(const ct_tensor *a, const ct_tensor *b);

#endif
