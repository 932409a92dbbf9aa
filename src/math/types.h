/* SPDX-License-Identifier: BSD-3-Clause */
/* The basis of the scalar functions: integer types, complex structs, bit casts, fused multiply-add.
 *
 * All files of src/math include this. The text is valid C11 and CUDA C (also for NVRTC, which has
 * no system headers). Nothing here depends on tensors, errno or the floating-point environment.
 *
 * Note [Vectorising functions]
 * A function is branch-free, so that a plain loop over it becomes vector code. gcc needs
 * -fno-math-errno (square roots) and -fno-trapping-math (selects) for that; both values of a select
 * are always computed. Functions that call libm say so in their comment; loops over them are
 * scalar. */
#ifndef CORTEN_MATH_TYPES_H
#define CORTEN_MATH_TYPES_H

#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#endif

#ifdef __CUDACC__
#define CTM static __device__ __forceinline__
#define CTM_CALLED static __device__ __noinline__
#else
#define CTM static inline __attribute__((always_inline, unused))
/* For functions with many branches and steps: a single copy, which loops call. */
#ifdef __clang__
#define CTM_CALLED static __attribute__((noinline, unused))
#else
#define CTM_CALLED static __attribute__((noinline, noclone, unused))
#endif
#endif

/* For long functions that are not faster when vectorised with SSE2 alone. */
#if defined(__CUDACC__) || defined(__AVX2__) || !defined(__x86_64__)
#define CTM_LONG CTM
#else
#define CTM_LONG CTM_CALLED
#endif

typedef struct {
    float re, im;
} ct_c64;

typedef struct {
    double re, im;
} ct_c128;

#define CTM_INF_F32 ((float)(1e300 * 1e300))
#define CTM_INF_F64 (1e300 * 1e300)
#define CTM_NAN_F32 ctm_f32_of_bits(0x7fc00000u)
#define CTM_NAN_F64 ctm_f64_of_bits(0x7ff8000000000000u)

CTM uint32_t ctm_bits_f32(float x)
{
    union {
        float f;
        uint32_t u;
    } v;
    v.f = x;
    return v.u;
}

CTM float ctm_f32_of_bits(uint32_t x)
{
    union {
        uint32_t u;
        float f;
    } v;
    v.u = x;
    return v.f;
}

CTM uint64_t ctm_bits_f64(double x)
{
    union {
        double f;
        uint64_t u;
    } v;
    v.f = x;
    return v.u;
}

CTM double ctm_f64_of_bits(uint64_t x)
{
    union {
        uint64_t u;
        double f;
    } v;
    v.u = x;
    return v.f;
}

/* a * b + c, with one rounding if the machine has fma (AVX2, CUDA), otherwise with two. */
CTM float ctm_fma_f32(float a, float b, float c)
{
#if defined(__CUDACC__)
    return fmaf(a, b, c);
#elif defined(__FMA__)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

CTM double ctm_fma_f64(double a, double b, double c)
{
#if defined(__CUDACC__)
    return fma(a, b, c);
#elif defined(__FMA__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* a * b + c with an exact product on every machine, for the remainder of a division. Without fma
 * the product of two floats is exact in double. */
CTM float ctm_fma_exact_f32(float a, float b, float c)
{
#if defined(__CUDACC__) || defined(__FMA__)
    return ctm_fma_f32(a, b, c);
#else
    return (float)((double)a * (double)b + (double)c);
#endif
}

/* a * b - p, the rounding error of the product p of a and b. Without fma each number is split into
 * 26 and 27 bits, whose products are exact (Dekker). */
CTM double ctm_product_rest_f64(double a, double b, double p)
{
#if defined(__CUDACC__) || defined(__FMA__)
    return ctm_fma_f64(a, b, -p);
#else
    double c = ctm_f64_of_bits(ctm_bits_f64(a) & 0xfffffffff8000000u), e = a - c;
    double d = ctm_f64_of_bits(ctm_bits_f64(b) & 0xfffffffff8000000u), f = b - d;
    return (((c * d - p) + c * f) + e * d) + e * f;
#endif
}

#ifdef __cplusplus
#define ct_fma(a, b, c) fma(a, b, c)
#else
#define ct_fma(a, b, c)                                                                            \
    _Generic((a) + (b) + (c), float : ctm_fma_f32, double : ctm_fma_f64)((a), (b), (c))
#endif

/* A short loop of a constant number of steps, unrolled so that the loop around it vectorises. */
#if defined(__clang__)
#define CTM_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__CUDACC__)
#define CTM_UNROLL _Pragma("unroll")
#else
#define CTM_UNROLL _Pragma("GCC unroll 64")
#endif

/* c[0] + c[1] x + ... by Horner's rule; n is a constant. */
CTM double ctm_horner_f64(const double *c, int n, double x)
{
    double sum = c[n - 1];
    CTM_UNROLL
    for (int k = n - 2; k >= 0; k--)
        sum = ctm_fma_f64(sum, x, c[k]);
    return sum;
}

#define CTM_HORNER(c, x) ctm_horner_f64(c, (int)(sizeof(c) / sizeof *(c)), x)

/* Adding 1.5 * 2^23 (2^52) rounds a small number to an integer, half to even, and leaves that
 * integer in the low bits of the sum. */
#define CTM_SHIFT_F32 0x1.8p23f
#define CTM_SHIFT_F64 0x1.8p52

/* 2^(n - 127) (float64: 2^(n - 1023)) for a biased exponent 0 < n < 255 (2047). */
CTM float ctm_exp2i_f32(uint32_t biased)
{
    return ctm_f32_of_bits(biased << 23);
}

CTM double ctm_exp2i_f64(uint64_t biased)
{
    return ctm_f64_of_bits(biased << 52);
}

#endif
