/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging: when a device declines an engine's work, the CPU's engine does it on host copies.
 * cti_stage copies the span of memory that each tensor covers to the host (overlapping spans as
 * one), runs the CPU's engine on views of the copies, and copies back the spans of the tensors that
 * it writes. This is slow but always correct, even for in-place results and for strided results,
 * whose gaps keep their bytes. Called by cti_run; see Note [Engines]. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/update.h"

#include <string.h>

static const struct ct_device host = {CT_CPU, -1};

struct span {
    char *low, *high; /* addresses on the device */
    char *copy;       /* the copy on the host */
    bool written;
};

/* A tensor over the host copy of another tensor. */
struct host_view {
    ct_tensor tensor;
    ct_storage storage;
};

struct staging {
    struct cti_work *work;
    const struct cti_accelerator *device;
    int nspans;
    struct span *span; /* capacity: one for each tensor or operand */
    int ntensors, nlist;
    struct host_view *view; /* for the tensors, then for the list */
    ct_tensor **given;      /* the caller's tensors, restored at the end */
    ct_tensor **list;
    ct_list given_list;
};

/* ---- spans ---- */

static void add_span(struct staging *s, char *low, char *high, bool written)
{
    struct span new = {low, high, NULL, written};
    if (low == high)
        return;
    for (int i = 0; i < s->nspans;) {
        struct span *old = &s->span[i];
        if (old->low >= new.high || new.low >= old->high) {
            i++;
            continue;
        }
        new.low = old->low < new.low ? old->low : new.low;
        new.high = old->high > new.high ? old->high : new.high;
        new.written = new.written || old->written;
        *old = s->span[--s->nspans];
        i = 0;
    }
    s->span[s->nspans++] = new;
}

static void add_strided(struct staging *s, char *data, int ndim, const int64_t *shape,
                        const int64_t *bstride, int64_t itemsize, bool written)
{
    int64_t low = 0, high = itemsize;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0)
            return;
        *(bstride[d] < 0 ? &low : &high) += (shape[d] - 1) * bstride[d];
    }
    add_span(s, data + low, data + high, written);
}

static bool begin_spans(struct staging *s, int64_t most)
{
    s->span = cti_malloc((size_t)(most + 1) * sizeof *s->span);
    return s->span != NULL;
}

/* A kernel would fault at an address of the host; the fake device reports an error instead. */
static bool refuse_host_memory(void)
{
    return cti_refuse(CT_ERR_RUNTIME, "CUDA error: an illegal memory access was encountered "
                                      "(memory of the host was given to an engine of a device)");
}

static bool copy_to_host(struct staging *s)
{
    struct ct_device device = s->work->device;
    for (int i = 0; i < s->nspans; i++) {
        struct span *span = &s->span[i];
        int64_t nbytes = span->high - span->low;
        if (!s->device->holds(span->low))
            return refuse_host_memory();
        span->copy = cti_malloc((size_t)nbytes);
        if (!span->copy || !s->device->move(span->copy, host, span->low, device, nbytes, false))
            return false;
    }
    return s->device->wait(device.index);
}

static bool copy_back(struct staging *s)
{
    struct ct_device device = s->work->device;
    bool good = true;
    for (int i = 0; i < s->nspans && good; i++) {
        struct span *span = &s->span[i];
        if (span->written)
            good =
                s->device->move(span->low, device, span->copy, host, span->high - span->low, false);
    }
    return good && s->device->wait(device.index);
}

/* The address in a host copy that corresponds to a device address. */
static char *host_address(const struct staging *s, char *address)
{
    for (int i = 0; i < s->nspans; i++) {
        const struct span *span = &s->span[i];
        if (address >= span->low && address < span->high)
            return span->copy + (address - span->low);
    }
    return address; /* of an empty tensor, which is never read */
}

static enum cti_status run_on_host(struct staging *s)
{
    enum cti_status status = cti_cpu_backend.run[s->work->engine](s->work);
    return status == CTI_DONE && !cti_ran() ? CTI_FAILED : status;
}

/* ---- engines with tensors ---- */

static bool is_on_host(const ct_tensor *t)
{
    return t->storage->device.type == CT_CPU;
}

static bool add_tensor(struct staging *s, const ct_tensor *t, bool written)
{
    int64_t bstride[CTI_MAX_DIMS], size;
    if (!t)
        return true;
    if (is_on_host(t))
        return !t->numel || s->device->holds(cti_data(t)) || refuse_host_memory();
    size = cti_itemsize((enum ct_dtype)t->dtype);
    for (int d = 0; d < t->ndim; d++)
        bstride[d] = t->stride[d] * size;
    add_strided(s, cti_data(t), t->ndim, t->shape, bstride, size, written);
    return true;
}

/* t itself if it is on the host, otherwise a view of its copy, stored in `view`. */
static ct_tensor *view_on_host(const struct staging *s, struct host_view *view, ct_tensor *t)
{
    if (!t || is_on_host(t))
        return t;
    int64_t size = cti_itemsize((enum ct_dtype)t->dtype);
    view->storage = *t->storage;
    view->storage.refs = INT32_MAX;
    view->storage.device = host;
    view->storage.data = t->numel ? host_address(s, cti_data(t)) - t->offset * size : NULL;
    view->tensor = *t;
    view->tensor.refs = INT32_MAX;
    view->tensor.storage = &view->storage;
    view->tensor.version = NULL;
    view->tensor.base = NULL;
    view->tensor.autograd = NULL;
    view->tensor.handle = NULL;
    if (t->shape == t->inline_dims)
        view->tensor.shape = view->tensor.inline_dims;
    if (t->stride == t->inline_dims + CTI_INLINE_DIMS)
        view->tensor.stride = view->tensor.inline_dims + CTI_INLINE_DIMS;
    return &view->tensor;
}

static bool begin_tensors(struct staging *s)
{
    const struct cti_engine_facts *facts = &cti_engine_facts[s->work->engine];
    ct_tensor **t = cti_work_tensors(s->work);
    s->ntensors = facts->ntensors;
    if (facts->traits & CTI_HAS_LIST)
        s->given_list = *cti_work_list(s->work);
    s->nlist = (int)s->given_list.n;
    size_t all = (size_t)(s->ntensors + s->nlist);
    s->view = cti_malloc(all * sizeof *s->view);
    s->given = cti_malloc(all * sizeof *s->given);
    if (!s->view || !s->given || !begin_spans(s, (int64_t)all))
        return false;
    s->list = s->given + s->ntensors;
    bool good = true;
    for (int i = 0; i < s->ntensors && good; i++)
        good = add_tensor(s, t[i], i < facts->nwritten);
    for (int i = 0; i < s->nlist && good; i++)
        good = add_tensor(s, s->given_list.v[i], false);
    return good && copy_to_host(s);
}

/* Replaces the tensors by views of their copies while the CPU's engine runs. */
static enum cti_status stage_tensors(struct staging *s)
{
    if (!begin_tensors(s))
        return CTI_FAILED;
    ct_tensor **t = cti_work_tensors(s->work);
    for (int i = 0; i < s->ntensors; i++) {
        s->given[i] = t[i];
        t[i] = view_on_host(s, &s->view[i], t[i]);
    }
    for (int i = 0; i < s->nlist; i++)
        s->list[i] = view_on_host(s, &s->view[s->ntensors + i], s->given_list.v[i]);
    if (s->nlist)
        *cti_work_list(s->work) = (ct_list){s->list, s->nlist};
    enum cti_status status = run_on_host(s);
    memcpy(t, s->given, (size_t)s->ntensors * sizeof *t);
    if (s->nlist)
        *cti_work_list(s->work) = s->given_list;
    return status;
}

/* ---- engines with addresses instead of tensors ---- */

static enum cti_status stage_pointwise(struct staging *s)
{
    struct cti_pointwise *w = (struct cti_pointwise *)(void *)s->work;
    char *data[CTI_MAX_OPERANDS];
    if (!begin_spans(s, w->noperands))
        return CTI_FAILED;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *x = &w->operand[o];
        if (!(w->numbers >> o & 1))
            add_strided(s, x->data, w->ndim, w->shape, x->bstride,
                        cti_itemsize((enum ct_dtype)x->dtype), o < w->nout);
    }
    if (!copy_to_host(s))
        return CTI_FAILED;
    for (int o = 0; o < w->noperands; o++) {
        data[o] = w->operand[o].data;
        if (!(w->numbers >> o & 1))
            w->operand[o].data = host_address(s, data[o]);
    }
    enum cti_status status = run_on_host(s);
    for (int o = 0; o < w->noperands; o++)
        w->operand[o].data = data[o];
    return status;
}

/* Each line is contiguous. */
static enum cti_status stage_update(struct staging *s)
{
    struct cti_update *w = (struct cti_update *)(void *)s->work;
    const struct cti_update_line *given = w->line;
    size_t bytes = (size_t)w->nlines * sizeof *given;
    struct cti_update_line *line = cti_malloc(bytes);
    if (!line || !begin_spans(s, w->nlines * w->noperands)) {
        cti_free(line);
        return CTI_FAILED;
    }
    memcpy(line, given, bytes);
    for (int64_t i = 0; i < w->nlines; i++)
        for (int o = 0; o < w->noperands; o++) {
            int64_t size = cti_itemsize((enum ct_dtype)w->dtype[o]);
            char *data = line[i].data[o];
            if (data)
                add_span(s, data, data + line[i].numel * size, true);
        }
    bool good = copy_to_host(s);
    for (int64_t i = 0; good && i < w->nlines; i++)
        for (int o = 0; o < w->noperands; o++)
            if (line[i].data[o])
                line[i].data[o] = host_address(s, line[i].data[o]);
    w->line = line;
    enum cti_status status = good ? run_on_host(s) : CTI_FAILED;
    w->line = given;
    cti_free(line);
    return status;
}

/* ---- all engines ---- */

enum cti_status cti_stage(struct cti_work *work)
{
    struct staging s = {.work = work, .device = cti_accelerator_of(work->device.type)};
    enum cti_status status = work->engine == CTI_ENGINE_pointwise ? stage_pointwise(&s)
                             : work->engine == CTI_ENGINE_update  ? stage_update(&s)
                                                                  : stage_tensors(&s);
    if (status == CTI_DONE && !copy_back(&s))
        status = CTI_FAILED;
    for (int i = 0; i < s.nspans; i++)
        cti_free(s.span[i].copy);
    cti_free(s.span);
    cti_free(s.view);
    cti_free(s.given);
    return status;
}
