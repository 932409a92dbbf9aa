/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of up to three tensors along one dim, numbered over their other dims, as part of a
 * kernel's arguments. line_strides.c fills it in; line_at in block.cuh reads it. */
#ifndef CORTEN_CUDA_COMMON_LINES_H
#define CORTEN_CUDA_COMMON_LINES_H

#include <stdint.h>

#define CTI_LINE_DIMS 12

struct cti_lines {
    int64_t count;
    int32_t ndim, unused;
    int64_t size[CTI_LINE_DIMS];
    int64_t stride[3][CTI_LINE_DIMS]; /* bytes */
};

#endif
