/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills with a pattern, compiled once per instruction set for the width of its stores.
 * cti_cpu_spread (pack.h) is the only caller. */
#include "cpu/isa.h"

#include <stdint.h>
#include <string.h>

/* n bytes at dst, which is aligned to the pattern's period; the pattern is 64 bytes long. */
void CTI_ISA_NAME(cti_simd_fill)(char *dst, const char *pattern, int64_t n)
{
    int64_t i = 0, head = -(int64_t)(uintptr_t)dst & 63;
    head = head < n ? head : n;
    memcpy(dst, pattern, (size_t)head);
    for (i = head; i + 64 <= n; i += 64)
        memcpy(dst + i, pattern, 64);
    memcpy(dst + i, pattern, (size_t)(n - i));
}
