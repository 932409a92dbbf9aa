/* SPDX-License-Identifier: BSD-3-Clause */
/* to[index[i]] += from[i] for rows of matrices, deterministic: duplicates are added in index order.
 * A block for each i; the first that names a row adds all that do. With a sorted index (SORTED)
 * duplicates are adjacent. Sums are of type A. Launched by add_rows.c. */
#include "cuda/common/fault.cuh"
#define THREADS 256
#define EACH 4 /* columns of a thread at a time */
typedef long long wide;

struct arguments {
    MEMORY *to;
    const MEMORY *from;
    const wide *index, *order; /* order: the permutation that sorted the index */
    fault *bad;
    wide n, width, bound;
    int what;
};

/* Adds one row to the thread's columns. */
static __device__ void add(const arguments &a, A (&sum)[EACH], wide row, wide first)
{
    for (int e = 0; e < EACH; e++) {
        const wide c = first + e * THREADS + threadIdx.x;
        if (c < a.width)
            sum[e] += LOAD(a.from[row * a.width + c]);
    }
}

/* Adds all rows that name `key`, from i on. */
static __device__ void add_all(const arguments &a, A (&sum)[EACH], wide i, wide key, wide first)
{
#ifdef SORTED
    for (; i < a.n && a.index[i] == key; i++)
        add(a, sum, a.order[i], first);
#else
    __shared__ unsigned found[THREADS / 32];
    for (wide base = i; base < a.n; base += THREADS) {
        const wide j = base + threadIdx.x;
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

extern "C" __global__ void __launch_bounds__(THREADS) index_add_rows(const arguments a)
{
    const wide i = blockIdx.x, key = a.index[i];
    if (key < 0 || key >= a.bound) {
        if (threadIdx.x == 0)
            tell(a.bad, a.what, key, a.bound);
        return;
    }
#ifdef SORTED
    if (i > 0 && a.index[i - 1] == key)
        return;
#else
    int before = 0;
    for (wide j = threadIdx.x; j < i; j += THREADS)
        before |= a.index[j] == key;
    if (__syncthreads_or(before))
        return;
#endif
    for (wide first = 0; first < a.width; first += EACH * THREADS) {
        A sum[EACH];
        for (int e = 0; e < EACH; e++) {
            const wide c = first + e * THREADS + threadIdx.x;
            sum[e] = c < a.width ? LOAD(a.to[key * a.width + c]) : (A)0;
        }
        add_all(a, sum, i, key, first);
        for (int e = 0; e < EACH; e++) {
            const wide c = first + e * THREADS + threadIdx.x;
            if (c < a.width)
                a.to[key * a.width + c] = STORE(sum[e]);
        }
    }
}
