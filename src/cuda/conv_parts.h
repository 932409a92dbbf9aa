/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient of a convolution's weight, a long sum for each of few results: blocks make parts of
 * it, enough of them to fill the card, and a second kernel adds those up; conv_parts.c. */
#ifndef CORTEN_CUDA_CONV_PARTS_H
#define CORTEN_CUDA_CONV_PARTS_H

#include "core/conv.h"
#include "cuda/driver.h"

struct cti_conv_parts {
    int64_t n, span; /* parts, and the summands of each */
    void *data;      /* [n, weight] of the type that is computed with; fake devices: NULL */
    bool alone;      /* one part: the gradient itself */
    cu_function add;
    void *block;
};

/* About `wanted` parts of `all` summands, none but the last with fewer than `least`. False: failed.
 * Then kernels write to `data`, and `sent` says whether they were sent. */
bool cti_conv_parts_begin(struct cti_conv_parts *p, const struct cti_conv *w, int64_t wanted,
                          int64_t all, int64_t least);
bool cti_conv_parts_end(struct cti_conv_parts *p, const struct cti_conv *w, bool sent);

#endif
