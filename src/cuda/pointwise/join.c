/* SPDX-License-Identifier: BSD-3-Clause */
/* Concatenation of contiguous tensors of one dtype by join.cu, in one launch for up to 32 of them:
 * each is a matrix whose rows are parts of the result's rows. Other tensors are copied one by one.
 */
#include "core/small.h"
#include "cuda/engines.h"
#include "cuda/pointwise/pointwise_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

static bool is_plain(const ct_tensor *t, const ct_tensor *dst)
{
    return (t->flags & CTI_CONTIGUOUS) && t->dtype == dst->dtype &&
           !(t->flags & (CTI_CONJ | CTI_NEG)) && t->numel < INT32_MAX;
}

static int64_t row_bytes(const ct_tensor *t, int64_t rows)
{
    return t->numel / rows * cti_itemsize(t->dtype);
}

/* The largest vectors, up to 16 bytes, that all addresses and row lengths are multiples of. */
static int vector_bytes(const ct_tensor *dst, ct_tensor *const *src, int64_t n, int64_t rows)
{
    uintptr_t all = (uintptr_t)cti_data(dst) | (uintptr_t)row_bytes(dst, rows) | 16;
    for (int64_t i = 0; i < n; i++)
        all |= (uintptr_t)cti_data(src[i]) | (uintptr_t)row_bytes(src[i], rows);
    return (int)(all & -all);
}

static bool join_launch(const struct join_args *a, int device, int pack, int64_t nparts,
                        int64_t widest)
{
    return cti_cuda_run(
        &(struct cti_launch){.file = "pointwise/join",
                             .params = {{"PACK", pack}},
                             .device = device,
                             .grid = {ceil_div(a->rows * widest, THREADS * JOIN_VECTORS), nparts},
                             .threads = THREADS,
                             CTI_ARGS(*a)});
}

enum cti_status cti_cuda_join(struct cti_join *work)
{
    ct_tensor *dst = work->dst, *const *src = work->parts.v;
    int64_t n = work->parts.n, column = 0, widest = 0;
    int device = dst->storage->device.index;
    bool plain = n > 1 && cti_cuda_has_kernels() && (dst->flags & CTI_CONTIGUOUS) && dst->numel;
    for (int64_t i = 0; plain && i < n; i++)
        plain = is_plain(src[i], dst);
    if (!plain)
        return cti_join_by_copies(work);
    struct join_args a = {.to = cti_data(dst), .rows = 1};
    for (int d = 0; d < work->dim; d++)
        a.rows *= dst->shape[d];
    int pack = vector_bytes(dst, src, n, a.rows);
    a.row_size = row_bytes(dst, a.rows) / pack;
    bool good = true;
    for (int64_t i = 0, k = 0; good && i < n; i++) {
        int64_t width = row_bytes(src[i], a.rows) / pack;
        a.parts[k++] = (struct join_part){cti_data(src[i]), column, cti_divisor_of(width)};
        column += width;
        widest = max64(widest, width);
        if (k == JOIN_PARTS || i + 1 == n) {
            good = join_launch(&a, device, pack, k, widest);
            k = widest = 0;
        }
    }
    return cti_cuda_launched(good);
}
