/* SPDX-License-Identifier: BSD-3-Clause */
/* The logarithm of the gamma function and its first two derivatives: lgamma, digamma, trigamma.
 *
 * Asymptotic series for x >= 8; smaller arguments are moved there by the recurrence (DLMF 5.11).
 * Polynomials interpolate at Chebyshev points, computed to 60 digits. Branch-free. float32 computes
 * in double. Called by the generated loops and by zeta.h. */
#ifndef CORTEN_MATH_GAMMA_H
#define CORTEN_MATH_GAMMA_H

#include "basic.h"
#include "exp.h"
#include "log.h"
#include "trig.h"
#include "types.h"

/* The remainder of Stirling's formula, times x, for x >= 8, as a polynomial in 1 / x^2; absolute
 * error 2^-60 / x. */
static const double ctm_stirling[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c149f4p-9,  0x1.a01a017dcf9e1p-11, -0x1.38134d4f8896fp-11,
    0x1.b92c33f9445e5p-11, -0x1.ef8d748aeb0f2p-10, 0x1.4bffc9d8b455bp-8,
};

/* Whether the short form of ctm_lgamma is valid. */
CTM bool ctm_not_left_f64(double x)
{
    return !(x <= 0.0);
}

CTM bool ctm_not_left_f32(float x)
{
    return !(x <= 0.0f);
}

/* lgamma(x) / ((x - 1) (x - 2)) is 0x1.b0ee6072093cep-2 + (x - 2) p(x - 2) for 1 <= x <= 3;
 * relative error 2^-57. */
static const double ctm_lgamma_middle[] = {
    -0x1.9ae6509ea109ep-4,  0x1.0e0c9df2935d8p-5,  -0x1.95ce223a9d2e7p-7,  0x1.47974853952aap-8,
    -0x1.145121f954172p-9,  0x1.dfebcf9f0b5b5p-11, -0x1.a96a403c6923cp-12, 0x1.7ed730445e96ap-13,
    -0x1.5c86aefcc42f9p-14, 0x1.402f7bc7139b9p-15, -0x1.28511b5a9b8a5p-16, 0x1.13db9760e7d1cp-17,
    -0x1.02225f484173fp-18, 0x1.e64447d7aae5ap-20, -0x1.cb4da84a99c34p-21, 0x1.a8e2a4bb46f63p-22,
    -0x1.8f9079e2c1ac9p-23, 0x1.c0ab8f0c482bep-24, -0x1.bfc961e77f59ap-25, 0x1.8591a665c5600p-28,
    -0x1.844453b47d617p-31, 0x1.18b429d7cc832p-26, -0x1.3528984e534f1p-27, -0x1.2bd257da7ca5ap-28,
    0x1.557f6f1fb571ap-29,  0x1.b2fac949817abp-30, -0x1.c380f519e3c36p-31,
};

/* lgamma(x) for 0 < x < 8 is b + part + log(passed + low), and if x < 1 minus log(x). Exact steps
 * of 1 move the argument to 1 <= c < most, where most is 5/2 or 3. `passed` is the product of the
 * arguments on the way, `low` its rounding error. b is (c - 1) (c - 2) times 1/2, or 3/8 if c >= 2,
 * the main part of lgamma(c), and `part` is the rest. */
typedef struct {
    double passed, low, b, part;
} ctm_lgamma_steps_f64;

CTM double ctm_lgamma_one_step_f64(ctm_lgamma_steps_f64 *l, double c, double most)
{
    double before = c - 1.0, next = l->passed * before;
    double lost = ctm_fma_f64(l->low, before, ctm_product_rest_f64(l->passed, before, next));
    l->low = c >= most ? lost : l->low;
    l->passed = c >= most ? next : l->passed;
    return c >= most ? before : c;
}

CTM ctm_lgamma_steps_f64 ctm_lgamma_step_down_f64(double x, double most)
{
    ctm_lgamma_steps_f64 l = {1.0, 0.0, 0.0, 0.0};
    double c = x >= 8.0 ? 2.0 : x;
    CTM_UNROLL
    for (int k = 0; k < 5; k++)
        c = ctm_lgamma_one_step_f64(&l, c, most);
    c = most < 3.0 ? ctm_lgamma_one_step_f64(&l, c, most) : c;
    double y = x < 1.0 ? x - 1.0 : c - 2.0, other = x < 1.0 ? x : c - 1.0;
    double m = y * other, m_low = ctm_product_rest_f64(y, other, m);
    bool right = y >= 0.0;
    double less = right ? -0.125 * m : 0.0, half = 0.5 * m;
    double first = right ? 0x1.8773039049e7p-5 : -0x1.3c467e37db0c8p-4; /* without 3/8 or 1/2 */
    double p = ctm_fma_f64(CTM_HORNER(ctm_lgamma_middle, y), y, first);
    l.b = half + less;
    l.part = ctm_fma_f64(m, p, (less - (l.b - half)) + (right ? 0.375 : 0.5) * m_low);
    return l;
}

/* lgamma(x) for x >= 8 as a sum of two numbers, from log(x) = head + rest. */
CTM double ctm_lgamma_far_f64(double x, double head, double rest, double *low)
{
    double n = x - 0.5, log_high = (head - 1.0) + rest, log_low = rest - (log_high - (head - 1.0));
    double inverse = 1.0 / x, tail = CTM_HORNER(ctm_stirling, inverse * inverse) * inverse;
    double y = n * log_high, more = ctm_fma_f64(n, log_low, 0x1.acfe390c97d69p-2 + tail);
    *low = y < CTM_INF_F64 ? ctm_product_rest_f64(n, log_high, y) + more : 0.0;
    return y;
}

/* log Gamma(x) for x > 0. The parts are added with their rounding errors, so that little is lost
 * where they cancel, and nothing at the zeros, 1 and 2. Error below 0.7 ULP. */
CTM_LONG double ctm_lgamma_f64(double x)
{
    bool far = x >= 8.0, under = x < 1.0;
    ctm_lgamma_steps_f64 l = ctm_lgamma_step_down_f64(x, 3.0);
    double of = (far | under) ? x : l.passed, scaled = of < 0x1p-1022 ? of * 0x1p54 : of;
    ctm_logred_f64 r = ctm_log_reduce_f64(scaled);
    double rest, e = r.e + (of < 0x1p-1022 ? -54.0 : 0.0);
    double head = ctm_log_parts_f64(e, r.f, 0.0, &rest);
    double a = under ? -head : head, near = a + l.b, seen = near - a;
    double near_low = ((a - (near - seen)) + (l.b - seen)) + (l.part + (under ? -rest : rest));
    double big_low, big = ctm_lgamma_far_f64(x, head, rest, &big_low);
    return far ? big + big_low : near + near_low;
}

CTM float ctm_lgamma_f32(float x)
{
    return (float)ctm_lgamma_f64((double)x);
}

/* sin(pi x) / x for |x| <= 1/2 in x^2; relative error 2^-61. */
static const double ctm_sinpi_sum[] = {
    0x1.921fb54442d18p+1,  -0x1.4abbce625be52p+2,  0x1.466bc6775aa6ep+1,
    -0x1.32d2cce627543p-1, 0x1.5078348519125p-4,   -0x1.e3074ddd1fb3dp-8,
    0x1.e8f35e9dd8eadp-12, -0x1.6f79771a369ddp-16, 0x1.9d1b87b21cbccp-21,
};

/* lgamma(z + d) / d for |d| <= 2^-8, z the zeros at -2.46 and -2.75; relative error 2^-35. */
static const double ctm_lgamma_zero_right[] = {
    0x1.83fe966af5327p+0, 0x1.36eebafe3eccbp+2, 0x1.694a606ce9d19p+0,
    0x1.171cb8d737fcep+3, 0x1.733a8fdb4a19fp+2,
};
static const double ctm_lgamma_zero_left[] = {
    -0x1.ea12da904ad7ap+0, 0x1.3267f3a91f187p+3,  -0x1.4185ac2686c13p+4,
    0x1.f51df308852e1p+5,  -0x1.85999e8d45f71p+7,
};

/* For x < 0 by the reflection log(pi / |x sin(pi x)|) - lgamma(|x|), in double. That is accurate
 * enough near the zeros, too, except the first two, where the slope is smallest. Error below 0.51
 * ULP. */
CTM float ctm_lgamma_wide_f32(float x)
{
    double a = ctm_abs_f64((double)x), right = ctm_lgamma_f64(a);
    double part = a - ctm_round_f64(a);
    double wave = ctm_abs_f64(part * CTM_HORNER(ctm_sinpi_sum, part * part));
    double left = ctm_log_f64(0x1.921fb54442d18p1 / (a * wave)) - right;
    bool first = a < 2.6;
    double d = ((first ? 0x1.3a7fc9600f86cp+1 : 0x1.5fb410a1bd901p+1) - a) +
               (first ? 0x1.55f64f98af8dp-55 : -0x1.a19a96d2e6f85p-54);
    double slope =
        first ? CTM_HORNER(ctm_lgamma_zero_right, d) : CTM_HORNER(ctm_lgamma_zero_left, d);
    left = ctm_abs_f64(d) < 0x1p-8 ? d * slope : left;
    left = ((a == 0.0) | (a == CTM_INF_F64)) ? CTM_INF_F64 : left;
    return (float)(x > 0.0f ? right : left);
}

/* (1 - sin(pi p) / (pi p)) / p^2 is pi^2 / 6 - z r(z) in z = p^2. */
static const double ctm_sinpi_rest[] = {
    0x1.9f9cb402bc46cp-1,  -0x1.86a8e4720db67p-3,  0x1.ac6805cf350a6p-6,  -0x1.33816aa4607abp-9,
    0x1.374719fab3915p-13, -0x1.d42498d1ce099p-18, 0x1.0fc992ff39e13p-22, -0x1.f5f9d970ca6dfp-28,
    0x1.79788684225eap-33, -0x1.d7353939082fep-39,
};

/* u |sin(pi a)| / pi as a sum of two numbers, for 2^-60 <= a < 2^52; relative error 2^-58. */
CTM double ctm_sinpi_times_f64(double a, double u, double *low)
{
    double p = ctm_abs_f64(a - ctm_round_f64(a)), z = p * p, z_low = ctm_product_rest_f64(p, p, z);
    double r = CTM_HORNER(ctm_sinpi_rest, z), less = z * r, first = 0x1.a51a6625307d3p0;
    double q = first - less, q_low = (first - q) - less + 0x1.1873d8912200cp-55, t = z * q;
    q_low -= ctm_product_rest_f64(z, r, less);
    double t_low = ctm_product_rest_f64(z, q, t) + ctm_fma_f64(z, q_low, z_low * q);
    double s = 1.0 - t, s_low = ((1.0 - s) - t) - t_low;
    double v = u * p, v_low = ctm_product_rest_f64(u, p, v), y = v * s;
    *low = ctm_product_rest_f64(v, s, y) + ctm_fma_f64(v, s_low, v_low * s);
    return y;
}

/* log(x + low) for normal x as a sum of two numbers, like ctm_log_parts_f64 but with f^2 / 2 to
 * twice the precision; absolute error 2^-57. */
CTM double ctm_log_fine_f64(double x, double low, double *rest)
{
    ctm_logred_f64 r = ctm_log_reduce_f64(x);
    double square = r.f * r.f, half = 0.5 * square;
    double tail = ctm_log_tail_f64(r.f) + ctm_fma_f64(r.e, 0x1.a39ef35793c76p-33, low / x);
    double high = r.e * 0x1.62e42feep-1, t = high + r.f, t_low = r.f - (t - high);
    double u = t - half, seen = u - t, u_low = (t - (u - seen)) - (half + seen);
    *rest = u_low + (t_low + (tail - 0.5 * ctm_product_rest_f64(r.f, r.f, square)));
    return u;
}

/* lgamma(z + d) / d for |d| <= 1/16, z the zeros at -2.46 and -2.75, without terms below one ulp of
 * the first coefficient; relative error 2^-56. */
static const double ctm_lgamma_zeros[2][19] = {
    {0x1.83fe966af535fp+0, 0x1.36eebb002f55dp+2, 0x1.694a6058a722cp+0, 0x1.1718d7ca09c8ap+3,
     0x1.7339fe063cf76p+2, 0x1.8d32f683924c4p+4, 0x1.809f029fb6da7p+4, 0x1.48eaa6ba8e589p+6,
     0x1.929952554f457p+6, 0x1.2870b07842612p+8, 0x1.a894ab7d3aa03p+8, 0x1.1a42faeb682d1p+10,
     0x1.e05cb1342820dp+10, 0x1.28b03a535f2f2p+12, 0.0, 0.0, 0.0, 0.0, 0.0},
    {-0x1.ea12da904b18cp+0, 0x1.3267f3c265a52p+3, -0x1.4185ac30c8bf3p+4, 0x1.f504accc9e9d8p+5,
     -0x1.8588458207757p+7, 0x1.4373f7ccf8e71p+9, -0x1.12239bddecc49p+11, 0x1.dba65d9f7afefp+12,
     -0x1.a2d24fcd391e4p+14, 0x1.7581982d6ab76p+16, -0x1.506c8883c1c9cp+18, 0x1.318933aa1e386p+20,
     -0x1.1771008e5d934p+22, 0x1.01aa110a3e98fp+24, -0x1.dc93d8d7fc8f0p+25, 0x1.aa220d1dc822ep+27,
     -0x1.8d3235834d7e7p+29, 0x1.f81cafa6b81b0p+31, -0x1.d9dcc66f68179p+33},
};

/* lgamma(-a) near one of these zeros; *d is the distance to it. */
CTM double ctm_lgamma_near_zero_f64(double a, double *d)
{
    bool right = a < 2.6;
    *d = ((right ? 0x1.3a7fc9600f86cp+1 : 0x1.5fb410a1bd901p+1) - a) +
         (right ? 0x1.55f64f98af8dp-55 : -0x1.a19a96d2e6f85p-54);
    double p = 0.0, low = right ? -0x1.ecc99f16a22f3p-56 : -0x1.220130f99b2cfp-54;
    CTM_UNROLL
    for (int k = 18; k > 1; k--)
        p = ctm_fma_f64(p, *d, right ? ctm_lgamma_zeros[0][k] : ctm_lgamma_zeros[1][k]);
    double first = right ? ctm_lgamma_zeros[0][0] : ctm_lgamma_zeros[1][0];
    double second = right ? ctm_lgamma_zeros[0][1] : ctm_lgamma_zeros[1][1], t = *d * second;
    double slope = first + t, rest = ctm_product_rest_f64(*d, second, t) + *d * (*d * p);
    rest += (t - (slope - first)) + low;
    double y = *d * slope;
    return y + ctm_fma_f64(*d, rest, ctm_product_rest_f64(*d, slope, y));
}

/* For x < 0 by the reflection -log(|x sin(pi x)| / pi) - lgamma(|x|), with one logarithm for all
 * arguments that are not far from 0. Error below 1.5 ULP, but 2^-53 near the zeros below -3. */
CTM double ctm_lgamma_wide_f64(double x)
{
    double a = ctm_abs_f64(x), right = ctm_lgamma_f64(a);
    bool tiny = a < 0x1p-60, whole = a == ctm_round_f64(a), far = a >= 8.0;
    double c = (tiny | whole) ? 0.5 : a, v_low,
           v = ctm_sinpi_times_f64(c, c < 1.0 ? 1.0 : c, &v_low);
    ctm_lgamma_steps_f64 l = ctm_lgamma_step_down_f64(c, 2.5);
    double w = v * l.passed;
    double w_low = ctm_product_rest_f64(v, l.passed, w) + ctm_fma_f64(v, l.low, v_low * l.passed);
    double rest, head = ctm_log_fine_f64(w, w_low, &rest);
    double own_rest, own = ctm_log_fine_f64(c, 0.0, &own_rest);
    double big_low, big = ctm_lgamma_far_f64(c, own, own_rest, &big_low);
    double more = far ? big : l.b, sum = head + more, seen = sum - head;
    double low = (head - (sum - seen)) + (more - seen) + (rest + (far ? big_low : l.part));
    double d, near = ctm_lgamma_near_zero_f64(a, &d), left = -(sum + low);
    left = ctm_abs_f64(d) < 0.0625 ? near : left;
    left = whole ? CTM_INF_F64 : left;
    return ((x > 0.0) | (tiny & !whole)) ? right : left;
}

/* (log x - 1 / (2 x) - psi(x)) x^2 for x >= 8 in 1 / x^2. */
static const double ctm_digamma_far[] = {
    0x1.5555555555555p-4, -0x1.1111111110d4fp-7, 0x1.0410410195bbfp-8, -0x1.11110c0ff8839p-8,
    0x1.f077209c326cp-8,  -0x1.58e68c895ad5bp-6, 0x1.47c69710dec6fp-4, -0x1.329c9079bcef2p-2,
};

/* psi(x) / (x - x0), x0 the zero at 1.46, for 1 <= x <= 2 in x - 3/2; relative error 2^-52.7. */
static const double ctm_digamma_zero[] = {
    0x1.e6f0cbb873616p-1,  -0x1.b1cb63005ee5dp-2,  0x1.eca189b8e6f1ep-3,  -0x1.2feeeb98b027p-3,
    0x1.8512e5904479bp-4,  -0x1.fb44201e7cc15p-5,  0x1.4de9aa0fb5a4fp-5,  -0x1.b9f8b4ba2e5f5p-6,
    0x1.256473e20cb08p-6,  -0x1.8634c5eab0574p-7,  0x1.03c04453f4083p-7,  -0x1.5a16d9f65315cp-8,
    0x1.cd35ac17ad344p-9,  -0x1.326340580e90ap-9,  0x1.9870a33254ba1p-10, -0x1.1a824f512c76fp-10,
    0x1.78a77705bb558p-11, -0x1.73ff1b7f004e4p-12, 0x1.effae48161573p-13, -0x1.8cc58112556c6p-12,
    0x1.088345f73d8a7p-12,
};

/* psi(x) for x >= 0. For 3 <= x < 8 the recurrence moves the argument to 8 or beyond, with the sum
 * of 1 / (x + k) as one quotient; for x < 3 one step moves it to [1, 2], where the zero is. */
CTM double ctm_digamma_right_f64(double x)
{
    double c = x < 8.0 ? x : 1.0, top = 1.0, bottom = c;
    CTM_UNROLL
    for (int k = 1; k < 5; k++) {
        top = ctm_fma_f64(top, c + k, bottom);
        bottom *= c + k;
    }
    double less = x < 8.0 ? top / bottom : 0.0;
    double far = x < 8.0 ? x + 5.0 : x;
    double inverse = 1.0 / far, z = inverse * inverse;
    double tail = ctm_fma_f64(CTM_HORNER(ctm_digamma_far, z), z, 0.5 * inverse);
    double y = (ctm_log_f64(far) - tail) - less;
    double w = x < 1.0 ? x + 1.0 : x > 2.0 ? x - 1.0 : x; /* in [1, 2] */
    double step = 1.0 / (x < 1.0 ? -x : x - 1.0);
    double zero = (w - 0x1.762d86356be3fp0) - 0x1.b86a722197829p-54;
    double near = zero * CTM_HORNER(ctm_digamma_zero, w - 1.5) + (w == x ? 0.0 : step);
    return x <= 3.0 ? near : y;
}

/* psi(x). Error below 7 ULP, but 2^-51 near the zeros below 0. At 0 it is infinite with the
 * opposite sign; at the other poles NaN. */
CTM_LONG double ctm_digamma_f64(double x)
{
    double pi = 0x1.921fb54442d18p1, part = x - ctm_trunc_f64(x);
    double right = ctm_digamma_right_f64(x < 0.0 ? 1.0 - x : x);
    double left = right - pi / ctm_tan_f64(pi * part);
    left = part != 0.0 ? left : CTM_NAN_F64; /* an integer */
    return x < 0.0 ? left : right;
}

CTM float ctm_digamma_f32(float x)
{
    return (float)ctm_digamma_f64((double)x);
}

/* (psi'(x) - 1 / x - 1 / (2 x^2)) x^3 for x >= 8 in 1 / x^2. */
static const double ctm_trigamma_far[] = {
    0x1.5555555555555p-3, -0x1.11111111100fbp-5, 0x1.8618617b7b459p-6, -0x1.1111065760cp-5,
    0x1.36483713ee3aep-4, -0x1.0273c0acea2e4p-2, 0x1.1bff07a3b5495p+0, -0x1.24d1c876e87ffp+2,
};

/* psi'(x) for x > 0, with the sum of 1 / (x + k)^2 as one quotient. Error below 4 ULP. */
CTM double ctm_trigamma_f64(double x)
{
    double c = x < 8.0 ? x : 1.0, top = 1.0, bottom = c * c;
    CTM_UNROLL
    for (int k = 1; k < 8; k++) {
        double w = (c + k) * (c + k);
        top = ctm_fma_f64(top, w, bottom);
        bottom *= w;
    }
    double more = x < 8.0 ? top / bottom : 0.0;
    double inverse = 1.0 / (x < 8.0 ? x + 8.0 : x), z = inverse * inverse;
    double tail = ctm_fma_f64(CTM_HORNER(ctm_trigamma_far, z), z * inverse, 0.5 * z);
    return (tail + inverse) + more;
}

#endif
