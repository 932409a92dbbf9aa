/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills memory with a pattern, compiled once for each instruction set. Called by cti_cpu_spread
 * (pack.h). */
#include "cpu/isa.h"

#include <stdint.h>
#include <string.h>

/* Fills n bytes at dst, which is aligned to the period of the 64-byte pattern. */
void CTI_ISA_NAME(cti_simd_fill)(char *dst, const char *pattern, int64_t n)
{
    int64_t i = 0, head = -(int64_t)(uintptr_t)dst & 63;
    head = head < n ? head : n;
    memcpy(dst, pattern, (size_t)head);
    for (i = head; i + 64 <= n; i += 64)
        memcpy(dst + i, pattern, 64);
    memcpy(dst + i, pattern, (size_t)(n - i));
}
