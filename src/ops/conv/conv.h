/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement convolutions. */
#ifndef CORTEN_OPS_CONV_H
#define CORTEN_OPS_CONV_H

#include "core/conv.h"
#include "ops/front.h"

enum { CTI_CONV_FIRST_DIM = 2 }; /* the first convolved dim, after batch and channels */

/* Views a bias as [channels, 1, ...], so that it broadcasts over `dims` spatial dims. */
ct_tensor *cti_conv_along_channels(ct_tensor *bias, int dims);

#endif
