/* SPDX-License-Identifier: BSD-3-Clause */
/* The window engine: every element of the result is a sum, or the maximum, over a
 * box of the input. Pooling, interpolation and the derivatives of both are tables of where the
 * boxes begin and how each element is weighted; the engine knows no more. */
#ifndef CORTEN_CORE_WINDOW_H
#define CORTEN_CORE_WINDOW_H

#include "core/engine.h"

/* One dim: element o of the result reads start[o] + k * step for k < count[o]. A sum counts element
 * k weight[o * width + k] times (NULL: once) and is divided by the product of the dims' divisors
 * (NULL: 1). */
struct cti_window_dim {
    int64_t in, out, step;
    int64_t width; /* the greatest count */
    int64_t *start, *count, *divisor;
    double *weight;
    /* Linear interpolation multiplies two elements, as PyTorch does: a window of one is also read
     * with the weight 0, so that an infinity becomes NaN. Other windows read nothing without a
     * weight. */
    bool always_two;
};

enum cti_window_op { CTI_WINDOW_SUM, CTI_WINDOW_MAX };

/* Tensors are [outer, dims, inner], contiguous; of NCHW outer is N * C and inner 1, channels last
 * have N and C. float32 or float64, the greatest also of int64. */
struct cti_window {
    struct cti_work work;
    ct_tensor *out;
    ct_tensor *index; /* of maxima: the flat index within the dims, int64; may be NULL */
    ct_tensor *in;
    enum cti_window_op op;
    int64_t outer, inner;
    struct cti_window_dim dim[3]; /* those in front that are not there have size 1 */
};

#endif
