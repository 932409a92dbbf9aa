/* SPDX-License-Identifier: BSD-3-Clause */
/* Winograd convolution (Lavin and Gray, Fast algorithms for convolutional neural networks, 2016)
 * for 3, 5 or 6 taps a side. Note [Winograd tiles], F(2x2, 3x3): a tile of 2 by 2 outputs needs 4
 * by 4 inputs d and is A' ((G g G') . (B' d B)) A for the 3 by 3 weights g of one channel, where .
 * multiplies elementwise: 16 multiplications instead of 36, since the transforms A and B only add.
 * Over channels each of the 16 positions is a matrix product, weights times tiles; the gradient of
 * the weights is G' (sum over tiles of (B' d B) . (A y A')) G. Two outputs a side are as accurate
 * as the direct sum of 9 taps; larger tiles would not be. 5 or 6 taps are split into up to four
 * *quarters* of 3 by 3, each with the image shifted by 3, whose products are added before the
 * output transform; a quarter of two taps a side has zero weights at the last positions. So 5 by 5
 * taps take 49 multiplications instead of 100. */
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

/* A convolution with stride 1: output p sees elements p + origin to p + origin + taps - 1; the
 * padding is 0. Rows are contiguous; strides count elements. */
struct cti_winograd {
    int64_t images, channels, results;
    int64_t in[2], out[2], taps[2], origin[2];
    int64_t in_image, in_channel, out_image, out_channel;
    int64_t w_result, w_channel, w_tap[2];
    float *input, *weight, *output; /* one of them is written */
    const float *bias;              /* for each output channel, or NULL */
};

/* Adjacent tiles of one row, from lane `at` of a vector on: offsets are those of lane 0, as if the
 * row began there. */
struct cti_winograd_run {
    int64_t in[4];      /* of the four input rows */
    uint32_t column[2]; /* masks: which of 32 elements from the 1st, 3rd on are inside */
    uint32_t row;       /* mask: which of the four rows are inside */
    uint32_t out_columns;
    int64_t out[2]; /* of two output rows; -1: below the last one */
    uint32_t out_row;
};

struct cti_winograd_loops {
    /* One channel of a vector of tiles: position p goes to `to[p * step]`. Prefetches the same
     * tiles `ahead` elements further on, in a later channel's plane, which no hardware prefetcher
     * predicts. */
    void (*input)(float *to, int64_t step, const float *from, int64_t ahead,
                  const struct cti_winograd_run *run, int runs);
    void (*output)(const float *from, int64_t step, float bias, float *to, int64_t ahead,
                   const struct cti_winograd_run *run, int runs, bool *finite);
    void (*gradient)(float *to, int64_t step, const float *from, int64_t ahead,
                     const struct cti_winograd_run *run, int runs);
    /* to[i * line + j] (+)= sum over the lanes of all vectors of a[i * step] times b[j * step], a 4
     * by 4 register block. */
    void (*dots)(const float *a, const float *b, int64_t step, int64_t vectors, float *to,
                 int64_t line, bool add);
    /* to[i] = sum over the parts, in order, of from[part * next + i]. */
    void (*add_up)(double *to, const float *from, int64_t next, int64_t parts, int64_t count);
};

/* Empty where the instruction set has no masked loads. */
extern const struct cti_winograd_loops CTI_ISA_NAMES(cti_winograd_loops);

/* By shape and instruction set. */
bool cti_winograd_serves(const struct cti_winograd *w);

/* False: out of memory. *done is false where a result is not finite: the transforms mix the
 * infinities of a tile, which a direct sum would not, so the caller falls back to im2col. */
bool cti_winograd_forward(const struct cti_winograd *w, bool *done);
bool cti_winograd_weight(const struct cti_winograd *w, bool *done);

#endif
