/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches tensor_cores.cu: three TF32 products on tensor cores take less time than one
 * float32 FMA elsewhere and lose no accuracy. For cards before Hopper; called by gemm.c. */
#include "cuda/gemm/tensor_cores.h"

#include "core/small.h"
#include "cuda/runtime/launch.h"

#define THREADS 256
#define MIN_SIZE 64                 /* if m, n or k is smaller, the library is as fast */
#define MIN_WORK ((int64_t)1 << 29) /* multiply-adds, likewise */
#define LONG_K 512
#define MIN_PART 256 /* k of a split-K part */
#define MAX_PARTS 32

enum { BM = 64, BN = 128, BK = 16 };

/* Whether four adjacent elements of an operand may be loaded, and two of C be stored, at once. */
static bool gemm_tensor_is_aligned(const struct cti_gemm_tensor *w)
{
    uintptr_t bits = (uintptr_t)w->a.data | (uintptr_t)w->b.data;
    int64_t all = w->a.ld | w->b.ld | w->a.batch | w->b.batch | w->n |
                  (w->a.k_major || w->b.k_major ? w->k : 0) | (w->a.k_major ? 0 : w->m);
    return bits % 16 == 0 && all % 4 == 0 && (uintptr_t)w->c % 8 == 0 &&
           (w->ldc | w->c_batch) % 2 == 0;
}

/* Measured on an H200: the library wins for small problems, and for a long K with an M-major A. */
bool cti_cuda_gemm_tensor_fits(const struct cti_gemm_tensor *w, int device, bool library)
{
    struct cti_cuda_device *d = cti_cuda_use(device);
    return d && d->major >= 8 && w->m >= MIN_SIZE && w->n >= MIN_SIZE && w->k >= MIN_SIZE &&
           gemm_fits_int32(w) &&
           (!library ||
            (w->m * w->n * w->batch >= MIN_WORK / w->k && (w->a.k_major || w->k <= LONG_K)));
}

/* finish: the split-K reduction, which does not read the operands. */
static bool launch_tensor(const struct gemm_args *a, const struct cti_gemm_tensor *w, int device,
                          bool finish, int64_t grid_x, int64_t grid_y)
{
    return cti_cuda_run(
        &(struct cti_launch){.file = "gemm/tensor_cores",
                             .texts = {{"T", "float"}},
                             .params = {{"FINISH", finish},
                                        {"BM", BM},
                                        {"BN", BN},
                                        {"BK", BK},
                                        {"LEFT_K_MAJOR", !finish && w->a.k_major},
                                        {"RIGHT_K_MAJOR", !finish && w->b.k_major},
                                        {"VECTOR", finish || gemm_tensor_is_aligned(w) ? 4 : 1},
                                        {"EXACT", 1}},
                             .device = device,
                             .grid = {grid_x, grid_y, w->batch},
                             .threads = THREADS,
                             .args = a,
                             .size = sizeof *a});
}

bool cti_cuda_gemm_tensor_finish(const struct cti_gemm_tensor *w, int device,
                                 const struct gemm_args *a)
{
    struct gemm_args f = gemm_args_of(w, a->part_k);
    f.parts = a->parts;
    return launch_tensor(&f, w, device, true, ceil_div(w->m * w->n, THREADS), 1);
}

bool cti_cuda_gemm_tensor(const struct cti_gemm_tensor *w, int device)
{
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    int64_t tiles = ceil_div(w->m, BM) * ceil_div(w->n, BN);
    /* as many parts as give each multiprocessor two blocks */
    int64_t parts = min64(d->multiprocessors * 2 / (tiles * w->batch), w->k / MIN_PART);
    parts = min64(max64(parts, 1), MAX_PARTS);
    struct gemm_args a = gemm_args_of(w, round_up(ceil_div(w->k, parts), BK));
    void *block = NULL;
    if (a.nparts > 1 &&
        !(a.parts = cti_cuda_scratch(device, a.nparts * w->batch * w->m * w->n * 4, &block)))
        return false;
    bool good = launch_tensor(&a, w, device, false, tiles, a.nparts) &&
                (a.nparts == 1 || cti_cuda_gemm_tensor_finish(w, device, &a));
    cti_cuda_scratch_end(block);
    return good;
}
