/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement padding. */
#ifndef CORTEN_OPS_PADDING_H
#define CORTEN_OPS_PADDING_H

#include "core/tensor.h"

enum cti_pad_mode {
    CTI_PAD_CONSTANT,
    CTI_PAD_REFLECT,
    CTI_PAD_REPLICATE,
    CTI_PAD_CIRCULAR,
    CTI_PAD_NONE /* an unknown name */
};

/* The memory format of a result of t: channels last if t's strides suggest it, else contiguous. */
enum ct_memory_format cti_suggested_format(const ct_tensor *t);
/* Uninitialised, in a memory format, with like's dtype and device. */
ct_tensor *cti_empty_format(const ct_tensor *like, int ndim, const int64_t *shape,
                            enum ct_memory_format format);

#endif
