/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer functions: arithmetic that wraps, the four divisions, powers, gcd and lcm, shifts.
 *
 * Every function is defined for all operands: sums wrap, INT_MIN / -1 wraps, a division by zero
 * gives 0 (the loops report the error), and a shift by a count that is negative or too large gives
 * the result of shifting by one bit that many times. 8 and 16 bit types compute in int32, which
 * their results fit. */
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

/* A negative power is 0, as in PyTorch, except for the bases 1 and -1. */
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

/* The double quotient of two 32-bit integers is exact or far enough from the next integer for
 * truncation to be exact. Unlike idiv, it vectorises. */
CTM int32_t ctm_trunc_divide_i32(int32_t a, int32_t b)
{
    double q = (double)a / (double)(((b == 0) | (b == -1)) ? 1 : b);
    int32_t y = b == -1 ? (int32_t)(0u - (uint32_t)a) : (int32_t)q;
    return b == 0 ? 0 : y;
}

CTM uint32_t ctm_trunc_divide_u32(uint32_t a, uint32_t b)
{
    double q = (double)a / (double)(b == 0 ? 1u : b);
    return b == 0 ? 0u : (uint32_t)(int64_t)q;
}

CTM int64_t ctm_trunc_divide_i64(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    return b == -1 ? (int64_t)(0u - (uint64_t)a) : a / b;
}

CTM uint64_t ctm_trunc_divide_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a / b;
}

#define INT int32_t
#define UINT uint32_t
#define BITS 32
#define OF(name) ctm_##name##_i32
#define OF_QUOTIENT(name) OF(name)
#include "integer_signed.h"

#define INT int64_t
#define UINT uint64_t
#define BITS 64
#define OF(name) ctm_##name##_i64
#define OF_QUOTIENT(name) ctm_##name##_wide_i64
#include "integer_signed.h"

/* If both fit int32 (and a is not INT32_MIN, whose quotient by -1 does not fit), division is that
 * of int32, which vectorises. The _wide functions are valid for all operands. */
CTM bool ctm_narrow_quotient_i64(int64_t a, int64_t b)
{
    return (a > -0x80000000ll) & (a < 0x80000000ll) & (b >= -0x80000000ll) & (b < 0x80000000ll);
}

CTM int64_t ctm_fmod_i64(int64_t a, int64_t b)
{
    return ctm_fmod_i32((int32_t)a, (int32_t)b);
}

CTM int64_t ctm_remainder_i64(int64_t a, int64_t b)
{
    return ctm_remainder_i32((int32_t)a, (int32_t)b);
}

CTM int64_t ctm_floor_divide_i64(int64_t a, int64_t b)
{
    return ctm_floor_divide_i32((int32_t)a, (int32_t)b);
}

#define UINT uint32_t
#define BITS 32
#define OF(name) ctm_##name##_u32
#include "integer_unsigned.h"

#define UINT uint64_t
#define BITS 64
#define OF(name) ctm_##name##_u64
#include "integer_unsigned.h"

#define INT int8_t
#define UINT uint8_t
#define OF(name) ctm_##name##_i8
#include "integer_narrow.h"

#define INT int16_t
#define UINT uint16_t
#define OF(name) ctm_##name##_i16
#include "integer_narrow.h"

#define INT uint8_t
#define UINT uint8_t
#define OF(name) ctm_##name##_u8
#include "integer_narrow.h"

#define INT uint16_t
#define UINT uint16_t
#define OF(name) ctm_##name##_u16
#include "integer_narrow.h"

#endif
