/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of float32 images without strides, with few channels, on tensor cores in TF32. As in
 * patch.cu a tile of places and the border that taps (KH by KW) reach lies in shared memory;
 * here a lane works on strips of 4 neighbouring places. The order of places in a product is free, so
 * that a strip is what a lane holds of 4 fragments, and all taps of a row are in the NV vectors
 * of 4 numbers that it reads from there: a seventh of the loads of a fragment at a time.
 *   KIND 0  the convolution, or the derivative of its input, with taps in the opposite order (FLIP).
 *           Blocks stay: the weights of 16 TM rows are in shared memory as fragments, and tiles of
 *           256 places come by; a warp has 32 of them.
 *        1  the derivative of the weight, in parts (partial_sums.cu): a warp has one row of taps and
 *           each PARTS-th group of 16 places.
 * A tile is IMAGES images by TH by TW places; the next one is copied while one is worked on. COPY is
 * how many numbers of an image are copied at a time, COPY_GRAD of a gradient. Column FIRST of a patch
 * is the first tap of the first place. CHANNELS is a multiple of 8; those that an image does not
 * have are zeros. */
#define EXACT 0
#include "cuda/common/async_copy.cuh"
#include "cuda/common/mma.cuh"
#define HIGH (TH + KH - 1)
#define NV ((FIRST + KW + 6) / 4)
#define ROW (TW + 4 * (NV - 1))
#define PLACES (IMAGES * TH * TW)
#define AREA (IMAGES * HIGH * ROW)
/* From a channel to the next: the 8 lanes that read vectors at a time have no conflicts of banks. */
#define SKEW (KIND == 0 ? 8 : 16)
#define STEP ((AREA + 31 - SKEW) / 32 * 32 + SKEW)
#define GRAD_STEP ((PLACES + 15) / 32 * 32 + 16)
/* Gradients that are copied one by one: rows g and g + 8 of 16 have their numbers side by side, as a
 * fragment has them. */
#define PAIRED (COPY_GRAD == 1)
#define PAIR_STEP ((2 * PLACES + 27) / 32 * 32 + 4)

struct arguments {
    const float *image, *weight, *bias, *grad;
    float *out; /* KIND 1: parts */
    int images, channels, rows;      /* channels of the image, of the result */
    int height, width, down, across; /* of the image; of places of the result */
    int top, left;                   /* what a patch has before its tile */
    int weight_row, weight_channel;  /* strides of the weight; taps are contiguous */
    int span;                        /* KIND 1: tiles of a part */
};
enum { UNDER_WAY = KIND == 0 ? 4 : 2 }; /* copies at a time: sums of a weight leave few registers */
extern __shared__ __align__(16) float shared[];

/* A tile: its first image, and its corner. */
struct tile {
    int image, y, x;

    __device__ tile(const arguments &a, int i)
    {
        const int wide = (a.across + TW - 1) / TW, high = (a.down + TH - 1) / TH;
        x = i % wide * TW;
        y = i / wide % high * TH;
        image = i / (wide * high) * IMAGES;
    }
};

static __device__ int tiles_of(const arguments &a)
{
    return (a.images + IMAGES - 1) / IMAGES * ((a.across + TW - 1) / TW) * ((a.down + TH - 1) / TH);
}

/* A place of a tile: where its strip begins in a patch. */
static __device__ __forceinline__ int patch_of(int place)
{
    return (place / (TH * TW) * HIGH + place / TW % TH) * ROW + place % TW;
}

/* The patch of a tile, of up to CHANNELS channels. A thread has one column of it, of every LINES-th
 * row: a step to the next one is a few additions. */
static __device__ __forceinline__ void bring_patch(const arguments &a, float *patch, const tile &at,
                                                   int channel)
{
    enum { LINE = ROW / COPY, LINES = THREADS / LINE };
    const int have = a.channels - channel < CHANNELS ? a.channels - channel : CHANNELS;
    const int column = threadIdx.x % LINE * COPY, first = threadIdx.x / LINE;
    const int x = at.x - a.left + column, top = at.y - a.top;
    const bool in_row = first < LINES && (unsigned)x < (unsigned)a.width;
    int row = first % HIGH, plane = first / HIGH;
#pragma unroll UNDER_WAY
    for (int i = first; i < (first < LINES ? have * IMAGES * HIGH : 0); i += LINES) {
        const int c = plane / IMAGES, image = at.image + plane % IMAGES, y = top + row;
        const bool inside = in_row && image < a.images && (unsigned)y < (unsigned)a.height;
        const int from = ((image * a.channels + channel + c) * a.height + y) * a.width + x;
        copy_later<COPY>(patch + c * STEP + (plane % IMAGES * HIGH + row) * ROW + column,
                         a.image + (inside ? from : 0), inside);
        row += LINES % HIGH;
        plane += LINES / HIGH;
        if (row >= HIGH) {
            row -= HIGH;
            plane++;
        }
    }
}

static __device__ __forceinline__ void clear(float *to, int n)
{
    for (int i = threadIdx.x; i < n; i += THREADS)
        to[i] = 0;
}

/* N vectors of shared memory, rounded. */
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

/* Two numbers of a column of B, or of A, in registers side by side, where a product can take them
 * without moving them first; they are kept so by a type of their size. */
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

#if KIND == 0
#define BM (16 * TM)
#define WEIGHTS (BM * CHANNELS * KH * KW)

/* Weights as the fragments of lanes: [8 channels][tap][16 rows][lane][4]. */
static __device__ __forceinline__ void load_weight(const arguments &a, float *to, int m0)
{
#pragma unroll 8
    for (int i = threadIdx.x; i < WEIGHTS; i += THREADS) {
        const int tap = i % (KH * KW), c = i / (KH * KW) % CHANNELS, m = i / (KH * KW * CHANNELS);
        const int fragment = (c / 8 * (KH * KW) + tap) * TM + m / 16;
        const int lane = m % 8 * 4 + c % 4, e = m % 16 / 8 + c % 8 / 4 * 2;
        const bool there = m0 + m < a.rows && c < a.channels;
        const int from = (m0 + m) * a.weight_row + c * a.weight_channel +
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

/* All of a warp's 32 places, strip by strip of a lane; the next strips are loaded while tensor cores
 * work on these. */
static __device__ __forceinline__ void multiply(sums &sum, const float *weight, const float *patch)
{
    const int lane = threadIdx.x % 32, t = lane % 4;
    const float *const first = patch + t * STEP + patch_of(threadIdx.x / 32 * 32 + lane / 4 * 4);
    const float *from = first, *fragment = weight + lane * 4;
    float next[2][4 * NV];
    int y = 0;
    load_strips(next, from);
#pragma unroll 1
    for (int i = 1; i <= CHANNELS / 8 * KH; i++) {
        column r[KW + 3];
#pragma unroll
        for (int k = 0; k < KW + 3; k++)
            r[k] = column_of(ROUND_TF32(next[0][FIRST + k]), ROUND_TF32(next[1][FIRST + k]));
        y = y == KH - 1 ? 0 : y + 1;
        from += y == 0 ? 8 * STEP - (KH - 1) * ROW : ROW;
        load_strips(next, i < CHANNELS / 8 * KH ? from : first); /* at last: anything */
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

/* Lane 4 g + t has rows g and g + 8 of strips 2 t and 2 t + 1: two vectors of each row. */
static __device__ __forceinline__ float4 strip_of(const sums &sum, int i, int h, float bias)
{
    const float(&s)[4][4] = sum[i / 2];
    const int e = i % 2 * 2 + h;
    return make_float4(s[0][e] + bias, s[1][e] + bias, s[2][e] + bias, s[3][e] + bias);
}

static __device__ __forceinline__ float bias_of(const arguments &a, int m)
{
    return a.bias && m < a.rows ? a.bias[m] : 0;
}

/* Rows of a multiple of 4 places: by vectors. */
static __device__ __forceinline__ void store(const arguments &a, const sums &sum, const tile &at,
                                             int m0)
{
    const int lane = threadIdx.x % 32, place0 = threadIdx.x / 32 * 32 + lane % 4 * 8;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int place = place0 + 4 * h, image = at.image + place / (TH * TW);
        const int y = at.y + place / TW % TH, x = at.x + place % TW;
        if (image >= a.images || y >= a.down || x >= a.across)
            continue;
#pragma unroll
        for (int i = 0; i < 2 * TM; i++) {
            const int m = m0 + i * 8 + lane / 4;
            if (m < a.rows)
                *(float4 *)(a.out + (((long long)image * a.rows + m) * a.down + y) * a.across + x) =
                    strip_of(sum, i, h, bias_of(a, m));
        }
    }
}

/* Other rows: numbers that lie side by side are written by lanes side by side, 16 rows at a time by
 * way of shared memory, of which a warp has 16 lines of PITCH numbers. A lane that wrote its strips
 * by itself would write an eighth of a sector at a time. */
#define PITCH 36 /* no conflicts of banks */

static __device__ __forceinline__ void store_lines(const arguments &a, const sums &sum, const tile &at,
                                                   int m0, float *stage)
{
    const int lane = threadIdx.x % 32, place = threadIdx.x / 32 * 32 + lane;
    const int image = at.image + place / (TH * TW);
    const int y = at.y + place / TW % TH, x = at.x + place % TW;
    const bool inside = image < a.images && y < a.down && x < a.across;
    const long long area = (long long)a.down * a.across;
    float *to = a.out + ((long long)image * a.rows + m0) * area + y * a.across + x;
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
            if (inside && m0 + m < a.rows)
                *to = stage[m * PITCH + lane];
        __syncwarp();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) conv_strip(const arguments a)
{
    const int m0 = blockIdx.y * BM, all = tiles_of(a);
    float *const weight = shared, *const patches = shared + WEIGHTS;
    clear(patches, 2 * CHANNELS * STEP);
    __syncthreads();
    if ((int)blockIdx.x < all)
        bring_patch(a, patches, tile(a, blockIdx.x), 0);
    load_weight(a, weight, m0);
    int now = 0;
    for (int i = blockIdx.x; i < all; i += gridDim.x, now = 1 - now) {
        own_copies_done();
        __syncthreads(); /* and nobody reads what comes next over it */
        if (i + (int)gridDim.x < all)
            bring_patch(a, patches + (1 - now) * CHANNELS * STEP, tile(a, i + gridDim.x), 0);
        sums sum = {};
        multiply(sum, weight, patches + now * CHANNELS * STEP);
        if (a.across % 4 == 0)
            store(a, sum, tile(a, i), m0);
        else
            store_lines(a, sum, tile(a, i), m0, patches + 2 * CHANNELS * STEP);
    }
}
#elif KIND == 1
#define BM (16 * TM)
#define TN (CHANNELS / 8)
#define ROOM (CHANNELS * STEP + (PAIRED ? BM / 2 * PAIR_STEP : BM * GRAD_STEP))

/* BM rows of a tile of gradients, in the same way. */
static __device__ __forceinline__ void bring_grad(const arguments &a, float *to, const tile &at, int m0)
{
    enum { LINE = TW / COPY_GRAD, LINES = THREADS / LINE };
    const int column = threadIdx.x % LINE * COPY_GRAD, first = threadIdx.x / LINE;
    const int x = at.x + column;
    const bool in_row = first < LINES && x < a.across;
    int row = first % TH, plane = first / TH;
#pragma unroll UNDER_WAY
    for (int i = first; i < (first < LINES ? BM * IMAGES * TH : 0); i += LINES) {
        const int m = plane / IMAGES, image = at.image + plane % IMAGES, y = at.y + row;
        const bool inside = in_row && m0 + m < a.rows && image < a.images && y < a.down;
        const int from = ((image * a.rows + m0 + m) * a.down + y) * a.across + x;
        const int place = (plane % IMAGES * TH + row) * TW + column;
        const int at_pair = (m / 16 * 8 + m % 8) * PAIR_STEP + 2 * place + m % 16 / 8;
        copy_later<COPY_GRAD>(to + (PAIRED ? at_pair : m * GRAD_STEP + place),
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

/* 16 places, of which a lane has a strip: the first two numbers of it are one product, the others
 * the next. */
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

/* Sums of all parts at the warps of the first, in order. */
static __device__ void meet(sums &sum)
{
    const int warp = threadIdx.x / 32;
    float *const flat = &sum[0][0][0][0];
    float *const room = shared + warp % KH * 32 * (KW * TM * TN * 4) + threadIdx.x % 32;
    for (int part = 1; part < PARTS; part++) {
        __syncthreads();
        if (warp / KH == part)
#pragma unroll
            for (int i = 0; i < KW * TM * TN * 4; i++)
                room[i * 32] = flat[i];
        __syncthreads();
        if (warp < KH)
#pragma unroll
            for (int i = 0; i < KW * TM * TN * 4; i++)
                flat[i] += room[i * 32];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) conv_strip_weight(const arguments a)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int tiles_m = (a.rows + BM - 1) / BM, tap_row = warp % KH;
    const int m0 = blockIdx.y % tiles_m * BM, channel = blockIdx.y / tiles_m * CHANNELS;
    const int all = tiles_of(a), begin = blockIdx.x * a.span;
    const int end = begin + a.span < all ? begin + a.span : all;
    sums sum = {};
    clear(shared, 2 * ROOM);
    __syncthreads();
    for (int i = begin; i <= end; i++) {
        float *const next = shared + (i - begin) % 2 * ROOM;
        const float *const now = shared + (i - begin + 1) % 2 * ROOM;
        if (i > begin) {
            own_copies_done();
            __syncthreads(); /* and nobody reads what comes next over it */
        }
        if (i < end) {
            const tile at(a, i);
            bring_patch(a, next, at, channel);
            bring_grad(a, next + CHANNELS * STEP, at, m0);
        }
        if (i == begin)
            continue;
        const float *const patch = now + g * STEP + tap_row * ROW;
        const float *const grad = now + CHANNELS * STEP + g * (PAIRED ? PAIR_STEP : GRAD_STEP);
#pragma unroll 1
        for (int s = warp / KH; s < PLACES / 16; s += PARTS) {
            const int place = s * 16 + 4 * t;
            multiply(sum, patch + patch_of(place), grad + (PAIRED ? 2 : 1) * place);
        }
    }
    meet(sum);
    if (warp >= KH)
        return;
    float *const out = a.out + (long long)blockIdx.x * a.rows * a.channels * (KH * KW);
#pragma unroll
    for (int x = 0; x < KW; x++)
#pragma unroll
        for (int i = 0; i < 2 * TM; i++)
#pragma unroll
            for (int n = 0; n < TN * 2; n++) {
                const int m = m0 + i * 8 + g, c = channel + n / 2 * 8 + 2 * t + n % 2;
                if (m < a.rows && c < a.channels)
                    out[(m * a.channels + c) * (KH * KW) + tap_row * KW + x] =
                        sum[x][i / 2][n / 2][i % 2 * 2 + n % 2];
            }
}
#endif
