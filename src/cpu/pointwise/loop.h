/* SPDX-License-Identifier: BSD-3-Clause */
/* The types and macros of generated loops (see Note [Loops] in tools/emit_loops.py). Loop files
 * include nothing that depends on the list of operations, so that a new operation compiles only its
 * own loops. They are compiled once for each instruction set, with CT_ISA naming it. */
#ifndef CORTEN_CPU_LOOP_H
#define CORTEN_CPU_LOOP_H

#include "cpu/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* p[0] is the result, p[1...] are the operands. All are contiguous, but operands whose bit is set
 * in `scalars` (bit 0 is p[1]) are single numbers. */
typedef void cti_loop(char *const p[], unsigned scalars, int64_t n);
typedef void cti_cast_loop(char *to, const char *from, int64_t n);

#define CT_PASTE3_(a, b, c) a##b##_##c
#define CT_PASTE3(a, b, c) CT_PASTE3_(a, b, c)
#define CT_LOOP(name) CTI_ISA_NAME(cti_loop_##name)

/* Which types are compiled for which instruction set: floats for all; integers and complex numbers
 * up to AVX2; halves where the processor converts them (elsewhere they are cast block by block,
 * because conversion in registers would be long and no faster). Complex loops for AVX2 are a
 * separate compilation without FMA: gcc 12 contracts their products even with -ffp-contract=off, in
 * the vector body of a loop but not in its tail. */
#if defined(CT_COMPLEX_PASS)
#define CT_HAS_FLOATS 0
#define CT_HAS_HALVES 0
#define CT_HAS_WHOLES 0
#define CT_HAS_COMPLEX 1
#elif defined(CT_ISA_AVX512)
#define CT_HAS_FLOATS 1
#define CT_HAS_HALVES 1
#define CT_HAS_WHOLES 0
#define CT_HAS_COMPLEX 0
#else
#define CT_HAS_FLOATS 1
#if defined(CT_ISA_AVX2) || !defined(__x86_64__)
#define CT_HAS_HALVES 1
#else
#define CT_HAS_HALVES 0
#endif
#define CT_HAS_WHOLES 1
#if defined(CT_TABLE) || !defined(CT_ISA_AVX2)
#define CT_HAS_COMPLEX 1
#else
#define CT_HAS_COMPLEX 0
#endif
#endif

/* Tells the compiler that iterations are independent: the result and an operand either are exactly
 * the same memory, or do not overlap. */
#if defined(__clang__)
#define CT_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define CT_IVDEP _Pragma("GCC ivdep")
#endif

/* The same, and keeps the tail after the last vector a loop, which gcc would otherwise unroll up to
 * 16 times. */
#if defined(__clang__)
#define CT_ALONG CT_IVDEP
#else
#define CT_ALONG CT_IVDEP _Pragma("GCC unroll 1")
#endif

#endif
