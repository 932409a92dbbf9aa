/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of ctc.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_CTC_CTC_ARGS_H
#define CORTEN_CUDA_CTC_CTC_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef T
#define T void
#endif

#define THREADS 256

struct ctc_args {
    const T *log_probs; /* [frames, batch, classes] */
    T *loss, *alpha;    /* [batch], [batch, frames, 2 * longest + 1] */
    const T *grad_loss;
    T *grad;                                       /* like log_probs */
    T *beta;                                       /* [batch, 2, 2 * longest + 1]: two frames */
    const int64_t *input_lengths, *target_lengths; /* [batch] */
    const int64_t *first, *targets; /* the index of each sequence's first label in targets; the
                                     * labels */
    int64_t *next;                  /* [batch, longest]: the next occurrence of each label */
    int64_t frames, batch, classes, blank, longest;
    bool zero_infinity;
};

#endif
