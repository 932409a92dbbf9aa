/* SPDX-License-Identifier: BSD-3-Clause */
/* Division by a number that is known on the host, as a multiplication and a shift (T. Granlund and
 * P. Montgomery, Division by invariant integers using multiplication, 1994). For launchers and
 * kernels; dividends are below 2^31. */
#ifndef CORTEN_CUDA_COMMON_DIVISOR_H
#define CORTEN_CUDA_COMMON_DIVISOR_H

#include <stdint.h>

struct cti_divisor {
    uint32_t size, mul, shift, unused;
};

#ifdef __cplusplus
static __device__ __forceinline__ unsigned divide(unsigned n, const cti_divisor &d)
{
    return (__umulhi(n, d.mul) + n) >> d.shift;
}
#else
/* Requires 0 < d < 2^31. Other divisors give a zeroed struct, for kernels that do not use it. */
static inline struct cti_divisor cti_divisor_of(int64_t d)
{
    struct cti_divisor v = {0};
    if (d <= 0 || d > INT32_MAX)
        return v;
    while ((int64_t)1 << v.shift < d)
        v.shift++;
    v.size = (uint32_t)d;
    v.mul = (uint32_t)(((((uint64_t)1 << v.shift) - v.size) << 32) / v.size + 1);
    return v;
}
#endif

#endif
