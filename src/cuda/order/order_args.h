/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of the kernels of this folder: Note [Arguments of a kernel] in
 * cuda/runtime/launch.h. `lines` are those of in, values and index; strides are bytes along a line;
 * `flip` is 0 or, for descending order, has all bits set. */
#ifndef CORTEN_CUDA_ORDER_ORDER_ARGS_H
#define CORTEN_CUDA_ORDER_ORDER_ARGS_H

#include "cuda/common/fault.h"
#include "cuda/common/lines.h"

#ifndef KEY /* the unsigned integer with the order of the values; keys.cuh */
#define KEY void
#endif
#ifndef T
#define T void
#endif

#define THREADS 256
#define DIGITS 256

/* What a kernel does (WHAT). */
#define SORT_FIRST 0    /* sort.cu: stores the first `count` elements of each line */
#define SORT_ONE 1      /* stores only the element of rank `count` */
#define SORT_GATHERED 2 /* sorts the elements whose positions select.cu has gathered */
#define SELECT_DIGIT 0  /* select.cu: finds one more digit of the last requested element */
#define SELECT_GATHER 1 /* gathers the positions of all elements up to that element */
#define SELECT_ONE 2    /* stores only that element */
#define RADIX_COUNT 0   /* radix.cu: counts the digits of each tile */
#define RADIX_OFFSET 1  /* computes offsets from the counts */
#define RADIX_SCATTER 2 /* moves the elements */

struct sort_args {
    const char *in;
    char *values, *index;      /* NULL: not wanted */
    const uint32_t *positions; /* SORT_GATHERED: [line][n] */
    uint64_t flip;
    int64_t n, count, in_stride, value_stride, index_stride;
    int32_t padded, per_block; /* pairs of a line, a power of 2; lines of a block */
    int32_t nan_wins, unused;
    struct cti_lines lines;
};

/* What is known so far of a line's last requested element. Starts zeroed. */
struct select_state {
    uint64_t key, key_mask;           /* its key's known bits */
    uint32_t position, position_mask; /* its position's known bits */
    uint32_t rank;                    /* among the elements that match, from 1; 0: not started */
    uint32_t done;                    /* all matching elements are requested, or only one is left */
    uint32_t nans;
    uint32_t tickets; /* blocks that have finished a launch */
    uint32_t slots;   /* positions gathered */
    uint32_t unused;
    uint32_t counts[DIGITS];
};

struct select_args {
    const char *in;
    char *values, *index;
    struct select_state *states; /* by line */
    uint32_t *positions;         /* SELECT_GATHER: [line][count] */
    uint64_t flip;
    int64_t n, count, blocks, in_stride; /* blocks: of each line */
    int32_t shift, on_position;          /* the digit, of the key or of the position */
    int32_t nan_wins, single;            /* single: only the last element is requested */
    struct cti_lines lines;
};

struct radix_args {
    const char *in;
    char *values, *index;      /* the last pass writes them; NULL: not wanted */
    const KEY *keys;           /* by line; NULL: the first pass takes them from `in` */
    const uint32_t *positions; /* of the keys in `in` */
    KEY *keys_out;             /* NULL: the last pass */
    uint32_t *positions_out;
    uint32_t *counts, *totals; /* [line][digit][tile], [line][digit] */
    uint64_t flip;
    int64_t n, tiles, in_stride, value_stride, index_stride; /* tiles: of a line */
    int32_t shift, mask;                                     /* the digit */
    struct cti_lines lines;
};

struct search_args {
    const T *sorted, *values;
    const int64_t *sorter; /* NULL: lines are sorted */
    int64_t *out;
    struct cti_fault_page *fault;
    int64_t count;           /* values */
    int64_t n;               /* elements of a line */
    int64_t values_per_line; /* 0: all values are searched in one line */
    int64_t sorter_count;    /* indices of the sorter, in all lines */
    int32_t right, unused;
};

#endif
