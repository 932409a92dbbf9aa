/* SPDX-License-Identifier: BSD-3-Clause */
/* The norm engine: (x - mean) / deviation * weight + bias. Batch, layer, group and instance norm
 * differ only in geometry. */
#ifndef CORTEN_CORE_NORM_H
#define CORTEN_CORE_NORM_H

#include "core/engine.h"

/* Tensors are [outer, channels, inner], contiguous, and of one type, float32 or float64. lines:
 * each of the `outer` slices has its own mean; slice l belongs to group l % groups, whose channels
 * have the weights from index (l % groups) * channels on. Otherwise each channel has its mean over
 * all of outer and inner. */
struct cti_norm {
    struct cti_work work;
    ct_tensor *out, *mean, *rstd, *var; /* rstd: 1 / sqrt(var + eps); var may be NULL */
    ct_tensor *grad_weight, *grad_bias; /* backward */
    ct_tensor *in, *weight, *bias;      /* the last two may be NULL */
    ct_tensor *grad;                    /* backward */
    /* out is the gradient of in. Any of the three gradients may be NULL: not wanted. */
    bool backward;
    bool lines, given; /* given: mean and rstd are inputs */
    int64_t outer, channels, inner, groups;
    double eps;
};

#endif
