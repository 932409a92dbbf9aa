/* SPDX-License-Identifier: BSD-3-Clause */
/* The transforms of conv/winograd.h on vectors of 16 tiles, for AVX-512: masked loads read only the
 * part inside the image and merge the runs of tiles of a vector. Compiled once for each instruction
 * set; the tables of the others are empty. */
#include "cpu/conv/winograd.h"

#include <stddef.h>

#if defined(CT_ISA_AVX512)
#include <immintrin.h>

#if defined(__clang__)
#define EACH(i) _Pragma("clang loop unroll(full)") for (int i = 0; i < 4; i++)
#else
#define EACH(i) _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)
#endif

static inline __m512i evens(void)
{
    return _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
}

/* 32 elements of a row, merged from runs by lane masks. */
struct row {
    __m512 low, high;
};

static inline __attribute__((always_inline)) void join(struct row *r, const float *from,
                                                       uint32_t columns)
{
    r->low = _mm512_mask_loadu_ps(r->low, (__mmask16)columns, from);
    r->high = _mm512_mask_loadu_ps(r->high, (__mmask16)(columns >> 16), from + 16);
}

/* Deinterleaves a row: elements 2i and 2i + 1 for each lane i. */
static inline __attribute__((always_inline)) void part(__m512 pair[2], struct row r)
{
    const __m512i even = evens(), odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    pair[0] = _mm512_permutex2var_ps(r.low, even, r.high);
    pair[1] = _mm512_permutex2var_ps(r.low, odd, r.high);
}

/* Prefetches 32 elements, which touch up to three cache lines. For a row that the tiles above have
 * also read, two are enough. */
static inline __attribute__((always_inline)) void fetch(const float *from, bool is_new)
{
    __builtin_prefetch(from);
    __builtin_prefetch(from + 16);
    if (is_new)
        __builtin_prefetch(from + 31);
}

/* Input transform, B' d B. */
static void input(float *to, int64_t step, const float *from, int64_t ahead,
                  const struct cti_winograd_run *run, int runs)
{
    for (int i = 0; i < runs; i++)
        EACH(y) fetch(from + ahead + run[i].in[y], y >= 2);
    __m512 t[4][4];
    EACH(y)
    {
        struct row here = {_mm512_setzero_ps(), _mm512_setzero_ps()}, next = here;
        __m512 d[4];
        for (int i = 0; i < runs; i++)
            if (run[i].row >> y & 1) {
                join(&here, from + run[i].in[y], run[i].column[0]);
                join(&next, from + run[i].in[y] + 2, run[i].column[1]);
            }
        part(d, here);
        part(d + 2, next);
        t[y][0] = d[0] - d[2];
        t[y][1] = d[1] + d[2];
        t[y][2] = d[2] - d[1];
        t[y][3] = d[1] - d[3];
    }
    EACH(x)
    {
        _mm512_storeu_ps(to + x * step, t[0][x] - t[2][x]);
        _mm512_storeu_ps(to + (4 + x) * step, t[1][x] + t[2][x]);
        _mm512_storeu_ps(to + (8 + x) * step, t[2][x] - t[1][x]);
        _mm512_storeu_ps(to + (12 + x) * step, t[1][x] - t[3][x]);
    }
}

/* Output transform, A' m A. */
static void output(const float *from, int64_t step, float bias, float *to, int64_t ahead,
                   const struct cti_winograd_run *run, int runs, bool *finite)
{
    for (int i = 0; i < runs; i++)
        for (int r = 0; r < 2; r++) {
            __builtin_prefetch(to + ahead + run[i].out[r], 1);
            __builtin_prefetch(to + ahead + run[i].out[r] + 16, 1);
            __builtin_prefetch(to + ahead + run[i].out[r] + 31, 1);
        }
    const __m512i first = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    __m512 s[2][4], y[2][2];
    EACH(x)
    {
        __m512 m0 = _mm512_loadu_ps(from + x * step), m1 = _mm512_loadu_ps(from + (4 + x) * step);
        __m512 m2 = _mm512_loadu_ps(from + (8 + x) * step);
        __m512 m3 = _mm512_loadu_ps(from + (12 + x) * step);
        s[0][x] = m0 + (m1 + m2);
        s[1][x] = (m1 - m2) - m3;
    }
    __m512 zero = _mm512_setzero_ps(), infinite = zero, b = _mm512_set1_ps(bias);
    for (int r = 0; r < 2; r++) {
        __m512 left = s[r][0] + (s[r][1] + s[r][2]) + b;
        __m512 right = (s[r][1] - s[r][2]) - s[r][3] + b;
        infinite = _mm512_fmadd_ps(left, zero, _mm512_fmadd_ps(right, zero, infinite));
        y[r][0] = _mm512_permutex2var_ps(left, first, right);
        y[r][1] = _mm512_permutex2var_ps(left, second, right);
    }
    if (_mm512_cmp_ps_mask(infinite, infinite, _CMP_UNORD_Q))
        *finite = false;
    for (int i = 0; i < runs; i++)
        for (int r = 0; r < 2 && (run[i].out_row >> r & 1); r++) {
            float *row = to + run[i].out[r];
            if (run[i].out_columns == UINT32_MAX) {
                _mm512_storeu_ps(row, y[r][0]);
                _mm512_storeu_ps(row + 16, y[r][1]);
            } else {
                _mm512_mask_storeu_ps(row, (__mmask16)run[i].out_columns, y[r][0]);
                _mm512_mask_storeu_ps(row + 16, (__mmask16)(run[i].out_columns >> 16), y[r][1]);
            }
        }
}

/* Transform of the output gradient, A y A'. */
static void gradient(float *to, int64_t step, const float *from, int64_t ahead,
                     const struct cti_winograd_run *run, int runs)
{
    for (int i = 0; i < runs; i++)
        for (int r = 0; r < 2; r++)
            fetch(from + ahead + run[i].out[r], true);
    __m512 y[2][2], zero = _mm512_setzero_ps();
    for (int r = 0; r < 2; r++) {
        struct row here = {zero, zero};
        for (int i = 0; i < runs; i++)
            if (run[i].out_row >> r & 1)
                join(&here, from + run[i].out[r], run[i].out_columns);
        part(y[r], here);
    }
    __m512 t[4][2] = {{y[0][0], y[0][1]},
                      {y[0][0] + y[1][0], y[0][1] + y[1][1]},
                      {y[0][0] - y[1][0], y[0][1] - y[1][1]},
                      {zero - y[1][0], zero - y[1][1]}};
    EACH(x)
    {
        _mm512_storeu_ps(to + (4 * x) * step, t[x][0]);
        _mm512_storeu_ps(to + (4 * x + 1) * step, t[x][0] + t[x][1]);
        _mm512_storeu_ps(to + (4 * x + 2) * step, t[x][0] - t[x][1]);
        _mm512_storeu_ps(to + (4 * x + 3) * step, zero - t[x][1]);
    }
}

/* Horizontal sums: lane 4 i + j is the sum over all lanes of sum[i][j]. */
static inline __attribute__((always_inline)) __m512 fold_lanes(__m512 sum[4][4])
{
    __m512 u[4], v[2];
    EACH(i)
    {
        __m512 t[2];
        for (int j = 0; j < 2; j++)
            t[j] = _mm512_unpacklo_ps(sum[i][2 * j], sum[i][2 * j + 1]) +
                   _mm512_unpackhi_ps(sum[i][2 * j], sum[i][2 * j + 1]);
        u[i] = _mm512_shuffle_ps(t[0], t[1], 0x44) + _mm512_shuffle_ps(t[0], t[1], 0xee);
    }
    for (int i = 0; i < 2; i++)
        v[i] = _mm512_shuffle_f32x4(u[2 * i], u[2 * i + 1], 0x88) +
               _mm512_shuffle_f32x4(u[2 * i], u[2 * i + 1], 0xdd);
    return _mm512_shuffle_f32x4(v[0], v[1], 0x88) + _mm512_shuffle_f32x4(v[0], v[1], 0xdd);
}

static void dots(const float *a, const float *b, int64_t step, int64_t vectors, float *to,
                 int64_t line, bool add)
{
    __m512 sum[4][4];
    EACH(i)
    EACH(j) sum[i][j] = _mm512_setzero_ps();
    for (int64_t at = 0; at < vectors * CTI_WINOGRAD_LANES; at += CTI_WINOGRAD_LANES) {
        __m512 y[4];
        EACH(j) y[j] = _mm512_loadu_ps(b + j * step + at);
        EACH(i)
        {
            __m512 x = _mm512_loadu_ps(a + i * step + at);
            EACH(j) sum[i][j] = _mm512_fmadd_ps(x, y[j], sum[i][j]);
        }
    }
    __m512 all = fold_lanes(sum);
    __m128 row[4] = {_mm512_castps512_ps128(all), _mm512_extractf32x4_ps(all, 1),
                     _mm512_extractf32x4_ps(all, 2), _mm512_extractf32x4_ps(all, 3)};
    EACH(i)
    {
        float *here = to + i * line;
        _mm_storeu_ps(here, add ? _mm_add_ps(_mm_loadu_ps(here), row[i]) : row[i]);
    }
}

static void add_up(double *to, const float *from, int64_t next, int64_t parts, int64_t count)
{
    for (int64_t i = 0; i < count; i += 8) {
        __mmask8 some = count - i < 8 ? (__mmask8)(0xff >> (8 - (count - i))) : 0xff;
        __m512d sum = _mm512_setzero_pd();
        for (int64_t p = 0; p < parts; p++)
            sum += _mm512_cvtps_pd(_mm256_maskz_loadu_ps(some, from + p * next + i));
        _mm512_mask_storeu_pd(to + i, some, sum);
    }
}

const struct cti_winograd_loops CTI_ISA_NAME(cti_winograd_loops) = {input, output, gradient, dots,
                                                                    add_up};
#else
const struct cti_winograd_loops CTI_ISA_NAME(cti_winograd_loops) = {NULL, NULL, NULL, NULL, NULL};
#endif
