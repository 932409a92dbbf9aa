/* SPDX-License-Identifier: BSD-3-Clause */
/* Attention by attend.cu: picks the tile size by the card's shared memory and the number of
 * rows, and launches forward or the three kernels of backward. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include "core/attend.h"

#define PLAIN_SHARED (48 * 1024) /* more needs an opt-in */

enum mode { FORWARD, DELTA, QUERIES, KEYS };

#define MANY 512 /* keys from which accumulation chains on tensor cores are kept short */

/* Mirrors the kernel's struct. */
struct arguments {
    struct cti_attend_side query, key, value, out, grad, grad_query, grad_key, grad_value;
    const void *mask;
    int64_t mask_batch, mask_head, mask_row, mask_column;
    void *logsumexp, *delta;
    int64_t batch, heads, group, queries, keys;
    double scale;
    bool mask_is_bool, causal;
};

static struct arguments describe(const struct cti_attend *w)
{
    return (struct arguments){
        w->query,       w->key,        w->value, w->out,          w->grad,      w->grad_query,
        w->grad_key,    w->grad_value, w->mask,  w->mask_batch,   w->mask_head, w->mask_row,
        w->mask_column, w->logsumexp,  NULL,     w->batch,        w->heads,     w->group,
        w->queries,     w->keys,       w->scale, w->mask_is_bool, w->causal};
}

/* The launch configuration. */
struct layout {
    int64_t tile; /* rows of a tile; 0: no tile fits */
    int64_t shared;
    bool tensor; /* on tensor cores */
};

/* The padded leading dimension of a tile, as in the kernel. */
static int64_t row_of(int64_t columns, bool tensor)
{
    if (tensor)
        return (columns + 31) / 32 * 32 + 4;
    return (columns <= 16 ? 16 : columns <= 32 ? 32 : (columns + 63) / 64 * 64) + 4;
}

static int64_t shared_of(const struct cti_attend *w, enum mode mode, int64_t tile, bool tensor)
{
    int64_t row = 2 * row_of(w->depth, tensor) +
                  row_of(w->width, tensor) * (mode == FORWARD ? 1 : 2) + (tensor ? 0 : tile + 4);
    return mode == DELTA ? 0 : tile * row * cti_itemsize(w->dtype);
}

static struct layout layout_of(const struct cti_attend *w, enum mode mode,
                               const struct cti_cuda_device *d)
{
    int64_t rows = mode == KEYS ? w->keys : w->queries, wide = mode == FORWARD ? 256 : 128;
    int64_t heads = w->batch * (mode == KEYS ? w->heads / w->group : w->heads);
    int64_t most = d->shared_optin > PLAIN_SHARED ? d->shared_optin : PLAIN_SHARED;
    struct layout l = {.tile = w->dtype == CT_FLOAT64 ? 32 : 64};
    l.tensor = w->dtype == CT_FLOAT32 && d->major >= 8 && w->depth <= wide && w->width <= wide;
    while (l.tile > (l.tensor ? 32 : 16) &&
           (rows <= l.tile / 2 || heads * ((rows + l.tile - 1) / l.tile) < d->multiprocessors ||
            shared_of(w, mode, l.tile, l.tensor) > most))
        l.tile /= 2;
    l.shared = shared_of(w, mode, l.tile, l.tensor);
    if (l.shared > most || w->depth > 512 || w->width > 512)
        l.tile = 0;
    return l;
}

static bool is_aligned(const struct cti_attend_side *s)
{
    return !s->data || ((uintptr_t)s->data % 16 == 0 && s->batch % 4 == 0 && s->head % 4 == 0 &&
                        s->row % 4 == 0);
}

static bool run(const struct cti_attend *w, struct arguments *a, enum mode mode)
{
    int device = w->work.device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    struct layout l = d ? layout_of(w, mode, d) : (struct layout){0};
    bool aligned = is_aligned(&w->query) && is_aligned(&w->key) && is_aligned(&w->value) &&
                   is_aligned(&w->grad);
    int64_t many = mode == KEYS ? w->queries * w->group : w->keys; /* terms of a sum */
    cu_function f =
        !d ? NULL
           : cti_cuda_template(device, "attend/attend",
                               "#define T %s\n#define MODE %d\n#define DEPTH %d\n#define WIDTH "
                               "%d\n#define TILE %d\n#define ALIGNED %d\n#define TENSOR %d\n"
                               "#define LONG %d\n",
                               cti_cuda_type[w->dtype], (int)mode, (int)w->depth, (int)w->width,
                               (int)l.tile, aligned, l.tensor, many > MANY);
    if (!f || cti_cuda_fake())
        return f != NULL;
    if (l.shared > PLAIN_SHARED &&
        !cti_cuda_check(cti_cu.function_set(f, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)l.shared)))
        return false;
    int64_t rows = mode == KEYS ? w->keys : w->queries;
    int64_t heads = w->batch * (mode == KEYS ? w->heads / w->group : w->heads);
    int64_t threads = l.tensor ? 4 * l.tile : 256, lines = threads / (l.tensor ? 4 : 16);
    int64_t blocks =
        mode == DELTA ? (heads * rows + lines - 1) / lines : heads * ((rows + l.tile - 1) / l.tile);
    return cti_cuda_launch(device, f, (unsigned)blocks, (unsigned)threads, (unsigned)l.shared, a,
                           sizeof *a);
}

static bool is_for_host(const struct cti_attend *w, enum mode mode)
{
    struct cti_cuda_device *d = cti_cuda_has_kernels() ? cti_cuda_use(w->work.device.index) : NULL;
    return !d || !layout_of(w, mode, d).tile || w->queries >= INT32_MAX / 2 ||
           w->keys >= INT32_MAX / 2;
}

static enum cti_status attend_forward(const struct cti_attend *w)
{
    struct arguments a = describe(w);
    if (is_for_host(w, FORWARD))
        return CTI_DECLINED;
    return cti_cuda_launched(run(w, &a, FORWARD));
}

static enum cti_status attend_backward(const struct cti_attend *w)
{
    struct arguments a = describe(w);
    void *block = NULL;
    if (is_for_host(w, QUERIES) || is_for_host(w, KEYS))
        return CTI_DECLINED;
    a.delta = cti_cuda_scratch(w->work.device.index,
                               w->batch * w->heads * w->queries * cti_itemsize(w->dtype), &block);
    bool good = a.delta && run(w, &a, DELTA) && (!w->grad_query.data || run(w, &a, QUERIES)) &&
                ((!w->grad_key.data && !w->grad_value.data) || run(w, &a, KEYS));
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}

enum cti_status cti_cuda_attend(struct cti_attend *w)
{
    return w->backward ? attend_backward(w) : attend_forward(w);
}
