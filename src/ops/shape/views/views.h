/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry shared between the files of views. */
#ifndef CORTEN_OPS_VIEWS_H
#define CORTEN_OPS_VIEWS_H

#include "core/tensor.h"

#include <string.h>

/* A view with a tensor's geometry, changed by the caller. */
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

/* A shape asked for, with its -1 replaced; false and PyTorch's error where it does not fit. */
bool cti_infer_shape(ct_ints asked, int64_t numel, int64_t *shape);
/* Strides that show t's elements in a shape of as many elements; false when there are none. */
bool cti_view_strides(const ct_tensor *t, int ndim, const int64_t *shape, int64_t *stride);

#endif
