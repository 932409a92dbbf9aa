/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions without strides in TF32, by strips of places; see conv_strip.c. */
#ifndef CORTEN_CUDA_CONV_STRIP_H
#define CORTEN_CUDA_CONV_STRIP_H

#include "core/conv.h"

/* Whether a convolution that conv_patch.c would do is one that these kernels do, and fills the card
 * with. */
bool cti_cuda_is_conv_strip(const struct cti_conv *w);
bool cti_cuda_conv_strip(const struct cti_conv *w);

#endif
