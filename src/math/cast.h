/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions between all data types: ctm_DST_from_SRC(x), by PyTorch's rules.
 *
 * Integers wrap; to bool is x != 0 (NaN is true); complex to real takes the real part. A float
 * outside of the range of an integer type, or NaN, gives the result of x86's conversion (Note
 * [Float to integer]). half.h has float16 and bfloat16. Every function is a single expression, so
 * that loops vectorise. */
#ifndef CORTEN_MATH_CAST_H
#define CORTEN_MATH_CAST_H

#include "types.h"

/* Note [Float to integer]
 * int32 and int64 are the result of the conversion instruction: the lowest integer if the value
 * does not fit. int8, int16 and uint16 convert to int32 first, uint8 and uint32 to int64, and then
 * wrap. uint64 subtracts 2^63 from values above it and wraps negative ones. C leaves these cases
 * undefined, hence the attribute; the compilers emit the plain instruction. */
#ifdef __CUDACC__
#define CTM_CAST CTM
#else
#define CTM_CAST                                                                                   \
    static inline __attribute__((always_inline, unused, no_sanitize("float-cast-overflow")))
#endif

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

/* A float32 beyond int32 is a multiple of 256, so uint8 may convert to int32 instead of int64. */
#define REAL float
#define FROM(dst) ctm_##dst##_from_f32
#define BYTES_FROM ctm_i32_from_f32
#include "cast_real.h"

#define REAL double
#define FROM(dst) ctm_##dst##_from_f64
#define BYTES_FROM ctm_i64_from_f64
#include "cast_real.h"

#define INT uint8_t
#define FROM(dst) ctm_##dst##_from_b8
#include "cast_integer.h"

#define INT int8_t
#define FROM(dst) ctm_##dst##_from_i8
#include "cast_integer.h"

#define INT int16_t
#define FROM(dst) ctm_##dst##_from_i16
#include "cast_integer.h"

#define INT int32_t
#define FROM(dst) ctm_##dst##_from_i32
#include "cast_integer.h"

#define INT int64_t
#define FROM(dst) ctm_##dst##_from_i64
#include "cast_integer.h"

#define INT uint8_t
#define FROM(dst) ctm_##dst##_from_u8
#include "cast_integer.h"

#define INT uint16_t
#define FROM(dst) ctm_##dst##_from_u16
#include "cast_integer.h"

#define INT uint32_t
#define FROM(dst) ctm_##dst##_from_u32
#include "cast_integer.h"

#define INT uint64_t
#define FROM(dst) ctm_##dst##_from_u64
#include "cast_integer.h"

#define COMPLEX ct_c64
#define FROM(dst) ctm_##dst##_from_c64
#define FROM_PART(dst) ctm_##dst##_from_f32
#include "cast_complex.h"

#define COMPLEX ct_c128
#define FROM(dst) ctm_##dst##_from_c128
#define FROM_PART(dst) ctm_##dst##_from_f64
#include "cast_complex.h"

#endif
