/* SPDX-License-Identifier: BSD-3-Clause */
/* The micro-kernels of gemm/kernel.h, compiled once for each instruction set: all intrinsics that
 * products use. Called by gemm/packed.c and gemm/vector.c. */
#include "cpu/gemm/kernel.h"
#include "cpu/gemm/pack.h"
#include "math/half.h"

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

/* Panels are aligned; the result, its rows and the vectors of gemm/vector.c may not be. */
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

/* The scalar counterpart, which rounds like a lane. */
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

static inline uint32_t madd_one_u32(uint32_t sum, uint32_t a, uint32_t b)
{
    return sum + a * b;
}
static inline uint64_t madd_one_u64(uint64_t sum, uint64_t a, uint64_t b)
{
    return sum + a * b;
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

/* Masks of the first lanes of a vector. */
#if defined(CT_ISA_AVX512)
typedef __mmask16 part_f32;
typedef __mmask8 part_f64;
static inline part_f32 part_of_f32(int count)
{
    return (part_f32)(0xffffu >> (16 - count));
}
static inline part_f64 part_of_f64(int count)
{
    return (part_f64)(0xffu >> (8 - count));
}
static inline vf32 load_part_f32(const float *from, part_f32 part)
{
    return (vf32)_mm512_maskz_loadu_ps(part, from);
}
static inline vf64 load_part_f64(const double *from, part_f64 part)
{
    return (vf64)_mm512_maskz_loadu_pd(part, from);
}
static inline void store_part_f32(float *to, part_f32 part, vf32 x)
{
    _mm512_mask_storeu_ps(to, part, (__m512)x);
}
static inline void store_part_f64(double *to, part_f64 part, vf64 x)
{
    _mm512_mask_storeu_pd(to, part, (__m512d)x);
}
#elif defined(CT_ISA_AVX2)
typedef __m256i part_f32, part_f64;
static const int lanes[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
static inline part_f32 part_of_f32(int count)
{
    return _mm256_loadu_si256((const __m256i *)(lanes + 8 - count));
}
static inline part_f64 part_of_f64(int count)
{
    return _mm256_loadu_si256((const __m256i *)(lanes + 8 - 2 * count));
}
static inline vf32 load_part_f32(const float *from, part_f32 part)
{
    return (vf32)_mm256_maskload_ps(from, part);
}
static inline vf64 load_part_f64(const double *from, part_f64 part)
{
    return (vf64)_mm256_maskload_pd(from, part);
}
static inline void store_part_f32(float *to, part_f32 part, vf32 x)
{
    _mm256_maskstore_ps(to, part, (__m256)x);
}
static inline void store_part_f64(double *to, part_f64 part, vf64 x)
{
    _mm256_maskstore_pd(to, part, (__m256d)x);
}
#endif

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 14")
#endif

#if BYTES > 16
#define UNIT f32
#define T float
#define VEC vf32
#define VEC_ANY vf32_any
#define PART part_f32
#define PART_OF part_of_f32
#define LOAD_PART load_part_f32
#define STORE_PART store_part_f32
#define SPREAD spread_f32
#define MADD madd_f32
#include "cpu/simd/gemm_direct.h"

#define UNIT f64
#define T double
#define VEC vf64
#define VEC_ANY vf64_any
#define PART part_f64
#define PART_OF part_of_f64
#define LOAD_PART load_part_f64
#define STORE_PART store_part_f64
#define SPREAD spread_f64
#define MADD madd_f64
#include "cpu/simd/gemm_direct.h"
#else
#define direct_f32 NULL
#define direct_f64 NULL
#endif

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

static inline vf32 load_f32(const float *from)
{
    return *(const vf32_any *)from;
}
static inline vf64 load_f64(const double *from)
{
    return *(const vf64_any *)from;
}
static inline vu32 load_u32(const uint32_t *from)
{
    return *(const vu32_any *)from;
}
static inline vu64 load_u64(const uint64_t *from)
{
    return *(const vu64_any *)from;
}
static inline float load_one_f32(const float *from)
{
    return *from;
}
static inline double load_one_f64(const double *from)
{
    return *from;
}
static inline uint32_t load_one_u32(const uint32_t *from)
{
    return *from;
}
static inline uint64_t load_one_u64(const uint64_t *from)
{
    return *from;
}
static inline float load_one_f16(const uint16_t *from)
{
    return ctm_f32_from_f16(*from);
}
static inline float load_one_bf16(const uint16_t *from)
{
    return ctm_f32_from_bf16(*from);
}

static inline uint32_t load_one_u8(const uint8_t *from)
{
    return *from;
}
static inline uint32_t load_one_u16(const uint16_t *from)
{
    return *from;
}
static inline vu32 load_u8(const uint8_t *from)
{
#if defined(CT_ISA_AVX512)
    return (vu32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)from));
#elif defined(CT_ISA_AVX2)
    return (vu32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from));
#else
    return (vu32){from[0], from[1], from[2], from[3]};
#endif
}
static inline vu32 load_u16(const uint16_t *from)
{
#if defined(CT_ISA_AVX512)
    return (vu32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)from));
#elif defined(CT_ISA_AVX2)
    return (vu32)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)from));
#else
    return (vu32){from[0], from[1], from[2], from[3]};
#endif
}

static inline vf32 load_f16(const uint16_t *from)
{
#if defined(CT_ISA_AVX512)
    return (vf32)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
#elif defined(CT_ISA_AVX2)
    return (vf32)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from));
#else
    return (vf32){load_one_f16(from), load_one_f16(from + 1), load_one_f16(from + 2),
                  load_one_f16(from + 3)};
#endif
}
static inline vf32 load_bf16(const uint16_t *from)
{
#if defined(CT_ISA_AVX512)
    __m512i bits = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)from));
    return (vf32)_mm512_slli_epi32(bits, 16);
#elif defined(CT_ISA_AVX2)
    __m256i bits = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)from));
    return (vf32)_mm256_slli_epi32(bits, 16);
#else
    return (vf32){load_one_bf16(from), load_one_bf16(from + 1), load_one_bf16(from + 2),
                  load_one_bf16(from + 3)};
#endif
}

#define KIND f32
#define TA float
#define T float
#define VEC vf32
#define VEC_ANY vf32_any
#define LOAD load_f32
#define LOAD_ONE load_one_f32
#define SPREAD spread_f32
#define MADD madd_f32
#define MADD_ONE madd_one_f32
#include "cpu/simd/gemm_line.h"

#define KIND f64
#define TA double
#define T double
#define VEC vf64
#define VEC_ANY vf64_any
#define LOAD load_f64
#define LOAD_ONE load_one_f64
#define SPREAD spread_f64
#define MADD madd_f64
#define MADD_ONE madd_one_f64
#include "cpu/simd/gemm_line.h"

#define KIND u8
#define TA uint8_t
#define T uint32_t
#define VEC vu32
#define VEC_ANY vu32_any
#define LOAD load_u8
#define LOAD_ONE load_one_u8
#define SPREAD spread_u32
#define MADD madd_u32
#define MADD_ONE madd_one_u32
#include "cpu/simd/gemm_line.h"

#define KIND u16
#define TA uint16_t
#define T uint32_t
#define VEC vu32
#define VEC_ANY vu32_any
#define LOAD load_u16
#define LOAD_ONE load_one_u16
#define SPREAD spread_u32
#define MADD madd_u32
#define MADD_ONE madd_one_u32
#include "cpu/simd/gemm_line.h"

#define KIND u32
#define TA uint32_t
#define T uint32_t
#define VEC vu32
#define VEC_ANY vu32_any
#define LOAD load_u32
#define LOAD_ONE load_one_u32
#define SPREAD spread_u32
#define MADD madd_u32
#define MADD_ONE madd_one_u32
#include "cpu/simd/gemm_line.h"

#define KIND u64
#define TA uint64_t
#define T uint64_t
#define VEC vu64
#define VEC_ANY vu64_any
#define LOAD load_u64
#define LOAD_ONE load_one_u64
#define SPREAD spread_u64
#define MADD madd_u64
#define MADD_ONE madd_one_u64
#include "cpu/simd/gemm_line.h"

#define KIND f16
#define TA uint16_t
#define T float
#define VEC vf32
#define VEC_ANY vf32_any
#define LOAD load_f16
#define LOAD_ONE load_one_f16
#define SPREAD spread_f32
#define MADD madd_f32
#define MADD_ONE madd_one_f32
#include "cpu/simd/gemm_line.h"

#define KIND bf16
#define TA uint16_t
#define T float
#define VEC vf32
#define VEC_ANY vf32_any
#define LOAD load_bf16
#define LOAD_ONE load_one_bf16
#define SPREAD spread_f32
#define MADD madd_f32
#define MADD_ONE madd_one_f32
#include "cpu/simd/gemm_line.h"

/* Products of 8-bit integers accumulated in 16 bits, with twice the lanes of 32-bit sums. */
static uint32_t narrow_u8(int64_t k, const void *a, const void *x)
{
    const uint8_t *p = a, *q = x;
    uint16_t sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum = (uint16_t)(sum + (uint16_t)(p[i] * q[i]));
    return sum;
}

static uint32_t narrow_u16(int64_t k, const void *a, const void *x)
{
    const uint16_t *p = a, *q = x;
    uint16_t sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum = (uint16_t)(sum + (uint16_t)((uint32_t)p[i] * q[i]));
    return sum;
}

const struct cti_gemm_kernels CTI_ISA_NAME(cti_gemm_kernels) = {
    .unit =
        {
            [CTI_UNIT_F32] = {ROWS, 2 * BYTES / 4, run_f32, direct_f32},
            [CTI_UNIT_F64] = {ROWS, 2 * BYTES / 8, run_f64, direct_f64},
            [CTI_UNIT_U32] = {ROWS, 2 * BYTES / 4, run_u32, NULL},
            [CTI_UNIT_U64] = {ROWS, 2 * BYTES / 8, run_u64, NULL},
#ifdef HAVE_PAIR
            [CTI_UNIT_PAIR] = {ROWS, 2 * BYTES / 4, run_pair, NULL},
#endif
        },
    .pack = CTI_ISA_NAME(cti_gemm_pack),
    .store = CTI_ISA_NAME(cti_gemm_store),
    .line =
        {
            [CTI_LINE_F32] = {dots_f32, axpys_f32, NULL},
            [CTI_LINE_F64] = {dots_f64, axpys_f64, NULL},
            [CTI_LINE_U8] = {dots_u8, axpys_u8, narrow_u8},
            [CTI_LINE_U16] = {dots_u16, axpys_u16, narrow_u16},
            [CTI_LINE_U32] = {dots_u32, axpys_u32, NULL},
            [CTI_LINE_U64] = {dots_u64, axpys_u64, NULL},
            [CTI_LINE_F16] = {dots_f16, axpys_f16, NULL},
            [CTI_LINE_BF16] = {dots_bf16, axpys_bf16, NULL},
        },
};
