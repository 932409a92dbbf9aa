/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions without strides on tensor cores, from patches in shared memory; see conv_patch.c. */
#ifndef CORTEN_CUDA_CONV_PATCH_H
#define CORTEN_CUDA_CONV_PATCH_H

#include "core/conv.h"

/* Whether a convolution is one that these kernels do; float32, contiguous, one group. */
bool cti_cuda_is_conv_patch(const struct cti_conv *w);
bool cti_cuda_conv_patch(const struct cti_conv *w);

#endif
