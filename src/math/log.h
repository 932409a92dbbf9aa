/* SPDX-License-Identifier: BSD-3-Clause */
/* Logarithms and what is made of them: log, log2, log10, log1p, logaddexp, pow, asinh, acosh,
 * atanh.
 *
 * x = 2^e (1 + f) with f near 0. float32 log uses a polynomial in f (Sollya's fpminimax) and keeps
 * e ln2 + f as a pair. The others use 2 atanh(s), s = f / (2 + f), as fdlibm does; float32 words
 * but log compute in double, which makes them short and nearly correctly rounded. Branch-free
 * except where a comment says libm; called by the generated loops. */
#ifndef CORTEN_MATH_LOG_H
#define CORTEN_MATH_LOG_H

#include "types.h"

/* Natural logarithm; 2/3 <= 1 + f < 4/3. Error below 0.6 ULP. */
CTM float ctm_log_f32(float x)
{
    float scaled = x < 0x1p-126f ? x * 0x1p23f : x;
    float e_bias = x < 0x1p-126f ? -23.0f : 0.0f;
    uint32_t bits = ctm_bits_f32(scaled);
    uint32_t above = bits - 0x3f2aaaabu;
    float e = (float)((int32_t)above >> 23) + e_bias;
    float f = ctm_f32_of_bits(bits - (above & 0xff800000u)) - 1.0f;
    float p = ctm_fma_f32(0x1.e8550cp-4f, f, -0x1.071854p-3f);
    p = ctm_fma_f32(p, f, 0x1.b97f28p-4f);
    p = ctm_fma_f32(p, f, -0x1.f38694p-4f);
    p = ctm_fma_f32(p, f, 0x1.24e784p-3f);
    p = ctm_fma_f32(p, f, -0x1.559928p-3f);
    p = ctm_fma_f32(p, f, 0x1.999808p-3f);
    p = ctm_fma_f32(p, f, -0x1.ffff0ep-3f);
    p = ctm_fma_f32(p, f, 0x1.555556p-2f);
    p = ctm_fma_f32(p, f, -0.5f);
    float high = e * 0x1.62e4p-1f; /* exact */
    float s = high + f;
    float t = f - (s - high);
    float y = s + ctm_fma_f32(f * f, p, ctm_fma_f32(e, 0x1.7f7d1cp-20f, t));
    y = x < CTM_INF_F32 ? y : x;
    y = x < 0.0f ? CTM_NAN_F32 : y;
    return x == 0.0f ? -CTM_INF_F32 : y;
}

/* x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2). */
typedef struct {
    double e, f;
} ctm_logred_f64;

/* Needs a positive, finite, normal x. */
CTM ctm_logred_f64 ctm_log_reduce_f64(double x)
{
    ctm_logred_f64 r;
    uint64_t bits = ctm_bits_f64(x);
    uint64_t e_biased = (bits + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu)) >> 52;
    r.e = ctm_f64_of_bits(e_biased | 0x4330000000000000u) - (0x1p52 + 1023.0);
    r.f = ctm_f64_of_bits(bits - (e_biased << 52) + 0x3ff0000000000000u) - 1.0;
    return r;
}

/* log(1 + f) + e ln2 to 0.9 ULP, as fdlibm's e_log.c. */
CTM double ctm_log_finish_f64(double e, double f, double f_low)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double p = ctm_fma_f64(0x1.2b5d0cf2ad28fp-3, z, 0x1.39fdfad2b2ddcp-3);
    p = ctm_fma_f64(p, z, 0x1.7462b7c2edf37p-3);
    p = ctm_fma_f64(p, z, 0x1.c71c62dafe998p-3);
    p = ctm_fma_f64(p, z, 0x1.2492492df8286p-2);
    p = ctm_fma_f64(p, z, 0x1.99999999952d3p-2);
    p = ctm_fma_f64(p, z, 0x1.5555555555558p-1);
    double half = 0.5 * f * f;
    double tail = ctm_fma_f64(s, half + p * z, ctm_fma_f64(e, 0x1.a39ef35793c76p-33, f_low));
    double high = e * 0x1.62e42feep-1; /* exact */
    double t = high + f;
    double t_low = f - (t - high);
    return t + (t_low + (tail - half));
}

/* What log gives where its argument is not positive and finite. */
CTM double ctm_log_special_f64(double x, double y)
{
    y = x < CTM_INF_F64 ? y : x;
    y = x < 0.0 ? CTM_NAN_F64 : y;
    return x == 0.0 ? -CTM_INF_F64 : y;
}

/* Natural logarithm. Error below 0.9 ULP. */
CTM double ctm_log_f64(double x)
{
    double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
    double e_bias = x < 0x1p-1022 ? -54.0 : 0.0;
    ctm_logred_f64 r = ctm_log_reduce_f64(scaled);
    return ctm_log_special_f64(x, ctm_log_finish_f64(r.e + e_bias, r.f, 0.0));
}

#endif
