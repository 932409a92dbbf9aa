/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of float32 images without strides and with few channels on TF32 tensor cores. A
 * block loads a patch of an image into shared memory once: the TH by TW positions of its tile of
 * the result, and the border that the KH by KW taps reach. All taps read it there, BC channels at a
 * time. Launched by patch.c, whose patch_shared_of must agree with the layout of shared memory
 * here.
 *   WEIGHT_GRAD 0  the convolution out[n, oc, y] = sum over ic, t of weight[oc, ic, t] *
 *                  image[n, ic, y + t - pad]. FLIP: the gradient of the input, which is a convolution
 *                  of the output's gradient with the taps in the opposite order
 *               1  the gradient of the weight, weight[oc, ic, t] = sum over n, y of grad[n, oc, y] *
 *                  image[n, ic, y + t - pad], split over blocks (partial_sums.cu)
 * With WEIGHT_GRAD, asynchronous copies load the next tile into shared memory during the
 * multiplication of the current one; each thread then rounds the elements that it has copied to
 * TF32. A copy moves COPY floats of an image and COPY_GRAD floats of a gradient.
 * EXACT keeps the accuracy of float32 by 3xTF32. Tensor cores truncate when they accumulate, so its
 * accumulation chains are short. */
#include "cuda/common/async_copy.cuh"
#include "cuda/common/mma.cuh"
#include "cuda/common/tf32_split.cuh"
#include "cuda/conv/patch_args.h"
#define THREADS 256
#define TAPS (KH * KW)
/* A row of a patch. With COPY 4 it begins 4 columns left of the tile and ends 4 right of it, so that
 * copies are aligned; the first tap of the first position is then at column 4 - pad_w. */
#define PATCH_ROW (COPY == 4 ? TW + 8 : TW + KW - 1)
#define FIRST(a) (COPY == 4 ? 4 - (a).pad_w : 0)
#define BEFORE(a) (COPY == 4 ? 4 : (a).pad_w)

extern __shared__ __align__(16) float shared[];

/* A tile of the result: its image and its top left position. */
struct tile {
    int image, y, x;

    __device__ tile(const conv_patch_args &a, int i)
    {
        const int tiles_x = (a.OW + TW - 1) / TW, tiles_y = (a.OH + TH - 1) / TH;
        x = i % tiles_x * TW;
        y = i / tiles_x % tiles_y * TH;
        image = i / (tiles_x * tiles_y);
    }
};

#define PATCH_H (TH + KH - 1)
#define AREA (PATCH_H * PATCH_ROW)

#if !WEIGHT_GRAD
#define WARPS_M (BM >= 64 ? 2 : 1)
#define WARPS_N (8 / WARPS_M)
#define TM (BM / WARPS_M / 16)
#define TN (TH * TW / 8 / WARPS_N)
/* Channel pitch and row pitch of a weight, padded against bank conflicts. */
#define PATCH_STEP ((PATCH_H * PATCH_ROW + 23) / 32 * 32 + 8)
#define WEIGHT_ROW (BC + 4)

static __device__ __forceinline__ float operand(float x)
{
    return EXACT ? x : ROUND_TF32(x);
}

/* Loads a patch of BC channels whose top left corner is (top, left), zeros outside of the image. */
static __device__ __forceinline__ void load_patch(const conv_patch_args &a, float *patch, int image,
                                                  int channel, int top, int left)
{
    const float *const from = a.image + ((long long)image * a.IC + channel) * a.IH * a.IW;
#pragma unroll 4
    for (int i = threadIdx.x; i < BC * AREA; i += THREADS) {
        const int c = i / AREA, r = i % AREA, y = top + r / PATCH_ROW, x = left + r % PATCH_ROW;
        const bool inside = channel + c < a.IC && (unsigned)y < (unsigned)a.IH &&
                            (unsigned)x < (unsigned)a.IW;
        patch[c * PATCH_STEP + r] = operand(inside ? from[(c * a.IH + y) * a.IW + x] : 0);
    }
}

static __device__ __forceinline__ void load_weight(const conv_patch_args &a, float *to, int m0, int channel)
{
#pragma unroll 4
    for (int i = threadIdx.x; i < BM * BC * TAPS; i += THREADS) {
        const int tap = i % TAPS, c = i / TAPS % BC, m = i / (TAPS * BC);
        const bool inside = m0 + m < a.OC && channel + c < a.IC;
        const int at = (m0 + m) * a.weight_oc + (channel + c) * a.weight_ic;
        to[(tap * BM + m) * WEIGHT_ROW + c] =
            operand(inside ? a.weight[at + (FLIP ? TAPS - 1 - tap : tap)] : 0);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_patch(const conv_patch_args a)
{
    float *const patch = shared, *const weight = shared + BC * PATCH_STEP;
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int row0 = warp / WARPS_N * TM * 16 + g, tile0 = warp % WARPS_N * TN, m0 = blockIdx.y * BM;
    const tile at(a, blockIdx.x);
    float sum[TM][TN][4] = {};
    int offset[TN];
#pragma unroll
    for (int j = 0; j < TN; j++)
        offset[j] = (tile0 + j) / (TW / 8) * PATCH_ROW + (tile0 + j) % (TW / 8) * 8 + t * PATCH_STEP + g;
    for (int channel = 0; channel < a.IC; channel += BC) {
        if (channel)
            __syncthreads();
        load_patch(a, patch, at.image, channel, at.y - a.pad_h, at.x - a.pad_w);
        load_weight(a, weight, m0, channel);
        __syncthreads();
#pragma unroll 1
        for (int y = 0; y < KH; y++) {
#if EXACT
            float part[TM][TN][4] = {};
#else
            float(&part)[TM][TN][4] = sum;
#endif
#pragma unroll
            for (int x = 0; x < KW; x++)
#pragma unroll
                for (int c = 0; c < BC; c += 8) {
                    float l[TM][4], r[TN][2];
                    const float *const from = weight + ((y * KW + x) * BM + row0) * WEIGHT_ROW + c + t;
#pragma unroll
                    for (int i = 0; i < TM; i++)
#pragma unroll
                        for (int e = 0; e < 4; e++)
                            l[i][e] = from[(i * 16 + e % 2 * 8) * WEIGHT_ROW + e / 2 * 4];
#pragma unroll
                    for (int j = 0; j < TN; j++)
#pragma unroll
                        for (int e = 0; e < 2; e++)
                            r[j][e] = patch[offset[j] + y * PATCH_ROW + x + (c + e * 4) * PATCH_STEP];
                    add_products(part, l, r);
                }
#if EXACT
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        sum[i][j][e] += part[i][j][e];
#endif
        }
    }
#pragma unroll
    for (int j = 0; j < TN; j++) {
        const int y = at.y + (tile0 + j) / (TW / 8), x = at.x + (tile0 + j) % (TW / 8) * 8 + 2 * t;
        if (y >= a.OH || x >= a.OW)
            continue;
#pragma unroll
        for (int i = 0; i < TM * 2; i++) {
            const int m = m0 + row0 + i * 8;
            if (m >= a.OC)
                continue;
            const float bias = a.bias ? a.bias[m] : 0;
            const float one = sum[i / 2][j][i % 2 * 2] + bias, two = sum[i / 2][j][i % 2 * 2 + 1] + bias;
            float *const to =
                a.out + (((long long)at.image * a.OC + m) * a.OH + y) * a.OW + x;
            if (a.OW % 2 == 0) {
                *(float2 *)to = make_float2(one, two);
            } else {
                to[0] = one;
                if (x + 1 < a.OW)
                    to[1] = two;
            }
        }
    }
}
#else
/* A thread visits its elements of a tile twice: first it starts their copies, and after they have
 * arrived it rounds the same elements, so that no barrier is needed in between. */
enum pass { COPY_ASYNC, ROUND };

template <pass PASS, int COUNT>
static __device__ __forceinline__ void visit(float *to, const float *from, bool inside)
{
    if (PASS == COPY_ASYNC)
        copy_later<COUNT>(to, from, inside);
    else
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            to[i] = ROUND_TF32(to[i]);
}

/* The patch of BC channels for the tile at (top, left). */
template <pass PASS>
static __device__ __forceinline__ void visit_patch(const conv_patch_args &a, float *patch, int step,
                                                   int image, int channel, int top, int left)
{
    const float *const from = a.image + ((long long)image * a.IC + channel) * a.IH * a.IW;
    top -= a.pad_h;
    left -= BEFORE(a);
#pragma unroll 4
    for (int i = threadIdx.x * COPY; i < BC * AREA; i += THREADS * COPY) {
        const int c = i / AREA, r = i % AREA, y = top + r / PATCH_ROW, x = left + r % PATCH_ROW;
        const bool inside = channel + c < a.IC && (unsigned)y < (unsigned)a.IH &&
                            (unsigned)x < (unsigned)a.IW;
        visit<PASS, COPY>(patch + c * step + r,
                          inside ? from + (c * a.IH + y) * a.IW + x : a.image, inside);
    }
}

#define TN (BC / 8)
#define PATCH_STEP ((AREA + 27) / 32 * 32 + 4)
#define GRAD_STEP ((TH * TW + 27) / 32 * 32 + 4)
#define STAGE_SIZE (BC * PATCH_STEP + BM * GRAD_STEP)

/* The tile of the output's gradient, BM channels. */
template <pass PASS>
static __device__ __forceinline__ void visit_grad(const conv_patch_args &a, float *to, const tile &at, int m0)
{
    const float *const from = a.grad + (long long)at.image * a.OC * a.OH * a.OW;
#pragma unroll 4
    for (int i = threadIdx.x * COPY_GRAD; i < BM * TH * TW; i += THREADS * COPY_GRAD) {
        const int m = i / (TH * TW), r = i % (TH * TW), y = at.y + r / TW, x = at.x + r % TW;
        const bool inside = m0 + m < a.OC && y < a.OH && x < a.OW;
        visit<PASS, COPY_GRAD>(to + m * GRAD_STEP + r,
                               inside ? from + ((m0 + m) * a.OH + y) * a.OW + x : a.grad,
                               inside);
    }
}

typedef float sums[TAPS][1][TN][4]; /* BM is 16 */

/* Adds the sums of all warps in the first warp. */
static __device__ void reduce(sums &sum)
{
    const int warp = threadIdx.x / 32;
    float *const flat = &sum[0][0][0][0];
#pragma unroll
    for (int half = 4; half; half /= 2) {
        float *const scratch = shared + (warp % half) * 32 * (TAPS * TN * 4) + threadIdx.x % 32;
        __syncthreads();
        if (warp >= half && warp < 2 * half)
#pragma unroll
            for (int i = 0; i < TAPS * TN * 4; i++)
                scratch[i * 32] = flat[i];
        __syncthreads();
        if (warp < half)
#pragma unroll
            for (int i = 0; i < TAPS * TN * 4; i++)
                flat[i] += scratch[i * 32];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_patch_weight(const conv_patch_args a)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int tiles_m = (a.OC + BM - 1) / BM;
    const int m0 = blockIdx.y % tiles_m * BM, channel = blockIdx.y / tiles_m * BC;
    const int all = a.N * ((a.OW + TW - 1) / TW) * ((a.OH + TH - 1) / TH);
    const int begin = blockIdx.x * a.part_tiles, end = begin + a.part_tiles < all ? begin + a.part_tiles : all;
    sums sum = {};
    for (int i = begin; i <= end; i++) {
        float *const next = shared + (i - begin) % 2 * STAGE_SIZE, *const now = shared + (i - begin + 1) % 2 * STAGE_SIZE;
        if (i > begin) {
            own_copies_done();
#if !EXACT
            const tile last(a, i - 1);
            visit_patch<ROUND>(a, now, PATCH_STEP, last.image, channel, last.y, last.x);
            visit_grad<ROUND>(a, now + BC * PATCH_STEP, last, m0);
#endif
            __syncthreads(); /* no warp still reads the stage that the next copies overwrite */
        }
        if (i < end) {
            const tile at(a, i);
            visit_patch<COPY_ASYNC>(a, next, PATCH_STEP, at.image, channel, at.y, at.x);
            visit_grad<COPY_ASYNC>(a, next + BC * PATCH_STEP, at, m0);
        }
        if (i == begin)
            continue;
        const float *const patch = now, *const grad = now + BC * PATCH_STEP;
#if EXACT
        sums part = {};
#else
        sums &part = sum;
#endif
#pragma unroll 1
        for (int s = warp; s < TH * TW / 8; s += 8) {
            const int y = s / (TW / 8), x = s % (TW / 8) * 8;
            float l[4];
            const float *const from = grad + g * GRAD_STEP + y * TW + x + t;
#pragma unroll
            for (int e = 0; e < 4; e++)
                l[e] = from[e % 2 * 8 * GRAD_STEP + e / 2 * 4];
#pragma unroll
            for (int w = 0; w < TAPS; w++) {
                float r[TN][2], copy[1][4];
#pragma unroll
                for (int n = 0; n < TN; n++)
#pragma unroll
                    for (int e = 0; e < 2; e++)
                        r[n][e] = patch[(n * 8 + g) * PATCH_STEP + (y + w / KW) * PATCH_ROW + x +
                                        w % KW + t + e * 4 + FIRST(a)];
#pragma unroll
                for (int e = 0; e < 4; e++)
                    copy[0][e] = l[e];
                add_products(part[w], copy, r);
            }
        }
#if EXACT
#pragma unroll
        for (int e = 0; e < TAPS * TN * 4; e++)
            (&sum[0][0][0][0])[e] += (&part[0][0][0][0])[e];
#endif
    }
    reduce(sum);
    if (warp)
        return;
    float *const out = a.out + (long long)blockIdx.x * a.OC * a.IC * TAPS;
#pragma unroll
    for (int w = 0; w < TAPS; w++)
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int n = 0; n < TN * 2; n++) {
                const int m = m0 + i * 8 + g, c = channel + n / 2 * 8 + 2 * t + n % 2;
                if (m < a.OC && c < a.IC)
                    out[(m * a.IC + c) * TAPS + w] = sum[w][0][n / 2][i * 2 + n % 2];
            }
}
#endif
