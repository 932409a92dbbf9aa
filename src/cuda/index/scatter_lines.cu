/* SPDX-License-Identifier: BSD-3-Clause */
/* out[line, index[line, i]] += src[line, i] from zero, privatised: a block accumulates `per` lines
 * of `wide` elements in shared memory. Duplicates are added in any order. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#define THREADS 256
#define EACH 4 /* loads of a thread in flight */

struct arguments {
    T *out;
    const long long *index;
    const T *src;
    long long lines;
    int wide, many, per;
    unsigned inverse; /* 2^32 / many, rounded up, to divide by multiplication where that is exact;
                       * or 0 */
};

/* A 16-byte vector of results. */
struct alignas(16) pack {
    T v[16 / sizeof(T)];
};
#define PACK (int)(16 / sizeof(T))

extern __shared__ __align__(16) char memory[];

extern "C" __global__ void __launch_bounds__(THREADS) index_scatter_lines(const arguments a)
{
    T *const line = (T *)memory;
    const long long first = (long long)blockIdx.x * a.per;
    const int lines = first + a.per <= a.lines ? a.per : (int)(a.lines - first);
    const int wide = lines * a.wide, many = lines * a.many;
    const long long *const index = a.index + first * a.many;
    const T *const src = a.src + first * a.many;
    for (int i = threadIdx.x; i < (wide + PACK - 1) / PACK; i += THREADS)
        ((pack *)line)[i] = pack{};
    __syncthreads();
    for (int i = threadIdx.x; i < many; i += THREADS * EACH) {
        int at[EACH];
        T x[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int j = i + e * THREADS;
            at[e] = j < many ? (int)index[j] : -1;
            x[e] = j < many ? src[j] : (T)0;
        }
#pragma unroll
        for (int e = 0; e < EACH; e++)
            if (at[e] >= 0) {
                const int j = i + e * THREADS;
                const int which = a.inverse ? (int)__umulhi(j, a.inverse) : j / a.many;
                atomicAdd(line + which * a.wide + at[e], x[e]);
            }
    }
    __syncthreads();
    T *const out = a.out + first * a.wide;
    const int packs = a.wide % PACK == 0 ? wide / PACK : 0; /* `out` is aligned then */
    for (int i = threadIdx.x; i < packs; i += THREADS)
        ((pack *)out)[i] = ((const pack *)line)[i];
    for (int i = packs * PACK + threadIdx.x; i < wide; i += THREADS)
        out[i] = line[i];
}
