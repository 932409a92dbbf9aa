/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross entropy with class indices in one launch, and its derivative in another, by class_loss.cu.
 * A composition of pointwise operations and reductions would take a dozen tiny launches. */
#include "core/class_loss.h"
#include "core/small.h"
#include "cuda/engines.h"
#include "cuda/loss/class_loss_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define MAX_ROWS 65536 /* one block sums all rows */

enum cti_status cti_cuda_class_loss(struct cti_class_loss *w)
{
    int device = w->input->storage->device.index;
    int64_t rows = w->input->shape[0], numel = w->input->numel;
    if (!cti_cuda_has_kernels() || numel == 0 || rows > MAX_ROWS || numel / THREADS >= INT32_MAX)
        return CTI_DECLINED;
    struct class_loss_args a = {.input = cti_data(w->input),
                                .target = cti_cuda_data(w->target),
                                .lse = cti_data(w->lse),
                                .grad = cti_cuda_data(w->grad),
                                .loss = cti_cuda_data(w->loss),
                                .total = cti_data(w->total),
                                .result = cti_cuda_data(w->result),
                                .rows = rows,
                                .classes = w->input->shape[1],
                                .ignore_index = w->ignore_index,
                                .mean = w->mean};
    if (!cti_cuda_fault_page(device, &a.fault))
        return CTI_FAILED;
    return cti_cuda_launched(
        cti_cuda_run(&(struct cti_launch){.file = "loss/class_loss",
                                          .texts = {{"T", cti_cuda_type[w->input->dtype]}},
                                          .params = {{"BACK", w->grad != NULL}},
                                          .device = device,
                                          .grid = {w->grad ? ceil_div(numel, THREADS) : 1},
                                          .threads = THREADS,
                                          CTI_ARGS(a)}));
}
