/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax and its kin along a dim of [outer, n, inner], contiguous. T is float or double; sums are
 * doubles. Lines that lie without gaps (ROWS) have a block each; others a thread each, neighbours
 * side by side. OP is 0 softmax, 1 log_softmax, 2 logsumexp, 3 and 4 the derivatives of 0 and 1. */
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

/* The sum of a block's threads, for all of them; in a tree, the same for every run. */
static __device__ double sum_of(double x, double *room)
{
    room[threadIdx.x] = x;
    for (int width = THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            room[threadIdx.x] += room[threadIdx.x + width];
    }
    __syncthreads();
    const double sum = room[0];
    __syncthreads();
    return sum;
}

static __device__ T most_of(T x, double *room)
{
    T *const mine = (T *)room;
    mine[threadIdx.x] = x;
    for (int width = THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            mine[threadIdx.x] = larger(mine[threadIdx.x], mine[threadIdx.x + width]);
    }
    __syncthreads();
    const T most = mine[0];
    __syncthreads();
    return most;
}

/* What one element adds to the sum of a derivative. */
static __device__ double share(T y, T g)
{
    return OP == 3 ? (double)y * (double)g : (double)g;
}

static __device__ T finished(T x, T g, T most, double sum)
{
    if (OP == 0)
        return (T)((double)exponential(x - most) / sum);
    if (OP == 1)
        return (T)((double)(x - most) - LOG(sum));
    if (OP == 3)
        return (T)((double)x * ((double)g - sum));
    return (T)((double)g - (double)exponential(x) * sum);
}

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
#ifdef ROWS
    __shared__ double room[THREADS];
    const long long line = blockIdx.x;
    const T *const in = a.in + line * a.n, *const grad = a.grad + line * a.n;
    const long long first = threadIdx.x, step = THREADS, apart = 1;
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
        most = most_of(most, room);
#endif
        const T base = OP == 2 && (most == infinity() || most == -infinity()) ? (T)0 : most;
        most = OP == 2 ? base : most;
        for (long long i = first; i < a.n; i += step)
            sum += (double)exponential(in[i * apart] - most);
    } else {
        for (long long i = first; i < a.n; i += step)
            sum += share(in[i * apart], grad[i * apart]);
    }
#ifdef ROWS
    sum = sum_of(sum, room);
#endif
    if (OP == 2) {
        if (first == 0)
            *out = (T)((double)most + LOG(sum));
        return;
    }
    for (long long i = first; i < a.n; i += step)
        out[i * apart] = finished(in[i * apart], OP < 3 ? (T)0 : grad[i * apart], most, sum);
}
