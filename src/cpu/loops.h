/* SPDX-License-Identifier: BSD-3-Clause */
/* What generated loops look like (see Note [Loops] in tools/emit_loops.py), and how the pointwise
 * driver finds the best one for the machine. Loop files are compiled once per instruction set, with
 * CT_ISA naming it. */
#ifndef CORTEN_CPU_LOOPS_H
#define CORTEN_CPU_LOOPS_H

#include "corten/base.h"
#include "rows.h"

/* p[0]: result, p[1...]: operands, all contiguous but those whose bit is set in `scalars` (bit 0 is
 * p[1]). */
typedef void cti_loop(char *const p[], unsigned scalars, int64_t n);
typedef void cti_cast_loop(char *to, const char *from, int64_t n);

#define CT_PASTE3_(a, b, c) a##b##_##c
#define CT_PASTE3(a, b, c) CT_PASTE3_(a, b, c)
#define CT_LOOP(name) CT_PASTE3(cti_loop_, CT_ISA, name)

/* Result and operand may be one memory, element for element; they never overlap otherwise. */
#if defined(__clang__)
#define CT_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define CT_IVDEP _Pragma("GCC ivdep")
#endif

cti_loop *cti_cpu_find_loop(uint16_t row, enum ct_dtype dtype); /* NULL: the row has no such type */
cti_cast_loop *cti_cpu_find_cast(enum ct_dtype to, enum ct_dtype from); /* NULL: the same type */

#endif
