/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by kernels of our own; conv_tiles.c. */
#ifndef CORTEN_CUDA_CONV_TILES_H
#define CORTEN_CUDA_CONV_TILES_H

#include "core/conv.h"

/* float16 to float64, at most 65535 groups. Fake devices: compiles alone. */
bool cti_cuda_conv_tiles(const struct cti_conv *work);

#endif
