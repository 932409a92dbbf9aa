/* SPDX-License-Identifier: BSD-3-Clause */
/* cdist by distance.cu: the distances between all rows of two batches of matrices. */
#include "core/small.h"
#include "cuda/distance/distance_args.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include <math.h>

enum cti_status cti_cuda_distance(struct cti_distance *work)
{
    ct_tensor *out = work->out, *a = work->a, *b = work->b;
    double p = work->p;
    struct distance_args w = {.a = cti_data(a),
                              .b = cti_data(b),
                              .out = cti_data(out),
                              .rows_a = a->shape[a->ndim - 2],
                              .rows_b = b->shape[b->ndim - 2],
                              .n = a->shape[a->ndim - 1],
                              .p = p};
    int64_t batches = out->numel ? out->numel / (w.rows_a * w.rows_b) : 0;
    int64_t tiles_a = ceil_div(w.rows_a, TILE);
    if (!cti_cuda_has_kernels() || batches > 65535 || tiles_a > 65535)
        return CTI_DECLINED;
    return cti_cuda_launched(cti_cuda_run(
        &(struct cti_launch){.file = "distance/distance",
                             .texts = {{"T", cti_cuda_type[out->dtype]}},
                             .params = {{"NORM", p == 0 || p == 1 || p == 2 ? (int)p
                                                 : isinf(p)                 ? 'i'
                                                                            : 'p'}},
                             .device = out->storage->device.index,
                             .grid = {out->numel ? ceil_div(w.rows_b, TILE) : 0, tiles_a, batches},
                             .threads = TILE * TILE,
                             CTI_ARGS(w)}));
}
