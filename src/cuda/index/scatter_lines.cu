/* SPDX-License-Identifier: BSD-3-Clause */
/* out[line, index[line, i]] += src[line, i], starting from zero: a block accumulates
 * lines_per_block lines in shared memory. The order of additions to one element varies between
 * runs. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/index/index_args.h"
#define EACH 4 /* loads of a thread in flight */

/* A 16-byte vector of results. */
struct alignas(16) pack {
    T v[16 / sizeof(T)];
};
#define PACK (int)(16 / sizeof(T))

extern __shared__ __align__(16) char memory[];

extern "C" __global__ void __launch_bounds__(THREADS)
    index_scatter_lines(const scatter_lines_args a)
{
    T *const line = (T *)memory;
    const int64_t first = (int64_t)blockIdx.x * a.lines_per_block;
    const int lines =
        first + a.lines_per_block <= a.lines ? a.lines_per_block : (int)(a.lines - first);
    const int out_size = lines * a.out_size, src_size = lines * a.src_size;
    const int64_t *const index = a.index + first * a.src_size;
    const T *const src = a.src + first * a.src_size;
    for (int i = threadIdx.x; i < (out_size + PACK - 1) / PACK; i += THREADS)
        ((pack *)line)[i] = pack{};
    __syncthreads();
    for (int i = threadIdx.x; i < src_size; i += THREADS * EACH) {
        int at[EACH];
        T x[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int j = i + e * THREADS;
            at[e] = j < src_size ? (int)index[j] : -1;
            x[e] = j < src_size ? src[j] : (T)0;
        }
#pragma unroll
        for (int e = 0; e < EACH; e++)
            if (at[e] >= 0) {
                const int j = i + e * THREADS;
                const int which = a.inverse ? (int)__umulhi(j, a.inverse) : j / a.src_size;
                atomicAdd(line + which * a.out_size + at[e], x[e]);
            }
    }
    __syncthreads();
    T *const out = a.out + first * a.out_size;
    const int packs = a.out_size % PACK == 0 ? out_size / PACK : 0; /* `out` is aligned then */
    for (int i = threadIdx.x; i < packs; i += THREADS)
        ((pack *)out)[i] = ((const pack *)line)[i];
    for (int i = packs * PACK + threadIdx.x; i < out_size; i += THREADS)
        out[i] = line[i];
}
