/* SPDX-License-Identifier: BSD-3-Clause */
/* Attention by attend.cu: chooses a tile size by the card's shared memory and the number of rows,
 * and launches forward, or the three kernels of backward. */
#include "core/attend.h"
#include "core/small.h"
#include "cuda/attend/attend_args.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define DEFAULT_SHARED (48 * 1024) /* bytes of shared memory that every card has */
#define MAX_COLUMNS 512            /* of queries and values */
#define LONG_SUM 512               /* longer sums keep accumulation chains on tensor cores short */

static struct attend_side attend_side_of(const struct cti_attend_side *s)
{
    return (struct attend_side){s->data, s->batch, s->head, s->row};
}

static struct attend_args attend_args_of(const struct cti_attend *w)
{
    return (struct attend_args){.query = attend_side_of(&w->query),
                                .key = attend_side_of(&w->key),
                                .value = attend_side_of(&w->value),
                                .out = attend_side_of(&w->out),
                                .grad = attend_side_of(&w->grad),
                                .grad_query = attend_side_of(&w->grad_query),
                                .grad_key = attend_side_of(&w->grad_key),
                                .grad_value = attend_side_of(&w->grad_value),
                                .mask = w->mask,
                                .mask_batch = w->mask_batch,
                                .mask_head = w->mask_head,
                                .mask_row = w->mask_row,
                                .mask_column = w->mask_column,
                                .logsumexp = w->logsumexp,
                                .B = w->batch,
                                .H = w->heads,
                                .L = w->queries,
                                .S = w->keys,
                                .group = w->group,
                                .scale = w->scale,
                                .mask_is_bool = w->mask_is_bool,
                                .causal = w->causal};
}

struct attend_config {
    int64_t rows, heads; /* of the result, over all batches */
    int64_t tile;        /* rows of a tile; 0: no tile fits into shared memory */
    int64_t shared;      /* bytes */
    bool tensor;         /* on tensor cores */
};

/* The leading dimension of a tile in shared memory: ROW_OF in the kernel. */
static int64_t attend_row_of(int64_t columns, bool tensor)
{
    if (tensor)
        return round_up(columns, 32) + 4;
    return (columns <= 16 ? 16 : columns <= 32 ? 32 : round_up(columns, 64)) + 4;
}

static int64_t attend_shared_of(const struct cti_attend *w, int mode, int64_t tile, bool tensor)
{
    int64_t row = 2 * attend_row_of(w->depth, tensor) +
                  attend_row_of(w->width, tensor) * (mode == FORWARD ? 1 : 2) +
                  (tensor ? 0 : tile + 4);
    return mode == DELTA ? 0 : tile * row * cti_itemsize(w->dtype);
}

static struct attend_config attend_choose_config(const struct cti_attend *w, int mode,
                                                 const struct cti_cuda_device *d)
{
    int64_t most = max64(d->shared_optin, DEFAULT_SHARED), wide = mode == FORWARD ? 256 : 128;
    struct attend_config c = {.rows = mode == KEY_GRAD ? w->keys : w->queries,
                              .heads = w->batch * w->heads / (mode == KEY_GRAD ? w->group : 1),
                              .tile = w->dtype == CT_FLOAT64 ? 32 : 64};
    c.tensor = w->dtype == CT_FLOAT32 && d->major >= 8 && w->depth <= wide && w->width <= wide;
    while (c.tile > (c.tensor ? 32 : 16) &&
           (c.rows <= c.tile / 2 || c.heads * ceil_div(c.rows, c.tile) < d->multiprocessors ||
            attend_shared_of(w, mode, c.tile, c.tensor) > most))
        c.tile /= 2;
    c.shared = attend_shared_of(w, mode, c.tile, c.tensor);
    if (c.shared > most || w->depth > MAX_COLUMNS || w->width > MAX_COLUMNS)
        c.tile = 0;
    return c;
}

/* Whether rows can be loaded four elements at a time. */
static bool attend_is_aligned(const struct cti_attend_side *s)
{
    return !s->data || ((uintptr_t)s->data % 16 == 0 && s->batch % 4 == 0 && s->head % 4 == 0 &&
                        s->row % 4 == 0);
}

static bool launch_attend(const struct cti_attend *w, const struct attend_args *a, int mode)
{
    struct cti_cuda_device *d = cti_cuda_use(w->work.device.index);
    if (!d)
        return false;
    struct attend_config c = attend_choose_config(w, mode, d);
    int64_t terms = mode == KEY_GRAD ? w->queries * w->group : w->keys;
    int64_t threads = c.tensor ? 4 * c.tile : 256, row_threads = c.tensor ? 4 : 16;
    int64_t blocks = mode == DELTA ? ceil_div(c.heads * c.rows, threads / row_threads)
                                   : c.heads * ceil_div(c.rows, c.tile);
    bool aligned = attend_is_aligned(&w->query) && attend_is_aligned(&w->key) &&
                   attend_is_aligned(&w->value) && attend_is_aligned(&w->grad);
    return cti_cuda_run(&(struct cti_launch){.file = "attend/attend",
                                             .texts = {{"T", cti_cuda_type[w->dtype]}},
                                             .params = {{"MODE", mode},
                                                        {"E", (int)w->depth},
                                                        {"EV", (int)w->width},
                                                        {"TILE", (int)c.tile},
                                                        {"ALIGNED", aligned},
                                                        {"TENSOR", c.tensor},
                                                        {"LONG", terms > LONG_SUM}},
                                             .device = w->work.device.index,
                                             .grid = {blocks},
                                             .threads = (unsigned)threads,
                                             .shared = (unsigned)c.shared,
                                             .args = a,
                                             .size = sizeof *a});
}

static bool has_kernel(const struct cti_attend *w, int mode)
{
    struct cti_cuda_device *d = cti_cuda_has_kernels() ? cti_cuda_use(w->work.device.index) : NULL;
    return d && attend_choose_config(w, mode, d).tile && w->queries < INT32_MAX / 2 &&
           w->keys < INT32_MAX / 2;
}

static enum cti_status attend_backward(const struct cti_attend *w)
{
    struct attend_args a = attend_args_of(w);
    void *block = NULL;
    if (!has_kernel(w, QUERY_GRAD) || !has_kernel(w, KEY_GRAD))
        return CTI_DECLINED;
    a.delta = cti_cuda_scratch(w->work.device.index,
                               w->batch * w->heads * w->queries * cti_itemsize(w->dtype), &block);
    bool good = a.delta && launch_attend(w, &a, DELTA) &&
                (!w->grad_query.data || launch_attend(w, &a, QUERY_GRAD)) &&
                ((!w->grad_key.data && !w->grad_value.data) || launch_attend(w, &a, KEY_GRAD));
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}

enum cti_status cti_cuda_attend(struct cti_attend *w)
{
    if (w->backward)
        return attend_backward(w);
    struct attend_args a = attend_args_of(w);
    return has_kernel(w, FORWARD) ? cti_cuda_launched(launch_attend(w, &a, FORWARD)) : CTI_DECLINED;
}
