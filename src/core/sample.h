/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample engine, grid_sample and its derivatives: every element of the result
 * is a weighted sum of the input elements around a location that a grid names, in normalised
 * coordinates. Filled in by src/ops/sample/sample.c. */
#ifndef CORTEN_CORE_SAMPLE_H
#define CORTEN_CORE_SAMPLE_H

#include "core/engine.h"

/* As PyTorch numbers them. */
enum cti_sample_mode { CTI_SAMPLE_LINEAR, CTI_SAMPLE_NEAREST, CTI_SAMPLE_CUBIC };
/* Out of bounds: zeros, the border element, or reflection. */
enum cti_sample_padding { CTI_SAMPLE_ZEROS, CTI_SAMPLE_BORDER, CTI_SAMPLE_REFLECTION };

/* Tensors are contiguous and of one type, float32 or float64. */
struct cti_sample {
    struct cti_work work;
    ct_tensor *out; /* [batch, channels, places]; NULL: backward */
    /* Backward only; an unwanted gradient is NULL, that of the input is zeroed by the caller. */
    ct_tensor *grad_input, *grad_grid;
    ct_tensor *input, *grid; /* [batch, channels, in], [batch, places, ndim]: the last dim first */
    ct_tensor *upstream;     /* backward only */
    /* Shaped like the grid, or NULL. Not NULL: every weight is replaced by its derivative along
     * this direction of the grid, so that the same loops compute second derivatives. */
    ct_tensor *along;
    enum cti_sample_mode mode;
    enum cti_sample_padding padding;
    bool corners; /* align_corners: -1 and 1 are the end elements' centres, else their edges */
    int ndim;     /* 2 or 3 */
    int64_t batch, channels, places;
    int64_t in[3]; /* the sizes of the input's last ndim dims */
};

#endif
