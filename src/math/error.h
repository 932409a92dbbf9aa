/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal distribution and its kin: erfcx, log_ndtr, ndtri; entr.
 *
 * erfcx is a sum of Chebyshev polynomials whose coefficients were computed to 45 digits; ndtri uses
 * Wichura's quantile (see special.h). float32 computes in double. Called by the generated loops. */
#ifndef CORTEN_MATH_ERROR_H
#define CORTEN_MATH_ERROR_H

#include "basic.h"
#include "bessel.h"
#include "exp.h"
#include "log.h"
#include "special.h"
#include "types.h"

/* (1 + 2x) e^(x^2) erfc(x) for x >= 0, in (x - 3) / (x + 3). */
static const double ctm_erfcx_sum[] = {
    0x1.2d74bda92af4ep+0,  0x1.5edf9ce74f65ep-8,   -0x1.801abe05df685p-4,  0x1.bd5ede288613bp-5,
    -0x1.36e99d8ff90f7p-6, 0x1.23dc174a04d86p-8,   -0x1.4c2a11331e0e4p-11, 0x1.285081fb7471ep-16,
    0x1.aee3ed67adcfbp-17, -0x1.0d67d92ebb16fp-19, -0x1.84299dc44cfe1p-23, 0x1.44433d928dccap-24,
    0x1.032a101f63366p-29, -0x1.7304e1f9377d0p-29, -0x1.00dc1e28761e4p-36, 0x1.c7b5541debf46p-34,
    0x1.9f608af23def6p-40, -0x1.2cfdb55efc61bp-38, -0x1.d433281a86cb9p-43, 0x1.985a49637781fp-43,
    0x1.638030f9632e2p-46, -0x1.06936a9e2323bp-47, -0x1.b53df2ab9d8b7p-50, 0x1.0f1968e597de2p-52,
    0x1.cd7350f20ad1ap-54,
};

/* e^(x^2) for |x| < 2^26: the square as a sum of two, or its rounding would cost x^2 ULP. */
CTM double ctm_exp_square_f64(double x)
{
    double head = ctm_f64_of_bits(ctm_bits_f64(x) & 0xfffffffff8000000u);
    double tail = (x - head) * (x + head);
    return ctm_exp_f64(head * head) * ctm_exp_f64(tail);
}

/* e^(x^2) erfc(x). Error below 3 ULP. */
CTM_CALLED double ctm_erfcx_f64(double x)
{
    double a = ctm_abs_f64(x);
    double y = CTM_CHEBYSHEV(ctm_erfcx_sum, (a - 3.0) / (a + 3.0)) / (1.0 + 2.0 * a);
    y = a == CTM_INF_F64 ? 0.0 : y;
    if (!(x < 0.0))
        return y;
    return a > 27.0 ? CTM_INF_F64 : 2.0 * ctm_exp_square_f64(a) - y;
}

CTM float ctm_erfcx_f32(float x)
{
    return (float)ctm_erfcx_f64((double)x);
}

/* The logarithm of the normal distribution. Error below 4 ULP, right of 0 below 1 + 2x^2. */
CTM_CALLED double ctm_log_ndtr_f64(double x)
{
    double t = x * 0x1.6a09e667f3bcdp-1;
    if (x < -1.0)
        return ctm_log_f64(0.5 * ctm_erfcx_f64(-t)) - 0.5 * x * x;
    return ctm_log1p_f64(-0.5 * ctm_erfc_f64(t));
}

CTM float ctm_log_ndtr_f32(float x)
{
    return (float)ctm_log_ndtr_f64((double)x);
}

/* The quantile of the normal distribution. Error below 8 ULP. */
CTM_CALLED double ctm_ndtri_f64(double p)
{
    double q = p - 0.5;
    double tail = q < 0.0 ? p : 1.0 - p;
    double r = ctm_sqrt_f64(-ctm_log_f64(tail > 0.0 ? tail : 0.5));
    double far = r <= 5.0 ? ctm_quantile_far_f64(r) : ctm_quantile_end_f64(r);
    double y = ctm_abs_f64(q) <= 0.425 ? ctm_quantile_near_f64(q) : q < 0.0 ? -far : far;
    y = p == 0.0 ? -CTM_INF_F64 : y;
    y = p == 1.0 ? CTM_INF_F64 : y;
    return ((p >= 0.0) & (p <= 1.0)) ? y : CTM_NAN_F64;
}

CTM float ctm_ndtri_f32(float p)
{
    return (float)ctm_ndtri_f64((double)p);
}

/* -x log(x); 0 at 0 and -inf below. Error below 1.5 ULP. */
CTM float ctm_entr_f32(float x)
{
    float y = x > 0.0f ? -x * ctm_log_f32(x) : x == 0.0f ? 0.0f : -CTM_INF_F32;
    return x != x ? x : y;
}

CTM double ctm_entr_f64(double x)
{
    double y = x > 0.0 ? -x * ctm_log_f64(x) : x == 0.0 ? 0.0 : -CTM_INF_F64;
    return x != x ? x : y;
}

#endif
