/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of 3, 5 or 6 taps a side after Winograd. Note [Tiles of four]: two by two
 * neighbouring results need four by four elements d of the image, and are A' ((G g G') . (B' d B))
 * A        for the 3 by 3 weights g of one channel where . multiplies element by element: 16
 * multiplications in place of 36, since the transforms B and A only add. Over channels each of the
 * 16 positions is a product of matrices, weights times tiles; the gradient of the weights is G'
 * (sum over tiles of (B' d B) . (A y A')) G. With two results a side the sums stay as exact as
 * those of 9 taps, with more they would not. More taps fall into up to four *quarters* of 3 by 3,
 * each with the image moved by 3, whose products are added before A; a quarter of two taps a side
 * has no weights at the last positions. So 5 by 5 taps take 49 multiplications in place of 100. */
#ifndef CORTEN_CPU_CONV_WINOGRAD_H
#define CORTEN_CPU_CONV_WINOGRAD_H

#include "cpu/isa.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CTI_WINOGRAD_POSITIONS = 16,
    CTI_WINOGRAD_LANES = 16,
    CTI_WINOGRAD_AHEAD = 4 /* channels */
};

/* A convolution with stride 1: result p sees elements p + origin to p + origin + taps - 1, those
 * outside of the image are 0. Rows run through memory; strides count elements. */
struct cti_winograd {
    int64_t images, channels, results;
    int64_t in[2], out[2], taps[2], origin[2];
    int64_t in_image, in_channel, out_image, out_channel;
    int64_t w_result, w_channel, w_tap[2];
    float *input, *weight, *output; /* one of them is written */
    const float *bias;              /* for each result, or NULL */
};

/* Neighbours in one row of tiles, from lane `at` of a vector on: offsets are those of lane 0, as if
 * the row began there. */
struct cti_winograd_run {
    int64_t in[4]; /* of the four rows */
    uint32_t
        column[2]; /* bits: which of 32 elements from the first, from the third on, are inside */
    uint32_t row;  /* bits: which of the four rows are inside */
    uint32_t out_columns;
    int64_t out[2]; /* of two rows of results; those below the last one are at -1 */
    uint32_t out_row;
};

struct cti_winograd_loops {
    /* One channel of a vector of tiles: position p goes to `to[p * step]`. The same places of the
     * image `ahead` elements further on are fetched meanwhile: those of a channel to come, a plane
     * away, which no processor foresees. */
    void (*input)(float *to, int64_t step, const float *from, int64_t ahead,
                  const struct cti_winograd_run *run, int runs);
    void (*output)(const float *from, int64_t step, float bias, float *to,
                   const struct cti_winograd_run *run, int runs, bool *finite);
    void (*gradient)(float *to, int64_t step, const float *from, int64_t ahead,
                     const struct cti_winograd_run *run, int runs);
    /* to[i * line + j] (+)= sum over the lanes of all vectors of a[i * step] times b[j * step], for
     * four times four. */
    void (*dots)(const float *a, const float *b, int64_t step, int64_t vectors, float *to,
                 int64_t line, bool add);
    /* to[i] = sum over the parts, in order, of from[part * next + i]. */
    void (*add_up)(double *to, const float *from, int64_t next, int64_t parts, int64_t count);
};

/* Without functions where the instruction set has no masked loads. */
extern const struct cti_winograd_loops CTI_ISA_NAMES(cti_winograd_loops);

/* By the shape, and the instruction set. */
bool cti_winograd_serves(const struct cti_winograd *w);

/* False: out of memory. *done is false where a result is not finite: a tile's infinities meet,
 * those of a sum of 9 taps would not, so the caller goes the other way. */
bool cti_winograd_forward(const struct cti_winograd *w, bool *done);
bool cti_winograd_weight(const struct cti_winograd *w, bool *done);

#endif
