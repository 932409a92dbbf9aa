/* SPDX-License-Identifier: BSD-3-Clause */
/* float16 and bfloat16 to and from float32 over contiguous memory, by the machine's own conversions
 * where it has them; the compiler does not find those by itself. Used by the generated casts. */
#ifndef CORTEN_CPU_SIMD_HALF_H
#define CORTEN_CPU_SIMD_HALF_H

#include "math/half.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

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

#endif
