/* SPDX-License-Identifier: BSD-3-Clause */
/* Reverses elements a vector at a time; compiled once for each instruction set, but the baseline
 * does nothing. Called by cti_cpu_pack (pack.h). */
#include "cpu/isa.h"

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>

/* Byte shuffles that reverse 16 bytes by elements of 1, 2, 4 and 8 bytes. */
static const char order[4][16] = {{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
                                  {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1},
                                  {12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3},
                                  {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}};

/* Reverses one vector: within each 16 bytes, then the 16-byte lanes. */
#if defined(__AVX512F__)
enum { WIDTH = 64 };

static inline void reverse_vector(char *dst, const char *src, __m128i by)
{
    __m512i x = _mm512_shuffle_epi8(_mm512_loadu_si512(src), _mm512_broadcast_i32x4(by));
    _mm512_storeu_si512(dst, _mm512_shuffle_i64x2(x, x, 0x1b));
}
#else
enum { WIDTH = 32 };

static inline void reverse_vector(char *dst, const char *src, __m128i by)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)src);
    x = _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(by));
    _mm256_storeu_si256((__m256i *)dst, _mm256_permute4x64_epi64(x, 0x4e));
}
#endif
#endif

/* dst[i] = src[-i] for all n elements, or for none if they do not fill a vector. Returns the number
 * of elements done. */
int64_t CTI_ISA_NAME(cti_simd_reverse)(char *dst, const char *src, int64_t n, int64_t itemsize)
{
#if defined(__AVX2__)
    int64_t nbytes = n * itemsize, i = 0;
    if (itemsize > 8 || nbytes < WIDTH)
        return 0;
    const __m128i by = _mm_loadu_si128((const __m128i *)order[itemsize / 2 - itemsize / 8]);
    const char *end = src + itemsize; /* dst receives the bytes before it, backwards */
    for (; i + 4 * WIDTH <= nbytes; i += 4 * WIDTH)
        for (int64_t j = WIDTH; j <= 4 * WIDTH; j += WIDTH)
            reverse_vector(dst + i + j - WIDTH, end - i - j, by);
    for (; i + WIDTH <= nbytes; i += WIDTH)
        reverse_vector(dst + i, end - i - WIDTH, by);
    if (i < nbytes) /* the last vector may overlap the one before it */
        reverse_vector(dst + nbytes - WIDTH, end - nbytes, by);
    return n;
#else
    (void)dst, (void)src, (void)n, (void)itemsize;
    return 0;
#endif
}
