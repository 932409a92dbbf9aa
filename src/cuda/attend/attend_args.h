/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of attend.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_ATTEND_ATTEND_ARGS_H
#define CORTEN_CUDA_ATTEND_ATTEND_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef T
#define T void
#endif

/* What a launch computes (MODE) */
#define FORWARD 0
#define DELTA 1      /* backward: the sum of grad * out for each query */
#define QUERY_GRAD 2 /* backward: the gradients of a tile of queries */
#define KEY_GRAD 3   /* backward: likewise for keys and values, over the query heads of a group */

struct attend_side {
    T *data;
    int64_t batch, head, row; /* strides */
};

struct attend_args {
    struct attend_side query, key, value, out, grad, grad_query, grad_key, grad_value;
    const void *mask;                                     /* NULL, of bool, or of T */
    int64_t mask_batch, mask_head, mask_row, mask_column; /* strides */
    T *logsumexp, *delta;                                 /* [B, H, L] */
    int64_t B, H, L, S; /* batch, heads of the queries, queries, keys */
    int64_t group;      /* query heads that share a head of keys */
    double scale;
    bool mask_is_bool, causal;
};

#endif
