/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the lines of tensors for kernels; see line_strides.h. */
#include "cuda/common/line_strides.h"

#include "core/coalesce.h"

/* Returns the byte stride of t for dim d of `first`. If t has fewer dims than `first`, it lacks
 * `dim`. */
static int64_t stride_of(const ct_tensor *t, const ct_tensor *first, int d, int64_t dim)
{
    if (!t)
        return 0;
    return cti_cuda_line_stride(t, t->ndim == first->ndim || d < dim ? d : d - 1);
}

/* Collects all dims except `dim`; -1: all dims. */
static bool collect_dims(struct cti_lines *l, const ct_tensor *const t[3], int64_t dim,
                         enum cti_dims_order order)
{
    int64_t *const stride[] = {l->stride[0], l->stride[1], l->stride[2]};
    *l = (struct cti_lines){.count = 1};
    for (int d = 0; d < t[0]->ndim; d++) {
        if (d == dim || t[0]->shape[d] == 1)
            continue;
        if (l->ndim == CTI_LINE_DIMS)
            return false;
        l->count *= t[0]->shape[d];
        l->size[l->ndim] = t[0]->shape[d];
        for (int k = 0; k < 3; k++)
            l->stride[k][l->ndim] = stride_of(t[k], t[0], d, dim);
        l->ndim++;
    }
    struct cti_dims dims = {.n = l->ndim,
                            .order = order,
                            .inner_last = true,
                            .tensors = 3,
                            .size = l->size,
                            .stride = stride};
    l->ndim = cti_coalesce(&dims);
    return true;
}

bool cti_cuda_lines(struct cti_lines *lines, const ct_tensor *const t[3], int64_t dim)
{
    return collect_dims(lines, t, dim, CTI_DIMS_FIRST);
}

bool cti_cuda_elements(struct cti_lines *lines, const ct_tensor *t)
{
    return collect_dims(lines, (const ct_tensor *const[]){t, NULL, NULL}, -1, CTI_DIMS_KEEP);
}
