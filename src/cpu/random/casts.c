/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts of drawn numbers into the data type of a result, compiled once for each instruction set.
 * The random engine calls these on blocks that lie in the cache; they round as PyTorch's casts. */
#include "core/tensor.h"
#include "cpu/isa.h"
#include "cpu/random/loops.h"
#include "math/half.h"

#include <string.h>

static void to_f32(float *restrict dst, enum ct_dtype dtype, const void *restrict src, int64_t n)
{
    const uint16_t *from = src;
    if (dtype == CT_FLOAT16)
        for (int64_t i = 0; i < n; i++)
            dst[i] = ctm_f32_from_f16(from[i]);
    else
        for (int64_t i = 0; i < n; i++)
            dst[i] = ctm_f32_from_bf16(from[i]);
}

static void i64_to_u8(uint8_t *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (uint8_t)src[i];
}

static void i64_to_u16(uint16_t *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (uint16_t)src[i];
}

static void i64_to_u32(uint32_t *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (uint32_t)src[i];
}

static void i64_to_bool(uint8_t *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = src[i] != 0;
}

static void i64_to_f16(uint16_t *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = ctm_f16_from_f32((float)src[i]);
}

static void i64_to_bf16(uint16_t *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = ctm_bf16_from_f32((float)src[i]);
}

static void i64_to_f32(float *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (float)src[i];
}

static void i64_to_f64(double *restrict dst, const int64_t *restrict src, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (double)src[i];
}

static void from_i64(enum ct_dtype dtype, void *dst, const int64_t *src, int64_t n)
{
    switch (dtype) {
    case CT_BOOL:
        i64_to_bool(dst, src, n);
        break;
    case CT_UINT8:
    case CT_INT8:
        i64_to_u8(dst, src, n);
        break;
    case CT_INT16:
    case CT_UINT16:
        i64_to_u16(dst, src, n);
        break;
    case CT_INT32:
    case CT_UINT32:
        i64_to_u32(dst, src, n);
        break;
    case CT_INT64:
    case CT_UINT64:
        memcpy(dst, src, (size_t)n * sizeof *src);
        break;
    case CT_FLOAT16:
        i64_to_f16(dst, src, n);
        break;
    case CT_BFLOAT16:
        i64_to_bf16(dst, src, n);
        break;
    case CT_FLOAT32:
        i64_to_f32(dst, src, n);
        break;
    case CT_FLOAT64:
        i64_to_f64(dst, src, n);
        break;
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_COMPLEX64:
    case CT_COMPLEX128:
    case CT_COMPLEX32:
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        break;
    }
}

static void from_f32(enum ct_dtype dtype, void *dst, const float *src, int64_t n)
{
    uint16_t *half = dst;
    if (dtype == CT_FLOAT32)
        memcpy(dst, src, (size_t)n * sizeof *src);
    else if (dtype == CT_FLOAT16)
        for (int64_t i = 0; i < n; i++)
            half[i] = ctm_f16_from_f32(src[i]);
    else if (dtype == CT_BFLOAT16)
        for (int64_t i = 0; i < n; i++)
            half[i] = ctm_bf16_from_f32(src[i]);
}

static void from_f64(enum ct_dtype dtype, void *dst, const double *src, int64_t n)
{
    enum { BLOCK = 256 };
    if (dtype == CT_FLOAT64) {
        memcpy(dst, src, (size_t)n * sizeof *src);
        return;
    }
    bool real = dtype == CT_FLOAT32 || dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t count = n - first < BLOCK ? n - first : BLOCK;
        char *at = (char *)dst + first * cti_itemsize(dtype);
        if (real) {
            float x[BLOCK];
            for (int64_t i = 0; i < count; i++)
                x[i] = (float)src[first + i];
            from_f32(dtype, at, x, count);
        } else {
            int64_t x[BLOCK];
            for (int64_t i = 0; i < count; i++)
                x[i] = (int64_t)src[first + i];
            from_i64(dtype, at, x, count);
        }
    }
}

static void bool_to_u16(uint16_t *restrict dst, const uint8_t *restrict src, int64_t n, int one)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (uint16_t)(src[i] * one);
}

static void bool_to_u32(uint32_t *restrict dst, const uint8_t *restrict src, int64_t n,
                        uint32_t one)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (0U - src[i]) & one;
}

static void bool_to_u64(uint64_t *restrict dst, const uint8_t *restrict src, int64_t n,
                        uint64_t one)
{
    for (int64_t i = 0; i < n; i++)
        dst[i] = (uint64_t)(0 - (int64_t)src[i]) & one;
}

static void from_bool(enum ct_dtype dtype, void *dst, const uint8_t *src, int64_t n)
{
    switch (dtype) {
    case CT_BOOL:
    case CT_UINT8:
    case CT_INT8:
        memcpy(dst, src, (size_t)n);
        break;
    case CT_INT16:
    case CT_UINT16:
        bool_to_u16(dst, src, n, 1);
        break;
    case CT_FLOAT16:
        bool_to_u16(dst, src, n, 0x3c00);
        break;
    case CT_BFLOAT16:
        bool_to_u16(dst, src, n, 0x3f80);
        break;
    case CT_INT32:
    case CT_UINT32:
        bool_to_u32(dst, src, n, 1);
        break;
    case CT_FLOAT32:
        bool_to_u32(dst, src, n, 0x3f800000U);
        break;
    case CT_INT64:
    case CT_UINT64:
        bool_to_u64(dst, src, n, 1);
        break;
    case CT_FLOAT64:
        bool_to_u64(dst, src, n, 0x3ff0000000000000U);
        break;
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_COMPLEX64:
    case CT_COMPLEX128:
    case CT_COMPLEX32:
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        break;
    }
}

const struct cti_random_casts CTI_ISA_NAME(cti_random_casts) = {
    .from_i64 = from_i64,
    .from_f32 = from_f32,
    .from_f64 = from_f64,
    .from_bool = from_bool,
    .to_f32 = to_f32,
};
