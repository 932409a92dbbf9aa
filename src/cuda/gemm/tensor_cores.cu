/* SPDX-License-Identifier: BSD-3-Clause */
/* float32 GEMM on TF32 tensor cores with float32 accuracy (common/tile_product.cuh), launched by
 * tensor_cores.c:
 *   FINISH 0  C[m, n] = alpha A[m, k] B[k, n] + beta C[m, n] + bias[n], or a split-K part of A B
 *          1  the split-K reduction, then the rest of that formula (the epilogue)
 * A block computes a BM by BN tile, double-buffered: global loads of the next K step, VECTOR
 * elements each, are in flight while it multiplies this one. */
#include "cuda/common/mma.cuh"
#include "cuda/common/tile_product.cuh"
#include "cuda/gemm/gemm_args.h"

struct alignas(VECTOR * 4) pack {
    float v[VECTOR];
};

/* A thread's share of an operand tile, in registers: LINES lines of LENGTH contiguous elements. */
template <int LINES, int LENGTH> struct staged_tile {
    static constexpr int line_vectors = LENGTH / VECTOR, stride = THREADS / line_vectors, N = LINES / stride;
    pack x[N];

    __device__ __forceinline__ void fetch(const float *from, int step, int line0, int begin,
                                          int line_end, int end)
    {
        const int line = line0 + threadIdx.x / line_vectors, at = begin + threadIdx.x % line_vectors * VECTOR;
#pragma unroll
        for (int i = 0; i < N; i++) {
            x[i] = pack{};
            if (line + i * stride < line_end && at < end)
                x[i] = *(const pack *)(from + (long long)(line + i * stride) * step + at);
        }
    }

    /* Stores the share in shared memory. Returns true if a value cannot be split, see TOO_LARGE. */
    __device__ __forceinline__ bool put(float *to, int row) const
    {
        const int line = threadIdx.x / line_vectors, at = threadIdx.x % line_vectors * VECTOR;
        bool large = false;
#pragma unroll
        for (int i = 0; i < N; i++) {
            *(pack *)(to + (line + i * stride) * row + at) = x[i];
#pragma unroll
            for (int j = 0; j < VECTOR; j++)
                large |= is_too_large(x[i].v[j]);
        }
        return large;
    }
};

#if !FINISH
static __device__ __forceinline__ float epilogue(const gemm_args &a, float *to, int n, float sum)
{
    sum *= a.alpha;
    if (a.beta != 0)
        sum += a.beta * *to;
    return a.bias ? sum + a.bias[n] : sum;
}

static __device__ void store(const gemm_args &a, const sums &sum, int m0, int n0)
{
    const bool whole = a.nparts == 1;
    const int step = whole ? a.ldc : a.N;
    float *out = whole ? a.C + blockIdx.z * a.c_batch
                       : a.parts + ((long long)blockIdx.z * a.nparts + blockIdx.y) * a.M * a.N;
    m0 += first_row();
    n0 += first_column();
#pragma unroll
    for (int i = 0; i < TM * 2; i++) {
        const int m = m0 + i * 8;
        if (m >= a.M)
            continue;
#pragma unroll
        for (int j = 0; j < TN; j++) {
            const int n = n0 + j * 8;
            float *const to = out + (long long)m * step + n;
            float x = sum[i / 2][j][i % 2 * 2], y = sum[i / 2][j][i % 2 * 2 + 1];
            if (whole && n < a.N)
                x = epilogue(a, to, n, x);
            if (whole && n + 1 < a.N)
                y = epilogue(a, to + 1, n + 1, y);
            if (VECTOR == 4 && n < a.N) { /* rows have an even length, so this is aligned */
                *(float2 *)to = make_float2(x, y);
                continue;
            }
            if (n < a.N)
                to[0] = x;
            if (n + 1 < a.N)
                to[1] = y;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) gemm_tensor_cores(const gemm_args a)
{
    __shared__ alignas(16) float left[2][LEFT_SIZE], right[2][RIGHT_SIZE];
    const int tiles_m = (a.M + BM - 1) / BM;
    const int m0 = blockIdx.x % tiles_m * BM, n0 = blockIdx.x / tiles_m * BN;
    const int begin = blockIdx.y * a.part_k;
    const int end = begin + a.part_k < a.K ? begin + a.part_k : a.K;
    const float *const A = a.A + blockIdx.z * a.a_batch;
    const float *const B = a.B + blockIdx.z * a.b_batch;
    staged_tile<LEFT_K_MAJOR ? BM : BK, LEFT_K_MAJOR ? BK : BM> next_left;
    staged_tile<RIGHT_K_MAJOR ? BN : BK, RIGHT_K_MAJOR ? BK : BN> next_right;
    sums sum = {};
#if LEFT_K_MAJOR
#define FETCH_LEFT(k0) next_left.fetch(A, a.lda, m0, k0, a.M, end)
#else
#define FETCH_LEFT(k0) next_left.fetch(A, a.lda, k0, m0, end, a.M)
#endif
#if RIGHT_K_MAJOR
#define FETCH_RIGHT(k0) next_right.fetch(B, a.ldb, n0, k0, a.N, end)
#else
#define FETCH_RIGHT(k0) next_right.fetch(B, a.ldb, k0, n0, end, a.N)
#endif
    FETCH_LEFT(begin);
    FETCH_RIGHT(begin);
    bool large = next_left.put(left[0], LEFT_ROW) | next_right.put(right[0], RIGHT_ROW);
    large = __syncthreads_or(large);
    for (int k0 = begin, now = 0; k0 < end; k0 += BK, now = 1 - now) {
        const bool more = k0 + BK < end;
        bool next_large = false;
        if (more) {
            FETCH_LEFT(k0 + BK);
            FETCH_RIGHT(k0 + BK);
        }
        add_product(sum, left[now], right[now], large);
        if (more)
            next_large = next_left.put(left[1 - now], LEFT_ROW) |
                         next_right.put(right[1 - now], RIGHT_ROW);
        large = __syncthreads_or(next_large);
    }
    store(a, sum, m0, n0);
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) gemm_tensor_cores_finish(const gemm_args a)
{
    const long long all = (long long)a.M * a.N;
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    const float *const from = a.parts + blockIdx.z * a.nparts * all + i;
    if (i >= all)
        return;
    const int m = (int)(i / a.N), n = (int)(i % a.N);
    float sum = 0, *const to = a.C + blockIdx.z * a.c_batch + (long long)m * a.ldc + n;
#pragma unroll 8
    for (int p = 0; p < a.nparts; p++)
        sum += from[p * all];
    sum *= a.alpha;
    if (a.beta != 0)
        sum += a.beta * *to;
    *to = a.bias ? sum + a.bias[n] : sum;
}
#endif
