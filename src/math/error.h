/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions related to the error function and the normal distribution: erfcx, log_ndtr, ndtri,
 * entr.
 *
 * They use the polynomial of erfcx and the quantile in special.h; branch-free. float32 computes in
 * double. Called by the generated loops. */
#ifndef CORTEN_MATH_ERROR_H
#define CORTEN_MATH_ERROR_H

#include "basic.h"
#include "exp.h"
#include "log.h"
#include "special.h"
#include "types.h"

/* e^(x^2) erfc(x). Error below 2 ULP. */
CTM_LONG double ctm_erfcx_f64(double x)
{
    double a = ctm_abs_f64(x), low, y = ctm_erfcx_right_f64(a, &low),
           e = ctm_exp_square_f64(a, 1.0);
    double near = e * ctm_erfc_near_f64(x, a < 0.5 ? a : 0.5);
    double left = a > 27.0 ? CTM_INF_F64 : 2.0 * e - y;
    return a < 0.5 ? near : x < 0.0 ? left : y + low;
}

CTM float ctm_erfcx_f32(float x)
{
    return (float)ctm_erfcx_f64((double)x);
}

/* The logarithm of the normal distribution function. Error below 4 ULP for x <= 0, below 1 + 2x^2
 * ULP for x > 0. */
CTM_LONG double ctm_log_ndtr_f64(double x)
{
    double t = x * 0x1.6a09e667f3bcdp-1, low, y = ctm_erfcx_right_f64(ctm_abs_f64(t), &low);
    double left = ctm_log_f64(0.5 * (y + low)) - 0.5 * x * x;
    double right = ctm_log1p_f64(-0.5 * ctm_erfc_f64(t));
    return x < -1.0 ? left : right;
}

CTM float ctm_log_ndtr_f32(float x)
{
    return (float)ctm_log_ndtr_f64((double)x);
}

/* The quantile of the normal distribution. Error below 8 ULP. */
CTM_LONG double ctm_ndtri_f64(double p)
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
