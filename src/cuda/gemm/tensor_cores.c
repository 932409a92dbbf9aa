/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches tensor_cores.cu: three TF32 products on tensor cores take less time than one
 * float32 FMA elsewhere and lose no accuracy. For cards before Hopper; called by gemm.c. */
#include "cuda/gemm/tensor_cores.h"

#include "core/small.h"
#include "cuda/runtime/launch.h"

#define THREADS 256
#define LEAST 64                      /* rows, columns and k, below which the library is as fast */
#define LEAST_WORK ((int64_t)1 << 29) /* multiply-adds */
#define LONG 512                      /* k */
#define LEAST_SPAN 256                /* K span of a split-K part */
#define MOST_PARTS 32

enum kind { PRODUCT, FINISH };

/* Mirrors the kernel's struct. */
struct arguments {
    const void *left, *right, *bias;
    void *out, *parts;
    int64_t left_batch, right_batch, out_batch;
    int32_t left_step, right_step, out_step, rows, columns, deep, span, nparts;
    float alpha, beta;
};

/* Tile of a block, and its K step. */
enum { TILE_M = 64, TILE_N = 128, DEEP = 16 };

/* Whether four adjacent elements may be loaded, and two be stored, at once. */
static bool is_aligned(const struct cti_gemm_tensor *w)
{
    uintptr_t bits = (uintptr_t)w->left | (uintptr_t)w->right;
    int64_t all = w->left_step | w->right_step | w->left_batch | w->right_batch | w->columns |
                  (w->left_deep || w->right_deep ? w->deep : 0) | (w->left_deep ? 0 : w->rows);
    return bits % 16 == 0 && all % 4 == 0 && (uintptr_t)w->out % 8 == 0 &&
           (w->out_step | w->out_batch) % 2 == 0;
}

/* Measured on an H200: the library wins for small problems, and for a long K with an M-major left
 * operand. */
bool cti_cuda_is_gemm_tensor(const struct cti_gemm_tensor *w, int device, bool library)
{
    const int64_t most = INT32_MAX / 2;
    struct cti_cuda_device *d = cti_cuda_use(device);
    return d && d->major >= 8 && w->rows >= LEAST && w->columns >= LEAST && w->deep >= LEAST &&
           (!library || (w->rows * w->columns * w->batch >= LEAST_WORK / w->deep &&
                         (w->left_deep || w->deep <= LONG))) &&
           w->rows < most && w->columns < most && w->deep < most && w->left_step < most &&
           w->right_step < most && w->out_step < most && w->batch < 65536;
}

/* x by y blocks for each product of the batch. */
static bool run(const struct arguments *a, const struct cti_gemm_tensor *w, int device,
                enum kind kind, int64_t x, int64_t y)
{
    bool product = kind == PRODUCT; /* FINISH does not read the operands */
    return cti_cuda_run(
        &(struct cti_launch){.file = "gemm/tensor_cores",
                             .params = {{"KIND", (int)kind},
                                        {"BM", TILE_M},
                                        {"BN", TILE_N},
                                        {"BK", DEEP},
                                        {"LEFT_DEEP", product && w->left_deep},
                                        {"RIGHT_DEEP", product && w->right_deep},
                                        {"VECTOR", !product || is_aligned(w) ? 4 : 1},
                                        {"EXACT", 1}},
                             .device = device,
                             .grid = {(unsigned)x, (unsigned)y, (unsigned)w->batch},
                             .threads = THREADS,
                             .args = a,
                             .size = sizeof *a});
}

static struct arguments describe(const struct cti_gemm_tensor *w)
{
    return (struct arguments){.left = w->left,
                              .right = w->right,
                              .bias = w->bias,
                              .out = w->out,
                              .left_batch = w->left_batch,
                              .right_batch = w->right_batch,
                              .out_batch = w->out_batch,
                              .left_step = (int32_t)w->left_step,
                              .right_step = (int32_t)w->right_step,
                              .out_step = (int32_t)w->out_step,
                              .rows = (int32_t)w->rows,
                              .columns = (int32_t)w->columns,
                              .deep = (int32_t)w->deep,
                              .alpha = (float)w->alpha,
                              .beta = (float)w->beta};
}

bool cti_cuda_gemm_tensor_finish(const struct cti_gemm_tensor *w, int device, void *parts,
                                 int nparts)
{
    struct arguments a = describe(w);
    a.parts = parts;
    a.nparts = nparts;
    return run(&a, w, device, FINISH, ceil_div(w->rows * w->columns, THREADS), 1);
}

bool cti_cuda_gemm_tensor(const struct cti_gemm_tensor *w, int device)
{
    struct arguments a = describe(w);
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    int64_t tiles = ceil_div(w->rows, TILE_M) * ceil_div(w->columns, TILE_N);
    int64_t all = w->rows * w->columns, most = w->deep / LEAST_SPAN;
    int64_t parts = d->multiprocessors * 2 / (tiles * w->batch);
    parts = parts < most ? parts : most;
    parts = parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : parts;
    a.span = (int32_t)(ceil_div(ceil_div(w->deep, parts), DEEP) * DEEP);
    a.nparts = (int32_t)ceil_div(w->deep, a.span);
    void *block = NULL;
    if (a.nparts > 1 &&
        !(a.parts = cti_cuda_scratch(device, a.nparts * w->batch * all * 4, &block)))
        return false;
    bool good = run(&a, w, device, PRODUCT, tiles, a.nparts) &&
                (a.nparts == 1 || cti_cuda_gemm_tensor_finish(w, device, a.parts, a.nparts));
    cti_cuda_scratch_end(block);
    return good;
}
