/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather, scatter, index_select and x[i, j] by one kernel (index.cu).
 *
 * Note [Late faults] Only the device knows whether an index is in bounds. Kernels skip elements
 * whose index is not, and record the first such index in a page mapped into host memory; the next
 * launch or wait finds it there and fails with an IndexError. Nothing is broken by it: the next
 * call works. CUDA_LAUNCH_BLOCKING=1 makes the call itself fail. */
#include "cuda/engines.h"
#include "cuda/index/add_rows.h"
#include "cuda/runtime/kernel.h"

#include "core/coalesce.h"

#include <stdio.h>
#include <string.h>

#define DIMS 12
#define INDICES 8
#define GET CTI_COMBINE_NONE /* reads, where the others write */

struct arguments {
    char *value, *indexed;
    void *bad;
    int64_t n;
    int wrap, what;
    uint32_t mul[DIMS], shift[DIMS];
    int64_t size[DIMS], value_step[DIMS], indexed_step[DIMS];
    const char *index[INDICES];
    int64_t index_step[INDICES][DIMS], bound[INDICES], bound_step[INDICES];
};

/* The arguments, and what the kernel is specialised for. */
struct work {
    struct arguments a;
    int ndim, nindex;
    int64_t item;
};

static int64_t item(const ct_tensor *t)
{
    return cti_itemsize((enum ct_dtype)t->dtype);
}

/* Adds an innermost dim to the iteration space. */
static bool add_dim(struct work *w, int64_t size, int64_t value, int64_t indexed)
{
    if (w->ndim == DIMS)
        return false;
    w->a.size[w->ndim] = size;
    w->a.value_step[w->ndim] = value;
    w->a.indexed_step[w->ndim++] = indexed;
    w->a.n *= size;
    return true;
}

/* Of the values, the indexed tensor and each index. */
static void coalesce(struct work *w)
{
    struct arguments *a = &w->a;
    int64_t *stride[2 + INDICES] = {a->value_step, a->indexed_step};
    struct cti_dims dims = {.n = w->ndim,
                            .inner_last = true,
                            .keep_one = true,
                            .tensors = 2 + w->nindex,
                            .size = a->size,
                            .stride = stride};
    for (int k = 0; k < w->nindex; k++)
        stride[2 + k] = a->index_step[k];
    w->ndim = cti_coalesce(&dims);
}

/* Contiguous rows move 16, 8 or 4 bytes at a time. */
static void widen(struct work *w)
{
    struct arguments *a = &w->a;
    int last = w->ndim - 1;
    bool plain = a->value_step[last] == w->item && a->indexed_step[last] == w->item;
    uintptr_t all = (uintptr_t)a->value | (uintptr_t)a->indexed;
    for (int d = 0; d < last; d++)
        all |= (uintptr_t)a->value_step[d] | (uintptr_t)a->indexed_step[d];
    for (int k = 0; k < w->nindex; k++) {
        plain = plain && a->index_step[k][last] == 0;
        all |= (uintptr_t)a->bound_step[k];
    }
    while (plain && w->item < 16 && a->size[last] % 2 == 0 && all % (uintptr_t)(2 * w->item) == 0) {
        w->item *= 2;
        a->size[last] /= 2;
        a->n /= 2;
        a->value_step[last] = a->indexed_step[last] = w->item;
    }
}

/* Constants of the division by multiplication; index.cu. */
static void set_divisors(struct work *w)
{
    for (int d = 0; d < w->ndim; d++) {
        uint64_t size = (uint64_t)w->a.size[d], shift = 0;
        while ((UINT64_C(1) << shift) < size)
            shift++;
        w->a.shift[d] = (uint32_t)shift;
        w->a.mul[d] =
            (uint32_t)(((UINT64_C(1) << 32) * ((UINT64_C(1) << shift) - size)) / size + 1);
    }
}

static cu_function kernel_of(int device, enum cti_combine op, int dtype, const struct work *w)
{
    static const char *const plain[] = {
        [1] = "uint8_t", [2] = "uint16_t", [4] = "uint32_t", [8] = "uint64_t", [16] = "ct_c128"};
    bool aligned = w->item == 16 && (cti_itemsize((enum ct_dtype)dtype) < 16);
    const char *far = w->a.n >= INT32_MAX ? "#define WIDE\n" : "";
    if (op == GET || op == CTI_COMBINE_PUT)
        return cti_cuda_template(device, "index/index",
                                 "#define MEMORY %s\n#define NDIM %d\n#define NINDEX %d\n%s%s",
                                 aligned ? "uint4" : plain[w->item], w->ndim, w->nindex, far,
                                 op == GET ? "#define GET\n" : "");
    const char *name = op == CTI_COMBINE_ADD        ? "add"
                       : op == CTI_COMBINE_MULTIPLY ? "mul"
                       : op == CTI_COMBINE_MIN      ? "minimum"
                                                    : "maximum";
    const char *atomic = op != CTI_COMBINE_ADD ? NULL
                         : dtype == CT_FLOAT32 ? "float"
                         : dtype == CT_FLOAT64 ? "double"
                         : dtype == CT_INT32   ? "int"
                         : dtype == CT_INT64   ? "unsigned long long"
                                               : NULL;
    int wide = cti_cuda_compute(dtype);
    char a[80], b[80];
    struct cti_text call = {0}, all = {0};
    snprintf(a, sizeof a, dtype == wide ? "a" : "ctm_f32_from_%s(a)", cti_cuda_suffix[dtype]);
    snprintf(b, sizeof b, dtype == wide ? "b" : "ctm_f32_from_%s(b)", cti_cuda_suffix[dtype]);
    cti_text_printf(&call, "ctr_%s_%s(%s, %s)", name, cti_cuda_suffix[wide], a, b);
    if (!call.failed)
        cti_cuda_cast(&all, dtype, wide, call.v);
    cu_function f = NULL;
    if (!call.failed && !all.failed)
        f = cti_cuda_template(device, "index/index",
                              "#define MEMORY %s\n#define COMBINE(a, b) %s\n#define NDIM %d\n"
                              "#define NINDEX %d\n%s%s%s%s",
                              cti_cuda_type[dtype], all.v, w->ndim, w->nindex, far,
                              atomic ? "#define ATOMIC_ADD " : "", atomic ? atomic : "",
                              atomic ? "\n" : "");
    cti_text_free(&call);
    cti_text_free(&all);
    return f;
}

static enum cti_status run(struct work *w, int device, enum cti_combine op, int dtype)
{
    struct arguments *a = &w->a;
    if (op != CTI_COMBINE_PUT && op != GET && (dtype == CT_BOOL || dtype >= CT_COMPLEX64))
        return CTI_DECLINED;
    if (a->n == 0)
        return CTI_DONE;
    coalesce(w);
    if (op == CTI_COMBINE_PUT || op == GET)
        widen(w);
    set_divisors(w);
    cu_function f = cti_cuda_use(device) ? kernel_of(device, op, dtype, w) : NULL;
    if (!f || !cti_cuda_fault_page(device, &a->bad))
        return CTI_FAILED;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    int64_t blocks = (a->n + 1023) / 1024;
    return cti_cuda_launch(device, f, (unsigned)blocks, 256, 0, a, sizeof *a);
}

/* gather, scatter and index_select: dim `dim` of the indexed tensor follows the index, which has
 * the shape of the values or one dim. */
static enum cti_status along(ct_tensor *indexed, ct_tensor *value, int64_t dim, ct_tensor *index,
                             enum cti_combine op, bool wrap, enum cti_cuda_fault name)
{
    struct work w = {.nindex = 1, .item = item(indexed)};
    struct arguments *a = &w.a;
    bool line = index->ndim < value->ndim || index->ndim == 0;
    const ct_tensor *space = line || op == GET ? value : index;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    bool flat = indexed->ndim == 0;
    a->value = cti_data(value);
    a->indexed = cti_data(indexed);
    a->n = 1;
    a->wrap = wrap;
    a->what = (int)name + CTI_FAULT_DIM * (int)(dim + 1);
    a->index[0] = cti_data(index);
    a->bound[0] = flat ? 1 : indexed->shape[dim];
    a->bound_step[0] = flat ? 0 : indexed->stride[dim] * item(indexed);
    for (int d = 0; d < space->ndim; d++) {
        int64_t step = flat ? 0 : d == dim ? 0 : indexed->stride[d] * item(indexed);
        if (!add_dim(&w, space->shape[d], value->stride[d] * item(value), step))
            return CTI_DECLINED;
        int64_t own = line ? (d == dim && index->ndim ? index->stride[0] : 0) : index->stride[d];
        a->index_step[0][d] = own * 8;
    }
    return run(&w, indexed->storage->device.index, op, indexed->dtype);
}

/* Checks the index before declining: the CPU's engine expects a checked one. */
static bool check_by_host(ct_tensor *index, int64_t dim, const ct_tensor *indexed)
{
    int64_t size = indexed->ndim ? indexed->shape[dim] : 1;
    struct cti_index_check check = {
        .work = {CTI_ENGINE_index_check, index->storage->device},
        .index = index,
        .size = size,
        .wrap = true,
    };
    if (cti_stage(&check.work) != CTI_DONE)
        return false;
    return !check.outside || cti_refuse(CT_ERR_INDEX,
                                        "index %lld is out of bounds for dimension %lld with size "
                                        "%lld",
                                        (long long)check.bad, (long long)dim, (long long)size);
}

enum cti_status cti_cuda_index_check(struct cti_index_check *work)
{
    (void)work;
    /* Kernels check the index themselves: Note [Late faults]. */
    return !cti_cuda_has_kernels() || cti_cuda_fake() ? CTI_DECLINED : CTI_DONE;
}

enum cti_status cti_cuda_gather(struct cti_gather *work)
{
    return along(work->in, work->out, work->dim, work->index, GET, false, CTI_FAULT_GATHER);
}

enum cti_status cti_cuda_index_select(struct cti_index_select *work)
{
    ct_tensor *in = work->in, *index = work->index;
    enum cti_status status = CTI_DECLINED;
    if (index->ndim <= 1)
        status = along(in, work->out, work->dim, index, GET, false, CTI_FAULT_SELECT);
    if (status == CTI_DECLINED && !check_by_host(index, work->dim, in))
        return CTI_FAILED;
    return status;
}

enum cti_status cti_cuda_scatter(struct cti_scatter *work)
{
    ct_tensor *self = work->self, *index = work->index, *src = work->src;
    enum cti_status status = CTI_DECLINED;
    if (work->how == CTI_COMBINE_ADD && work->dim == 0)
        status = cti_cuda_add_rows(self, index, src, CTI_FAULT_SCATTER + CTI_FAULT_DIM);
    if (status == CTI_DECLINED)
        status = along(self, src, work->dim, index, work->how, true, CTI_FAULT_SCATTER);
    if (status == CTI_DECLINED && !check_by_host(index, work->dim, self))
        return CTI_FAILED;
    return status;
}

static enum cti_status advanced(ct_tensor *indexed, ct_tensor *value, ct_tensor *const *index,
                                int nindex, enum cti_combine op)
{
    struct work w = {.nindex = nindex, .item = item(indexed)};
    struct arguments *a = &w.a;
    if (!cti_cuda_has_kernels() || nindex > INDICES)
        return CTI_DECLINED;
    a->value = cti_data(value);
    a->indexed = cti_data(indexed);
    a->n = 1;
    a->wrap = true;
    a->what = op == GET ? CTI_FAULT_GET : CTI_FAULT_PUT;
    int ndim = value->ndim - (indexed->ndim - nindex); /* of the index tensors, broadcast */
    for (int d = 0; d < value->ndim; d++) {
        int64_t step = d < ndim ? 0 : indexed->stride[d - ndim + nindex] * item(indexed);
        if (!add_dim(&w, value->shape[d], value->stride[d] * item(value), step))
            return CTI_DECLINED;
    }
    for (int k = 0; k < nindex; k++) {
        a->index[k] = cti_data(index[k]);
        a->bound[k] = indexed->shape[k];
        a->bound_step[k] = indexed->stride[k] * item(indexed);
        int pad = ndim - index[k]->ndim;
        for (int d = pad; d < ndim; d++)
            a->index_step[k][d] = index[k]->shape[d - pad] == 1 ? 0 : index[k]->stride[d - pad] * 8;
    }
    return run(&w, indexed->storage->device.index, op, indexed->dtype);
}

enum cti_status cti_cuda_index_get(struct cti_index_get *work)
{
    return advanced(work->in, work->out, work->index.v, (int)work->index.n, GET);
}

enum cti_status cti_cuda_index_put(struct cti_index_put *work)
{
    enum cti_combine how = work->accumulate ? CTI_COMBINE_ADD : CTI_COMBINE_PUT;
    if (work->value->ndim < work->self->ndim - work->index.n)
        return CTI_DECLINED;
    return advanced(work->self, work->value, work->index.v, (int)work->index.n, how);
}
