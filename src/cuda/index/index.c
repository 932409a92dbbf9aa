/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather, scatter, index_select and x[i, j], all by one kernel (index.cu).
 *
 * Note [Late faults] Only the device knows whether an index is in bounds, and the host does not
 * wait for the answer. A kernel skips the elements whose index is out of bounds and records the
 * first such index in a page of host memory. The next launch or wait finds it there and fails with
 * an IndexError; calls after that work again. With CUDA_LAUNCH_BLOCKING=1 the faulty call itself
 * fails. */
#include "cuda/engines.h"
#include "cuda/index/add_rows.h"
#include "cuda/index/index_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include "core/coalesce.h"
#include "core/small.h"

#include <stdio.h>
#include <string.h>

#define GET CTI_COMBINE_NONE /* reads the indexed tensor; the other operations write it */

/* The arguments, and what the kernel is compiled for. */
struct index_work {
    struct index_args a;
    int ndim, nindex;
    int64_t itemsize;
};

/* Adds an innermost dim to the iteration space. */
static bool add_dim(struct index_work *w, int64_t size, int64_t value, int64_t indexed)
{
    if (w->ndim == MAX_DIMS)
        return false;
    w->a.size[w->ndim] = size;
    w->a.value_stride[w->ndim] = value;
    w->a.indexed_stride[w->ndim++] = indexed;
    w->a.n *= size;
    return true;
}

/* Merges dims that are contiguous in the values, the indexed tensor and every index. */
static void coalesce(struct index_work *w)
{
    struct index_args *a = &w->a;
    int64_t *stride[2 + MAX_INDICES] = {a->value_stride, a->indexed_stride};
    struct cti_dims dims = {.n = w->ndim,
                            .inner_last = true,
                            .keep_one = true,
                            .tensors = 2 + w->nindex,
                            .size = a->size,
                            .stride = stride};
    for (int k = 0; k < w->nindex; k++)
        stride[2 + k] = a->index_stride[k];
    w->ndim = cti_coalesce(&dims);
}

/* Lets rows that are contiguous in both tensors be copied up to 16 bytes at a time: doubles the
 * element size as long as the addresses, the strides and the size of the innermost dim allow it. */
static void widen(struct index_work *w)
{
    struct index_args *a = &w->a;
    int last = w->ndim - 1;
    bool plain = a->value_stride[last] == w->itemsize && a->indexed_stride[last] == w->itemsize;
    uintptr_t all = (uintptr_t)a->value | (uintptr_t)a->indexed;
    for (int d = 0; d < last; d++)
        all |= (uintptr_t)a->value_stride[d] | (uintptr_t)a->indexed_stride[d];
    for (int k = 0; k < w->nindex; k++) {
        plain = plain && a->index_stride[k][last] == 0;
        all |= (uintptr_t)a->bound_stride[k];
    }
    while (plain && w->itemsize < 16 && a->size[last] % 2 == 0 &&
           all % (uintptr_t)(2 * w->itemsize) == 0) {
        w->itemsize *= 2;
        a->size[last] /= 2;
        a->n /= 2;
        a->value_stride[last] = a->indexed_stride[last] = w->itemsize;
    }
}

static bool index_launch(const struct index_work *w, int device, enum cti_combine op, int dtype)
{
    static const char *const names[] = {[CTI_COMBINE_ADD] = "add",
                                        [CTI_COMBINE_MULTIPLY] = "mul",
                                        [CTI_COMBINE_MIN] = "minimum",
                                        [CTI_COMBINE_MAX] = "maximum"};
    bool moves = op == GET || op == CTI_COMBINE_PUT;
    bool vector = w->itemsize == 16 && cti_itemsize((enum ct_dtype)dtype) < 16;
    const char *atomic = op != CTI_COMBINE_ADD ? NULL
                         : dtype == CT_FLOAT32 ? "float"
                         : dtype == CT_FLOAT64 ? "double"
                         : dtype == CT_INT32   ? "int"
                         : dtype == CT_INT64   ? "unsigned long long"
                                               : NULL;
    int compute = cti_cuda_compute(dtype);
    char combine[80];
    if (!moves)
        snprintf(combine, sizeof combine, "ctr_%s_%s(a, b)", names[op], cti_cuda_suffix[compute]);
    return cti_cuda_run(&(struct cti_launch){
        .file = "index/index",
        .texts = {{"T", !moves   ? cti_cuda_type[dtype]
                        : vector ? "uint4"
                                 : cti_cuda_bits_type(w->itemsize)},
                  {"COMBINE(a, b)", moves ? NULL : combine},
                  {"ATOMIC_ADD", atomic},
                  {"GET", op == GET ? "" : NULL},
                  {"WIDE", w->a.n >= INT32_MAX ? "" : NULL}},
        .casts = {{moves ? NULL : "LOAD(x)", compute, dtype}, {"STORE(x)", dtype, compute}},
        .params = {{"NDIM", w->ndim}, {"NINDEX", w->nindex}},
        .device = device,
        .grid = {ceil_div(w->a.n, THREADS * POSITIONS)},
        .threads = THREADS,
        CTI_ARGS(w->a)});
}

static enum cti_status index_run(struct index_work *w, int device, enum cti_combine op, int dtype)
{
    struct index_args *a = &w->a;
    bool moves = op == GET || op == CTI_COMBINE_PUT;
    if (!moves && (dtype == CT_BOOL || dtype >= CT_COMPLEX64))
        return CTI_DECLINED;
    if (a->n == 0)
        return CTI_DONE;
    coalesce(w);
    if (moves)
        widen(w);
    for (int d = 0; d < w->ndim; d++)
        a->divisor[d] = cti_divisor_of(a->size[d]);
    if (!cti_cuda_fault_page(device, &a->fault))
        return CTI_FAILED;
    return cti_cuda_launched(index_launch(w, device, op, dtype));
}

/* gather, scatter and index_select: the index selects along dim `dim` of the indexed tensor. It has
 * the shape of the values (for scatter it may be smaller), or one dim. */
static enum cti_status index_along(ct_tensor *indexed, ct_tensor *value, int64_t dim,
                                   ct_tensor *index, enum cti_combine op, bool wrap,
                                   enum cti_cuda_fault fault)
{
    struct index_work w = {.nindex = 1, .itemsize = cti_itemsize(indexed->dtype)};
    struct index_args *a = &w.a;
    bool line = index->ndim < value->ndim || index->ndim == 0;
    const ct_tensor *space = line || op == GET ? value : index;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    bool flat = indexed->ndim == 0;
    a->value = cti_data(value);
    a->indexed = cti_data(indexed);
    a->n = 1;
    a->wrap = wrap;
    a->what = (int)fault + CTI_FAULT_DIM * (int)(dim + 1);
    a->index[0] = cti_data(index);
    a->bound[0] = flat ? 1 : indexed->shape[dim];
    a->bound_stride[0] = flat ? 0 : indexed->stride[dim] * cti_itemsize(indexed->dtype);
    for (int d = 0; d < space->ndim; d++) {
        int64_t step = flat ? 0 : d == dim ? 0 : indexed->stride[d] * cti_itemsize(indexed->dtype);
        if (!add_dim(&w, space->shape[d], value->stride[d] * cti_itemsize(value->dtype), step))
            return CTI_DECLINED;
        int64_t own = line ? (d == dim && index->ndim ? index->stride[0] : 0) : index->stride[d];
        a->index_stride[0][d] = own * 8;
    }
    return index_run(&w, indexed->storage->device.index, op, indexed->dtype);
}

/* Checks the index before work is passed to the CPU's engine, which requires a checked index. */
static bool check_on_host(ct_tensor *index, int64_t dim, const ct_tensor *indexed)
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
    return cti_cuda_has_kernels() ? cti_cuda_launched(true) : CTI_DECLINED;
}

enum cti_status cti_cuda_gather(struct cti_gather *work)
{
    return index_along(work->in, work->out, work->dim, work->index, GET, false, CTI_FAULT_GATHER);
}

enum cti_status cti_cuda_index_select(struct cti_index_select *work)
{
    ct_tensor *in = work->in, *index = work->index;
    enum cti_status status = CTI_DECLINED;
    if (index->ndim <= 1)
        status = index_along(in, work->out, work->dim, index, GET, false, CTI_FAULT_SELECT);
    if (status == CTI_DECLINED && !check_on_host(index, work->dim, in))
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
        status = index_along(self, src, work->dim, index, work->how, true, CTI_FAULT_SCATTER);
    if (status == CTI_DECLINED && !check_on_host(index, work->dim, self))
        return CTI_FAILED;
    return status;
}

static enum cti_status index_advanced(ct_tensor *indexed, ct_tensor *value, ct_tensor *const *index,
                                      int nindex, enum cti_combine op)
{
    struct index_work w = {.nindex = nindex, .itemsize = cti_itemsize(indexed->dtype)};
    struct index_args *a = &w.a;
    if (!cti_cuda_has_kernels() || nindex > MAX_INDICES)
        return CTI_DECLINED;
    a->value = cti_data(value);
    a->indexed = cti_data(indexed);
    a->n = 1;
    a->wrap = true;
    a->what = op == GET ? CTI_FAULT_GET : CTI_FAULT_PUT;
    int ndim = value->ndim - (indexed->ndim - nindex); /* of the index tensors, broadcast */
    for (int d = 0; d < value->ndim; d++) {
        int64_t step =
            d < ndim ? 0 : indexed->stride[d - ndim + nindex] * cti_itemsize(indexed->dtype);
        if (!add_dim(&w, value->shape[d], value->stride[d] * cti_itemsize(value->dtype), step))
            return CTI_DECLINED;
    }
    for (int k = 0; k < nindex; k++) {
        a->index[k] = cti_data(index[k]);
        a->bound[k] = indexed->shape[k];
        a->bound_stride[k] = indexed->stride[k] * cti_itemsize(indexed->dtype);
        int pad = ndim - index[k]->ndim;
        for (int d = pad; d < ndim; d++)
            a->index_stride[k][d] =
                index[k]->shape[d - pad] == 1 ? 0 : index[k]->stride[d - pad] * 8;
    }
    return index_run(&w, indexed->storage->device.index, op, indexed->dtype);
}

enum cti_status cti_cuda_index_get(struct cti_index_get *work)
{
    return index_advanced(work->in, work->out, work->index.v, (int)work->index.n, GET);
}

enum cti_status cti_cuda_index_put(struct cti_index_put *work)
{
    enum cti_combine how = work->accumulate ? CTI_COMBINE_ADD : CTI_COMBINE_PUT;
    if (work->value->ndim < work->self->ndim - work->index.n)
        return CTI_DECLINED;
    return index_advanced(work->self, work->value, work->index.v, (int)work->index.n, how);
}
