/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of the fused kernels that source.c writes for pointwise programs. A kernel has 16
 * bytes of arguments for each operand: an address, or the value of a scalar. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/common/divisor.h"

struct operand {
    char *p;
    long long unused;
};

template <typename T, int N> struct alignas(sizeof(T) * N) pack {
    T v[N];
};

template <typename T> static __device__ __forceinline__ T load(const char *p)
{
    return *(const T *)p;
}

template <typename T, int N> static __device__ __forceinline__ pack<T, N> load_pack(const char *p)
{
    return *(const pack<T, N> *)p;
}
