/* SPDX-License-Identifier: BSD-3-Clause */
/* index_add and the gradient of an embedding: adds rows to the rows selected by an index, with
 * add_rows.cu. No atomics are used, so that every run gives the same bits; a long index is sorted
 * first. Called by index.c. */
#include "cuda/index/add_rows.h"
#include "cuda/engines.h"
#include "cuda/index/index_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define SHORT 8192   /* up to this many index entries, comparing all pairs is faster than sorting */
#define MIN_WIDTH 32 /* narrower rows do not fill a block and use atomics, as in PyTorch */

/* Whether the index, which has the shape of src, is the same for all elements of a row. */
static bool selects_rows(const ct_tensor *index, const ct_tensor *src)
{
    bool line = index->ndim == src->ndim && (index->stride[0] == 1 || index->shape[0] == 1);
    for (int d = 1; line && d < index->ndim; d++)
        line = index->stride[d] == 0 || index->shape[d] == 1;
    return line && index->shape[0] == src->shape[0];
}

enum cti_status cti_cuda_add_rows(ct_tensor *self, ct_tensor *index, ct_tensor *src, int what)
{
    int device = self->storage->device.index, dtype = self->dtype;
    if (!cti_cuda_has_kernels() || self->ndim < 1 || src->ndim != self->ndim ||
        src->dtype != dtype || dtype < CT_FLOAT16 || dtype > CT_FLOAT64 ||
        !(self->flags & CTI_CONTIGUOUS) || !(src->flags & CTI_CONTIGUOUS) || src->numel == 0 ||
        src->numel / src->shape[0] < MIN_WIDTH || src->shape[0] > INT32_MAX ||
        !selects_rows(index, src))
        return CTI_DECLINED;
    struct add_rows_args a = {.to = cti_data(self),
                              .from = cti_data(src),
                              .index = cti_cuda_data(index),
                              .n = src->shape[0],
                              .width = src->numel / src->shape[0],
                              .bound = self->shape[0],
                              .what = what};
    if (!cti_cuda_fault_page(device, &a.fault))
        return CTI_FAILED;
    bool sorted = a.n > SHORT, good = true;
    ct_tensor *values = NULL, *order = NULL, *line = NULL;
    if (sorted) {
        values = cti_empty(1, &a.n, CT_INT64, self->storage->device);
        order = values ? cti_empty(1, &a.n, CT_INT64, self->storage->device) : NULL;
        line = order ? cti_view(index, 1, &a.n, (int64_t[]){1}, index->offset) : NULL;
        good = line &&
               CTI_RUN(sort, line, .values = values, .index = order, .in = line, .stable = true);
        a.index = cti_cuda_data(values);
        a.order = cti_cuda_data(order);
    }
    int compute = cti_cuda_compute(dtype);
    good = good && cti_cuda_run(&(struct cti_launch){
                       .file = "index/add_rows",
                       .texts = {{"T", cti_cuda_type[dtype]},
                                 {"SUM", cti_cuda_type[compute]},
                                 {"SORTED", sorted ? "" : NULL}},
                       .casts = {{"LOAD(x)", compute, dtype}, {"STORE(x)", dtype, compute}},
                       .device = device,
                       .grid = {a.n},
                       .threads = THREADS,
                       CTI_ARGS(a)});
    cti_release_all(values, order, line);
    return cti_cuda_launched(good);
}
