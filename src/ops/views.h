/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes shared between the files of views. */
#ifndef CORTEN_OPS_VIEWS_H
#define CORTEN_OPS_VIEWS_H

#include "core/tensor.h"

/* A shape asked for, with its -1 replaced; false and PyTorch's error where it does not fit. */
bool cti_infer_shape(ct_ints asked, int64_t numel, int64_t *shape);
/* Strides that show t's elements in a shape of as many elements; false when there are none. */
bool cti_view_strides(const ct_tensor *t, int ndim, const int64_t *shape, int64_t *stride);

#endif
