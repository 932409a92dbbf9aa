/* SPDX-License-Identifier: BSD-3-Clause */
/* Small integer functions for sizes, in int64, for loops, tiles and kernel launches. The saturating
 * ones are in core/shape.h. */
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

/* x rounded up to a multiple of step, for x >= 0. */
static inline int64_t round_up(int64_t x, int64_t step)
{
    return (x + step - 1) / step * step;
}

#endif
