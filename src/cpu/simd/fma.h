/* SPDX-License-Identifier: BSD-3-Clause */
/* a * b + c and a * b - c for scalars and for the widest vectors of the instruction set, fused if
 * it has FMA. This is explicit because compilers contract differently from loop to loop; here a
 * scalar and a lane get the same bits. Included by fft/loops.c, which defines the vector width
 * (WIDTH) and types. */
#ifndef CORTEN_CPU_SIMD_FMA_H
#define CORTEN_CPU_SIMD_FMA_H

#if defined(__FMA__) && defined(__AVX2__)
#include <immintrin.h>

#define single_fma_f32(a, b, c) __builtin_fmaf(a, b, c)
#define single_fms_f32(a, b, c) __builtin_fmaf(a, b, -(c))
#define single_fma_f64(a, b, c) __builtin_fma(a, b, c)
#define single_fms_f64(a, b, c) __builtin_fma(a, b, -(c))
#if defined(__AVX512F__)
#define several_fma_f32(a, b, c) (vec_f32) _mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c))
#define several_fms_f32(a, b, c) (vec_f32) _mm512_fmsub_ps((__m512)(a), (__m512)(b), (__m512)(c))
#define several_fma_f64(a, b, c) (vec_f64) _mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c))
#define several_fms_f64(a, b, c) (vec_f64) _mm512_fmsub_pd((__m512d)(a), (__m512d)(b), (__m512d)(c))
#else
#define several_fma_f32(a, b, c) (vec_f32) _mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c))
#define several_fms_f32(a, b, c) (vec_f32) _mm256_fmsub_ps((__m256)(a), (__m256)(b), (__m256)(c))
#define several_fma_f64(a, b, c) (vec_f64) _mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c))
#define several_fms_f64(a, b, c) (vec_f64) _mm256_fmsub_pd((__m256d)(a), (__m256d)(b), (__m256d)(c))
#endif

#else
#define single_fma_f32(a, b, c) ((a) * (b) + (c))
#define single_fms_f32(a, b, c) ((a) * (b) - (c))
#define single_fma_f64(a, b, c) ((a) * (b) + (c))
#define single_fms_f64(a, b, c) ((a) * (b) - (c))
#define several_fma_f32(a, b, c) ((a) * (b) + (c))
#define several_fms_f32(a, b, c) ((a) * (b) - (c))
#define several_fma_f64(a, b, c) ((a) * (b) + (c))
#define several_fms_f64(a, b, c) ((a) * (b) - (c))
#endif

#endif
