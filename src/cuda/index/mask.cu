/* SPDX-License-Identifier: BSD-3-Clause */
/* Stream compaction by a mask, in order. A block has a span of the mask; a first launch ('c')
 * counts its selected elements, a second sums the counts of the spans before it and compacts its
 * own tile by tile: selected positions are gathered in shared memory, so that stores are coalesced.
 * WHAT: 'c' count, 's' masked_select, 'p' masked_put, 'n' nonzero. M is the mask's element type, E
 * the moved one, TEST(x) whether an M is nonzero, SHORT_SOURCE the fault of a mask that selects
 * more elements than `in` has: Note [Late faults]. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/block.cuh"
#include "cuda/common/fault.cuh"
#define THREADS 256
#define EACH 16 /* elements of a thread in a tile */
#define TILE (THREADS * EACH)
#define PACK (sizeof(M) >= 16 ? 1 : 16 / (int)sizeof(M))

struct arguments {
    const M *mask;
    long long n, span;
    long long *counts; /* per block */
    char *out;
    const char *in;
    long long limit; /* 'p': elements of `in`, 0: a scalar for all; 'n': rows of `out` */
    fault *bad;      /* 'p' */
    lines all;       /* 'p': strides of `out`; 'n': sizes */
};

struct alignas(PACK * sizeof(M)) pack {
    M v[PACK];
};

/* Bit mask of the 16 elements from `first` on that are nonzero. */
static __device__ __forceinline__ unsigned bits_at(const arguments &a, long long first,
                                                   long long end, bool aligned)
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

#if WHAT != 'c'
/* Handles selected element i, at position `place` of the mask. */
static __device__ __forceinline__ void take(const arguments &a, long long i, long long place)
{
#if WHAT == 's'
    ((E *)a.out)[i] = ((const E *)a.in)[place];
#elif WHAT == 'p'
    if (!a.limit || i < a.limit)
        *(E *)(a.out + line_at(a.all, place).at[0]) = ((const E *)a.in)[a.limit ? i : 0];
    else if (i == a.limit)
        tell(a.bad, SHORT_SOURCE, i, a.limit);
#else
    for (int d = a.all.ndim - 1; d >= 0; d--) {
        const long long next = a.n <= 0x7fffffff
                                   ? (long long)((unsigned)place / (unsigned)a.all.size[d])
                                   : place / a.all.size[d];
        ((long long *)a.out)[d * a.limit + i] = place - next * a.all.size[d];
        place = next;
    }
#endif
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) index_mask(const arguments a)
{
    __shared__ long long room[LANES + 1];
    const long long first = (long long)blockIdx.x * a.span;
    const long long end = first + a.span < a.n ? first + a.span : a.n;
    const bool aligned = (unsigned long long)a.mask % sizeof(pack) == 0;
    long long all = 0;
#if WHAT == 'c'
    long long found = 0;
    for (long long tile = first; tile < end; tile += TILE)
        found += __popc(bits_at(a, tile + threadIdx.x * EACH, end, aligned));
    sum_before(found, room, &all);
    if (threadIdx.x == 0)
        a.counts[blockIdx.x] = all;
#else
    __shared__ unsigned short list[TILE];
    __shared__ int little[LANES + 1];
    long long before = 0;
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += THREADS)
        before += a.counts[b];
    sum_before(before, room, &all);
    for (long long tile = first; tile < end; tile += TILE) {
        unsigned bits = bits_at(a, tile + threadIdx.x * EACH, end, aligned);
        int here = 0;
        int at = sum_before(__popc(bits), little, &here);
        for (; bits; bits &= bits - 1)
            list[at++] = (unsigned short)(threadIdx.x * EACH + __ffs((int)bits) - 1);
        __syncthreads();
        for (int i = threadIdx.x; i < here; i += THREADS)
            take(a, all + i, tile + list[i]);
        all += here;
        __syncthreads();
    }
#endif
}
