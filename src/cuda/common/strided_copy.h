/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between memory of a device with different strides or types. Used by engines that convert
 * operands into a library's layout. */
#ifndef CORTEN_CUDA_COMMON_STRIDED_COPY_H
#define CORTEN_CUDA_COMMON_STRIDED_COPY_H

#include "core/backend.h"

struct cti_cuda_strided {
    const void *data;
    int dtype;
    const int64_t *stride; /* in elements; may be 0 or negative in the source */
};

/* dst = src, or its conjugate, by the pointwise engine. */
bool cti_cuda_copy_strided(struct ct_device device, int ndim, const int64_t *shape,
                           struct cti_cuda_strided dst, struct cti_cuda_strided src, bool conj);

#endif
