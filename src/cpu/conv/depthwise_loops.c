/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of depthwise.h for one instruction set, in float32 and float64. */
#include "cpu/conv/depthwise.h"

#include <stddef.h>
#include <string.h>

#if defined(CT_ISA_AVX512) || defined(CT_ISA_AVX2)
#define FUSED(name) __builtin_fma##name(a, b, sum)
#else
#define FUSED(name) (sum + a * b)
#endif

static inline float madd_f32(float sum, float a, float b)
{
    return FUSED(f);
}

static inline double madd_f64(double sum, double a, double b)
{
    return FUSED();
}

/* The range [*first, *end) of `count` outputs whose tap at `shift` is inside an image of `size`. */
static inline void valid_range(int64_t count, int64_t stride, int64_t shift, int64_t size,
                               int64_t *first, int64_t *end)
{
    *first = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
    *end = shift >= size ? 0 : (size - 1 - shift) / stride + 1;
    *end = *end < count ? *end : count;
    *first = *first < *end ? *first : *end;
}

#define T float
#define NAME(name) name##_f32
#include "cpu/conv/depthwise_typed.h"

#define T double
#define NAME(name) name##_f64
#include "cpu/conv/depthwise_typed.h"

const struct cti_depthwise_types CTI_ISA_NAME(cti_depthwise) = {
    .f32 = {forward_f32, input_f32, weight_f32},
    .f64 = {forward_f64, input_f64, weight_f64},
};
