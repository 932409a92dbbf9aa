/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of float32 images without strides, with few channels, on tensor cores: a block
 * brings a patch of an image, TH by TW places of the result and the border that taps reach, into
 * shared memory once, and all taps (KH by KW) read it from there, CB channels at a time.
 *   KIND 0  the convolution, or the derivative of its input, which is a convolution with taps in
 *           the opposite order (FLIP): out[m, y] = sum of weight[m, c, t] image[c, y + t - padding]
 *        1  the derivative of the weight: weight[m, c, t] = sum over all places of
 *           grad[m, y] image[c, y + t - padding], in parts (partial_sums.cu)
 * KIND 1 fills shared memory by copies that no register and no thread waits for, the next tile while
 * it works on one; each thread rounds what it has copied. FOUR is how many numbers of an image are
 * copied at a time, FOUR_GRAD of a gradient.
 * EXACT: numbers are split in two, three products stand for one, and sums of tensor cores, which cut
 * off what does not fit, are short: the accuracy of float32. */
#include "cuda/common/async_copy.cuh"
#include "cuda/common/mma.cuh"
#define THREADS 256
#define TAPS (KH * KW)
/* A row of a patch. Where copies are of 4 numbers it begins 4 before the tile and ends 4 behind it,
 * and the first tap of the first place is at column 4 - padding. */
#define PATCH_ROW (FOUR == 4 ? TW + 8 : TW + KW - 1)
#define FIRST(a) (FOUR == 4 ? 4 - (a).padding[1] : 0)
#define BEFORE(a) (FOUR == 4 ? 4 : (a).padding[1])

struct arguments {
    const float *image, *weight, *bias, *grad;
    float *out; /* KIND 1: parts */
    int images, channels, rows;      /* channels of the image, of the result */
    int height, width, down, across; /* of the image; of places of the result */
    int padding[2];
    int weight_row, weight_channel; /* strides of the weight; taps are contiguous */
    int span;                       /* KIND 1: tiles of a part */
};
extern __shared__ __align__(16) float shared[];

/* high + low, but for the last bit; what is infinite or no number has no low part. */
static __device__ __forceinline__ void split(float &x, float &low)
{
    const float high = ROUND_TF32(x), rest = x - high;
    low = fabsf(rest) < 1e38f ? rest : 0;
    x = high;
}

/* A tile of places: which image, and its corner. */
struct tile {
    int image, y, x;

    __device__ tile(const arguments &a, int i)
    {
        const int wide = (a.across + TW - 1) / TW, high = (a.down + TH - 1) / TH;
        x = i % wide * TW;
        y = i / wide % high * TH;
        image = i / (wide * high);
    }
};

#define HIGH (TH + KH - 1)
#define AREA (HIGH * PATCH_ROW)

#if KIND == 0
#define WARPS_M (BM >= 64 ? 2 : 1)
#define WARPS_N (8 / WARPS_M)
#define TM (BM / WARPS_M / 16)
#define TN (TH * TW / 8 / WARPS_N)
/* From a channel to the next: neither way through has conflicts of banks. */
#define PATCH_STEP ((HIGH * PATCH_ROW + 23) / 32 * 32 + 8)
#define WEIGHT_ROW (CB + 4)

static __device__ __forceinline__ float kept(float x)
{
    return EXACT ? x : ROUND_TF32(x);
}

/* Brings a patch of CB channels whose corner is (top, left). */
static __device__ __forceinline__ void load_patch(const arguments &a, float *patch, int image,
                                                  int channel, int top, int left)
{
    const float *const from = a.image + ((long long)image * a.channels + channel) * a.height * a.width;
#pragma unroll 4
    for (int i = threadIdx.x; i < CB * AREA; i += THREADS) {
        const int c = i / AREA, r = i % AREA, y = top + r / PATCH_ROW, x = left + r % PATCH_ROW;
        const bool inside = channel + c < a.channels && (unsigned)y < (unsigned)a.height &&
                            (unsigned)x < (unsigned)a.width;
        patch[c * PATCH_STEP + r] = kept(inside ? from[(c * a.height + y) * a.width + x] : 0);
    }
}

static __device__ __forceinline__ void load_weight(const arguments &a, float *to, int m0, int channel)
{
#pragma unroll 4
    for (int i = threadIdx.x; i < BM * CB * TAPS; i += THREADS) {
        const int tap = i % TAPS, c = i / TAPS % CB, m = i / (TAPS * CB);
        const bool there = m0 + m < a.rows && channel + c < a.channels;
        const int at = (m0 + m) * a.weight_row + (channel + c) * a.weight_channel;
        to[(tap * BM + m) * WEIGHT_ROW + c] =
            kept(there ? a.weight[at + (FLIP ? TAPS - 1 - tap : tap)] : 0);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_patch(const arguments a)
{
    float *const patch = shared, *const weight = shared + CB * PATCH_STEP;
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int row0 = warp / WARPS_N * TM * 16 + g, tile0 = warp % WARPS_N * TN, m0 = blockIdx.y * BM;
    const tile at(a, blockIdx.x);
    float sum[TM][TN][4] = {};
    int place[TN];
#pragma unroll
    for (int j = 0; j < TN; j++)
        place[j] = (tile0 + j) / (TW / 8) * PATCH_ROW + (tile0 + j) % (TW / 8) * 8 + t * PATCH_STEP + g;
    for (int channel = 0; channel < a.channels; channel += CB) {
        if (channel)
            __syncthreads();
        load_patch(a, patch, at.image, channel, at.y - a.padding[0], at.x - a.padding[1]);
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
                for (int c = 0; c < CB; c += 8) {
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
                            r[j][e] = patch[place[j] + y * PATCH_ROW + x + (c + e * 4) * PATCH_STEP];
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
        if (y >= a.down || x >= a.across)
            continue;
#pragma unroll
        for (int i = 0; i < TM * 2; i++) {
            const int m = m0 + row0 + i * 8;
            if (m >= a.rows)
                continue;
            const float bias = a.bias ? a.bias[m] : 0;
            const float one = sum[i / 2][j][i % 2 * 2] + bias, two = sum[i / 2][j][i % 2 * 2 + 1] + bias;
            float *const to =
                a.out + (((long long)at.image * a.rows + m) * a.down + y) * a.across + x;
            if (a.across % 2 == 0) {
                *(float2 *)to = make_float2(one, two);
            } else {
                to[0] = one;
                if (x + 1 < a.across)
                    to[1] = two;
            }
        }
    }
}
#elif KIND == 1
/* Brings N numbers, or rounds those that this thread has brought. */
enum work { BRING, ROUND };

template <work WORK, int N>
static __device__ __forceinline__ void treat(float *to, const float *from, bool there)
{
    if (WORK == BRING)
        copy_later<N>(to, from, there);
    else
#pragma unroll
        for (int i = 0; i < N; i++)
            to[i] = ROUND_TF32(to[i]);
}

/* A patch of CB channels whose tile has the corner (top, left), without the padding. */
template <work WORK>
static __device__ __forceinline__ void treat_patch(const arguments &a, float *patch, int step,
                                                   int image, int channel, int top, int left)
{
    const float *const from = a.image + ((long long)image * a.channels + channel) * a.height * a.width;
    top -= a.padding[0];
    left -= BEFORE(a);
#pragma unroll 4
    for (int i = threadIdx.x * FOUR; i < CB * AREA; i += THREADS * FOUR) {
        const int c = i / AREA, r = i % AREA, y = top + r / PATCH_ROW, x = left + r % PATCH_ROW;
        const bool inside = channel + c < a.channels && (unsigned)y < (unsigned)a.height &&
                            (unsigned)x < (unsigned)a.width;
        treat<WORK, FOUR>(patch + c * step + r,
                          inside ? from + (c * a.height + y) * a.width + x : a.image, inside);
    }
}

#define TN (CB / 8)
#define PATCH_STEP ((AREA + 27) / 32 * 32 + 4)
#define GRAD_STEP ((TH * TW + 27) / 32 * 32 + 4)
#define ROOM (CB * PATCH_STEP + BM * GRAD_STEP)

/* BM rows of a tile of gradients. */
template <work WORK>
static __device__ __forceinline__ void treat_grad(const arguments &a, float *to, const tile &at, int m0)
{
    const float *const from = a.grad + (long long)at.image * a.rows * a.down * a.across;
#pragma unroll 4
    for (int i = threadIdx.x * FOUR_GRAD; i < BM * TH * TW; i += THREADS * FOUR_GRAD) {
        const int m = i / (TH * TW), r = i % (TH * TW), y = at.y + r / TW, x = at.x + r % TW;
        const bool inside = m0 + m < a.rows && y < a.down && x < a.across;
        treat<WORK, FOUR_GRAD>(to + m * GRAD_STEP + r,
                               inside ? from + ((m0 + m) * a.down + y) * a.across + x : a.grad,
                               inside);
    }
}

typedef float sums[TAPS][1][TN][4]; /* BM is 16 */

/* Sums of all warps at the first. */
static __device__ void meet(sums &sum)
{
    const int warp = threadIdx.x / 32;
    float *const flat = &sum[0][0][0][0];
#pragma unroll
    for (int half = 4; half; half /= 2) {
        float *const room = shared + (warp % half) * 32 * (TAPS * TN * 4) + threadIdx.x % 32;
        __syncthreads();
        if (warp >= half && warp < 2 * half)
#pragma unroll
            for (int i = 0; i < TAPS * TN * 4; i++)
                room[i * 32] = flat[i];
        __syncthreads();
        if (warp < half)
#pragma unroll
            for (int i = 0; i < TAPS * TN * 4; i++)
                flat[i] += room[i * 32];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_patch_weight(const arguments a)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int tiles_m = (a.rows + BM - 1) / BM;
    const int m0 = blockIdx.y % tiles_m * BM, channel = blockIdx.y / tiles_m * CB;
    const int all = a.images * ((a.across + TW - 1) / TW) * ((a.down + TH - 1) / TH);
    const int begin = blockIdx.x * a.span, end = begin + a.span < all ? begin + a.span : all;
    sums sum = {};
    for (int i = begin; i <= end; i++) {
        float *const next = shared + (i - begin) % 2 * ROOM, *const now = shared + (i - begin + 1) % 2 * ROOM;
        if (i > begin) {
            own_copies_done();
#if !EXACT
            const tile last(a, i - 1);
            treat_patch<ROUND>(a, now, PATCH_STEP, last.image, channel, last.y, last.x);
            treat_grad<ROUND>(a, now + CB * PATCH_STEP, last, m0);
#endif
            __syncthreads(); /* and nobody reads what comes next over it */
        }
        if (i < end) {
            const tile at(a, i);
            treat_patch<BRING>(a, next, PATCH_STEP, at.image, channel, at.y, at.x);
            treat_grad<BRING>(a, next + CB * PATCH_STEP, at, m0);
        }
        if (i == begin)
            continue;
        const float *const patch = now, *const grad = now + CB * PATCH_STEP;
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
    meet(sum);
    if (warp)
        return;
    float *const out = a.out + (long long)blockIdx.x * a.rows * a.channels * TAPS;
#pragma unroll
    for (int w = 0; w < TAPS; w++)
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int n = 0; n < TN * 2; n++) {
                const int m = m0 + i * 8 + g, c = channel + n / 2 * 8 + 2 * t + n % 2;
                if (m < a.rows && c < a.channels)
                    out[(m * a.channels + c) * TAPS + w] = sum[w][0][n / 2][i * 2 + n % 2];
            }
}
#endif
