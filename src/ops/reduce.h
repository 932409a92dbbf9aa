/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fronts of reductions share: which dims go. For reduce.c and the files of its kin. */
#ifndef CORTEN_OPS_REDUCE_H
#define CORTEN_OPS_REDUCE_H

#include "core/tensor.h"

enum cti_empty_list { CTI_ALL_DIMS, CTI_NO_DIMS }; /* what dim=() means */

/* reduced[d] for every dim of t; false (the error is set): no such dim, or one twice. */
bool cti_mark_dims(const ct_tensor *t, ct_ints dim, enum cti_empty_list empty, bool *reduced);

/* The variance, or its root, in the name of an operation: `name` stands in its warning. */
ct_tensor *cti_var_named(const char *name, bool root, ct_tensor *input, ct_ints dim,
                         ct_value correction, bool keepdim);

#endif
