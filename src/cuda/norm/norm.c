/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalisation by norm.cu: a block for each line, and for each short channel. Long channels need
 * two launches: partial statistics, then their combination and the result. */
#include "cuda/engines.h"
#include "cuda/norm/norm_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include "core/norm.h"
#include "core/small.h"

#define THREADS 256 /* of a block of channels */
#define COLUMNS 32  /* adjacent channels of a block if inner is 1 */
#define MAX_PARTS 64
#define MAX_HELD 8     /* vectors of a thread in registers */
#define PART_SIZE 4096 /* minimum number of elements for a block */

/* The state of one call. */
struct norm {
    const struct cti_norm *work;
    struct norm_args a;
    struct cti_cuda_device *d;
    int device, dtype, itemsize;
};

static struct norm norm_of(const struct cti_norm *w, struct cti_cuda_device *d)
{
    struct norm_args a = {.out = cti_cuda_data(w->out),
                          .in = cti_cuda_data(w->in),
                          .weight = cti_cuda_data(w->weight),
                          .bias = cti_cuda_data(w->bias),
                          .grad = cti_cuda_data(w->grad),
                          .mean = cti_cuda_data(w->mean),
                          .rstd = cti_cuda_data(w->rstd),
                          .var = cti_cuda_data(w->var),
                          .grad_weight = cti_cuda_data(w->grad_weight),
                          .grad_bias = cti_cuda_data(w->grad_bias),
                          .lines = w->lines ? w->outer : 0,
                          .n = w->channels * w->inner,
                          .batch = w->lines ? w->outer / w->groups : w->outer,
                          .channels = w->lines ? w->channels * w->groups : w->channels,
                          .inner = w->inner,
                          .groups = w->groups,
                          .group_channels = w->channels,
                          .given = w->given,
                          .eps = w->eps};
    return (struct norm){
        w, a, d, w->in->storage->device.index, w->in->dtype, (int)cti_itemsize(w->in->dtype)};
}

/* Returns how many elements of contiguous runs of n a thread loads at a time. */
static int vector_size(const struct norm *k, int64_t n)
{
    uintptr_t bits = (uintptr_t)k->a.in | (uintptr_t)k->a.out | (uintptr_t)k->a.grad;
    int size = 16 / k->itemsize;
    return bits % 16 == 0 && n % size == 0 ? size : 1;
}

struct block_shape {
    int vector, threads, held; /* held: vectors of a thread in registers; 0: too many */
};

/* Chooses the block shape for n elements in contiguous runs of `run`. */
static struct block_shape block_shape_of(const struct norm *k, int64_t n, int64_t run)
{
    struct block_shape b = {vector_size(k, run), 32, 1};
    int64_t vectors = ceil_div(n, b.vector);
    while (b.threads < 512 && b.threads * 2 < vectors)
        b.threads *= 2;
    while (b.held <= MAX_HELD && (int64_t)b.threads * b.held < vectors)
        b.held *= 2;
    b.held = b.held > MAX_HELD ? 0 : b.held;
    return b;
}

static bool norm_run(const struct norm *k, int mode, bool back, struct block_shape b,
                     const char *layout, int64_t grid_x, int64_t grid_y)
{
    return cti_cuda_run(
        &(struct cti_launch){.file = "norm/norm",
                             .texts = {{"T", cti_cuda_type[k->dtype]}, {layout, ""}},
                             .params = {{"MODE", mode},
                                        {"BACK", back},
                                        {"VEC", b.vector},
                                        {"THREADS", b.threads},
                                        {"HELD", b.held}},
                             .device = k->device,
                             .grid = {grid_x, grid_y},
                             .threads = (unsigned)b.threads,
                             CTI_ARGS(k->a)});
}

/* Launches one block for each line. */
static bool run_lines(const struct norm *k, int mode)
{
    return norm_run(k, mode, mode == NORM_LINES_BACK, block_shape_of(k, k->a.n, k->a.n), NULL,
                    k->a.lines, 1);
}

/* Whether a channel fits the registers of a block, and there are enough channels to fill the
 * card. */
static bool are_short(const struct norm *k)
{
    const struct norm_args *a = &k->a;
    return a->inner > 1 && !a->given && !a->lines && a->channels * 4 >= k->d->multiprocessors &&
           block_shape_of(k, a->batch * a->inner, a->inner).held;
}

/* Launches one block for each channel, which is treated as a line. */
static bool run_short_channels(const struct norm *k, int mode)
{
    struct norm channels = *k;
    channels.a.n = k->a.batch * k->a.inner;
    struct block_shape b = block_shape_of(k, channels.a.n, k->a.inner);
    return norm_run(&channels, mode, mode == NORM_LINES_BACK, b, "CHANNEL", k->a.channels, 1);
}

static int64_t channel_blocks(const struct norm *k)
{
    return k->a.inner == 1 ? ceil_div(k->a.channels, COLUMNS) : k->a.channels;
}

/* Launches a block for each channel, or for COLUMNS adjacent ones, and for each part of their
 * elements. */
static bool run_channels(const struct norm *k, int mode, bool back, int64_t parts)
{
    bool columns = k->a.inner == 1;
    struct block_shape b = {columns ? 1 : vector_size(k, k->a.inner), THREADS, 0};
    return norm_run(k, mode, back, b, columns ? "COLUMNS" : NULL, channel_blocks(k), parts);
}

/* Returns how many parts give each multiprocessor `waves` blocks. */
static int64_t count_parts(const struct norm *k, int64_t waves, int64_t most)
{
    int64_t elements = k->a.batch * k->a.inner * (k->a.inner == 1 ? COLUMNS : 1);
    int64_t n = ceil_div(waves * k->d->multiprocessors, channel_blocks(k));
    return min64(min64(n, ceil_div(elements, PART_SIZE)), most);
}

/* Computes partial statistics, in workspace that the caller frees. */
static bool make_parts(struct norm *k, bool back, void **block)
{
    k->a.nparts = (int32_t)count_parts(k, 4, MAX_PARTS);
    k->a.parts = cti_cuda_scratch(k->device, k->a.nparts * k->a.channels * 3 * k->itemsize, block);
    return k->a.parts && run_channels(k, NORM_PARTS, back, k->a.nparts);
}

static bool norm_forward(struct norm *k, void **block)
{
    if (k->work->lines)
        return run_lines(k, NORM_LINES);
    if (are_short(k))
        return run_short_channels(k, NORM_LINES);
    return (k->a.given || make_parts(k, false, block)) &&
           run_channels(k, NORM_APPLY, false, count_parts(k, 16, 65535));
}

static bool norm_backward(struct norm *k, void **block)
{
    const struct cti_norm *w = k->work;
    bool sums = w->grad_weight || w->grad_bias;
    if (w->out && are_short(k))
        return run_short_channels(k, NORM_LINES_BACK);
    if (w->lines && w->out && !run_lines(k, NORM_LINES_BACK))
        return false;
    bool channels = !w->lines && w->out;
    if ((sums || channels) && !make_parts(k, true, block))
        return false;
    if (channels)
        return run_channels(k, NORM_APPLY_BACK, true, count_parts(k, 16, 65535));
    return !sums || run_channels(k, NORM_WEIGHT_GRADS, true, 1);
}

enum cti_status cti_cuda_norm(struct cti_norm *w)
{
    /* The kernels index the elements of a channel or a line with 31 bits. */
    if (!cti_cuda_has_kernels() || w->outer * w->inner >= INT32_MAX / 2 ||
        w->channels * w->inner >= INT32_MAX / 2 || w->in->numel == 0 ||
        (w->lines && w->given && !w->backward))
        return CTI_DECLINED;
    struct cti_cuda_device *d = cti_cuda_use(w->in->storage->device.index);
    void *block = NULL;
    if (!d)
        return CTI_FAILED;
    struct norm k = norm_of(w, d);
    bool good = w->backward ? norm_backward(&k, &block) : norm_forward(&k, &block);
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}
