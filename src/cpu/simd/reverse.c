/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements in the opposite order, a vector at a time; compiled once per instruction set, of
 * which the baseline has none. cti_cpu_pack (pack.h) is the only caller. */
#include "cpu/isa.h"

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>

/* Which byte of 16 goes where, for elements of 1, 2, 4 and 8 bytes. */
static const char order[4][16] = {{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
                                  {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1},
                                  {12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3},
                                  {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}};
#endif

/* dst[i] = src[-i] for all of n elements, or none where they do not fill a vector; returns their
 * number. Elements of each half change places, then the halves do. */
int64_t CTI_ISA_NAME(cti_simd_reverse)(char *dst, const char *src, int64_t n, int64_t itemsize)
{
    int64_t done = 0;
#if defined(__AVX2__)
    int64_t at_once = 32 / itemsize;
    if (itemsize > 8)
        return 0;
    const __m128i half = _mm_loadu_si128((const __m128i *)order[itemsize / 2 - itemsize / 8]);
    const __m256i turn = _mm256_broadcastsi128_si256(half);
    const char *last = src + itemsize - 32;
    for (; done + at_once <= n; done += at_once, dst += 32, last -= 32) {
        __m256i x = _mm256_loadu_si256((const __m256i *)last);
        x = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, turn), 0x4e);
        _mm256_storeu_si256((__m256i *)dst, x);
    }
    if (done && done < n) { /* the last vector may overlap the one before it */
        int64_t back = (at_once - (n - done)) * itemsize;
        __m256i x = _mm256_loadu_si256((const __m256i *)(last + back));
        x = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, turn), 0x4e);
        _mm256_storeu_si256((__m256i *)(dst - back), x);
        done = n;
    }
#else
    (void)dst, (void)src, (void)n, (void)itemsize;
#endif
    return done;
}
