/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of x[i, j, ...] and of its assignment, for src/ops/index. They keep lists of index
 * tensors. */
#ifndef CORTEN_AUTOGRAD_DERIVATIVES_INDEX_H
#define CORTEN_AUTOGRAD_DERIVATIVES_INDEX_H

#include "autograd/autograd.h"

/* Absent indices are CT_NO_TENSOR. NULL: failed. */
struct cti_node *cti_node_index(ct_tensor *input, ct_list indices);
struct cti_node *cti_node_index_put(ct_tensor *self, ct_list indices, ct_tensor *values,
                                    bool accumulate);

#endif
