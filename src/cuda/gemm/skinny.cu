/* SPDX-License-Identifier: BSD-3-Clause */
/* Skinny GEMM, C = alpha A B + beta C + bias with at most 16 rows. Its cost is reading B once, from
 * global memory straight into registers. Launched by skinny.c. The product is computed transposed:
 * columns of C are the rows of MMA tiles. Each warp of a block multiplies every eighth chunk of 32
 * k of BN columns; the warps are reduced in shared memory. If inside are few columns, K is split
 * over blocks too, and the last block to finish adds the parts in order. B is contiguous along k
 * with RIGHT_K_MAJOR, else along columns; A is always contiguous along k. Operands are split in two
 * (3xTF32), and accumulation chains on tensor cores are short. */
#include "cuda/common/mma.cuh"
#include "cuda/common/tf32_split.cuh"
#include "cuda/gemm/gemm_args.h"
#define THREADS 256
#define WARPS 8
#define CHUNK 32
#define MAX_M 16
#define BN (RIGHT_K_MAJOR ? 32 : 64)
#define TILES (BN / 16)

static __device__ __forceinline__ void load_four(float *to, const float *from, bool inside)
{
    const float4 v = inside ? *(const float4 *)from : float4{0, 0, 0, 0};
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

/* A lane's share of a chunk of A: lane 4 g + t holds k = 8 t .. 8 t + 7 of rows g and g + 8. */
struct left_chunk {
    float x[2][8];

    __device__ __forceinline__ void load(const gemm_args &a, int k)
    {
        const int g = threadIdx.x % 32 / 4;
#pragma unroll
        for (int r = 0; r < 2; r++)
#pragma unroll
            for (int e = 0; e < 8; e += 4)
                load_four(&x[r][e], a.A + (long long)(g + 8 * r) * a.lda + k + e,
                          g + 8 * r < a.M && k + e < a.K);
    }
};

/* A lane's share of a chunk of B: the same k of columns g, g + 8, ... or, if columns are contiguous,
 * of columns 4 g .. 4 g + 3 and of those 32 further. x is in the order of fragments:
 * [step][tile][element]. */
struct right_chunk {
    float x[4][TILES][4];

    __device__ __forceinline__ void load(const gemm_args &a, int column, int k)
    {
        const int g = threadIdx.x % 32 / 4;
#if RIGHT_K_MAJOR
#pragma unroll
        for (int i = 0; i < TILES; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int c = column + 16 * i + 8 * h + g;
                float v[8];
#pragma unroll
                for (int e = 0; e < 8; e += 4)
                    load_four(&v[e], a.B + (long long)c * a.ldb + k + e,
                              c < a.N && k + e < a.K);
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
                load_four(v, a.B + (long long)(k + e) * a.ldb + c,
                          c < a.N && k + e < a.K);
#pragma unroll
                for (int i = 0; i < 4; i++)
                    x[e / 2][i][h + e % 2 * 2] = v[i];
            }
#endif
    }
};

/* The column of C that is row `row` of an MMA tile. */
static __device__ __forceinline__ int column_of(int tile, int row)
{
    return RIGHT_K_MAJOR ? 16 * tile + row : row / 8 * 32 + row % 8 * 4 + tile;
}

typedef float sums[TILES][2][4];

/* Computes one element of a chunk's product by FMAs, because infinities and huge values cannot be
 * split. */
static __device__ __noinline__ float dot_chunk(const gemm_args &a, int row, int column, int k)
{
    const int end = k + CHUNK < a.K ? k + CHUNK : a.K;
    float sum = 0;
    if (row < a.M && column < a.N)
        for (; k < end; k++)
            sum = fmaf(a.A[(long long)row * a.lda + k],
                       a.B[RIGHT_K_MAJOR ? (long long)column * a.ldb + k
                                          : (long long)k * a.ldb + column],
                       sum);
    return sum;
}

static __device__ __forceinline__ void add_chunk(const gemm_args &a, sums &sum, left_chunk &left,
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

static __device__ __forceinline__ void store(const gemm_args &a, int row, int column, float sum)
{
    float *const to = a.C + (long long)row * a.ldc + column;
    sum *= a.alpha;
    if (a.beta != 0)
        sum += a.beta * *to;
    *to = sum + (a.bias ? a.bias[column] : 0);
}

/* Whether this is the last block of its columns to store its part. */
static __device__ bool is_last(const gemm_args &a)
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

extern "C" __global__ void __launch_bounds__(THREADS, 2) gemm_skinny(const gemm_args a)
{
    __shared__ float partial[WARPS][MAX_M][BN + 1];
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int column = blockIdx.x * BN, begin = blockIdx.y * a.part_k;
    const int end = begin + a.part_k < a.K ? begin + a.part_k : a.K;
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
                partial[warp][8 * n + 2 * t + e % 2][column_of(i, g + e / 2 * 8)] = sum[i][n][e];
    __syncthreads();
    for (int i = threadIdx.x; i < MAX_M * BN; i += THREADS) {
        const int row = i / BN, c = i % BN;
        float total = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            total += partial[w][row][c];
        if (row < a.M && column + c < a.N) {
            if (a.nparts > 1)
                __stcg(a.parts + ((long long)blockIdx.y * a.M + row) * a.N + column + c, total);
            else
                store(a, row, column + c, total);
        }
    }
    if (a.nparts == 1 || !is_last(a))
        return;
    for (int i = threadIdx.x; i < MAX_M * BN; i += THREADS) {
        const int row = i / BN, c = i % BN;
        if (row >= a.M || column + c >= a.N)
            continue;
        float total = 0;
        for (int p = 0; p < a.nparts; p++)
            total += __ldcg(a.parts + ((long long)p * a.M + row) * a.N + column + c);
        store(a, row, column + c, total);
    }
}
