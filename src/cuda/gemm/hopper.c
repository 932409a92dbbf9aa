/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches hopper.cu: float32 products with each operand split into three bfloat16 terms. The six
 * products of terms on tensor cores take less than half the time of a float32 product by FMAs.
 * Chooses tile, orientation and split-K by a cost model. Called by gemm.c. */
#include "cuda/gemm/tensor_cores.h"

#include "core/small.h"
#include "cuda/runtime/launch.h"

#define THREADS 384
#define BM 128
#define BK 32
#define STAGES 6
#define MIN_SIZE 16                 /* m, n and k */
#define MIN_WORK ((int64_t)1 << 27) /* multiply-adds below which the library may be as fast */
#define MIN_PART 256                /* k of a split-K part */
#define MAX_PARTS 16

/* A configuration of the kernel. */
struct config {
    bool swapped;  /* computes the transpose, with the operands exchanged */
    int bn;        /* 64 or 128 */
    int64_t parts; /* split-K */
};

/* Exchanges the operands of a product; the kernel then stores its result transposed. */
static struct cti_gemm_tensor exchanged(const struct cti_gemm_tensor *w)
{
    struct cti_gemm_tensor t = *w;
    t.a = w->b;
    t.b = w->a;
    t.m = w->n;
    t.n = w->m;
    return t;
}

/* Whether operands may be loaded as vectors. */
static bool hopper_is_aligned(const struct cti_gemm_tensor *w)
{
    uintptr_t bits = (uintptr_t)w->a.data | (uintptr_t)w->b.data;
    int64_t all = w->a.ld | w->b.ld | w->a.batch | w->b.batch |
                  (w->a.k_major || w->b.k_major ? w->k : 0) | (w->a.k_major ? 0 : w->m) |
                  (w->b.k_major ? 0 : w->n);
    return bits % 16 == 0 && all % 4 == 0;
}

/* Whether results may be stored as vectors. */
static bool hopper_has_aligned_results(const struct cti_gemm_tensor *w)
{
    uintptr_t bits = (uintptr_t)w->c | (uintptr_t)w->bias;
    return bits % 16 == 0 && (w->ldc | w->c_batch | w->m | w->n) % 4 == 0;
}

/* Estimated microseconds on an H200: waves of work items, plus the split-K reduction. */
static double hopper_time_of(const struct cti_gemm_tensor *w, int64_t tiles, const struct config *c,
                             int multiprocessors)
{
    const double step = c->bn == 64 ? 0.84 : 1.22, item = c->bn == 64 ? 1.0 : 1.5;
    int64_t steps = ceil_div(ceil_div(w->k, BK), c->parts);
    double sum =
        (double)ceil_div(tiles * c->parts, multiprocessors) * ((double)steps * step + item);
    if (c->parts > 1)
        sum += 3 + (double)(w->m * w->n * w->batch * (2 * c->parts + 1)) * 4e-6 / 3;
    return sum;
}

static struct config hopper_best_config(const struct cti_gemm_tensor *w, int multiprocessors)
{
    struct config best = {false, 128, 1};
    double least = 1e30;
    int64_t most = min64(max64(w->k / MIN_PART, 1), MAX_PARTS);
    for (int i = 0; i < 4; i++) {
        struct config c = {.swapped = i % 2, .bn = i / 2 ? 64 : 128};
        int64_t m = c.swapped ? w->n : w->m, n = c.swapped ? w->m : w->n;
        int64_t tiles = ceil_div(m, BM) * ceil_div(n, c.bn) * w->batch;
        /* try no split, and splits into as many parts as fill one to three waves */
        for (int waves = 0; waves < 4; waves++) {
            c.parts = min64(waves ? waves * multiprocessors / tiles : 1, most);
            if (c.parts < 1 || (waves && c.parts == 1))
                continue;
            double time = hopper_time_of(w, tiles, &c, multiprocessors);
            if (time < least) {
                least = time;
                best = c;
            }
        }
    }
    return best;
}

bool cti_cuda_gemm_hopper_fits(const struct cti_gemm_tensor *w, int device, bool library)
{
    struct cti_cuda_device *d = cti_cuda_use(device);
    return d && d->major == 9 && w->m >= MIN_SIZE && w->n >= MIN_SIZE && w->k >= MIN_SIZE &&
           (!library || w->m * w->n * w->batch >= MIN_WORK / w->k) && hopper_is_aligned(w) &&
           gemm_fits_int32(w) &&
           ceil_div(w->m, BM) * ceil_div(w->n, 64) * w->batch * MAX_PARTS < INT32_MAX / 2;
}

bool cti_cuda_gemm_hopper(const struct cti_gemm_tensor *w, int device)
{
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    struct config c = hopper_best_config(w, d->multiprocessors);
    struct cti_gemm_tensor t = c.swapped ? exchanged(w) : *w;
    struct gemm_args a = gemm_args_of(&t, round_up(ceil_div(w->k, c.parts), BK));
    a.tiles_m = (int32_t)ceil_div(t.m, BM);
    a.tiles_n = (int32_t)ceil_div(t.n, c.bn);
    a.items = a.tiles_m * a.tiles_n * a.nparts * (int32_t)w->batch;
    a.vectors = hopper_has_aligned_results(&t);
    void *block = NULL;
    if (a.nparts > 1 &&
        !(a.parts = cti_cuda_scratch(device, a.nparts * w->batch * w->m * w->n * 4, &block)))
        return false;
    /* shared memory: pipeline stages of three bfloat16 terms, and staged accumulators */
    int shared = c.bn * (STAGES * 3 * BK * 2 + BM * 4) + 1024;
    bool good = cti_cuda_run(&(struct cti_launch){.file = "gemm/hopper",
                                                  .texts = {{"T", "float"}},
                                                  .params = {{"BN", c.bn},
                                                             {"LEFT_K_MAJOR", t.a.k_major},
                                                             {"RIGHT_K_MAJOR", t.b.k_major},
                                                             {"TRANSPOSED", c.swapped},
                                                             {"STAGES", STAGES},
                                                             {"LEFT_AHEAD", c.bn == 64 ? 2 : 1}},
                                                  .device = device,
                                                  .grid = {min64(a.items, d->multiprocessors)},
                                                  .threads = THREADS,
                                                  .shared = (unsigned)shared,
                                                  .args = &a,
                                                  .size = sizeof a}) &&
                (a.nparts == 1 || cti_cuda_gemm_tensor_finish(w, device, &a));
    cti_cuda_scratch_end(block);
    return good;
}
