/* SPDX-License-Identifier: BSD-3-Clause */
/* Tile products on TF32 tensor cores (11 significant bits), for gemm/tensor_cores.cu and the
 * convolutions. Operands are rounded to TF32 or, if EXACT, split in two (3xTF32) to keep float32's
 * accuracy. Tensor cores truncate when they accumulate, which biases long sums towards zero, so
 * EXACT limits their accumulation chains to one K step and adds each chain to the accumulators in
 * ordinary float32. A block of 8 warps computes BM by BN results with BK of the K dimension in
 * shared memory: left[m][k] where LEFT_K_MAJOR, else left[k][m]; right[n][k] where RIGHT_K_MAJOR,
 * else right[k][n]. */
#define THREADS 256
#define WARPS_M (BM >= 64 ? 2 : 1)
#define WARPS_N (8 / WARPS_M)
#define TM (BM / WARPS_M / 16) /* MMA tiles of a warp: rows */
#define TN (BN / WARPS_N / 8)  /* and columns */
/* Padded leading dimensions, free of bank conflicts for both row and column access. */
#define LEFT_ROW (LEFT_K_MAJOR ? BK + 4 : BM + 8)
#define RIGHT_ROW (RIGHT_K_MAJOR ? BK + 4 : BN + 8)
#define LEFT_SIZE ((LEFT_K_MAJOR ? BM : BK) * LEFT_ROW)
#define RIGHT_SIZE ((RIGHT_K_MAJOR ? BN : BK) * RIGHT_ROW)
/* From these magnitude bits on a value cannot be split: infinities, NaN and values that round to
 * infinity. */
#define TOO_LARGE 0x7f7ff000u

typedef float sums[TM][TN][4];

static __device__ __forceinline__ float kept(float x)
{
    return EXACT ? x : ROUND_TF32(x);
}

static __device__ __forceinline__ bool is_too_large(float x)
{
    return (__float_as_uint(x) & 0x7fffffffu) >= TOO_LARGE;
}

/* A thread's first row and column of results. Its other results are at steps of 8 rows, and of 1
 * and 8 columns. */
static __device__ __forceinline__ int first_row()
{
    return threadIdx.x / 32 / WARPS_N * TM * 16 + threadIdx.x % 32 / 4;
}

static __device__ __forceinline__ int first_column()
{
    return threadIdx.x / 32 % WARPS_N * TN * 8 + threadIdx.x % 4 * 2;
}

#if EXACT
static __device__ __forceinline__ void split(float &x, float &low)
{
    const float high = __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
    low = x - high;
    x = high;
}
#endif

/* sum += this warp's share of the product of two shared-memory tiles. */
static __device__ __forceinline__ void multiply(sums &sum, const float *left, const float *right)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int left_m = LEFT_K_MAJOR ? LEFT_ROW : 1, left_k = LEFT_K_MAJOR ? 1 : LEFT_ROW;
    const int right_n = RIGHT_K_MAJOR ? RIGHT_ROW : 1, right_k = RIGHT_K_MAJOR ? 1 : RIGHT_ROW;
    left += (warp / WARPS_N * TM * 16 + g) * left_m + t * left_k;
    right += (warp % WARPS_N * TN * 8 + g) * right_n + t * right_k;
#pragma unroll
    for (int k = 0; k < BK; k += 8) {
        float a[TM][4], b[TN][2];
#pragma unroll
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                a[i][j] = left[(i * 16 + j % 2 * 8) * left_m + (k + j / 2 * 4) * left_k];
#pragma unroll
        for (int i = 0; i < TN; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                b[i][j] = right[i * 8 * right_n + (k + j * 4) * right_k];
        add_products(sum, a, b);
    }
}

/* The same with FMAs, for tiles with values that cannot be split. */
static __device__ __forceinline__ void multiply_plainly(sums &sum, const float *left,
                                                        const float *right)
{
    const int m0 = first_row(), n0 = first_column();
#pragma unroll 1
    for (int k = 0; k < BK; k++)
#pragma unroll
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < TN; j++)
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    const int m = m0 + i * 16 + e / 2 * 8, n = n0 + j * 8 + e % 2;
                    const float x = left[LEFT_K_MAJOR ? m * LEFT_ROW + k : k * LEFT_ROW + m];
                    const float y = right[RIGHT_K_MAJOR ? n * RIGHT_ROW + k : k * RIGHT_ROW + n];
                    sum[i][j][e] = fmaf(x, y, sum[i][j][e]);
                }
}

static __device__ __forceinline__ void add_product(sums &sum, const float *left, const float *right,
                                                   bool plainly)
{
#if EXACT
    sums part = {};
    if (plainly)
        multiply_plainly(part, left, right);
    else
        multiply(part, left, right);
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                sum[i][j][e] += part[i][j][e];
#else
    multiply(sum, left, right);
#endif
}
