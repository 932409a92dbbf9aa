/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling at places: every element of the result is a weighed sum of the elements around a place
 * of the input that a grid names, in units of the input's half width. grid_sample and its
 * derivatives; what backends are handed. Filled in by src/ops/sample/sample.c. */
#ifndef CORTEN_CORE_SAMPLE_H
#define CORTEN_CORE_SAMPLE_H

#include "core/tensor.h"

/* As PyTorch numbers them. */
enum cti_sample_mode { CTI_SAMPLE_LINEAR, CTI_SAMPLE_NEAREST, CTI_SAMPLE_CUBIC };
/* What lies outside: zeros, what is at the border, the input in a mirror. */
enum cti_sample_padding { CTI_SAMPLE_ZEROS, CTI_SAMPLE_BORDER, CTI_SAMPLE_REFLECTION };

/* Tensors are contiguous and of one type, float32 or float64. */
struct cti_sample {
    enum cti_sample_mode mode;
    enum cti_sample_padding padding;
    bool corners; /* -1 and 1 are the middles of the elements at the ends, else their outer edges */
    int ndim;     /* 2 or 3 */
    int64_t batch, channels, places;
    int64_t in[3];           /* the sizes of the input's last ndim dims */
    ct_tensor *input, *grid; /* [batch, channels, in], [batch, places, ndim]: the last dim first */
    ct_tensor *out;          /* [batch, channels, places]; NULL: backward */
    /* Backward alone; a gradient that nobody wants is NULL, that of the input is zero at first. */
    ct_tensor *upstream, *grad_input, *grad_grid;
};

#endif
