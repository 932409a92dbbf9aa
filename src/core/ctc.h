/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ctc engine of every backend is asked for: the negative logarithm of the probability that
 * frames spell a target, with repetitions and blanks, and its derivative. Filled in by
 * src/ops/ctc/ctc.c, which has checked every length and label. */
#ifndef CORTEN_CORE_CTC_H
#define CORTEN_CORE_CTC_H

#include "corten/base.h"

struct cti_ctc {
    struct ct_device device; /* of log_probs, loss, alpha and gradients; the host has the rest */
    enum ct_dtype dtype;     /* float32 or float64 */
    int64_t frames, batch, classes, blank;
    const int64_t *input_lengths;  /* of each of the batch, at most frames */
    const int64_t *target_lengths; /* at most longest */
    int64_t longest;
    const void *log_probs;  /* [frames, batch, classes] */
    const int64_t *targets; /* labels; the first of sequence b at first[b], one after the other */
    const int64_t *first;
    void *loss;  /* [batch] */
    void *alpha; /* [batch, frames, 2 * longest + 1], kept for the way back */
    /* Backward alone */
    const void *grad_loss; /* [batch] */
    void *grad;            /* [frames, batch, classes] */
    bool zero_infinity;    /* a sequence that cannot be spelt has no gradient, else NaN */
};

#endif
