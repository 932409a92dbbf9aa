/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of the kernels of this folder: Note [Arguments of a kernel] in
 * cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_INDEX_INDEX_ARGS_H
#define CORTEN_CUDA_INDEX_INDEX_ARGS_H

#include "cuda/common/divisor.h"
#include "cuda/common/fault.h"
#include "cuda/common/lines.h"

#ifndef T
#define T void
#endif

#define THREADS 256
#define MAX_DIMS 12
#define MAX_INDICES 8
#define POSITIONS 4 /* index.cu: of a thread */

/* Each position of an iteration space has an element of `value` and one of `indexed`. The latter's
 * address depends on the position (indexed_stride) and on index tensors: index k selects along a
 * dim with bound[k] elements, bound_stride[k] bytes apart. Strides are bytes. */
struct index_args {
    char *value, *indexed;
    struct cti_fault_page *fault;
    int64_t n;          /* positions */
    int32_t wrap, what; /* wrap: negative indices count from the end; what: enum cti_cuda_fault */
    struct cti_divisor divisor[MAX_DIMS]; /* by the sizes */
    int64_t size[MAX_DIMS], value_stride[MAX_DIMS], indexed_stride[MAX_DIMS];
    const char *index[MAX_INDICES];
    int64_t index_stride[MAX_INDICES][MAX_DIMS], bound[MAX_INDICES], bound_stride[MAX_INDICES];
};

/* The modes of mask.cu (WHAT). */
#define MASK_COUNT 0
#define MASK_SELECT 1
#define MASK_PUT 2
#define MASK_NONZERO 3
#define MASK_TILE (THREADS * 16) /* elements of the mask that a block handles at a time */

struct mask_args {
    const T *mask;
    int64_t n, block_size; /* elements of the mask; elements in a block's share */
    int64_t *counts;       /* by block */
    char *out;
    const char *in;
    int64_t limit; /* MASK_PUT: elements of `in`, 0: a scalar for all; MASK_NONZERO: rows of out */
    struct cti_fault_page *fault; /* MASK_PUT */
    struct cti_lines lines;       /* MASK_PUT: strides of out; MASK_NONZERO: sizes */
};

/* to[index[i]] += from[i], for rows of matrices. */
struct add_rows_args {
    T *to;
    const T *from;
    const int64_t *index, *order; /* order: the permutation that has sorted the index, or NULL */
    struct cti_fault_page *fault;
    int64_t n, width, bound; /* rows of `from`, elements of a row, rows of `to` */
    int32_t what;            /* enum cti_cuda_fault */
};

/* out[line, index[line, i]] += src[line, i], starting from zero. */
struct scatter_lines_args {
    T *out;
    const int64_t *index;
    const T *src;
    int64_t lines;
    int32_t out_size, src_size; /* elements of a line */
    int32_t lines_per_block;
    uint32_t
        inverse; /* 2^32 / src_size, rounded up: a factor instead of the division; 0: inexact */
};

#endif
