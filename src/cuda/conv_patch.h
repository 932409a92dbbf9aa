/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions without strides on tensor cores, from patches in shared memory; see conv_patch.c.
 * conv_strip.c shares their arguments. */
#ifndef CORTEN_CUDA_CONV_PATCH_H
#define CORTEN_CUDA_CONV_PATCH_H

#include "core/conv.h"

/* As in kernels/conv_patch.cu and conv_strip.cu: a convolution as a product of taps with patches of
 * an image. */
struct cti_conv_patch {
    const void *image, *weight, *bias, *grad;
    void *out;
    int32_t images, channels, rows; /* channels of the image, of the result */
    int32_t height, width, down, across;
    int32_t top, left; /* what a patch has before its tile; padding in conv_patch.cu */
    int32_t weight_row, weight_channel, span;
};
struct cti_conv_patch cti_conv_patch_of(const struct cti_conv *w);

/* Whether a convolution is one that these kernels do; float32, contiguous, one group. */
bool cti_cuda_is_conv_patch(const struct cti_conv *w);
bool cti_cuda_conv_patch(const struct cti_conv *w);

#endif
