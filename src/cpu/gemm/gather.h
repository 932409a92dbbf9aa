/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix that stands for what a convolution reads, and is never made: packed.c asks for
 * panels of it, gather.c reads them out of the image. One index counts *places*, where the
 * kernel of the convolution is laid on the image; the other what lies under it there, a channel and
 * a *tap*. Elements outside of the image are 0. */
#ifndef CORTEN_CPU_GEMM_GATHER_H
#define CORTEN_CPU_GEMM_GATHER_H

#include <stdbool.h>
#include <stdint.h>

struct cti_gemm_gather {
    int64_t channels, size[3];                       /* of the image */
    int64_t image_stride, channel_stride, stride[3]; /* elements */
    int64_t grid[3], taps[3];                        /* places of one image; taps */
    int64_t step[3], hop[3], origin[3]; /* place p, tap t: element p * step + t * hop + origin */
    bool channels_inner;                /* channels run through memory; else the last dim does */
    bool places_are_k;                  /* of the product; else they are rows of A, columns of B */
};

/* Where the rows or columns of a product's result lie, if these are places: elements from the
 * first on. */
struct cti_gemm_places {
    int64_t grid[3], image_stride, stride[3];
};

#endif
