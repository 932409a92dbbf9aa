/* SPDX-License-Identifier: BSD-3-Clause */
/* Prologue of the fused kernels that source.c writes for pointwise programs. A kernel takes 16
 * bytes for each operand: an address, or a scalar by value. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
struct operand {
    char *p;
    long long rest;
};

template <typename T, int N>
struct alignas(sizeof(T) * N) pack {
    T v[N];
};

/* n / d for n < 2^31 by multiply-high and shift; the host computes the constants. */
struct divisor {
    unsigned size, mul, shift, unused;
};

static __device__ __forceinline__ unsigned divide(unsigned n, const divisor &d)
{
    return (__umulhi(n, d.mul) + n) >> d.shift;
}

template <typename T>
static __device__ __forceinline__ T load(const char *p)
{
    return *(const T *)p;
}

template <typename T, int N>
static __device__ __forceinline__ pack<T, N> load_pack(const char *p)
{
    return *(const pack<T, N> *)p;
}
