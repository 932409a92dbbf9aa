/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions whose groups have one channel of input each: no product to speak of, so loops over
 * rows, in float32 and float64. Called by conv.c; compiled once for each instruction set. */
#ifndef CORTEN_CPU_CONV_DEPTHWISE_H
#define CORTEN_CPU_CONV_DEPTHWISE_H

#include "cpu/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* Strides count elements. Channels last: channel strides are 1, weights lie as [taps][channels],
 * there is one output for each channel of input, and a call does the channels [begin, end) of one
 * image; else rows run through memory and it does the planes of these. */
struct cti_depthwise {
    bool channels_last;
    int64_t images, multiple; /* outputs for each channel of input */
    int64_t in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
    int64_t in_image, in_channel, in_stride[3];
    int64_t out_image, out_channel, out_stride[3];
    void *input, *output, *weight; /* one of them is written */
    const void *bias;              /* of the result's channels, or NULL */
};

struct cti_depthwise_loops {
    /* One image, and outputs (forward), channels of input (input) or, over all images, outputs
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
