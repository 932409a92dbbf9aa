/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete distributions whose parameters are tensors; launched by discrete.c. WHAT: 't' Bernoulli,
 * where a Philox step's four words make four adjacent elements as in PyTorch; 'p' Poisson and 'b'
 * binomial, by rejection from a subsequence for each element; 'm' multinomial, by bisection in rows
 * of cumulative weights; 'd' finishes a random permutation whose keys are sorted by their upper
 * bits. T is the type of `out`, P that of the parameters; IN and OUT cast from and to memory. */
#include "cuda/common/fault.cuh"
#include "cuda/random/philox.cuh"

struct arguments {
    char *out;
    const char *p, *q;
    fault *bad; /* 't' and 'm' */
    long long n;
    unsigned long long seed, offset;
    long long categories, draws; /* 'm': categories and draws of a row */
    unsigned long long mask; /* 'd': the significant bits of keys */
    int low;                 /* 'd': how many low bits are still unsorted */
};

/* A Philox subsequence, word by word. */
struct stream {
    unsigned long long seed, thread, step;
    words w;
    int at;
};

static __device__ __forceinline__ stream stream_of(const arguments &a, unsigned long long thread)
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

/* Uniform in (0, 1), 53 bits. */
static __device__ __forceinline__ double next(stream &s)
{
    const unsigned long long high = next_word(s), low = next_word(s);
    return ((double)((high << 32 | low) >> 11) + 0.5) * 1.1102230246251565e-16;
}

#if WHAT == 't'
template <typename E> struct alignas(4 * sizeof(E)) four {
    E v[4];
};

static __device__ __forceinline__ T coin(const arguments &a, unsigned word, const P p)
{
    const double chance = (double)IN(p);
    if (!(chance >= 0 && chance <= 1))
        tell(a.bad, COIN, 0, 0);
    return OUT(uniform_f32(word) <= IN(p));
}
#endif

#if WHAT == 'p'
/* Knuth's product of uniforms for small rates, else PTRS: W. Hoermann, The transformed rejection
 * method for generating Poisson random variables, 1993. */
static __device__ double poisson(stream &s, double rate)
{
    if (!(rate > 0))
        return rate == 0 ? 0 : rate - rate;
    if (rate < 10) {
        const double least = exp(-rate);
        double count = 0;
        for (double product = next(s); product > least; product *= next(s))
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

#if WHAT == 'b'
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
        const double most = (m + 0.5) * log((m + 1) / (r * (n - m + 1))) +
                            (n + 1) * log((n - m + 1) / left) +
                            (k + 0.5) * log(r * left / (k + 1)) + stirling_tail(m) +
                            stirling_tail(n - m) - stirling_tail(k) - stirling_tail(n - k);
        if (log(v * alpha / (a / (us * us) + b)) <= most)
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

#if WHAT == 'm'
/* Lower bound: the first category whose cumulative weight is not below x. */
static __device__ long long lower_bound(const double *sum, long long categories, double x)
{
    long long low = 0, high = categories - 1;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (sum[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The draws of a row share the check of its weights. */
static __device__ void check_weights(const arguments &a, long long i, double sum)
{
    const P *const weight = (const P *)a.q + i / a.draws * a.categories;
    for (long long k = i % a.draws; k < a.categories; k += a.draws) {
        const double w = (double)IN(weight[k]);
        if (!(w >= 0))
            tell(a.bad, WEIGHT, 0, 0);
        else if (w > 1.7976931348623157e308)
            tell(a.bad, INFINITE_WEIGHT, 0, 0);
    }
    if (!(sum > 0))
        tell(a.bad, NO_WEIGHTS, 0, 0);
}
#endif

#if WHAT == 'd'
/* Equal keys, i the first of them: Fisher-Yates over their elements, stored from `start` on. */
static __device__ void shuffle_equal(const arguments &a, long long i, long long end,
                                     long long start)
{
    const T *const keys = (const T *)a.p, mask = (T)a.mask;
    long long *const out = (long long *)a.out + start, count = 0;
    for (long long j = i; j < end; j++)
        if ((keys[j] & mask) == (keys[i] & mask))
            out[count++] = ((const long long *)a.q)[j];
    stream s = stream_of(a, (unsigned long long)start);
    for (long long j = count - 1; j > 0; j--) {
        const long long r = next_word(s) % (unsigned)(j + 1), held = out[j];
        out[j] = out[r];
        out[r] = held;
    }
}

/* Ranks element i among those with equal upper bits; random keys make these runs short. */
static __device__ void rank_in_run(const arguments &a, long long i)
{
    const T *const keys = (const T *)a.p, mask = (T)a.mask, own = keys[i] & mask;
    const T upper = own >> a.low;
    long long first = i, end = i + 1, less = 0;
    bool single = true, second = false; /* of its key */
    for (; first > 0 && (keys[first - 1] & mask) >> a.low == upper; first--) {
        const T other = keys[first - 1] & mask;
        less += other < own;
        second = second || other == own;
    }
    for (; end < a.n && (keys[end] & mask) >> a.low == upper; end++) {
        const T other = keys[end] & mask;
        less += other < own;
        single = single && other != own;
    }
    if (second)
        return;
    if (single)
        ((long long *)a.out)[first + less] = ((const long long *)a.q)[i];
    else
        shuffle_equal(a, i, end, first + less);
}
#endif

extern "C" __global__ void __launch_bounds__(512) random_discrete(const arguments a)
{
    const long long i = (long long)blockIdx.x * 512 + threadIdx.x;
#if WHAT == 't'
    const words w = philox(a.seed, (unsigned long long)i, a.offset / 4);
    T *const out = (T *)a.out + 4 * i;
    const P *const p = (const P *)a.p + 4 * i;
    const unsigned long long odd = (unsigned long long)out % sizeof(four<T>) |
                                   (unsigned long long)p % sizeof(four<P>);
    if (4 * i + 4 <= a.n && odd == 0) {
        const four<P> in = *(const four<P> *)p;
        four<T> made;
#pragma unroll
        for (int k = 0; k < 4; k++)
            made.v[k] = coin(a, w.v[k], in.v[k]);
        *(four<T> *)out = made;
        return;
    }
    for (int k = 0; k < 4; k++)
        if (4 * i + k < a.n)
            out[k] = coin(a, w.v[k], p[k]);
#else
    if (i >= a.n)
        return;
#if WHAT == 'd'
    rank_in_run(a, i);
#else
    stream s = stream_of(a, (unsigned long long)i);
#if WHAT == 'p'
    ((T *)a.out)[i] = OUT(poisson(s, (double)IN(((const P *)a.p)[i])));
#elif WHAT == 'b'
    ((T *)a.out)[i] = OUT(binomial(s, ((const P *)a.p)[i], ((const P *)a.q)[i]));
#else
    const double *const sum = (const double *)a.p + i / a.draws * a.categories;
    check_weights(a, i, sum[a.categories - 1]);
    ((long long *)a.out)[i] = lower_bound(sum, a.categories, next(s) * sum[a.categories - 1]);
#endif
#endif
#endif
}
