/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of reduce.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_REDUCE_REDUCE_ARGS_H
#define CORTEN_CUDA_REDUCE_REDUCE_ARGS_H

#include <stdint.h>

#define THREADS 256
#define REDUCE_DIMS 12

/* Dims from the outermost to the innermost, at least one, with strides in bytes. */
struct reduce_dims {
    int32_t n, unused;
    int64_t size[REDUCE_DIMS], in[REDUCE_DIMS], out[REDUCE_DIMS], index[REDUCE_DIMS];
};

struct reduce_args {
    const char *in;
    char *out, *index;          /* index: positions of minima and maxima; either may be NULL */
    char *parts;                /* accumulators of the splits: [splits, kept] */
    uint32_t *counters;         /* finished blocks, for each blockIdx.x */
    int64_t kept, reduced;      /* results, and elements of each */
    int64_t splits, split_size; /* of the elements of a result */
    double param;
    int32_t lanes; /* threads of a result, or of COLUMNS adjacent ones */
    int32_t rows;  /* adjacent threads share a result; else they have adjacent results */
    struct reduce_dims outer, inner; /* the kept dims, the reduced dims */
};

#endif
