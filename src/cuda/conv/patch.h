/* SPDX-License-Identifier: BSD-3-Clause */
/* A convolution without strides as the kernels of patch.c and strip.c take it. */
#ifndef CORTEN_CUDA_CONV_PATCH_H
#define CORTEN_CUDA_CONV_PATCH_H

#include "core/conv.h"

/* Mirrors a struct of patch.cu and strip.cu: a convolution as a product of taps with patches of an
 * image. */
struct cti_conv_patch {
    const void *image, *weight, *bias, *grad;
    void *out;
    int32_t images, channels, rows; /* channels of the image, of the result */
    int32_t height, width, down, across;
    int32_t top, left; /* what a patch has before its tile; padding in patch.cu */
    int32_t weight_row, weight_channel, span;
};
struct cti_conv_patch cti_conv_patch_of(const struct cti_conv *w);

#endif
