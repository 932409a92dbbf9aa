/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of float32 images without strides and with few channels on tensor cores in TF32;
 * launched by strip.c, whose strip_shared_of must agree with the layout of shared memory here. As
 * in patch.cu, a tile of positions and the border that the KH by KW taps reach are in shared
 * memory. Here a lane works on strips of 4 neighbouring positions: the order of positions in a
 * product is free, so a strip can be the lane's share of 4 fragments. All taps of a row then read
 * the same NV vectors of 4 floats, which takes a seventh of the loads that separate fragments would
 * need.
 *   WEIGHT_GRAD 0  the convolution, or (FLIP) the gradient of the input with the taps in the opposite
 *                  order. Blocks are persistent: they keep the weights of 16 TM output channels in
 *                  shared memory as fragments and loop over tiles of 256 positions, 32 for a warp
 *               1  the gradient of the weight, split over blocks (partial_sums.cu). A warp has one
 *                  row of taps and every PARTS-th group of 16 positions
 * A tile is BN images by TH by TW positions; the next one is copied while this one is multiplied. A
 * copy moves COPY floats of an image, COPY_GRAD floats of a gradient. Column FIRST of a patch is the
 * first tap of the first position. BC, a multiple of 8, is the number of input channels; missing
 * ones are zero. */
#define EXACT 0
#include "cuda/common/async_copy.cuh"
#include "cuda/common/mma.cuh"
#include "cuda/conv/patch_args.h"
#define PATCH_H (TH + KH - 1)
#define NV ((FIRST + KW + 6) / 4)
#define ROW (TW + 4 * (NV - 1))
#define POSITIONS (BN * TH * TW)
#define AREA (BN * PATCH_H * ROW)
/* Channel pitch, padded so that the 8 lanes which read vectors together have no bank conflicts. */
#define SKEW (!WEIGHT_GRAD ? 8 : 16)
#define STEP ((AREA + 31 - SKEW) / 32 * 32 + SKEW)
#define GRAD_STEP ((POSITIONS + 15) / 32 * 32 + 16)
/* Gradients that are copied one float at a time are interleaved as a fragment needs them: rows g and
 * g + 8 of 16 alternate. */
#define PAIRED (COPY_GRAD == 1)
#define PAIR_STEP ((2 * POSITIONS + 27) / 32 * 32 + 4)

enum { IN_FLIGHT = !WEIGHT_GRAD ? 4 : 2 }; /* unrolled copies; sums of a weight gradient leave few registers */
extern __shared__ __align__(16) float shared[];

/* A tile: its first image and its top left position. */
struct tile {
    int image, y, x;

    __device__ tile(const conv_patch_args &a, int i)
    {
        const int tiles_x = (a.OW + TW - 1) / TW, tiles_y = (a.OH + TH - 1) / TH;
        x = i % tiles_x * TW;
        y = i / tiles_x % tiles_y * TH;
        image = i / (tiles_x * tiles_y) * BN;
    }
};

static __device__ int tiles_of(const conv_patch_args &a)
{
    return (a.N + BN - 1) / BN * ((a.OW + TW - 1) / TW) * ((a.OH + TH - 1) / TH);
}

/* Returns the offset in the patch of the strip at a position of the tile. */
static __device__ __forceinline__ int patch_of(int position)
{
    return (position / (TH * TW) * PATCH_H + position / TW % TH) * ROW + position % TW;
}

/* Starts to copy the patch of a tile, up to BC channels. A thread copies one column of every
 * LINES-th row, so that it gets from one element to the next by a few additions. */
static __device__ __forceinline__ void copy_patch(const conv_patch_args &a, float *patch, const tile &at,
                                                   int channel)
{
    enum { LINE = ROW / COPY, LINES = THREADS / LINE };
    const int have = a.IC - channel < BC ? a.IC - channel : BC;
    const int column = threadIdx.x % LINE * COPY, first = threadIdx.x / LINE;
    const int x = at.x - a.pad_w + column, top = at.y - a.pad_h;
    const bool in_row = first < LINES && (unsigned)x < (unsigned)a.IW;
    int row = first % PATCH_H, plane = first / PATCH_H;
#pragma unroll IN_FLIGHT
    for (int i = first; i < (first < LINES ? have * BN * PATCH_H : 0); i += LINES) {
        const int c = plane / BN, image = at.image + plane % BN, y = top + row;
        const bool inside = in_row && image < a.N && (unsigned)y < (unsigned)a.IH;
        const int from = ((image * a.IC + channel + c) * a.IH + y) * a.IW + x;
        copy_later<COPY>(patch + c * STEP + (plane % BN * PATCH_H + row) * ROW + column,
                         a.image + (inside ? from : 0), inside);
        row += LINES % PATCH_H;
        plane += LINES / PATCH_H;
        if (row >= PATCH_H) {
            row -= PATCH_H;
            plane++;
        }
    }
}

static __device__ __forceinline__ void clear(float *to, int n)
{
    for (int i = threadIdx.x; i < n; i += THREADS)
        to[i] = 0;
}

/* Loads N vectors from shared memory, rounded to TF32. */
template <int N> static __device__ __forceinline__ void load(float (&to)[4 * N], const float *from)
{
#pragma unroll
    for (int v = 0; v < N; v++) {
        const float4 x = *(const float4 *)(from + 4 * v);
        to[4 * v] = ROUND_TF32(x.x);
        to[4 * v + 1] = ROUND_TF32(x.y);
        to[4 * v + 2] = ROUND_TF32(x.z);
        to[4 * v + 3] = ROUND_TF32(x.w);
    }
}

/* Two numbers of a column of B, or of A. The MMA instruction needs them in adjacent registers; a
 * 64-bit type keeps them there, which saves the moves. */
#ifdef EMULATED
struct column {
    float x[2];
};

static __device__ __forceinline__ column column_of(float x, float y)
{
    const column c = {{x, y}};
    return c;
}

static __device__ __forceinline__ void mma_columns(float (&c)[4], const column (&a)[2], const column &b)
{
    const float left[4] = {a[0].x[0], a[0].x[1], a[1].x[0], a[1].x[1]};
    MMA(c, left, b.x);
}
#else
typedef unsigned long long column;

static __device__ __forceinline__ column column_of(float x, float y)
{
    column c;
    asm("mov.b64 %0, {%1, %2};" : "=l"(c) : "f"(x), "f"(y));
    return c;
}

/* c += a b; a: columns t and t + 4 of rows g and g + 8. */
static __device__ __forceinline__ void mma_columns(float (&c)[4], const column (&a)[2], column b)
{
    asm("{\n.reg .b32 a<4>, b<2>;\nmov.b64 {a0, a1}, %4;\nmov.b64 {a2, a3}, %5;\n"
        "mov.b64 {b0, b1}, %6;\n"
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {a0, a1, a2, a3}, "
        "{b0, b1}, {%0, %1, %2, %3};\n}"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "l"(a[0]), "l"(a[1]), "l"(b));
}
#endif

#if !WEIGHT_GRAD
#define BM (16 * TM)
#define WEIGHTS (BM * BC * KH * KW)

/* Stores the weights as the fragments of lanes: [BC / 8][tap][TM][lane][4]. */
static __device__ __forceinline__ void load_weight(const conv_patch_args &a, float *to, int m0)
{
#pragma unroll 8
    for (int i = threadIdx.x; i < WEIGHTS; i += THREADS) {
        const int tap = i % (KH * KW), c = i / (KH * KW) % BC, m = i / (KH * KW * BC);
        const int fragment = (c / 8 * (KH * KW) + tap) * TM + m / 16;
        const int lane = m % 8 * 4 + c % 4, e = m % 16 / 8 + c % 8 / 4 * 2;
        const bool there = m0 + m < a.OC && c < a.IC;
        const int from = (m0 + m) * a.weight_oc + c * a.weight_ic +
                         (FLIP ? KH * KW - 1 - tap : tap);
        to[fragment * 128 + lane * 4 + e] = ROUND_TF32(there ? a.weight[from] : 0);
    }
}

typedef float sums[TM][4][4];

static __device__ __forceinline__ void load_strips(float (&to)[2][4 * NV], const float *from)
{
#pragma unroll
    for (int e = 0; e < 2; e++)
#pragma unroll
        for (int v = 0; v < NV; v++) {
            const float4 x = *(const float4 *)(from + e * 4 * STEP + 4 * v);
            to[e][4 * v] = x.x;
            to[e][4 * v + 1] = x.y;
            to[e][4 * v + 2] = x.z;
            to[e][4 * v + 3] = x.w;
        }
}

/* Multiplies all of a warp's 32 positions. The next row of strips is loaded while tensor cores work on
 * this one. */
static __device__ __forceinline__ void multiply(sums &sum, const float *weight, const float *patch)
{
    const int lane = threadIdx.x % 32, t = lane % 4;
    const float *const first = patch + t * STEP + patch_of(threadIdx.x / 32 * 32 + lane / 4 * 4);
    const float *from = first, *fragment = weight + lane * 4;
    float next[2][4 * NV];
    int y = 0;
    load_strips(next, from);
#pragma unroll 1
    for (int i = 1; i <= BC / 8 * KH; i++) {
        column r[KW + 3];
#pragma unroll
        for (int k = 0; k < KW + 3; k++)
            r[k] = column_of(ROUND_TF32(next[0][FIRST + k]), ROUND_TF32(next[1][FIRST + k]));
        y = y == KH - 1 ? 0 : y + 1;
        from += y == 0 ? 8 * STEP - (KH - 1) * ROW : ROW;
        load_strips(next, i < BC / 8 * KH ? from : first); /* the last load is not used */
#pragma unroll
        for (int x = 0; x < KW; x++)
#pragma unroll
            for (int m = 0; m < TM; m++, fragment += 128) {
                const float4 v = *(const float4 *)fragment;
                const column l[2] = {column_of(v.x, v.y), column_of(v.z, v.w)};
#pragma unroll
                for (int j = 0; j < 4; j++)
                    mma_columns(sum[m][j], l, r[j + x]);
            }
    }
}

/* Lane 4 g + t has rows g and g + 8 of strips 2 t and 2 t + 1, two vectors of each row: i selects
 * the row, h the strip. */
static __device__ __forceinline__ float4 strip_of(const sums &sum, int i, int h, float bias)
{
    const float(&s)[4][4] = sum[i / 2];
    const int e = i % 2 * 2 + h;
    return make_float4(s[0][e] + bias, s[1][e] + bias, s[2][e] + bias, s[3][e] + bias);
}

static __device__ __forceinline__ float bias_of(const conv_patch_args &a, int m)
{
    return a.bias && m < a.OC ? a.bias[m] : 0;
}

/* Stores vectors; OW is a multiple of 4. */
static __device__ __forceinline__ void store(const conv_patch_args &a, const sums &sum, const tile &at,
                                             int m0)
{
    const int lane = threadIdx.x % 32, position0 = threadIdx.x / 32 * 32 + lane % 4 * 8;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int position = position0 + 4 * h, image = at.image + position / (TH * TW);
        const int y = at.y + position / TW % TH, x = at.x + position % TW;
        if (image >= a.N || y >= a.OH || x >= a.OW)
            continue;
#pragma unroll
        for (int i = 0; i < 2 * TM; i++) {
            const int m = m0 + i * 8 + lane / 4;
            if (m < a.OC)
                *(float4 *)(a.out + (((long long)image * a.OC + m) * a.OH + y) * a.OW + x) =
                    strip_of(sum, i, h, bias_of(a, m));
        }
    }
}

/* Stores results for any OW: adjacent lanes write adjacent floats, 16 rows at a time. To do so, a
 * warp transposes its results in 16 lines of PITCH floats of shared memory. If lanes wrote their
 * own strips instead, each write would fill only an eighth of a memory sector. */
#define PITCH 36 /* avoids bank conflicts */

static __device__ __forceinline__ void store_lines(const conv_patch_args &a, const sums &sum, const tile &at,
                                                   int m0, float *stage)
{
    const int lane = threadIdx.x % 32, position = threadIdx.x / 32 * 32 + lane;
    const int image = at.image + position / (TH * TW);
    const int y = at.y + position / TW % TH, x = at.x + position % TW;
    const bool inside = image < a.N && y < a.OH && x < a.OW;
    const long long area = (long long)a.OH * a.OW;
    float *to = a.out + ((long long)image * a.OC + m0) * area + y * a.OW + x;
    stage += threadIdx.x / 32 * (16 * PITCH);
#pragma unroll
    for (int i = 0; i < TM; i++, m0 += 16) {
#pragma unroll
        for (int e = 0; e < 4; e++)
            *(float4 *)(stage + (e / 2 * 8 + lane / 4) * PITCH + lane % 4 * 8 + e % 2 * 4) =
                strip_of(sum, 2 * i + e / 2, e % 2, bias_of(a, m0 + e / 2 * 8 + lane / 4));
        __syncwarp();
#pragma unroll
        for (int m = 0; m < 16; m++, to += area)
            if (inside && m0 + m < a.OC)
                *to = stage[m * PITCH + lane];
        __syncwarp();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) conv_strip(const conv_patch_args a)
{
    const int m0 = blockIdx.y * BM, all = tiles_of(a);
    float *const weight = shared, *const patches = shared + WEIGHTS;
    clear(patches, 2 * BC * STEP);
    __syncthreads();
    if ((int)blockIdx.x < all)
        copy_patch(a, patches, tile(a, blockIdx.x), 0);
    load_weight(a, weight, m0);
    int current = 0;
    for (int i = blockIdx.x; i < all; i += gridDim.x, current = 1 - current) {
        own_copies_done();
        __syncthreads(); /* no warp still reads the stage that the next copies overwrite */
        if (i + (int)gridDim.x < all)
            copy_patch(a, patches + (1 - current) * BC * STEP, tile(a, i + gridDim.x), 0);
        sums sum = {};
        multiply(sum, weight, patches + current * BC * STEP);
        if (a.OW % 4 == 0)
            store(a, sum, tile(a, i), m0);
        else
            store_lines(a, sum, tile(a, i), m0, patches + 2 * BC * STEP);
    }
}
#else
#define BM (16 * TM)
#define TN (BC / 8)
#define STAGE_SIZE (BC * STEP + (PAIRED ? BM / 2 * PAIR_STEP : BM * GRAD_STEP))

/* Starts to copy a tile of the output's gradient, BM channels, like copy_patch. */
static __device__ __forceinline__ void copy_grad(const conv_patch_args &a, float *to, const tile &at, int m0)
{
    enum { LINE = TW / COPY_GRAD, LINES = THREADS / LINE };
    const int column = threadIdx.x % LINE * COPY_GRAD, first = threadIdx.x / LINE;
    const int x = at.x + column;
    const bool in_row = first < LINES && x < a.OW;
    int row = first % TH, plane = first / TH;
#pragma unroll IN_FLIGHT
    for (int i = first; i < (first < LINES ? BM * BN * TH : 0); i += LINES) {
        const int m = plane / BN, image = at.image + plane % BN, y = at.y + row;
        const bool inside = in_row && m0 + m < a.OC && image < a.N && y < a.OH;
        const int from = ((image * a.OC + m0 + m) * a.OH + y) * a.OW + x;
        const int position = (plane % BN * TH + row) * TW + column;
        const int at_pair = (m / 16 * 8 + m % 8) * PAIR_STEP + 2 * position + m % 16 / 8;
        copy_later<COPY_GRAD>(to + (PAIRED ? at_pair : m * GRAD_STEP + position),
                              a.grad + (inside ? from : 0), inside);
        row += LINES % TH;
        plane += LINES / TH;
        if (row >= TH) {
            row -= TH;
            plane++;
        }
    }
}

typedef float sums[KW][TM][TN][4];

/* Multiplies 16 positions, of which a lane has a strip: its first two numbers belong to one product,
 * the other two to the next. */
static __device__ __forceinline__ void multiply(sums &sum, const float *patch, const float *grad)
{
    column l[TM][4];
#pragma unroll
    for (int i = 0; i < TM; i++) {
        float pairs[8];
#if PAIRED
        load<2>(pairs, grad + i * 8 * PAIR_STEP);
#else
        float rows[2][4];
#pragma unroll
        for (int h = 0; h < 2; h++)
            load<1>(rows[h], grad + (i * 16 + h * 8) * GRAD_STEP);
#pragma unroll
        for (int q = 0; q < 8; q++)
            pairs[q] = rows[q % 2][q / 2];
#endif
#pragma unroll
        for (int q = 0; q < 4; q++)
            l[i][q] = column_of(pairs[2 * q], pairs[2 * q + 1]);
    }
#pragma unroll
    for (int n = 0; n < TN; n++) {
        float line[4 * NV];
        column r[KW + 2];
        load<NV>(line, patch + n * 8 * STEP);
#pragma unroll
        for (int k = 0; k < KW + 2; k++)
            r[k] = column_of(line[FIRST + k], line[FIRST + k + 1]);
#pragma unroll
        for (int q = 0; q < 4; q += 2)
#pragma unroll
            for (int x = 0; x < KW; x++)
#pragma unroll
                for (int i = 0; i < TM; i++) {
                    const column left[2] = {l[i][q], l[i][q + 1]};
                    mma_columns(sum[x][i][n], left, r[q + x]);
                }
    }
}

/* Adds the sums of the PARTS warps of a row of taps in the first of these warps, in order. */
static __device__ void reduce(sums &sum)
{
    const int warp = threadIdx.x / 32;
    float *const flat = &sum[0][0][0][0];
    float *const scratch = shared + warp % KH * 32 * (KW * TM * TN * 4) + threadIdx.x % 32;
    for (int part = 1; part < PARTS; part++) {
        __syncthreads();
        if (warp / KH == part)
#pragma unroll
            for (int i = 0; i < KW * TM * TN * 4; i++)
                scratch[i * 32] = flat[i];
        __syncthreads();
        if (warp < KH)
#pragma unroll
            for (int i = 0; i < KW * TM * TN * 4; i++)
                flat[i] += scratch[i * 32];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) conv_strip_weight(const conv_patch_args a)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int tiles_m = (a.OC + BM - 1) / BM, tap_row = warp % KH;
    const int m0 = blockIdx.y % tiles_m * BM, channel = blockIdx.y / tiles_m * BC;
    const int all = tiles_of(a), begin = blockIdx.x * a.part_tiles;
    const int end = begin + a.part_tiles < all ? begin + a.part_tiles : all;
    sums sum = {};
    clear(shared, 2 * STAGE_SIZE);
    __syncthreads();
    for (int i = begin; i <= end; i++) {
        float *const next = shared + (i - begin) % 2 * STAGE_SIZE;
        const float *const current = shared + (i - begin + 1) % 2 * STAGE_SIZE;
        if (i > begin) {
            own_copies_done();
            __syncthreads(); /* no warp still reads the stage that the next copies overwrite */
        }
        if (i < end) {
            const tile at(a, i);
            copy_patch(a, next, at, channel);
            copy_grad(a, next + BC * STEP, at, m0);
        }
        if (i == begin)
            continue;
        const float *const patch = current + g * STEP + tap_row * ROW;
        const float *const grad = current + BC * STEP + g * (PAIRED ? PAIR_STEP : GRAD_STEP);
#pragma unroll 1
        for (int s = warp / KH; s < POSITIONS / 16; s += PARTS) {
            const int position = s * 16 + 4 * t;
            multiply(sum, patch + patch_of(position), grad + (PAIRED ? 2 : 1) * position);
        }
    }
    reduce(sum);
    if (warp >= KH)
        return;
    float *const out = a.out + (long long)blockIdx.x * a.OC * a.IC * (KH * KW);
#pragma unroll
    for (int x = 0; x < KW; x++)
#pragma unroll
        for (int i = 0; i < 2 * TM; i++)
#pragma unroll
            for (int n = 0; n < TN * 2; n++) {
                const int m = m0 + i * 8 + g, c = channel + n / 2 * 8 + 2 * t + n % 2;
                if (m < a.OC && c < a.IC)
                    out[(m * a.IC + c) * (KH * KW) + tap_row * KW + x] =
                        sum[x][i / 2][n / 2][i % 2 * 2 + n % 2];
            }
}
#endif
