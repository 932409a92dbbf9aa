/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches hopper.cu: six bfloat16 products on Hopper's tensor cores take less than
 * half the time of one float32 FMA elsewhere. Chooses tile, orientation and split-K by a cost
 * model. Called by gemm.c. */
#include "cuda/gemm/tensor_cores.h"

#include "core/small.h"
#include "cuda/runtime/launch.h"

#define THREADS 384
#define TILE_M 128
#define DEEP 32 /* K step */
#define STAGES 6
#define LEAST 16                      /* rows, columns and k */
#define LEAST_WORK ((int64_t)1 << 27) /* multiply-adds below which the library may be as fast */
#define LEAST_SPAN 256                /* K span of a split-K part */
#define MOST_PARTS 16

/* Mirrors the kernel's struct. */
struct arguments {
    const void *left, *right, *bias;
    void *out, *parts;
    int64_t left_batch, right_batch, out_batch;
    int32_t left_step, right_step, out_step, rows, columns, deep, span, nparts;
    int32_t high, wide, items, vectors, zero;
    float alpha, beta;
};

/* A configuration. */
struct config {
    bool swapped;  /* operands exchanged */
    int tile_n;    /* 64 or 128 */
    int64_t parts; /* split-K */
};

static struct cti_gemm_tensor exchanged(const struct cti_gemm_tensor *w)
{
    struct cti_gemm_tensor t = *w;
    t.left = w->right;
    t.right = w->left;
    t.rows = w->columns;
    t.columns = w->rows;
    t.left_step = w->right_step;
    t.right_step = w->left_step;
    t.left_batch = w->right_batch;
    t.right_batch = w->left_batch;
    t.left_deep = w->right_deep;
    t.right_deep = w->left_deep;
    return t;
}

/* Whether operands may be loaded as vectors. */
static bool is_aligned(const struct cti_gemm_tensor *w)
{
    uintptr_t bits = (uintptr_t)w->left | (uintptr_t)w->right;
    int64_t all = w->left_step | w->right_step | w->left_batch | w->right_batch |
                  (w->left_deep || w->right_deep ? w->deep : 0) | (w->left_deep ? 0 : w->rows) |
                  (w->right_deep ? 0 : w->columns);
    return bits % 16 == 0 && all % 4 == 0;
}

/* Whether results may be stored as vectors. */
static bool has_aligned_results(const struct cti_gemm_tensor *w)
{
    uintptr_t bits = (uintptr_t)w->out | (uintptr_t)w->bias;
    return bits % 16 == 0 && (w->out_step | w->out_batch | w->rows | w->columns) % 4 == 0;
}

/* Estimated microseconds on an H200: waves of work items, plus the split-K reduction. */
static double time_of(const struct cti_gemm_tensor *w, int64_t tiles, const struct config *config,
                      int multiprocessors)
{
    const double step = config->tile_n == 64 ? 0.84 : 1.22, item = config->tile_n == 64 ? 1.0 : 1.5;
    int64_t steps = ceil_div(ceil_div(w->deep, DEEP), config->parts);
    double sum =
        (double)ceil_div(tiles * config->parts, multiprocessors) * ((double)steps * step + item);
    if (config->parts > 1)
        sum += 3 + (double)(w->rows * w->columns * w->batch * (2 * config->parts + 1)) * 4e-6 / 3;
    return sum;
}

static struct config best_config(const struct cti_gemm_tensor *w, int multiprocessors)
{
    struct config best = {false, 128, 1};
    double least = 1e30;
    int64_t most = w->deep / LEAST_SPAN;
    most = most > MOST_PARTS ? MOST_PARTS : most < 1 ? 1 : most;
    for (int i = 0; i < 4; i++) {
        struct config config = {.swapped = i % 2, .tile_n = i / 2 ? 64 : 128};
        int64_t rows = config.swapped ? w->columns : w->rows;
        int64_t columns = config.swapped ? w->rows : w->columns;
        int64_t tiles = ceil_div(rows, TILE_M) * ceil_div(columns, config.tile_n) * w->batch;
        /* unsplit, and in as many parts as make one to three full waves */
        for (int turns = 0; turns < 4; turns++) {
            config.parts = turns ? turns * multiprocessors / tiles : 1;
            config.parts = config.parts > most ? most : config.parts;
            if (config.parts < 1 || (turns && config.parts == 1))
                continue;
            double time = time_of(w, tiles, &config, multiprocessors);
            if (time < least) {
                least = time;
                best = config;
            }
        }
    }
    return best;
}

bool cti_cuda_is_gemm_hopper(const struct cti_gemm_tensor *w, int device, bool library)
{
    const int64_t most = INT32_MAX / 2;
    struct cti_cuda_device *d = cti_cuda_use(device);
    return d && d->major == 9 && w->rows >= LEAST && w->columns >= LEAST && w->deep >= LEAST &&
           (!library || w->rows * w->columns * w->batch >= LEAST_WORK / w->deep) && is_aligned(w) &&
           w->rows < most && w->columns < most && w->deep < most && w->left_step < most &&
           w->right_step < most && w->out_step < most && w->batch < 65536 &&
           ceil_div(w->rows, TILE_M) * ceil_div(w->columns, 64) * w->batch * MOST_PARTS < most;
}

static struct arguments describe(const struct cti_gemm_tensor *w, const struct config *config)
{
    int64_t span = ceil_div(ceil_div(w->deep, config->parts), DEEP) * DEEP;
    int64_t nparts = ceil_div(w->deep, span);
    int64_t high = ceil_div(w->rows, TILE_M), wide = ceil_div(w->columns, config->tile_n);
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
                              .span = (int32_t)span,
                              .nparts = (int32_t)nparts,
                              .high = (int32_t)high,
                              .wide = (int32_t)wide,
                              .items = (int32_t)(high * wide * nparts * w->batch),
                              .vectors = has_aligned_results(w),
                              .alpha = (float)w->alpha,
                              .beta = (float)w->beta};
}

static bool run(const struct arguments *a, const struct cti_gemm_tensor *w, int device,
                const struct config *config, int multiprocessors)
{
    /* pipeline stages of three bfloat16 terms, and staged accumulators */
    int shared = config->tile_n * (STAGES * 3 * DEEP * 2 + TILE_M * 4) + 1024;
    return cti_cuda_run(&(struct cti_launch){
        .file = "gemm/hopper",
        .params = {{"BN", config->tile_n},
                   {"LEFT_DEEP", w->left_deep},
                   {"RIGHT_DEEP", w->right_deep},
                   {"TRANSPOSED", config->swapped},
                   {"STAGES", STAGES},
                   {"LEFT_AHEAD", config->tile_n == 64 ? 2 : 1}},
        .device = device,
        .grid = {(unsigned)(a->items < multiprocessors ? a->items : multiprocessors)},
        .threads = THREADS,
        .shared = (unsigned)shared,
        .args = a,
        .size = sizeof *a});
}

bool cti_cuda_gemm_hopper(const struct cti_gemm_tensor *w, int device)
{
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    struct config config = best_config(w, d->multiprocessors);
    struct cti_gemm_tensor t = config.swapped ? exchanged(w) : *w;
    struct arguments a = describe(&t, &config);
    void *block = NULL;
    if (a.nparts > 1 && !(a.parts = cti_cuda_scratch(
                              device, a.nparts * w->batch * w->rows * w->columns * 4, &block)))
        return false;
    bool good = run(&a, &t, device, &config, d->multiprocessors) &&
                (a.nparts == 1 || cti_cuda_gemm_tensor_finish(w, device, a.parts, a.nparts));
    cti_cuda_scratch_end(block);
    return good;
}
