/* SPDX-License-Identifier: BSD-3-Clause */
/* The ctc engine: the connectionist temporal classification loss, which is the negative
 * log-likelihood of a target sequence given the frames, with repetitions and blanks; and its
 * derivative. Filled in by src/ops/ctc/ctc.c, which has checked all lengths and labels. */
#ifndef CORTEN_CORE_CTC_H
#define CORTEN_CORE_CTC_H

#include "core/engine.h"

struct cti_ctc {
    struct cti_work work;
    struct { /* the tensors of the fields of the same names */
        ct_tensor *loss, *alpha, *grad, *log_probs, *grad_loss;
    } of; /* the other arrays are in host memory */
    bool backward;
    enum ct_dtype dtype; /* float32 or float64 */
    int64_t frames, batch, classes, blank;
    const int64_t *input_lengths;  /* of each sequence, at most frames */
    const int64_t *target_lengths; /* at most longest */
    int64_t longest;
    const void *log_probs;  /* [frames, batch, classes] */
    const int64_t *targets; /* labels; those of sequence b begin at first[b] */
    const int64_t *first;
    void *loss;  /* [batch] */
    void *alpha; /* [batch, frames, 2 * longest + 1], kept for backward */
    /* Backward only */
    const void *grad_loss; /* [batch] */
    void *grad;            /* [frames, batch, classes] */
    bool zero_infinity;    /* the gradient of an impossible alignment is 0; otherwise NaN */
};

#endif
