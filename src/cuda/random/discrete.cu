/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete distributions whose parameters are tensors; launched by discrete.c. KIND:
 * 't' Bernoulli: the four words of a Philox step give four adjacent elements, as in PyTorch;
 * 'p' Poisson and 'b' binomial: by rejection, from a subsequence for each element;
 * 'm' multinomial: by bisection in rows of cumulative weights;
 * 'd' the end of a random permutation, whose keys are sorted by their upper bits.
 * OUT_T is the type of `out`, P_T that of the parameters; OUT and IN convert to and from them. */
#include "cuda/common/fault.cuh"
#include "cuda/random/philox.cuh"
#include "cuda/random/random_args.h"

/* Reads a Philox subsequence word by word. */
struct stream {
    uint64_t seed, thread, step;
    words w;
    int at;
};

static __device__ __forceinline__ stream stream_of(const discrete_args &a, uint64_t thread)
{
    stream s;
    s.seed = a.seed;
    s.thread = thread;
    s.step = a.offset / 4;
    s.at = 4;
    return s;
}

static __device__ __forceinline__ unsigned next_word(stream &s)
{
    if (s.at == 4) {
        s.w = philox(s.seed, s.thread, s.step++);
        s.at = 0;
    }
    return s.w.v[s.at++];
}

/* Uniform in (0, 1), with 53 random bits. */
static __device__ __forceinline__ double next(stream &s)
{
    const uint64_t high = next_word(s), low = next_word(s);
    return ((double)((high << 32 | low) >> 11) + 0.5) * 1.1102230246251565e-16;
}

#if KIND == 't'
template <typename E> struct alignas(4 * sizeof(E)) four {
    E v[4];
};

static __device__ __forceinline__ OUT_T bernoulli(const discrete_args &a, unsigned word,
                                                  const P_T p)
{
    const double probability = (double)IN(p);
    if (!(probability >= 0 && probability <= 1))
        record_fault(a.fault, CTI_FAULT_PROBABILITY, 0, 0);
    return OUT(uniform_f32(word) <= IN(p) ? 1.0f : 0.0f);
}
#endif

#if KIND == 'p'
/* Knuth's product of uniforms for small rates, else PTRS: W. Hoermann, The transformed rejection
 * method for generating Poisson random variables, 1993. */
static __device__ double poisson(stream &s, double rate)
{
    if (!(rate > 0))
        return rate == 0 ? 0 : rate - rate;
    if (rate < 10) {
        const double limit = exp(-rate);
        double count = 0;
        for (double product = next(s); product > limit; product *= next(s))
            count += 1;
        return count;
    }
    const double log_rate = log(rate), b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = next(s) - 0.5, v = next(s), us = 0.5 - fabs(u);
        const double k = floor((2 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= v_r)
            return k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <=
            -rate + k * log_rate - lgamma(k + 1))
            return k;
    }
}
#endif

#if KIND == 'b'
/* The remainder of Stirling's formula for log(k!). */
static __device__ double stirling_tail(double k)
{
    const double first[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                            0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                            0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                            0.00833056343336287};
    if (k < 10)
        return first[(int)k];
    const double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/* Binomial with p in (0, 0.5]: geometric gaps where n p is small, else algorithm BTRS of W.
 * Hoermann, The generation of binomial random variates, 1993. */
static __device__ double successes(stream &s, double n, double p)
{
    if (n * p < 10) {
        const double log_q = log1p(-p);
        double count = -1;
        for (double sum = 0; sum <= n; count += 1)
            sum += ceil(log(next(s)) / log_q);
        return count;
    }
    const double q = 1 - p, np = n * p, sd = sqrt(np * q), b = 1.15 + 2.53 * sd;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p, c = np + 0.5, v_r = 0.92 - 4.2 / b, r = p / q;
    const double alpha = (2.83 + 5.1 / b) * sd, m = floor((n + 1) * p);
    for (;;) {
        const double u = next(s) - 0.5, v = next(s), us = 0.5 - fabs(u);
        const double k = floor((2 * a / us + b) * u + c);
        if (k < 0 || k > n)
            continue;
        if (us >= 0.07 && v <= v_r)
            return k;
        const double left = n - k + 1;
        const double bound = (m + 0.5) * log((m + 1) / (r * (n - m + 1))) +
                            (n + 1) * log((n - m + 1) / left) +
                            (k + 0.5) * log(r * left / (k + 1)) + stirling_tail(m) +
                            stirling_tail(n - m) - stirling_tail(k) - stirling_tail(n - k);
        if (log(v * alpha / (a / (us * us) + b)) <= bound)
            return k;
    }
}

static __device__ double binomial(stream &s, double n, double p)
{
    if (n <= 0 || p <= 0)
        return 0;
    if (p >= 1 || n != n || p != p)
        return p >= 1 ? n : n + p;
    return p > 0.5 ? n - successes(s, n, 1 - p) : successes(s, n, p);
}
#endif

#if KIND == 'm'
/* Lower bound: the first category whose cumulative weight is at least x. */
static __device__ int64_t lower_bound(const double *sum, int64_t categories, double x)
{
    int64_t low = 0, high = categories - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sum[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Checks every draws-th weight of a row: the threads of the row's draws share the check. */
static __device__ void check_weights(const discrete_args &a, int64_t i, double sum)
{
    const P_T *const weight = (const P_T *)a.q + i / a.draws * a.categories;
    for (int64_t k = i % a.draws; k < a.categories; k += a.draws) {
        const double w = (double)IN(weight[k]);
        if (!(w >= 0))
            record_fault(a.fault, CTI_FAULT_WEIGHT, 0, 0);
        else if (w > 1.7976931348623157e308)
            record_fault(a.fault, CTI_FAULT_INFINITE_WEIGHT, 0, 0);
    }
    if (!(sum > 0))
        record_fault(a.fault, CTI_FAULT_NO_WEIGHTS, 0, 0);
}
#endif

#if KIND == 'd'
/* Shuffles (Fisher-Yates) the elements whose keys equal that of i, the first of them, and stores
 * them from `start` on. */
static __device__ void shuffle_equal(const discrete_args &a, int64_t i, int64_t end, int64_t start)
{
    const OUT_T *const keys = (const OUT_T *)a.p, mask = (OUT_T)a.mask;
    int64_t *const out = (int64_t *)a.out + start, count = 0;
    for (int64_t j = i; j < end; j++)
        if ((keys[j] & mask) == (keys[i] & mask))
            out[count++] = ((const int64_t *)a.q)[j];
    stream s = stream_of(a, (uint64_t)start);
    for (int64_t j = count - 1; j > 0; j--) {
        const int64_t r = next_word(s) % (unsigned)(j + 1), held = out[j];
        out[j] = out[r];
        out[r] = held;
    }
}

/* Stores element i at its rank within the run of keys that agree in the upper bits. Random keys
 * make these runs short. */
static __device__ void rank_in_run(const discrete_args &a, int64_t i)
{
    const OUT_T *const keys = (const OUT_T *)a.p, mask = (OUT_T)a.mask, own = keys[i] & mask;
    const OUT_T upper = own >> a.low;
    int64_t first = i, end = i + 1, less = 0;
    bool single = true;  /* no other element of the run has this key */
    bool second = false; /* an earlier element has this key; its thread shuffles them all */
    for (; first > 0 && (keys[first - 1] & mask) >> a.low == upper; first--) {
        const OUT_T other = keys[first - 1] & mask;
        less += other < own;
        second = second || other == own;
    }
    for (; end < a.n && (keys[end] & mask) >> a.low == upper; end++) {
        const OUT_T other = keys[end] & mask;
        less += other < own;
        single = single && other != own;
    }
    if (second)
        return;
    if (single)
        ((int64_t *)a.out)[first + less] = ((const int64_t *)a.q)[i];
    else
        shuffle_equal(a, i, end, first + less);
}
#endif

extern "C" __global__ void __launch_bounds__(512) random_discrete(const discrete_args a)
{
    const int64_t i = (int64_t)blockIdx.x * 512 + threadIdx.x;
#if KIND == 't'
    const words w = philox(a.seed, (uint64_t)i, a.offset / 4);
    OUT_T *const out = (OUT_T *)a.out + 4 * i;
    const P_T *const p = (const P_T *)a.p + 4 * i;
    const uint64_t odd = (uint64_t)out % sizeof(four<OUT_T>) | (uint64_t)p % sizeof(four<P_T>);
    if (4 * i + 4 <= a.n && odd == 0) {
        const four<P_T> in = *(const four<P_T> *)p;
        four<OUT_T> made;
#pragma unroll
        for (int k = 0; k < 4; k++)
            made.v[k] = bernoulli(a, w.v[k], in.v[k]);
        *(four<OUT_T> *)out = made;
        return;
    }
    for (int k = 0; k < 4; k++)
        if (4 * i + k < a.n)
            out[k] = bernoulli(a, w.v[k], p[k]);
#else
    if (i >= a.n)
        return;
#if KIND == 'd'
    rank_in_run(a, i);
#else
    stream s = stream_of(a, (uint64_t)i);
#if KIND == 'p'
    ((OUT_T *)a.out)[i] = OUT(poisson(s, (double)IN(((const P_T *)a.p)[i])));
#elif KIND == 'b'
    ((OUT_T *)a.out)[i] = OUT(binomial(s, ((const P_T *)a.p)[i], ((const P_T *)a.q)[i]));
#else
    const double *const sum = (const double *)a.p + i / a.draws * a.categories;
    check_weights(a, i, sum[a.categories - 1]);
    ((int64_t *)a.out)[i] = lower_bound(sum, a.categories, next(s) * sum[a.categories - 1]);
#endif
#endif
#endif
}
