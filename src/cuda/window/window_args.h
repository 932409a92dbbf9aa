/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of window.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_WINDOW_WINDOW_ARGS_H
#define CORTEN_CUDA_WINDOW_WINDOW_ARGS_H

#include "cuda/common/divisor.h"

#ifndef T
#define T void
#endif

#define THREADS 256

/* The windows of one dim. Those of pooling are regular: they follow from a kernel size, a stride
 * and a padding. Others have tables in device memory with an entry for each output position. */
struct window_dim {
    int64_t in, out, dilation, kernel_size;
    const int64_t *start, *count, *divisor; /* divisor may be NULL */
    const double *weight;                   /* [out, kernel_size], or NULL */
    int64_t stride, padding;                /* regular windows */
    int64_t divided_by;        /* regular windows; 0: by the number of elements in the window */
    struct cti_divisor by_out; /* for division by `out` */
};

struct window_args {
    const T *in; /* [outer, d[0].in, d[1].in, d[2].in, inner] */
    T *out;
    int64_t *index; /* positions of maxima, or NULL */
    int64_t outer, inner, n;
    struct window_dim d[3];
};

#endif
