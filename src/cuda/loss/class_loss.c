/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross entropy with class indices in one launch, and its derivative in another, by
 * class_loss.cu: composed of pointwise operations and reductions it would be a dozen tiny
 * launches. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include "core/class_loss.h"

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
    if (!cti_cuda_has_kernels() || numel == 0 || rows > MOST_ROWS || numel / THREADS >= INT32_MAX)
        return CTI_DECLINED;
    cu_function f =
        cti_cuda_use(device)
            ? cti_cuda_template(device, "loss/class_loss",
                                "#define T %s\n#define EXP(x) ctm_exp_%s(x)\n#define BACK %d\n",
                                cti_cuda_type[dtype], cti_cuda_suffix[dtype], w->grad != NULL)
            : NULL;
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
    if (!f || !cti_cuda_fault_page(device, &a.bad))
        return CTI_FAILED;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    unsigned blocks = w->grad ? (unsigned)((numel + THREADS - 1) / THREADS) : 1;
    return cti_cuda_launch(device, f, blocks, THREADS, 0, &a, sizeof a);
}
