/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of patch.cu and strip.cu, which compute convolutions without strides and
 * dilations: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_CONV_PATCH_ARGS_H
#define CORTEN_CUDA_CONV_PATCH_ARGS_H

#include <stdint.h>

#ifndef T
#define T void /* float in the kernel */
#endif

/* Sizes are those of the convolution that the kernel computes. For the gradient of the input that
 * is a convolution of the output's gradient, whose channels are then the IC input channels. */
struct conv_patch_args {
    const T *image, *weight; /* image: [N, IC, IH, IW] */
    const T *bias;           /* [OC], or NULL */
    const T *grad;           /* weight gradient: [N, OC, OH, OW] */
    T *out; /* [N, OC, OH, OW]; weight gradient: partial sums [parts, OC, IC, KH, KW] */
    int32_t N, IC, OC, IH, IW, OH, OW;
    int32_t pad_h, pad_w;         /* rows above and columns left of a tile in its patch */
    int32_t weight_oc, weight_ic; /* strides of the weight; its KH * KW taps are contiguous */
    int32_t part_tiles;           /* weight gradient: tiles of a partial sum */
};

#endif
