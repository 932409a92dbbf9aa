/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of gemm_kernel.h for one instruction set; compiled once for each. The only place
 * where products use intrinsics. Called by gemm_packed.c and gemm_vector.c. */
#include "cpu/gemm_kernel.h"
#include "cpu/gemm_pack.h"

#include <stddef.h>

#if defined(CT_ISA_AVX512)
#include <immintrin.h>
#define BYTES 64
#define ROWS 14
#elif defined(CT_ISA_AVX2)
#include <immintrin.h>
#define BYTES 32
#define ROWS 6
#else
#define BYTES 16
#define ROWS 6
#endif

/* Panels are aligned; the result, its rows and the vectors of gemm_vector.c need not be. */
typedef float vf32 __attribute__((vector_size(BYTES), may_alias));
typedef float vf32_any __attribute__((vector_size(BYTES), may_alias, aligned(4)));
typedef double vf64 __attribute__((vector_size(BYTES), may_alias));
typedef double vf64_any __attribute__((vector_size(BYTES), may_alias, aligned(8)));
typedef uint32_t vu32 __attribute__((vector_size(BYTES), may_alias));
typedef uint32_t vu32_any __attribute__((vector_size(BYTES), may_alias, aligned(4)));
typedef uint64_t vu64 __attribute__((vector_size(BYTES), may_alias));
typedef uint64_t vu64_any __attribute__((vector_size(BYTES), may_alias, aligned(8)));

#if defined(CT_ISA_AVX512)
static inline vf32 spread_f32(float x)
{
    return (vf32)_mm512_set1_ps(x);
}
static inline vf64 spread_f64(double x)
{
    return (vf64)_mm512_set1_pd(x);
}
static inline vu32 spread_u32(uint32_t x)
{
    return (vu32)_mm512_set1_epi32((int)x);
}
static inline vu64 spread_u64(uint64_t x)
{
    return (vu64)_mm512_set1_epi64((long long)x);
}
static inline vf32 madd_f32(vf32 sum, vf32 a, vf32 b)
{
    return (vf32)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)sum);
}
static inline vf64 madd_f64(vf64 sum, vf64 a, vf64 b)
{
    return (vf64)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)sum);
}
#else
static inline vf32 spread_f32(float x)
{
    return x - (vf32){0};
}
static inline vf64 spread_f64(double x)
{
    return x - (vf64){0};
}
static inline vu32 spread_u32(uint32_t x)
{
    return x - (vu32){0};
}
static inline vu64 spread_u64(uint64_t x)
{
    return x - (vu64){0};
}
static inline vf32 madd_f32(vf32 sum, vf32 a, vf32 b)
{
#if defined(CT_ISA_AVX2)
    return (vf32)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)sum);
#else
    return sum + a * b;
#endif
}
static inline vf64 madd_f64(vf64 sum, vf64 a, vf64 b)
{
#if defined(CT_ISA_AVX2)
    return (vf64)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)sum);
#else
    return sum + a * b;
#endif
}
#endif

static inline vu32 madd_u32(vu32 sum, vu32 a, vu32 b)
{
    return sum + a * b;
}
static inline vu64 madd_u64(vu64 sum, vu64 a, vu64 b)
{
    return sum + a * b;
}

/* One number as the vectors do it. */
static inline float madd_one_f32(float sum, float a, float b)
{
#if BYTES > 16
    return __builtin_fmaf(a, b, sum);
#else
    return sum + a * b;
#endif
}
static inline double madd_one_f64(double sum, double a, double b)
{
#if BYTES > 16
    return __builtin_fma(a, b, sum);
#else
    return sum + a * b;
#endif
}

#define UNIT f32
#define T float
#define VEC vf32
#define SUM float
#define VSUM vf32
#define VSUM_ANY vf32_any
#define SPREAD spread_f32
#define MADD madd_f32
#define TARGET
#include "cpu/simd/gemm_tile.h"

#define UNIT f64
#define T double
#define VEC vf64
#define SUM double
#define VSUM vf64
#define VSUM_ANY vf64_any
#define SPREAD spread_f64
#define MADD madd_f64
#define TARGET
#include "cpu/simd/gemm_tile.h"

#define UNIT u32
#define T uint32_t
#define VEC vu32
#define SUM uint32_t
#define VSUM vu32
#define VSUM_ANY vu32_any
#define SPREAD spread_u32
#define MADD madd_u32
#define TARGET
#include "cpu/simd/gemm_tile.h"

#define UNIT u64
#define T uint64_t
#define VEC vu64
#define SUM uint64_t
#define VSUM vu64
#define VSUM_ANY vu64_any
#define SPREAD spread_u64
#define MADD madd_u64
#define TARGET
#include "cpu/simd/gemm_tile.h"

#if defined(CT_ISA_AVX512)
#define HAVE_PAIR 1
__attribute__((target("avx512bf16"))) static inline vf32 madd_pair(vf32 sum, vu32 a, vu32 b)
{
    return (vf32)_mm512_dpbf16_ps((__m512)sum, (__m512bh)a, (__m512bh)b);
}
#define UNIT pair
#define T uint32_t
#define VEC vu32
#define SUM float
#define VSUM vf32
#define VSUM_ANY vf32_any
#define SPREAD spread_u32
#define MADD madd_pair
#define TARGET __attribute__((target("avx512bf16")))
#include "cpu/simd/gemm_tile.h"
#endif

#define UNIT f32
#define T float
#define VEC vf32
#define VEC_ANY vf32_any
#define SPREAD spread_f32
#define MADD madd_f32
#define MADD_ONE madd_one_f32
#include "cpu/simd/gemm_line.h"

#define UNIT f64
#define T double
#define VEC vf64
#define VEC_ANY vf64_any
#define SPREAD spread_f64
#define MADD madd_f64
#define MADD_ONE madd_one_f64
#include "cpu/simd/gemm_line.h"

const struct cti_gemm_kernels CTI_ISA_NAME(cti_gemm_kernels) = {
    .unit =
        {
            [CTI_UNIT_F32] = {ROWS, 2 * BYTES / 4, run_f32},
            [CTI_UNIT_F64] = {ROWS, 2 * BYTES / 8, run_f64},
            [CTI_UNIT_U32] = {ROWS, 2 * BYTES / 4, run_u32},
            [CTI_UNIT_U64] = {ROWS, 2 * BYTES / 8, run_u64},
#ifdef HAVE_PAIR
            [CTI_UNIT_PAIR] = {ROWS, 2 * BYTES / 4, run_pair},
#endif
        },
    .pack = CTI_ISA_NAME(cti_gemm_pack),
    .store = CTI_ISA_NAME(cti_gemm_store),
    .dots_f32 = dots_f32,
    .dots_f64 = dots_f64,
    .axpys_f32 = axpys_f32,
    .axpys_f64 = axpys_f64,
};
