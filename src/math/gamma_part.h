/* SPDX-License-Identifier: BSD-3-Clause */
/* The incomplete gamma functions P(a, x) = igamma and Q(a, x) = igammac = 1 - P.
 *
 * The series of P left of x = a, the continued fraction of Q right of it (DLMF 8.7, 8.9), a series
 * of Q for small a and x, and Temme's uniform expansion for large a (DLMF 8.12), where the others
 * would take sqrt(a) steps. Each is scaled by D = x^a e^-x / Gamma(a + 1), which keeps its digits.
 * Called, not inlined; float32 computes in double. Called by the generated loops. */
#ifndef CORTEN_MATH_GAMMA_PART_H
#define CORTEN_MATH_GAMMA_PART_H

#include "basic.h"
#include "exp.h"
#include "gamma.h"
#include "log.h"
#include "special.h"
#include "types.h"

/* m - log(1 + m), without cancellation near 0. */
CTM double ctm_less_log1p_f64(double m)
{
    if (ctm_abs_f64(m) > 0.1)
        return m - ctm_log1p_f64(m);
    double sum = 0.0, power = m * m;
    for (int k = 2; k < 20; k++) {
        sum += power / k;
        power *= -m;
    }
    return sum;
}

/* Gamma(a + 1) for 0 <= a < 20: the product of what is passed on the way to 2 + y. Error below 12
 * ULP. */
CTM double ctm_factorial_f64(double a)
{
    double passed = 1.0;
    for (; a >= 1.5; a -= 1.0)
        passed *= a;
    double y = a < 0.5 ? a : a - 1.0, under = a < 0.5 ? 1.0 + a : 1.0;
    double p = ctm_fma_f64(CTM_HORNER(ctm_lgamma_near, y), y, 0x1.b0ee6072093cep-2) * y;
    return passed * ctm_exp_f64(p) / under;
}

/* D for finite a > 0 and x > 0. Below a = 20 by its factors, above by Stirling's series. */
CTM double ctm_gamma_scale_f64(double a, double x)
{
    if (a < 20.0) {
        double half = ctm_exp_f64(-0.5 * x);
        return pow(x, a) * half * half / ctm_factorial_f64(a);
    }
    double z = 1.0 / (a * a);
    double p = ctm_fma_f64(-1.0 / 1680.0, z, 1.0 / 1260.0);
    p = ctm_fma_f64(p, z, -1.0 / 360.0);
    p = ctm_fma_f64(p, z, 1.0 / 12.0);
    double m = (x - a) / a;
    double less = m < -0.5 ? x - a - a * ctm_log_f64(x / a) : a * ctm_less_log1p_f64(m);
    less += p / a;
    return ctm_exp_f64(-less) / ctm_sqrt_f64(0x1.921fb54442d18p2 * a); /* 2 pi */
}

CTM double ctm_gamma_series_f64(double a, double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; k < 20000 && term > 0x1p-54 * sum; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return sum * ctm_gamma_scale_f64(a, x);
}

/* The even part of the continued fraction, by its convergents top / bottom. Two of them are
 * compared without a quotient, and all are scaled before they overflow. */
CTM double ctm_gamma_fraction_f64(double a, double x)
{
    double b = x + 1.0 - a, top_last = 0.0, top = 1.0, bottom_last = 1.0, bottom = b;
    for (int k = 1; k < 20000; k++) {
        double n = -k * (k - a);
        b += 2.0;
        double next_top = b * top + n * top_last, next_bottom = b * bottom + n * bottom_last;
        double one = next_top * bottom, other = top * next_bottom;
        top_last = top, top = next_top;
        bottom_last = bottom, bottom = next_bottom;
        if (ctm_abs_f64(one - other) <= 0x1p-53 * ctm_abs_f64(one))
            break;
        if (ctm_abs_f64(bottom) > 0x1p400) {
            top *= 0x1p-400, top_last *= 0x1p-400;
            bottom *= 0x1p-400, bottom_last *= 0x1p-400;
        }
    }
    return top / bottom * a * ctm_gamma_scale_f64(a, x);
}

/* log Gamma(1 + a) for 0 <= a < 1/4 keeps its digits as a sum of powers. */
static const double ctm_lgamma1p_sum[] = {
    -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab2d7p-2, 0x1.151322ac7d848p-2,
    -0x1.a8b9c17aa6149p-3, 0x1.5b40cb100c306p-3, -0x1.2703a1dcea3aep-3, 0x1.010b36af86397p-3,
    -0x1.c806706d57db4p-4, 0x1.9a01e385d5f8fp-4, -0x1.748c33114c6d6p-4, 0x1.556ad63243bc4p-4,
    -0x1.3b1d971fc5985p-4, 0x1.2496df8320c5fp-4, -0x1.11133476e7fe0p-4, 0x1.00010064cdeb2p-4,
    -0x1.e1e2d311e8abdp-5, 0x1.c71ce3a20b419p-5, -0x1.af28a1b5688a0p-5, 0x1.9999b3352d5bap-5,
    -0x1.86186db77bfbfp-5, 0x1.745d1d1778df9p-5, -0x1.642c88591b66dp-5, 0x1.555556aaafdcdp-5,
    -0x1.47ae151eb9fb7p-5, 0x1.3b13b189d925ep-5, -0x1.2f684c00002bcp-5, 0x1.24924936db7bcp-5,
    -0x1.1a7b961a7b9aap-5,
};

CTM double ctm_lgamma1p_f64(double a)
{
    if (a >= 0.25)
        return ctm_lgamma_f64(1.0 + a);
    double p = 0.0;
    for (int k = (int)(sizeof ctm_lgamma1p_sum / sizeof *ctm_lgamma1p_sum) - 1; k >= 0; k--)
        p = ctm_fma_f64(p, a, ctm_lgamma1p_sum[k]);
    return p * a;
}

/* Q for x <= 1.1 and a < 1, where 1 - P would lose its digits. */
CTM double ctm_gamma_small_f64(double a, double x)
{
    double sum = 0.0, power = 1.0;
    for (int k = 1; k < 40; k++) {
        power *= -x / k;
        sum += power / (a + k);
    }
    double log_scale = a * ctm_log_f64(x) - ctm_lgamma1p_f64(a);
    return -ctm_expm1_f64(log_scale) - ctm_exp_f64(log_scale) * a * sum;
}

/* Powers of eta in the coefficients of 1, 1/a and 1/a^2. */
static const double ctm_temme[3][13] = {
    {
        -0x1.5555555555555p-2,
        0x1.5555555555555p-4,
        -0x1.e573ac901e574p-7,
        0x1.2f684bda12f68p-10,
        0x1.71de3a556c734p-12,
        -0x1.76e06fec7273bp-13,
        0x1.48c5892f7cd83p-15,
        -0x1.255370652afc1p-19,
        -0x1.f1b22f594c6b5p-20,
        0x1.bd6d21e4b4109p-21,
        -0x1.7b5f9a2d0465cp-23,
        0x1.ccf5ceb7f0d9fp-28,
        0x1.6097d55c37c1cp-27,
    },
    {
        -0x1.e573ac901e574p-10,
        -0x1.c71c71c71c71cp-9,
        0x1.5ac056b015ac0p-9,
        -0x1.0394f6f09e723p-10,
        0x1.af83440e53dbcp-13,
        -0x1.af83440e53dbcp-22,
        -0x1.2fa4ae89e5af0p-16,
        0x1.00a9cabd6b83ep-17,
    },
    {
        0x1.0ee643b990ee6p-8,
        -0x1.5f7268edab4c8p-9,
        0x1.948b0fcd6e9e0p-11,
        0x1.0db20a88f4696p-19,
    },
};

/* P (side 1) or Q (side -1) for a > 10^6. */
CTM double ctm_gamma_uniform_f64(double a, double x, double side)
{
    double m = (x - a) / a;
    double half = ctm_less_log1p_f64(m);
    double eta = ctm_copysign_f64(ctm_sqrt_f64(2.0 * half), m);
    double part = 0.5 * ctm_erfc_f64(-side * eta * ctm_sqrt_f64(0.5 * a));
    if (a * half > 750.0)
        return part;
    double rest = 0.0;
    for (int k = 2; k >= 0; k--) {
        double c = 0.0;
        for (int j = 12; j >= 0; j--)
            c = ctm_fma_f64(c, eta, ctm_temme[k][j]);
        rest = rest / a + c;
    }
    rest *= ctm_exp_f64(-a * half) / ctm_sqrt_f64(0x1.921fb54442d18p2 * a); /* 2 pi */
    return part - side * rest;
}

/* What both give at the edges; P: start 0 and end 1, Q: the other way. NaN where neither. */
CTM double ctm_gamma_edge_f64(double a, double x, double start, double end)
{
    if (!(x >= 0.0) || !(a >= 0.0) || (a == 0.0 && x == 0.0))
        return CTM_NAN_F64;
    if (a == 0.0)
        return end;
    if (x == 0.0)
        return start;
    if (a == CTM_INF_F64)
        return x == CTM_INF_F64 ? CTM_NAN_F64 : start;
    return end;
}

CTM bool ctm_gamma_inside_f64(double a, double x)
{
    return (a > 0.0) & (x > 0.0) & (a < CTM_INF_F64) & (x < CTM_INF_F64);
}

/* Errors below 50 ULP, but of results below 1e-20 as many as their logarithm has units. */
CTM_CALLED double ctm_igamma_f64(double a, double x)
{
    if (!ctm_gamma_inside_f64(a, x))
        return ctm_gamma_edge_f64(a, x, 0.0, 1.0);
    if (a > 1e6)
        return ctm_gamma_uniform_f64(a, x, 1.0);
    if (x > 1.1 && x > a)
        return 1.0 - ctm_gamma_fraction_f64(a, x);
    return ctm_gamma_series_f64(a, x);
}

CTM_CALLED double ctm_igammac_f64(double a, double x)
{
    if (!ctm_gamma_inside_f64(a, x))
        return ctm_gamma_edge_f64(a, x, 1.0, 0.0);
    if (a > 1e6)
        return ctm_gamma_uniform_f64(a, x, -1.0);
    if (x > 1.1 && x > a)
        return ctm_gamma_fraction_f64(a, x);
    if (x <= 1.1 && a < 1.0)
        return ctm_gamma_small_f64(a, x);
    return 1.0 - ctm_gamma_series_f64(a, x);
}

CTM float ctm_igamma_f32(float a, float x)
{
    return (float)ctm_igamma_f64((double)a, (double)x);
}

CTM float ctm_igammac_f32(float a, float x)
{
    return (float)ctm_igammac_f64((double)a, (double)x);
}

#endif
