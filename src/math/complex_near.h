/* SPDX-License-Identifier: BSD-3-Clause */
/* Transcendental functions of complex numbers, in double and branch-free, for arguments that are
 * not extreme. complex.h has the functions for all arguments, which call libm for the others.
 *
 * They compute with the real and imaginary parts, by the usual formulas (DLMF 4.2, 4.8, 4.21,
 * 4.35), from the real functions. The error of each part is in units of the larger part, or of the
 * part itself where a comment says so. Conjugate arguments give exactly conjugate results. */
#ifndef CORTEN_MATH_COMPLEX_NEAR_H
#define CORTEN_MATH_COMPLEX_NEAR_H

#include "basic.h"
#include "exp.h"
#include "log.h"
#include "trig.h"
#include "types.h"

/* ---- the arguments for which the functions below are valid ---- */

/* An argument with an exponential part and an angle: e^(2 grow) and its square are finite, and the
 * short reduction of the angle is valid. Neither is infinite or NaN. */
CTM bool ctm_near_axes_f64(double grow, double turn)
{
    double g = ctm_abs_f64(grow), t = ctm_abs_f64(turn);
    return (g <= 300.0) & (t <= 0x1p20);
}

/* |z|^2 is far from overflow and from denormals. */
CTM bool ctm_near_size_f64(ct_c128 z)
{
    double square = z.re * z.re + z.im * z.im;
    return (square >= 0x1p-900) & (square <= 0x1p900);
}

/* Base and exponent of a power for which ctm_near_axes is true. */
CTM bool ctm_near_power_f64(ct_c128 a, ct_c128 b)
{
    double square = a.re * a.re + a.im * a.im;
    double re = ctm_abs_f64(b.re), im = ctm_abs_f64(b.im);
    return (square >= 0x1p-40) & (square <= 0x1p40) & (re <= 8.0) & (im <= 8.0);
}

/* ---- parts ---- */

CTM ct_c128 ctm_of_parts(double re, double im)
{
    ct_c128 z;
    z.re = re;
    z.im = im;
    return z;
}

/* cos(x) + i sin(x) if ctm_narrow_f64(x). Error below 0.8 ULP in each part. */
CTM ct_c128 ctm_circle_f64(double x)
{
    double z = ctm_fma_f64(x, 0x1.45f306dc9c883p-1, CTM_SHIFT_F64);
    ctm_pair_f64 r = ctm_less_pi_f64(x, 0.5 * (z - CTM_SHIFT_F64));
    uint64_t turn = ctm_bits_f64(z);
    double s = ctm_sin_quarter_f64(r), c = ctm_cos_quarter_f64(r);
    double sine = (turn & 1u) != 0u ? c : s, cosine = (turn & 1u) != 0u ? s : c;
    uint64_t flip_sine = (turn << 62) & 0x8000000000000000u;
    uint64_t flip_cosine = ((turn + 1u) << 62) & 0x8000000000000000u;
    sine = ctm_f64_of_bits(ctm_bits_f64(sine) ^ flip_sine);
    return ctm_of_parts(ctm_f64_of_bits(ctm_bits_f64(cosine) ^ flip_cosine), x == 0.0 ? x : sine);
}

/* cosh(x) + i sinh(x) for |x| <= 300. Error below 2.3 ULP in each part. */
CTM ct_c128 ctm_hyperbola_f64(double x)
{
    double m = ctm_expm1_f64(ctm_abs_f64(x)), e = m + 1.0, inverse = 1.0 / e;
    return ctm_of_parts(0.5 * (e + inverse), ctm_copysign_f64(0.5 * (m + m * inverse), x));
}

/* a^2 = high + low exactly, for |a| between 2^-450 and 2^450 (Dekker). */
CTM double ctm_square_pair_f64(double a, double *low)
{
    double c = a * 0x1.0000002p27, head = c - (c - a), tail = a - head;
    double square = a * a;
    *low = ((head * head - square) + 2.0 * head * tail) + tail * tail;
    return square;
}

/* log |z| = log(x^2 + y^2) / 2, or near 1 log(1 + d) / 2 with d = x^2 + y^2 - 1 computed without
 * cancellation. */
CTM double ctm_log_size_f64(double x, double y)
{
    double a = ctm_abs_f64(x), b = ctm_abs_f64(y);
    double large = a > b ? a : b, small = a > b ? b : a, low_large, low_small;
    double p = ctm_square_pair_f64(large, &low_large), q = ctm_square_pair_f64(small, &low_small);
    double sum = p + q;
    bool near = (sum > 0.5) & (sum < 2.0);
    double over = p - 1.0, over_low = (p - over) - 1.0; /* exact: 1/4 < p < 2 */
    double d = over + q, q_seen = d - over;
    double d_low = (over - (d - q_seen)) + (q - q_seen);
    d += d_low + (over_low + (low_large + low_small));
    double u = near ? 1.0 + d : sum;
    double lost = near ? (d < 1.0 ? d - (u - 1.0) : 1.0 - (u - d)) : 0.0;
    ctm_logred_f64 r = ctm_log_reduce_f64(u);
    return 0.5 * ctm_log_finish_f64(r.e, r.f, lost / u);
}

/* log |1 + z|, near 1 as log(1 + d) / 2 with d = 2 x + x^2 + y^2 computed without cancellation. A
 * zero has the sign of x. */
CTM double ctm_log1p_size_f64(double x, double y)
{
    double p_low, q_low, p = ctm_square_pair_f64(x, &p_low), q = ctm_square_pair_f64(y, &q_low);
    double t = 2.0 * x + q, q_seen = t - 2.0 * x, u = t + p, p_seen = u - t;
    double lost = (2.0 * x - (t - q_seen)) + (q - q_seen) + (t - (u - p_seen)) + (p - p_seen);
    double d = u + (lost + (p_low + q_low));
    double near = ((d == 0.0) & (x == 0.0)) ? x : 0.5 * ctm_log1p_f64(d);
    return ((d > -0.5) & (d < 1.0)) ? near : ctm_log_f64(ctm_hypot_f64(x + 1.0, y));
}

/* ---- functions ---- */

/* Error below 2 ULP of each part itself. */
CTM ct_c128 ctm_exp_near_c128(ct_c128 z)
{
    double size = ctm_exp_f64(z.re);
    ct_c128 turn = ctm_circle_f64(z.im);
    return ctm_of_parts(size * turn.re, size * turn.im);
}

/* Error below 2 ULP of each part itself. */
CTM ct_c128 ctm_log_near_c128(ct_c128 z)
{
    return ctm_of_parts(ctm_log_size_f64(z.re, z.im), ctm_atan2_f64(z.im, z.re));
}

/* Computes first the part without cancellation, and the other by a quotient; at 0, zeros with the
 * sign of y. Error below 2 ULP of each part itself. */
CTM ct_c128 ctm_sqrt_near_c128(ct_c128 z)
{
    double size = ctm_sqrt_f64(z.re * z.re + z.im * z.im);
    double t = ctm_sqrt_f64(0.5 * (ctm_abs_f64(z.re) + size)), half = 0.5 * ctm_abs_f64(z.im);
    double other = t == 0.0 ? 0.0 : half / t;
    double re = z.re < 0.0 ? other : t, im = z.re < 0.0 ? t : other;
    return ctm_of_parts(re, ctm_copysign_f64(im, z.im));
}

/* Errors of the circular and hyperbolic functions: below 4 ULP of each part itself. */
CTM ct_c128 ctm_sinh_near_c128(ct_c128 z)
{
    ct_c128 h = ctm_hyperbola_f64(z.re), c = ctm_circle_f64(z.im);
    return ctm_of_parts(h.im * c.re, h.re * c.im);
}

CTM ct_c128 ctm_cosh_near_c128(ct_c128 z)
{
    ct_c128 h = ctm_hyperbola_f64(z.re), c = ctm_circle_f64(z.im);
    return ctm_of_parts(h.re * c.re, h.im * c.im);
}

/* (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y). */
CTM ct_c128 ctm_tanh_near_c128(ct_c128 z)
{
    ct_c128 h = ctm_hyperbola_f64(z.re), c = ctm_circle_f64(z.im);
    double scale = h.im * h.im + c.re * c.re;
    return ctm_of_parts(h.im * h.re / scale, c.im * c.re / scale);
}

/* sin z = -i sinh iz, cos z = cosh iz, tan z = -i tanh iz. */
CTM ct_c128 ctm_sin_near_c128(ct_c128 z)
{
    ct_c128 y = ctm_sinh_near_c128(ctm_of_parts(z.im, z.re));
    return ctm_of_parts(y.im, y.re);
}

CTM ct_c128 ctm_cos_near_c128(ct_c128 z)
{
    return ctm_cosh_near_c128(ctm_of_parts(-z.im, z.re));
}

CTM ct_c128 ctm_tan_near_c128(ct_c128 z)
{
    ct_c128 y = ctm_tanh_near_c128(ctm_of_parts(z.im, z.re));
    return ctm_of_parts(y.im, y.re);
}

/* e^(b log a): the error of the logarithm is multiplied by |b|. */
CTM ct_c128 ctm_pow_near_c128(ct_c128 a, ct_c128 b)
{
    ct_c128 y = ctm_log_near_c128(a);
    return ctm_exp_near_c128(ctm_of_parts(b.re * y.re - b.im * y.im, b.re * y.im + b.im * y.re));
}

#endif
