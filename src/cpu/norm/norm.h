/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's normalisation engine and its loops, compiled once for each instruction set. */
#ifndef CORTEN_CPU_NORM_H
#define CORTEN_CPU_NORM_H

#include "core/norm.h"

#define CTI_NORM_ROWS 64 /* rows whose column sums are formed in type T */

/* The memory that loops work on; T is float or double. */
struct cti_norm_run {
    const struct cti_norm *work;
    void *out, *mean, *rstd, *var, *grad_weight, *grad_bias;
    const void *in, *weight, *bias, *grad;
    double *part; /* two vectors of channels for each block of rows */
    int64_t rows; /* of such a block */
};

struct cti_norm_loops {
    /* Lines [begin, end), or channels of a channels-first tensor. */
    void (*lines)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*channels)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    /* Channels-last, in three steps: compute the mean and squared deviations of blocks of rows,
     * combine them, and normalise the rows. */
    void (*column_parts)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*combine_columns)(const struct cti_norm_run *run, int64_t blocks);
    void (*column_rows)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    /* Derivatives: the same three steps, for lines too. */
    void (*back_lines)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*combine_back_lines)(const struct cti_norm_run *run, int64_t blocks);
    void (*back_channels)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*back_column_parts)(const struct cti_norm_run *run, int64_t begin, int64_t end);
    void (*combine_back_columns)(const struct cti_norm_run *run, int64_t blocks);
    void (*back_column_rows)(const struct cti_norm_run *run, int64_t begin, int64_t end);
};

#endif
