/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of tensor_cores.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_CONV_TENSOR_CORES_ARGS_H
#define CORTEN_CUDA_CONV_TENSOR_CORES_ARGS_H

#include <stdint.h>

#ifndef T
#define T void /* float in the kernel */
#endif

/* A product of an M by K matrix, `left`, with a K by N matrix that is gathered from `image`. IC, IH
 * and IW are the sizes of the tensor that is gathered from; OH and OW are those of the tensor whose
 * positions are counted. For the gradient of the input, these are the output and the input,
 * otherwise the input and the output. */
struct conv_tensor_cores_args {
    const T *left, *image, *bias;
    T *out; /* weight gradient: partial sums [parts, M, N] */
    int32_t M, N, K;
    int32_t part_k; /* weight gradient: the terms of a partial sum */
    int32_t IH, IW;
    int32_t in_plane, in_image; /* IH * IW; IC * IH * IW */
    int32_t OH, OW;
    int32_t out_plane, out_image; /* OH * OW; times the channels of that tensor */
    int32_t weight_ic;            /* the second dim of the weight */
    int32_t stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w;
};

#endif
