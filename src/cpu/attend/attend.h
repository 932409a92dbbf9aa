/* SPDX-License-Identifier: BSD-3-Clause */
/* The attend engine of the CPU, and its loops over a tile of scores for each instruction set. Note
 * [Scores]: a tile holds the scores of up to CTI_ATTEND_QUERIES queries with a block of keys,
 * transposed: a row for each key, a column for each query. The maximum, exponentials and sum of a
 * query are computed down its column, for a vector of queries at a time, so no horizontal
 * reductions are needed. All products read keys, values and tiles in place. */
#ifndef CORTEN_CPU_ATTEND_H
#define CORTEN_CPU_ATTEND_H

#include "core/attend.h"

enum {
    CTI_ATTEND_QUERIES = 64, /* in a tile */
    CTI_ATTEND_KEYS = 256    /* in a block: two tiles of float64 fit L2 */
};

/* One tile: element (key, query) at key * columns + query. */
struct cti_attend_tile {
    void *scores;
    int64_t columns, keys; /* queries of the tile, keys of the block */
    int64_t query0, key0;  /* index of the tile's first query and of the block's first key */
    const void *mask;      /* at (query0, key0); NULL: none */
    bool mask_is_bool, causal;
    int64_t mask_row, mask_column;
    double scale;
    void *most, *sum; /* running maximum and sum of each query */
    void *shrink;     /* output: the factor that rescales the query's earlier results */
};

struct cti_attend_loops {
    /* Replaces scores by exponentials, up to a factor that `sum` contains as well and that
     * cancels. */
    void (*exponentials)(const struct cti_attend_tile *tile);
    /* Multiplies the contiguous rows of `from` by factor[row]; the rows of `to` are `stride`
     * apart. */
    void (*scale_rows)(void *to, int64_t stride, const void *from, const void *factor, int64_t rows,
                       int64_t columns);
    /* factor = 1 / sum; logsumexp from `most` and `sum`. */
    void (*finish)(void *factor, void *logsumexp, const void *most, const void *sum, int64_t n);
    /* Backward: recomputes probabilities from scores, with `most` = the logsumexp. */
    void (*probabilities)(const struct cti_attend_tile *tile);
    /* grad = scale * scores * (grad - dot[query]). */
    void (*scores_grad)(const struct cti_attend_tile *tile, void *grad, const void *dot);
    /* dot[row] = sum of a * b along the row. */
    void (*dots)(void *dot, const void *a, int64_t a_row, const void *b, int64_t b_row,
                 int64_t rows, int64_t columns);
};

#endif
