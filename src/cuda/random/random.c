/* SPDX-License-Identifier: BSD-3-Clause */
/* Random fills by random.cu, with PyTorch's launch grid, since the order of its values
 * depends on it; those with tensor parameters are in discrete.c. Complex numbers are pairs of real
 * ones. */
#include "cuda/random/random.h"

#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include <math.h>
#include <stdio.h>

struct arguments {
    void *out;
    int64_t n;
    uint64_t seed, offset;
    double a, b;
    int64_t base;
    uint64_t range;
};

/* The distribution; 0: not here. */
static char kind_of(const struct cti_random *w)
{
    bool floating = w->out->dtype >= CT_FLOAT16 && w->out->dtype <= CT_FLOAT64;
    switch (w->kind) {
    case CTI_RANDOM_UNIFORM:
        return w->out->dtype >= CT_FLOAT16 ? 'u' : 0;
    case CTI_RANDOM_NORMAL:
        return w->out->dtype >= CT_FLOAT16 ? 'n' : 0;
    case CTI_RANDOM_EXPONENTIAL:
        return floating ? 'e' : 0;
    case CTI_RANDOM_CAUCHY:
        return floating ? 'c' : 0;
    case CTI_RANDOM_LOG_NORMAL:
        return floating ? 'l' : 0;
    case CTI_RANDOM_BERNOULLI:
        return w->out->dtype < CT_COMPLEX64 ? 'b' : 0;
    case CTI_RANDOM_DROPOUT: /* odd sizes take the scalar path, like any other fill */
        return w->out->numel % 2 ? 'b' : 'd';
    case CTI_RANDOM_GEOMETRIC:
        return w->out->dtype < CT_COMPLEX64 ? 'g' : 0;
    case CTI_RANDOM_RANGE:
    case CTI_RANDOM_FULL:
        return w->out->dtype < CT_COMPLEX64 ? 'i' : 0;
    case CTI_RANDOM_PERMUTATION:
    case CTI_RANDOM_BERNOULLI_TENSOR:
    case CTI_RANDOM_POISSON:
    case CTI_RANDOM_GAMMA:
    case CTI_RANDOM_BINOMIAL:
    case CTI_RANDOM_MULTINOMIAL:
        break;
    }
    return 0;
}

/* How many different values random_() without bounds draws from; 0: 2^64. */
static uint64_t full_range(enum ct_dtype dtype)
{
    int digits = cti_random_digits(dtype), bits = 8 * (int)cti_itemsize(dtype);
    bool plain = dtype == CT_UINT8 || (dtype >= CT_UINT16 && dtype <= CT_UINT64);
    if (digits)
        return (UINT64_C(1) << digits) + 1;
    if (dtype == CT_BOOL)
        return 2;
    return plain && bits == 64 ? 0 : UINT64_C(1) << (plain ? bits : bits - 1);
}

/* vector: adjacent elements of a thread, 0: none */
static cu_function kernel_of(int device, char kind, int dtype, bool wide, int vector, bool far)
{
    bool twice = dtype == CT_FLOAT64 || (kind == 'g' && dtype == CT_INT64);
    int real = twice ? CT_FLOAT64 : CT_FLOAT32, have = kind == 'i' ? CT_INT64 : real;
    struct cti_text cast = {0};
    char rounded[80] = "(x)"; /* as rounded in memory */
    if (dtype == CT_FLOAT16 || dtype == CT_BFLOAT16)
        snprintf(rounded, sizeof rounded, "ctm_f32_from_%s(ctm_%s_from_f32(x))",
                 cti_cuda_suffix[dtype], cti_cuda_suffix[dtype]);
    cti_cuda_cast(&cast, dtype, have, "(x)");
    cu_function f =
        cast.failed
            ? NULL
            : cti_cuda_template(device, "random/random",
                                "#define MEMORY %s\n#define REAL %s\n#define OUT(x) %s\n"
                                "#define KIND '%c'\n#define WIDE %d\n#define ROUNDED(x) %s\n"
                                "#define VECTOR %d\n%s%s",
                                cti_cuda_type[dtype], cti_cuda_type[real], cast.v, kind, wide,
                                rounded, vector, kind == 'i' ? "#define INTEGER\n" : "",
                                far ? "#define FAR\n" : "");
    cti_text_free(&cast);
    return f;
}

/* Fills contiguous memory; the generator advances by what the grid has drawn. */
static enum cti_status draw(const struct cti_random *w, char kind, ct_generator *g)
{
    int device = w->out->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    enum ct_dtype dtype = (enum ct_dtype)w->out->dtype;
    bool full = w->kind == CTI_RANDOM_FULL, large = dtype == CT_INT64 || dtype == CT_FLOAT64;
    uint64_t range = full ? full_range(dtype) : w->range;
    bool wide = kind == 'i' ? (full ? large || dtype == CT_UINT64 : range == 0 || range >= 1 << 28)
                : kind == 'g' ? large
                              : dtype == CT_FLOAT64 && kind != 'b' && kind != 'd';
    int vector = kind != 'd' ? 0 : w->out->numel % 4 ? 2 : 4;
    bool far = w->out->numel >= INT32_MAX;
    cu_function f = d ? kernel_of(device, kind, w->out->dtype, wide, vector, far) : NULL;
    if (!f)
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    int64_t n = w->out->numel, blocks = (n + 255) / 256;
    int64_t most = (int64_t)d->multiprocessors * (d->max_threads / 256);
    blocks = blocks < most ? blocks : most;
    struct arguments a = {.out = cti_data(w->out),
                          .n = n,
                          .a = w->a,
                          .b = w->b,
                          .base = full ? 0 : w->base,
                          .range = range};
    cti_generator_lock(g);
    a.seed = g->mt.seed;
    a.offset = g->offset;
    g->offset += (uint64_t)((n - 1) / (256 * blocks * (wide ? 2 : 4)) + 1) * 4;
    cti_generator_unlock(g);
    return cti_cuda_launch(device, f, (unsigned)blocks, 256, 0, &a, sizeof a);
}

/* Complex numbers, contiguous: pairs of real ones, which share the variance. */
static enum cti_status draw_pairs(const struct cti_random *w, char kind, ct_generator *g)
{
    ct_tensor real = *w->out;
    struct cti_random pairs = *w;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    pairs.out = &real;
    real.dtype = (uint8_t)cti_dtype_to_real((enum ct_dtype)real.dtype);
    real.numel *= 2;
    real.offset *= 2;
    if (kind == 'n')
        pairs.b /= sqrt(2);
    return draw(&pairs, kind, g);
}

static enum cti_status fill(const struct cti_random *w)
{
    char kind = kind_of(w);
    if (w->out->numel == 0)
        return CTI_DONE;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    if (!kind)
        return cti_cuda_random_discrete(w);
    ct_generator *g = cti_cuda_generator_of(w);
    if (!g)
        return CTI_FAILED;
    if (w->out->flags & CTI_CONTIGUOUS)
        return w->out->dtype >= CT_COMPLEX64 ? draw_pairs(w, kind, g) : draw(w, kind, g);
    struct cti_random flat = *w;
    flat.out = cti_empty(w->out->ndim, w->out->shape, (enum ct_dtype)w->out->dtype,
                         w->out->storage->device);
    bool good = flat.out && cti_run(&flat.work) && cti_run_copy(w->out, flat.out);
    ct_release(flat.out);
    return good;
}

/* The CPU's engine cannot draw from a device's generator, so declined work gets a CPU generator
 * that continues from its state. */
enum cti_status cti_cuda_random(struct cti_random *w)
{
    enum cti_status status = fill(w);
    if (status != CTI_DECLINED)
        return status;
    w->generator = cti_cuda_host_generator(w);
    return w->generator ? CTI_DECLINED : CTI_FAILED;
}
