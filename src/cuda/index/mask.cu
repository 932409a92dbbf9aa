/* SPDX-License-Identifier: BSD-3-Clause */
/* Stream compaction by a mask, in order. A first launch (MASK_COUNT) counts the nonzero elements of
 * each block's share of the mask. In a second launch, a block adds up the counts of the blocks
 * before it and compacts its share tile by tile: it gathers the selected positions in shared
 * memory, so that adjacent threads store adjacent elements. T is the mask's element type, ELEMENT
 * the type of the copied elements, and TEST(x) tests whether a T is nonzero. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
#include "cuda/common/fault.cuh"
#include "cuda/index/index_args.h"
#define EACH (MASK_TILE / THREADS) /* elements of a thread in a tile */
#define PACK (sizeof(T) >= 16 ? 1 : 16 / (int)sizeof(T))

struct alignas(PACK * sizeof(T)) pack {
    T v[PACK];
};

/* Returns a mask of the thread's EACH elements below `end`: bit k is set if element first + k is
 * nonzero. */
static __device__ __forceinline__ unsigned bits_at(const mask_args &a, int64_t first, int64_t end,
                                                   bool aligned)
{
    unsigned bits = 0;
    if (aligned && first + EACH <= end) {
        pack p[EACH / PACK];
#pragma unroll
        for (int k = 0; k < EACH / PACK; k++)
            p[k] = ((const pack *)(a.mask + first))[k];
#pragma unroll
        for (int k = 0; k < EACH; k++)
            bits |= (TEST(p[k / PACK].v[k % PACK]) ? 1u : 0u) << k;
    } else {
        for (int k = 0; k < EACH && first + k < end; k++)
            bits |= (TEST(a.mask[first + k]) ? 1u : 0u) << k;
    }
    return bits;
}

#if WHAT != MASK_COUNT
/* Copies the i-th selected element, which is at `position` of the mask. */
static __device__ __forceinline__ void move(const mask_args &a, int64_t i, int64_t position)
{
#if WHAT == MASK_SELECT
    ((ELEMENT *)a.out)[i] = ((const ELEMENT *)a.in)[position];
#elif WHAT == MASK_PUT
    if (!a.limit || i < a.limit)
        *(ELEMENT *)(a.out + line_at(a.lines, position).offset[0]) =
            ((const ELEMENT *)a.in)[a.limit ? i : 0];
    else if (i == a.limit)
        record_fault(a.fault, CTI_FAULT_SHORT_SOURCE, i, a.limit);
#else
    for (int d = a.lines.ndim - 1; d >= 0; d--) {
        const int64_t next = a.n <= 0x7fffffff
                                 ? (int64_t)((unsigned)position / (unsigned)a.lines.size[d])
                                 : position / a.lines.size[d];
        ((int64_t *)a.out)[d * a.limit + i] = position - next * a.lines.size[d];
        position = next;
    }
#endif
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) index_mask(const mask_args a)
{
    __shared__ int64_t shared[LANES + 1];
    const int64_t first = (int64_t)blockIdx.x * a.block_size;
    const int64_t end = first + a.block_size < a.n ? first + a.block_size : a.n;
    const bool aligned = (uint64_t)a.mask % sizeof(pack) == 0;
    int64_t all = 0;
#if WHAT == MASK_COUNT
    int64_t found = 0;
    for (int64_t tile = first; tile < end; tile += MASK_TILE)
        found += __popc(bits_at(a, tile + threadIdx.x * EACH, end, aligned));
    exclusive_sum(found, shared, &all);
    if (threadIdx.x == 0)
        a.counts[blockIdx.x] = all;
#else
    __shared__ unsigned short list[MASK_TILE];
    __shared__ int tile_shared[LANES + 1];
    int64_t before = 0;
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += THREADS)
        before += a.counts[b];
    exclusive_sum(before, shared, &all);
    for (int64_t tile = first; tile < end; tile += MASK_TILE) {
        unsigned bits = bits_at(a, tile + threadIdx.x * EACH, end, aligned);
        int here = 0;
        int at = exclusive_sum(__popc(bits), tile_shared, &here);
        for (; bits; bits &= bits - 1)
            list[at++] = (unsigned short)(threadIdx.x * EACH + __ffs((int)bits) - 1);
        __syncthreads();
        for (int i = threadIdx.x; i < here; i += THREADS)
            move(a, all + i, tile + list[i]);
        all += here;
        __syncthreads();
    }
#endif
}
