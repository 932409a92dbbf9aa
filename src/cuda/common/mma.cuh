/* SPDX-License-Identifier: BSD-3-Clause */
/* The TF32 tensor-core instruction mma.m16n8k8: operands have 11 significant bits, accumulators are
 * float32. In the fragments, lane 4 g + t of a warp holds
 * of A (16 by 8): rows g and g + 8, columns t and t + 4;
 * of B (8 by 8): rows t and t + 4, column g;
 * of C (16 by 8): rows g and g + 8, columns 2 t and 2 t + 1.
 * EMULATED: tests/emulator supplies the instructions as plain C++. */
#ifdef EMULATED
#define ROUND_TF32(x) emulated_round(x)
#define MMA(c, a, b) emulated_mma(c, a, b)
#else
static __device__ __forceinline__ float round_tf32(float x)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
}

/* c += a b */
static __device__ __forceinline__ void mma(float (&c)[4], const float (&a)[4], const float (&b)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}
#define ROUND_TF32(x) round_tf32(x)
#define MMA(c, a, b) mma(c, a, b)
#endif

#if EXACT
static __device__ __forceinline__ void split(float &x, float &low); /* defined by the including
                                                                     * file */
#endif

/* sum += a b for M by N fragments. EXACT: 3xTF32, where high * high + high * low + low * high
 * recover float32 accuracy; the small terms are accumulated first. */
template <int M, int N>
static __device__ __forceinline__ void add_products(float (&sum)[M][N][4], float (&a)[M][4],
                                                    float (&b)[N][2])
{
#if EXACT
    float low_a[M][4], low_b[N][2];
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            split(a[i][e], low_a[i][e]);
#pragma unroll
    for (int j = 0; j < N; j++)
#pragma unroll
        for (int e = 0; e < 2; e++)
            split(b[j][e], low_b[j][e]);
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            MMA(sum[i][j], low_a[i], b[j]);
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            MMA(sum[i][j], a[i], low_b[j]);
#endif
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            MMA(sum[i][j], a[i], b[j]);
}
