/* SPDX-License-Identifier: BSD-3-Clause */
/* The window engine: every element of the result is a weighted sum, or the maximum, of a box of the
 * input. Pooling, interpolation and their derivatives differ only in tables: the position of each
 * box, and the weights. */
#ifndef CORTEN_CORE_WINDOW_H
#define CORTEN_CORE_WINDOW_H

#include "core/engine.h"

/* One dim: element o of the result reads the elements start[o] + k * step for k < count[o]. A sum
 * multiplies element k by weight[o * width + k] (NULL: 1) and is divided by the product of the
 * divisors of all dims (NULL: 1). */
struct cti_window_dim {
    int64_t in, out, step;
    int64_t width; /* the maximum of count */
    int64_t *start, *count, *divisor;
    double *weight;
    /* Linear interpolation reads two elements even if the second weight is 0, as PyTorch does, so
     * that an infinity becomes NaN. Other windows skip elements without a weight. */
    bool always_two;
};

enum cti_window_op { CTI_WINDOW_SUM, CTI_WINDOW_MAX };

/* Tensors are [outer, dims, inner], contiguous: for NCHW, outer is N * C and inner 1; for channels
 * last, they are N and C. float32 or float64; maxima also of int64. */
struct cti_window {
    struct cti_work work;
    ct_tensor *out;
    ct_tensor *index; /* of maxima: the flat index within dims, int64; may be NULL */
    ct_tensor *in;
    enum cti_window_op op;
    int64_t outer, inner;
    struct cti_window_dim dim[3]; /* leading dims that do not exist have size 1 */
};

#endif
