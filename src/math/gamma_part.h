/* SPDX-License-Identifier: BSD-3-Clause */
/* The incomplete gamma functions P(a, x) = igamma and Q(a, x) = igammac = 1 - P.
 *
 * The series of P for x < a, the continued fraction of Q for x > a (DLMF 8.7, 8.9), a series of Q
 * for small a and x, and Temme's uniform expansion for large a near x (DLMF 8.12), where the others
 * would need sqrt(a) steps. Block functions (block.h): the elements of a block are sorted into
 * lists by method, and each list is processed by lanes. Called by the generated loops. */
#ifndef CORTEN_MATH_GAMMA_PART_H
#define CORTEN_MATH_GAMMA_PART_H

#include "basic.h"
#include "block.h"
#include "exp.h"
#include "gamma.h"
#include "log.h"
#include "special.h"
#include "types.h"

/* The methods. A series or a fraction is scaled differently below and above a = 8, and for x < 3
 * the fraction needs more steps. P uses the fraction from a larger x on than Q, because its series
 * loses no digits. */
enum ctm_gamma_way {
    CTM_GAMMA_EDGE,
    CTM_GAMMA_SERIES,
    CTM_GAMMA_SERIES_FAR,
    CTM_GAMMA_FRACTION_SLOW,
    CTM_GAMMA_FRACTION,
    CTM_GAMMA_FRACTION_FAR,
    CTM_GAMMA_SMALL,
    CTM_GAMMA_UNIFORM,
    CTM_GAMMA_WAYS,
};

/* (x - a) - a log(x / a) as a sum of two numbers, absolute error 2^-56 if it is below 750. */
CTM double ctm_gamma_less_f64(double a, double x, double *low)
{
    double q = x / a, c = q < 0x1p-1000 ? 0x1p-1000 : q > 0x1p1000 ? 0x1p1000 : q, log_low;
    double log_q = ctm_log_pair_f64(c, &log_low);
    log_low -= c == q ? ctm_product_rest_f64(q, a, x) / x : 0.0;
    double part = a * log_q,
           part_low = ctm_fma_f64(a, log_low, ctm_product_rest_f64(a, log_q, part));
    double m = x - a, seen = m - x, m_low = (x - (m - seen)) - (a + seen);
    double y = m - part, other = y - m;
    double rest = ((m - (y - other)) - (part + other)) + (m_low - part_low);
    rest = a < 0x1p500 ? rest : 0.0;
    double sum = y + rest;
    *low = rest - (sum - y);
    return sum;
}

/* e^(t + low) for any two numbers. */
CTM double ctm_exp_of_sum_f64(double t, double low)
{
    double sum = t + low, seen = sum - t;
    return ctm_exp_sum_f64(sum, (t - (sum - seen)) + (low - seen));
}

/* y times x^a e^-x / Gamma(a + 1) for finite a > 0 and x > 0: for a < 8 by the steps of log Gamma,
 * above by Stirling's series. */
CTM double ctm_gamma_scale_f64(double y, double a, double x, bool far)
{
    if (!far) {
        ctm_lgamma_steps_f64 l = ctm_lgamma_step_down_f64(a, 3.0);
        double c = x > 2000.0 ? 2000.0 : x, log_low, log_c = ctm_log_pair_f64(c, &log_low);
        double t = a * log_c, low = ctm_fma_f64(a, log_low, ctm_product_rest_f64(a, log_c, t));
        double u = t - c, seen = u - t, v = u - l.b, other = v - u;
        low += ((t - (u - seen)) - (c + seen)) + ((u - (v - other)) - (l.b + other));
        double by = a < 1.0 ? 1.0 : l.passed * a;
        return y * (ctm_exp_of_sum_f64(v, low - l.part) / by);
    }
    double inverse = 1.0 / a, tail = CTM_HORNER(ctm_stirling, inverse * inverse) * inverse;
    double low, less = ctm_gamma_less_f64(a, x, &low);
    return y * (ctm_exp_of_sum_f64(-less, -low - tail) /
                ctm_sqrt_f64(0x1.921fb54442d18p2 * a)); /* 2 pi */
}

/* P before scaling, four terms and one quotient at a time. Terms that are negligible in their lane
 * do not change the sum, so lanes need not stop. */
CTM void ctm_gamma_series_f64(double *restrict out, const double *restrict a,
                              const double *restrict x)
{
    double sum[CTM_LANES], term[CTM_LANES];
    uint64_t asks = 1;
    CTM_EACH_LANE(i)
    {
        sum[i] = 1.0;
        term[i] = 1.0;
    }
    for (int k = 1; k < 20000 && asks != 0; k += 4) {
        double from = k;
        asks = 0;
        CTM_EACH_LANE(i)
        {
            double b = a[i] + from, c = x[i], third = (b + 2.0) * (b + 3.0);
            double scale = term[i] * c / (b * (b + 1.0) * third);
            double four = ctm_fma_f64(c, ctm_fma_f64(c, b + 3.0 + c, third), (b + 1.0) * third);
            term[i] = scale * c * c * c;
            sum[i] = ctm_fma_f64(scale, four, sum[i]);
            asks |= scale * four > 0x1p-55 * sum[i] ? 1u : 0u;
        }
    }
    CTM_EACH_LANE(i)
    out[i] = sum[i];
}

/* Q before scaling: the even part of the continued fraction, by its convergents top / bottom, two
 * at a time. They are compared without a quotient, and scaled before they overflow. */
CTM void ctm_gamma_fraction_f64(double *restrict out, const double *restrict a,
                                const double *restrict x)
{
    double top[CTM_LANES], top_last[CTM_LANES], bottom[CTM_LANES], bottom_last[CTM_LANES];
    double live[CTM_LANES], start[CTM_LANES];
    uint64_t asks = 1;
    CTM_EACH_LANE(i)
    {
        start[i] = (x[i] > 0x1p30 ? 0x1p30 : x[i]) + 1.0 - a[i]; /* Q is 0 well before this limit */
        bottom[i] = start[i];
        top_last[i] = 0.0;
        bottom_last[i] = 1.0;
        top[i] = 1.0;
        live[i] = 1.0;
    }
    for (int step = 1; step < 20000 && asks != 0; step += 2) {
        double k = step;
        asks = 0;
        CTM_EACH_LANE(i)
        {
            double n = k * (a[i] - k), b = start[i] + (k + k);
            double top_first = ctm_fma_f64(b, top[i], n * top_last[i]);
            double bottom_first = ctm_fma_f64(b, bottom[i], n * bottom_last[i]);
            n = (k + 1.0) * (a[i] - (k + 1.0)), b += 2.0;
            double top_next = ctm_fma_f64(b, top_first, n * top[i]);
            double bottom_next = ctm_fma_f64(b, bottom_first, n * bottom[i]);
            double one = top_next * bottom_first, other = top_first * bottom_next;
            bool more = live[i] > 0.0;
            bool last = ctm_abs_f64(one - other) <= 0x1p-53 * ctm_abs_f64(one);
            double scale = ctm_abs_f64(bottom_next) > 0x1p300 ? 0x1p-300 : 1.0;
            top_last[i] = top_first * scale;
            bottom_last[i] = bottom_first * scale;
            top[i] = more ? top_next * scale : top[i];
            bottom[i] = more ? bottom_next * scale : bottom[i];
            live[i] = last ? 0.0 : live[i];
            asks |= (more & !last) ? 1u : 0u;
        }
    }
    CTM_EACH_LANE(i)
    out[i] = top[i] / bottom[i] * a[i];
}

/* Q before scaling, for a < 8: the same fraction evaluated from its end, which loses fewer digits
 * and needs at most 10 + 100 / x steps. The quotients of successive values are the tails of the
 * fraction, so a single quotient is enough. A lane waits until its steps begin. */
CTM void ctm_gamma_fraction_back_f64(double *restrict out, const double *restrict a,
                                     const double *restrict x)
{
    double next[CTM_LANES], after[CTM_LANES], start[CTM_LANES], steps[CTM_LANES], most = 0.0;
    CTM_EACH_LANE(i)
    {
        start[i] = (x[i] > 0x1p30 ? 0x1p30 : x[i]) + 1.0 - a[i]; /* Q is 0 well before this limit */
        steps[i] = ctm_floor_f64(10.0 + 100.0 / x[i]);
        next[i] = 0x1p-500;
        after[i] = 0.0;
    }
    for (int i = 0; i < CTM_LANES; i++)
        most = steps[i] > most ? steps[i] : most;
    for (double k = most; k >= 0.0; k -= 1.0) {
        CTM_EACH_LANE(i)
        {
            double n = (k + 1.0) * (k + 1.0 - a[i]), b = start[i] + (k + k);
            double here = ctm_fma_f64(b, next[i], -n * after[i]);
            double scale = ctm_abs_f64(here) > 0x1p300 ? 0x1p-600 : 1.0;
            bool begun = k <= steps[i];
            after[i] = begun ? next[i] * scale : after[i];
            next[i] = begun ? here * scale : next[i];
        }
    }
    CTM_EACH_LANE(i)
    out[i] = after[i] / next[i] * a[i];
}

/* Q for x <= 0.8 and a < 1, where 1 - P would lose its digits. */
CTM double ctm_gamma_small_f64(double a, double x)
{
    double sum = 1.0 / (a + 21.0);
    CTM_UNROLL
    for (int k = 20; k > 0; k--)
        sum = ctm_fma_f64(x * (-1.0 / (k + 1)), sum, 1.0 / (a + k));
    ctm_lgamma_steps_f64 l = ctm_lgamma_step_down_f64(a, 3.0);
    double t = a * ctm_log_f64(x), u = t - l.b, seen = u - t;
    double low = ((t - (u - seen)) - (l.b + seen)) - l.part, log_scale = u + low;
    return ctm_fma_f64(ctm_exp_f64(log_scale) * (a * x), sum, -ctm_expm1_f64(log_scale));
}

/* The coefficients of 1, 1/a, ..., as polynomials in eta: enough for a >= 20 and |x - a| <= 0.3
 * a. */
static const double ctm_temme_low[4][15] = {
    {-0x1.5555555555555p-2, 0x1.5555555555555p-4, -0x1.e573ac901e574p-7, 0x1.2f684bda12f68p-10,
     0x1.71de3a556c734p-12, -0x1.76e06fec7273bp-13, 0x1.48c5892f7cd83p-15, -0x1.255370652afc1p-19,
     -0x1.f1b22f594c6b5p-20, 0x1.bd6d21e4b4109p-21, -0x1.7b5f9a2d0465cp-23, 0x1.ccf5ceb7f0d9fp-28,
     0x1.6097d55c37c1cp-27, -0x1.2d2197c7a2faap-28, 0x1.f6e66d24d5c8ap-31},
    {-0x1.e573ac901e574p-10, -0x1.c71c71c71c71cp-9, 0x1.5ac056b015ac0p-9, -0x1.0394f6f09e723p-10,
     0x1.af83440e53dbcp-13, -0x1.af83440e53dbcp-22, -0x1.2fa4ae89e5af0p-16, 0x1.00a9cabd6b83ep-17,
     -0x1.b0bdfcc629cbap-20, 0x1.3f59230a8357cp-28, 0x1.280f2cde3f847p-23, -0x1.ee23d0cba8aeep-25,
     0x1.9aa7a30de114cp-27, -0x1.349fbca3a377bp-36, -0x1.1564ecff73d58p-30},
    {0x1.0ee643b990ee6p-8, -0x1.5f7268edab4c8p-9, 0x1.948b0fcd6e9e0p-11, 0x1.0db20a88f4696p-19,
     -0x1.c253efaa1a932p-14, 0x1.bbf43daf4fe53p-15, -0x1.ac2d05890f2c3p-17, 0x1.26154ae39151dp-25,
     0x1.7058929663937p-20, -0x1.522cb05171911p-21, 0x1.32ac81c15d3d7p-23, -0x1.c24bd0e740a6cp-33,
     -0x1.e437343a46f5dp-27, 0x1.ac0d455e25360p-28, 0.0},
    {0x1.547d93b34e2b6p-11, 0x1.e13ce465fa859p-13, -0x1.ebfb188b7ca00p-12, 0x1.18b9b5bf2d984p-12,
     -0x1.3d2a3a29b5d9dp-14, -0x1.0152a1871f27ap-22, 0x1.73df462204ef4p-17, -0x1.7cd6f27b3f020p-18,
     0x1.7e0201539310ep-20, -0x1.ea23269c140a7p-36, -0x1.6c2dcffbefeefp-23, 0x1.5bde8ef4c4dc7p-24,
     0.0, 0.0, 0.0},
};

static const double ctm_temme_high[7][11] = {
    {-0x1.c3e0b02da7bf9p-11, 0x1.9b0ff6874f2c4p-11, -0x1.3999a85a4237ap-12, -0x1.88f2ae1def9d0p-20,
     0x1.16908b48ce058p-14, -0x1.4ce3fd902bcadp-15, 0x1.7db4c02846e81p-17, 0x1.13b3c5b7cb45ep-32,
     -0x1.c71c074985d3fp-20, 0x1.de37d9f09164cp-21, -0x1.ec676cf33153cp-23},
    {-0x1.6128ac5a4fa71p-12, -0x1.247604839c038p-14, 0x1.22be87360ef1fp-12, -0x1.a2042c5148e27p-13,
     0x1.1d1e9cb24760bp-14, 0x1.30bdcf208080ep-23, -0x1.c823fc1b3cc36p-17, 0x1.0d0e229150428p-17,
     -0x1.338eb19652fd9p-19, 0.0, 0.0},
    {0x1.168ef1b0931c8p-11, -0x1.36773bdb97b48p-11, 0x1.1c0950d3ecb9dp-12, 0x1.a8411da6cab49p-21,
     -0x1.5600945495b37p-14, 0x1.d6bdf83130dc1p-15, -0x1.3382f4cf48618p-16, 0.0, 0.0, 0.0, 0.0},
    {0x1.691879c01efb4p-12, 0x1.b1d75d3346711p-15, -0x1.5f3385098cebfp-12, 0x1.26eeb5ece1d9fp-12,
     -0x1.cc642787368cep-14, -0x1.119c70312e0a2p-23, 0x1.d179830b113abp-16, 0.0, 0.0, 0.0, 0.0},
    {-0x1.5629b3187b744p-11, 0x1.b8239c670e690p-11, -0x1.cb967b4446107p-12, -0x1.762676b30cfd6p-21,
     0x1.5d1157082916dp-13, -0x1.0c16fcea7ddb2p-13, 0.0, 0.0, 0.0, 0.0, 0.0},
    {-0x1.38dff1cc96982p-11, -0x1.2e31f9b7913eap-14, 0x1.63969bb825829p-11, -0x1.4f9f2582dd0a5p-11,
     0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {0x1.5d4ae684527bfp-10, -0x1.f5dbcaf756cdep-10, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
};

/* Temme's expansion: the smaller of the two, which is Q for x >= a and P for x < a, and from it the
 * function that is wanted. side is 1 for Q and -1 for P. eta^2 / 2 = m - log(1 + m). */
CTM double ctm_gamma_uniform_f64(double a, double x, double side)
{
    double away_low, less = ctm_gamma_less_f64(a, x, &away_low), away = ctm_abs_f64(less);
    double m = x - a, inverse = 1.0 / a, rest = 0.0;
    double size = ctm_sqrt_f64(2.0 * away * inverse), eta = m < 0.0 ? -size : size;
    CTM_UNROLL
    for (int k = 6; k >= 0; k--)
        rest = ctm_fma_f64(rest, inverse, CTM_HORNER(ctm_temme_high[k], eta));
    CTM_UNROLL
    for (int k = 3; k >= 0; k--)
        rest = ctm_fma_f64(rest, inverse, CTM_HORNER(ctm_temme_low[k], eta));
    rest = (m < 0.0 ? -rest : rest) / ctm_sqrt_f64(0x1.921fb54442d18p2 * a); /* 2 pi */
    double at = ctm_sqrt_f64(away), low;
    double far = ctm_erfcx_right_f64(at < 0.5 ? 0.5 : at, &low);
    double near = ctm_erfc_near_f64(at, at < 0.5 ? at : 0.5) * ctm_exp_f64(away);
    double part = 0.5 * (at < 0.5 ? near : far) + rest;
    double whole = part * ctm_exp_sum_f64(-away, -away_low), y = away > 750.0 ? 0.0 : whole;
    return side * (m < 0.0 ? -1.0 : 1.0) < 0.0 ? 1.0 - y : y;
}

/* The values at the edges; P: start 0 and end 1, Q: the reverse. NaN if the arguments are invalid,
 * or there is no limit. */
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

/* The method for an element, computed without branches. */
CTM uint64_t ctm_gamma_way_f64(double a, double x, bool upper)
{
    bool inside = (a > 0.0) & (x > 0.0) & (a < CTM_INF_F64) & (x < CTM_INF_F64), far = a >= 8.0;
    uint64_t series = far ? CTM_GAMMA_SERIES_FAR : CTM_GAMMA_SERIES;
    uint64_t right = far ? CTM_GAMMA_FRACTION_FAR : CTM_GAMMA_FRACTION;
    right = x < 3.0 ? CTM_GAMMA_FRACTION_SLOW : right;
    uint64_t way = ((x <= (upper ? 0.8 : 4.0)) | (x <= a)) ? series : right;
    way = (upper & (x <= 0.8) & (a < 1.0)) ? CTM_GAMMA_SMALL : way;
    bool near = (a > 20.0) & (ctm_abs_f64(x - a) < 0.3 * a);
    way = ((a > 1e6) | near) ? CTM_GAMMA_UNIFORM : way;
    return inside ? way : CTM_GAMMA_EDGE;
}

/* P or Q for lanes with the same method. */
CTM void ctm_gamma_lanes_f64(double *restrict y, const double *restrict a, const double *restrict x,
                             enum ctm_gamma_way way, bool upper)
{
    bool series = way <= CTM_GAMMA_SERIES_FAR;
    double side = upper ? 1.0 : -1.0;
    if (way == CTM_GAMMA_UNIFORM) {
        CTM_EACH_LANE(i)
        y[i] = ctm_gamma_uniform_f64(a[i], x[i], side);
        return;
    }
    if (way == CTM_GAMMA_SMALL) {
        CTM_EACH_LANE(i)
        y[i] = ctm_gamma_small_f64(a[i], x[i]);
        return;
    }
    if (series)
        ctm_gamma_series_f64(y, a, x);
    else if (way == CTM_GAMMA_FRACTION_FAR)
        ctm_gamma_fraction_f64(y, a, x);
    else
        ctm_gamma_fraction_back_f64(y, a, x);
    if (way == CTM_GAMMA_SERIES_FAR || way == CTM_GAMMA_FRACTION_FAR) {
        CTM_EACH_LANE(i)
        y[i] = ctm_gamma_scale_f64(y[i], a[i], x[i], true);
    } else {
        CTM_EACH_LANE(i)
        y[i] = ctm_gamma_scale_f64(y[i], a[i], x[i], false);
    }
    if (series == upper) {
        CTM_EACH_LANE(i)
        y[i] = 1.0 - y[i];
    }
}

/* Errors below 8 ULP. */
CTM_CALLED void ctm_gamma_part_f64(double *restrict out, const double (*in)[CTM_BLOCK], int count,
                                   bool upper)
{
    uint64_t ways[CTM_BLOCK];
    uint16_t list[CTM_GAMMA_WAYS][CTM_BLOCK];
    int length[CTM_GAMMA_WAYS] = {0};
    for (int i = 0; i < count; i++)
        ways[i] = ctm_gamma_way_f64(in[0][i], in[1][i], upper);
    for (int i = 0; i < count; i++)
        list[ways[i]][length[ways[i]]++] = (uint16_t)i;
    for (int i = 0; i < length[CTM_GAMMA_EDGE]; i++) {
        int at = list[CTM_GAMMA_EDGE][i];
        out[at] = ctm_gamma_edge_f64(in[0][at], in[1][at], upper ? 1.0 : 0.0, upper ? 0.0 : 1.0);
    }
    for (int way = CTM_GAMMA_EDGE + 1; way < CTM_GAMMA_WAYS; way++) {
        for (int k = 0; k < length[way]; k += CTM_LANES) {
            double a[CTM_LANES], x[CTM_LANES], y[CTM_LANES];
            int here = length[way] - k < CTM_LANES ? length[way] - k : CTM_LANES;
            for (int i = 0; i < CTM_LANES; i++) {
                int from = list[way][i < here ? k + i : k];
                a[i] = in[0][from];
                x[i] = in[1][from];
            }
            ctm_gamma_lanes_f64(y, a, x, (enum ctm_gamma_way)way, upper);
            for (int i = 0; i < here; i++)
                out[list[way][k + i]] = y[i];
        }
    }
}

CTM_CALLED void ctm_igamma_block_f64(double *out, const double (*in)[CTM_BLOCK], int count)
{
    ctm_gamma_part_f64(out, in, count, false);
}

CTM_CALLED void ctm_igammac_block_f64(double *out, const double (*in)[CTM_BLOCK], int count)
{
    ctm_gamma_part_f64(out, in, count, true);
}

#endif
