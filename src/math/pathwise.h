/* SPDX-License-Identifier: BSD-3-Clause */
/* Pathwise derivatives of samples: how a number drawn from a gamma or a beta distribution changes
 * with the shape of the distribution, -(dF/d alpha) / f. After M. Jankowiak and F. Obermeyer,
 * Pathwise derivatives beyond the reparameterization trick, 2018: series near the ends,
 * saddle-point expansions for large shapes, rational functions between them. The relative errors
 * are below 0.001, as in PyTorch: the derivative multiplies a random sample. The functions compute
 * one number at a time, because few programs use them. */
#ifndef CORTEN_MATH_PATHWISE_H
#define CORTEN_MATH_PATHWISE_H

#include "basic.h"
#include "exp.h"
#include "gamma.h"
#include "log.h"
#include "special.h"
#include "types.h"

CTM double ctm_power_f64(double x, double y)
{
    return ctm_exp_f64(y * ctm_log_f64(x));
}

CTM double ctm_or_zero_f64(double x)
{
    return x == x ? x : 0;
}

/* ---- gamma ---- */

/* Both sums over the series of the incomplete gamma function, for x below 1. */
CTM double ctm_gamma_path_small_f64(double alpha, double x)
{
    double numer = 1, denom = alpha, first = 1 / denom, second = first * first;
    for (int i = 1; i <= 5; i++) {
        numer *= -x / i;
        denom += 1;
        first += numer / denom;
        second += numer / (denom * denom);
    }
    double power = ctm_power_f64(x, alpha), cdf = power * first;
    double slope = (ctm_log_f64(x) - ctm_digamma_f64(alpha)) * cdf - power * second;
    return ctm_or_zero_f64(-slope / (ctm_power_f64(x, alpha - 1) * ctm_exp_f64(-x)));
}

CTM double ctm_gamma_path_large_f64(double alpha, double x)
{
    if (x >= 0.9 * alpha && x <= 1.1 * alpha) { /* near the saddle point: its series */
        double one = 1 + 24 * alpha * (1 + 12 * alpha), squared = alpha * alpha;
        double two =
            1440 * squared + 6 * x * (53 - 120 * x) - 65 * x * x / alpha + alpha * (107 + 3600 * x);
        return one * two / (1244160 * squared * squared);
    }
    double root = ctm_sqrt_f64(8 * alpha), q = ctm_log_f64(x / alpha), away = alpha - x;
    double base = x - alpha - alpha * q, tail = 1 / (base * ctm_sqrt_f64(base));
    double both = root / away + (x < alpha ? -tail : tail);
    double sum = q * both - ctm_sqrt_f64(2 / alpha) * (alpha + x) / (away * away);
    double stirling = 1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha));
    return -stirling * x * sum / root;
}

CTM double ctm_gamma_path_between_f64(double alpha, double x)
{
    static const double c[3][8] = {{0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1,
                                    0.32668115, 0.10406089, 0.0014179084},
                                   {0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465,
                                    0.020070113, -0.0035938915, -0.00058392623},
                                   {0.040121004, -0.0065914022, -0.0026286047, -0.0013441777,
                                    0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07}};
    double u = ctm_log_f64(x / alpha), v = ctm_log_f64(alpha), p[2];
    for (int k = 0; k < 2; k++) {
        p[k] = 0;
        for (int i = 3; i >= 0; i--)
            p[k] = c[0][4 * k + i] + u * (c[1][4 * k + i] + u * c[2][4 * k + i]) + v * p[k];
    }
    return ctm_exp_f64(p[0] / p[1]);
}

CTM double ctm_gamma_path_f64(double alpha, double x)
{
    if (x < 0.8)
        return ctm_gamma_path_small_f64(alpha, x);
    return alpha > 8 ? ctm_gamma_path_large_f64(alpha, x) : ctm_gamma_path_between_f64(alpha, x);
}

CTM float ctm_gamma_path_f32(float alpha, float x)
{
    return (float)ctm_gamma_path_f64((double)alpha, (double)x);
}

/* ---- beta, scaled by 1 / (1 - x), as the Dirichlet distribution needs it ---- */

CTM double ctm_beta_path_low_f64(double x, double alpha, double beta)
{
    double factor = ctm_digamma_f64(alpha) - ctm_digamma_f64(alpha + beta) - ctm_log_f64(x);
    double numer = 1, series = 1 / alpha * (factor + 1 / alpha);
    for (int i = 1; i <= 10; i++) {
        numer *= (i - beta) * x / i;
        series += numer / (alpha + i) * (factor + 1 / (alpha + i));
    }
    return ctm_or_zero_f64(x * ctm_power_f64(1 - x, -beta) * series);
}

CTM double ctm_beta_path_high_f64(double x, double alpha, double beta)
{
    double factor = ctm_digamma_f64(alpha + beta) - ctm_digamma_f64(beta);
    double numer = 1, betas = 1, slope = 0, series = factor / alpha;
    for (int i = 1; i <= 8; i++) {
        numer *= -x / i;
        slope = slope * (beta - i) + betas;
        betas *= beta - i;
        series += numer / (alpha + i) * (slope + factor * betas);
    }
    return ctm_or_zero_f64(-ctm_power_f64(1 - x, 1 - beta) * series);
}

CTM double ctm_beta_path_near_f64(double x, double a, double b)
{
    double total = a + b, bb = b * b;
    double poly = 8 * (1 - x) * (135 * b - 11);
    poly = (453 + 1620 * b * (1 - x) - 455 * x) * b + a * poly;
    poly = 3 * (59 + 180 * b - 90 * x) * bb + a * poly;
    poly = (43 + 20 * (16 + 27 * b) * x) * bb * b + a * poly;
    poly = 47 * x * bb * bb + a * poly;
    double by = (1 + 12 * a) * (1 + 12 * b) / (total * total);
    return by / (1 - x) * poly / (12960 * a * a * a * bb * (1 + 12 * total));
}

CTM double ctm_stirling_f64(double x)
{
    return 1 + 1 / (12 * x) + 1 / (288 * x * x);
}

CTM double ctm_beta_path_large_f64(double x, double a, double b)
{
    double total = a + b, mean = a / total, sd = ctm_sqrt_f64(a * b / (total + 1)) / total;
    if (x >= mean - 0.1 * sd && x <= mean + 0.1 * sd)
        return ctm_beta_path_near_f64(x, a, b);
    double by = ctm_stirling_f64(a) * ctm_stirling_f64(b) / ctm_stirling_f64(total) * -x /
                ctm_sqrt_f64(2 * a * b / total);
    double away = a * (x - 1) + b * x, log_a = ctm_log_f64(a / (total * x));
    double first = (2 * a * a * (x - 1) + a * b * (x - 1) - x * b * b) /
                   (ctm_sqrt_f64(2 * a / b) * total * ctm_sqrt_f64(total) * away * away);
    double base = b * ctm_log_f64(b / (total * (1 - x))) + a * log_a;
    double tail = 1 / (base * ctm_sqrt_f64(base));
    double both = ctm_sqrt_f64(8 * a * b / total) / away + (x < mean ? tail : -tail);
    return by * (first + 0.5 * log_a * both);
}

CTM double ctm_beta_path_between_f64(double x, double alpha, double total)
{
    static const double c[2][9][4] = {
        {{1.003668233, -0.01061107488, -0.0657888334, 0.01201642863},
         {0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033},
         {-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013},
         {0.221950385, -0.3187676331, 0.01799915743, 0.01074823814},
         {-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057},
         {0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05},
         {-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565},
         {0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181},
         {0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05}},
        {{1, -0.02924021934, -0.04438342661, 0.007285809825},
         {0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521},
         {-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149},
         {0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273},
         {0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956},
         {-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05},
         {0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05},
         {0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05},
         {-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06}}};
    double u = ctm_log_f64(x), a = ctm_log_f64(alpha) - u, b = ctm_log_f64(total) - a, sum[2];
    for (int k = 0; k < 2; k++) {
        double power_u = 1;
        sum[k] = 0;
        for (int i = 0; i < 9; i += 3, power_u *= u) {
            double power_a = 1;
            for (int j = 0; j < 3; j++, power_a *= a) {
                const double *p = c[k][i + j];
                sum[k] += power_u * power_a * (p[0] + b * (p[1] + b * (p[2] + b * p[3])));
            }
        }
    }
    double near = x * (ctm_digamma_f64(total) - ctm_digamma_f64(alpha)) / (total - alpha);
    return sum[0] / sum[1] * near;
}

CTM double ctm_dirichlet_path_f64(double x, double alpha, double total)
{
    double beta = total - alpha, boundary = total * x * (1 - x);
    if (x <= 0.5 && boundary < 2.5)
        return ctm_beta_path_low_f64(x, alpha, beta);
    if (x >= 0.5 && boundary < 0.75)
        return -ctm_beta_path_high_f64(1 - x, beta, alpha);
    if (alpha > 6 && beta > 6)
        return ctm_beta_path_large_f64(x, alpha, beta);
    return ctm_beta_path_between_f64(x, alpha, total);
}

CTM float ctm_dirichlet_path_f32(float x, float alpha, float total)
{
    return (float)ctm_dirichlet_path_f64((double)x, (double)alpha, (double)total);
}

#endif
