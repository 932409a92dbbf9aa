/* SPDX-License-Identifier: BSD-3-Clause */
/* The triangular solves of factor/divide.h for one instruction set; the baseline has none. */
#include "cpu/factor/divide.h"

#include "cpu/isa.h"

#include <string.h>

extern const struct cti_factor_divide CTI_ISA_NAME(cti_divide_f32), CTI_ISA_NAME(cti_divide_f64);

#if defined(CT_ISA_AVX512) || defined(CT_ISA_AVX2)
#include <immintrin.h>

enum { COLS = 8, PART = 4 }; /* columns solved together: of a tile, and of a strip */

/* sum - a b; broadcast of a scalar; broadcast of lane i. */
#if defined(CT_ISA_AVX512)
enum { WIDTH = 64, VECS = 4 }; /* bytes of a vector; vectors in a column of a strip */
#define VEC_F32 __m512
#define VEC_F64 __m512d
#define less_f32(sum, a, b) _mm512_fnmadd_ps(a, b, sum)
#define less_f64(sum, a, b) _mm512_fnmadd_pd(a, b, sum)
#define spread_f32 _mm512_set1_ps
#define spread_f64 _mm512_set1_pd
#define lane_f32(x, i) _mm512_permutexvar_ps(_mm512_set1_epi32(i), x)
#define lane_f64(x, i) _mm512_permutexvar_pd(_mm512_set1_epi64(i), x)
#else
enum { WIDTH = 32, VECS = 2 };
#define VEC_F32 __m256
#define VEC_F64 __m256d
#define less_f32(sum, a, b) _mm256_fnmadd_ps(a, b, sum)
#define less_f64(sum, a, b) _mm256_fnmadd_pd(a, b, sum)
#define spread_f32 _mm256_set1_ps
#define spread_f64 _mm256_set1_pd
#define lane_f32(x, i) _mm256_permutevar8x32_ps(x, _mm256_set1_epi32(i))
#define lane_f64(x, i)                                                                             \
    _mm256_castps_pd(_mm256_permutevar8x32_ps(                                                     \
        _mm256_castpd_ps(x),                                                                       \
        _mm256_add_epi32(_mm256_set1_epi64x((long long)1 << 32), _mm256_set1_epi32(2 * (i)))))
#endif

#define T float
#define VEC VEC_F32
#define NAME(x) x##_f32
#include "cpu/simd/divide_typed.h"

#define T double
#define VEC VEC_F64
#define NAME(x) x##_f64
#include "cpu/simd/divide_typed.h"

const struct cti_factor_divide CTI_ISA_NAME(cti_divide_f32) = {left_f32, right_f32};
const struct cti_factor_divide CTI_ISA_NAME(cti_divide_f64) = {left_f64, right_f64};
#else
const struct cti_factor_divide CTI_ISA_NAME(cti_divide_f32) = {NULL, NULL};
const struct cti_factor_divide CTI_ISA_NAME(cti_divide_f64) = {NULL, NULL};
#endif
