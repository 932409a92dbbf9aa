/* SPDX-License-Identifier: BSD-3-Clause */
/* Concatenation in one launch (join.cu), where all tensors are contiguous and of one type:
 * each is then a matrix whose rows are slices of the result's rows. Everything else is one copy for
 * each source. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include <string.h>

#define THREADS 256
#define EACH 4
#define PARTS 32 /* of one launch */

/* Mirrors the kernel's struct. */
struct part {
    const void *from;
    int64_t at;
    uint32_t across, mul, shift, unused;
};

struct arguments {
    void *to;
    int64_t rows, row;
    struct part parts[PARTS];
};

static bool is_plain(const ct_tensor *t, const ct_tensor *dst)
{
    return (t->flags & CTI_CONTIGUOUS) && t->dtype == dst->dtype &&
           !(t->flags & (CTI_CONJ | CTI_NEG)) && t->numel < INT32_MAX;
}

/* Bytes of a row. */
static int64_t row_of(const ct_tensor *t, int64_t rows)
{
    return t->numel / rows * cti_itemsize((enum ct_dtype)t->dtype);
}

/* The widest vectors that all addresses and lengths allow. */
static int pack_of(const ct_tensor *dst, ct_tensor *const *src, int64_t n, int64_t rows)
{
    uintptr_t all = (uintptr_t)cti_data(dst) | (uintptr_t)row_of(dst, rows) | 16;
    for (int64_t i = 0; i < n; i++)
        all |= (uintptr_t)cti_data(src[i]) | (uintptr_t)row_of(src[i], rows);
    return (int)(all & -all);
}

static struct part part_of(const ct_tensor *t, int64_t rows, int pack, int64_t at)
{
    struct part p = {.from = cti_data(t), .at = at};
    p.across = (uint32_t)(row_of(t, rows) / pack);
    while ((UINT64_C(1) << p.shift) < p.across)
        p.shift++;
    if (p.across)
        p.mul = (uint32_t)((((UINT64_C(1) << p.shift) - p.across) << 32) / p.across + 1);
    return p;
}

enum cti_status cti_cuda_join(struct cti_join *work)
{
    ct_tensor *dst = work->dst;
    ct_tensor *const *src = work->parts.v;
    int64_t n = work->parts.n;
    int dim = work->dim;
    bool plain = n > 1 && cti_cuda_has_kernels() && (dst->flags & CTI_CONTIGUOUS) && dst->numel;
    int64_t rows = 1, at = 0, most = 0;
    int device = dst->storage->device.index;
    for (int64_t i = 0; plain && i < n; i++)
        plain = is_plain(src[i], dst);
    if (!plain)
        return cti_join_by_copies(work);
    for (int d = 0; d < dim; d++)
        rows *= dst->shape[d];
    int pack = pack_of(dst, src, n, rows);
    cu_function f = cti_cuda_use(device)
                        ? cti_cuda_template(device, "pointwise/join",
                                            "#define PACK %d\n#define PARTS %d\n", pack, PARTS)
                        : NULL;
    if (!f || cti_cuda_fake())
        return f && cti_join_by_copies(work);
    struct arguments a = {.to = cti_data(dst), .rows = rows, .row = row_of(dst, rows) / pack};
    bool good = true;
    for (int64_t i = 0, k = 0; good && i < n; i++) {
        a.parts[k] = part_of(src[i], rows, pack, at);
        at += a.parts[k].across;
        most = a.parts[k].across > most ? a.parts[k].across : most;
        if (++k < PARTS && i + 1 < n)
            continue;
        int64_t blocks = (rows * most + THREADS * EACH - 1) / (THREADS * EACH);
        const unsigned grid[3] = {(unsigned)blocks, (unsigned)k, 1};
        good = blocks == 0 || cti_cuda_launch_2d(device, f, grid, THREADS, 0, &a, sizeof a);
        k = most = 0;
    }
    return good;
}
