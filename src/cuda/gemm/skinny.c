/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches skinny.cu, float32 GEMM with few rows and a large B; its cost is reading B once. Called
 * by gemm.c. */
#include "cuda/gemm/skinny.h"

#include "core/small.h"
#include "cuda/gemm/gemm_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define MAX_M 16
#define STEP 256                 /* K step of a block */
#define MIN_B ((int64_t)1 << 20) /* elements */
#define MOST (INT32_MAX / 2)

/* Whether an operand with runs of `n` adjacent elements can be loaded four elements at a time. */
static bool skinny_is_aligned(const void *p, int64_t ld, int64_t n)
{
    return (uintptr_t)p % 16 == 0 && ld % 4 == 0 && n % 4 == 0;
}

static bool is_k_major(const struct cti_gemm *w)
{
    return w->b_row == 1 && w->k > 1;
}

static bool is_skinny(const struct cti_gemm *w, const struct cti_cuda_device *d)
{
    return d->major >= 8 && w->dtype == CT_FLOAT32 && w->batch == 1 && w->m > 1 && w->m <= MAX_M &&
           w->n * w->k >= MIN_B && w->n < MOST && w->k < MOST && w->c_col == 1 && w->a_col == 1 &&
           skinny_is_aligned(w->a, w->a_row, w->k) &&
           (is_k_major(w)
                ? w->b_col >= w->k && skinny_is_aligned(w->b, w->b_col, w->k)
                : w->b_col == 1 && w->b_row >= w->n && skinny_is_aligned(w->b, w->b_row, w->n)) &&
           w->a_row < MOST && w->b_row < MOST && w->b_col < MOST && w->c_row < MOST &&
           w->a_row >= 0 && w->c_row >= 0 && (!w->bias || (w->bias_row == 0 && w->bias_col == 1));
}

enum cti_status cti_cuda_gemm_skinny(const struct cti_gemm *w)
{
    int device = w->work.device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d || !is_skinny(w, d))
        return d ? CTI_DECLINED : CTI_FAILED;
    bool k_major = is_k_major(w);
    int64_t tiles = ceil_div(w->n, k_major ? 32 : 64), steps = ceil_div(w->k, STEP);
    int64_t parts = min64(ceil_div(4 * (int64_t)d->multiprocessors, tiles), steps);
    if (tiles > CTI_CUDA_COUNTERS) /* a counter for each tile if there are parts */
        parts = 1;
    struct gemm_args a = {.A = w->a,
                          .B = w->b,
                          .bias = w->bias,
                          .C = w->c,
                          .M = (int32_t)w->m,
                          .N = (int32_t)w->n,
                          .K = (int32_t)w->k,
                          .part_k = (int32_t)(ceil_div(steps, parts) * STEP),
                          .lda = (int32_t)w->a_row,
                          .ldb = (int32_t)(k_major ? w->b_col : w->b_row),
                          .ldc = (int32_t)w->c_row,
                          .alpha = (float)w->alpha[0],
                          .beta = (float)w->beta[0]};
    a.nparts = (int32_t)ceil_div(w->k, a.part_k);
    void *block = NULL;
    if (a.nparts > 1 && (!(a.counters = cti_cuda_counters(device)) ||
                         !(a.parts = cti_cuda_scratch(device, a.nparts * w->m * w->n * 4, &block))))
        return CTI_FAILED;
    bool good = cti_cuda_run(&(struct cti_launch){.file = "gemm/skinny",
                                                  .texts = {{"T", "float"}},
                                                  .params = {{"RIGHT_K_MAJOR", k_major}},
                                                  .device = device,
                                                  .grid = {tiles, a.nparts},
                                                  .threads = 256,
                                                  .args = &a,
                                                  .size = sizeof a});
    cti_cuda_scratch_end(block);
    return good;
}
