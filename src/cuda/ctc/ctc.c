/* SPDX-License-Identifier: BSD-3-Clause */
/* Connectionist temporal classification by ctc.cu: copies the lengths and labels, which are in host
 * memory, to the device, and launches. */
#include "cuda/ctc/ctc_args.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/memory.h"

#include "core/alloc.h"
#include "core/ctc.h"

#include <string.h>

/* Copies the tables into one device allocation, with `extra` more elements for a->next. */
static bool send_tables(struct ctc_args *a, const struct cti_ctc *w, int64_t extra, void **block)
{
    const struct ct_device host = {CT_CPU, -1};
    int64_t n = w->batch, labels = 0;
    for (int64_t b = 0; b < n; b++) {
        int64_t end = w->first[b] + w->target_lengths[b];
        labels = w->target_lengths[b] && end > labels ? end : labels;
    }
    int64_t count = 3 * n + labels, *table = cti_malloc((size_t)count * sizeof *table);
    int64_t *there = table ? cti_cuda_scratch(w->work.device.index,
                                              (count + extra) * (int64_t)sizeof *there, block)
                           : NULL;
    if (there) {
        memcpy(table, w->input_lengths, (size_t)n * sizeof *table);
        memcpy(table + n, w->target_lengths, (size_t)n * sizeof *table);
        memcpy(table + 2 * n, w->first, (size_t)n * sizeof *table);
        memcpy(table + 3 * n, w->targets, (size_t)labels * sizeof *table);
        a->input_lengths = there;
        a->target_lengths = there + n;
        a->first = there + 2 * n;
        a->targets = there + 3 * n;
        a->next = there + count;
    }
    bool good = there && cti_cuda_move(there, w->work.device, table, host,
                                       count * (int64_t)sizeof *table, false);
    cti_free(table);
    return good;
}

static bool ctc_run(const struct cti_ctc *w)
{
    struct ctc_args a = {.log_probs = w->log_probs,
                         .loss = w->loss,
                         .alpha = w->alpha,
                         .grad_loss = w->grad_loss,
                         .grad = w->grad,
                         .frames = w->frames,
                         .batch = w->batch,
                         .classes = w->classes,
                         .blank = w->blank,
                         .longest = w->longest,
                         .zero_infinity = w->zero_infinity};
    int64_t beta_size = w->batch * 2 * (2 * w->longest + 1) * cti_itemsize(w->dtype); /* bytes */
    int device = w->work.device.index;
    void *block = NULL, *beta = NULL;
    bool good = send_tables(&a, w, w->backward ? w->batch * w->longest : 0, &block) &&
                (!w->backward || (a.beta = cti_cuda_scratch(device, beta_size, &beta))) &&
                cti_cuda_run(&(struct cti_launch){.file = "ctc/ctc",
                                                  .texts = {{"T", cti_cuda_type[w->dtype]}},
                                                  .params = {{"BACK", w->backward}},
                                                  .device = device,
                                                  .grid = {w->batch},
                                                  .threads = THREADS,
                                                  CTI_ARGS(a)});
    cti_cuda_scratch_end(block);
    cti_cuda_scratch_end(beta);
    return good;
}

enum cti_status cti_cuda_ctc(struct cti_ctc *w)
{
    if (!cti_cuda_has_kernels() || w->batch == 0)
        return CTI_DECLINED;
    return cti_cuda_launched(ctc_run(w));
}
