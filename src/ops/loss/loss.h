/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement losses: reductions and checks with PyTorch's error
 * messages. */
#ifndef CORTEN_OPS_LOSS_H
#define CORTEN_OPS_LOSS_H

#include "core/hold.h"
#include "ops/front.h"

enum cti_reduction { CTI_REDUCE_NONE, CTI_REDUCE_MEAN, CTI_REDUCE_SUM }; /* PyTorch's numbers */

/* Returns the reduction for a name or for PyTorch's two deprecated arguments (-1: not given). -1:
 * the error is set. */
int cti_reduction(const char *name, int size_average, int reduce);
/* Reduces the loss of each element and consumes `each`. NULL in, NULL out. */
ct_tensor *cti_loss_reduced_take(ct_tensor *each, int64_t reduction);
/* Fails if an argument without a derivative requires grad; t may be CT_NO_TENSOR. */
bool cti_loss_constant(const ct_tensor *t, const char *function, const char *argument);
/* "torch.Size([2, 3])" */
const char *cti_size_text(char text[CTI_SHAPE_TEXT + 16], const ct_tensor *t);

#define ONE ct_value_int(1)

#endif
