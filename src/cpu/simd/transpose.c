/* SPDX-License-Identifier: BSD-3-Clause */
/* In-register transposes of squares of 4- and 8-byte elements; compiled once for each instruction
 * set, but the baseline does nothing. Called by cti_cpu_transpose (pack.h). */
#include "cpu/isa.h"

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>

/* 8 by 8 in three stages: pairs, quads, halves. */
static inline void transpose_8x8(float *dst, int64_t dst_step, const float *src, int64_t src_step)
{
    __m256 r[8], t[8];
    for (int i = 0; i < 8; i++)
        r[i] = _mm256_loadu_ps(src + i * src_step);
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        r[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
        r[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xee);
        r[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
        r[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xee);
    }
    for (int i = 0; i < 4; i++) {
        _mm256_storeu_ps(dst + i * dst_step, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
        _mm256_storeu_ps(dst + (i + 4) * dst_step, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
    }
}

static inline void transpose_4x4(double *dst, int64_t dst_step, const double *src, int64_t src_step)
{
    __m256d r[4], t[4];
    for (int i = 0; i < 4; i++)
        r[i] = _mm256_loadu_pd(src + i * src_step);
    for (int i = 0; i < 4; i += 2) {
        t[i] = _mm256_unpacklo_pd(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_pd(r[i], r[i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        _mm256_storeu_pd(dst + i * dst_step, _mm256_permute2f128_pd(t[i], t[i + 2], 0x20));
        _mm256_storeu_pd(dst + (i + 2) * dst_step, _mm256_permute2f128_pd(t[i], t[i + 2], 0x31));
    }
}
#endif

/* Transposes the full squares of a matrix of rows x columns, and reports how many rows and columns
 * they cover; both are multiples of the side of a square (or 0). Steps count elements. */
void CTI_ISA_NAME(cti_simd_transpose)(char *dst, int64_t dst_step, const char *src,
                                      int64_t src_step, int64_t rows, int64_t columns,
                                      int64_t itemsize, int64_t *rows_done, int64_t *columns_done)
{
    int64_t square = itemsize == 4 ? 8 : 4;
    *rows_done = *columns_done = 0;
#if defined(__AVX2__)
    if (itemsize != 4 && itemsize != 8)
        return;
    *rows_done = rows / square * square;
    *columns_done = columns / square * square;
    for (int64_t c = 0; c < *columns_done; c += square)
        for (int64_t r = 0; r < *rows_done; r += square)
            if (itemsize == 4)
                transpose_8x8((float *)dst + r * dst_step + c, dst_step,
                              (const float *)src + c * src_step + r, src_step);
            else
                transpose_4x4((double *)dst + r * dst_step + c, dst_step,
                              (const double *)src + c * src_step + r, src_step);
#else
    (void)dst, (void)dst_step, (void)src, (void)src_step, (void)rows, (void)columns, (void)square;
#endif
}
