/* SPDX-License-Identifier: BSD-3-Clause */
/* to[index[i]] += from[i] for rows of matrices. Rows with equal indices are added in order, so that
 * the result is deterministic: block i does nothing unless index[i] occurs there first, and else
 * adds all rows with that index. If the index is sorted (SORTED), equal indices are adjacent. Sums
 * have the type SUM. Launched by add_rows.c. */
#include "cuda/common/fault.cuh"
#include "cuda/index/index_args.h"
#define EACH 4 /* columns of a thread at a time */

/* Adds a row to the sums of the thread's columns. */
static __device__ void add(const add_rows_args &a, SUM (&sum)[EACH], int64_t row, int64_t first)
{
    for (int e = 0; e < EACH; e++) {
        const int64_t c = first + e * THREADS + threadIdx.x;
        if (c < a.width)
            sum[e] += LOAD(a.from[row * a.width + c]);
    }
}

/* Adds all rows whose index is `key`, from row i on. */
static __device__ void add_all(const add_rows_args &a, SUM (&sum)[EACH], int64_t i, int64_t key,
                               int64_t first)
{
#ifdef SORTED
    for (; i < a.n && a.index[i] == key; i++)
        add(a, sum, a.order[i], first);
#else
    __shared__ unsigned found[THREADS / 32];
    for (int64_t base = i; base < a.n; base += THREADS) {
        const int64_t j = base + threadIdx.x;
        const unsigned some = __ballot_sync(0xffffffffu, j < a.n && a.index[j] == key);
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            found[threadIdx.x / 32] = some;
        __syncthreads();
        for (int w = 0; w < THREADS / 32; w++)
            for (unsigned bits = found[w]; bits; bits &= bits - 1)
                add(a, sum, base + w * 32 + __ffs(bits) - 1, first);
    }
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) index_add_rows(const add_rows_args a)
{
    const int64_t i = blockIdx.x, key = a.index[i];
    if (key < 0 || key >= a.bound) {
        if (threadIdx.x == 0)
            record_fault(a.fault, a.what, key, a.bound);
        return;
    }
#ifdef SORTED
    if (i > 0 && a.index[i - 1] == key)
        return;
#else
    int before = 0;
    for (int64_t j = threadIdx.x; j < i; j += THREADS)
        before |= a.index[j] == key;
    if (__syncthreads_or(before))
        return;
#endif
    for (int64_t first = 0; first < a.width; first += EACH * THREADS) {
        SUM sum[EACH];
        for (int e = 0; e < EACH; e++) {
            const int64_t c = first + e * THREADS + threadIdx.x;
            sum[e] = c < a.width ? LOAD(a.to[key * a.width + c]) : (SUM)0;
        }
        add_all(a, sum, i, key, first);
        for (int e = 0; e < EACH; e++) {
            const int64_t c = first + e * THREADS + threadIdx.x;
            if (c < a.width)
                a.to[key * a.width + c] = STORE(sum[e]);
        }
    }
}
