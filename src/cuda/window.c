/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows by kernels/window.cu: the tables go to the device first. */
#include "cuda/engines.h"
#include "cuda/host.h"
#include "cuda/kernel.h"
#include "cuda/memory.h"

#include "core/alloc.h"
#include "core/window.h"

#include <string.h>

/* As in the kernel. */
struct dim {
    int64_t in, out, step, width;
    const int64_t *start, *count, *divisor;
    const double *weight;
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

bool cti_cuda_window(const struct cti_window *w)
{
    const struct ct_device host = {CT_CPU, -1};
    struct ct_device there = w->in->storage->device;
    if (!cti_cuda_has_kernels())
        return cti_cuda_host_window(w);
    cu_function f = cti_cuda_use(there.index)
                        ? cti_cuda_template(there.index, "window", "#define T %s\n#define MAX %d\n",
                                            cti_cuda_type[w->in->dtype], w->op == CTI_WINDOW_MAX)
                        : NULL;
    if (!f)
        return false;
    if (cti_cuda_fake())
        return cti_cuda_host_window(w);
    int64_t nbytes = 0, used = 0;
    for (int k = 0; k < 3; k++)
        nbytes += bytes_of(&w->dim[k]);
    void *block = NULL;
    char *room = cti_malloc((size_t)nbytes);
    char *device = room ? cti_cuda_scratch(there.index, nbytes, &block) : NULL;
    struct arguments a = {.in = cti_data(w->in),
                          .out = cti_data(w->out),
                          .index = w->index ? (int64_t *)(void *)cti_data(w->index) : NULL,
                          .outer = w->outer,
                          .inner = w->inner,
                          .n = w->out->numel};
    for (int k = 0; device && k < 3; k++) {
        const struct cti_window_dim *d = &w->dim[k];
        const void *place[4];
        add_table(room, &used, d->start, 8 * d->out, device, &place[0]);
        add_table(room, &used, d->count, 8 * d->out, device, &place[1]);
        add_table(room, &used, d->divisor, 8 * d->out, device, &place[2]);
        add_table(room, &used, d->weight, 8 * d->out * d->width, device, &place[3]);
        a.d[k] =
            (struct dim){d->in, d->out, d->step, d->width, place[0], place[1], place[2], place[3]};
    }
    bool good = device && cti_cuda_move(device, there, room, host, used, false);
    if (good && a.n)
        good = cti_cuda_launch(there.index, f, (unsigned)((a.n + 255) / 256), 256, 0, &a, sizeof a);
    cti_cuda_scratch_end(block);
    cti_free(room);
    return good;
}
