/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete distributions whose parameters are tensors (Bernoulli, Poisson, binomial, multinomial)
 * by discrete.cu, and permutations by sorting random keys. Bernoulli and permutations match PyTorch
 * bit for bit; the others do not, because PyTorch uses cuRAND's rejection loops. Called by
 * random.c. */
#include "core/small.h"
#include "cuda/engines.h"
#include "cuda/order/order.h"
#include "cuda/random/random.h"
#include "cuda/random/random_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include <math.h>
#include <string.h>

#define THREADS 512

/* KIND: 't' Bernoulli, 'p' Poisson, 'b' binomial, 'm' multinomial, 'd' the end of a permutation. */
static bool discrete_run(int device, char kind, int out, int p, const struct discrete_args *a)
{
    int made = kind == 't' ? CT_FLOAT32 : CT_FLOAT64;
    return cti_cuda_run(
        &(struct cti_launch){.file = "random/discrete",
                             .texts = {{"OUT_T", cti_cuda_type[out]}, {"P_T", cti_cuda_type[p]}},
                             .casts = {{"IN(x)", cti_cuda_compute(p), p}, {"OUT(x)", out, made}},
                             .params = {{"KIND", kind}},
                             .device = device,
                             .grid = {ceil_div(kind == 't' ? ceil_div(a->n, 4) : a->n, THREADS)},
                             .threads = THREADS,
                             CTI_ARGS(*a)});
}

/* Reserves `words` 32-bit words of each Philox subsequence. */
static void reserve_words(ct_generator *g, struct discrete_args *a, uint64_t words)
{
    cti_generator_lock(g);
    a->seed = g->mt.seed;
    a->offset = g->offset;
    g->offset += (words + 3) / 4 * 4;
    cti_generator_unlock(g);
}

/* ---- permutations ---- */

/* Returns enough bits for all keys to differ with probability 0.9. */
static int key_bits(double n)
{
    double needed = ceil(log2(n - (6 * n * n + 1) / (12 * log(0.9))));
    return needed < 64 ? (int)needed : 64;
}

/* Returns how many of the lowest bits to leave unsorted. The last kernel compares each key with all
 * keys that agree in the higher bits, at most about 16. */
static int unsorted_bits(double n, int bits)
{
    int digits = (int)ceil((log2(n) - 4) / 8);
    digits = digits < 1 ? 1 : digits;
    return bits > 8 * digits ? bits - 8 * digits : 0;
}

/* Sorts random keys; runs of equal keys are shuffled. */
static bool permute(ct_tensor *out, ct_generator *g)
{
    struct ct_device device = out->storage->device;
    int bits = key_bits((double)out->numel), low = unsorted_bits((double)out->numel, bits);
    enum ct_dtype type = bits <= 32 ? CT_INT32 : CT_INT64;
    ct_tensor *keys = cti_empty(1, out->shape, type, device);
    ct_tensor *sorted = keys ? cti_empty(1, out->shape, type, device) : NULL;
    ct_tensor *order = sorted ? cti_empty(1, out->shape, CT_INT64, device) : NULL;
    bool direct = out->dtype == CT_INT64 && (out->flags & CTI_CONTIGUOUS);
    ct_tensor *to = direct ? ct_retain(out) : cti_empty(1, out->shape, CT_INT64, device);
    bool good = order && to &&
                CTI_RUN(random, keys, .kind = CTI_RANDOM_RANGE, .generator = g, .out = keys,
                        .base = type == CT_INT32 ? INT32_MIN : INT64_MIN,
                        .range = type == CT_INT32 ? UINT32_MAX : UINT64_MAX) &&
                cti_cuda_radix_sort(sorted, order, keys, 0, false, low, bits);
    if (good) {
        struct discrete_args a = {.out = cti_data(to),
                                  .p = cti_data(sorted),
                                  .q = cti_data(order),
                                  .n = out->numel,
                                  .mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
                                  .low = low};
        reserve_words(g, &a, (uint64_t)out->numel);
        good = discrete_run(device.index, 'd', type, type, &a) && (direct || cti_run_copy(out, to));
    }
    cti_release_all(keys, sorted, order, to);
    return good;
}

/* ---- parameters in tensors ---- */

/* Returns t if it is contiguous and has the dtype, otherwise a copy. Owned. */
static ct_tensor *contiguous(ct_tensor *t, enum ct_dtype dtype)
{
    if ((t->flags & CTI_CONTIGUOUS) && t->dtype == dtype)
        return ct_retain(t);
    ct_tensor *copy = cti_empty(t->ndim, t->shape, dtype, t->storage->device);
    if (copy && cti_run_copy(copy, t))
        return copy;
    ct_release(copy);
    return NULL;
}

/* Returns the cumulative sums of rows of weights, in float64. */
static ct_tensor *cumulative_weights(ct_tensor *p)
{
    ct_tensor *in = contiguous(p, CT_FLOAT64), *out = NULL;
    if (in)
        out = cti_empty(in->ndim, in->shape, CT_FLOAT64, in->storage->device);
    bool good =
        out && CTI_RUN(scan, in, .op = CTI_SCAN_SUM, .out = out, .in = in, .dim = in->ndim - 1);
    ct_release(in);
    if (good)
        return out;
    ct_release(out);
    return NULL;
}

static bool draw_discrete(const struct cti_random *w, char kind, ct_generator *g)
{
    ct_tensor *out = w->out;
    int device = out->storage->device.index;
    struct discrete_args a = {.out = cti_data(out), .q = cti_cuda_data(w->q), .n = out->numel};
    if (!cti_cuda_fault_page(device, &a.fault))
        return false;
    ct_tensor *p = kind == 'm' ? cumulative_weights(w->p) : contiguous(w->p, w->p->dtype);
    if (!p)
        return false;
    a.p = cti_data(p);
    if (kind == 'm') {
        a.q = cti_data(w->p);
        a.categories = p->shape[p->ndim - 1];
        a.draws = out->shape[out->ndim - 1];
    }
    reserve_words(g, &a, kind == 't' ? 10 : 20);
    bool good = discrete_run(device, kind, out->dtype, w->p->dtype, &a);
    ct_release(p);
    return good;
}

enum cti_status cti_cuda_random_discrete(const struct cti_random *w)
{
    const ct_tensor *out = w->out;
    char kind = w->kind == CTI_RANDOM_BERNOULLI_TENSOR ? 't'
                : w->kind == CTI_RANDOM_POISSON        ? 'p'
                : w->kind == CTI_RANDOM_BINOMIAL       ? 'b'
                : w->kind == CTI_RANDOM_MULTINOMIAL    ? 'm'
                                                       : 0;
    bool permutes = w->kind == CTI_RANDOM_PERMUTATION && out->numel < INT32_MAX;
    if ((!kind && !permutes) || out->dtype >= CT_COMPLEX64 ||
        (kind && !(out->flags & CTI_CONTIGUOUS)) || (w->p && w->p->dtype >= CT_COMPLEX64))
        return CTI_DECLINED;
    ct_generator *g = cti_cuda_generator_of(w);
    if (!g || !cti_cuda_use(out->storage->device.index))
        return CTI_FAILED;
    return cti_cuda_launched(permutes ? permute(w->out, g) : draw_discrete(w, kind, g));
}
