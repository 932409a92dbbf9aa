/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an implicit im2col panel by masked loads, two vectors at a time: elements in the padding
 * are not read and stay 0. Used by gemm/gather.c for elements of 4 and 8 bytes. CTI_SPOTS is
 * defined if the instruction set has masked loads. */
#ifndef CORTEN_CPU_SIMD_GATHER_H
#define CORTEN_CPU_SIMD_GATHER_H

#include <stdint.h>

/* Adjacent positions of one image row: lane i is element at + i * step if its bit is set. */
struct cti_spot {
    int64_t at;
    uint32_t lanes;
};

#if defined(CT_ISA_AVX512)
#include <immintrin.h>
#define CTI_SPOTS 1

/* Loads the even elements of 32, masked; other lanes are 0. */
static inline __attribute__((always_inline)) __m512i cti_simd_evens(uint32_t lanes,
                                                                    const int32_t *from)
{
    const __m512i even =
        _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    __m512i low = _mm512_maskz_loadu_epi32((__mmask16)lanes, from);
    __m512i high = _mm512_maskz_loadu_epi32((__mmask16)(lanes >> 16), from + 16);
    return _mm512_permutex2var_epi32(low, even, high);
}

/* Loads 16 elements, `step` apart, into the masked lanes of `to`. */
static inline __attribute__((always_inline)) __m512i
cti_simd_some_4(__m512i to, uint32_t lanes, const int32_t *from, int64_t step)
{
    const __m512i count = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __mmask16 part = (__mmask16)lanes;
    if (step == 1)
        return _mm512_mask_loadu_epi32(to, part, from);
    if (step == 2)
        return _mm512_mask_mov_epi32(to, part, cti_simd_evens(_pdep_u32(part, 0x55555555), from));
    if (step == 4) {
        uint64_t wide = _pdep_u64(part, 0x1111111111111111);
        __m512i low = cti_simd_evens((uint32_t)wide, from);
        __m512i high = cti_simd_evens((uint32_t)(wide >> 32), from + 32);
        __m512i even = _mm512_add_epi32(count, count);
        return _mm512_mask_mov_epi32(to, part, _mm512_permutex2var_epi32(low, even, high));
    }
    __m512i index = _mm512_mullo_epi32(count, _mm512_set1_epi32((int)step));
    return _mm512_mask_i32gather_epi32(to, part, index, from, 4);
}

/* The same for 8 elements of 8 bytes. */
static inline __attribute__((always_inline)) __m512i
cti_simd_some_8(__m512i to, uint32_t lanes, const int64_t *from, int64_t step)
{
    __mmask8 part = (__mmask8)lanes;
    if (step == 1)
        return _mm512_mask_loadu_epi64(to, part, from);
    __m512i count = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512i index = _mm512_mullo_epi64(count, _mm512_set1_epi64(step));
    return _mm512_mask_i64gather_epi64(to, part, index, (const long long *)from, 8);
}

/* Gathers one row of 32 elements of 4 bytes, or 16 of 8 bytes. `size` and `step` are constants
 * where possible. */
static inline __attribute__((always_inline)) void cti_simd_gather(char *to, const char *from,
                                                                  const struct cti_spot *spot,
                                                                  int spots, int64_t step,
                                                                  int64_t size)
{
    __m512i low = _mm512_setzero_si512(), high = low;
    int64_t lanes = 64 / size;
    for (int i = 0; i < spots; i++) {
        const char *p = from + spot[i].at * size, *q = p + lanes * step * size;
        uint32_t first = spot[i].lanes & ((1u << lanes) - 1), second = spot[i].lanes >> lanes;
        if (first)
            low = size == 4 ? cti_simd_some_4(low, first, (const int32_t *)p, step)
                            : cti_simd_some_8(low, first, (const int64_t *)p, step);
        if (second)
            high = size == 4 ? cti_simd_some_4(high, second, (const int32_t *)q, step)
                             : cti_simd_some_8(high, second, (const int64_t *)q, step);
    }
    _mm512_storeu_si512(to, low);
    _mm512_storeu_si512(to + 64, high);
}
#else
#define CTI_SPOTS 0
#endif

#endif
