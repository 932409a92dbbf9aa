/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of partial_sums.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_COMMON_PARTIAL_SUMS_ARGS_H
#define CORTEN_CUDA_COMMON_PARTIAL_SUMS_ARGS_H

#include <stdint.h>

#ifndef T
#define T void /* of the weight */
#endif
#ifndef A
#define A void /* of the sums */
#endif

struct partial_sums_args {
    const A *parts; /* [nparts, n] */
    T *weight;
    int64_t nparts, n;          /* n: elements of the weight */
    int64_t size[4], stride[5]; /* of the weight; size: without the first dim */
};

#endif
