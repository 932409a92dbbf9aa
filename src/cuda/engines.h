/* SPDX-License-Identifier: BSD-3-Clause */
/* The engines that CUDA devices have: cti_cuda_NAME(struct cti_NAME *) for each NAME of this list;
 * backend.c puts them into the table. An engine that is not here, and work that a function declines
 * (rare types and shapes), is the CPU's on host copies. */
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

/* The end of an engine after its launches. The fake device has compiled the kernels and runs none:
 * the CPU's engine computes in their place. */
enum cti_status cti_cuda_launched(bool good);

/* pinned.c */
bool cti_cuda_is_pinned(const void *host);
ct_storage *cti_cuda_pinned(int64_t nbytes); /* of the CPU */

#endif
