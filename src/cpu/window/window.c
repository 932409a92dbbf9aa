/* SPDX-License-Identifier: BSD-3-Clause */
/* The window engine (pooling, interpolation): divides rows of the result among threads; each row is
 * computed by one thread, so results do not depend on the number of threads. Called through the
 * backend table; the arithmetic is in sum_typed.h and max_typed.h. */
#include "cpu/window/window.h"
#include "cpu/engines.h"

#include "core/parallel.h"
#include "cpu/isa.h"

#define GRAIN 32768 /* elements read that justify a thread */

extern const struct cti_window_loops CTI_ISA_NAMES(cti_window_f32);
extern const struct cti_window_loops CTI_ISA_NAMES(cti_window_f64);
extern const struct cti_window_loops CTI_ISA_NAMES(cti_window_i64);
static const struct cti_window_loops *const loops_f32[] = CTI_ISA_TABLE(cti_window_f32);
static const struct cti_window_loops *const loops_f64[] = CTI_ISA_TABLE(cti_window_f64);
static const struct cti_window_loops *const loops_i64[] = CTI_ISA_TABLE(cti_window_i64);

struct work {
    struct cti_window_run run;
    cti_window_row *row;
};

/* Finds the longest run of full windows with a constant stride. */
static void find_regular(struct cti_window_run *run)
{
    const struct cti_window_dim *w = &run->work->dim[2];
    int64_t from = 0;
    while (from < w->out && w->count[from] != w->width)
        from++;
    int64_t stride = from + 1 < w->out ? w->start[from + 1] - w->start[from] : 1, to = from;
    while (to < w->out && w->count[to] == w->width &&
           w->start[to] == w->start[from] + (to - from) * stride)
        to++;
    run->from = from;
    run->to = to;
    run->stride = stride;
}

static void window_rows(void *context, int64_t begin, int64_t end)
{
    const struct work *w = context;
    const struct cti_window_dim *dim = w->run.work->dim;
    for (int64_t i = begin; i < end; i++) {
        int64_t rest = i / dim[1].out;
        w->row(&w->run, rest / dim[0].out, rest % dim[0].out, i % dim[1].out);
    }
}

enum cti_status cti_cpu_window(struct cti_window *work)
{
    const struct cti_window_loops *const *loops = work->in->dtype == CT_FLOAT32   ? loops_f32
                                                  : work->in->dtype == CT_FLOAT64 ? loops_f64
                                                                                  : loops_i64;
    const struct cti_window_loops *mine = loops[cti_cpu_isa()];
    struct work w = {.run = {.work = work,
                             .out = cti_data(work->out),
                             .in = cti_data(work->in),
                             .index = work->index ? (int64_t *)cti_data(work->index) : NULL},
                     .row = work->op == CTI_WINDOW_SUM ? mine->sum : mine->max};
    const struct cti_window_dim *dim = work->dim;
    if (work->out->numel == 0)
        return true;
    find_regular(&w.run);
    int64_t row =
        (dim[0].width * dim[1].width * dim[2].in + dim[2].width * dim[2].out) * work->inner;
    int64_t grain = GRAIN / (row ? row : 1);
    cti_parallel_for(work->outer * dim[0].out * dim[1].out, grain ? grain : 1, window_rows, &w);
    return true;
}
