/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws that depend on tensors. WHAT: 't' coins of given probabilities, the four words of a thread
 * for four neighbours, as PyTorch has it; 'p' numbers of events at given rates, 'b' of successes in
 * given tries, both by rejection from a subsequence of each element; 'm' places of rows of running
 * sums of weights; 'd' the same key twice in a permutation: its elements are shuffled once more.
 * T is an element of `out`, P of what it depends on; IN and OUT are casts from and to memory. */
#include "philox.cuh"

struct arguments {
    char *out;
    const char *p, *q;
    long long n;
    unsigned long long seed, offset;
    long long places, draws; /* 'm': elements and draws of a row */
    unsigned long long mask; /* 'd': the bits of keys that were sorted */
};

/* Words one after the other. */
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

/* In (0, 1), 53 bits. */
static __device__ __forceinline__ double next(stream &s)
{
    const unsigned long long high = next_word(s), low = next_word(s);
    return ((double)((high << 32 | low) >> 11) + 0.5) * 1.1102230246251565e-16;
}

#if WHAT == 'p'
/* By multiplying uniform numbers, or W. Hoermann, The transformed rejection method for generating
 * Poisson random variables, 1993. */
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
/* log(k!) less Stirling's formula for it. */
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

/* Successes of n tries with p of (0, 0.5]: by the gaps between them, or W. Hoermann, The generation
 * of binomial random variates, 1993: algorithm BTRS. */
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
/* The first place whose running sum is not below x. */
static __device__ long long place_of(const double *sum, long long places, double x)
{
    long long low = 0, high = places - 1;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (sum[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
#endif

#if WHAT == 'd'
/* Thread i, where keys that are equal begin. */
static __device__ void shuffle_equal(const arguments &a, long long i)
{
    const T *const keys = (const T *)a.p;
    long long *const out = (long long *)a.out + i;
    const T mask = (T)a.mask;
    if (i + 1 >= a.n || (keys[i] & mask) != (keys[i + 1] & mask) ||
        (i > 0 && (keys[i] & mask) == (keys[i - 1] & mask)))
        return;
    long long count = 2;
    while (i + count < a.n && (keys[i + count] & mask) == (keys[i] & mask))
        count++;
    stream s = stream_of(a, (unsigned long long)i);
    for (long long j = count - 1; j > 0; j--) {
        const long long r = next_word(s) % (unsigned)(j + 1), held = out[j];
        out[j] = out[r];
        out[r] = held;
    }
}
#endif

extern "C" __global__ void __launch_bounds__(512) k(const arguments a)
{
    const long long i = (long long)blockIdx.x * 512 + threadIdx.x;
#if WHAT == 't'
    const words w = philox(a.seed, (unsigned long long)i, a.offset / 4);
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (4 * i + k < a.n)
            ((T *)a.out)[4 * i + k] = OUT(uniform_f32(w.v[k]) <= IN(((const P *)a.p)[4 * i + k]));
#else
    if (i >= a.n)
        return;
#if WHAT == 'd'
    shuffle_equal(a, i);
#else
    stream s = stream_of(a, (unsigned long long)i);
#if WHAT == 'p'
    ((T *)a.out)[i] = OUT(poisson(s, (double)IN(((const P *)a.p)[i])));
#elif WHAT == 'b'
    ((T *)a.out)[i] = OUT(binomial(s, ((const P *)a.p)[i], ((const P *)a.q)[i]));
#else
    const double *const sum = (const double *)a.p + i / a.draws * a.places;
    ((long long *)a.out)[i] = place_of(sum, a.places, next(s) * sum[a.places - 1]);
#endif
#endif
#endif
}
