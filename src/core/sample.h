/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample engine: grid_sample and its derivatives. Every element of the result is a weighted sum
 * of input elements around a location, which a grid gives in normalised coordinates. Filled in by
 * src/ops/sample/sample.c. */
#ifndef CORTEN_CORE_SAMPLE_H
#define CORTEN_CORE_SAMPLE_H

#include "core/engine.h"

/* The values are PyTorch's. */
enum cti_sample_mode { CTI_SAMPLE_LINEAR, CTI_SAMPLE_NEAREST, CTI_SAMPLE_CUBIC };
/* What to read out of bounds: zeros, the border element, or the reflected position. */
enum cti_sample_padding { CTI_SAMPLE_ZEROS, CTI_SAMPLE_BORDER, CTI_SAMPLE_REFLECTION };

/* Tensors are contiguous and of one type, float32 or float64. */
struct cti_sample {
    struct cti_work work;
    ct_tensor *out; /* [batch, channels, locations]; NULL: backward */
    /* Backward only. NULL: not wanted. The caller has filled the gradient of the input with
     * zeros. */
    ct_tensor *grad_input, *grad_grid;
    /* [batch, channels, in], [batch, locations, ndim]: coordinates of the last dim first */
    ct_tensor *input, *grid;
    ct_tensor *upstream; /* backward only */
    /* NULL, or shaped like the grid: then every weight is replaced by its derivative in this
     * direction of the grid, so that the same loops compute second derivatives. */
    ct_tensor *along;
    enum cti_sample_mode mode;
    enum cti_sample_padding padding;
    /* align_corners: -1 and 1 are the centres of the end elements, otherwise their edges */
    bool corners;
    int ndim; /* 2 or 3 */
    int64_t batch, channels, places;
    int64_t in[3]; /* the sizes of the input's last ndim dims */
};

#endif
