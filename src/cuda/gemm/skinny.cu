/* SPDX-License-Identifier: BSD-3-Clause */
/* Skinny GEMM, out = alpha left right + beta out + bias with at most 16 rows: bound by reading the
 * right operand once, from global memory straight into registers. Launched by skinny.c. The problem
 * is transposed for the tensor cores, so that columns of the result are the MMA's rows. Each warp
 * of a block takes every eighth chunk of 32 k of WIDE columns; the warps are reduced in shared
 * memory. Where columns are few the K dimension is split over blocks too, and the last block to
 * finish adds the parts in order. RIGHT_DEEP: the right operand is contiguous along k, else along
 * columns; the left one always is along k. Operands are split in two (3xTF32), with short
 * tensor-core accumulations. */
#include "cuda/common/mma.cuh"
#define THREADS 256
#define WARPS 8
#define CHUNK 32
#define ROWS 16
#define WIDE (RIGHT_DEEP ? 32 : 64)
#define TILES (WIDE / 16)

struct arguments {
    const float *left, *right, *bias;
    float *out, *parts; /* [nparts, rows, columns] */
    unsigned *counters;
    int rows, columns, deep, span, nparts;
    int left_step, right_step, out_step;
    float alpha, beta;
};

/* x = high + low up to the last bit; infinities and NaN get low = 0. */
static __device__ __forceinline__ void split(float &x, float &low)
{
    const float high = ROUND_TF32(x), rest = x - high;
    low = fabsf(rest) < 1e38f ? rest : 0;
    x = high;
}

static __device__ __forceinline__ void load_four(float *to, const float *from, bool there)
{
    const float4 v = there ? *(const float4 *)from : float4{0, 0, 0, 0};
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

/* Lane 4 g + t holds k = 8 t .. 8 t + 7 of a chunk: of rows g and g + 8 of the left operand ... */
struct left_chunk {
    float x[2][8];

    __device__ __forceinline__ void load(const arguments &a, int k)
    {
        const int g = threadIdx.x % 32 / 4;
#pragma unroll
        for (int r = 0; r < 2; r++)
#pragma unroll
            for (int e = 0; e < 8; e += 4)
                load_four(&x[r][e], a.left + (long long)(g + 8 * r) * a.left_step + k + e,
                          g + 8 * r < a.rows && k + e < a.deep);
    }
};

/* ... and of the right one of columns g, g + 8, ... of WIDE, or of columns 4 g .. 4 g + 3 and 32
 * on. x is in fragment order: [step][tile][element]. */
struct right_chunk {
    float x[4][TILES][4];

    __device__ __forceinline__ void load(const arguments &a, int column, int k)
    {
        const int g = threadIdx.x % 32 / 4;
#if RIGHT_DEEP
#pragma unroll
        for (int i = 0; i < TILES; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int c = column + 16 * i + 8 * h + g;
                float v[8];
#pragma unroll
                for (int e = 0; e < 8; e += 4)
                    load_four(&v[e], a.right + (long long)c * a.right_step + k + e,
                              c < a.columns && k + e < a.deep);
#pragma unroll
                for (int e = 0; e < 8; e++)
                    x[e / 2][i][h + e % 2 * 2] = v[e];
            }
#else
#pragma unroll
        for (int e = 0; e < 8; e++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int c = column + 32 * h + 4 * g;
                float v[4];
                load_four(v, a.right + (long long)(k + e) * a.right_step + c,
                          c < a.columns && k + e < a.deep);
#pragma unroll
                for (int i = 0; i < 4; i++)
                    x[e / 2][i][h + e % 2 * 2] = v[i];
            }
#endif
    }
};

/* The column of WIDE that row `row` of an MMA tile stands for. */
static __device__ __forceinline__ int column_of(int tile, int row)
{
    return RIGHT_DEEP ? 16 * tile + row : row / 8 * 32 + row % 8 * 4 + tile;
}

typedef float sums[TILES][2][4];

/* One element of a chunk by FMAs, for when a huge or infinite operand made the split overflow. */
static __device__ __noinline__ float dot_chunk(const arguments &a, int row, int column, int k)
{
    const int end = k + CHUNK < a.deep ? k + CHUNK : a.deep;
    float sum = 0;
    if (row < a.rows && column < a.columns)
        for (; k < end; k++)
            sum = fmaf(a.left[(long long)row * a.left_step + k],
                       a.right[RIGHT_DEEP ? (long long)column * a.right_step + k
                                          : (long long)k * a.right_step + column],
                       sum);
    return sum;
}

static __device__ __forceinline__ void add_chunk(const arguments &a, sums &sum, left_chunk &left,
                                                 right_chunk &right, int column, int k)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    sums part = {};
#pragma unroll
    for (int q = 0; q < 4; q++) {
        float y[2][2], low_y[2][2];
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int j = 0; j < 2; j++) {
                y[n][j] = left.x[n][2 * q + j];
                split(y[n][j], low_y[n][j]);
            }
#pragma unroll
        for (int i = 0; i < TILES; i++) {
            float low[4];
#pragma unroll
            for (int e = 0; e < 4; e++)
                split(right.x[q][i][e], low[e]);
#pragma unroll
            for (int n = 0; n < 2; n++) {
                MMA(part[i][n], low, y[n]);
                MMA(part[i][n], right.x[q][i], low_y[n]);
                MMA(part[i][n], right.x[q][i], y[n]);
            }
        }
    }
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                if (!(fabsf(part[i][n][e]) < 1e38f))
                    part[i][n][e] = dot_chunk(a, 8 * n + 2 * t + e % 2,
                                                column + column_of(i, g + e / 2 * 8), k);
                sum[i][n][e] += part[i][n][e];
            }
}

static __device__ __forceinline__ void store(const arguments &a, int row, int column, float sum)
{
    float *const to = a.out + (long long)row * a.out_step + column;
    sum *= a.alpha;
    if (a.beta != 0)
        sum += a.beta * *to;
    *to = sum + (a.bias ? a.bias[column] : 0);
}

/* Whether all other blocks of these columns have stored their parts. */
static __device__ bool is_last(const arguments &a)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(&a.counters[blockIdx.x], 1) == (unsigned)a.nparts - 1;
        if (last)
            a.counters[blockIdx.x] = 0;
    }
    __syncthreads();
    __threadfence();
    return last;
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) gemm_skinny(const arguments a)
{
    __shared__ float room[WARPS][ROWS][WIDE + 1];
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int column = blockIdx.x * WIDE, begin = blockIdx.y * a.span;
    const int end = begin + a.span < a.deep ? begin + a.span : a.deep;
    sums sum = {};
    for (int k = begin + warp * CHUNK; k < end; k += WARPS * CHUNK) {
        left_chunk left;
        right_chunk right;
        right.load(a, column, k + 8 * t);
        left.load(a, k + 8 * t);
        add_chunk(a, sum, left, right, column, k);
    }
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                room[warp][8 * n + 2 * t + e % 2][column_of(i, g + e / 2 * 8)] = sum[i][n][e];
    __syncthreads();
    for (int i = threadIdx.x; i < ROWS * WIDE; i += THREADS) {
        const int row = i / WIDE, c = i % WIDE;
        float total = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            total += room[w][row][c];
        if (row < a.rows && column + c < a.columns) {
            if (a.nparts > 1)
                __stcg(a.parts + ((long long)blockIdx.y * a.rows + row) * a.columns + column + c, total);
            else
                store(a, row, column + c, total);
        }
    }
    if (a.nparts == 1 || !is_last(a))
        return;
    for (int i = threadIdx.x; i < ROWS * WIDE; i += THREADS) {
        const int row = i / WIDE, c = i % WIDE;
        if (row >= a.rows || column + c >= a.columns)
            continue;
        float total = 0;
        for (int p = 0; p < a.nparts; p++)
            total += __ldcg(a.parts + ((long long)p * a.rows + row) * a.columns + column + c);
        store(a, row, column + c, total);
    }
}
