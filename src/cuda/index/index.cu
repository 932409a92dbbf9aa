/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter by index tensors; see struct index_args. GET copies from the indexed tensor to
 * the values; else values are written to the indexed tensor or, with COMBINE(a, b), combined with
 * its elements atomically, in the type that LOAD and STORE convert to and from. An index out of
 * bounds is recorded for the host, and its element is skipped. NDIM and NINDEX count dims and index
 * tensors; WIDE: positions need 64 bits. Launched by index.c. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/fault.cuh"
#include "cuda/index/index_args.h"

#ifdef COMBINE
static __device__ T combined(T a, T b)
{
    return STORE(COMBINE(LOAD(a), LOAD(b)));
}

/* Atomic read-modify-write by compare-and-swap of the 4 or 8 bytes that hold the element. */
static __device__ void combine(T *at, T b)
{
#ifdef ATOMIC_ADD
    atomicAdd((ATOMIC_ADD *)at, (ATOMIC_ADD)b);
#else
    const unsigned long long address = (unsigned long long)at;
    if (sizeof(T) == 8) {
        unsigned long long *word = (unsigned long long *)address, old = *word, seen;
        do {
            seen = old;
            union {
                unsigned long long w;
                T m;
            } v;
            v.w = seen;
            v.m = combined(v.m, b);
            old = atomicCAS(word, seen, v.w);
        } while (old != seen);
    } else {
        unsigned *word = (unsigned *)(address / 4 * 4), old = *word, seen;
        const int shift = (int)(address % 4) * 8;
        const unsigned mask = sizeof(T) == 4 ? ~0u : (1u << (8 * sizeof(T) % 32)) - 1;
        do {
            seen = old;
            union {
                unsigned w;
                T m;
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

static __device__ __forceinline__ position divided(const index_args &a, position i, int d)
{
#ifdef WIDE
    return i / (position)a.size[d];
#else
    return divide(i, a.divisor[d]);
#endif
}

static __device__ __forceinline__ void move(const index_args &a, position i)
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
        const int64_t x = d > 0 ? rest - next * (position)a.size[d] : rest;
        rest = next;
        value += x * a.value_stride[d];
        indexed += x * a.indexed_stride[d];
#pragma unroll
        for (int k = 0; k < NINDEX; k++)
            at[k] += x * a.index_stride[k][d];
    }
#pragma unroll
    for (int k = 0; k < NINDEX; k++) {
        const int64_t given = *(const int64_t *)at[k];
        const int64_t x = given < 0 && a.wrap ? given + a.bound[k] : given;
        if (x < 0 || x >= a.bound[k]) {
            record_fault(a.fault, a.what, given, a.bound[k]);
            return;
        }
        indexed += x * a.bound_stride[k];
    }
#ifdef COMBINE
    combine((T *)indexed, *(const T *)value);
#elif defined(GET)
    *(T *)value = *(const T *)indexed;
#else
    *(T *)indexed = *(const T *)value;
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) index_elements(const index_args a)
{
    const position first = (position)blockIdx.x * (THREADS * POSITIONS) + threadIdx.x;
#pragma unroll
    for (int u = 0; u < POSITIONS; u++)
        if (first + u * THREADS < (position)a.n)
            move(a, first + u * THREADS);
}
