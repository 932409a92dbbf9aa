/* SPDX-License-Identifier: BSD-3-Clause */
/* The normalisation engine of the CPU and its loops, built once for each instruction set. */
#ifndef CORTEN_CPU_NORM_H
#define CORTEN_CPU_NORM_H

#include "core/norm.h"

#define CTI_NORM_ROWS 64 /* rows of columns whose sums are formed in their own type */

/* The addresses of a run; T is float or double. */
struct cti_norm_run {
    const struct cti_norm *work;
    void *out, *mean, *rstd, *var, *grad_weight, *grad_bias;
    const void *in, *weight, *bias, *grad;
    double *part; /* two vectors of channels for each block of rows */
    int64_t rows; /* of such a block */
};

struct cti_norm_loops {
    /* Lines, or channels-first channels, [begin, end). */
    void (*lines)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*channels)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    /* Channels-last: means and squares of blocks of rows, their combination, then the rows. */
    void (*column_parts)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*columns_meet)(const struct cti_norm_run *run, int64_t blocks);
    void (*column_rows)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    /* Derivatives: the same, but lines go by blocks too, which are combined. */
    void (*back_lines)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*back_lines_meet)(const struct cti_norm_run *run, int64_t blocks);
    void (*back_channels)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*back_column_parts)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*back_columns_meet)(const struct cti_norm_run *run, int64_t blocks);
    void (*back_column_rows)(const struct cti_norm_run *run, int64_t begin, int64_t end);
};

#endif
