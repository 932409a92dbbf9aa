/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of float32 images as products on tensor cores. Neither factor is formed in memory: a
 * block has a tile of BM by BN results and brings BK of their summands at a time into shared memory,
 * while it multiplies those before. With o and c for channels of output and input, t for taps
 * (KH by KW), y and x for places of all images in output and input the products are
 *   KIND 0  output[o, y] = weight[o, (c, t)] input[(c, t), y]
 *        1  input[c, x] = weight[c, (o, t)] output[(o, t), x]
 *        2  weight[o, (c, t)] = output[o, y] input[y, (c, t)]; y in parts (partial_sums.cu)
 * The right factor is gathered: an element lies where a place and a pair (channel, tap) say, each of
 * them an offset and a pair of coordinates; a table in shared memory has those of the pairs.
 * EXACT: numbers are split in two, and sums of tensor cores, which cut off what does not fit, are
 * short: the accuracy of float32. */
#define LEFT_DEEP 1
#define RIGHT_DEEP (KIND == 2)
#include "cuda/common/mma.cuh"
#include "cuda/common/tile_product.cuh"
#define TAPS (KH * KW)
#define OUTSIDE (-(1 << 20)) /* a coordinate that no tap brings back */

struct arguments {
    const float *left, *image, *bias;
    float *out; /* KIND 2: parts */
    int rows, columns, deep; /* of the product */
    int span;                /* KIND 2: of `deep` in a part */
    int image_step, plane, height, width;   /* of what is gathered */
    int places, down, across, place_step, out_step; /* of an image whose places are counted */
    int channels; /* KIND 1: of the weight's second dim */
    int stride[2], padding[2], dilation[2];
};

/* Of a channel and a tap. */
struct pair {
    int offset;
    short y, x;
};
extern __shared__ pair pairs[];

static __device__ pair pair_of(const arguments &a, int i, int n)
{
    const int channel = i / TAPS, tap = i % TAPS;
    const int y = tap / KW * a.dilation[0], x = tap % KW * a.dilation[1];
    if (i >= n)
        return {0, -16384, -16384};
#if KIND == 1 && STRIDE > 1
    return {channel * a.plane, (short)-y, (short)-x};
#elif KIND == 1
    return {channel * a.plane - y * a.width - x, (short)-y, (short)-x};
#else
    return {channel * a.plane + y * a.width + x, (short)y, (short)x};
#endif
}

/* Where taps of a place begin. */
struct corner {
    int offset, y, x;
};

/* A place of all images. */
struct place {
    int image, y, x;

    __device__ place(const arguments &a, int i)
    {
        const int within = i % a.places;
        image = i / a.places;
        y = within / a.across;
        x = within % a.across;
    }

    __device__ __forceinline__ void advance(const arguments &a, int n)
    {
        for (x += n; x >= a.across; x -= a.across)
            y++;
        for (; y >= a.down; y -= a.down)
            image++;
    }
};

static __device__ __forceinline__ corner corner_of(const arguments &a, const place &p, bool there)
{
    if (!there)
        return {0, OUTSIDE, OUTSIDE};
#if KIND == 1
    const int y = p.y + a.padding[0], x = p.x + a.padding[1];
#else
    const int y = p.y * a.stride[0] - a.padding[0], x = p.x * a.stride[1] - a.padding[1];
#endif
#if KIND == 1 && STRIDE > 1
    return {p.image * a.image_step, y, x};
#else
    return {p.image * a.image_step + y * a.width + x, y, x};
#endif
}

static __device__ __forceinline__ float gather(const arguments &a, const corner &c, const pair &p)
{
    const int y = c.y + p.y, x = c.x + p.x;
#if KIND == 1 && STRIDE > 1
    if (y < 0 || x < 0 || y % STRIDE || x % STRIDE || y / STRIDE >= a.height ||
        x / STRIDE >= a.width)
        return 0;
    return a.image[c.offset + p.offset + y / STRIDE * a.width + x / STRIDE];
#else
    const bool inside = (unsigned)y < (unsigned)a.height && (unsigned)x < (unsigned)a.width;
    return inside ? a.image[c.offset + p.offset] : 0;
#endif
}

/* What a thread brings of the next summands, on its way from memory to the tiles. */
struct bringing {
    float left[BM * BK / THREADS], right[BN * BK / THREADS];

#if KIND == 2
    /* `p` is the place of this thread's column of the left factor, k its number. */
    __device__ __forceinline__ void fetch(const arguments &a, const pair *pairs, const place &p,
                                          int m0, int k, int end)
    {
        const int first = threadIdx.x / BK;
        const corner c = corner_of(a, p, k < end);
        const float *const from = a.left + p.image * a.place_step + p.y * a.across + p.x;
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; i++) {
            const int m = m0 + first + i * (THREADS / BK);
            left[i] = k < end && m < a.rows ? from[m * a.places] : 0;
        }
#pragma unroll
        for (int i = 0; i < BN * BK / THREADS; i++)
            right[i] = gather(a, c, pairs[first + i * (THREADS / BK)]);
    }
#else
    __device__ __forceinline__ void fetch(const arguments &a, const pair *pairs, const corner &c,
                                          int m0, int k0)
    {
        const int k = k0 + threadIdx.x % BK;
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; i++) {
            const int m = m0 + threadIdx.x / BK + i * (THREADS / BK);
#if KIND == 1
            const int at = (k / TAPS * a.channels + m) * TAPS + k % TAPS;
#else
            const int at = m * a.deep + k;
#endif
            left[i] = k < a.deep && m < a.rows ? a.left[at] : 0;
        }
#pragma unroll
        for (int i = 0; i < BN * BK / THREADS; i++)
            right[i] = gather(a, c, pairs[k0 + threadIdx.x / BN + i * (THREADS / BN)]);
    }
#endif

    /* True where a number is too large for tensor cores. */
    __device__ __forceinline__ bool put(float *to, float *other) const
    {
        const int first = threadIdx.x / BK, k = threadIdx.x % BK;
        bool large = false;
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; i++) {
            to[(first + i * (THREADS / BK)) * LEFT_ROW + k] = kept(left[i]);
            large |= EXACT && is_too_large(left[i]);
        }
#pragma unroll
        for (int i = 0; i < BN * BK / THREADS; i++) {
            const int at = RIGHT_DEEP ? (first + i * (THREADS / BK)) * RIGHT_ROW + k
                                      : (threadIdx.x / BN + i * (THREADS / BN)) * RIGHT_ROW +
                                            threadIdx.x % BN;
            other[at] = kept(right[i]);
            large |= EXACT && is_too_large(right[i]);
        }
        return large;
    }
};

/* Results of a thread: pairs of neighbours. Where rows of results are of even length, a pair lies
 * in one word of 8 bytes. */
static __device__ void store(const arguments &a, const sums &sum, int m0, int n0)
{
    m0 += first_row();
    n0 += first_column();
    const int row = KIND == 2 ? a.columns : a.places;
    float *const out = a.out + (KIND == 2 ? (size_t)blockIdx.y * a.rows * a.columns : 0);
#pragma unroll
    for (int j = 0; j < TN; j++) {
        const int n = n0 + j * 8;
        const int at = KIND == 2 ? n : n / a.places * a.out_step + n % a.places;
        const int next = KIND == 2 ? n + 1 : (n + 1) / a.places * a.out_step + (n + 1) % a.places;
#pragma unroll
        for (int i = 0; i < TM * 2; i++) {
            const int m = m0 + i * 8;
            if (m >= a.rows)
                continue;
            const float bias = a.bias ? a.bias[m] : 0;
            const float x = sum[i / 2][j][i % 2 * 2] + bias, y = sum[i / 2][j][i % 2 * 2 + 1] + bias;
            if (row % 2 == 0 && n < a.columns) {
                *(float2 *)(out + at + m * row) = make_float2(x, y);
                continue;
            }
            if (n < a.columns)
                out[at + m * row] = x;
            if (n + 1 < a.columns)
                out[next + m * row] = y;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_tensor_cores(const arguments a)
{
    __shared__ float left[2][LEFT_SIZE], right[2][RIGHT_SIZE];
    /* Blocks of one column of tiles follow each other: they gather the same places. */
    const int high = (a.rows + BM - 1) / BM;
    const int m0 = blockIdx.x % high * BM, n0 = blockIdx.x / high * BN;
    const int begin = KIND == 2 ? blockIdx.y * a.span : 0;
    const int end = KIND == 2 && begin + a.span < a.deep ? begin + a.span : a.deep;
    bringing next;
    sums sum = {};
#if KIND == 2
    for (int i = threadIdx.x; i < BN; i += THREADS)
        pairs[i] = pair_of(a, n0 + i, a.columns);
    const int mine = threadIdx.x % BK;
    place p(a, begin + mine);
#define FETCH(k0) next.fetch(a, pairs, p, m0, k0 + mine, end), p.advance(a, BK)
#else
    const int mine = n0 + threadIdx.x % BN;
    const corner c = corner_of(a, place(a, mine), mine < a.columns);
    for (int i = threadIdx.x; i < (a.deep + BK - 1) / BK * BK; i += THREADS)
        pairs[i] = pair_of(a, i, a.deep);
#define FETCH(k0) next.fetch(a, pairs, c, m0, k0)
#endif
    __syncthreads();
    FETCH(begin);
    bool large = __syncthreads_or(next.put(left[0], right[0]));
    for (int k0 = begin, now = 0; k0 < end; k0 += BK, now = 1 - now) {
        const bool more = k0 + BK < end;
        bool next_large = false;
        if (more)
            FETCH(k0 + BK);
        add_product(sum, left[now], right[now], large);
        if (more)
            next_large = next.put(left[1 - now], right[1 - now]);
        large = __syncthreads_or(next_large);
    }
    store(a, sum, m0, n0);
}
