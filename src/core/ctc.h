/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of the ctc engine: the negative log-likelihood of a target given frames, with
 * repetitions and blanks, and its derivative. Filled in by src/ops/ctc/ctc.c, which has checked
 * every length and label. */
#ifndef CORTEN_CORE_CTC_H
#define CORTEN_CORE_CTC_H

#include "corten/base.h"

struct cti_ctc {
    struct ct_device device; /* of log_probs, loss, alpha and gradients; the rest is on the host */
    enum ct_dtype dtype;     /* float32 or float64 */
    int64_t frames, batch, classes, blank;
    const int64_t *input_lengths;  /* of each of the batch, at most frames */
    const int64_t *target_lengths; /* at most longest */
    int64_t longest;
    const void *log_probs;  /* [frames, batch, classes] */
    const int64_t *targets; /* labels; sequence b is contiguous from first[b] on */
    const int64_t *first;
    void *loss;  /* [batch] */
    void *alpha; /* [batch, frames, 2 * longest + 1], kept for backward */
    /* Backward only */
    const void *grad_loss; /* [batch] */
    void *grad;            /* [frames, batch, classes] */
    bool zero_infinity;    /* an impossible alignment has gradient 0, else NaN */
};

#endif
