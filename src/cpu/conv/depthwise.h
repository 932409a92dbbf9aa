/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of depthwise convolutions (groups of one input channel) in float32 and float64, one
 * table for each instruction set. Elements are reused too rarely for a matrix product, so these go
 * over rows directly. Called by depthwise.c. */
#ifndef CORTEN_CPU_CONV_DEPTHWISE_H
#define CORTEN_CPU_CONV_DEPTHWISE_H

#include "cpu/conv/conv.h"
#include "cpu/isa.h"

/* `weights` is a dense copy: [outputs][taps] or, channels-last, [taps][channels]. Channels-last,
 * there is one output for each input channel, and a call computes the channels [begin, end) of one
 * image. Otherwise it computes their planes, whose rows are contiguous. */
struct cti_depthwise_loops {
    /* begin and end count outputs (forward), input channels (input), or outputs over all images
     * (weight). */
    void (*forward)(const struct cti_conv_plan *c, const void *weights, int64_t image,
                    int64_t begin, int64_t end);
    void (*input)(const struct cti_conv_plan *c, const void *weights, int64_t image, int64_t begin,
                  int64_t end);
    void (*weight)(const struct cti_conv_plan *c, void *weights, int64_t begin, int64_t end);
};

enum { CTI_DEPTHWISE_TAPS = 128 }; /* at most */

struct cti_depthwise_types {
    struct cti_depthwise_loops f32, f64;
};

extern const struct cti_depthwise_types CTI_ISA_NAMES(cti_depthwise);

#endif
