/* SPDX-License-Identifier: BSD-3-Clause */
/* Strides between the lines of tensors; see line_strides.h. */
#include "cuda/common/line_strides.h"

#include "core/coalesce.h"

static int64_t step_of(const ct_tensor *t, const ct_tensor *whole, int d, int64_t dim)
{
    if (!t)
        return 0;
    int own = t->ndim == whole->ndim || d < dim ? d : d - 1;
    return t->stride[own] * cti_itemsize((enum ct_dtype)t->dtype);
}

static void add(struct cti_cuda_lines *l, int64_t size, const int64_t step[3])
{
    l->size[l->ndim] = size;
    for (int k = 0; k < 3; k++)
        l->step[k][l->ndim] = step[k];
    l->ndim++;
}

static void coalesce(struct cti_cuda_lines *l, enum cti_dims_order order)
{
    int64_t *const stride[] = {l->step[0], l->step[1], l->step[2]};
    struct cti_dims dims = {.n = l->ndim,
                            .order = order,
                            .inner_last = true,
                            .tensors = 3,
                            .size = l->size,
                            .stride = stride};
    l->ndim = cti_coalesce(&dims);
}

bool cti_cuda_lines(struct cti_cuda_lines *lines, const ct_tensor *const t[3], int64_t dim)
{
    *lines = (struct cti_cuda_lines){.count = 1};
    for (int d = 0; d < t[0]->ndim; d++) {
        int64_t step[3];
        if (d == dim || t[0]->shape[d] == 1)
            continue;
        if (lines->ndim == CTI_CUDA_LINE_DIMS)
            return false;
        for (int k = 0; k < 3; k++)
            step[k] = step_of(t[k], t[0], d, dim);
        lines->count *= t[0]->shape[d];
        add(lines, t[0]->shape[d], step);
    }
    coalesce(lines, CTI_DIMS_FIRST);
    return true;
}

bool cti_cuda_line_strides_of(struct cti_cuda_lines *lines, const ct_tensor *t)
{
    *lines = (struct cti_cuda_lines){.count = t->numel};
    for (int d = 0; d < t->ndim; d++) {
        if (t->shape[d] == 1)
            continue;
        if (lines->ndim == CTI_CUDA_LINE_DIMS)
            return false;
        lines->size[lines->ndim] = t->shape[d];
        lines->step[0][lines->ndim++] = t->stride[d] * cti_itemsize((enum ct_dtype)t->dtype);
    }
    coalesce(lines, CTI_DIMS_KEEP);
    return true;
}
