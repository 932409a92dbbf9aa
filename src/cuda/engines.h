/* SPDX-License-Identifier: BSD-3-Clause */
/* The engines that have CUDA kernels: each NAME of this list is a function cti_cuda_NAME(struct
 * cti_NAME *) in the folder of its family. Engines that are not listed, and work that a function
 * declines (rare types and shapes), run on the CPU with host copies: core/staging.c. */
#ifndef CORTEN_CUDA_ENGINES_H
#define CORTEN_CUDA_ENGINES_H

#include "core/backend.h"

/* clang-format off */
#define CTI_CUDA_ENGINES(X)                                                                        \
    X(pointwise) X(reduce) X(copy) X(join) X(fill) X(ramp) X(scan) X(softmax) X(norm) X(attend)    \
    X(ctc) X(recur) X(window) X(sample) X(index_check) X(gather) X(scatter) X(scatter_lines)       \
    X(class_loss) X(index_select) X(index_get) X(index_put) X(count_nonzero) X(masked_select)      \
    X(masked_put) X(nonzero) X(sort) X(topk) X(search) X(sort_rows) X(kthvalue) X(distance) X(fft) \
    X(gemm) X(conv) X(factor) X(random) X(update)
/* clang-format on */

#define CTI_CUDA_PROTOTYPE(name) CTI_ENGINE_PROTOTYPE(cuda, name)
CTI_CUDA_ENGINES(CTI_CUDA_PROTOTYPE)

/* The status of an engine that has launched its kernels. The fake device compiles kernels but does
 * not run them, so there this returns CTI_DECLINED and the CPU's engine computes the result. */
enum cti_status cti_cuda_launched(bool good);

/* pinned.c. The storage belongs to the CPU device. */
bool cti_cuda_is_pinned(const void *host);
ct_storage *cti_cuda_pinned(int64_t nbytes);

#endif
