/* SPDX-License-Identifier: BSD-3-Clause */
/* The geometry of a convolution in the form that the algorithms of this folder use, and their entry
 * points; conv.c chooses among them, see Note [Convolution paths] there. */
#ifndef CORTEN_CPU_CONV_H
#define CORTEN_CPU_CONV_H

#include "core/conv.h"
#include "cpu/gemm/gather.h"

/* The input or the output: [n, channels, size[0], size[1], size[2]]. Strides count elements. */
struct cti_conv_image {
    char *data;
    int64_t channels; /* of all groups */
    int64_t size[3];
    int64_t image_stride, channel_stride, stride[3];
};

/* A call of the engine with three spatial dims; missing ones come first and have size 1. */
struct cti_conv_plan {
    const struct cti_conv *work;
    int64_t itemsize, images, groups;
    struct cti_conv_image in, out;
    char *weight;
    const char *bias; /* NULL, or one element for each channel of the result */
    int64_t taps[3], stride[3], padding[3], dilation[3];
    int64_t w_out, w_in, w_tap[3]; /* strides of the weight */
};

/* Describes the im2col matrix of an image for a filter of one tap, so that every element is a
 * position; the caller then fills in the actual filter. */
struct cti_gemm_gather cti_conv_gather(const struct cti_conv_plan *c,
                                       const struct cti_conv_image *image);
/* For a 1 by 1 filter without stride or padding: merges the rows and planes of the image into one
 * long row. */
void cti_conv_collapse(struct cti_gemm_gather *g);

/* False: out of memory. */
bool cti_conv_forward(const struct cti_conv_plan *c);
bool cti_conv_input(const struct cti_conv_plan *c);
bool cti_conv_weight(const struct cti_conv_plan *c);
bool cti_conv_is_depthwise(const struct cti_conv_plan *c);
bool cti_conv_depthwise(const struct cti_conv_plan *c);

#endif
