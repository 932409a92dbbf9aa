/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of sample.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_SAMPLE_SAMPLE_ARGS_H
#define CORTEN_CUDA_SAMPLE_SAMPLE_ARGS_H

#include <stdint.h>

#ifndef T
#define T void
#endif

#define THREADS 256
#define SAMPLE_CHANNELS 8 /* of a thread */

/* What the kernel computes (WHAT). */
#define SAMPLE_FORWARD 0
#define SAMPLE_GRAD_GRID 1
#define SAMPLE_GRAD_INPUT 2

struct sample_args {
    const T *input, *grid; /* [batch, channels, in[2], in[1], in[0]], [batch, locations, NDIM] */
    const T *upstream;     /* gradients: [batch, channels, locations] */
    const T *along;        /* like the grid, or NULL: the direction of derivatives */
    T *out;
    int64_t batch, channels, locations;
    int64_t n;     /* threads */
    int64_t in[3]; /* in the grid's order: x, y, z */
};

#endif
