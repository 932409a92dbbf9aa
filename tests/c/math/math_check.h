/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for the tests of src/math: a count of failures, random bits, and a check that the
 * processor has the instructions that the test was compiled for. */
#ifndef CORTEN_TESTS_MATH_CHECK_H
#define CORTEN_TESTS_MATH_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int failures;

static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    failures++;
}

/* A small generator (xorshift64*), so that runs are reproducible. */
static inline uint64_t random_bits(void)
{
    static uint64_t s = 0x9e3779b97f4a7c15u;
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    return s * 0x2545f4914f6cdd1du;
}

static bool processor_has_it(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

#endif
