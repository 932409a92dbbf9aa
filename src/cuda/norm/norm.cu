/* SPDX-License-Identifier: BSD-3-Clause */
/* Batch, layer, group and instance normalisation of contiguous [batch, channels, inner]; see
 * core/norm.h and the MODEs in norm_args.h. Launched by norm.c. T is float or double.
 * BACK: the parts of a channel are sums of gradients; else they are statistics.
 * CHANNEL: a "line" is a channel, which consists of strided runs of `inner` elements.
 * COLUMNS: inner is 1, and a block has 32 adjacent channels; else a block has one.
 * VEC is the number of elements of a load, HELD the number of vectors that a thread keeps in
 * registers. The order of additions and the split into parts depend on the shape alone, so that
 * every run gives the same bits. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/norm/norm_args.h"

struct alignas(sizeof(T) * VEC) pack {
    T v[VEC];
};

/* Forward: count, mean and sum of squared deviations, combined as in Chan, Golub and LeVeque,
 * Updating formulae and a pairwise algorithm for computing sample variances, 1979. Backward: b and
 * c are the sums of grad and of grad * normalised input. */
struct part {
    T a, b, c;
};

static __device__ part combine(const part x, const part y)
{
#if BACK
    return {x.a, x.b + y.b, x.c + y.c};
#else
    const T n = x.a + y.a;
    if (y.a == 0)
        return x;
    const T share = y.a / n, off = y.b - x.b;
    return {n, x.b + off * share, x.c + y.c + off * off * (x.a * share)};
#endif
}

/* Combines the parts of a block's threads. WIDTH results are interleaved: thread i gets the total
 * of result i % WIDTH. */
template <int WIDTH> static __device__ part total(const part x)
{
    __shared__ part shared[THREADS];
    shared[threadIdx.x] = x;
    for (int width = THREADS / 2; width >= WIDTH; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + width]);
    }
    __syncthreads();
    const part sum = shared[threadIdx.x % WIDTH];
    __syncthreads();
    return sum;
}

/* ---- lines ---- */

#if MODE <= NORM_LINES_BACK
static __device__ T sum_of(T x)
{
    __shared__ T shared[32];
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, step);
    if (THREADS > 32) {
        if (threadIdx.x % 32 == 0)
            shared[threadIdx.x / 32] = x;
        __syncthreads();
        x = 0;
        for (int w = 0; w < THREADS / 32; w++)
            x += shared[w];
        __syncthreads();
    }
    return x;
}

#ifdef CHANNEL
#define LINE 0
#else
#define LINE 1
#endif

/* Loops over a thread's vectors. If HELD is 0, the vectors do not fit the registers and are loaded
 * again in each pass. */
#define VECTORS(k, i)                                                                              \
    _Pragma("unroll") for (int k = 0, i = threadIdx.x * VEC; HELD ? k < HELD : i < n;              \
                           k++, i += THREADS * VEC) if (!HELD || i < n)

static __device__ __forceinline__ pack load(const T *p, int64_t i)
{
    return *(const pack *)(p + i);
}

/* The offset of element i of the block's line. */
static __device__ __forceinline__ int64_t offset_of(const norm_args &a, int i)
{
#ifdef CHANNEL
    const unsigned inner = (unsigned)a.inner, b = (unsigned)i / inner;
    return (b * a.channels + blockIdx.x) * a.inner + ((unsigned)i - b * inner);
#else
    return blockIdx.x * a.n + i;
#endif
}

/* The channel of element i of the line, which selects weight and bias. */
static __device__ __forceinline__ int64_t channel(const norm_args &a, int i)
{
#ifdef CHANNEL
    return blockIdx.x;
#else
    return blockIdx.x % a.groups * a.group_channels + (a.inner == 1 ? i : i / (int)a.inner);
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) norm_lines(const norm_args a)
{
    const int n = (int)a.n;
    const int64_t line = blockIdx.x;
    pack x[HELD ? HELD : 1], g[HELD && MODE == NORM_LINES_BACK ? HELD : 1];
    if (HELD)
        VECTORS(k, i)
        {
            x[k] = load(a.in, offset_of(a, i));
            if (MODE == NORM_LINES_BACK)
                g[k] = load(a.grad, offset_of(a, i));
        }
#define X(k, i) (HELD ? x[k] : load(a.in, offset_of(a, i)))
#if MODE == NORM_LINES
    T sum = 0, square = 0, off = 0;
    VECTORS(k, i)
    {
        const pack p = X(k, i);
        for (int v = 0; v < VEC; v++)
            sum += p.v[v];
    }
    T mean = sum_of(sum) / n;
    VECTORS(k, i)
    {
        const pack p = X(k, i);
        for (int v = 0; v < VEC; v++) {
            off += p.v[v] - mean;
            square += (p.v[v] - mean) * (p.v[v] - mean);
        }
    }
    off = sum_of(off) / n; /* correction for the rounding of the mean */
    const T var = sum_of(square) / n - off * off;
    mean += off;
    const T rstd = (T)(1 / sqrt((double)(var < 0 ? (T)0 : var) + a.eps));
    if (threadIdx.x == 0) {
        a.mean[line] = mean;
        a.rstd[line] = rstd;
        if (a.var)
            a.var[line] = var;
    }
    VECTORS(k, i)
    {
        pack p = X(k, i);
        for (int v = 0; v < VEC; v++) {
            const int64_t c = channel(a, i + v);
            p.v[v] = (p.v[v] - mean) * rstd;
            if (a.weight)
                p.v[v] *= a.weight[c];
            if (a.bias)
                p.v[v] += a.bias[c];
        }
        *(pack *)(a.out + offset_of(a, i)) = p;
    }
#else
#define G(k, i) (HELD ? g[k] : load(a.grad, offset_of(a, i)))
    const T mean = a.mean[line], rstd = a.rstd[line];
    T sum = 0, slope = 0;
    VECTORS(k, i)
    {
        const pack p = X(k, i);
        pack q = G(k, i);
        for (int v = 0; v < VEC; v++) {
            if (LINE && a.weight)
                q.v[v] *= a.weight[channel(a, i + v)];
            sum += q.v[v];
            slope += q.v[v] * ((p.v[v] - mean) * rstd);
        }
        if (HELD)
            g[k] = q;
    }
    sum = sum_of(sum);
    slope = sum_of(slope);
    if (!LINE && threadIdx.x == 0) {
        if (a.grad_bias)
            a.grad_bias[line] = sum;
        if (a.grad_weight)
            a.grad_weight[line] = slope;
    }
    sum /= n;
    slope /= n;
    const T scale = !LINE && a.weight ? a.weight[line] * rstd : rstd;
    VECTORS(k, i)
    {
        const pack p = X(k, i);
        pack q = G(k, i);
        for (int v = 0; v < VEC; v++) {
            if (LINE && !HELD && a.weight)
                q.v[v] *= a.weight[channel(a, i + v)];
            q.v[v] = (q.v[v] - sum - (p.v[v] - mean) * rstd * slope) * scale;
        }
        *(pack *)(a.out + offset_of(a, i)) = q;
    }
#endif
}
#endif

/* ---- channels ---- */

#if MODE >= NORM_PARTS
#ifdef COLUMNS
#define WIDTH 32
#else
#define WIDTH 1
#endif
#define ROWS (THREADS / WIDTH)
#define UNROLL (VEC == 1 ? 8 : 4)

/* A thread's channel, and its elements: vectors at begin, begin + ROWS * VEC, ... below end. */
struct share {
    int64_t c;
    unsigned begin, end;
};

static __device__ share share_of_thread(const norm_args &a)
{
    const unsigned all = (unsigned)(a.batch * a.inner), unit = ROWS * VEC * UNROLL;
    const unsigned units = (all + unit - 1) / unit;
    const unsigned each = (units + gridDim.y - 1) / gridDim.y * unit;
    share s;
    s.c = (int64_t)blockIdx.x * WIDTH + threadIdx.x % WIDTH;
    const int64_t begin = (int64_t)blockIdx.y * each;
    s.begin = begin < all ? (unsigned)begin : all;
    s.end = begin + each < all ? (unsigned)(begin + each) : all;
    s.begin += threadIdx.x / WIDTH * VEC;
    return s;
}

static __device__ int64_t offset_of(const norm_args &a, int64_t c, unsigned e)
{
#ifdef COLUMNS
    return e * a.channels + c;
#else
    const unsigned inner = (unsigned)a.inner, b = e / inner;
    return (b * a.channels + c) * a.inner + (e - b * inner);
#endif
}

/* Combines all parts of a channel. */
static __device__ part all_parts(const norm_args &a, int64_t c)
{
    part sum = {0, 0, 0};
    for (int p = threadIdx.x / WIDTH; p < a.nparts; p += ROWS)
        if (c < a.channels) {
            const T *const from = a.parts + (p * a.channels + c) * 3;
            sum = combine(sum, {from[0], from[1], from[2]});
        }
    return total<WIDTH>(sum);
}

#if MODE == NORM_PARTS
/* Returns the index of the statistics for element e of channel c: that of its line (group), or of
 * the channel. */
static __device__ int64_t statistic(const norm_args &a, int64_t c, unsigned e)
{
    return a.lines ? e / (unsigned)a.inner * a.groups + c / a.group_channels : c;
}

/* The statistics of the elements from e on that a thread holds in x and g. */
static __device__ part part_of(const norm_args &a, int64_t c, const pack *x, const pack *g,
                               unsigned e, unsigned end)
{
    part sum = {0, 0, 0};
#if BACK
    for (int u = 0; u < UNROLL; u++) {
        const unsigned i = e + u * ROWS * VEC;
        if (i >= end)
            break;
        const int64_t s = statistic(a, c, i);
        const T mean = a.mean[s], rstd = a.rstd[s];
        for (int v = 0; v < VEC; v++) {
            sum.b += g[u].v[v];
            sum.c += g[u].v[v] * ((x[u].v[v] - mean) * rstd);
        }
    }
#else
    for (int u = 0; u < UNROLL; u++)
        if (e + u * ROWS * VEC < end)
            for (int v = 0; v < VEC; v++) {
                sum.a += 1;
                sum.b += x[u].v[v];
            }
    sum.b /= sum.a;
    for (int u = 0; u < UNROLL; u++)
        if (e + u * ROWS * VEC < end)
            for (int v = 0; v < VEC; v++)
                sum.c += (x[u].v[v] - sum.b) * (x[u].v[v] - sum.b);
#endif
    return sum;
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) norm_channels(const norm_args a)
{
    const share s = share_of_thread(a);
    const int64_t c = s.c;
    const bool in_range = c < a.channels;
#if MODE == NORM_PARTS
    part sum = {0, 0, 0};
    if (in_range)
        for (unsigned e = s.begin; e < s.end; e += ROWS * VEC * UNROLL) {
            pack x[UNROLL], g[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; u++) {
                const unsigned i = e + u * ROWS * VEC;
                if (i >= s.end)
                    break;
                const int64_t at = offset_of(a, c, i);
                x[u] = *(const pack *)(a.in + at);
                if (BACK)
                    g[u] = *(const pack *)(a.grad + at);
            }
            sum = combine(sum, part_of(a, c, x, g, e, s.end));
        }
    sum = total<WIDTH>(sum);
    if (in_range && threadIdx.x < WIDTH) {
        T *const to = a.parts + (blockIdx.y * a.channels + c) * 3;
        to[0] = sum.a;
        to[1] = sum.b;
        to[2] = sum.c;
    }
#else
    const bool writes = in_range && blockIdx.y == 0 && threadIdx.x < WIDTH;
    part sum = {0, 0, 0};
    if (MODE != NORM_APPLY || !a.given)
        sum = all_parts(a, c);
#if MODE == NORM_APPLY
    const T var = a.given ? (T)0 : sum.c / sum.a;
    T mean = sum.b, rstd = (T)(1 / sqrt((double)var + a.eps));
    if (in_range && a.given) {
        mean = a.mean[c];
        rstd = a.rstd[c];
    } else if (writes) {
        a.mean[c] = mean;
        a.rstd[c] = rstd;
        if (a.var)
            a.var[c] = var;
    }
    if (!in_range)
        return;
    const T scale = a.weight ? a.weight[c] : (T)1, shift = a.bias ? a.bias[c] : (T)0;
#else
    if (writes && a.grad_weight)
        a.grad_weight[c] = sum.c;
    if (writes && a.grad_bias)
        a.grad_bias[c] = sum.b;
    if (MODE == NORM_WEIGHT_GRADS || !in_range)
        return;
    const T mean = a.mean[c], rstd = a.rstd[c], count = (T)(a.batch * a.inner);
    const T scale = (a.weight ? a.weight[c] : (T)1) * rstd;
    const T level = sum.b / count, slope = sum.c / count;
#endif
#if MODE != NORM_WEIGHT_GRADS
    /* All loads come before the first store. The compiler could not move them there itself, because
     * `out` may alias `in`. */
    for (unsigned e = s.begin; e < s.end; e += ROWS * VEC * UNROLL) {
        pack x[UNROLL], g[MODE == NORM_APPLY_BACK ? UNROLL : 1];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const unsigned i = e + u * ROWS * VEC;
            if (i >= s.end)
                break;
            const int64_t at = offset_of(a, c, i);
            x[u] = *(const pack *)(a.in + at);
#if MODE == NORM_APPLY_BACK
            g[u] = *(const pack *)(a.grad + at);
#endif
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const unsigned i = e + u * ROWS * VEC;
            if (i >= s.end)
                break;
            for (int v = 0; v < VEC; v++)
#if MODE == NORM_APPLY
                x[u].v[v] = (x[u].v[v] - mean) * rstd * scale + shift;
#else
                x[u].v[v] = a.given /* does not read x, since 0 times infinity is NaN */
                                ? g[u].v[v] * scale
                                : (g[u].v[v] - level - (x[u].v[v] - mean) * rstd * slope) * scale;
#endif
            *(pack *)(a.out + offset_of(a, c, i)) = x[u];
        }
    }
#endif
#endif
}
#endif
