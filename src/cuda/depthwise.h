/* SPDX-License-Identifier: BSD-3-Clause */
/* Depthwise convolutions (groups of one input channel); depthwise.c. */
#ifndef CORTEN_CUDA_DEPTHWISE_H
#define CORTEN_CUDA_DEPTHWISE_H

#include "core/conv.h"

bool cti_cuda_is_depthwise(const struct cti_conv *work);
bool cti_cuda_depthwise(const struct cti_conv *work); /* fake devices: only compiles */

#endif
