/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches window.cu: pooling, interpolation and other operations on windows. Regular windows
 * (pooling) are computed from a few parameters; for others, tables are copied to the device first.
 */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/memory.h"
#include "cuda/window/window_args.h"

#include "core/alloc.h"
#include "core/small.h"
#include "core/window.h"

#include <string.h>

#define MAX_SMALL 25 /* elements of a window that a thread holds in registers */

/* Tables on their way to the device: a copy on the host, and device memory of the same size. */
struct staging {
    char *host, *device;
    int64_t used;
};

/* Appends a table; returns its device address, or NULL if there is no table. */
static const void *stage_table(struct staging *s, const void *table, int64_t nbytes)
{
    if (!table)
        return NULL;
    memcpy(s->host + s->used, table, (size_t)nbytes);
    s->used += nbytes;
    return s->device + s->used - nbytes;
}

/* Whether a dim's windows follow from a kernel size, a stride and a padding; sets *to to these. */
static bool is_regular(struct window_dim *to, const struct cti_window_dim *d)
{
    int64_t last = d->out - 1, step = d->step;
    *to = (struct window_dim){.in = d->in,
                              .out = d->out,
                              .dilation = step,
                              .kernel_size = d->width,
                              .divided_by = 1,
                              .by_out = cti_divisor_of(d->out)};
    to->stride = last ? d->start[last] - d->start[last - 1] : 1;
    to->padding = last * to->stride - d->start[last];
    if (d->divisor)
        to->divided_by = d->divisor[0] == d->divisor[last / 2] ? d->divisor[0] : 0;
    bool same = !d->weight && step > 0;
    for (int64_t o = 0; same && o <= last; o++) {
        int64_t first = o * to->stride - to->padding;
        int64_t skipped = first < 0 ? (step - 1 - first) / step : 0;
        int64_t fit = first < d->in ? (d->in - 1 - first) / step + 1 : 0;
        int64_t end = fit < d->width ? fit : d->width;
        same = first + skipped * step == d->start[o] && end - skipped == d->count[o] &&
               (!d->divisor || d->divisor[o] == (to->divided_by ? to->divided_by : d->count[o]));
    }
    return same;
}

/* Whether the windows have two dims and fit a thread's registers. Regular windows must have no
 * dilation, and no divisor in the outermost dim. */
static bool is_small(const struct cti_window *w, const struct window_args *a, bool regular)
{
    const struct cti_window_dim *d = w->dim;
    bool small = a->inner == 1 && d[0].in == 1 && d[0].out == 1 && d[0].width == 1 &&
                 d[1].width * d[2].width <= MAX_SMALL && d[1].width * d[2].width > 0;
    return small && (!regular || (a->d[0].divided_by == 1 && d[1].step == 1 && d[2].step == 1));
}

/* Copies the tables of all dims to device memory, which the caller frees. */
static bool send_tables(struct window_args *a, const struct cti_window *w, struct ct_device to,
                        void **block)
{
    const struct ct_device host = {CT_CPU, -1};
    int64_t nbytes = 0;
    for (int k = 0; k < 3; k++)
        nbytes += 8 * w->dim[k].out * (3 + (w->dim[k].weight ? w->dim[k].width : 0));
    struct staging s = {.host = cti_malloc((size_t)nbytes)};
    s.device = s.host ? cti_cuda_scratch(to.index, nbytes, block) : NULL;
    for (int k = 0; s.device && k < 3; k++) {
        const struct cti_window_dim *d = &w->dim[k];
        a->d[k] = (struct window_dim){.in = d->in,
                                      .out = d->out,
                                      .dilation = d->step,
                                      .kernel_size = d->width,
                                      .start = stage_table(&s, d->start, 8 * d->out),
                                      .count = stage_table(&s, d->count, 8 * d->out),
                                      .divisor = stage_table(&s, d->divisor, 8 * d->out),
                                      .weight = stage_table(&s, d->weight, 8 * d->out * d->width),
                                      .by_out = cti_divisor_of(d->out)};
    }
    bool good = s.device && cti_cuda_move(s.device, to, s.host, host, s.used, false);
    cti_free(s.host);
    return good;
}

enum cti_status cti_cuda_window(struct cti_window *w)
{
    struct ct_device device = w->in->storage->device;
    struct window_args a = {.in = cti_data(w->in),
                            .out = cti_data(w->out),
                            .index = cti_cuda_data(w->index),
                            .outer = w->outer,
                            .inner = w->inner,
                            .n = w->out->numel};
    if (!cti_cuda_has_kernels() || a.n == 0)
        return CTI_DECLINED;
    bool regular = is_regular(&a.d[0], &w->dim[0]) && is_regular(&a.d[1], &w->dim[1]) &&
                   is_regular(&a.d[2], &w->dim[2]);
    bool near = w->out->numel < INT32_MAX / 2 && w->in->numel < INT32_MAX / 2;
    bool small = near && is_small(w, &a, regular), strides = small && regular;
    void *block = NULL;
    bool good = regular || send_tables(&a, w, device, &block);
    good = good &&
           cti_cuda_run(&(struct cti_launch){.file = "window/window",
                                             .texts = {{"T", cti_cuda_type[w->in->dtype]},
                                                       {"NUMBER", near ? "int" : "int64_t"},
                                                       {"REGULAR", regular ? "" : NULL},
                                                       {"SMALL", small ? "" : NULL}},
                                             .params = {{"MAX", w->op == CTI_WINDOW_MAX},
                                                        {"KH", small ? (int)w->dim[1].width : 0},
                                                        {"KW", small ? (int)w->dim[2].width : 0},
                                                        {"SH", strides ? (int)a.d[1].stride : 0},
                                                        {"SW", strides ? (int)a.d[2].stride : 0}},
                                             .device = device.index,
                                             .grid = {ceil_div(a.n, THREADS)},
                                             .threads = THREADS,
                                             CTI_ARGS(a)});
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}
