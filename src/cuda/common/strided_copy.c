/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between memory with different strides; see strided_copy.h. */
#include "cuda/common/strided_copy.h"

bool cti_cuda_copy_strided(struct ct_device device, int ndim, const int64_t *shape,
                           struct cti_cuda_strided dst, struct cti_cuda_strided src, bool conj)
{
    const struct cti_cuda_strided side[2] = {dst, src};
    int64_t bstride[2][CTI_MAX_DIMS];
    struct cti_pointwise p = {.work = {CTI_ENGINE_pointwise, device},
                              .ndim = ndim,
                              .nout = 1,
                              .noperands = 2,
                              .shape = shape};
    for (int i = 0; i < 2; i++) {
        for (int d = 0; d < ndim; d++)
            bstride[i][d] = side[i].stride[d] * cti_itemsize((enum ct_dtype)side[i].dtype);
        p.operand[i] = (struct cti_operand){.data = (char *)(uintptr_t)side[i].data,
                                            .dtype = (uint8_t)side[i].dtype,
                                            .compute = (uint8_t)dst.dtype,
                                            .flags = i == 1 && conj ? CTI_CONJ : 0,
                                            .bstride = bstride[i]};
    }
    return cti_run(&p.work);
}
