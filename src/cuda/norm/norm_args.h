/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of norm.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_NORM_NORM_ARGS_H
#define CORTEN_CUDA_NORM_NORM_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef T
#define T void
#endif

/* What the kernel computes (MODE). */
#define NORM_LINES 0        /* statistics and result of lines */
#define NORM_LINES_BACK 1   /* the gradient of the input of lines */
#define NORM_PARTS 2        /* partial statistics, or partial sums of gradients, of channels */
#define NORM_APPLY 3        /* combines the parts of a channel, then computes the result */
#define NORM_APPLY_BACK 4   /* the same for the gradient of the input */
#define NORM_WEIGHT_GRADS 5 /* combines the parts into the gradients of weight and bias */

/* Tensors are contiguous [batch, channels, inner]. Layer and group normalisation normalise lines:
 * the group_channels * inner elements of a group of channels, or of all channels. Batch and
 * instance normalisation normalise channels: batch * inner elements each. */
struct norm_args {
    T *out;
    const T *in, *weight, *bias, *grad;
    T *mean, *rstd, *var, *grad_weight, *grad_bias;
    T *parts;      /* [nparts, channels, 3] */
    int64_t lines; /* how many; 0: channels are normalised */
    int64_t n;     /* elements of a line */
    int64_t batch, channels, inner, groups, group_channels;
    int32_t nparts;
    bool given; /* mean and rstd are arguments */
    double eps;
};

#endif
