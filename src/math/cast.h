/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions between all data types: ctm_DST_from_SRC(x), by PyTorch's rules.
 *
 * Integers wrap; to bool is x != 0 (NaN is true); complex to real takes the real part. A float
 * outside the range of the integer, or NaN, gives what x86's conversion gives (Note [Float to
 * integer]). half.h has float16 and bfloat16. Every word is one expression, so that loops over it
 * vectorise. */
#ifndef CORTEN_MATH_CAST_H
#define CORTEN_MATH_CAST_H

#include "types.h"

/* Note [Float to integer]
 * int32 and int64 take the conversion instruction's result: the lowest integer where the value does
 * not fit. int8, int16, uint16 go through int32, uint8 and uint32 through int64, then wrap. uint64
 * counts from 2^63 above it and wraps below 0. C leaves these cases undefined, hence the attribute;
 * the compilers emit the plain instruction. */
#ifdef __CUDACC__
#define CTM_CAST CTM
#else
#define CTM_CAST                                                                                   \
    static inline __attribute__((always_inline, unused, no_sanitize("float-cast-overflow")))
#endif

CTM_CAST int32_t ctm_i32_from_f32(float x)
{
    return (int32_t)x;
}

CTM_CAST int64_t ctm_i64_from_f32(float x)
{
    return (int64_t)x;
}

CTM_CAST uint64_t ctm_u64_from_f32(float x)
{
    uint64_t high = (uint64_t)ctm_i64_from_f32(x - 0x1p63f) ^ 0x8000000000000000u;
    return x >= 0x1p63f ? high : (uint64_t)ctm_i64_from_f32(x);
}

CTM_CAST int32_t ctm_i32_from_f64(double x)
{
    return (int32_t)x;
}

CTM_CAST int64_t ctm_i64_from_f64(double x)
{
    return (int64_t)x;
}

CTM_CAST uint64_t ctm_u64_from_f64(double x)
{
    uint64_t high = (uint64_t)ctm_i64_from_f64(x - 0x1p63) ^ 0x8000000000000000u;
    return x >= 0x1p63 ? high : (uint64_t)ctm_i64_from_f64(x);
}

/* One cast; VALUE says it in terms of x. */
#define CTM_CAST_WORD(dst, D, src, S, VALUE)                                                       \
    CTM D ctm_##dst##_from_##src(S x)                                                              \
    {                                                                                              \
        return VALUE;                                                                              \
    }

/* float32 and float64 to the narrow integers, through the instruction above. A float32 beyond int32
 * is a multiple of 256, so uint8 may take the shorter way. */
CTM_CAST_WORD(i8, int8_t, f32, float, (int8_t)ctm_i32_from_f32(x))
CTM_CAST_WORD(i16, int16_t, f32, float, (int16_t)ctm_i32_from_f32(x))
CTM_CAST_WORD(u8, uint8_t, f32, float, (uint8_t)ctm_i32_from_f32(x))
CTM_CAST_WORD(u16, uint16_t, f32, float, (uint16_t)ctm_i32_from_f32(x))
CTM_CAST_WORD(u32, uint32_t, f32, float, (uint32_t)ctm_i64_from_f32(x))
CTM_CAST_WORD(i8, int8_t, f64, double, (int8_t)ctm_i32_from_f64(x))
CTM_CAST_WORD(i16, int16_t, f64, double, (int16_t)ctm_i32_from_f64(x))
CTM_CAST_WORD(u8, uint8_t, f64, double, (uint8_t)ctm_i64_from_f64(x))
CTM_CAST_WORD(u16, uint16_t, f64, double, (uint16_t)ctm_i32_from_f64(x))
CTM_CAST_WORD(u32, uint32_t, f64, double, (uint32_t)ctm_i64_from_f64(x))
CTM_CAST_WORD(f32, float, f32, float, x)
CTM_CAST_WORD(f64, double, f64, double, x)
CTM_CAST_WORD(f64, double, f32, float, (double)x)
CTM_CAST_WORD(f32, float, f64, double, (float)x)

CTM ct_c64 ctm_make_c64(float re, float im)
{
    ct_c64 z;
    z.re = re;
    z.im = im;
    return z;
}

CTM ct_c128 ctm_make_c128(double re, double im)
{
    ct_c128 z;
    z.re = re;
    z.im = im;
    return z;
}

/* An integer, or bool (b8: a byte, 0 or 1), to everything. */
#define CTM_CAST_FROM_INTEGER(src, S)                                                              \
    CTM_CAST_WORD(b8, uint8_t, src, S, x != 0)                                                     \
    CTM_CAST_WORD(i8, int8_t, src, S, (int8_t)x)                                                   \
    CTM_CAST_WORD(i16, int16_t, src, S, (int16_t)x)                                                \
    CTM_CAST_WORD(i32, int32_t, src, S, (int32_t)x)                                                \
    CTM_CAST_WORD(i64, int64_t, src, S, (int64_t)x)                                                \
    CTM_CAST_WORD(u8, uint8_t, src, S, (uint8_t)x)                                                 \
    CTM_CAST_WORD(u16, uint16_t, src, S, (uint16_t)x)                                              \
    CTM_CAST_WORD(u32, uint32_t, src, S, (uint32_t)x)                                              \
    CTM_CAST_WORD(u64, uint64_t, src, S, (uint64_t)x)                                              \
    CTM_CAST_WORD(f32, float, src, S, (float)x)                                                    \
    CTM_CAST_WORD(f64, double, src, S, (double)x)                                                  \
    CTM_CAST_WORD(c64, ct_c64, src, S, ctm_make_c64((float)x, 0.0f))                               \
    CTM_CAST_WORD(c128, ct_c128, src, S, ctm_make_c128((double)x, 0.0))

CTM_CAST_FROM_INTEGER(b8, uint8_t)
CTM_CAST_FROM_INTEGER(i8, int8_t)
CTM_CAST_FROM_INTEGER(i16, int16_t)
CTM_CAST_FROM_INTEGER(i32, int32_t)
CTM_CAST_FROM_INTEGER(i64, int64_t)
CTM_CAST_FROM_INTEGER(u8, uint8_t)
CTM_CAST_FROM_INTEGER(u16, uint16_t)
CTM_CAST_FROM_INTEGER(u32, uint32_t)
CTM_CAST_FROM_INTEGER(u64, uint64_t)

CTM_CAST_WORD(b8, uint8_t, f32, float, x != 0.0f)
CTM_CAST_WORD(b8, uint8_t, f64, double, x != 0.0)
CTM_CAST_WORD(c64, ct_c64, f32, float, ctm_make_c64(x, 0.0f))
CTM_CAST_WORD(c64, ct_c64, f64, double, ctm_make_c64((float)x, 0.0f))
CTM_CAST_WORD(c128, ct_c128, f32, float, ctm_make_c128((double)x, 0.0))
CTM_CAST_WORD(c128, ct_c128, f64, double, ctm_make_c128(x, 0.0))

/* A complex number to a real type: the real part, by the real type's own rule. */
#define CTM_CAST_FROM_COMPLEX(src, S, part)                                                        \
    CTM_CAST_WORD(b8, uint8_t, src, S, (x.re != 0) | (x.im != 0))                                  \
    CTM_CAST_WORD(i8, int8_t, src, S, ctm_i8_from_##part(x.re))                                    \
    CTM_CAST_WORD(i16, int16_t, src, S, ctm_i16_from_##part(x.re))                                 \
    CTM_CAST_WORD(i32, int32_t, src, S, ctm_i32_from_##part(x.re))                                 \
    CTM_CAST_WORD(i64, int64_t, src, S, ctm_i64_from_##part(x.re))                                 \
    CTM_CAST_WORD(u8, uint8_t, src, S, ctm_u8_from_##part(x.re))                                   \
    CTM_CAST_WORD(u16, uint16_t, src, S, ctm_u16_from_##part(x.re))                                \
    CTM_CAST_WORD(u32, uint32_t, src, S, ctm_u32_from_##part(x.re))                                \
    CTM_CAST_WORD(u64, uint64_t, src, S, ctm_u64_from_##part(x.re))                                \
    CTM_CAST_WORD(f32, float, src, S, (float)x.re)                                                 \
    CTM_CAST_WORD(f64, double, src, S, (double)x.re)                                               \
    CTM_CAST_WORD(c64, ct_c64, src, S, ctm_make_c64((float)x.re, (float)x.im))                     \
    CTM_CAST_WORD(c128, ct_c128, src, S, ctm_make_c128((double)x.re, (double)x.im))

CTM_CAST_FROM_COMPLEX(c64, ct_c64, f32)
CTM_CAST_FROM_COMPLEX(c128, ct_c128, f64)

#endif
