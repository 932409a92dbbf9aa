/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of sizes and strides: counting, broadcasting, memory formats, the strides of results,
 * overlap of memory; with PyTorch's rules and texts. Plain functions of numbers and geometry. */
#ifndef CORTEN_CORE_SHAPE_H
#define CORTEN_CORE_SHAPE_H

#include "core/tensor.h"

/* Sums and products of sizes that a program gave, which may be any int64: they saturate. A size at
 * the end of int64 is more than any storage holds, so whoever makes a tensor of it refuses it. */
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

/* Number of elements; -1 and PyTorch's error for a negative size or an overflow, even if there are
 * no elements: see Note [Countable]. */
int64_t cti_shape_numel(int ndim, const int64_t *shape);
/* Bytes that a storage needs to hold this geometry (strides >= 0; NULL: contiguous; offset in
 * elements); -1 without an error when something is negative or overflows, or the number of
 * elements does. */
int64_t cti_shape_nbytes(int ndim, const int64_t *shape, const int64_t *stride, int64_t offset,
                         int64_t itemsize);
/* The error for sizes (and strides, or NULL) that no tensor can have; NULL. */
void *cti_shape_fail(int ndim, const int64_t *shape, const int64_t *stride);
/* "[2, 3]" into a buffer that is long enough for every tensor. */
#define CTI_SHAPE_TEXT (CTI_MAX_DIMS * 22 + 3)
const char *cti_shape_text(char text[CTI_SHAPE_TEXT], int ndim, const int64_t *shape);

/* dim counted from the end if negative; false and IndexError when there is no such dim (a 0-d
 * tensor has -1 and 0, as in PyTorch). */
bool cti_shape_wrap_dim(int64_t dim, int ndim, int *wrapped);

/* Row-major strides. */
void cti_shape_contiguous(int ndim, const int64_t *shape, int64_t *stride);
/* The strides of a memory format (not preserve); false and an error for a wrong number of dims. */
bool cti_shape_format_strides(enum ct_memory_format format, int ndim, const int64_t *shape,
                              int64_t *stride);
bool cti_shape_is_contiguous(int ndim, const int64_t *shape, const int64_t *stride,
                             enum ct_memory_format format);
/* Every element at its own address and no gaps, in any order of dims. */
bool cti_shape_is_dense(const ct_tensor *t);

/* The shape that `more` and the shape so far (*ndim, shape) broadcast to; shape has room for
 * CTI_MAX_DIMS. False and PyTorch's error when they do not fit. */
bool cti_shape_broadcast(int *ndim, int64_t *shape, int more_ndim, const int64_t *more);
/* The strides of a tensor seen with a broadcast shape: 0 along repeated dims. */
void cti_shape_expand_strides(const ct_tensor *t, int ndim, const int64_t *shape, int64_t *stride);

/* Strides of a pointwise result of these inputs, whose broadcast shape is given: PyTorch's rule
 * (keeps a common order of dims: permuted and channels_last inputs give such results). */
void cti_shape_result_strides(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                              int64_t *stride);
/* The same where inputs of other shapes, such as scalars, rule out reusing a layout as it is. */
void cti_shape_sorted_strides(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                              int64_t *stride);
/* Strides of empty_like, clone and the like with memory_format=preserve_format. */
void cti_shape_like_strides(const ct_tensor *t, int64_t *stride);

/* Uninitialised memory for a pointwise result / in the given format (t decides for preserve). */
ct_tensor *cti_empty_result(int count, ct_tensor *const *input, int ndim, const int64_t *shape,
                            enum ct_dtype dtype, struct ct_device device);
ct_tensor *cti_empty_like(const ct_tensor *t, enum ct_dtype dtype, enum ct_memory_format format);

/* ---- writing ---- */

/* False and PyTorch's error if elements of t certainly share memory (expanded tensors), or if one
 * of the next two functions refuses t. */
bool cti_shape_check_writable(const ct_tensor *t);
bool cti_storage_check_writable(const ct_storage *s); /* is it read-only? */
bool cti_check_inference_write(const ct_tensor *t); /* is t of an inference mode that has ended? */
/* False and an error if `in` partially overlaps `out`, or, unless `same_ok`, coincides with it. */
bool cti_shape_check_overlap(const ct_tensor *out, const ct_tensor *in, bool same_ok);
/* Whether they share a byte of one storage. May say true when only their address ranges overlap. */
bool cti_shape_may_overlap(const ct_tensor *a, const ct_tensor *b);

#endif
