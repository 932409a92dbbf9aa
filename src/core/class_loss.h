/* SPDX-License-Identifier: BSD-3-Clause */
/* What the class_loss engine of a backend is asked for: the cross entropy of classes, or its
 * derivative, once the logsumexp of each row is known. Filled in by src/ops and src/autograd. */
#ifndef CORTEN_CORE_CLASS_LOSS_H
#define CORTEN_CORE_CLASS_LOSS_H

#include "core/tensor.h"

/* All lie without gaps and but for the target have one type, float32 or float64. A target that
 * equals ignore_index does not count; `total` is how many do.
 *   loss = sum of lse[i] - input[i, target[i]], divided by `total` if `mean`
 *   result[i, c] = (exp(input[i, c] - lse[i]) - (c == target[i])) grad, divided alike */
struct cti_class_loss {
    ct_tensor *input, *target, *lse; /* [n, classes], [n] of int64, [n, 1] */
    ct_tensor *loss, *total;         /* of no dims; `total` is written with the loss, else read */
    ct_tensor *grad, *result;        /* NULL: the loss is wanted; grad has no dims */
    int64_t ignore_index;
    bool mean;
};

#endif
