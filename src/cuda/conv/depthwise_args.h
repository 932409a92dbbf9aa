/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of depthwise.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_CONV_DEPTHWISE_ARGS_H
#define CORTEN_CUDA_CONV_DEPTHWISE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef T
#define T void
#endif

#define THREADS 256
#define EACH 4 /* adjacent results of a thread */

struct depthwise_side {
    T *data;
    int32_t n, c, h, w; /* strides; the weight is [OC, 1, KH, KW] */
};

struct depthwise_args {
    struct depthwise_side input, weight, output;
    const T *bias; /* [OC], or NULL */
    T *parts;      /* weight gradient: partial sums [parts, OC, KH * KW] */
    int32_t N, IC, OC, IH, IW, OH, OW;
    int32_t multiplier; /* output channels of an input channel, OC / IC */
    int32_t items;      /* threads with work to do */
    int32_t span;       /* weight gradient: positions (of all images) of a partial sum */
    int32_t stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w;
    bool channels_last;
};

#endif
