/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of implicit_gemm.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_CONV_IMPLICIT_GEMM_ARGS_H
#define CORTEN_CUDA_CONV_IMPLICIT_GEMM_ARGS_H

#include <stdint.h>

#ifndef T
#define T void /* of the tensors */
#endif
#ifndef A
#define A void /* of the sums */
#endif

#define THREADS 256
#define TILE 64 /* BM and BN */

struct implicit_gemm_side {
    T *data;
    int64_t outer, channel, step[3]; /* strides; outer: of images, or of output channels */
};

struct implicit_gemm_args {
    struct implicit_gemm_side input, weight, output;
    const T *bias;             /* [groups * OC], or NULL */
    A *parts;                  /* weight gradient: partial sums [parts, groups, OC, IC * taps] */
    int64_t N, IC, OC, groups; /* IC, OC: of one group */
    int64_t span;              /* weight gradient: positions (of all images) of a partial sum */
    int64_t in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
};

#endif
