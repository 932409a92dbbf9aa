/* SPDX-License-Identifier: BSD-3-Clause */
/* Implicit im2col: the matrix that a convolution multiplies, never materialised. packed.c asks for
 * panels, gather.c reads them straight from the image. One index counts *places*, the output
 * positions where the filter is applied; the other (channel, *tap*) pairs. Elements outside of the
 * image are 0 (padding). */
#ifndef CORTEN_CPU_GEMM_GATHER_H
#define CORTEN_CPU_GEMM_GATHER_H

#include <stdbool.h>
#include <stdint.h>

struct cti_gemm_gather {
    int64_t channels, size[3];                       /* of the image */
    int64_t image_stride, channel_stride, stride[3]; /* elements */
    int64_t grid[3], taps[3];                        /* of one image; filter size */
    int64_t step[3], hop[3], origin[3]; /* place p, tap t: element p * step + t * hop + origin
                                         * (stride, dilation, -padding) */
    bool channels_inner;                /* channels-last layout; else the last dim is contiguous */
    bool places_are_k;                  /* they are the K dimension; else rows of A, columns of B */
};

/* The addresses of a result's rows or columns, if these are places: elements from the first one. */
struct cti_gemm_positions {
    int64_t grid[3], image_stride, stride[3];
};

#endif
