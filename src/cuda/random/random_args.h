/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of random.cu and discrete.cu: Note [Arguments of a kernel] in
 * cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_RANDOM_RANDOM_ARGS_H
#define CORTEN_CUDA_RANDOM_RANDOM_ARGS_H

#include "cuda/common/fault.h"

#ifndef MEMORY
#define MEMORY void
#endif

struct random_args {
    MEMORY *out;
    int64_t n;
    uint64_t seed, offset;
    double a, b;    /* the distribution's parameters */
    int64_t base;   /* integers: the smallest */
    uint64_t range; /* the number of integers from `base` on; 0: 2^64 */
};

struct discrete_args {
    char *out;
    const char *p, *q;
    struct cti_fault_page *fault; /* Bernoulli and multinomial */
    int64_t n;
    uint64_t seed, offset;
    int64_t categories, draws; /* multinomial: of each row */
    uint64_t mask;             /* permutation: the significant bits of keys */
    int32_t low;               /* permutation: how many of the lowest bits are not sorted yet */
};

#endif
