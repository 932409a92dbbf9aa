/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalisation by norm.cu: a block for each line, and for each short channel; long
 * channels take two kernels, partial statistics and then their combination with the result. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include "core/norm.h"

#define THREADS 256
#define MOST_PARTS 64
#define MOST_KEPT 8 /* vectors of a thread in registers */

enum mode { LINES, LINES_BACK, PARTS, APPLY, APPLY_BACK, FINISH };

/* Mirrors the kernel's struct. */
struct arguments {
    void *out;
    const void *in, *weight, *bias, *grad;
    void *mean, *rstd, *var, *grad_weight, *grad_bias, *parts;
    int64_t lines, n, batch, channels, inner, groups, per;
    int32_t nparts;
    bool given;
    double eps;
};

static void *data_of(const ct_tensor *t)
{
    return t ? cti_data(t) : NULL;
}

static struct arguments describe(const struct cti_norm *w)
{
    bool lines = w->lines;
    return (struct arguments){.out = data_of(w->out),
                              .in = data_of(w->in),
                              .weight = data_of(w->weight),
                              .bias = data_of(w->bias),
                              .grad = data_of(w->grad),
                              .mean = data_of(w->mean),
                              .rstd = data_of(w->rstd),
                              .var = data_of(w->var),
                              .grad_weight = data_of(w->grad_weight),
                              .grad_bias = data_of(w->grad_bias),
                              .lines = lines ? w->outer : 0,
                              .n = w->channels * w->inner,
                              .batch = lines ? w->outer / w->groups : w->outer,
                              .channels = lines ? w->channels * w->groups : w->channels,
                              .inner = w->inner,
                              .groups = w->groups,
                              .per = w->channels,
                              .given = w->given,
                              .eps = w->eps};
}

/* Vector width, for contiguous runs of n elements. */
static int vector_of(const struct arguments *a, int64_t n, int64_t size)
{
    uintptr_t bits = (uintptr_t)a->in | (uintptr_t)a->out | (uintptr_t)a->grad;
    return bits % 16 == 0 && n % (16 / size) == 0 ? (int)(16 / size) : 1;
}

static cu_function kernel_of(int device, int dtype, enum mode mode, bool back, int vector,
                             int threads, int keep, const char *layout)
{
    return cti_cuda_template(device, "norm/norm",
                             "#define T %s\n#define MODE %d\n#define BACK %d\n#define VEC %d\n"
                             "#define THREADS %d\n#define KEEP %d\n%s",
                             cti_cuda_type[dtype], (int)mode, back, vector, threads, keep, layout);
}

struct line {
    int vector, threads, keep; /* keep: vectors of a thread held in registers; 0: too many */
};

/* The launch shape for n elements in contiguous runs of `run`. */
static struct line line_of(const struct arguments *a, int64_t n, int64_t run, int dtype)
{
    struct line l = {vector_of(a, run, cti_itemsize((enum ct_dtype)dtype)), 32, 1};
    int64_t vectors = (n + l.vector - 1) / l.vector;
    while (l.threads < 512 && l.threads * 2 < vectors)
        l.threads *= 2;
    while (l.keep <= MOST_KEPT && (int64_t)l.threads * l.keep < vectors)
        l.keep *= 2;
    if (l.keep > MOST_KEPT)
        l.keep = 0;
    return l;
}

/* One block for each line, held in registers if short. */
static bool run_lines(struct arguments *a, int device, int dtype, enum mode mode)
{
    struct line l = line_of(a, a->n, a->n, dtype);
    cu_function f =
        kernel_of(device, dtype, mode, mode == LINES_BACK, l.vector, l.threads, l.keep, "");
    if (!f || cti_cuda_fake())
        return f != NULL;
    return cti_cuda_launch(device, f, (unsigned)a->lines, (unsigned)l.threads, 0, a, sizeof *a);
}

/* Whether channels fit a block's registers, and are enough to fill the card. */
static bool are_short(const struct arguments *a, const struct cti_cuda_device *d, int dtype)
{
    return a->inner > 1 && !a->given && !a->lines && a->channels * 4 >= d->multiprocessors &&
           line_of(a, a->batch * a->inner, a->inner, dtype).keep;
}

static bool run_short_channels(const struct arguments *a, int device, int dtype, enum mode mode)
{
    struct arguments as_lines = *a;
    struct line l = line_of(a, a->batch * a->inner, a->inner, dtype);
    cu_function f = kernel_of(device, dtype, mode, mode == LINES_BACK, l.vector, l.threads, l.keep,
                              "#define CHANNEL\n");
    if (!f || cti_cuda_fake())
        return f != NULL;
    as_lines.n = a->batch * a->inner;
    return cti_cuda_launch(device, f, (unsigned)a->channels, (unsigned)l.threads, 0, &as_lines,
                           sizeof as_lines);
}

/* A block for each channel (or 32 adjacent ones) and share of its elements. */
static bool run_channels(struct arguments *a, int device, int dtype, enum mode mode, bool back,
                         int64_t parts)
{
    bool columns = a->inner == 1;
    int vector = columns ? 1 : vector_of(a, a->inner, cti_itemsize((enum ct_dtype)dtype));
    cu_function f = kernel_of(device, dtype, mode, back, vector, THREADS, 0,
                              columns ? "#define COLUMNS\n" : "");
    if (!f || cti_cuda_fake())
        return f != NULL;
    unsigned grid[3] = {(unsigned)(columns ? (a->channels + 31) / 32 : a->channels),
                        (unsigned)parts, 1};
    return cti_cuda_launch_2d(device, f, grid, THREADS, 0, a, sizeof *a);
}

/* Parts of at least `least` elements, until there are about `blocks` blocks. */
static int64_t parts_of(const struct arguments *a, int64_t least, int64_t blocks, int64_t most)
{
    int64_t across = a->inner == 1 ? (a->channels + 31) / 32 : a->channels;
    int64_t elements = a->batch * a->inner * (a->inner == 1 ? 32 : 1);
    int64_t n = (blocks + across - 1) / across, possible = (elements + least - 1) / least;
    n = n < possible ? n : possible;
    return n < most ? n : most;
}

/* Partial statistics in workspace that the caller frees. */
static bool make_parts(struct arguments *a, struct cti_cuda_device *d, int device, int dtype,
                       bool back, void **block)
{
    a->nparts = (int32_t)parts_of(a, 4096, 4 * (int64_t)d->multiprocessors, MOST_PARTS);
    a->parts = cti_cuda_scratch(
        device, a->nparts * a->channels * 3 * cti_itemsize((enum ct_dtype)dtype), block);
    return a->parts && run_channels(a, device, dtype, PARTS, back, a->nparts);
}

/* Kernels index the elements of a channel or a line with 31 bits. */
static bool is_for_host(const struct cti_norm *w)
{
    return !cti_cuda_has_kernels() || w->outer * w->inner >= INT32_MAX / 2 ||
           w->channels * w->inner >= INT32_MAX / 2 || w->in->numel == 0;
}

static enum cti_status norm_forward(const struct cti_norm *w)
{
    struct arguments a = describe(w);
    int device = w->in->storage->device.index, dtype = w->in->dtype;
    struct cti_cuda_device *d = is_for_host(w) ? NULL : cti_cuda_use(device);
    void *block = NULL;
    bool good = true;
    if (!d || (w->lines && w->given))
        return CTI_DECLINED;
    if (w->lines)
        good = run_lines(&a, device, dtype, LINES);
    else if (are_short(&a, d, dtype))
        good = run_short_channels(&a, device, dtype, LINES);
    else
        good = (w->given || make_parts(&a, d, device, dtype, false, &block)) &&
               run_channels(&a, device, dtype, APPLY, false,
                            parts_of(&a, 4096, 16 * (int64_t)d->multiprocessors, 65535));
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}

static enum cti_status norm_backward(const struct cti_norm *w)
{
    struct arguments a = describe(w);
    int device = w->in->storage->device.index, dtype = w->in->dtype;
    struct cti_cuda_device *d = is_for_host(w) ? NULL : cti_cuda_use(device);
    void *block = NULL;
    bool good = true, sums = w->grad_weight || w->grad_bias;
    if (!d)
        return CTI_DECLINED;
    bool is_short = w->out && are_short(&a, d, dtype);
    if (is_short)
        good = run_short_channels(&a, device, dtype, LINES_BACK);
    else if (w->lines && w->out)
        good = run_lines(&a, device, dtype, LINES_BACK);
    if (good && !is_short && (sums || (!w->lines && w->out)))
        good = make_parts(&a, d, device, dtype, true, &block);
    if (good && !is_short && !w->lines && w->out)
        good = run_channels(&a, device, dtype, APPLY_BACK, true,
                            parts_of(&a, 4096, 16 * (int64_t)d->multiprocessors, 65535));
    else if (good && !is_short && sums)
        good = run_channels(&a, device, dtype, FINISH, true, 1);
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}

enum cti_status cti_cuda_norm(struct cti_norm *w)
{
    return w->backward ? norm_backward(w) : norm_forward(w);
}
