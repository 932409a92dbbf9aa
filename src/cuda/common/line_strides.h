/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the lines of tensors along a dim for kernels (lines.h). Their other dims are merged
 * where possible and ordered so that the first tensor's smallest stride is innermost: adjacent
 * lines are then adjacent in memory. */
#ifndef CORTEN_CUDA_COMMON_LINE_STRIDES_H
#define CORTEN_CUDA_COMMON_LINE_STRIDES_H

#include "core/tensor.h"
#include "cuda/common/lines.h"

/* The lines of t[0] along `dim`. The other two tensors may be NULL, or lack that dim. A 0-d tensor
 * is one line of one element. False, without an error: more than CTI_LINE_DIMS dims are left. */
bool cti_cuda_lines(struct cti_lines *lines, const ct_tensor *const t[3], int64_t dim);

/* Every element of a tensor, in logical order, as a line of one element. */
bool cti_cuda_elements(struct cti_lines *lines, const ct_tensor *t);

/* The byte stride between the elements of a line; 0 for NULL and for a 0-d tensor. */
static inline int64_t cti_cuda_line_stride(const ct_tensor *t, int64_t dim)
{
    return t && t->ndim ? t->stride[dim] * cti_itemsize(t->dtype) : 0;
}

static inline int64_t cti_cuda_line_size(const ct_tensor *t, int64_t dim)
{
    return t->ndim ? t->shape[dim] : 1;
}

#endif
