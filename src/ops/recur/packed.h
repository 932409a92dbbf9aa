/* SPDX-License-Identifier: BSD-3-Clause */
/* What layers.c and packed.c share. */
#ifndef CORTEN_OPS_RECUR_PACKED_H
#define CORTEN_OPS_RECUR_PACKED_H

#include "core/tensor.h"

/* How many rows each step of packed data has, borrowed from batch_sizes: they are positive, do not
 * increase, and make up all rows. False: they do not. */
bool cti_check_batch_sizes(ct_tensor *data, ct_tensor *batch_sizes, ct_ints *sizes);

#endif
