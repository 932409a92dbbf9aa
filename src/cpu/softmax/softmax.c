/* SPDX-License-Identifier: BSD-3-Clause */
/* The softmax engine: softmax, log_softmax, logsumexp and their derivatives. Divides lines among
 * threads; each line is computed by one thread, so results do not depend on their number. Called
 * through the backend table; the arithmetic is in typed.h. */
#include "cpu/softmax/softmax.h"
#include "cpu/engines.h"

#include "core/parallel.h"
#include "cpu/isa.h"

#define GRAIN 8192      /* elements worth a thread (exponentials are expensive) */
#define IN_CACHE 131072 /* bytes of columns, which are read three times */

extern const struct cti_softmax_loops CTI_ISA_NAMES(cti_softmax_f32);
extern const struct cti_softmax_loops CTI_ISA_NAMES(cti_softmax_f64);
static const struct cti_softmax_loops *const loops_f32[] = CTI_ISA_TABLE(cti_softmax_f32);
static const struct cti_softmax_loops *const loops_f64[] = CTI_ISA_TABLE(cti_softmax_f64);

struct work {
    const struct cti_softmax_loops *loops;
    struct cti_softmax_run run;
    int64_t item, width, tiles; /* of columns */
    int64_t out_n;              /* elements along the dim in the result */
};

static struct cti_softmax_run softmax_at(const struct work *w, int64_t in, int64_t out)
{
    struct cti_softmax_run run = w->run;
    run.in = (const char *)run.in + in * w->item;
    run.out = (char *)run.out + out * w->item;
    if (run.grad)
        run.grad = (const char *)run.grad + in * w->item;
    return run;
}

static void softmax_lines(void *context, int64_t begin, int64_t end)
{
    const struct work *w = context;
    struct cti_softmax_run run = softmax_at(w, begin * w->run.n, begin * w->out_n);
    w->loops->lines(&run, end - begin);
}

static void run_columns(void *context, int64_t begin, int64_t end)
{
    const struct work *w = context;
    int64_t inner = w->run.inner;
    for (int64_t i = begin; i < end; i++) {
        int64_t outer = i / w->tiles, first = i % w->tiles * w->width;
        struct cti_softmax_run run =
            softmax_at(w, outer * w->run.n * inner + first, outer * w->out_n * inner + first);
        w->loops->columns(&run, inner - first < w->width ? inner - first : w->width);
    }
}

enum cti_status cti_cpu_softmax(struct cti_softmax *work)
{
    ct_tensor *out = work->out, *in = work->in, *grad = work->grad;
    enum cti_softmax_op op = work->op;
    int64_t dim = work->dim;
    struct work w = {.loops = (in->dtype == CT_FLOAT64 ? loops_f64 : loops_f32)[cti_cpu_isa()],
                     .run = {.op = op,
                             .out = cti_data(out),
                             .in = cti_data(in),
                             .grad = grad ? cti_data(grad) : NULL,
                             .n = in->ndim ? in->shape[dim] : 1,
                             .inner = 1},
                     .item = cti_itemsize(in->dtype)};
    int64_t outer = 1;
    for (int d = 0; d < in->ndim; d++)
        if (d < dim)
            outer *= in->shape[d];
        else if (d > dim)
            w.run.inner *= in->shape[d];
    if (out->numel == 0)
        return true;
    w.out_n = op == CTI_LOGSUMEXP ? 1 : w.run.n;
    int64_t n = w.run.n ? w.run.n : 1, grain = GRAIN / n;
    if (w.run.inner == 1) {
        cti_parallel_for(outer, grain ? grain : 1, softmax_lines, &w);
        return true;
    }
    /* Whole cache lines of columns, as many as stay in cache over all passes. */
    w.width = IN_CACHE / w.item / n / 16 * 16;
    w.width = w.width < 16 ? 16 : w.width;
    w.width = w.width < CTI_SOFTMAX_COLUMNS ? w.width : CTI_SOFTMAX_COLUMNS;
    w.width = w.width < w.run.inner ? w.width : w.run.inner;
    w.tiles = (w.run.inner + w.width - 1) / w.width;
    grain /= w.width;
    cti_parallel_for(outer * w.tiles, grain ? grain : 1, run_columns, &w);
    return true;
}
