/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions whose groups have one channel of the input; depthwise.c. */
#ifndef CORTEN_CUDA_DEPTHWISE_H
#define CORTEN_CUDA_DEPTHWISE_H

#include "core/conv.h"

bool cti_cuda_is_depthwise(const struct cti_conv *work);
bool cti_cuda_depthwise(const struct cti_conv *work); /* fake devices: compiles alone */

#endif
