/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter by index tensors. Each position of an iteration space has a value and an
 * element of the indexed tensor, some of whose dims follow the position, others an index tensor.
 * GET reads, PUT writes, ADD, MUL, LESS and MORE combine atomically. An index out of bounds is
 * recorded for the host (fault.cuh) and its element skipped. NDIM and NINDEX count dims and index
 * tensors; WIDE: 64-bit positions. Launched by index.c. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/fault.cuh"
#define DIMS 12
#define INDICES 8
#define THREADS 256
#define EACH 4 /* positions of a thread */

struct arguments {
    char *value, *indexed;
    fault *bad;
    long long n;
    int wrap, what;                  /* wrap: negative indices count from the end */
    unsigned mul[DIMS], shift[DIMS]; /* division by a size, as multiply and shift */
    long long size[DIMS], value_step[DIMS], indexed_step[DIMS];
    const char *index[INDICES];
    long long index_step[INDICES][DIMS], bound[INDICES], bound_step[INDICES];
};

#ifdef COMBINE
static __device__ MEMORY combined(MEMORY a, MEMORY b)
{
    return COMBINE(a, b);
}

/* Atomic read-modify-write by compare-and-swap of the enclosing word. */
static __device__ void combine(MEMORY *at, MEMORY b)
{
#ifdef ATOMIC_ADD
    atomicAdd((ATOMIC_ADD *)at, (ATOMIC_ADD)b);
#else
    const unsigned long long place = (unsigned long long)at;
    if (sizeof(MEMORY) == 8) {
        unsigned long long *word = (unsigned long long *)place, old = *word, seen;
        do {
            seen = old;
            union {
                unsigned long long w;
                MEMORY m;
            } v;
            v.w = seen;
            v.m = combined(v.m, b);
            old = atomicCAS(word, seen, v.w);
        } while (old != seen);
    } else {
        unsigned *word = (unsigned *)(place / 4 * 4), old = *word, seen;
        const int shift = (int)(place % 4) * 8;
        const unsigned mask = sizeof(MEMORY) == 4 ? ~0u : (1u << (8 * sizeof(MEMORY) % 32)) - 1;
        do {
            seen = old;
            union {
                unsigned w;
                MEMORY m;
            } v;
            v.w = seen >> shift & mask;
            v.m = combined(v.m, b);
            old = atomicCAS(word, seen, (seen & ~(mask << shift)) | (v.w & mask) << shift);
        } while (old != seen);
    }
#endif
}
#endif

#ifdef WIDE
typedef unsigned long long position;
#else
typedef unsigned position;
#endif

/* position / size[d]; multiply-high and shift for positions below 2^31. */
static __device__ __forceinline__ position divided(const arguments &a, position i, int d)
{
#ifdef WIDE
    return i / (position)a.size[d];
#else
    return (__umulhi(i, a.mul[d]) + i) >> a.shift[d];
#endif
}

static __device__ __forceinline__ void move(const arguments &a, position i)
{
    char *value = a.value, *indexed = a.indexed;
    const char *at[NINDEX];
    position rest = i;
#pragma unroll
    for (int k = 0; k < NINDEX; k++)
        at[k] = a.index[k];
#pragma unroll
    for (int d = NDIM - 1; d >= 0; d--) {
        const position next = d > 0 ? divided(a, rest, d) : 0;
        const long long x = d > 0 ? rest - next * (position)a.size[d] : rest;
        rest = next;
        value += x * a.value_step[d];
        indexed += x * a.indexed_step[d];
#pragma unroll
        for (int k = 0; k < NINDEX; k++)
            at[k] += x * a.index_step[k][d];
    }
#pragma unroll
    for (int k = 0; k < NINDEX; k++) {
        const long long given = *(const long long *)at[k];
        const long long x = given < 0 && a.wrap ? given + a.bound[k] : given;
        if (x < 0 || x >= a.bound[k]) {
            tell(a.bad, a.what, given, a.bound[k]);
            return;
        }
        indexed += x * a.bound_step[k];
    }
#ifdef COMBINE
    combine((MEMORY *)indexed, *(const MEMORY *)value);
#elif defined(GET)
    *(MEMORY *)value = *(const MEMORY *)indexed;
#else
    *(MEMORY *)indexed = *(const MEMORY *)value;
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) index_elements(const arguments a)
{
    const position first = (position)blockIdx.x * (THREADS * EACH) + threadIdx.x;
#pragma unroll
    for (int u = 0; u < EACH; u++)
        if (first + u * THREADS < (position)a.n)
            move(a, first + u * THREADS);
}
