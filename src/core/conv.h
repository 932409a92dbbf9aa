/* SPDX-License-Identifier: BSD-3-Clause */
/* The conv engine: a convolution or one of its two derivatives. Filled in by src/ops (convolution
 * and its relatives). */
#ifndef CORTEN_CORE_CONV_H
#define CORTEN_CORE_CONV_H

#include "core/engine.h"

#define CTI_CONV_DIMS 3

/* output[n, o, y] = bias[o] + sum over c, t of weight[o, c, t] * input[n, c', y stride + t dilation
 * - padding], where c' is channel c of the group of o, y and t have up to three dims, and the
 * input is zero-padded. The kind says which of the three tensors is written; the other two are
 * read:
 *   FORWARD  the sum above
 *   INPUT    its derivative with respect to the input; also a transposed convolution, whose bias is
 *            added here, one for each input channel
 *   WEIGHT   its derivative with respect to the weight, summed over all images */
enum cti_conv_kind { CTI_CONV_FORWARD, CTI_CONV_INPUT, CTI_CONV_WEIGHT };

/* Input and output are contiguous, or channels-last if channels_last is set. The weight may have
 * any strides if it is read; if it is written it has the layout of the others. All have one data
 * type, any but bool, and sizes are at least 1. The result does not alias what is read. Halves are
 * summed in float32 and rounded once. */
struct cti_conv {
    struct cti_work work;
    ct_tensor *input, *weight, *output; /* [n, c, ...], [o, c / groups, ...], [n, o, ...] */
    ct_tensor *bias;                    /* NULL, or one dim, contiguous */
    enum cti_conv_kind kind;
    int dims; /* spatial dims, 1 to 3 */
    int64_t stride[CTI_CONV_DIMS], padding[CTI_CONV_DIMS], dilation[CTI_CONV_DIMS];
    int64_t groups;
    bool channels_last;
};

#endif
