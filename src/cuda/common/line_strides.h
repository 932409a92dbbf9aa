/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses of the lines of up to three tensors along a dim, as kernels take them (block.cuh): the
 * other dims merged where possible, the first tensor's smallest strides innermost, so that adjacent
 * lines are adjacent in memory. */
#ifndef CORTEN_CUDA_COMMON_LINE_STRIDES_H
#define CORTEN_CUDA_COMMON_LINE_STRIDES_H

#include "core/tensor.h"

#define CTI_CUDA_LINE_DIMS 12

struct cti_cuda_lines {
    int64_t count;
    int32_t ndim, unused;
    int64_t size[CTI_CUDA_LINE_DIMS];
    int64_t step[3][CTI_CUDA_LINE_DIMS]; /* bytes */
};

/* Of t[0] along `dim`; the others (NULL: none) have its dims, or lack that one. A 0-d tensor is a
 * line of one. False: too many dims, no error is set. */
bool cti_cuda_lines(struct cti_cuda_lines *lines, const ct_tensor *const t[3], int64_t dim);

/* All elements of a tensor, in order, as lines of one. */
bool cti_cuda_line_strides_of(struct cti_cuda_lines *lines, const ct_tensor *t);

/* The byte stride along a dim. */
static inline int64_t cti_cuda_line_step(const ct_tensor *t, int64_t dim)
{
    return t && t->ndim ? t->stride[dim] * cti_itemsize((enum ct_dtype)t->dtype) : 0;
}

static inline int64_t cti_cuda_line_size(const ct_tensor *t, int64_t dim)
{
    return t->ndim ? t->shape[dim] : 1;
}

#endif
