/* SPDX-License-Identifier: BSD-3-Clause */
/* The class_loss engine: cross entropy with class indices, or its derivative, once
 * the logsumexp of each row is known. Filled in by src/ops and src/autograd. */
#ifndef CORTEN_CORE_CLASS_LOSS_H
#define CORTEN_CORE_CLASS_LOSS_H

#include "core/engine.h"

/* All contiguous and, but for the target, of one type, float32 or float64. Targets equal to
 * ignore_index do not count; `total` is how many do.
 *   loss = sum of lse[i] - input[i, target[i]], divided by `total` if `mean`
 *   result[i, c] = (exp(input[i, c] - lse[i]) - (c == target[i])) grad, divided alike */
struct cti_class_loss {
    struct cti_work work;
    ct_tensor *loss, *total;         /* 0-d; `total` is written with the loss, else read */
    ct_tensor *result;               /* NULL: the loss is wanted */
    ct_tensor *input, *target, *lse; /* [n, classes], [n] of int64, [n, 1] */
    ct_tensor *grad;                 /* 0-d, NULL: the loss is wanted */
    int64_t ignore_index;
    bool mean;
};

#endif
