/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms for convolutions that conv.c chooses from, each in a file of its name. The first
 * function of a pair says whether the algorithm applies, the second launches it. On a fake device
 * the second only compiles the kernel. */
#ifndef CORTEN_CUDA_CONV_ALGORITHMS_H
#define CORTEN_CUDA_CONV_ALGORITHMS_H

#include "core/conv.h"

/* depthwise.c: groups of one input channel. */
bool cti_cuda_is_conv_depthwise(const struct cti_conv *w);
bool cti_cuda_conv_depthwise(const struct cti_conv *w);

/* patch.c: of what tensor_cores.c takes, 2-d convolutions without strides. A block keeps a patch of
 * the image in shared memory, which all taps read. */
bool cti_cuda_is_conv_patch(const struct cti_conv *w);
bool cti_cuda_conv_patch(const struct cti_conv *w);

/* strip.c: of what patch.c takes, convolutions in TF32 that are large enough to fill the card. */
bool cti_cuda_is_conv_strip(const struct cti_conv *w);
bool cti_cuda_conv_strip(const struct cti_conv *w);

/* tensor_cores.c: float32 images with one group, as an implicit GEMM on tensor cores. */
bool cti_cuda_is_conv_tensor_cores(const struct cti_conv *w);
bool cti_cuda_conv_tensor_cores(const struct cti_conv *w);

/* implicit_gemm.c: everything else from float16 to float64 with at most 65535 groups. */
bool cti_cuda_conv_implicit_gemm(const struct cti_conv *w);

#endif
