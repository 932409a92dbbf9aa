/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete distributions whose parameters are tensors (Bernoulli, Poisson, binomial, multinomial)
 * by discrete.cu, and permutations by sorting random keys. Bernoulli and permutations match PyTorch
 * bit for bit; its rejection loops depend on cuRAND. Called by random.c. */
#include "cuda/engines.h"
#include "cuda/order/order.h"
#include "cuda/random/random.h"
#include "cuda/runtime/kernel.h"

#include <math.h>
#include <string.h>

#define THREADS 512

struct arguments {
    char *out;
    const char *p, *q;
    void *bad;
    int64_t n;
    uint64_t seed, offset;
    int64_t places, draws;
    uint64_t mask;
    int low;
};

static cu_function kernel_of(int device, char what, int out, int p)
{
    struct cti_text in = {0}, store = {0};
    int have = what == 't' ? CT_FLOAT32 : CT_FLOAT64, wide = cti_cuda_compute(p);
    cti_cuda_cast(&in, wide, p, "(x)");
    cti_cuda_cast(&store, out, have, what == 't' ? "((x) ? 1.0f : 0.0f)" : "(x)");
    cu_function f = NULL;
    if (!in.failed && !store.failed)
        f = cti_cuda_template(device, "random/discrete",
                              "#define WHAT '%c'\ntypedef %s T;\ntypedef %s P;\n"
                              "#define IN(x) %s\n#define OUT(x) %s\n#define COIN %d\n"
                              "#define WEIGHT %d\n#define INFINITE_WEIGHT %d\n"
                              "#define NO_WEIGHTS %d\n",
                              what, cti_cuda_type[out], cti_cuda_type[p], in.v, store.v,
                              CTI_FAULT_COIN, CTI_FAULT_WEIGHT, CTI_FAULT_INFINITE_WEIGHT,
                              CTI_FAULT_NO_WEIGHTS);
    cti_text_free(&in);
    cti_text_free(&store);
    return f;
}

/* Reserves so many words of each Philox subsequence. */
static void take_words(ct_generator *g, struct arguments *a, uint64_t words)
{
    cti_generator_lock(g);
    a->seed = g->mt.seed;
    a->offset = g->offset;
    g->offset += (words + 3) / 4 * 4;
    cti_generator_unlock(g);
}

static bool launch(int device, cu_function f, const struct arguments *a, int64_t threads)
{
    return cti_cuda_launch(device, f, (unsigned)((threads + THREADS - 1) / THREADS), THREADS, 0, a,
                           sizeof *a);
}

/* ---- permutations ---- */

/* Enough bits for all keys to differ with probability 0.9. */
static int key_bits(double n)
{
    double needed = ceil(log2(n - (6 * n * n + 1) / (12 * log(0.9))));
    return needed < 64 ? (int)needed : 64;
}

/* How many low bits are left to the last kernel, which looks at all keys that agree in the others:
 * about 16 at most. */
static int low_bits(double n, int bits)
{
    int digits = (int)ceil((log2(n) - 4) / 8);
    digits = digits < 1 ? 1 : digits;
    return bits > 8 * digits ? bits - 8 * digits : 0;
}

/* Random keys, sorted; runs of equal keys are shuffled. */
static bool permute(ct_tensor *out, ct_generator *g)
{
    struct ct_device device = out->storage->device;
    int bits = key_bits((double)out->numel), low = low_bits((double)out->numel, bits);
    enum ct_dtype type = bits <= 32 ? CT_INT32 : CT_INT64;
    cu_function f = kernel_of(device.index, 'd', type, type);
    ct_tensor *keys = f ? cti_empty(1, out->shape, type, device) : NULL;
    ct_tensor *sorted = keys ? cti_empty(1, out->shape, type, device) : NULL;
    ct_tensor *order = sorted ? cti_empty(1, out->shape, CT_INT64, device) : NULL;
    bool direct = out->dtype == CT_INT64 && (out->flags & CTI_CONTIGUOUS);
    ct_tensor *to = direct ? ct_retain(out) : cti_empty(1, out->shape, CT_INT64, device);
    struct arguments a = {.n = out->numel, .low = low};
    a.mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    bool good = order && to;
    if (good) {
        int64_t least = type == CT_INT32 ? INT32_MIN : INT64_MIN;
        uint64_t range = type == CT_INT32 ? UINT32_MAX : UINT64_MAX;
        good = CTI_RUN(random, keys, .kind = CTI_RANDOM_RANGE, .generator = g, .out = keys,
                       .base = least, .range = range) &&
               cti_cuda_radix_sort(sorted, order, keys, 0, false, low, bits);
    }
    if (good) {
        a.out = cti_data(to);
        a.p = cti_data(sorted);
        a.q = cti_data(order);
        take_words(g, &a, (uint64_t)out->numel);
        good = cti_cuda_fake() ||
               (launch(device.index, f, &a, a.n) && (direct || cti_run_copy(out, to)));
    }
    ct_release(keys);
    ct_release(sorted);
    ct_release(order);
    ct_release(to);
    return good;
}

/* ---- parameters in tensors ---- */

/* Contiguous, owned. */
static ct_tensor *plain(ct_tensor *t, enum ct_dtype dtype)
{
    if ((t->flags & CTI_CONTIGUOUS) && t->dtype == dtype)
        return ct_retain(t);
    ct_tensor *copy = cti_empty(t->ndim, t->shape, dtype, t->storage->device);
    if (copy && cti_run_copy(copy, t))
        return copy;
    ct_release(copy);
    return NULL;
}

/* Cumulative sums of rows of weights, in float64. */
static ct_tensor *cumulative_weights(ct_tensor *p)
{
    ct_tensor *in = plain(p, CT_FLOAT64), *out = NULL;
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

static bool draw_by(const struct cti_random *w, char what, ct_generator *g)
{
    ct_tensor *out = w->out;
    int device = out->storage->device.index;
    cu_function f = kernel_of(device, what, out->dtype, w->p->dtype);
    struct arguments a = {.out = cti_data(out), .n = out->numel};
    if (!f || cti_cuda_fake() || !cti_cuda_fault_page(device, &a.bad))
        return f && cti_cuda_fake();
    ct_tensor *p = what == 'm' ? cumulative_weights(w->p) : plain(w->p, (enum ct_dtype)w->p->dtype);
    if (!p)
        return false;
    a.p = cti_data(p);
    a.q = w->q ? cti_data(w->q) : NULL;
    if (what == 'm') {
        a.q = cti_data(w->p);
        a.places = p->shape[p->ndim - 1];
        a.draws = out->shape[out->ndim - 1];
    }
    take_words(g, &a, what == 't' ? 10 : 20);
    bool good = launch(device, f, &a, what == 't' ? (a.n + 3) / 4 : a.n);
    ct_release(p);
    return good;
}

enum cti_status cti_cuda_random_discrete(const struct cti_random *w)
{
    const ct_tensor *out = w->out;
    char what = w->kind == CTI_RANDOM_BERNOULLI_TENSOR ? 't'
                : w->kind == CTI_RANDOM_POISSON        ? 'p'
                : w->kind == CTI_RANDOM_BINOMIAL       ? 'b'
                : w->kind == CTI_RANDOM_MULTINOMIAL    ? 'm'
                                                       : 0;
    bool permutes = w->kind == CTI_RANDOM_PERMUTATION && out->numel < INT32_MAX;
    if ((!what && !permutes) || out->dtype >= CT_COMPLEX64 ||
        (what && !(out->flags & CTI_CONTIGUOUS)) || (w->p && w->p->dtype >= CT_COMPLEX64))
        return CTI_DECLINED;
    ct_generator *g = cti_cuda_generator_of(w);
    if (!g || !cti_cuda_use(out->storage->device.index))
        return CTI_FAILED;
    bool good = permutes ? permute(w->out, g) : draw_by(w, what, g);
    return cti_cuda_launched(good);
}
