/* SPDX-License-Identifier: BSD-3-Clause */
/* float32 GEMM on TF32 tensor cores with float32 accuracy (common/tile_product.cuh), launched by
 * tensor_cores.c:
 *   KIND 0  out[m, n] = alpha left[m, k] right[k, n] + beta out[m, n] + bias[n]
 *        1  the split-K reduction and its epilogue
 * A block computes a BM by BN tile, double-buffered: global loads of the next K step, VECTOR
 * elements each, are in flight while this one is multiplied. */
#include "cuda/common/mma.cuh"
#include "cuda/common/tile_product.cuh"

struct arguments {
    const float *left, *right, *bias;
    float *out, *parts;
    long long left_batch, right_batch, out_batch;
    int left_step, right_step, out_step; /* leading dimensions; k or the row is contiguous */
    int rows, columns, deep, span, nparts;
    float alpha, beta;
};

struct alignas(VECTOR * 4) pack {
    float v[VECTOR];
};

/* A thread's share of an operand tile: HIGH lines of WIDE contiguous elements, in registers. */
template <int HIGH, int WIDE> struct staged_tile {
    static constexpr int across = WIDE / VECTOR, lines = THREADS / across, N = HIGH / lines;
    pack x[N];

    __device__ __forceinline__ void fetch(const float *from, int step, int line0, int begin,
                                          int nlines, int end)
    {
        const int line = line0 + threadIdx.x / across, at = begin + threadIdx.x % across * VECTOR;
#pragma unroll
        for (int i = 0; i < N; i++) {
            x[i] = pack{};
            if (line + i * lines < nlines && at < end)
                x[i] = *(const pack *)(from + (long long)(line + i * lines) * step + at);
        }
    }

    __device__ __forceinline__ bool put(float *to, int row) const
    {
        const int line = threadIdx.x / across, at = threadIdx.x % across * VECTOR;
        bool large = false;
#pragma unroll
        for (int i = 0; i < N; i++) {
            *(pack *)(to + (line + i * lines) * row + at) = x[i];
#pragma unroll
            for (int j = 0; j < VECTOR; j++)
                large |= is_too_large(x[i].v[j]);
        }
        return large;
    }
};

#if KIND == 0
static __device__ __forceinline__ float epilogue(const arguments &a, float *to, int n, float sum)
{
    sum *= a.alpha;
    if (a.beta != 0)
        sum += a.beta * *to;
    return a.bias ? sum + a.bias[n] : sum;
}

static __device__ void store(const arguments &a, const sums &sum, int m0, int n0)
{
    const bool whole = a.nparts == 1;
    const int step = whole ? a.out_step : a.columns;
    float *out = whole ? a.out + blockIdx.z * a.out_batch
                       : a.parts + ((long long)blockIdx.z * a.nparts + blockIdx.y) * a.rows * a.columns;
    m0 += first_row();
    n0 += first_column();
#pragma unroll
    for (int i = 0; i < TM * 2; i++) {
        const int m = m0 + i * 8;
        if (m >= a.rows)
            continue;
#pragma unroll
        for (int j = 0; j < TN; j++) {
            const int n = n0 + j * 8;
            float *const to = out + (long long)m * step + n;
            float x = sum[i / 2][j][i % 2 * 2], y = sum[i / 2][j][i % 2 * 2 + 1];
            if (whole && n < a.columns)
                x = epilogue(a, to, n, x);
            if (whole && n + 1 < a.columns)
                y = epilogue(a, to + 1, n + 1, y);
            if (VECTOR == 4 && n < a.columns) { /* even row length, aligned */
                *(float2 *)to = make_float2(x, y);
                continue;
            }
            if (n < a.columns)
                to[0] = x;
            if (n + 1 < a.columns)
                to[1] = y;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) gemm_tensor_cores(const arguments a)
{
    __shared__ alignas(16) float left[2][LEFT_SIZE], right[2][RIGHT_SIZE];
    const int high = (a.rows + BM - 1) / BM;
    const int m0 = blockIdx.x % high * BM, n0 = blockIdx.x / high * BN;
    const int begin = blockIdx.y * a.span;
    const int end = begin + a.span < a.deep ? begin + a.span : a.deep;
    const float *const one = a.left + blockIdx.z * a.left_batch;
    const float *const other = a.right + blockIdx.z * a.right_batch;
    staged_tile<LEFT_DEEP ? BM : BK, LEFT_DEEP ? BK : BM> next_left;
    staged_tile<RIGHT_DEEP ? BN : BK, RIGHT_DEEP ? BK : BN> next_right;
    sums sum = {};
#if LEFT_DEEP
#define FETCH_LEFT(k0) next_left.fetch(one, a.left_step, m0, k0, a.rows, end)
#else
#define FETCH_LEFT(k0) next_left.fetch(one, a.left_step, k0, m0, end, a.rows)
#endif
#if RIGHT_DEEP
#define FETCH_RIGHT(k0) next_right.fetch(other, a.right_step, n0, k0, a.columns, end)
#else
#define FETCH_RIGHT(k0) next_right.fetch(other, a.right_step, k0, n0, end, a.columns)
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
extern "C" __global__ void __launch_bounds__(THREADS) gemm_tensor_cores_finish(const arguments a)
{
    const long long all = (long long)a.rows * a.columns;
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    const float *const from = a.parts + blockIdx.z * a.nparts * all + i;
    if (i >= all)
        return;
    const int m = (int)(i / a.columns), n = (int)(i % a.columns);
    float sum = 0, *const to = a.out + blockIdx.z * a.out_batch + (long long)m * a.out_step + n;
#pragma unroll 8
    for (int p = 0; p < a.nparts; p++)
        sum += from[p * all];
    sum *= a.alpha;
    if (a.beta != 0)
        sum += a.beta * *to;
    *to = a.bias ? sum + a.bias[n] : sum;
}
#endif
