/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that make views. */
#ifndef CORTEN_OPS_VIEWS_H
#define CORTEN_OPS_VIEWS_H

#include "core/tensor.h"

#include <string.h>

/* A tensor's geometry, to be changed and turned into a view. */
struct cti_geometry {
    int ndim;
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS], offset;
};

static inline void cti_geometry_of(struct cti_geometry *g, const ct_tensor *t)
{
    g->ndim = t->ndim;
    g->offset = t->offset;
    memcpy(g->shape, t->shape, sizeof(int64_t) * t->ndim);
    memcpy(g->stride, t->stride, sizeof(int64_t) * t->ndim);
}

static inline ct_tensor *cti_geometry_view(const struct cti_geometry *g, ct_tensor *t)
{
    return cti_view(t, g->ndim, g->shape, g->stride, g->offset);
}

/* Replaces a -1 in `asked` by the missing size; false, with PyTorch's error, if the shape does not
 * fit numel. */
bool cti_infer_shape(ct_ints asked, int64_t numel, int64_t *shape);
/* Computes strides that view t's elements in this shape, of equal numel; false if that takes a
 * copy. */
bool cti_view_strides(const ct_tensor *t, int ndim, const int64_t *shape, int64_t *stride);

#endif
