/* SPDX-License-Identifier: BSD-3-Clause */
/* The norm engine: (x - mean) / deviation * weight + bias. Batch, layer,
 * group and instance norm differ in geometry alone. */
#ifndef CORTEN_CORE_NORM_H
#define CORTEN_CORE_NORM_H

#include "core/engine.h"

/* Elements are [outer, channels, inner], contiguous, all tensors of one type, float32 or float64.
 * lines: each of the `outer` has a mean of its own; it is one of `groups`, whose channels have
 * weights of their own: those of line l begin at (l % groups) * channels. Else each channel has
 * one, over all of outer and inner. */
struct cti_norm {
    struct cti_work work;
    ct_tensor *out, *mean, *rstd, *var; /* rstd: 1 / sqrt(var + eps); var may be NULL */
    ct_tensor *grad_weight, *grad_bias; /* backward */
    ct_tensor *in, *weight, *bias;      /* the last two may be NULL */
    ct_tensor *grad;                    /* backward */
    /* Out is the gradient of in; any of the three gradients that are written may be NULL. */
    bool backward;
    bool lines, given; /* given: mean and rstd are read, not made */
    int64_t outer, channels, inner, groups;
    double eps;
};

#endif
