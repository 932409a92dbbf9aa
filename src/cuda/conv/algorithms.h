/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms for convolutions that conv.c chooses from, each in the file of the same name.
 * `fits` returns whether the kernel can compute a convolution, not whether it is the fastest. */
#ifndef CORTEN_CUDA_CONV_ALGORITHMS_H
#define CORTEN_CUDA_CONV_ALGORITHMS_H

#include "core/conv.h"
#include "cuda/conv/patch_args.h"

/* depthwise.c: groups of one input channel. */
bool cti_cuda_conv_depthwise_fits(const struct cti_conv *w);
bool cti_cuda_conv_depthwise(const struct cti_conv *w);

/* tensor_cores.c: float32 images with one group, as an implicit GEMM. */
bool cti_cuda_conv_tensor_cores_fits(const struct cti_conv *w);
bool cti_cuda_conv_tensor_cores(const struct cti_conv *w);

/* patch.c: the 2-d convolutions without strides among those that tensor_cores.c fits. A block keeps
 * a patch of the image in shared memory, and all taps read it there. */
bool cti_cuda_conv_patch_fits(const struct cti_conv *w);
bool cti_cuda_conv_patch(const struct cti_conv *w);
struct conv_patch_args cti_cuda_conv_patch_args(const struct cti_conv *w);
/* Returns the tile width, 32, 24, 16 or 8, that covers a row of `ow` results with the least
 * waste. */
int cti_cuda_conv_tile_width(int32_t ow, bool may_be_24);

/* strip.c: the convolutions in TF32 among those that patch.c fits, if they are large enough to fill
 * the card. */
bool cti_cuda_conv_strip_fits(const struct cti_conv *w);
bool cti_cuda_conv_strip(const struct cti_conv *w);

/* implicit_gemm.c: everything from float16 to float64 with at most 65535 groups. */
bool cti_cuda_conv_implicit_gemm(const struct cti_conv *w);

/* Kernels of two (or three) dims also compute convolutions of fewer dims: the missing dims come
 * first and have size 1. These functions return the value of dim `d` of `rank`: of a tensor's shape
 * and strides, and of the convolution's parameters, which are `missing` for a missing dim. */
static inline int64_t conv_size(const ct_tensor *t, int d, int rank)
{
    int dim = d - rank + t->ndim;
    return dim < 2 ? 1 : t->shape[dim];
}

static inline int64_t conv_stride(const ct_tensor *t, int d, int rank)
{
    int dim = d - rank + t->ndim;
    return dim < 2 ? 0 : t->stride[dim];
}

static inline int64_t conv_param(const struct cti_conv *w, const int64_t *values, int d, int rank,
                                 int64_t missing)
{
    int dim = d - rank + w->dims;
    return dim < 0 ? missing : values[dim];
}

#endif
