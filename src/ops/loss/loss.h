/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of losses share: how a loss is reduced, and PyTorch's words about it. */
#ifndef CORTEN_OPS_LOSS_H
#define CORTEN_OPS_LOSS_H

#include "core/hold.h"
#include "ops/front.h"

enum cti_reduction { CTI_REDUCE_NONE, CTI_REDUCE_MEAN, CTI_REDUCE_SUM }; /* PyTorch's numbers */

/* From the word, or from PyTorch's two old arguments (-1: not given). -1: the error is set. */
int cti_reduction(const char *word, int size_average, int reduce);
/* Takes the loss of each element. NULL in, NULL out. */
ct_tensor *cti_loss_reduced_take(ct_tensor *each, int64_t reduction);
/* False, and PyTorch's error, where an argument (or CT_NO_TENSOR) that has no derivative wants one.
 */
bool cti_loss_constant(const ct_tensor *t, const char *function, const char *argument);
/* "torch.Size([2, 3])" */
const char *cti_size_text(char text[CTI_SHAPE_TEXT + 16], const ct_tensor *t);

#define ONE ct_value_int(1)

#endif
