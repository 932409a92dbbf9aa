/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hurwitz zeta function, derivatives of any order of the logarithm of the gamma function
 * (polygamma), and the multivariate forms: block functions (block.h).
 *
 * They sum as many terms as an element needs, and add the remainder by the Euler-Maclaurin formula
 * (DLMF 25.11). Called by the generated loops. */
#ifndef CORTEN_MATH_ZETA_H
#define CORTEN_MATH_ZETA_H

#include "basic.h"
#include "block.h"
#include "gamma.h"
#include "log.h"
#include "trig.h"
#include "types.h"

/* B(2k) / (2k)! */
static const double ctm_bernoulli[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15, -0x1.bbd779334ef0bp-21,
    0x1.66a8f2bf70ebep-26, -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37, -0x1.7da4e1f79955cp-42,
    0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58, -0x1.497d9033a2b5cp-63,
};

/* The value of zeta where it is not a sum, as in PyTorch: infinite at poles, NaN where it is
 * undefined; 0 elsewhere. */
CTM double ctm_zeta_edge_f64(double s, double q)
{
    bool left = q <= 0.0;
    double y = (left & (s != ctm_floor_f64(s))) ? CTM_NAN_F64 : 0.0;
    y = (left & (q == ctm_floor_f64(q))) ? CTM_INF_F64 : y;
    y = s < 1.0 ? CTM_NAN_F64 : y;
    return s == 1.0 ? CTM_INF_F64 : y;
}

/* The remainder of the sum after the term w^-s. Its terms do not diverge here: if s is large
 * compared to w, the caller has already stopped because its terms became negligible. */
CTM double ctm_zeta_rest_f64(double s, double w, double term)
{
    double sum = term * w / (s - 1.0) - 0.5 * term;
    double rising = s * term / w, square = 1.0 / (w * w);
    CTM_UNROLL
    for (int k = 0; k < (int)(sizeof ctm_bernoulli / sizeof *ctm_bernoulli); k++) {
        sum = ctm_fma_f64(rising, ctm_bernoulli[k], sum);
        rising *= (s + (2 * k + 1)) * (s + (2 * k + 2)) * square;
    }
    return sum;
}

/* The sum of (q + k)^-s over k >= 0: at least nine terms and until q + k > 9, or until the terms
 * are negligible; then the remainder. Error below 8 ULP. */
CTM_CALLED void ctm_zeta_lanes_f64(double *restrict out, const double *restrict s,
                                   const double *restrict q)
{
    double edge[CTM_LANES], live[CTM_LANES], sum[CTM_LANES], term[CTM_LANES], w[CTM_LANES];
    uint64_t asks = 1;
    CTM_EACH_LANE(i)
    {
        edge[i] = ctm_zeta_edge_f64(s[i], q[i]);
        live[i] = edge[i] == 0.0 ? 1.0 : 0.0;
        w[i] = q[i];
        term[i] = ctm_pow_f64(q[i], -s[i]);
        sum[i] = term[i];
    }
    for (int64_t k = 0; asks != 0; k++) {
        double until = k < 9 ? CTM_INF_F64 : 9.0, later = k < 8 ? CTM_INF_F64 : 9.0;
        asks = 0;
        CTM_EACH_LANE(i)
        {
            double at = w[i] + 1.0, next = ctm_pow_f64(at, -s[i]), total = sum[i] + next;
            bool more = (w[i] <= until) & (live[i] > 0.0);
            bool last = ctm_abs_f64(next) <= 0x1p-54 * ctm_abs_f64(total);
            w[i] = more ? at : w[i];
            term[i] = more ? next : term[i];
            sum[i] = more ? total : sum[i];
            live[i] = (more & last) ? 0.0 : live[i];
            asks |= (more & !last & (at <= later)) ? 1u : 0u;
        }
    }
    CTM_EACH_LANE(i)
    {
        double rest = ctm_zeta_rest_f64(s[i], w[i], term[i]);
        double y = live[i] > 0.0 ? sum[i] + rest : sum[i];
        out[i] = edge[i] == 0.0 ? y : edge[i];
    }
}

CTM_CALLED void ctm_zeta_block_f64(double *restrict out, const double (*in)[CTM_BLOCK], int count)
{
    for (int k = 0; k < count; k += CTM_LANES)
        ctm_zeta_lanes_f64(out + k, in[0] + k, in[1] + k);
}

/* psi'(x); for x <= 0 by the reflection, which needs no sum up to x, and infinite at the poles.
 * Error below 6 ULP. */
CTM double ctm_trigamma_wide_f64(double x)
{
    bool left = x <= 0.0, pole = left & (x == ctm_floor_f64(x)) & (x > -CTM_INF_F64);
    double right = ctm_trigamma_f64(left ? 1.0 - x : x);
    double wave = ctm_sin_f64(0x1.921fb54442d18p1 * (x - ctm_round_f64(x)));
    double ratio = 0x1.921fb54442d18p1 / wave;
    double y = left ? ctm_fma_f64(ratio, ratio, -right) : right;
    return pole ? CTM_INF_F64 : y;
}

/* Whether any lane has x <= less. */
CTM bool ctm_any_left_f64(const double *x, double less)
{
    uint64_t some = 0;
    CTM_EACH_LANE(i)
    some |= x[i] <= less ? 1u : 0u;
    return some != 0u;
}

/* The n-th derivative of psi, for an integer n >= 0. */
CTM_CALLED void ctm_polygamma_lanes_f64(double *restrict out, const double *restrict x, double n)
{
    double s[CTM_LANES], size = tgamma(n + 1.0);
    if (n == 0.0) {
        CTM_EACH_LANE(i)
        out[i] = ctm_digamma_f64(x[i]);
    } else if (n == 1.0) {
        if (ctm_any_left_f64(x, 0.0)) {
            CTM_EACH_LANE(i)
            out[i] = ctm_trigamma_wide_f64(x[i]);
        } else {
            CTM_EACH_LANE(i)
            out[i] = ctm_trigamma_f64(x[i]);
        }
    } else {
        CTM_EACH_LANE(i)
        s[i] = n + 1.0;
        ctm_zeta_lanes_f64(out, s, x);
        size = ctm_round_f64(0.5 * n) == 0.5 * n ? -size : size;
        CTM_EACH_LANE(i)
        out[i] *= size;
    }
}

CTM_CALLED void ctm_polygamma_block_f64(double *restrict out, const double (*in)[CTM_BLOCK],
                                        int count)
{
    for (int k = 0; k < count; k += CTM_LANES)
        ctm_polygamma_lanes_f64(out + k, in[0] + k, in[1][0]);
}

/* The logarithm of the multivariate gamma function of p dims, and the n-th derivative of its first
 * derivative: sums of the functions of one dim at x, x - 1/2, ... */
CTM_CALLED void ctm_mvlgamma_block_f64(double *restrict out, const double (*in)[CTM_BLOCK],
                                       int count)
{
    double p = in[1][0], whole = p * (p - 1.0) * 0x1.250d048e7a1bdp-2; /* log(pi) / 4 */
    for (int k = 0; k < count; k += CTM_LANES) {
        double sum[CTM_LANES] = {0};
        for (double less = 0.0; less < 0.5 * p; less += 0.5) {
            if (ctm_any_left_f64(in[0] + k, less)) {
                CTM_EACH_LANE(i)
                sum[i] += ctm_lgamma_wide_f64(in[0][k + i] - less);
            } else {
                CTM_EACH_LANE(i)
                sum[i] += ctm_lgamma_f64(in[0][k + i] - less);
            }
        }
        CTM_EACH_LANE(i)
        out[k + i] = sum[i] + whole;
    }
}

CTM_CALLED void ctm_mvpolygamma_block_f64(double *restrict out, const double (*in)[CTM_BLOCK],
                                          int count)
{
    for (int k = 0; k < count; k += CTM_LANES) {
        double sum[CTM_LANES] = {0}, x[CTM_LANES], y[CTM_LANES];
        for (double less = 0.0; less < 0.5 * in[2][0]; less += 0.5) {
            CTM_EACH_LANE(i)
            x[i] = in[0][k + i] - less;
            ctm_polygamma_lanes_f64(y, x, in[1][0]);
            CTM_EACH_LANE(i)
            sum[i] += y[i];
        }
        CTM_EACH_LANE(i)
        out[k + i] = sum[i];
    }
}

#endif
