/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows by window.cu. Boxes of pooling follow from a few numbers; the tables of others go
 * to the device first. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/memory.h"

#include "core/alloc.h"
#include "core/window.h"

#include <string.h>

#define MOST_SMALL 25 /* elements of a box */

/* As in the kernel. */
struct dim {
    int64_t in, out, step, width;
    const int64_t *start, *count, *divisor;
    const double *weight;
    int64_t stride, padding, by;
    uint32_t magic, shift;
};

struct arguments {
    const void *in;
    void *out;
    int64_t *index;
    int64_t outer, inner, n;
    struct dim d[3];
};

/* Appends a table to those that travel; *place becomes where it will be. */
static void add_table(char *room, int64_t *used, const void *table, int64_t nbytes, char *device,
                      const void **place)
{
    *place = NULL;
    if (!table)
        return;
    memcpy(room + *used, table, (size_t)nbytes);
    *place = device + *used;
    *used += nbytes;
}

static int64_t bytes_of(const struct cti_window_dim *d)
{
    return 8 * d->out * (3 + (d->weight ? d->width : 0));
}

/* The kernel size, stride and padding that a dim's boxes follow from, where they do. */
static bool is_regular(struct dim *to, const struct cti_window_dim *d)
{
    int64_t last = d->out - 1, step = d->step;
    *to = (struct dim){.in = d->in, .out = d->out, .step = step, .width = d->width, .by = 1};
    to->stride = last ? d->start[last] - d->start[last - 1] : 1;
    to->padding = last * to->stride - d->start[last];
    if (d->divisor)
        to->by = d->divisor[0] == d->divisor[last / 2] ? d->divisor[0] : 0;
    bool same = !d->weight && step > 0;
    for (int64_t o = 0; same && o <= last; o++) {
        int64_t first = o * to->stride - to->padding;
        int64_t skipped = first < 0 ? (step - 1 - first) / step : 0;
        int64_t fit = first < d->in ? (d->in - 1 - first) / step + 1 : 0;
        int64_t end = fit < d->width ? fit : d->width;
        same = first + skipped * step == d->start[o] && end - skipped == d->count[o] &&
               (!d->divisor || d->divisor[o] == (to->by ? to->by : d->count[o]));
    }
    return same;
}

/* Numbers below 2^31 are divided by d by a multiplication: (high half of i magic + i) >> shift. */
static void prepare_division(struct dim *d)
{
    while ((int64_t)1 << d->shift < d->out)
        d->shift++;
    uint64_t excess = ((uint64_t)1 << d->shift) - (uint64_t)d->out;
    d->magic = (uint32_t)((excess << 32) / (uint64_t)d->out + 1);
}

/* Boxes in two dims that a thread can hold; of regular ones, those of pooling. */
static bool is_small(const struct cti_window *w, const struct arguments *a, bool regular)
{
    const struct cti_window_dim *d = w->dim;
    bool small = a->inner == 1 && d[0].in == 1 && d[0].out == 1 && d[0].width == 1 &&
                 d[1].width * d[2].width <= MOST_SMALL && d[1].width * d[2].width > 0;
    return small && (!regular || (a->d[0].by == 1 && d[1].step == 1 && d[2].step == 1));
}

/* The tables of all dims in device memory; false: failed. */
static bool send_tables(struct arguments *a, const struct cti_window *w, struct ct_device there,
                        void **block)
{
    const struct ct_device host = {CT_CPU, -1};
    int64_t nbytes = 0, used = 0;
    for (int k = 0; k < 3; k++)
        nbytes += bytes_of(&w->dim[k]);
    char *room = cti_malloc((size_t)nbytes);
    char *device = room ? cti_cuda_scratch(there.index, nbytes, block) : NULL;
    for (int k = 0; device && k < 3; k++) {
        const struct cti_window_dim *d = &w->dim[k];
        const void *place[4];
        add_table(room, &used, d->start, 8 * d->out, device, &place[0]);
        add_table(room, &used, d->count, 8 * d->out, device, &place[1]);
        add_table(room, &used, d->divisor, 8 * d->out, device, &place[2]);
        add_table(room, &used, d->weight, 8 * d->out * d->width, device, &place[3]);
        a->d[k] = (struct dim){d->in,    d->out, d->step, d->width, place[0], place[1], place[2],
                               place[3], 0,      0,       0,        0,        0};
    }
    bool good = device && cti_cuda_move(device, there, room, host, used, false);
    cti_free(room);
    return good;
}

enum cti_status cti_cuda_window(struct cti_window *w)
{
    struct ct_device there = w->in->storage->device;
    struct arguments a = {.in = cti_data(w->in),
                          .out = cti_data(w->out),
                          .index = w->index ? (int64_t *)(void *)cti_data(w->index) : NULL,
                          .outer = w->outer,
                          .inner = w->inner,
                          .n = w->out->numel};
    if (!cti_cuda_has_kernels() || a.n == 0)
        return CTI_DECLINED;
    bool regular = is_regular(&a.d[0], &w->dim[0]) && is_regular(&a.d[1], &w->dim[1]) &&
                   is_regular(&a.d[2], &w->dim[2]);
    bool few = w->out->numel < INT32_MAX / 2 && w->in->numel < INT32_MAX / 2;
    bool is_few = few && is_small(w, &a, regular);
    if (!cti_cuda_use(there.index))
        return CTI_FAILED;
    void *block = NULL;
    bool good = regular || send_tables(&a, w, there, &block);
    for (int k = 1; is_few && k < 3; k++)
        prepare_division(&a.d[k]);
    bool strides = is_few && regular;
    good = good &&
           cti_cuda_run(&(struct cti_launch){.file = "window/window",
                                             .texts = {{"T", cti_cuda_type[w->in->dtype]},
                                                       {"NUMBER", few ? "int" : "long long"},
                                                       {"REGULAR", regular ? "" : NULL},
                                                       {"SMALL", is_few ? "" : NULL}},
                                             .params = {{"MAX", w->op == CTI_WINDOW_MAX},
                                                        {"K1", is_few ? (int)w->dim[1].width : 0},
                                                        {"K2", is_few ? (int)w->dim[2].width : 0},
                                                        {"S1", strides ? (int)a.d[1].stride : 0},
                                                        {"S2", strides ? (int)a.d[2].stride : 0}},
                                             .device = there.index,
                                             .grid = {(unsigned)((a.n + 255) / 256)},
                                             .threads = 256,
                                             .args = &a,
                                             .size = sizeof a});
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}
