/* SPDX-License-Identifier: BSD-3-Clause */
/* Random fills by random.cu. The launch grid is PyTorch's, because the order of the values depends
 * on it. Distributions with tensor parameters are in discrete.c. Complex numbers are filled as
 * pairs of real ones. */
#include "cuda/random/random.h"

#include "core/small.h"
#include "cuda/engines.h"
#include "cuda/random/random_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include <math.h>

#define THREADS 256

/* Returns the kernel's KIND; 0: no kernel here for this distribution and dtype. */
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
    case CTI_RANDOM_DROPOUT: /* an odd number of elements uses the scalar path */
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

/* Returns the number of different values that random_() without bounds may draw; 0: 2^64. */
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

/* Fills contiguous memory. The generator advances by the number of values that PyTorch's grid would
 * draw. */
static enum cti_status draw(const struct cti_random *w, char kind, ct_generator *g)
{
    int device = w->out->storage->device.index, dtype = w->out->dtype;
    struct cti_cuda_device *d = cti_cuda_use(device);
    bool full = w->kind == CTI_RANDOM_FULL, large = dtype == CT_INT64 || dtype == CT_FLOAT64;
    uint64_t range = full ? full_range(w->out->dtype) : w->range;
    /* Whether a Philox step gives two values of 64 random bits, instead of four of 32 bits. */
    bool wide = kind == 'i' ? (full ? large || dtype == CT_UINT64 : range == 0 || range >= 1 << 28)
                : kind == 'g' ? large
                              : dtype == CT_FLOAT64 && kind != 'b' && kind != 'd';
    int real = dtype == CT_FLOAT64 || (kind == 'g' && dtype == CT_INT64) ? CT_FLOAT64 : CT_FLOAT32;
    int rounded = dtype == CT_FLOAT16 || dtype == CT_BFLOAT16 ? dtype : real;
    int64_t n = w->out->numel;
    if (!d)
        return CTI_FAILED;
    int64_t resident = (int64_t)d->multiprocessors * (d->max_threads / THREADS);
    int64_t blocks = min64(ceil_div(n, THREADS), resident);
    struct random_args a = {.out = cti_data(w->out),
                            .n = n,
                            .a = w->a,
                            .b = w->b,
                            .base = full ? 0 : w->base,
                            .range = range};
    cti_generator_lock(g);
    a.seed = g->mt.seed;
    a.offset = g->offset;
    g->offset += (uint64_t)((n - 1) / (THREADS * blocks * (wide ? 2 : 4)) + 1) * 4;
    cti_generator_unlock(g);
    return cti_cuda_launched(cti_cuda_run(
        &(struct cti_launch){.file = "random/random",
                             .texts = {{"MEMORY", cti_cuda_type[dtype]},
                                       {"REAL", cti_cuda_type[real]},
                                       {"INTEGER", kind == 'i' ? "" : NULL},
                                       {"FAR", n >= INT32_MAX ? "" : NULL}},
                             .casts = {{"OUT(x)", dtype, kind == 'i' ? CT_INT64 : real},
                                       {"TO_MEMORY(x)", rounded, real},
                                       {"FROM_MEMORY(x)", real, rounded}},
                             .params = {{"KIND", kind},
                                        {"WIDE", wide},
                                        {"VECTOR", kind != 'd' ? 0
                                                   : n % 4     ? 2
                                                               : 4}},
                             .device = device,
                             .grid = {blocks},
                             .threads = THREADS,
                             CTI_ARGS(a)}));
}

/* Contiguous complex numbers are pairs of real ones, which share the variance. */
static enum cti_status draw_pairs(const struct cti_random *w, char kind, ct_generator *g)
{
    ct_tensor real = *w->out;
    struct cti_random pairs = *w;
    pairs.out = &real;
    real.dtype = (uint8_t)cti_dtype_to_real((enum ct_dtype)real.dtype);
    real.numel *= 2;
    real.offset *= 2;
    if (kind == 'n')
        pairs.b /= sqrt(2);
    return draw(&pairs, kind, g);
}

static enum cti_status random_fill(const struct cti_random *w)
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

/* The CPU's engine cannot draw from a device's generator, so work that is declined gets a CPU
 * generator, seeded from the device generator's state. */
enum cti_status cti_cuda_random(struct cti_random *w)
{
    enum cti_status status = random_fill(w);
    if (status != CTI_DECLINED)
        return status;
    w->generator = cti_cuda_host_generator(w);
    return w->generator ? CTI_DECLINED : CTI_FAILED;
}
