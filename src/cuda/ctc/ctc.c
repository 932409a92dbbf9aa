/* SPDX-License-Identifier: BSD-3-Clause */
/* Connectionist temporal classification by ctc.cu: copies lengths and labels, which live on
 * the host, to the device and launches. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/memory.h"

#include "core/alloc.h"
#include "core/ctc.h"

#include <string.h>

#define THREADS 256

/* Mirrors the kernel's struct. */
struct arguments {
    const void *log_probs;
    void *loss, *alpha;
    const void *grad_loss;
    void *grad, *room;
    const int64_t *input_lengths, *target_lengths, *first, *targets;
    int64_t *next;
    int64_t frames, batch, classes, blank, longest;
    bool zero_infinity;
};

/* The tables in one device allocation, with `extra` elements of workspace behind them. */
static bool send(struct arguments *a, const struct cti_ctc *w, int64_t extra, void **block)
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

static bool run(const struct cti_ctc *w, bool back)
{
    struct arguments a = {.log_probs = w->log_probs,
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
    int device = w->work.device.index;
    cu_function f = cti_cuda_use(device)
                        ? cti_cuda_template(device, "ctc/ctc", "#define T %s\n#define BACK %d\n",
                                            cti_cuda_type[w->dtype], back)
                        : NULL;
    void *block = NULL, *other = NULL;
    if (!f || cti_cuda_fake())
        return f != NULL;
    bool good = send(&a, w, back ? w->batch * w->longest : 0, &block);
    if (good && back)
        good = (a.room = cti_cuda_scratch(
                    device, w->batch * 2 * (2 * w->longest + 1) * cti_itemsize(w->dtype), &other));
    good = good && cti_cuda_launch(device, f, (unsigned)w->batch, THREADS, 0, &a, sizeof a);
    cti_cuda_scratch_end(block);
    cti_cuda_scratch_end(other);
    return good;
}

enum cti_status cti_cuda_ctc(struct cti_ctc *w)
{
    if (!cti_cuda_has_kernels() || w->batch == 0)
        return CTI_DECLINED;
    return cti_cuda_launched(run(w, w->backward));
}
