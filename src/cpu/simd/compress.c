/* SPDX-License-Identifier: BSD-3-Clause */
/* Stream compaction for cpu/index/compress.h, compiled once for each instruction set. AVX-512 has
 * vpcompress, used from register to register because its memory form is slow on some processors.
 * AVX2 permutes lanes by an index vector that pext computes. */
#include "cpu/index/compress.h"
#include "cpu/isa.h"

#include <string.h>
#if CT_ISA_AVX2 || CT_ISA_AVX512
#include <immintrin.h>
#endif

static int64_t count(const uint8_t *mask, int64_t n)
{
    int64_t total = 0, i = 0;
    while (i < n) { /* 8-bit counters, flushed before they overflow */
        int64_t end = n - i > 4096 ? i + 4096 : n;
        uint16_t part = 0;
        for (; i < end; i++)
            part = (uint16_t)(part + (mask[i] != 0));
        total += part;
    }
    return total;
}

static uint64_t beyond(const int64_t *in, int64_t n, uint64_t low, uint64_t high)
{
    uint64_t bad = 0;
    for (int64_t i = 0; i < n; i++)
        bad |= ((uint64_t)in[i] + low) | (high - (uint64_t)in[i]);
    return bad;
}

/* Branch-free scalar loops, also for the tails of vector loops: every value is written, and the
 * next one overwrites it unless it was selected. */
static int64_t values4_tail(const uint8_t *mask, const uint32_t *in, int64_t n, uint32_t *out,
                            int64_t room)
{
    int64_t k = 0;
    for (int64_t i = 0; i < n && k < room; i++) {
        out[k] = in[i];
        k += mask[i] != 0;
    }
    return k;
}

static int64_t values8_tail(const uint8_t *mask, const uint64_t *in, int64_t n, uint64_t *out,
                            int64_t room)
{
    int64_t k = 0;
    for (int64_t i = 0; i < n && k < room; i++) {
        out[k] = in[i];
        k += mask[i] != 0;
    }
    return k;
}

static int64_t places_tail(const uint8_t *mask, int64_t n, int64_t first, int64_t *out,
                           int64_t room)
{
    int64_t k = 0;
    for (int64_t i = 0; i < n && k < room; i++) {
        out[k] = first + i;
        k += mask[i] != 0;
    }
    return k;
}

static int64_t within_tail(const int64_t *in, int64_t first, int64_t n, int64_t low, uint64_t width,
                           int64_t *values, int64_t *positions)
{
    int64_t k = 0;
    for (int64_t i = first; i < n; i++) {
        values[k] = in[i];
        positions[k] = i;
        k += (uint64_t)in[i] - (uint64_t)low < width;
    }
    return k;
}

static int64_t within(const int64_t *in, int64_t n, int64_t low, uint64_t width, int64_t *values,
                      int64_t *positions)
{
    int64_t k = 0, i = 0;
#if CT_ISA_AVX512
    __m512i at = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), from = _mm512_set1_epi64(low);
    __m512i size = _mm512_set1_epi64((int64_t)width);
    for (; i + 8 <= n; i += 8) {
        __m512i v = _mm512_loadu_si512(in + i);
        __mmask8 chosen = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(v, from), size);
        _mm512_storeu_si512(values + k, _mm512_maskz_compress_epi64(chosen, v));
        _mm512_storeu_si512(positions + k, _mm512_maskz_compress_epi64(chosen, at));
        k += __builtin_popcount(chosen);
        at = _mm512_add_epi64(at, _mm512_set1_epi64(8));
    }
#endif
    return k + within_tail(in, i, n, low, width, values + k, positions + k);
}

#if CT_ISA_AVX512

static int64_t values4(const uint8_t *mask, const uint32_t *in, int64_t n, uint32_t *out,
                       int64_t room)
{
    int64_t k = 0, i = 0;
    for (; i + 16 <= n && k + 16 <= room; i += 16) {
        __m128i m = _mm_loadu_si128((const void *)(mask + i));
        __mmask16 chosen = _mm_test_epi8_mask(m, m);
        __m512i v = _mm512_loadu_si512(in + i);
        _mm512_storeu_si512(out + k, _mm512_maskz_compress_epi32(chosen, v));
        k += __builtin_popcount(chosen);
    }
    return k + values4_tail(mask + i, in + i, n - i, out + k, room - k);
}

static int64_t values8(const uint8_t *mask, const uint64_t *in, int64_t n, uint64_t *out,
                       int64_t room)
{
    int64_t k = 0, i = 0;
    for (; i + 8 <= n && k + 8 <= room; i += 8) {
        __m128i m = _mm_loadl_epi64((const void *)(mask + i));
        __mmask8 chosen = (__mmask8)_mm_test_epi8_mask(m, m);
        __m512i v = _mm512_loadu_si512(in + i);
        _mm512_storeu_si512(out + k, _mm512_maskz_compress_epi64(chosen, v));
        k += __builtin_popcount(chosen);
    }
    return k + values8_tail(mask + i, in + i, n - i, out + k, room - k);
}

static int64_t positions(const uint8_t *mask, int64_t n, int64_t first, int64_t *out, int64_t room)
{
    int64_t k = 0, i = 0;
    __m512i at =
        _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    for (; i + 8 <= n && k + 8 <= room; i += 8) {
        __m128i m = _mm_loadl_epi64((const void *)(mask + i));
        __mmask8 chosen = (__mmask8)_mm_test_epi8_mask(m, m);
        _mm512_storeu_si512(out + k, _mm512_maskz_compress_epi64(chosen, at));
        k += __builtin_popcount(chosen);
        at = _mm512_add_epi64(at, _mm512_set1_epi64(8));
    }
    return k + places_tail(mask + i, n - i, first + i, out + k, room - k);
}

#elif CT_ISA_AVX2

/* Returns 0xFF for each nonzero mask byte, else 0. */
static inline uint64_t widen8(const uint8_t *mask)
{
    uint64_t m;
    memcpy(&m, mask, 8);
    __m128i zero = _mm_cmpeq_epi8(_mm_cvtsi64_si128((long long)m), _mm_setzero_si128());
    return ~(uint64_t)_mm_cvtsi128_si64(zero);
}

static int64_t values4(const uint8_t *mask, const uint32_t *in, int64_t n, uint32_t *out,
                       int64_t room)
{
    int64_t k = 0, i = 0;
    for (; i + 8 <= n && k + 8 <= room; i += 8) {
        uint64_t wide = widen8(mask + i);
        uint64_t order = _pext_u64(0x0706050403020100u, wide);
        __m256i by = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));
        __m256i v = _mm256_loadu_si256((const void *)(in + i));
        _mm256_storeu_si256((void *)(out + k), _mm256_permutevar8x32_epi32(v, by));
        k += __builtin_popcountll(wide) >> 3;
    }
    return k + values4_tail(mask + i, in + i, n - i, out + k, room - k);
}

static int64_t values8(const uint8_t *mask, const uint64_t *in, int64_t n, uint64_t *out,
                       int64_t room)
{
    return values8_tail(mask, in, n, out, room);
}

static int64_t positions(const uint8_t *mask, int64_t n, int64_t first, int64_t *out, int64_t room)
{
    int64_t k = 0, i = 0;
    for (; i + 8 <= n && k + 8 <= room; i += 8) {
        uint64_t wide = widen8(mask + i);
        uint64_t order = _pext_u64(0x0706050403020100u, wide);
        __m256i from = _mm256_set1_epi64x(first + i);
        __m128i low = _mm_cvtsi64_si128((long long)order);
        __m256i a = _mm256_cvtepu8_epi64(low), b = _mm256_cvtepu8_epi64(_mm_srli_si128(low, 4));
        _mm256_storeu_si256((void *)(out + k), _mm256_add_epi64(from, a));
        _mm256_storeu_si256((void *)(out + k + 4), _mm256_add_epi64(from, b));
        k += __builtin_popcountll(wide) >> 3;
    }
    return k + places_tail(mask + i, n - i, first + i, out + k, room - k);
}

#endif

#if CT_ISA_AVX2 || CT_ISA_AVX512
const struct cti_compress CTI_ISA_NAME(cti_compress) = {count,     values4, values8,
                                                        positions, within,  beyond};
#else
const struct cti_compress CTI_ISA_NAME(cti_compress) = {count,       values4_tail, values8_tail,
                                                        places_tail, within,       beyond};
#endif
