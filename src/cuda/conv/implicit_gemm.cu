/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of every kind as products of matrices that are never stored; launched by
 * implicit_gemm.c. A block computes a tile of 64 by 64 results and stages BK of their terms at a
 * time in shared memory, each gathered from the address that its coordinates give. With o, c and t
 * for output channels, input channels and taps, and y and x for positions of all images in output
 * and input, the product in each group is (KIND is an enum cti_conv_kind)
 *   KIND 0  output[o, y] = weight[o, (c, t)] input[(c, t), y]
 *        1  input[c, x] = weight[c, (o, t)] output[(o, t), x]
 *        2  weight[o, (c, t)] = output[o, y] input[y, (c, t)], split over blocks (partial_sums.cu)
 * T is the type of the tensors, A that of sums, INDEX int32_t if it can count the elements, else
 * int64_t. */
#include "cuda/conv/implicit_gemm_args.h"
#define BK 16

struct alignas(16) four {
    A v[4];
};

static __device__ INDEX product(const int64_t *size)
{
    return (INDEX)(size[0] * size[1] * size[2]);
}

/* The coordinates of an element: an image or channel, and three dims. */
struct position {
    INDEX outer, x[3];
};

static __device__ position position_of(INDEX i, const int64_t *size)
{
    position p;
    for (int d = 2; d >= 0; d--) {
        const INDEX n = (INDEX)size[d], next = i / n;
        p.x[d] = i - next * n;
        i = next;
    }
    p.outer = i;
    return p;
}

static __device__ const T *at(const implicit_gemm_side &s, int64_t outer, int64_t channel,
                                   const INDEX *x)
{
    return s.data + outer * s.outer + channel * s.channel + x[0] * s.step[0] + x[1] * s.step[1] +
           x[2] * s.step[2];
}

/* The input that output y multiplies with tap t of channel t.outer; 0 in the padding. */
static __device__ A input_at(const implicit_gemm_args &a, INDEX group, const position &y, const position &t)
{
    INDEX x[3];
    for (int d = 0; d < 3; d++) {
        x[d] = y.x[d] * (INDEX)a.stride[d] + t.x[d] * (INDEX)a.dilation[d] - (INDEX)a.padding[d];
        if (x[d] < 0 || x[d] >= a.in[d])
            return 0;
    }
    return LOAD(*at(a.input, y.outer, group * a.IC + t.outer, x));
}

/* The output of channel t.outer to which input x contributes with tap t; 0 if no output does. */
static __device__ A output_at(const implicit_gemm_args &a, INDEX group, const position &x, const position &t)
{
    INDEX y[3];
    for (int d = 0; d < 3; d++) {
        const INDEX from =
            x.x[d] + (INDEX)a.padding[d] - t.x[d] * (INDEX)a.dilation[d];
        y[d] = from / (INDEX)a.stride[d];
        if (from < 0 || y[d] * (INDEX)a.stride[d] != from || y[d] >= a.out[d])
            return 0;
    }
    return LOAD(*at(a.output, x.outer, group * a.OC + t.outer, y));
}

/* Element (m, k) of the left matrix, and (k, n) of the right one, with n as coordinates. */
static __device__ A element_a(const implicit_gemm_args &a, INDEX group, INDEX m, INDEX k)
{
    if (KIND == 2) {
        const position y = position_of(k, a.out);
        return LOAD(*at(a.output, y.outer, group * a.OC + m, y.x));
    }
    const position t = position_of(k, a.taps);
    const INDEX o = KIND ? t.outer : m, c = KIND ? m : t.outer;
    return LOAD(*at(a.weight, group * a.OC + o, c, t.x));
}

static __device__ A element_b(const implicit_gemm_args &a, INDEX group, INDEX k, const position &n)
{
    if (KIND == 2)
        return input_at(a, group, position_of(k, a.out), n);
    const position t = position_of(k, a.taps);
    return KIND ? output_at(a, group, n, t) : input_at(a, group, n, t);
}

static __device__ void store(const implicit_gemm_args &a, INDEX group, INDEX m, const position &n, A sum)
{
    const implicit_gemm_side &to = KIND ? a.input : a.output;
    const INDEX channel = group * (INDEX)(KIND ? a.IC : a.OC) + m;
    if (a.bias)
        sum += LOAD(a.bias[channel]);
    *(T *)at(to, n.outer, channel, n.x) = STORE(sum);
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_implicit_gemm(const implicit_gemm_args a)
{
    __shared__ four tile_a[BK][TILE / 4], tile_b[BK][TILE / 4];
    const INDEX taps = product(a.taps), group = blockIdx.z;
    const INDEX positions = (INDEX)a.N * product(KIND == 1 ? a.in : a.out);
    const INDEX M = (INDEX)(KIND == 1 ? a.IC : a.OC);
    const INDEX N = KIND == 2 ? (INDEX)a.IC * taps : positions;
    const INDEX K = KIND == 2 ? positions : (INDEX)(KIND ? a.OC : a.IC) * taps;
    /* Neighbouring blocks share a row of tiles; blockIdx.y is the partial sum of KIND 2. */
    const INDEX tiles_n = (N + TILE - 1) / TILE;
    const INDEX m0 = blockIdx.x / tiles_n * TILE, n0 = blockIdx.x % tiles_n * TILE;
    const INDEX span = KIND == 2 ? (INDEX)a.span : K;
    const INDEX begin = KIND == 2 ? blockIdx.y * span : 0;
    const INDEX end = begin + span < K ? begin + span : K;
    const int64_t *const size = KIND == 2 ? a.taps : KIND ? a.in : a.out;
    /* A thread loads one column of the right matrix and one k of the left one, so that adjacent
     * threads read adjacent elements. */
    const int lane_n = threadIdx.x % TILE, first = threadIdx.x / TILE;
    const INDEX n = n0 + lane_n;
    const position column = position_of(n < N ? n : 0, size);
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    A sum[4][4] = {};
    for (INDEX k0 = begin; k0 < end; k0 += BK) {
        __syncthreads();
        for (int i = 0; i < BK; i += THREADS / TILE) {
            const INDEX k = k0 + first + i;
            ((A *)tile_b[first + i])[lane_n] =
                n < N && k < end ? element_b(a, group, k, column) : (A)0;
        }
        for (int i = 0; i < BK; i += THREADS / TILE) {
            const int lane_k = threadIdx.x % BK, row = threadIdx.x / BK + 4 * i;
            ((A *)tile_a[lane_k])[row] = m0 + row < M && k0 + lane_k < end
                                           ? element_a(a, group, m0 + row, k0 + lane_k)
                                           : (A)0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; k++) {
            const four x = tile_a[k][ty], y = tile_b[k][tx];
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 4; c++)
                    sum[r][c] = fma(x.v[r], y.v[c], sum[r][c]);
        }
    }
    for (int c = 0; c < 4; c++) {
        const INDEX to = n0 + tx * 4 + c;
        if (to >= N)
            continue;
        const position p = position_of(to, size);
        for (int r = 0; r < 4; r++) {
            const INDEX m = m0 + ty * 4 + r;
            if (m < M && KIND == 2)
                a.parts[((blockIdx.y * a.groups + group) * M + m) * N + to] = sum[r][c];
            else if (m < M)
                store(a, group, m, p, sum[r][c]);
        }
    }
}
