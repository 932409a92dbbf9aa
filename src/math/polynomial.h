/* SPDX-License-Identifier: BSD-3-Clause */
/* Orthogonal polynomials of a degree that is itself an element: Chebyshev of four kinds, plain and
 * shifted to [0, 1], Hermite of two kinds, Laguerre, Legendre.
 *
 * By their recurrences (DLMF 18.9), each in its own type, so that overflow is PyTorch's;
 * Chebyshev's of higher degrees between -1 and 1 by their angle. A degree loses its fraction and is
 * below 0 where it is NaN; polynomials of such degrees are 0. Errors grow with the degree. Called,
 * not inlined; called by the generated loops. */
#ifndef CORTEN_MATH_POLYNOMIAL_H
#define CORTEN_MATH_POLYNOMIAL_H

#include "basic.h"
#include "cast.h"
#include "trig.h"
#include "types.h"

/* ---- float32 ---- */

/* r = 2 y q - p from p = 1 and q, the first degree; nothing changes any more once q is NaN. */
CTM float ctm_chebyshev_steps_f32(float y, float q, int64_t n)
{
    float p = 1.0f;
    if (n == 0)
        return p;
    for (int64_t k = 2; k <= n && q == q; k++) {
        float r = (y + y) * q - p;
        p = q;
        q = r;
    }
    return q;
}

/* The four kinds at y; n >= 0. Ends where |y| is 1 exactly; by the angle beyond degree `most`. */
CTM float ctm_chebyshev_t_at_f32(float y, int64_t n, int64_t most)
{
    if (ctm_abs_f32(y) == 1.0f)
        return y > 0.0f || n % 2 == 0 ? 1.0f : -1.0f;
    if (n > most && ctm_abs_f32(y) < 1.0f)
        return ctm_cos_wide_f32((float)n * ctm_acos_f32(y));
    return ctm_chebyshev_steps_f32(y, y, n);
}

CTM float ctm_chebyshev_u_at_f32(float y, int64_t n, int64_t most)
{
    float count = (float)(n + 1);
    if (ctm_abs_f32(y) == 1.0f)
        return y > 0.0f || n % 2 == 0 ? count : -count;
    if (n > most && ctm_abs_f32(y) < 1.0f) {
        float angle = ctm_acos_f32(y), s = ctm_sin_wide_f32(angle);
        return s != 0.0f ? ctm_sin_wide_f32(count * angle) / s
                         : count * ctm_cos_wide_f32(count * angle) / y;
    }
    return ctm_chebyshev_steps_f32(y, y + y, n);
}

CTM float ctm_chebyshev_v_at_f32(float y, int64_t n, int64_t most)
{
    float count = (float)(n + n + 1);
    float low = n % 2 == 0 ? count : -count;
    if (ctm_abs_f32(y) == 1.0f)
        return y > 0.0f ? 1.0f : low;
    if (n > most && ctm_abs_f32(y) < 1.0f) {
        float angle = ctm_acos_f32(y), half = 0.5f * angle;
        float wave = ctm_cos_wide_f32(((float)n + 0.5f) * angle) / ctm_cos_wide_f32(half);
        return ctm_sin_wide_f32(half) != 1.0f ? wave : low;
    }
    return ctm_chebyshev_steps_f32(y, y + y - 1.0f, n);
}

CTM float ctm_chebyshev_w_at_f32(float y, int64_t n, int64_t most)
{
    float count = (float)(n + n + 1);
    float end = y > 0.0f ? count : n % 2 == 0 ? 1.0f : -1.0f;
    if (ctm_abs_f32(y) == 1.0f)
        return end;
    if (n > most && ctm_abs_f32(y) < 1.0f) {
        float angle = ctm_acos_f32(y), half = 0.5f * angle;
        float wave = ctm_sin_wide_f32(((float)n + 0.5f) * angle) / ctm_sin_wide_f32(half);
        return ctm_cos_wide_f32(half) != 1.0f ? wave : end;
    }
    return ctm_chebyshev_steps_f32(y, y + y + 1.0f, n);
}

/* The degree of a polynomial, without its fraction; -1 for NaN and whatever no integer holds. */
CTM int64_t ctm_degree_f32(float n)
{
    return n > -1.0f && n < 9000000000000000000.0f ? ctm_i64_from_f32(n) : -1;
}

CTM_CALLED float ctm_chebyshev_polynomial_t_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_t_at_f32(x, n, 6);
}

CTM_CALLED float ctm_shifted_chebyshev_polynomial_t_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_t_at_f32(x + x - 1.0f, n, 6);
}

CTM_CALLED float ctm_chebyshev_polynomial_u_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_u_at_f32(x, n, 8);
}

CTM_CALLED float ctm_shifted_chebyshev_polynomial_u_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_u_at_f32(x + x - 1.0f, n, 6);
}

CTM_CALLED float ctm_chebyshev_polynomial_v_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_v_at_f32(x, n, 8);
}

CTM_CALLED float ctm_shifted_chebyshev_polynomial_v_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_v_at_f32(x + x - 1.0f, n, 6);
}

CTM_CALLED float ctm_chebyshev_polynomial_w_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_w_at_f32(x, n, 8);
}

CTM_CALLED float ctm_shifted_chebyshev_polynomial_w_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    return n < 0 ? 0.0f : ctm_chebyshev_w_at_f32(x + x - 1.0f, n, 4);
}

/* Beyond degree 128 PyTorch gives up: NaN. */
CTM_CALLED float ctm_hermite_polynomial_h_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    float p = 1.0f, q = x + x;
    if (n <= 0)
        return n == 0 ? 1.0f : 0.0f;
    if (n > 128)
        return CTM_NAN_F32;
    for (int64_t k = 2; k < n + n; k += 2) {
        float r = (x + x) * q - (float)k * p;
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED float ctm_hermite_polynomial_he_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    float p = 1.0f, q = x;
    if (n <= 0)
        return n == 0 ? 1.0f : 0.0f;
    if (n > 128)
        return CTM_NAN_F32;
    for (int64_t k = 1; k < n; k++) {
        float r = x * q - (float)k * p;
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED float ctm_laguerre_polynomial_l_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    float p = 1.0f, q = 1.0f - x;
    if (n <= 0 || x == 0.0f)
        return n >= 0 ? 1.0f : 0.0f;
    for (int64_t k = 1; k < n && q == q; k++) {
        float r = (((float)(k + k) + (1.0f - x)) * q - (float)k * p) / (float)(k + 1);
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED float ctm_legendre_polynomial_p_f32(float x, float degree)
{
    int64_t n = ctm_degree_f32(degree);
    float p = 1.0f, q = x;
    if (n <= 0)
        return n == 0 ? 1.0f : 0.0f;
    if (ctm_abs_f32(x) == 1.0f)
        return x > 0.0f || n % 2 == 0 ? 1.0f : -1.0f;
    for (int64_t k = 1; k < n && q == q; k++) {
        float r = ((float)(k + k + 1) * x * q - (float)k * p) / (float)(k + 1);
        p = q;
        q = r;
    }
    return q;
}

/* ---- float64 ---- */

/* r = 2 y q - p from p = 1 and q, the first degree; nothing changes any more once q is NaN. */
CTM double ctm_chebyshev_steps_f64(double y, double q, int64_t n)
{
    double p = 1.0;
    if (n == 0)
        return p;
    for (int64_t k = 2; k <= n && q == q; k++) {
        double r = (y + y) * q - p;
        p = q;
        q = r;
    }
    return q;
}

/* The four kinds at y; n >= 0. Ends where |y| is 1 exactly; by the angle beyond degree `most`. */
CTM double ctm_chebyshev_t_at_f64(double y, int64_t n, int64_t most)
{
    if (ctm_abs_f64(y) == 1.0)
        return y > 0.0 || n % 2 == 0 ? 1.0 : -1.0;
    if (n > most && ctm_abs_f64(y) < 1.0)
        return ctm_cos_wide_f64((double)n * ctm_acos_f64(y));
    return ctm_chebyshev_steps_f64(y, y, n);
}

CTM double ctm_chebyshev_u_at_f64(double y, int64_t n, int64_t most)
{
    double count = (double)(n + 1);
    if (ctm_abs_f64(y) == 1.0)
        return y > 0.0 || n % 2 == 0 ? count : -count;
    if (n > most && ctm_abs_f64(y) < 1.0) {
        double angle = ctm_acos_f64(y), s = ctm_sin_wide_f64(angle);
        return s != 0.0 ? ctm_sin_wide_f64(count * angle) / s
                        : count * ctm_cos_wide_f64(count * angle) / y;
    }
    return ctm_chebyshev_steps_f64(y, y + y, n);
}

CTM double ctm_chebyshev_v_at_f64(double y, int64_t n, int64_t most)
{
    double count = (double)(n + n + 1);
    double low = n % 2 == 0 ? count : -count;
    if (ctm_abs_f64(y) == 1.0)
        return y > 0.0 ? 1.0 : low;
    if (n > most && ctm_abs_f64(y) < 1.0) {
        double angle = ctm_acos_f64(y), half = 0.5 * angle;
        double wave = ctm_cos_wide_f64(((double)n + 0.5) * angle) / ctm_cos_wide_f64(half);
        return ctm_sin_wide_f64(half) != 1.0 ? wave : low;
    }
    return ctm_chebyshev_steps_f64(y, y + y - 1.0, n);
}

CTM double ctm_chebyshev_w_at_f64(double y, int64_t n, int64_t most)
{
    double count = (double)(n + n + 1);
    double end = y > 0.0 ? count : n % 2 == 0 ? 1.0 : -1.0;
    if (ctm_abs_f64(y) == 1.0)
        return end;
    if (n > most && ctm_abs_f64(y) < 1.0) {
        double angle = ctm_acos_f64(y), half = 0.5 * angle;
        double wave = ctm_sin_wide_f64(((double)n + 0.5) * angle) / ctm_sin_wide_f64(half);
        return ctm_cos_wide_f64(half) != 1.0 ? wave : end;
    }
    return ctm_chebyshev_steps_f64(y, y + y + 1.0, n);
}

/* The degree of a polynomial, without its fraction; -1 for NaN and whatever no integer holds. */
CTM int64_t ctm_degree_f64(double n)
{
    return n > -1.0 && n < 9000000000000000000.0 ? ctm_i64_from_f64(n) : -1;
}

CTM_CALLED double ctm_chebyshev_polynomial_t_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_t_at_f64(x, n, 6);
}

CTM_CALLED double ctm_shifted_chebyshev_polynomial_t_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_t_at_f64(x + x - 1.0, n, 6);
}

CTM_CALLED double ctm_chebyshev_polynomial_u_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_u_at_f64(x, n, 8);
}

CTM_CALLED double ctm_shifted_chebyshev_polynomial_u_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_u_at_f64(x + x - 1.0, n, 6);
}

CTM_CALLED double ctm_chebyshev_polynomial_v_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_v_at_f64(x, n, 8);
}

CTM_CALLED double ctm_shifted_chebyshev_polynomial_v_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_v_at_f64(x + x - 1.0, n, 6);
}

CTM_CALLED double ctm_chebyshev_polynomial_w_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_w_at_f64(x, n, 8);
}

CTM_CALLED double ctm_shifted_chebyshev_polynomial_w_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    return n < 0 ? 0.0 : ctm_chebyshev_w_at_f64(x + x - 1.0, n, 4);
}

/* Beyond degree 512 PyTorch gives up: NaN. */
CTM_CALLED double ctm_hermite_polynomial_h_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    double p = 1.0, q = x + x;
    if (n <= 0)
        return n == 0 ? 1.0 : 0.0;
    if (n > 512)
        return CTM_NAN_F64;
    for (int64_t k = 2; k < n + n; k += 2) {
        double r = (x + x) * q - (double)k * p;
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED double ctm_hermite_polynomial_he_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    double p = 1.0, q = x;
    if (n <= 0)
        return n == 0 ? 1.0 : 0.0;
    if (n > 512)
        return CTM_NAN_F64;
    for (int64_t k = 1; k < n; k++) {
        double r = x * q - (double)k * p;
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED double ctm_laguerre_polynomial_l_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    double p = 1.0, q = 1.0 - x;
    if (n <= 0 || x == 0.0)
        return n >= 0 ? 1.0 : 0.0;
    for (int64_t k = 1; k < n && q == q; k++) {
        double r = (((double)(k + k) + (1.0 - x)) * q - (double)k * p) / (double)(k + 1);
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED double ctm_legendre_polynomial_p_f64(double x, double degree)
{
    int64_t n = ctm_degree_f64(degree);
    double p = 1.0, q = x;
    if (n <= 0)
        return n == 0 ? 1.0 : 0.0;
    if (ctm_abs_f64(x) == 1.0)
        return x > 0.0 || n % 2 == 0 ? 1.0 : -1.0;
    for (int64_t k = 1; k < n && q == q; k++) {
        double r = ((double)(k + k + 1) * x * q - (double)k * p) / (double)(k + 1);
        p = q;
        q = r;
    }
    return q;
}

#endif
