/* SPDX-License-Identifier: BSD-3-Clause */
/* The epilogue of products: merges accumulators into the result; see pack.h. */
#include "cpu/gemm/pack.h"

#include "math/half.h"

#include <stddef.h>

/* Converts alpha or beta to the integer type of the accumulators. */
static uint64_t integer_of(double x)
{
    return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

#define T float
#define NAME(name) name##_f32
#include "cpu/gemm/store_typed.h"

#define T double
#define NAME(name) name##_f64
#include "cpu/gemm/store_typed.h"

static inline __attribute__((always_inline)) float half_of(const uint16_t *p, bool brain)
{
    return brain ? ctm_f32_from_bf16(*p) : ctm_f32_from_f16(*p);
}

/* Stores float16 or bfloat16, rounded once, from float32. `brain` is a compile-time constant where
 * this is inlined. */
static inline __attribute__((always_inline)) void
store_half(const struct cti_gemm_target *t, int64_t at, int64_t bias_at, int64_t rows, int64_t cols,
           const float *sum, int64_t sum_row, bool brain)
{
    float alpha = (float)t->alpha[0], beta = (float)t->beta[0];
    uint16_t *c = (uint16_t *)t->c + at;
    const uint16_t *bias = t->bias ? (const uint16_t *)t->bias + bias_at : NULL;
    for (int64_t i = 0; i < rows; i++, c += t->row, sum += sum_row) {
        for (int64_t j = 0; j < cols; j++) {
            uint16_t *to = c + j * t->col;
            float x = alpha * sum[j];
            if (beta != 0)
                x += beta * half_of(to, brain);
            if (bias)
                x += half_of(bias + i * t->bias_row + j * t->bias_col, brain);
            *to = brain ? ctm_bf16_from_f32(x) : ctm_f16_from_f32(x);
        }
    }
}

/* (re, im) = alpha * sum + beta * c; zero parts are skipped, so that an infinite sum times alpha 1
 * does not become NaN. */
static inline __attribute__((always_inline)) void times(const double x[2], double *re, double *im)
{
    double r = *re, i = *im;
    *re = x[1] == 0 ? x[0] * r : x[0] * r - x[1] * i;
    *im = x[1] == 0 ? x[0] * i : x[0] * i + x[1] * r;
}

/* Complex float or double; computed in double either way. */
static inline __attribute__((always_inline)) double part_of(const void *p, int64_t i, bool wide)
{
    return wide ? ((const double *)p)[i] : (double)((const float *)p)[i];
}

static inline __attribute__((always_inline)) void set_part(void *p, int64_t i, double x, bool wide)
{
    if (wide)
        ((double *)p)[i] = x;
    else
        ((float *)p)[i] = (float)x;
}

static inline __attribute__((always_inline)) void
store_complex(const struct cti_gemm_target *t, int64_t at, int64_t bias_at, int64_t rows,
              int64_t cols, const void *sums, int64_t sum_row, bool wide)
{
    bool read = t->beta[0] != 0 || t->beta[1] != 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t to = 2 * (at + i * t->row), from = i * sum_row;
        for (int64_t j = 0; j < cols; j++, to += 2 * t->col, from += 2) {
            double re = part_of(sums, from, wide), im = part_of(sums, from + 1, wide);
            times(t->alpha, &re, &im);
            if (read) {
                double old_re = part_of(t->c, to, wide), old_im = part_of(t->c, to + 1, wide);
                times(t->beta, &old_re, &old_im);
                re += old_re;
                im += old_im;
            }
            if (t->bias) {
                int64_t from_bias = 2 * (bias_at + i * t->bias_row + j * t->bias_col);
                re += part_of(t->bias, from_bias, wide);
                im += part_of(t->bias, from_bias + 1, wide);
            }
            set_part(t->c, to, re, wide);
            set_part(t->c, to + 1, im, wide);
        }
    }
}

static inline __attribute__((always_inline)) uint64_t bits_of(const char *p, int size)
{
    return size == 1   ? *(const uint8_t *)p
           : size == 2 ? *(const uint16_t *)p
           : size == 4 ? *(const uint32_t *)p
                       : *(const uint64_t *)p;
}

/* Integers of `size` bytes, computed modulo 2^64: the low bits are right in any type. */
static inline __attribute__((always_inline)) void
store_integer(const struct cti_gemm_target *t, int64_t at, int64_t bias_at, int64_t rows,
              int64_t cols, const void *sums, int64_t sum_row, int size)
{
    uint64_t alpha = integer_of(t->alpha[0]), beta = integer_of(t->beta[0]);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) {
            char *to = t->c + (at + i * t->row + j * t->col) * size;
            uint64_t x =
                alpha * bits_of((const char *)sums + (i * sum_row + j) * (size < 4 ? 4 : size),
                                size < 4 ? 4 : size);
            if (beta)
                x += beta * bits_of(to, size);
            if (t->bias)
                x += bits_of(t->bias + (bias_at + i * t->bias_row + j * t->bias_col) * size, size);
            if (size == 1)
                *(uint8_t *)to = (uint8_t)x;
            else if (size == 2)
                *(uint16_t *)to = (uint16_t)x;
            else if (size == 4)
                *(uint32_t *)to = (uint32_t)x;
            else
                *(uint64_t *)to = x;
        }
    }
}

void CTI_ISA_NAME(cti_gemm_store)(const struct cti_gemm_target *t, int64_t i, int64_t j,
                                  int64_t rows, int64_t cols, const void *sums, int64_t sum_row)
{
    int64_t at = i * t->row + j * t->col, bias_at = i * t->bias_row + j * t->bias_col;
    switch (t->dtype) {
    case CT_NO_DTYPE:
    case CT_BOOL:
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_COMPLEX32:
    case CT_DTYPE_COUNT:
        break;
    case CT_UINT8:
    case CT_INT8:
        store_integer(t, at, bias_at, rows, cols, sums, sum_row, 1);
        break;
    case CT_UINT16:
    case CT_INT16:
        store_integer(t, at, bias_at, rows, cols, sums, sum_row, 2);
        break;
    case CT_UINT32:
    case CT_INT32:
        store_integer(t, at, bias_at, rows, cols, sums, sum_row, 4);
        break;
    case CT_UINT64:
    case CT_INT64:
        store_integer(t, at, bias_at, rows, cols, sums, sum_row, 8);
        break;
    case CT_FLOAT16:
        store_half(t, at, bias_at, rows, cols, sums, sum_row, false);
        break;
    case CT_BFLOAT16:
        store_half(t, at, bias_at, rows, cols, sums, sum_row, true);
        break;
    case CT_FLOAT32:
        store_f32(t, at, bias_at, rows, cols, sums, sum_row);
        break;
    case CT_FLOAT64:
        store_f64(t, at, bias_at, rows, cols, sums, sum_row);
        break;
    case CT_COMPLEX64:
        store_complex(t, at, bias_at, rows, cols, sums, sum_row, false);
        break;
    case CT_COMPLEX128:
        store_complex(t, at, bias_at, rows, cols, sums, sum_row, true);
        break;
    }
}
