/* SPDX-License-Identifier: BSD-3-Clause */
/* Depthwise convolutions (groups of one input channel), float32 and float64: too little reuse
 * for a product, so direct loops over rows. Called by channels.c; compiled once for each
 * instruction set. */
#ifndef CORTEN_CPU_CONV_DEPTHWISE_H
#define CORTEN_CPU_CONV_DEPTHWISE_H

#include "cpu/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* Strides count elements. Channels-last: channel strides are 1, weights are [taps][channels], there
 * is one output for each input channel, and a call does the channels [begin, end) of one image;
 * else rows are contiguous and it does the planes of these. */
struct cti_depthwise {
    bool channels_last;
    int64_t images, multiple; /* depth multiplier */
    int64_t in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
    int64_t in_image, in_channel, in_stride[3];
    int64_t out_image, out_channel, out_stride[3];
    void *input, *output, *weight; /* one of them is written */
    const void *bias;              /* of the result's channels, or NULL */
};

struct cti_depthwise_loops {
    /* One image, and outputs (forward), input channels (input) or, over all images, outputs
     * (weight) from begin to end. */
    void (*forward)(const struct cti_depthwise *d, int64_t image, int64_t begin, int64_t end);
    void (*input)(const struct cti_depthwise *d, int64_t image, int64_t begin, int64_t end);
    void (*weight)(const struct cti_depthwise *d, int64_t begin, int64_t end);
};

struct cti_depthwise_types {
    struct cti_depthwise_loops f32, f64;
};

extern const struct cti_depthwise_types CTI_ISA_NAMES(cti_depthwise);

#endif
