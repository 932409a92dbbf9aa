/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of convolutions share: the geometry of a call, and its paths. See Note
 * [Convolution paths] in conv.c. */
#ifndef CORTEN_CPU_CONV_INSIDE_H
#define CORTEN_CPU_CONV_INSIDE_H

#include "core/conv.h"
#include "cpu/gemm/gather.h"

/* The geometry as three dims, of which the first may be of size 1; strides count elements. */
struct cti_conv_plan {
    const struct cti_conv *work;
    int64_t size; /* bytes of an element */
    int64_t n, c, o, groups;
    int64_t in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
    int64_t in_image, in_channel, in_stride[3];
    int64_t out_image, out_channel, out_stride[3];
    int64_t w_out, w_in, w_stride[3];
};

/* A 1 by 1 convolution without padding: rows and planes become one long row. */
void cti_conv_collapse(struct cti_gemm_gather *g);

/* False: out of memory. */
bool cti_conv_forward(const struct cti_conv_plan *c);
bool cti_conv_input(const struct cti_conv_plan *c);
bool cti_conv_weight(const struct cti_conv_plan *c);
/* Groups of one input channel, of a type that has loops for that. */
bool cti_conv_is_depthwise(const struct cti_conv_plan *c);
bool cti_conv_depthwise(const struct cti_conv_plan *c);

#endif
