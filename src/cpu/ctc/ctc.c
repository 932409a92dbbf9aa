/* SPDX-License-Identifier: BSD-3-Clause */
/* The ctc engine (CTC loss). Each thread processes one sequence of the batch at a time; the
 * recursions are in typed.h. Called through the backend table. */
#include "core/ctc.h"
#include "cpu/engines.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/tensor.h"
#include "math/math.h"

#include <stdatomic.h>

#define T float
#define EXP ctm_exp_f32
#define LOG ctm_log_f32
#define INFINITE CTM_INF_F32
#define NAME(x) x##_f32
#include "cpu/ctc/typed.h"

#define T double
#define EXP ctm_exp_f64
#define LOG ctm_log_f64
#define INFINITE CTM_INF_F64
#define NAME(x) x##_f64
#include "cpu/ctc/typed.h"

struct job {
    const struct cti_ctc *w;
    char *room;
    int64_t each; /* bytes of scratch memory for a sequence */
};

static void forward(void *context, int64_t begin, int64_t end)
{
    const struct job *job = context;
    for (int64_t b = begin; b < end; b++)
        if (job->w->dtype == CT_FLOAT64)
            forward_f64(job->w, b);
        else
            forward_f32(job->w, b);
}

static void backward(void *context, int64_t begin, int64_t end)
{
    const struct job *job = context;
    for (int64_t b = begin; b < end; b++) {
        char *room = job->room + b * job->each;
        if (job->w->dtype == CT_FLOAT64)
            backward_f64(job->w, b, (double *)room);
        else
            backward_f32(job->w, b, (float *)room);
    }
}

static bool ctc_backward(const struct cti_ctc *w)
{
    struct job job = {.w = w};
    job.each = (2 * (2 * w->longest + 1) * cti_itemsize(w->dtype) + 63) / 64 * 64;
    struct cti_block *block = cti_block_new(w->batch * job.each);
    if (!block)
        return false;
    job.room = block->address;
    cti_parallel_for(w->batch, 1, backward, &job);
    cti_block_free(block);
    return true;
}

enum cti_status cti_cpu_ctc(struct cti_ctc *w)
{
    struct job job = {.w = w};
    if (w->backward)
        return ctc_backward(w);
    cti_parallel_for(w->batch, 1, forward, &job);
    return CTI_DONE;
}
