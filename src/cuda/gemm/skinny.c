/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches skinny.cu, float32 GEMM with few rows and a large right operand: its time is that of
 * reading this operand once. Called by gemm.c. */
#include "cuda/gemm/skinny.h"

#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define THREADS 256
#define ROWS 16
#define SPAN 256                 /* K step of a block */
#define LEAST ((int64_t)1 << 20) /* elements of the right operand */
#define MOST (INT32_MAX / 2)

/* Mirrors the kernel's struct. */
struct arguments {
    const void *left, *right, *bias;
    void *out, *parts;
    uint32_t *counters;
    int32_t rows, columns, deep, span, nparts;
    int32_t left_step, right_step, out_step;
    float alpha, beta;
};

/* Whether four adjacent elements of an operand can be loaded at once. */
static bool is_aligned(const void *p, int64_t step, int64_t neighbours)
{
    return (uintptr_t)p % 16 == 0 && step % 4 == 0 && neighbours % 4 == 0;
}

static bool is_skinny(const struct cti_gemm *w, const struct cti_cuda_device *d)
{
    bool deep = w->b_row == 1 && w->k > 1; /* contiguous along k */
    return d->major >= 8 && w->dtype == CT_FLOAT32 && w->batch == 1 && w->m > 1 && w->m <= ROWS &&
           w->n * w->k >= LEAST && w->n < MOST && w->k < MOST && w->c_col == 1 && w->a_col == 1 &&
           is_aligned(w->a, w->a_row, w->k) &&
           (deep ? w->b_col >= w->k && is_aligned(w->b, w->b_col, w->k)
                 : w->b_col == 1 && w->b_row >= w->n && is_aligned(w->b, w->b_row, w->n)) &&
           w->a_row < MOST && w->b_row < MOST && w->b_col < MOST && w->c_row < MOST &&
           w->a_row >= 0 && w->c_row >= 0 && (!w->bias || (w->bias_row == 0 && w->bias_col == 1));
}

int cti_cuda_gemm_skinny(const struct cti_gemm *w)
{
    int device = w->work.device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d || !is_skinny(w, d))
        return d ? 0 : -1;
    bool deep = w->b_row == 1 && w->k > 1;
    int64_t wide = deep ? 32 : 64, tiles = (w->n + wide - 1) / wide;
    int64_t most = (w->k + SPAN - 1) / SPAN;
    int64_t parts = (4 * (int64_t)d->multiprocessors + tiles - 1) / tiles;
    parts = tiles > CTI_CUDA_COUNTERS ? 1 : parts < most ? parts : most;
    struct arguments a = {.left = w->a,
                          .right = w->b,
                          .bias = w->bias,
                          .out = w->c,
                          .rows = (int32_t)w->m,
                          .columns = (int32_t)w->n,
                          .deep = (int32_t)w->k,
                          .span = (int32_t)((most + parts - 1) / parts * SPAN),
                          .left_step = (int32_t)w->a_row,
                          .right_step = (int32_t)(deep ? w->b_col : w->b_row),
                          .out_step = (int32_t)w->c_row,
                          .alpha = (float)w->alpha[0],
                          .beta = (float)w->beta[0]};
    a.nparts = (int32_t)((w->k + a.span - 1) / a.span);
    void *block = NULL;
    if (a.nparts > 1 && (!(a.counters = cti_cuda_counters(device)) ||
                         !(a.parts = cti_cuda_scratch(device, a.nparts * w->m * w->n * 4, &block))))
        return -1;
    bool good = cti_cuda_run(&(struct cti_launch){.file = "gemm/skinny",
                                                  .params = {{"RIGHT_DEEP", deep}},
                                                  .device = device,
                                                  .grid = {(unsigned)tiles, (unsigned)a.nparts},
                                                  .threads = THREADS,
                                                  .args = &a,
                                                  .size = sizeof a});
    cti_cuda_scratch_end(block);
    return good ? 1 : -1;
}
