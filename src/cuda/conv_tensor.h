/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions on tensor cores by kernels of our own; see conv_tensor.c. */
#ifndef CORTEN_CUDA_CONV_TENSOR_H
#define CORTEN_CUDA_CONV_TENSOR_H

#include "core/conv.h"

/* Whether a convolution is one that these kernels do, and do faster than cuDNN. */
bool cti_cuda_is_conv_tensor(const struct cti_conv *w);
bool cti_cuda_conv_tensor(const struct cti_conv *w);

#endif
