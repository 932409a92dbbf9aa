/* SPDX-License-Identifier: BSD-3-Clause */
/* Strides between the lines of tensors; see line_strides.h. */
#include "cuda/common/line_strides.h"

static int64_t step_of(const ct_tensor *t, const ct_tensor *whole, int d, int64_t dim)
{
    if (!t)
        return 0;
    int own = t->ndim == whole->ndim || d < dim ? d : d - 1;
    return t->stride[own] * cti_itemsize((enum ct_dtype)t->dtype);
}

static int64_t size_of_step(int64_t step)
{
    return step < 0 ? -step : step;
}

/* Insertion sort by the first tensor's strides, largest first. */
static void add(struct cti_cuda_lines *l, int64_t size, const int64_t step[3])
{
    int at = l->ndim++;
    for (; at > 0 && size_of_step(l->step[0][at - 1]) < size_of_step(step[0]); at--) {
        l->size[at] = l->size[at - 1];
        for (int k = 0; k < 3; k++)
            l->step[k][at] = l->step[k][at - 1];
    }
    l->size[at] = size;
    for (int k = 0; k < 3; k++)
        l->step[k][at] = step[k];
}

static void merge(struct cti_cuda_lines *l)
{
    int last = 0;
    for (int d = 1; d < l->ndim; d++) {
        bool joins = true;
        for (int k = 0; k < 3; k++)
            joins = joins && l->step[k][last] == l->step[k][d] * l->size[d];
        if (joins) {
            l->size[last] *= l->size[d];
        } else {
            last++;
            l->size[last] = l->size[d];
        }
        for (int k = 0; k < 3; k++)
            l->step[k][last] = l->step[k][d];
    }
    l->ndim = l->ndim ? last + 1 : 0;
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
    merge(lines);
    return true;
}

bool cti_cuda_places(struct cti_cuda_lines *lines, const ct_tensor *t)
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
    merge(lines);
    return true;
}
