/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross entropy with class indices in one launch, and its derivative in another, by
 * class_loss.cu: composed of pointwise operations and reductions it would be a dozen tiny
 * launches. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include "core/class_loss.h"

#include <stdio.h>

#define THREADS 256
#define MOST_ROWS 65536 /* reduced by one block */

/* Mirrors the kernel's struct. */
struct arguments {
    const void *input, *target, *lse, *grad;
    void *loss, *total, *result, *bad;
    int64_t rows, classes, ignore;
    int32_t mean, what;
};

enum cti_status cti_cuda_class_loss(struct cti_class_loss *w)
{
    int dtype = w->input->dtype, device = w->input->storage->device.index;
    int64_t rows = w->input->shape[0], numel = w->input->numel;
    char exp[32];
    if (!cti_cuda_has_kernels() || numel == 0 || rows > MOST_ROWS || numel / THREADS >= INT32_MAX)
        return CTI_DECLINED;
    struct arguments a = {.input = cti_data(w->input),
                          .target = cti_data(w->target),
                          .lse = cti_data(w->lse),
                          .grad = w->grad ? cti_data(w->grad) : NULL,
                          .loss = w->loss ? cti_data(w->loss) : NULL,
                          .total = cti_data(w->total),
                          .result = w->result ? cti_data(w->result) : NULL,
                          .rows = rows,
                          .classes = w->input->shape[1],
                          .ignore = w->ignore_index,
                          .mean = w->mean,
                          .what = CTI_FAULT_GATHER + 2 * CTI_FAULT_DIM};
    if (!cti_cuda_use(device) || !cti_cuda_fault_page(device, &a.bad))
        return CTI_FAILED;
    unsigned blocks = w->grad ? (unsigned)((numel + THREADS - 1) / THREADS) : 1;
    snprintf(exp, sizeof exp, "ctm_exp_%s(x)", cti_cuda_suffix[dtype]);
    return cti_cuda_launched(
        cti_cuda_run(&(struct cti_launch){.file = "loss/class_loss",
                                          .texts = {{"T", cti_cuda_type[dtype]}, {"EXP(x)", exp}},
                                          .params = {{"BACK", w->grad != NULL}},
                                          .device = device,
                                          .grid = {blocks},
                                          .threads = THREADS,
                                          .args = &a,
                                          .size = sizeof a}));
}
