/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatter-add into lines of zeros by scatter_lines.cu: a line is accumulated in shared
 * memory and written once, which spares the fill and the scattered read-modify-writes in global
 * memory. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#define THREADS 256
#define MOST_SHARED 100000 /* bytes, for two resident blocks */
#define PLAIN_SHARED 49152 /* bytes available without an opt-in */
#define FEW 4096           /* elements of a block's lines, unless one has more */

/* Mirrors the kernel's struct. */
struct arguments {
    void *out;
    const void *index, *src;
    int64_t lines;
    int32_t wide, many, per;
    uint32_t inverse;
};

enum cti_status cti_cuda_scatter_lines(struct cti_scatter_lines *work)
{
    ct_tensor *out = work->out, *index = work->index, *src = work->src;
    int device = out->storage->device.index, dtype = out->dtype;
    int64_t n = out->shape[1], size = cti_itemsize((enum ct_dtype)dtype);
    if (!cti_cuda_has_kernels() || out->numel == 0 ||
        (dtype != CT_FLOAT32 && dtype != CT_FLOAT64) || n * size > MOST_SHARED ||
        index->numel >= INT32_MAX || (uintptr_t)cti_data(out) % 16 != 0)
        return CTI_DECLINED;
    cu_function f = cti_cuda_use(device) ? cti_cuda_template(device, "index/scatter_lines",
                                                             "#define T %s\n", cti_cuda_type[dtype])
                                         : NULL;
    if (!f || cti_cuda_fake())
        return f ? CTI_DECLINED : CTI_FAILED;
    struct arguments a = {.out = cti_data(out),
                          .index = cti_data(index),
                          .src = cti_data(src),
                          .lines = out->shape[0],
                          .wide = (int32_t)n,
                          .many = (int32_t)index->shape[1],
                          .per = (int32_t)(n < FEW ? FEW / n : 1)};
    /* Exact for all i below 2^32 / many; one line needs no division at all. */
    if (a.many > 1 && (int64_t)a.per * a.many * a.many < UINT32_MAX)
        a.inverse = (uint32_t)(UINT32_MAX / (uint32_t)a.many + 1);
    unsigned blocks = (unsigned)((a.lines + a.per - 1) / a.per);
    unsigned shared = (unsigned)((a.per * n * size + 15) / 16 * 16);
    bool good =
        (shared <= PLAIN_SHARED ||
         cti_cuda_check(cti_cu.function_set(f, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)shared))) &&
        cti_cuda_launch(device, f, blocks, THREADS, shared, &a, sizeof a);
    return good;
}
