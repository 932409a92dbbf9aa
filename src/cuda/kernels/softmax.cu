/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax and its kin along a dim of [outer, n, inner], contiguous. T is float or double; sums are
 * doubles. Lines that lie without gaps (ROWS) have GROUP threads each, a warp or a block, which
 * hold lines of up to 8 elements a thread in registers (HELD); others a thread each, neighbours
 * side by side. OP is 0 softmax, 1 log_softmax, 2 logsumexp, 3 and 4 the derivatives of 0 and 1. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/kernel.c */
#include "block.cuh"
#define THREADS 256

struct arguments {
    T *out;
    const T *in, *grad;
    long long outer, n, inner;
};

struct pair {
    T most;
    double sum;
};

static __device__ T exponential(T x)
{
    return EXP(x);
}

static __device__ T infinity()
{
    return (T)__longlong_as_double(0x7ff0000000000000ll);
}

static __device__ T larger(T a, T b)
{
    return (a > b) | (a != a) ? a : b;
}

#ifdef ROWS
/* The sum of a group's threads, for all of them; in a tree, the same for every run. */
static __device__ double sum_of_group(double x)
{
    __shared__ double room[THREADS / LANES];
#pragma unroll
    for (int apart = LANES / 2; apart > 0; apart /= 2)
        x += __shfl_xor_sync(ALL_LANES, x, apart);
    if (GROUP == LANES)
        return x;
    if (lane_id() == 0)
        room[threadIdx.x / LANES] = x;
    __syncthreads();
    double sum = room[0];
#pragma unroll
    for (int w = 1; w < THREADS / LANES; w++)
        sum += room[w];
    return sum;
}

static __device__ T most_of_group(T x)
{
    __shared__ T room[THREADS / LANES];
#pragma unroll
    for (int apart = LANES / 2; apart > 0; apart /= 2)
        x = larger(x, __shfl_xor_sync(ALL_LANES, x, apart));
    if (GROUP == LANES)
        return x;
    if (lane_id() == 0)
        room[threadIdx.x / LANES] = x;
    __syncthreads();
    T most = room[0];
#pragma unroll
    for (int w = 1; w < THREADS / LANES; w++)
        most = larger(most, room[w]);
    return most;
}
#endif

/* What one element adds to the sum of a derivative. */
static __device__ double share(T y, T g)
{
    return OP == 3 ? (double)y * (double)g : (double)g;
}

/* What a line's sum gives each of its elements: a factor, or a logarithm. */
static __device__ double prepared(double sum)
{
    return OP == 0 ? (sizeof(T) == 4 ? 1 / sum : sum) : OP == 1 ? (double)LOG(sum) : sum;
}

static __device__ T finished(T x, T g, T most, double sum)
{
    if (OP == 0) {
        const double e = (double)exponential(x - most);
        return (T)(sizeof(T) == 4 ? e * sum : e / sum);
    }
    if (OP == 1)
        return (T)((double)(x - most) - sum);
    if (OP == 3)
        return (T)((double)x * ((double)g - sum));
    return (T)((double)g - (double)exponential(x) * sum);
}

/* logsumexp of a line of infinities counts from 0. */
static __device__ T base_of(T most)
{
    return OP == 2 && (most == infinity() || most == -infinity()) ? (T)0 : most;
}

#if defined(ROWS) && defined(HELD)
extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    const long long line = (long long)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
    const int first = threadIdx.x % GROUP, n = (int)a.n;
    T x[HELD], g[HELD], most = -infinity();
    double sum = 0;
    if (line >= a.outer)
        return; /* whole groups */
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n) {
            x[k] = a.in[line * a.n + first + k * GROUP];
            g[k] = OP < 3 ? (T)0 : a.grad[line * a.n + first + k * GROUP];
        }
    if (OP < 3) {
#pragma unroll
        for (int k = 0; k < HELD; k++)
            most = first + k * GROUP < n ? larger(most, x[k]) : most;
        most = base_of(most_of_group(most));
    }
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n)
            sum += OP < 3 ? (double)exponential(x[k] - most) : share(x[k], g[k]);
    sum = sum_of_group(sum);
    if (OP == 2) {
        if (first == 0)
            a.out[line] = (T)((double)most + LOG(sum));
        return;
    }
    sum = prepared(sum);
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n)
            a.out[line * a.n + first + k * GROUP] = finished(x[k], g[k], most, sum);
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
#ifdef ROWS
    const long long line = (long long)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
    if (line >= a.outer)
        return;
    const T *const in = a.in + line * a.n, *const grad = a.grad + line * a.n;
    const long long first = threadIdx.x % GROUP, step = GROUP, apart = 1;
    T *const out = OP == 2 ? a.out + line : a.out + line * a.n;
#else
    const long long line = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (line >= a.outer * a.inner)
        return;
    const long long at = line / a.inner * a.n * a.inner + line % a.inner;
    const T *const in = a.in + at, *const grad = a.grad + at;
    const long long first = 0, step = 1, apart = a.inner;
    T *const out = OP == 2 ? a.out + line : a.out + at;
#endif
    T most = -infinity();
    double sum = 0;
    if (OP < 3) {
        for (long long i = first; i < a.n; i += step)
            most = larger(most, in[i * apart]);
#ifdef ROWS
        most = most_of_group(most);
#endif
        most = base_of(most);
        for (long long i = first; i < a.n; i += step)
            sum += (double)exponential(in[i * apart] - most);
    } else {
        for (long long i = first; i < a.n; i += step)
            sum += share(in[i * apart], grad[i * apart]);
    }
#ifdef ROWS
    sum = sum_of_group(sum);
#endif
    if (OP == 2) {
        if (first == 0)
            *out = (T)((double)most + LOG(sum));
        return;
    }
    sum = prepared(sum);
    for (long long i = first; i < a.n; i += step)
        out[i * apart] = finished(in[i * apart], OP < 3 ? (T)0 : grad[i * apart], most, sum);
}
#endif
