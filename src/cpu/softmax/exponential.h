/* SPDX-License-Identifier: BSD-3-Clause */
/* e^c times 2^24 (2^54 in float64) for c <= 0, for sums of exponentials. The result is exactly 0 if
 * e^c is below half the smallest denormal: ctm_exp_scaled would return a denormal for masked-out
 * entries, and multiplying by denormals is up to a hundred times as slow on some processors. Used
 * by the loops of softmax and attention. */
#ifndef CORTEN_CPU_EXPONENTIAL_H
#define CORTEN_CPU_EXPONENTIAL_H

#include "math/math.h"

static inline float cti_exponential_f32(float c)
{
    float y = ctm_exp_scaled_f32(c);
    return c < -0x1.9fe368p6f ? 0.0f : y; /* 150 log 2 */
}

static inline double cti_exponential_f64(double c)
{
    double y = ctm_exp_scaled_f64(c);
    return c < -0x1.74910d52d3052p9 ? 0.0 : y; /* 1075 log 2 */
}

#endif
