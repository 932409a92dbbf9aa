/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax, log_softmax, logsumexp and their derivatives; launches softmax.cu. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"
#include "cuda/softmax/softmax_args.h"

#include "core/small.h"

#define HELD 8 /* elements that a thread keeps in registers */

enum cti_status cti_cuda_softmax(struct cti_softmax *work)
{
    ct_tensor *in = work->in;
    struct softmax_args a = {.out = cti_data(work->out),
                             .in = cti_data(in),
                             .grad = cti_cuda_data(work->grad),
                             .outer = 1,
                             .n = 1,
                             .inner = 1};
    if (!cti_cuda_has_kernels() || in->dtype < CT_FLOAT32 || in->dtype > CT_FLOAT64)
        return CTI_DECLINED;
    for (int d = 0; d < in->ndim; d++)
        *(d < work->dim ? &a.outer : d == work->dim ? &a.n : &a.inner) *= in->shape[d];
    int64_t lines = a.outer * a.inner;
    if (lines == 0 || a.n == 0)
        return lines == 0 ? CTI_DONE : CTI_DECLINED;
    /* Threads of a contiguous line: a warp, or a block if the line is long. */
    bool rows = a.inner == 1 && a.n > 1;
    int group = !rows ? 1 : a.n <= 256 ? 32 : THREADS;
    return cti_cuda_launched(cti_cuda_run(
        &(struct cti_launch){.file = "softmax/softmax",
                             .texts = {{"T", cti_cuda_type[in->dtype]}},
                             .params = {{"OP", (int)work->op},
                                        {"ROWS", rows},
                                        {"GROUP", group},
                                        {"HELD", rows && a.n <= HELD * group ? HELD : 0}},
                             .device = in->storage->device.index,
                             .grid = {ceil_div(lines, THREADS / group)},
                             .threads = THREADS,
                             CTI_ARGS(a)}));
}
