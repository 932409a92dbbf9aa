/* SPDX-License-Identifier: BSD-3-Clause */
/* Winograd convolution (Lavin and Gray, Fast algorithms for convolutional neural networks, 2016)
 * for 3, 5 or 6 taps a side. Note [Winograd tiles], F(2x2, 3x3): a tile of 2 by 2 outputs needs 4
 * by 4 inputs d and is A^T ((G g G^T) . (B^T d B)) A for the 3 by 3 weights g of one channel, where
 * . multiplies elementwise. That takes 16 multiplications instead of 36, since the transforms A and
 * B only add. Summed over channels, each of the 16 positions is a matrix product, weights times
 * tiles. The gradient of the weights is G^T (sum over tiles of (B^T d B) . (A y A^T)) G. Tiles of 2
 * by 2 outputs are as accurate as the direct sum of 9 taps; larger tiles would not be. 5 or 6 taps
 * are split into up to four *quarters* of 3 by 3, each with the image shifted by 3, whose products
 * are added before the output transform. A quarter with two taps a side has zero weights at the
 * last positions, so 5 by 5 taps take 49 multiplications instead of 100. */
#ifndef CORTEN_CPU_CONV_WINOGRAD_H
#define CORTEN_CPU_CONV_WINOGRAD_H

#include "cpu/isa.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CTI_WINOGRAD_POSITIONS = 16,
    CTI_WINOGRAD_LANES = 16,
    CTI_WINOGRAD_AHEAD = 4 /* prefetch distance in channels */
};

/* A convolution with stride 1: output p reads elements p + origin to p + origin + taps - 1, and
 * elements outside are 0. Rows are contiguous; strides count elements. */
struct cti_winograd {
    int64_t images, channels, results;
    int64_t in[2], out[2], taps[2], origin[2];
    int64_t in_image, in_channel, out_image, out_channel;
    int64_t w_result, w_channel, w_tap[2];
    float *input, *weight, *output; /* one of them is written */
    const float *bias;              /* one for each output channel, or NULL */
};

/* Adjacent tiles of one row, from lane `at` of a vector on. Offsets are those of lane 0, as if the
 * row began there. */
struct cti_winograd_run {
    int64_t in[4];      /* of the four input rows */
    uint32_t column[2]; /* masks: which of 32 elements from the 1st, from the 3rd on are inside */
    uint32_t row;       /* mask: which of the four rows are inside */
    uint32_t out_columns;
    int64_t out[2]; /* of the two output rows; -1: below the last row */
    uint32_t out_row;
};

struct cti_winograd_loops {
    /* Transforms one channel of a vector of tiles and writes position p to to[p * step]. Prefetches
     * the same tiles `ahead` elements further on, in a later channel's plane, which no hardware
     * prefetcher predicts. */
    void (*input)(float *to, int64_t step, const float *from, int64_t ahead,
                  const struct cti_winograd_run *run, int runs);
    void (*output)(const float *from, int64_t step, float bias, float *to, int64_t ahead,
                   const struct cti_winograd_run *run, int runs, bool *finite);
    void (*gradient)(float *to, int64_t step, const float *from, int64_t ahead,
                     const struct cti_winograd_run *run, int runs);
    /* A 4 by 4 register block: to[i * line + j] (+)= sum over the lanes of all vectors of a[i *
     * step] * b[j * step]. */
    void (*dots)(const float *a, const float *b, int64_t step, int64_t vectors, float *to,
                 int64_t line, bool add);
    /* to[i] = sum over the parts, in order, of from[part * next + i]. */
    void (*add_up)(double *to, const float *from, int64_t next, int64_t parts, int64_t count);
};

/* Empty for instruction sets without masked loads. */
extern const struct cti_winograd_loops CTI_ISA_NAMES(cti_winograd_loops);

/* Whether Winograd's algorithm pays, judging by the shape and the instruction set. */
bool cti_winograd_serves(const struct cti_winograd *w);

/* False: out of memory. *done is false if a result is not finite: unlike a direct sum, the
 * transforms spread an infinity over its tile, so the caller must compute the im2col product
 * instead. */
bool cti_winograd_forward(const struct cti_winograd *w, bool *done);
bool cti_winograd_weight(const struct cti_winograd *w, bool *done);

#endif
