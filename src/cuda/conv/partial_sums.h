/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient of a convolution's weight has few elements, each a long sum. So that the card is
 * full, a first kernel computes partial sums (split-K) and a second one, partial_sums.cu, adds
 * these. For all algorithms of this folder. */
#ifndef CORTEN_CUDA_CONV_PARTIAL_SUMS_H
#define CORTEN_CUDA_CONV_PARTIAL_SUMS_H

#include "core/conv.h"
#include "cuda/runtime/driver.h"

struct cti_conv_partial_sums {
    int64_t n, span; /* parts, and the summands of each */
    void *data;      /* [n, weight] of the type that is computed with; fake devices: NULL */
    bool alone;      /* one part: the gradient itself */
    void *block;
};

/* Divides `all` summands into about `wanted` parts, of which only the last may have fewer than
 * `least`. False: failed. The caller then launches its kernel into `data` and passes to `end`
 * whether the launch succeeded. */
bool cti_conv_partial_sums_begin(struct cti_conv_partial_sums *p, const struct cti_conv *w,
                                 int64_t wanted, int64_t all, int64_t least);
bool cti_conv_partial_sums_end(struct cti_conv_partial_sums *p, const struct cti_conv *w,
                               bool sent);

#endif
