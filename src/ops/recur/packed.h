/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by layers.c and packed.c. */
#ifndef CORTEN_OPS_RECUR_PACKED_H
#define CORTEN_OPS_RECUR_PACKED_H

#include "core/tensor.h"

/* Checks batch_sizes, the number of rows at each step of packed data: positive, not increasing, and
 * adding up to all rows. *sizes is borrowed from batch_sizes. */
bool cti_check_batch_sizes(ct_tensor *data, ct_tensor *batch_sizes, ct_ints *sizes);

#endif
