/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer words: arithmetic that wraps, the four divisions, powers, gcd and lcm, shifts.
 *
 * No word is undefined for any operands: sums wrap, INT_MIN / -1 wraps, a division by zero gives 0
 * (the loops report it themselves), a shift by a wrong count gives what an endless shift would. 32
 * and 64 bits are written out; 8 and 16 bits compute in int32, where they fit, and wrap at the end.
 */
#ifndef CORTEN_MATH_INTEGER_H
#define CORTEN_MATH_INTEGER_H

#include "types.h"

/* By squaring, modulo 2^64; the low bits are those of any narrower type. */
CTM uint64_t ctm_power_u64(uint64_t base, uint64_t n)
{
    uint64_t result = 1;
    for (; n != 0; n >>= 1) {
        result *= n & 1u ? base : 1u;
        base *= base;
    }
    return result;
}

/* A negative power is 0 as PyTorch's, except of 1 and -1. */
CTM int64_t ctm_power_i64(int64_t base, int64_t n)
{
    if (n >= 0)
        return (int64_t)ctm_power_u64((uint64_t)base, (uint64_t)n);
    if (base == -1)
        return n & 1 ? -1 : 1;
    return base == 1;
}

/* Euclid's algorithm. */
CTM uint64_t ctm_common_u64(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

CTM int32_t ctm_add_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

CTM int32_t ctm_sub_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

CTM int32_t ctm_mul_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

CTM int32_t ctm_neg_i32(int32_t a)
{
    return (int32_t)(0u - (uint32_t)a);
}

CTM int32_t ctm_abs_i32(int32_t a)
{
    return a < 0 ? ctm_neg_i32(a) : a;
}

CTM int32_t ctm_sign_i32(int32_t a)
{
    return (a > 0) - (a < 0);
}

/* A quotient of 32-bit integers differs from every other integer by more than a double can lose, so
 * this is exact; unlike idiv it vectorises. */
CTM int32_t ctm_trunc_divide_i32(int32_t a, int32_t b)
{
    double q = (double)a / (double)(((b == 0) | (b == -1)) ? 1 : b);
    int32_t y = b == -1 ? ctm_neg_i32(a) : (int32_t)q;
    return b == 0 ? 0 : y;
}

/* The sign of a. */
CTM int32_t ctm_fmod_i32(int32_t a, int32_t b)
{
    int32_t r = ctm_sub_i32(a, ctm_mul_i32(ctm_trunc_divide_i32(a, b), b));
    return b == 0 ? 0 : r;
}

/* Python's % and //: the sign of b, rounded down. */
CTM int32_t ctm_remainder_i32(int32_t a, int32_t b)
{
    int32_t r = ctm_fmod_i32(a, b);
    return ((r != 0) & ((r < 0) != (b < 0))) ? ctm_add_i32(r, b) : r;
}

CTM int32_t ctm_floor_divide_i32(int32_t a, int32_t b)
{
    int32_t q = ctm_trunc_divide_i32(a, b);
    int32_t r = ctm_sub_i32(a, ctm_mul_i32(q, b));
    return ctm_sub_i32(q, (b != 0) & (r != 0) & ((r < 0) != (b < 0)));
}

CTM int32_t ctm_pow_i32(int32_t a, int32_t b)
{
    return (int32_t)ctm_power_i64(a, b);
}

CTM int32_t ctm_gcd_i32(int32_t a, int32_t b)
{
    return (int32_t)ctm_common_u64((uint32_t)ctm_abs_i32(a), (uint32_t)ctm_abs_i32(b));
}

CTM int32_t ctm_lcm_i32(int32_t a, int32_t b)
{
    return ctm_abs_i32(ctm_mul_i32(ctm_trunc_divide_i32(a, ctm_gcd_i32(a, b)), b));
}

CTM int32_t ctm_bitwise_left_shift_i32(int32_t a, int32_t b)
{
    uint32_t shifted = (uint32_t)a << (b & 31);
    return (uint32_t)b < 32u ? (int32_t)shifted : 0;
}

CTM int32_t ctm_bitwise_right_shift_i32(int32_t a, int32_t b)
{
    return a >> ((uint32_t)b < 32u ? b : 31);
}

CTM int64_t ctm_add_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

CTM int64_t ctm_sub_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

CTM int64_t ctm_mul_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

CTM int64_t ctm_neg_i64(int64_t a)
{
    return (int64_t)(0u - (uint64_t)a);
}

CTM int64_t ctm_abs_i64(int64_t a)
{
    return a < 0 ? ctm_neg_i64(a) : a;
}

CTM int64_t ctm_sign_i64(int64_t a)
{
    return (a > 0) - (a < 0);
}

CTM int64_t ctm_trunc_divide_i64(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    return b == -1 ? ctm_neg_i64(a) : a / b;
}

/* The sign of a. */
CTM int64_t ctm_fmod_i64(int64_t a, int64_t b)
{
    int64_t r = ctm_sub_i64(a, ctm_mul_i64(ctm_trunc_divide_i64(a, b), b));
    return b == 0 ? 0 : r;
}

/* Python's % and //: the sign of b, rounded down. */
CTM int64_t ctm_remainder_i64(int64_t a, int64_t b)
{
    int64_t r = ctm_fmod_i64(a, b);
    return ((r != 0) & ((r < 0) != (b < 0))) ? ctm_add_i64(r, b) : r;
}

CTM int64_t ctm_floor_divide_i64(int64_t a, int64_t b)
{
    int64_t q = ctm_trunc_divide_i64(a, b);
    int64_t r = ctm_sub_i64(a, ctm_mul_i64(q, b));
    return ctm_sub_i64(q, (b != 0) & (r != 0) & ((r < 0) != (b < 0)));
}

CTM int64_t ctm_pow_i64(int64_t a, int64_t b)
{
    return ctm_power_i64(a, b);
}

CTM int64_t ctm_gcd_i64(int64_t a, int64_t b)
{
    return (int64_t)ctm_common_u64((uint64_t)ctm_abs_i64(a), (uint64_t)ctm_abs_i64(b));
}

CTM int64_t ctm_lcm_i64(int64_t a, int64_t b)
{
    return ctm_abs_i64(ctm_mul_i64(ctm_trunc_divide_i64(a, ctm_gcd_i64(a, b)), b));
}

CTM int64_t ctm_bitwise_left_shift_i64(int64_t a, int64_t b)
{
    uint64_t shifted = (uint64_t)a << (b & 63);
    return (uint64_t)b < 64u ? (int64_t)shifted : 0;
}

CTM int64_t ctm_bitwise_right_shift_i64(int64_t a, int64_t b)
{
    return a >> ((uint64_t)b < 64u ? b : 63);
}

CTM uint32_t ctm_add_u32(uint32_t a, uint32_t b)
{
    return a + b;
}

CTM uint32_t ctm_sub_u32(uint32_t a, uint32_t b)
{
    return a - b;
}

CTM uint32_t ctm_mul_u32(uint32_t a, uint32_t b)
{
    return a * b;
}

CTM uint32_t ctm_neg_u32(uint32_t a)
{
    return 0u - a;
}

CTM uint32_t ctm_abs_u32(uint32_t a)
{
    return a;
}

CTM uint32_t ctm_sign_u32(uint32_t a)
{
    return a > 0;
}

CTM uint32_t ctm_trunc_divide_u32(uint32_t a, uint32_t b)
{
    double q = (double)a / (double)(b == 0 ? 1u : b);
    return b == 0 ? 0u : (uint32_t)(int64_t)q;
}

CTM uint32_t ctm_fmod_u32(uint32_t a, uint32_t b)
{
    uint32_t r = ctm_sub_u32(a, ctm_mul_u32(ctm_trunc_divide_u32(a, b), b));
    return b == 0 ? 0 : r;
}

CTM uint32_t ctm_remainder_u32(uint32_t a, uint32_t b)
{
    return ctm_fmod_u32(a, b);
}

CTM uint32_t ctm_floor_divide_u32(uint32_t a, uint32_t b)
{
    return ctm_trunc_divide_u32(a, b);
}

CTM uint32_t ctm_pow_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)ctm_power_u64(a, b);
}

CTM uint32_t ctm_gcd_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)ctm_common_u64(a, b);
}

CTM uint32_t ctm_lcm_u32(uint32_t a, uint32_t b)
{
    return ctm_mul_u32(ctm_trunc_divide_u32(a, ctm_gcd_u32(a, b)), b);
}

CTM uint32_t ctm_bitwise_left_shift_u32(uint32_t a, uint32_t b)
{
    uint32_t shifted = a << (b & 31u);
    return b < 32u ? shifted : 0u;
}

CTM uint32_t ctm_bitwise_right_shift_u32(uint32_t a, uint32_t b)
{
    uint32_t shifted = a >> (b & 31u);
    return b < 32u ? shifted : 0u;
}

CTM uint64_t ctm_add_u64(uint64_t a, uint64_t b)
{
    return a + b;
}

CTM uint64_t ctm_sub_u64(uint64_t a, uint64_t b)
{
    return a - b;
}

CTM uint64_t ctm_mul_u64(uint64_t a, uint64_t b)
{
    return a * b;
}

CTM uint64_t ctm_neg_u64(uint64_t a)
{
    return 0u - a;
}

CTM uint64_t ctm_abs_u64(uint64_t a)
{
    return a;
}

CTM uint64_t ctm_sign_u64(uint64_t a)
{
    return a > 0;
}

CTM uint64_t ctm_trunc_divide_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a / b;
}

CTM uint64_t ctm_fmod_u64(uint64_t a, uint64_t b)
{
    uint64_t r = ctm_sub_u64(a, ctm_mul_u64(ctm_trunc_divide_u64(a, b), b));
    return b == 0 ? 0 : r;
}

CTM uint64_t ctm_remainder_u64(uint64_t a, uint64_t b)
{
    return ctm_fmod_u64(a, b);
}

CTM uint64_t ctm_floor_divide_u64(uint64_t a, uint64_t b)
{
    return ctm_trunc_divide_u64(a, b);
}

CTM uint64_t ctm_pow_u64(uint64_t a, uint64_t b)
{
    return ctm_power_u64(a, b);
}

CTM uint64_t ctm_gcd_u64(uint64_t a, uint64_t b)
{
    return ctm_common_u64(a, b);
}

CTM uint64_t ctm_lcm_u64(uint64_t a, uint64_t b)
{
    return ctm_mul_u64(ctm_trunc_divide_u64(a, ctm_gcd_u64(a, b)), b);
}

CTM uint64_t ctm_bitwise_left_shift_u64(uint64_t a, uint64_t b)
{
    uint64_t shifted = a << (b & 63u);
    return b < 64u ? shifted : 0u;
}

CTM uint64_t ctm_bitwise_right_shift_u64(uint64_t a, uint64_t b)
{
    uint64_t shifted = a >> (b & 63u);
    return b < 64u ? shifted : 0u;
}

/* A word of a type that fits int32, through int32's. */
#define CTM_NARROW_WORD1(word, t, T)                                                               \
    CTM T ctm_##word##_##t(T a)                                                                    \
    {                                                                                              \
        return (T)ctm_##word##_i32(a);                                                             \
    }
#define CTM_NARROW_WORD2(word, t, T)                                                               \
    CTM T ctm_##word##_##t(T a, T b)                                                               \
    {                                                                                              \
        return (T)ctm_##word##_i32(a, b);                                                          \
    }
#define CTM_NARROW_WORDS(t, T)                                                                     \
    CTM_NARROW_WORD2(add, t, T)                                                                    \
    CTM_NARROW_WORD2(sub, t, T)                                                                    \
    CTM_NARROW_WORD2(mul, t, T)                                                                    \
    CTM_NARROW_WORD1(neg, t, T)                                                                    \
    CTM_NARROW_WORD1(abs, t, T)                                                                    \
    CTM_NARROW_WORD1(sign, t, T)                                                                   \
    CTM_NARROW_WORD2(trunc_divide, t, T)                                                           \
    CTM_NARROW_WORD2(floor_divide, t, T)                                                           \
    CTM_NARROW_WORD2(fmod, t, T)                                                                   \
    CTM_NARROW_WORD2(remainder, t, T)                                                              \
    CTM_NARROW_WORD2(pow, t, T)                                                                    \
    CTM_NARROW_WORD2(gcd, t, T)                                                                    \
    CTM_NARROW_WORD2(lcm, t, T)                                                                    \
    CTM_NARROW_WORD2(bitwise_left_shift, t, T)                                                     \
    CTM_NARROW_WORD2(bitwise_right_shift, t, T)

CTM_NARROW_WORDS(i8, int8_t)
CTM_NARROW_WORDS(i16, int16_t)
CTM_NARROW_WORDS(u8, uint8_t)
CTM_NARROW_WORDS(u16, uint16_t)

/* Words that read the same in every type. */
#define CTM_INTEGER_ORDER(t, T)                                                                    \
    CTM T ctm_maximum_##t(T a, T b)                                                                \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    CTM T ctm_minimum_##t(T a, T b)                                                                \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    CTM T ctm_square_##t(T a)                                                                      \
    {                                                                                              \
        return ctm_mul_##t(a, a);                                                                  \
    }

CTM_INTEGER_ORDER(i8, int8_t)
CTM_INTEGER_ORDER(i16, int16_t)
CTM_INTEGER_ORDER(i32, int32_t)
CTM_INTEGER_ORDER(i64, int64_t)
CTM_INTEGER_ORDER(u8, uint8_t)
CTM_INTEGER_ORDER(u16, uint16_t)
CTM_INTEGER_ORDER(u32, uint32_t)
CTM_INTEGER_ORDER(u64, uint64_t)

#endif
