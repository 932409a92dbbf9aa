/* SPDX-License-Identifier: BSD-3-Clause */
/* The normalisation engine: divides lines or channels among threads. Each line or channel is summed
 * by one thread, block by block. Channels-last data is summed by blocks of rows, which depend on
 * the shape alone and are combined in order. So results do not depend on the number of threads.
 * Called through the backend table; the arithmetic is in norm_typed.h. */
#include "cpu/norm/norm.h"
#include "cpu/engines.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "cpu/isa.h"

#define GRAIN 16384 /* elements that justify a thread */
#define BLOCKS 64   /* blocks of rows, at most */

extern const struct cti_norm_loops CTI_ISA_NAMES(cti_norm_f32);
extern const struct cti_norm_loops CTI_ISA_NAMES(cti_norm_f64);
static const struct cti_norm_loops *const loops_f32[] = CTI_ISA_TABLE(cti_norm_f32);
static const struct cti_norm_loops *const loops_f64[] = CTI_ISA_TABLE(cti_norm_f64);

struct work {
    struct cti_norm_run run;
    const struct cti_norm_loops *loops;
    void (*body)(const struct cti_norm_run *run, int64_t begin, int64_t end);
};

static void norm_run(void *context, int64_t begin, int64_t end)
{
    const struct work *w = context;
    w->body(&w->run, begin, end);
}

static int64_t grain(int64_t elements)
{
    int64_t n = GRAIN / (elements ? elements : 1);
    return n ? n : 1;
}

static void run_parallel(struct work *w,
                         void (*body)(const struct cti_norm_run *, int64_t, int64_t), int64_t n,
                         int64_t elements)
{
    w->body = body;
    cti_parallel_for(n, grain(elements), norm_run, w);
}

/* Chooses the blocks of rows by the shape alone, and allocates their sums. */
static int64_t blocks_of(struct work *w, int64_t channels)
{
    int64_t outer = w->run.work->outer, rows = (outer + BLOCKS - 1) / BLOCKS;
    w->run.rows = rows < CTI_NORM_ROWS ? CTI_NORM_ROWS : rows;
    int64_t blocks = (outer + w->run.rows - 1) / w->run.rows;
    w->run.part = cti_calloc((size_t)(2 * blocks * channels) + 1, sizeof *w->run.part);
    return w->run.part ? blocks : -1;
}

static struct work start(const struct cti_norm *work)
{
    bool single = work->in->dtype == CT_FLOAT32;
    return (struct work){
        .loops = (single ? loops_f32 : loops_f64)[cti_cpu_isa()],
        .run = {.work = work,
                .out = work->out ? cti_data(work->out) : NULL,
                .in = cti_data(work->in),
                .grad = work->grad ? cti_data(work->grad) : NULL,
                .weight = work->weight ? cti_data(work->weight) : NULL,
                .bias = work->bias ? cti_data(work->bias) : NULL,
                .mean = cti_data(work->mean),
                .rstd = cti_data(work->rstd),
                .var = work->var ? cti_data(work->var) : NULL,
                .grad_weight = work->grad_weight ? cti_data(work->grad_weight) : NULL,
                .grad_bias = work->grad_bias ? cti_data(work->grad_bias) : NULL},
    };
}

static bool norm_forward(const struct cti_norm *work)
{
    struct work w = start(work);
    if (work->in->numel == 0)
        return true;
    if (work->lines) {
        run_parallel(&w, w.loops->lines, work->outer, work->channels * work->inner);
        return true;
    }
    if (work->inner > 1) {
        run_parallel(&w, w.loops->channels, work->channels, work->outer * work->inner);
        return true;
    }
    if (!work->given) {
        int64_t blocks = blocks_of(&w, work->channels);
        if (blocks < 0)
            return false;
        run_parallel(&w, w.loops->column_parts, blocks, w.run.rows * work->channels);
        w.loops->combine_columns(&w.run, blocks);
        cti_free(w.run.part);
    }
    run_parallel(&w, w.loops->column_rows, work->outer, work->channels);
    return true;
}

static bool norm_backward(const struct cti_norm *work)
{
    struct work w = start(work);
    if (!work->lines && work->inner > 1) {
        run_parallel(&w, w.loops->back_channels, work->channels, work->outer * work->inner);
        return true;
    }
    int64_t blocks = blocks_of(&w, work->channels * (work->lines ? work->groups : 1));
    if (blocks < 0)
        return false;
    if (work->lines) {
        run_parallel(&w, w.loops->back_lines, blocks, w.run.rows * work->channels * work->inner);
        w.loops->combine_back_lines(&w.run, blocks);
    } else {
        run_parallel(&w, w.loops->back_column_parts, blocks, w.run.rows * work->channels);
        w.loops->combine_back_columns(&w.run, blocks);
        if (w.run.out)
            run_parallel(&w, w.loops->back_column_rows, work->outer, work->channels);
    }
    cti_free(w.run.part);
    return true;
}

enum cti_status cti_cpu_norm(struct cti_norm *work)
{
    return work->backward ? norm_backward(work) : norm_forward(work);
}
