/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of float32 images as an implicit GEMM on tensor cores (common/tile_product.cuh);
 * launched by tensor_cores.c. A block computes a tile of BM by BN results; it loads the next BK
 * terms of their sums into registers while it multiplies those in shared memory. With o and c for
 * channels of output and input, t for taps (KH by KW), y and x for positions of all images in output
 * and input, the product is (KIND is an enum cti_conv_kind)
 *   KIND 0  output[o, y] = weight[o, (c, t)] input[(c, t), y]
 *        1  input[c, x] = weight[c, (o, t)] output[(o, t), x]; STRIDE is the convolution's
 *        2  weight[o, (c, t)] = output[o, y] input[y, (c, t)], split over blocks (partial_sums.cu)
 * The right matrix is gathered: the address and the coordinates of an element are the sums of those
 * of a position and those of a pair (channel, tap). A table in shared memory holds the pairs. */
#define LEFT_K_MAJOR 1
#define RIGHT_K_MAJOR (KIND == 2)
#include "cuda/common/mma.cuh"
#include "cuda/common/tile_product.cuh"
#include "cuda/conv/tensor_cores_args.h"
#define TAPS (KH * KW)
#define OUTSIDE (-(1 << 20)) /* a coordinate that is outside of the image for every tap */

/* What a channel and a tap add to the address and the coordinates of a position. */
struct pair {
    int offset;
    short y, x;
};
extern __shared__ pair pairs[];

static __device__ pair pair_of(const conv_tensor_cores_args &a, int i, int n)
{
    const int channel = i / TAPS, tap = i % TAPS;
    const int y = tap / KW * a.dilation_h, x = tap % KW * a.dilation_w;
    if (i >= n)
        return {0, -16384, -16384};
#if KIND == 1 && STRIDE > 1
    return {channel * a.in_plane, (short)-y, (short)-x};
#elif KIND == 1
    return {channel * a.in_plane - y * a.IW - x, (short)-y, (short)-x};
#else
    return {channel * a.in_plane + y * a.IW + x, (short)y, (short)x};
#endif
}

/* The address and the coordinates of the first tap at a position. */
struct corner {
    int offset, y, x;
};

/* A position, counted through all images. */
struct position {
    int image, y, x;

    __device__ position(const conv_tensor_cores_args &a, int i)
    {
        const int within = i % a.out_plane;
        image = i / a.out_plane;
        y = within / a.OW;
        x = within % a.OW;
    }

    __device__ __forceinline__ void advance(const conv_tensor_cores_args &a, int n)
    {
        for (x += n; x >= a.OW; x -= a.OW)
            y++;
        for (; y >= a.OH; y -= a.OH)
            image++;
    }
};

static __device__ __forceinline__ corner corner_of(const conv_tensor_cores_args &a, const position &p, bool there)
{
    if (!there)
        return {0, OUTSIDE, OUTSIDE};
#if KIND == 1
    const int y = p.y + a.pad_h, x = p.x + a.pad_w;
#else
    const int y = p.y * a.stride_h - a.pad_h, x = p.x * a.stride_w - a.pad_w;
#endif
#if KIND == 1 && STRIDE > 1
    return {p.image * a.in_image, y, x};
#else
    return {p.image * a.in_image + y * a.IW + x, y, x};
#endif
}

static __device__ __forceinline__ float gather(const conv_tensor_cores_args &a, const corner &c, const pair &p)
{
    const int y = c.y + p.y, x = c.x + p.x;
#if KIND == 1 && STRIDE > 1
    if (y < 0 || x < 0 || y % STRIDE || x % STRIDE || y / STRIDE >= a.IH ||
        x / STRIDE >= a.IW)
        return 0;
    return a.image[c.offset + p.offset + y / STRIDE * a.IW + x / STRIDE];
#else
    const bool inside = (unsigned)y < (unsigned)a.IH && (unsigned)x < (unsigned)a.IW;
    return inside ? a.image[c.offset + p.offset] : 0;
#endif
}

/* A thread's share of the next BK terms, held in registers on the way from global to shared
 * memory. */
struct staged_terms {
    float left[BM * BK / THREADS], right[BN * BK / THREADS];

#if KIND == 2
    /* `p` is the position number k; `end` is where this partial sum ends. */
    __device__ __forceinline__ void fetch(const conv_tensor_cores_args &a, const pair *pairs, const position &p,
                                          int m0, int k, int end)
    {
        const int first = threadIdx.x / BK;
        const corner c = corner_of(a, p, k < end);
        const float *const from = a.left + p.image * a.out_image + p.y * a.OW + p.x;
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; i++) {
            const int m = m0 + first + i * (THREADS / BK);
            left[i] = k < end && m < a.M ? from[m * a.out_plane] : 0;
        }
#pragma unroll
        for (int i = 0; i < BN * BK / THREADS; i++)
            right[i] = gather(a, c, pairs[first + i * (THREADS / BK)]);
    }
#else
    __device__ __forceinline__ void fetch(const conv_tensor_cores_args &a, const pair *pairs, const corner &c,
                                          int m0, int k0)
    {
        const int k = k0 + threadIdx.x % BK;
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; i++) {
            const int m = m0 + threadIdx.x / BK + i * (THREADS / BK);
#if KIND == 1
            const int at = (k / TAPS * a.weight_ic + m) * TAPS + k % TAPS;
#else
            const int at = m * a.K + k;
#endif
            left[i] = k < a.K && m < a.M ? a.left[at] : 0;
        }
#pragma unroll
        for (int i = 0; i < BN * BK / THREADS; i++)
            right[i] = gather(a, c, pairs[k0 + threadIdx.x / BN + i * (THREADS / BN)]);
    }
#endif

    /* Stores the share in shared memory. Returns true if a value cannot be split, see TOO_LARGE. */
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
            const int at = RIGHT_K_MAJOR ? (first + i * (THREADS / BK)) * RIGHT_ROW + k
                                      : (threadIdx.x / BN + i * (THREADS / BN)) * RIGHT_ROW +
                                            threadIdx.x % BN;
            other[at] = kept(right[i]);
            large |= EXACT && is_too_large(right[i]);
        }
        return large;
    }
};

/* Stores the results of a thread, which are pairs of neighbours. If rows have an even length, pairs
 * are aligned to 8 bytes and each is stored in one access. */
static __device__ void store(const conv_tensor_cores_args &a, const sums &sum, int m0, int n0)
{
    m0 += first_row();
    n0 += first_column();
    const int row = KIND == 2 ? a.N : a.out_plane;
    float *const out = a.out + (KIND == 2 ? (size_t)blockIdx.y * a.M * a.N : 0);
#pragma unroll
    for (int j = 0; j < TN; j++) {
        const int n = n0 + j * 8;
        const int at = KIND == 2 ? n : n / a.out_plane * a.out_image + n % a.out_plane;
        const int next = KIND == 2 ? n + 1 : (n + 1) / a.out_plane * a.out_image + (n + 1) % a.out_plane;
#pragma unroll
        for (int i = 0; i < TM * 2; i++) {
            const int m = m0 + i * 8;
            if (m >= a.M)
                continue;
            const float bias = a.bias ? a.bias[m] : 0;
            const float x = sum[i / 2][j][i % 2 * 2] + bias, y = sum[i / 2][j][i % 2 * 2 + 1] + bias;
            if (row % 2 == 0 && n < a.N) {
                *(float2 *)(out + at + m * row) = make_float2(x, y);
                continue;
            }
            if (n < a.N)
                out[at + m * row] = x;
            if (n + 1 < a.N)
                out[next + m * row] = y;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_tensor_cores(const conv_tensor_cores_args a)
{
    __shared__ float left[2][LEFT_SIZE], right[2][RIGHT_SIZE];
    /* Neighbouring blocks share a column of tiles, so that they gather the same positions. */
    const int tiles_m = (a.M + BM - 1) / BM;
    const int m0 = blockIdx.x % tiles_m * BM, n0 = blockIdx.x / tiles_m * BN;
    const int begin = KIND == 2 ? blockIdx.y * a.part_k : 0;
    const int end = KIND == 2 && begin + a.part_k < a.K ? begin + a.part_k : a.K;
    staged_terms next;
    sums sum = {};
#if KIND == 2
    for (int i = threadIdx.x; i < BN; i += THREADS)
        pairs[i] = pair_of(a, n0 + i, a.N);
    const int lane_n = threadIdx.x % BK;
    position p(a, begin + lane_n);
#define FETCH(k0) next.fetch(a, pairs, p, m0, k0 + lane_n, end), p.advance(a, BK)
#else
    const int lane_n = n0 + threadIdx.x % BN;
    const corner c = corner_of(a, position(a, lane_n), lane_n < a.N);
    for (int i = threadIdx.x; i < (a.K + BK - 1) / BK * BK; i += THREADS)
        pairs[i] = pair_of(a, i, a.K);
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
