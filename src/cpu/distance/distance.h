/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's distance engine and its loops, compiled once for each instruction set. */
#ifndef CORTEN_CPU_DISTANCE_H
#define CORTEN_CPU_DISTANCE_H

#include "core/backend.h"

/* Contiguous rows of a and of b, batch by batch. */
struct cti_distance_run {
    const char *a, *b;
    char *out;
    int64_t rows_a, rows_b, n; /* rows of one batch; elements of a row */
    double p;
};

/* Compute the distances of rows [begin, end) of a, counted over all batches; the context is a
 * struct cti_distance_run. */
struct cti_distance_loops {
    void (*rows_f32)(void *context, int64_t begin, int64_t end);
    void (*rows_f64)(void *context, int64_t begin, int64_t end);
};

#endif
