/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of softmax.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_SOFTMAX_SOFTMAX_ARGS_H
#define CORTEN_CUDA_SOFTMAX_SOFTMAX_ARGS_H

#include <stdint.h>

#ifndef T
#define T void
#endif
#define THREADS 256

/* The tensors are contiguous [outer, n, inner]; logsumexp's result is [outer, inner]. */
struct softmax_args {
    T *out;
    const T *in, *grad; /* grad: NULL but for derivatives, where `in` is the forward result */
    int64_t outer, n, inner;
};

#endif
