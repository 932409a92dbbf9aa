/* SPDX-License-Identifier: BSD-3-Clause */
/* The gamma function's derivatives: digamma, polygamma, Hurwitz' zeta, and the multivariate ones.
 *
 * Asymptotic series after the recurrence has carried the argument far enough (DLMF 5.11, 25.11).
 * Called, not inlined; float32 computes in double. Called by the generated loops. */
#ifndef CORTEN_MATH_GAMMA_H
#define CORTEN_MATH_GAMMA_H

#include "basic.h"
#include "exp.h"
#include "log.h"
#include "special.h"
#include "types.h"

/* psi(x) for x >= 10; relative error 2^-53. */
CTM double ctm_digamma_far_f64(double x)
{
    double z = 1.0 / (x * x);
    double p = ctm_fma_f64(1.0 / 12.0, z, -691.0 / 32760.0);
    p = ctm_fma_f64(p, z, 1.0 / 132.0);
    p = ctm_fma_f64(p, z, -1.0 / 240.0);
    p = ctm_fma_f64(p, z, 1.0 / 252.0);
    p = ctm_fma_f64(p, z, -1.0 / 120.0);
    p = ctm_fma_f64(p, z, 1.0 / 12.0);
    return ctm_log_f64(x) - 0.5 / x - p * z;
}

CTM double ctm_digamma_right_f64(double x)
{
    double less = 0.0;
    for (; x < 10.0; x += 1.0)
        less += 1.0 / x;
    return ctm_digamma_far_f64(x) - less;
}

/* psi(x). Error below 8 ULP, but 2^-51 near the zero at 1.46 and the ones below 0. Infinite at 0
 * with the other sign, NaN at the other poles. */
CTM_CALLED double ctm_digamma_f64(double x)
{
    if (x == 0.0)
        return ctm_copysign_f64(CTM_INF_F64, -x);
    if (x >= 0.0)
        return x == CTM_INF_F64 ? x : ctm_digamma_right_f64(x);
    double part = x - ctm_trunc_f64(x);
    if (!(part != 0.0)) /* a whole number, -inf or NaN */
        return CTM_NAN_F64;
    double pi = 0x1.921fb54442d18p1;
    return ctm_digamma_right_f64(1.0 - x) - pi / tan(pi * part);
}

CTM float ctm_digamma_f32(float x)
{
    return (float)ctm_digamma_f64((double)x);
}

/* B(2k) / (2k)! */
static const double ctm_bernoulli[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15, -0x1.bbd779334ef0bp-21,
    0x1.66a8f2bf70ebep-26, -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37, -0x1.7da4e1f79955cp-42,
    0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58, -0x1.497d9033a2b5cp-63,
};

/* The sum of (q + k)^-s over k >= 0: nine terms at least and until q + k > 9, then Euler and
 * Maclaurin. Error below 8 ULP. Poles and what has no value are as in PyTorch. */
CTM_CALLED double ctm_zeta_f64(double s, double q)
{
    if (s == 1.0)
        return CTM_INF_F64;
    if (s < 1.0)
        return CTM_NAN_F64;
    if (q <= 0.0) {
        if (q == ctm_floor_f64(q))
            return CTM_INF_F64;
        if (s != ctm_floor_f64(s))
            return CTM_NAN_F64;
    }
    double sum = pow(q, -s), w = q, term = 0.0;
    for (int k = 0; k < 9 || w <= 9.0; k++) {
        w += 1.0;
        term = pow(w, -s);
        sum += term;
        if (ctm_abs_f64(term) <= 0x1p-54 * ctm_abs_f64(sum))
            return sum;
    }
    sum += term * w / (s - 1.0) - 0.5 * term;
    double rising = s; /* s (s + 1) ... over w w ... */
    term /= w;
    for (int k = 0; k < (int)(sizeof ctm_bernoulli / sizeof *ctm_bernoulli); k++) {
        double t = rising * term * ctm_bernoulli[k];
        sum += t;
        if (ctm_abs_f64(t) <= 0x1p-54 * ctm_abs_f64(sum))
            break;
        rising *= (s + 2 * k + 1) * (s + 2 * k + 2);
        term /= w * w;
    }
    return sum;
}

CTM float ctm_zeta_f32(float s, float q)
{
    return (float)ctm_zeta_f64((double)s, (double)q);
}

/* The n-th derivative of psi, n a whole number not below 0. */
CTM_CALLED double ctm_polygamma_f64(double n, double x)
{
    if (n == 0.0)
        return ctm_digamma_f64(x);
    bool pole = (x <= 0.0) & (x == ctm_floor_f64(x)) & (x > -CTM_INF_F64);
    if (n == 1.0 && x < 0.5 && !pole) { /* by the reflection, which needs no sum up to x */
        double pi = 0x1.921fb54442d18p1, ratio = pi / sin(pi * x);
        return ratio * ratio - ctm_zeta_f64(2.0, 1.0 - x);
    }
    double size = tgamma(n + 1.0) * ctm_zeta_f64(n + 1.0, x);
    return ctm_round_f64(0.5 * n) == 0.5 * n ? -size : size;
}

CTM float ctm_polygamma_f32(float n, float x)
{
    return (float)ctm_polygamma_f64((double)n, (double)x);
}

/* The logarithm of the multivariate gamma function of p dims, and its n-th derivative after the
 * first: the words of one dim at x, x - 1/2, ... */
CTM_CALLED double ctm_mvlgamma_f64(double x, double p)
{
    double sum = 0.0;
    for (double k = 0.0; k < p; k += 1.0)
        sum += ctm_lgamma_f64(x - 0.5 * k);
    return sum + p * (p - 1.0) * 0x1.250d048e7a1bdp-2; /* log(pi) / 4 */
}

CTM float ctm_mvlgamma_f32(float x, float p)
{
    return (float)ctm_mvlgamma_f64((double)x, (double)p);
}

CTM_CALLED double ctm_mvpolygamma_f64(double n, double x, double p)
{
    double sum = 0.0;
    for (double k = 0.0; k < p; k += 1.0)
        sum += ctm_polygamma_f64(n, x - 0.5 * k);
    return sum;
}

CTM float ctm_mvpolygamma_f32(float n, float x, float p)
{
    return (float)ctm_mvpolygamma_f64((double)n, (double)x, (double)p);
}

#endif
