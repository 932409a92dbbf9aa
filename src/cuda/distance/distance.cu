/* SPDX-License-Identifier: BSD-3-Clause */
/* cdist: p-norms of the differences between all rows of a and of b, batched. A block computes TILE
 * by TILE distances from tiles of TILE elements in shared memory. T is float or double; NORM is 0,
 * 1, 2, 'i' (infinity) or 'p'. */
#include "cuda/distance/distance_args.h"

/* Adds one more difference to a sum (for infinity, to a maximum), in float64. */
static __device__ __forceinline__ double accumulate(double sum, const T x, const T y, double p)
{
    const double diff = (double)(T)(x < y ? y - x : x - y);
    if (NORM == 0)
        return sum + (diff == diff ? (double)(diff != 0) : diff);
    if (NORM == 1)
        return sum + diff;
    if (NORM == 2)
        return sum + diff * diff;
    if (NORM == 'i')
        return diff > sum ? diff : sum; /* PyTorch's maximum skips NaN */
    return sum + pow(diff, p);
}

extern "C" __global__ void __launch_bounds__(TILE *TILE) distance_pairs(const distance_args a)
{
    __shared__ T of_a[TILE][TILE + 1], of_b[TILE][TILE + 1];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    const int64_t batch = blockIdx.z;
    const int64_t i = (int64_t)blockIdx.y * TILE, j = (int64_t)blockIdx.x * TILE;
    const T *const first = a.a + batch * a.rows_a * a.n, *const second =
                                                             a.b + batch * a.rows_b * a.n;
    double sum = 0;
    for (int64_t k = 0; k < a.n; k += TILE) {
        const bool here = k + x < a.n;
        of_a[y][x] = here && i + y < a.rows_a ? first[(i + y) * a.n + k + x] : (T)0;
        of_b[y][x] = here && j + y < a.rows_b ? second[(j + y) * a.n + k + x] : (T)0;
        __syncthreads();
        const int most = a.n - k < TILE ? (int)(a.n - k) : TILE;
        for (int e = 0; e < most; e++)
            sum = accumulate(sum, of_a[y][e], of_b[x][e], a.p);
        __syncthreads();
    }
    if (i + y >= a.rows_a || j + x >= a.rows_b)
        return;
    if (NORM == 2)
        sum = sqrt(sum);
    if (NORM == 'p')
        sum = pow(sum, 1 / a.p);
    a.out[(batch * a.rows_a + i + y) * a.rows_b + j + x] = (T)sum;
}
