/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of convolutions share: a call's numbers, one for each dim. */
#ifndef CORTEN_OPS_CONV_H
#define CORTEN_OPS_CONV_H

#include "core/conv.h"
#include "ops/front.h"

struct cti_conv_geometry {
    int dims;
    bool transposed;
    int64_t stride[CTI_CONV_DIMS], padding[CTI_CONV_DIMS], dilation[CTI_CONV_DIMS],
        output_padding[CTI_CONV_DIMS];
    int64_t groups;
};

/* One number stands for all dims; false and PyTorch's error when there are others than one each. */
bool cti_conv_geometry(struct cti_conv_geometry *g, const ct_tensor *weight, ct_ints stride,
                       ct_ints padding, ct_ints dilation, ct_ints output_padding, bool transposed,
                       int64_t groups);
/* A bias seen as [channels, 1, ...]: it broadcasts over a result of `dims` more dims. */
ct_tensor *cti_conv_along_channels(ct_tensor *bias, int dims);

#endif
