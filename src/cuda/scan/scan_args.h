/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of scan.cu: Note [Arguments of a kernel] in cuda/runtime/launch.h. */
#ifndef CORTEN_CUDA_SCAN_SCAN_ARGS_H
#define CORTEN_CUDA_SCAN_SCAN_ARGS_H

#include "cuda/common/lines.h"

#define THREADS 256

struct scan_args {
    const char *in;
    char *out, *index;                           /* index: only of minima and maxima */
    char *totals;                                /* one state for each split of each line */
    int64_t n;                                   /* elements of a line */
    int64_t split_size, splits;                  /* elements of a split, splits of a line */
    int64_t in_stride, out_stride, index_stride; /* bytes, along a line */
    struct cti_lines lines;                      /* of in, out and index */
};

#endif
