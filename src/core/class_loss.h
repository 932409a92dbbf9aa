/* SPDX-License-Identifier: BSD-3-Clause */
/* The class_loss engine: cross entropy with class indices, or its derivative, from the log-sum-exp
 * of each row. Filled in by src/ops/loss and src/autograd/derivatives/loss.c. */
#ifndef CORTEN_CORE_CLASS_LOSS_H
#define CORTEN_CORE_CLASS_LOSS_H

#include "core/engine.h"

/* All tensors are contiguous and, except the target, of one type, float32 or float64. Rows whose
 * target is ignore_index are skipped; `total` counts the other rows.
 *   loss = sum of lse[i] - input[i, target[i]], divided by `total` if `mean`
 *   result[i, c] = (exp(input[i, c] - lse[i]) - (c == target[i])) grad, divided in the same way */
struct cti_class_loss {
    struct cti_work work;
    /* 0-d; `total` is an output with the loss, an input with the result */
    ct_tensor *loss, *total;
    ct_tensor *result;               /* the derivative; NULL: compute the loss */
    ct_tensor *input, *target, *lse; /* [n, classes], [n] of int64, [n, 1] */
    ct_tensor *grad;                 /* 0-d, NULL: the loss is wanted */
    int64_t ignore_index;
    bool mean;
};

#endif
