/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatter-add into lines of zeros by scatter_lines.cu: a line is accumulated in shared memory and
 * written once, which saves the fill with zeros and the read-modify-writes in global memory. */
#include "core/small.h"
#include "cuda/engines.h"
#include "cuda/index/index_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define MAX_SHARED 100000 /* bytes, so that a multiprocessor holds two blocks */
#define BLOCK_SIZE 4096   /* elements of a block's lines, unless a single line has more */

enum cti_status cti_cuda_scatter_lines(struct cti_scatter_lines *work)
{
    ct_tensor *out = work->out, *index = work->index, *src = work->src;
    int dtype = out->dtype;
    int64_t n = out->shape[1], size = cti_itemsize(out->dtype);
    if (!cti_cuda_has_kernels() || out->numel == 0 ||
        (dtype != CT_FLOAT32 && dtype != CT_FLOAT64) || n * size > MAX_SHARED ||
        index->numel >= INT32_MAX || (uintptr_t)cti_data(out) % 16 != 0)
        return CTI_DECLINED;
    struct scatter_lines_args a = {.out = cti_data(out),
                                   .index = cti_cuda_data(index),
                                   .src = cti_data(src),
                                   .lines = out->shape[0],
                                   .out_size = (int32_t)n,
                                   .src_size = (int32_t)index->shape[1],
                                   .lines_per_block = (int32_t)max64(BLOCK_SIZE / n, 1)};
    /* Multiplication by the inverse is exact below 2^32 / src_size, which covers all of a block's
     * elements. */
    if (a.src_size > 1 && (int64_t)a.lines_per_block * a.src_size * a.src_size < UINT32_MAX)
        a.inverse = (uint32_t)(UINT32_MAX / (uint32_t)a.src_size + 1);
    return cti_cuda_launched(cti_cuda_run(
        &(struct cti_launch){.file = "index/scatter_lines",
                             .texts = {{"T", cti_cuda_type[dtype]}},
                             .device = out->storage->device.index,
                             .grid = {ceil_div(a.lines, a.lines_per_block)},
                             .threads = THREADS,
                             .shared = (unsigned)round_up(a.lines_per_block * n * size, 16),
                             CTI_ARGS(a)}));
}
