/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-temporal stores, compiled once for each instruction set. Called by cti_cpu_stream
 * (stream.h). */
#include "cpu/isa.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Copies n bytes, a multiple of 64, to dst, which is aligned to 64. */
void CTI_ISA_NAME(cti_simd_stream)(char *dst, const char *src, int64_t n)
{
#if defined(__AVX512F__)
    for (int64_t i = 0; i < n; i += 64)
        _mm512_stream_si512((__m512i *)(dst + i), _mm512_loadu_si512(src + i));
#elif defined(__AVX2__)
    for (int64_t i = 0; i < n; i += 32)
        _mm256_stream_si256((__m256i *)(dst + i), _mm256_loadu_si256((const __m256i *)(src + i)));
#elif defined(__x86_64__)
    for (int64_t i = 0; i < n; i += 16)
        _mm_stream_si128((__m128i *)(dst + i), _mm_loadu_si128((const __m128i *)(src + i)));
#else
    memcpy(dst, src, (size_t)n);
#endif
}
