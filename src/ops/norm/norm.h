/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalisation with PyTorch's checks, returning the statistics that its derivative needs. */
#ifndef CTI_OPS_NORM_NORM_H
#define CTI_OPS_NORM_NORM_H

#include "fronts.h"

/* Batch norm; in training updates the running statistics. Even on failure the caller must release
 * the tensors in `r`. */
bool cti_batch_norm_all(struct ct_batch_norm_row_result *r, ct_tensor *input, ct_tensor *weight,
                        ct_tensor *bias, ct_tensor *running_mean, ct_tensor *running_var,
                        bool training, double momentum, double eps);

/* Layer norm. All results are NULL on failure. */
struct ct_layer_norm_row_result cti_layer_norm_all(ct_tensor *input, ct_ints normalized_shape,
                                                   ct_tensor *weight, ct_tensor *bias, double eps);

/* Checks the arguments of group norm; area: elements per channel. */
bool cti_group_norm_check(const ct_tensor *input, int64_t channels, int64_t area,
                          int64_t num_groups, const ct_tensor *weight, const ct_tensor *bias);

#endif
