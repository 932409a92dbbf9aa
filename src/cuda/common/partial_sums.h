/* SPDX-License-Identifier: BSD-3-Clause */
/* Split-K for weight gradients, shared by all algorithms of this folder. The gradient of a
 * convolution's weight has few elements, each a long sum. To keep all multiprocessors busy, a first
 * kernel computes partial sums and a second one, partial_sums.cu, adds them. */
#ifndef CORTEN_CUDA_COMMON_PARTIAL_SUMS_H
#define CORTEN_CUDA_COMMON_PARTIAL_SUMS_H

#include "core/conv.h"
#include "cuda/runtime/driver.h"

struct cti_conv_partial_sums {
    int64_t n, span; /* the number of partial sums, and of terms in each */
    void *data;      /* [n, weight], in the type of the accumulators */
    bool in_place;   /* there is one partial sum, and `data` is the gradient itself */
    void *block;
};

/* Divides `all` terms into about `wanted` partial sums, of which only the last may have fewer than
 * `least` terms, and allocates them. False: failed, the error is set. The caller then launches its
 * kernel, which writes into `data`, and passes to `end` whether the launch succeeded; `end` adds
 * the partial sums and releases them. */
bool cti_conv_partial_sums_begin(struct cti_conv_partial_sums *p, const struct cti_conv *w,
                                 int64_t wanted, int64_t all, int64_t least);
bool cti_conv_partial_sums_end(struct cti_conv_partial_sums *p, const struct cti_conv *w,
                               bool launched);

#endif
