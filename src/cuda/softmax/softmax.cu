/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax, log_softmax, logsumexp and the derivatives of the first two along the middle dim of
 * contiguous [outer, n, inner]; launched by softmax.c. T is float or double; sums are double.
 * OP: 0 softmax, 1 log_softmax, 2 logsumexp, 3 and 4 the derivatives of 0 and 1.
 * ROWS: inner is 1, and GROUP threads (a warp or a block) share a line; else a thread has a line,
 * and adjacent threads have adjacent lines, so that loads are coalesced.
 * HELD: how many elements each thread keeps in registers between the passes over a line; 0: every
 * pass reads memory again. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
#include "cuda/common/real.cuh"
#include "cuda/softmax/softmax_args.h"

static __device__ T max_nan(T a, T b)
{
    return (a > b) | (a != a) ? a : b;
}

#if ROWS
/* The sum over a group, for all of its threads; the order of additions is fixed. */
static __device__ double sum_of_group(double x)
{
    __shared__ double shared[THREADS / LANES];
#pragma unroll
    for (int stride = LANES / 2; stride > 0; stride /= 2)
        x += __shfl_xor_sync(ALL_LANES, x, stride);
    if (GROUP == LANES)
        return x;
    if (lane_id() == 0)
        shared[threadIdx.x / LANES] = x;
    __syncthreads();
    double sum = shared[0];
#pragma unroll
    for (int w = 1; w < THREADS / LANES; w++)
        sum += shared[w];
    return sum;
}

static __device__ T max_of_group(T x)
{
    __shared__ T shared[THREADS / LANES];
#pragma unroll
    for (int stride = LANES / 2; stride > 0; stride /= 2)
        x = max_nan(x, __shfl_xor_sync(ALL_LANES, x, stride));
    if (GROUP == LANES)
        return x;
    if (lane_id() == 0)
        shared[threadIdx.x / LANES] = x;
    __syncthreads();
    T largest = shared[0];
#pragma unroll
    for (int w = 1; w < THREADS / LANES; w++)
        largest = max_nan(largest, shared[w]);
    return largest;
}
#endif

/* An element's term of the derivative's sum: y g for softmax, g for log_softmax. */
static __device__ double grad_term(T y, T g)
{
    return OP == 3 ? (double)y * (double)g : (double)g;
}

/* Returns the quantity that result_of needs of a line's sum: for float softmax its reciprocal, for
 * log_softmax its logarithm. */
static __device__ double sum_factor(double sum)
{
    return OP == 0 ? (sizeof(T) == 4 ? 1 / sum : sum) : OP == 1 ? ctm_log_f64(sum) : sum;
}

/* The result for element x of the line, whose upstream gradient is g. */
static __device__ T result_of(T x, T g, T largest, double sum)
{
    if (OP == 0) {
        const double e = (double)exponential(x - largest);
        return (T)(sizeof(T) == 4 ? e * sum : e / sum);
    }
    if (OP == 1)
        return (T)((double)(x - largest) - sum);
    if (OP == 3)
        return (T)((double)x * ((double)g - sum));
    return (T)((double)g - (double)exponential(x) * sum);
}

/* logsumexp of a line with an infinite maximum subtracts 0 instead, because inf - inf is NaN. */
static __device__ T base_of(T largest)
{
    return OP == 2 && (largest == infinity() || largest == -infinity()) ? (T)0 : largest;
}

#if HELD
extern "C" __global__ void __launch_bounds__(THREADS) softmax_short_rows(const softmax_args a)
{
    const int64_t line = (int64_t)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
    const int first = threadIdx.x % GROUP, n = (int)a.n;
    T x[HELD], g[HELD], largest = -infinity();
    double sum = 0;
    if (line >= a.outer)
        return; /* whole groups return together */
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n) {
            x[k] = a.in[line * a.n + first + k * GROUP];
            g[k] = OP < 3 ? (T)0 : a.grad[line * a.n + first + k * GROUP];
        }
    if (OP < 3) {
#pragma unroll
        for (int k = 0; k < HELD; k++)
            largest = first + k * GROUP < n ? max_nan(largest, x[k]) : largest;
        largest = base_of(max_of_group(largest));
    }
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n)
            sum += OP < 3 ? (double)exponential(x[k] - largest) : grad_term(x[k], g[k]);
    sum = sum_of_group(sum);
    if (OP == 2) {
        if (first == 0)
            a.out[line] = (T)((double)largest + ctm_log_f64(sum));
        return;
    }
    sum = sum_factor(sum);
#pragma unroll
    for (int k = 0; k < HELD; k++)
        if (first + k * GROUP < n)
            a.out[line * a.n + first + k * GROUP] = result_of(x[k], g[k], largest, sum);
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) softmax_lines(const softmax_args a)
{
#if ROWS
    const int64_t line = (int64_t)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
    if (line >= a.outer)
        return;
    const T *const in = a.in + line * a.n, *const grad = a.grad + line * a.n;
    const int64_t first = threadIdx.x % GROUP, step = GROUP, stride = 1;
    T *const out = OP == 2 ? a.out + line : a.out + line * a.n;
#else
    const int64_t line = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (line >= a.outer * a.inner)
        return;
    const int64_t at = line / a.inner * a.n * a.inner + line % a.inner;
    const T *const in = a.in + at, *const grad = a.grad + at;
    const int64_t first = 0, step = 1, stride = a.inner;
    T *const out = OP == 2 ? a.out + line : a.out + at;
#endif
    T largest = -infinity();
    double sum = 0;
    if (OP < 3) {
        for (int64_t i = first; i < a.n; i += step)
            largest = max_nan(largest, in[i * stride]);
#if ROWS
        largest = max_of_group(largest);
#endif
        largest = base_of(largest);
        for (int64_t i = first; i < a.n; i += step)
            sum += (double)exponential(in[i * stride] - largest);
    } else {
        for (int64_t i = first; i < a.n; i += step)
            sum += grad_term(in[i * stride], grad[i * stride]);
    }
#if ROWS
    sum = sum_of_group(sum);
#endif
    if (OP == 2) {
        if (first == 0)
            *out = (T)((double)largest + ctm_log_f64(sum));
        return;
    }
    sum = sum_factor(sum);
    for (int64_t i = first; i < a.n; i += step)
        out[i * stride] = result_of(in[i * stride], OP < 3 ? (T)0 : grad[i * stride], largest, sum);
}
#endif
