/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by cuDNN, which cudnn.c opens at run time. Only src/cuda includes this. */
#ifndef CORTEN_CUDA_CONV_CUDNN_H
#define CORTEN_CUDA_CONV_CUDNN_H

#include "core/conv.h"

#define CTI_CUDNN_DIMS (CTI_CONV_DIMS + 2)

/* A tensor [outer, channels, dims...] in one of cuDNN's two layouts. */
struct cti_cudnn_tensor {
    int64_t shape[CTI_CUDNN_DIMS], stride[CTI_CUDNN_DIMS];
};

/* Everything that the choice of an engine depends on; compared by memcmp, so without padding. */
struct cti_cudnn_conv {
    int32_t kind, device, dtype, dims; /* dims: spatial, at least 2 */
    int32_t tf32, deterministic, alignment, unused;
    struct cti_cudnn_tensor input, weight, output;
    int64_t stride[CTI_CONV_DIMS], padding[CTI_CONV_DIMS], dilation[CTI_CONV_DIMS];
};

/* Launches a convolution on the current stream. Returns NULL, or why it was not launched (no
 * library, no engine, no memory); then nothing was written and no error is set. */
const char *cti_cudnn_run(const struct cti_cudnn_conv *work, void *input, void *weight,
                          void *output);
/* Whether there is a library, and a card to run it on. */
bool cti_cudnn_found(void);

#endif
