/* SPDX-License-Identifier: BSD-3-Clause */
/* Batch, layer, group and instance normalisation of contiguous [batch, channels, inner]; see
 * core/norm.h. Launched by norm.c. T is float or double.
 * MODE 0  lines: a block each computes mean, variance and result
 *      1  lines, backward: the gradient of the input
 *         CHANNEL: a line is a channel, made of strided runs of `inner` elements
 *      2  channels: partial statistics (or sums of gradients) over a share of their elements
 *      3  channels: combines the parts (or takes given statistics), then the result
 *      4  channels, backward: the same for the gradient of the input
 *      5  combines the parts into the gradients of weight and bias
 * BACK says whether parts are statistics or sums of gradients. Where inner is 1 (COLUMNS) a block
 * has 32 adjacent channels, else one; loads are VEC wide. Reduction trees and the split into parts
 * follow from the shape alone, so every run gives the same bits. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
typedef long long wide;

struct arguments {
    T *out;
    const T *in, *weight, *bias, *grad;
    T *mean, *rstd, *var, *grad_weight, *grad_bias;
    T *parts; /* [nparts, channels, 3] */
    wide lines, n; /* MODE 0 and 1: lines of n elements */
    wide batch, channels, inner, groups, per; /* channels; per: of one group */
    int nparts;
    bool given;
    double eps;
};

struct alignas(sizeof(T) * VEC) pack {
    T v[VEC];
};

/* Forward: count, mean, sum of squared deviations. Backward: two sums, b and c. Combined by Chan's
 * formula (Chan, Golub and LeVeque, 1979). */
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

/* Block-wide reduction for WIDTH interleaved results; every thread gets its own result's total. */
template <int WIDTH> static __device__ part total(const part x)
{
    __shared__ part room[THREADS];
    room[threadIdx.x] = x;
    for (int width = THREADS / 2; width >= WIDTH; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            room[threadIdx.x] = combine(room[threadIdx.x], room[threadIdx.x + width]);
    }
    __syncthreads();
    const part sum = room[threadIdx.x % WIDTH];
    __syncthreads();
    return sum;
}

/* ---- lines ---- */

#if MODE < 2
static __device__ T sum_of(T x)
{
    __shared__ T room[32];
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, step);
    if (THREADS > 32) {
        if (threadIdx.x % 32 == 0)
            room[threadIdx.x / 32] = x;
        __syncthreads();
        x = 0;
        for (int w = 0; w < THREADS / 32; w++)
            x += room[w];
        __syncthreads();
    }
    return x;
}

#ifdef CHANNEL
#define LINE 0
#else
#define LINE 1
#endif

/* A thread's vectors: KEEP of them held in registers, or re-read from memory. */
#define VECTORS(k, i)                                                                              \
    _Pragma("unroll") for (int k = 0, i = threadIdx.x * VEC; KEEP ? k < KEEP : i < n;              \
                           k++, i += THREADS * VEC) if (!KEEP || i < n)

static __device__ __forceinline__ pack load(const T *p, wide i)
{
    return *(const pack *)(p + i);
}

/* The offset of element i of the block's line. */
static __device__ __forceinline__ wide place(const arguments &a, int i)
{
#ifdef CHANNEL
    const unsigned inner = (unsigned)a.inner, b = (unsigned)i / inner;
    return (b * a.channels + blockIdx.x) * a.inner + ((unsigned)i - b * inner);
#else
    return blockIdx.x * a.n + i;
#endif
}

/* The channel that element i of a line takes weight and bias from. */
static __device__ __forceinline__ wide channel(const arguments &a, int i)
{
#ifdef CHANNEL
    return blockIdx.x;
#else
    return blockIdx.x % a.groups * a.per + (a.inner == 1 ? i : i / (int)a.inner);
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) norm_lines(const arguments a)
{
    const int n = (int)a.n;
    const wide line = blockIdx.x;
    pack x[KEEP ? KEEP : 1], g[KEEP && MODE ? KEEP : 1];
    if (KEEP)
        VECTORS(k, i)
        {
            x[k] = load(a.in, place(a, i));
            if (MODE)
                g[k] = load(a.grad, place(a, i));
        }
#define X(k, i) (KEEP ? x[k] : load(a.in, place(a, i)))
#if MODE == 0
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
            const wide c = channel(a, i + v);
            p.v[v] = (p.v[v] - mean) * rstd;
            if (a.weight)
                p.v[v] *= a.weight[c];
            if (a.bias)
                p.v[v] += a.bias[c];
        }
        *(pack *)(a.out + place(a, i)) = p;
    }
#else
#define G(k, i) (KEEP ? g[k] : load(a.grad, place(a, i)))
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
        if (KEEP)
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
            if (LINE && !KEEP && a.weight)
                q.v[v] *= a.weight[channel(a, i + v)];
            q.v[v] = (q.v[v] - sum - (p.v[v] - mean) * rstd * slope) * scale;
        }
        *(pack *)(a.out + place(a, i)) = q;
    }
#endif
}
#endif

/* ---- channels ---- */

#if MODE >= 2
#ifdef COLUMNS
#define WIDTH 32
#else
#define WIDTH 1
#endif
#define ROWS (THREADS / WIDTH)
#define UNROLL (VEC == 1 ? 8 : 4)

/* A thread's channel and its elements [begin, end), strided by ROWS * VEC. */
struct share {
    wide c;
    unsigned begin, end;
};

static __device__ share mine(const arguments &a)
{
    const unsigned all = (unsigned)(a.batch * a.inner), unit = ROWS * VEC * UNROLL;
    const unsigned units = (all + unit - 1) / unit;
    const unsigned each = (units + gridDim.y - 1) / gridDim.y * unit;
    share s;
    s.c = (wide)blockIdx.x * WIDTH + threadIdx.x % WIDTH;
    const wide begin = (wide)blockIdx.y * each;
    s.begin = begin < all ? (unsigned)begin : all;
    s.end = begin + each < all ? (unsigned)(begin + each) : all;
    s.begin += threadIdx.x / WIDTH * VEC;
    return s;
}

static __device__ wide place(const arguments &a, wide c, unsigned e)
{
#ifdef COLUMNS
    return e * a.channels + c;
#else
    const unsigned inner = (unsigned)a.inner, b = e / inner;
    return (b * a.channels + c) * a.inner + (e - b * inner);
#endif
}

/* Combines all parts of a channel. */
static __device__ part all_parts(const arguments &a, wide c)
{
    part sum = {0, 0, 0};
    for (int p = threadIdx.x / WIDTH; p < a.nparts; p += ROWS)
        if (c < a.channels) {
            const T *const from = a.parts + (p * a.channels + c) * 3;
            sum = combine(sum, {from[0], from[1], from[2]});
        }
    return total<WIDTH>(sum);
}

#if MODE == 2
/* Where the statistics of a channel's element are: by channel, or by line (group). */
static __device__ wide statistic(const arguments &a, wide c, unsigned e)
{
    return a.lines ? e / (unsigned)a.inner * a.groups + c / a.per : c;
}

static __device__ part partial(const arguments &a, wide c, const pack *x, const pack *g, unsigned e,
                           unsigned end)
{
    part sum = {0, 0, 0};
#if BACK
    for (int u = 0; u < UNROLL; u++) {
        const unsigned i = e + u * ROWS * VEC;
        if (i >= end)
            break;
        const wide s = statistic(a, c, i);
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

extern "C" __global__ void __launch_bounds__(THREADS) norm_channels(const arguments a)
{
    const share s = mine(a);
    const wide c = s.c;
    const bool there = c < a.channels;
#if MODE == 2
    part sum = {0, 0, 0};
    if (there)
        for (unsigned e = s.begin; e < s.end; e += ROWS * VEC * UNROLL) {
            pack x[UNROLL], g[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; u++) {
                const unsigned i = e + u * ROWS * VEC;
                if (i >= s.end)
                    break;
                const wide at = place(a, c, i);
                x[u] = *(const pack *)(a.in + at);
                if (BACK)
                    g[u] = *(const pack *)(a.grad + at);
            }
            sum = combine(sum, partial(a, c, x, g, e, s.end));
        }
    sum = total<WIDTH>(sum);
    if (there && threadIdx.x < WIDTH) {
        T *const to = a.parts + (blockIdx.y * a.channels + c) * 3;
        to[0] = sum.a;
        to[1] = sum.b;
        to[2] = sum.c;
    }
#else
    const bool writes = there && blockIdx.y == 0 && threadIdx.x < WIDTH;
    part sum = {0, 0, 0};
    if (MODE != 3 || !a.given)
        sum = all_parts(a, c);
#if MODE == 3
    const T var = a.given ? (T)0 : sum.c / sum.a;
    T mean = sum.b, rstd = (T)(1 / sqrt((double)var + a.eps));
    if (there && a.given) {
        mean = a.mean[c];
        rstd = a.rstd[c];
    } else if (writes) {
        a.mean[c] = mean;
        a.rstd[c] = rstd;
        if (a.var)
            a.var[c] = var;
    }
    if (!there)
        return;
    const T scale = a.weight ? a.weight[c] : (T)1, shift = a.bias ? a.bias[c] : (T)0;
#else
    if (writes && a.grad_weight)
        a.grad_weight[c] = sum.c;
    if (writes && a.grad_bias)
        a.grad_bias[c] = sum.b;
    if (MODE == 5 || !there)
        return;
    const T mean = a.mean[c], rstd = a.rstd[c], count = (T)(a.batch * a.inner);
    const T scale = (a.weight ? a.weight[c] : (T)1) * rstd;
    const T level = sum.b / count, slope = sum.c / count;
#endif
#if MODE != 5
    /* Load all, then store: the compiler must assume that out may alias in. */
    for (unsigned e = s.begin; e < s.end; e += ROWS * VEC * UNROLL) {
        pack x[UNROLL], g[MODE == 4 ? UNROLL : 1];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const unsigned i = e + u * ROWS * VEC;
            if (i >= s.end)
                break;
            const wide at = place(a, c, i);
            x[u] = *(const pack *)(a.in + at);
#if MODE == 4
            g[u] = *(const pack *)(a.grad + at);
#endif
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const unsigned i = e + u * ROWS * VEC;
            if (i >= s.end)
                break;
            for (int v = 0; v < VEC; v++)
#if MODE == 3
                x[u].v[v] = (x[u].v[v] - mean) * rstd * scale + shift;
#else
                x[u].v[v] = a.given /* x must not enter: 0 times infinity is NaN */
                                ? g[u].v[v] * scale
                                : (g[u].v[v] - level - (x[u].v[v] - mean) * rstd * slope) * scale;
#endif
            *(pack *)(a.out + place(a, c, i)) = x[u];
        }
    }
#endif
#endif
}
#endif
