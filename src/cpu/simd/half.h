/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts float16 and bfloat16 to and from float32 over contiguous memory with the processor's
 * conversion instructions, which compilers do not generate. Used by the generated casts, and by
 * loops over halves, CTI_HALVES at a time: once inlined, the float32 values stay in registers. */
#ifndef CORTEN_CPU_SIMD_HALF_H
#define CORTEN_CPU_SIMD_HALF_H

#include "math/half.h"

#if defined(__F16C__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define CTI_HALVES 16

static inline void cti_simd_f32_from_f16(float *d, const uint16_t *s, int64_t n)
{
    int64_t i = 0;
#if defined(__AVX512F__)
    for (; i + 16 <= n; i += 16)
        _mm512_storeu_ps(d + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(s + i))));
#elif defined(__F16C__)
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(d + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(s + i))));
#endif
    for (; i < n; i++)
        d[i] = ctm_f32_from_f16(s[i]);
}

static inline void cti_simd_f16_from_f32(uint16_t *d, const float *s, int64_t n)
{
    int64_t i = 0;
#if defined(__AVX512F__)
    for (; i + 16 <= n; i += 16)
        _mm256_storeu_si256((__m256i *)(d + i),
                            _mm512_cvtps_ph(_mm512_loadu_ps(s + i), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((__m128i *)(d + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(s + i), _MM_FROUND_TO_NEAREST_INT));
#endif
    for (; i < n; i++)
        d[i] = ctm_f16_from_f32(s[i]);
}

static inline __attribute__((always_inline)) void cti_simd_load_f16(float *d, const uint16_t *s)
{
#if defined(__AVX512F__)
    _mm512_storeu_ps(d, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)s)));
#elif defined(__F16C__)
    _mm256_storeu_ps(d, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)s)));
    _mm256_storeu_ps(d + 8, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(s + 8))));
#else
    for (int i = 0; i < CTI_HALVES; i++)
        d[i] = ctm_f32_from_f16(s[i]);
#endif
}

static inline __attribute__((always_inline)) void cti_simd_store_f16(uint16_t *d, const float *s)
{
#if defined(__AVX512F__)
    _mm256_storeu_si256((__m256i *)d,
                        _mm512_cvtps_ph(_mm512_loadu_ps(s), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
    _mm_storeu_si128((__m128i *)d, _mm256_cvtps_ph(_mm256_loadu_ps(s), _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128((__m128i *)(d + 8),
                     _mm256_cvtps_ph(_mm256_loadu_ps(s + 8), _MM_FROUND_TO_NEAREST_INT));
#else
    for (int i = 0; i < CTI_HALVES; i++)
        d[i] = ctm_f16_from_f32(s[i]);
#endif
}

static inline __attribute__((always_inline)) void cti_simd_load_bf16(float *d, const uint16_t *s)
{
#if defined(__AVX512F__)
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)s));
    _mm512_storeu_ps(d, _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16)));
#elif defined(__AVX2__)
    for (int i = 0; i < CTI_HALVES; i += 8) {
        __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(s + i)));
        _mm256_storeu_ps(d + i, _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16)));
    }
#else
    for (int i = 0; i < CTI_HALVES; i++)
        d[i] = ctm_f32_from_bf16(s[i]);
#endif
}

/* Rounds to nearest even like ctm_bf16_from_f32: adds 0x7fff plus the last bit that is kept. */
static inline __attribute__((always_inline)) void cti_simd_store_bf16(uint16_t *d, const float *s)
{
#if defined(__AVX512F__)
    __m512 x = _mm512_loadu_ps(s);
    __m512i bits = _mm512_castps_si512(x), top = _mm512_srli_epi32(bits, 16);
    __m512i odd = _mm512_and_si512(top, _mm512_set1_epi32(1));
    __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
    __m512i sign = _mm512_and_si512(top, _mm512_set1_epi32(0x8000));
    sum = _mm512_mask_or_epi32(_mm512_srli_epi32(sum, 16), _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q),
                               sign, _mm512_set1_epi32(0x7fc0));
    _mm256_storeu_si256((__m256i *)d, _mm512_cvtepi32_epi16(sum));
#elif defined(__AVX2__)
    __m256i part[2];
    for (int i = 0; i < 2; i++) {
        __m256 x = _mm256_loadu_ps(s + 8 * i);
        __m256i bits = _mm256_castps_si256(x), top = _mm256_srli_epi32(bits, 16);
        __m256i odd = _mm256_and_si256(top, _mm256_set1_epi32(1));
        __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
        __m256i nan = _mm256_or_si256(_mm256_and_si256(top, _mm256_set1_epi32(0x8000)),
                                      _mm256_set1_epi32(0x7fc0));
        part[i] = _mm256_blendv_epi8(_mm256_srli_epi32(sum, 16), nan,
                                     _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)));
    }
    __m256i both = _mm256_packus_epi32(part[0], part[1]); /* lanes: 0 2 1 3 */
    _mm256_storeu_si256((__m256i *)d, _mm256_permute4x64_epi64(both, 0xd8));
#else
    for (int i = 0; i < CTI_HALVES; i++)
        d[i] = ctm_bf16_from_f32(s[i]);
#endif
}

#endif
