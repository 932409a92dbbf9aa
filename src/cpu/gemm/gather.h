/* SPDX-License-Identifier: BSD-3-Clause */
/* Implicit im2col: the matrix of input patches that a convolution multiplies, never materialised.
 * packed.c requests panels of that matrix, and gather.c packs them straight from the image. One
 * index of the matrix counts output *positions*, where the filter is applied; the other counts
 * pairs of a channel and a *tap*, an element of the filter. Elements outside of the image are 0
 * (padding). */
#ifndef CORTEN_CPU_GEMM_GATHER_H
#define CORTEN_CPU_GEMM_GATHER_H

#include <stdbool.h>
#include <stdint.h>

struct cti_gemm_gather {
    int64_t channels, size[3];                       /* of the image */
    int64_t image_stride, channel_stride, stride[3]; /* elements */
    int64_t grid[3], taps[3];                        /* positions in one image; filter size */
    /* Position p and tap t read element p * step + t * tap_step + origin of a dim: the stride, the
     * dilation and -padding of a forward convolution. */
    int64_t step[3], tap_step[3], origin[3];
    bool channels_inner;  /* channels-last layout; otherwise the last dim is contiguous */
    bool positions_are_k; /* positions are the K dimension; otherwise rows of A or columns of B */
};

/* Where a result's rows or columns are stored if they are positions; strides count elements. */
struct cti_gemm_positions {
    int64_t grid[3], image_stride, stride[3];
};

#endif
