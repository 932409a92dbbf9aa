/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax, log_softmax, logsumexp and the derivatives of the first two along a dim of contiguous
 * [outer, n, inner]; launched by softmax.c. T is float or double, sums are double. Contiguous lines
 * (ROWS) have GROUP threads each, a warp or a block, and up to 8 elements a thread stay in
 * registers (HELD); strided ones a thread each, adjacent lines in adjacent lanes (coalesced). OP is
 * 0 softmax, 1 log_softmax, 2 logsumexp, 3 and 4 the derivatives of 0 and 1. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
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

static __device__ T max_nan(T a, T b)
{
    return (a > b) | (a != a) ? a : b;
}

#ifdef ROWS
/* Sum over a group by a fixed tree; every thread gets it. */
static __device__ double sum_of_group(double x)
{
    __shared__ double room[THREADS / LANES];
#pragma unroll
    for (int stride = LANES / 2; stride > 0; stride /= 2)
        x += __shfl_xor_sync(ALL_LANES, x, stride);
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

static __device__ T max_of_group(T x)
{
    __shared__ T room[THREADS / LANES];
#pragma unroll
    for (int stride = LANES / 2; stride > 0; stride /= 2)
        x = max_nan(x, __shfl_xor_sync(ALL_LANES, x, stride));
    if (GROUP == LANES)
        return x;
    if (lane_id() == 0)
        room[threadIdx.x / LANES] = x;
    __syncthreads();
    T most = room[0];
#pragma unroll
    for (int w = 1; w < THREADS / LANES; w++)
        most = max_nan(most, room[w]);
    return most;
}
#endif

/* One element's term of the sum in a derivative. */
static __device__ double term(T y, T g)
{
    return OP == 3 ? (double)y * (double)g : (double)g;
}

/* From a line's sum to what each element needs: a reciprocal, or a logarithm. */
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

/* For logsumexp an infinite maximum must not become inf - inf. */
static __device__ T base_of(T most)
{
    return OP == 2 && (most == infinity() || most == -infinity()) ? (T)0 : most;
}

#if defined(ROWS) && defined(HELD)
extern "C" __global__ void __launch_bounds__(THREADS) softmax_short_rows(const arguments a)
{
    const long long line = (long long)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
    const int first = threadIdx.x % GROUP, n = (int)a.n;
    T x[HELD], g[HELD], most = -infinity();
    double sum = 0;
    if (line >= a.outer)
        return; /* whole groups leave */
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n) {
            x[k] = a.in[line * a.n + first + k * GROUP];
            g[k] = OP < 3 ? (T)0 : a.grad[line * a.n + first + k * GROUP];
        }
    if (OP < 3) {
#pragma unroll
        for (int k = 0; k < HELD; k++)
            most = first + k * GROUP < n ? max_nan(most, x[k]) : most;
        most = base_of(max_of_group(most));
    }
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n)
            sum += OP < 3 ? (double)exponential(x[k] - most) : term(x[k], g[k]);
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
extern "C" __global__ void __launch_bounds__(THREADS) softmax_lines(const arguments a)
{
#ifdef ROWS
    const long long line = (long long)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
    if (line >= a.outer)
        return;
    const T *const in = a.in + line * a.n, *const grad = a.grad + line * a.n;
    const long long first = threadIdx.x % GROUP, step = GROUP, stride = 1;
    T *const out = OP == 2 ? a.out + line : a.out + line * a.n;
#else
    const long long line = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (line >= a.outer * a.inner)
        return;
    const long long at = line / a.inner * a.n * a.inner + line % a.inner;
    const T *const in = a.in + at, *const grad = a.grad + at;
    const long long first = 0, step = 1, stride = a.inner;
    T *const out = OP == 2 ? a.out + line : a.out + at;
#endif
    T most = -infinity();
    double sum = 0;
    if (OP < 3) {
        for (long long i = first; i < a.n; i += step)
            most = max_nan(most, in[i * stride]);
#ifdef ROWS
        most = max_of_group(most);
#endif
        most = base_of(most);
        for (long long i = first; i < a.n; i += step)
            sum += (double)exponential(in[i * stride] - most);
    } else {
        for (long long i = first; i < a.n; i += step)
            sum += term(in[i * stride], grad[i * stride]);
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
        out[i * stride] = finished(in[i * stride], OP < 3 ? (T)0 : grad[i * stride], most, sum);
}
#endif
