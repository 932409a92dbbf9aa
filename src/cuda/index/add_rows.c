/* SPDX-License-Identifier: BSD-3-Clause */
/* index_add and the gradient of an embedding: rows added to the rows an index names, by
 * add_rows.cu. No atomics, so every run gives the same bits. A long index is sorted first.
 * Called by index.c. */
#include "cuda/index/add_rows.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#define THREADS 256
#define SHORT 8192 /* index entries below which all pairs are compared */
#define NARROW 32  /* narrower rows are not worth a block: atomics, as in PyTorch */

/* Mirrors the kernel's struct. */
struct arguments {
    void *to;
    const void *from, *index, *order;
    void *bad;
    int64_t n, width, bound;
    int32_t what;
};

static cu_function kernel_of(int device, int dtype, bool sorted)
{
    int wide = cti_cuda_compute(dtype);
    struct cti_text load = {0}, store = {0};
    cu_function f = NULL;
    cti_cuda_cast(&load, wide, dtype, "(x)");
    cti_cuda_cast(&store, dtype, wide, "(x)");
    if (!load.failed && !store.failed)
        f = cti_cuda_template(device, "index/add_rows",
                              "#define MEMORY %s\n#define A %s\n#define LOAD(x) %s\n"
                              "#define STORE(x) %s\n%s",
                              cti_cuda_type[dtype], cti_cuda_type[wide], load.v, store.v,
                              sorted ? "#define SORTED\n" : "");
    cti_text_free(&load);
    cti_text_free(&store);
    return f;
}

/* Whether an index, which has the shape of the values, is constant along each row. */
static bool is_line(const ct_tensor *index, const ct_tensor *src)
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
        src->numel / src->shape[0] < NARROW || src->shape[0] > INT32_MAX || !is_line(index, src))
        return CTI_DECLINED;
    struct arguments a = {.to = cti_data(self),
                          .from = cti_data(src),
                          .index = cti_data(index),
                          .n = src->shape[0],
                          .width = src->numel / src->shape[0],
                          .bound = self->shape[0],
                          .what = what};
    bool sorted = a.n > SHORT;
    cu_function f = cti_cuda_use(device) ? kernel_of(device, dtype, sorted) : NULL;
    if (!f || !cti_cuda_fault_page(device, &a.bad))
        return CTI_FAILED;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    ct_tensor *values = NULL, *order = NULL, *line = NULL;
    bool good = true;
    if (sorted) {
        values = cti_empty(1, &a.n, CT_INT64, self->storage->device);
        order = values ? cti_empty(1, &a.n, CT_INT64, self->storage->device) : NULL;
        line = order ? cti_view(index, 1, &a.n, (int64_t[]){1}, index->offset) : NULL;
        good = line &&
               CTI_RUN(sort, line, .values = values, .index = order, .in = line, .stable = true);
        a.index = values ? cti_data(values) : NULL;
        a.order = order ? cti_data(order) : NULL;
    }
    good = good && cti_cuda_launch(device, f, (unsigned)a.n, THREADS, 0, &a, sizeof a);
    ct_release(values);
    ct_release(order);
    ct_release(line);
    return good;
}
