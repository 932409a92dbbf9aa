/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of sizes, int64 throughout, as loops, tiles and kernel launches everywhere need it.
 * Sums and products that saturate instead of overflowing are in core/shape.h. */
#ifndef CORTEN_CORE_SMALL_H
#define CORTEN_CORE_SMALL_H

#include <stdint.h>

static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* a / b rounded up, for a >= 0 and b > 0. The usual (a + b - 1) / b would overflow for an `a` near
 * the end of int64. */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

/* The least multiple of `step` that is not below x, for x >= 0. */
static inline int64_t round_up(int64_t x, int64_t step)
{
    return (x + step - 1) / step * step;
}

#endif
