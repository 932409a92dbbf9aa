/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of class_loss.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_LOSS_CLASS_LOSS_ARGS_H
#define CORTEN_CUDA_LOSS_CLASS_LOSS_ARGS_H

#include "cuda/common/fault.h"

#ifndef T
#define T void
#endif

#define THREADS 256

struct class_loss_args {
    const T *input; /* [rows, classes] */
    const int64_t *target;
    const T *lse, *grad; /* the rows' logsumexp; grad: the derivative's upstream gradient */
    T *loss, *total, *result;
    struct cti_fault_page *fault;
    int64_t rows, classes, ignore_index;
    int32_t mean, unused;
};

#endif
