/* SPDX-License-Identifier: BSD-3-Clause */
/* cdist: p-norms of the differences between all rows of a and of b, batched. A block computes 16 by
 * 16 pairs from tiles of 16 elements in shared memory. T is float or double; NORM is 0, 1, 2, 'i'
 * (infinity) or 'p'. */
#define SIDE 16

struct arguments {
    const T *a, *b;
    T *out;
    long long rows_a, rows_b, n;
    double p;
};

/* Accumulates one difference, in float64. */
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

extern "C" __global__ void __launch_bounds__(SIDE *SIDE) distance_pairs(const arguments a)
{
    __shared__ T of_a[SIDE][SIDE + 1], of_b[SIDE][SIDE + 1];
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    const long long batch = blockIdx.z;
    const long long i = (long long)blockIdx.y * SIDE, j = (long long)blockIdx.x * SIDE;
    const T *const first = a.a + batch * a.rows_a * a.n, *const second =
                                                             a.b + batch * a.rows_b * a.n;
    double sum = 0;
    for (long long k = 0; k < a.n; k += SIDE) {
        const bool here = k + x < a.n;
        of_a[y][x] = here && i + y < a.rows_a ? first[(i + y) * a.n + k + x] : (T)0;
        of_b[y][x] = here && j + y < a.rows_b ? second[(j + y) * a.n + k + x] : (T)0;
        __syncthreads();
        const int most = a.n - k < SIDE ? (int)(a.n - k) : SIDE;
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
