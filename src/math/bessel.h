/* SPDX-License-Identifier: BSD-3-Clause */
/* Bessel functions of orders 0 and 1: J and Y are libm's; I, K and their scaled forms are sums of
 * Chebyshev polynomials on two ranges; the spherical j0.
 *
 * Coefficients were computed from the integrals to 45 digits and cut where they fall below 2^-57.
 * Words are called, not inlined (see CTM_CALLED), and float32 computes in double. Error bounds are
 * those of float64; float32 is right to 0.51 ULP wherever the double is not near a zero. Called by
 * the generated loops. */
#ifndef CORTEN_MATH_BESSEL_H
#define CORTEN_MATH_BESSEL_H

#include "basic.h"
#include "exp.h"
#include "log.h"
#include "trig.h"
#include "types.h"

/* The sum of c[k] T_k(t), by Clenshaw's recurrence. */
CTM double ctm_chebyshev_sum_f64(const double *c, int n, double t)
{
    double a = 0.0, b = 0.0, twice = t + t;
    for (int k = n - 1; k > 0; k--) {
        double next = ctm_fma_f64(twice, a, c[k] - b);
        b = a;
        a = next;
    }
    return ctm_fma_f64(t, a, c[0] - b);
}

#define CTM_CHEBYSHEV(c, t) ctm_chebyshev_sum_f64(c, (int)(sizeof(c) / sizeof *(c)), t)

/* ---- I0 and I1 ---- */

/* e^(-3x/4) I0(x) for 0 <= x <= 8, in x / 4 - 1: of nearly one size, so that no digits go. */
static const double ctm_i0_near[] = {
    0x1.824c98116c096p-1,  0x1.eae0546d645afp-4,   0x1.cf40fa6e3c33ap-3,  -0x1.1b3bb518dc608p-4,
    0x1.4eb3a9f96dd56p-5,  -0x1.2220e508dd53dp-6,  0x1.e0039df609d0ep-8,  -0x1.67f87f8c0d8abp-9,
    0x1.f095b7ea89448p-11, -0x1.3bc218ac5994bp-12, 0x1.73e423a6988c9p-14, -0x1.974db8ea0c662p-16,
    0x1.a0735788ef1b2p-18, -0x1.8ef6d06ee10f1p-20, 0x1.6754d04dff532p-22, -0x1.3135bb7d3986dp-24,
    0x1.ea5d43f500c05p-27, -0x1.758b24a5b3c7cp-29, 0x1.0e7d57115735ep-31, -0x1.7534f9451b621p-34,
    0x1.eb9824d3ff12fp-37, -0x1.35afe25c06387p-39, 0x1.75e070c88e0a2p-42, -0x1.b1383a556d852p-45,
    0x1.e288955614d05p-48, -0x1.02b02f495e2e5p-50, 0x1.0b5be4b16bac1p-53, -0x1.0aae924cab8d6p-56,
};

/* e^-x sqrt(x) I0(x) for x >= 8, in 16 / x - 1. */
static const double ctm_i0_far[] = {
    0x1.9be62aca809cbp-2,   0x1.b998ca2e59049p-9,   0x1.20fa378999e52p-14,  0x1.8412bc101c586p-19,
    0x1.b8007d9cd616ep-23,  0x1.8569280d6d56dp-26,  0x1.d2c64a9225b87p-29,  0x1.0f9ccc0f46f75p-31,
    0x1.a24feabe8004fp-37,  -0x1.1511d08397425p-35, -0x1.d0fd7357e7bf2p-37, -0x1.f904303178d66p-40,
    0x1.94347fa268cecp-41,  0x1.b1c8c6b83c073p-42,  0x1.156ff0d5fc545p-46,  -0x1.75d99cf68bb32p-45,
    -0x1.583fe7e65629ap-47, 0x1.12a919094e6d7p-48,  0x1.fee7da3eafb1fp-50,  -0x1.8aee7d908de38p-52,
    -0x1.4600babd21fe4p-52, 0x1.3f3dd076041cdp-55,  0x1.9be1812d98421p-55,  -0x1.646da66119130p-58,
    -0x1.0adb754ca8b19p-57,
};

/* e^(-3x/4) I1(x) / x for 0 <= x <= 8, in x / 4 - 1. */
static const double ctm_i1_near[] = {
    0x1.967db0a2d1939p-3,  -0x1.1c5095d984aa8p-3,  0x1.7bba6ff617723p-4,  -0x1.5276e073bf8a9p-5,
    0x1.267f36617ad41p-6,  -0x1.cae2b18db20edp-8,  0x1.492be4faa4637p-9,  -0x1.b2f2f883ea319p-11,
    0x1.0a1873d7c7971p-12, -0x1.2eb084300102ap-14, 0x1.4155d96dcccf0p-16, -0x1.3f7ce69f7999ap-18,
    0x1.2a7997c8d815ap-20, -0x1.06ce67bc6fa8cp-22, 0x1.b56854d716112p-25, -0x1.58ed4bb1721dep-27,
    0x1.025d33975ae5fp-29, -0x1.707784097a6c6p-32, 0x1.f54b6e2c68087p-35, -0x1.45ed0e1ace762p-37,
    0x1.95cc801f1f1f6p-40, -0x1.e492d89c79bb7p-43, 0x1.15e9b39d35c06p-45, -0x1.32a6f4f7658dcp-48,
    0x1.45ef21847ba81p-51, -0x1.4e206415629d0p-54, 0x1.4ac150f1ab465p-57,
};

/* e^-x sqrt(x) I1(x) for x >= 8, in 16 / x - 1. */
static const double ctm_i1_far[] = {
    0x1.8ea18b55b1514p-2,   -0x1.3fda053fcdb4cp-7,  -0x1.cfd7f804aa9a6p-14, -0x1.048df49ca0373p-18,
    -0x1.0dbfd2e9e5443p-22, -0x1.c415394bb46c1p-26, -0x1.0790b9ad53528p-28, -0x1.334ca5423dd80p-31,
    -0x1.4dcf9d4504c0cp-36, 0x1.1e1a1f1587865p-35,  0x1.f101f653c457bp-37,  0x1.1e7d3f6439fa3p-39,
    -0x1.953e1076ab493p-41, -0x1.cbc458e73e255p-42, -0x1.7a9482e6d22a0p-46, 0x1.80d3c26b3281ep-45,
    0x1.776e1762d31e8p-47,  -0x1.12db5138afbc7p-48, -0x1.0efcd8bc4d22ap-49, 0x1.7d68e5f04a2d1p-52,
    0x1.55915fceb588ap-52,  -0x1.2806c9c773320p-55, -0x1.acea3b2532277p-55, 0x1.45b8aea87b950p-58,
    0x1.1556db352e8e6p-57,
};

/* e^-|x| I0(x). Error below 4 ULP. */
CTM_CALLED double ctm_i0e_f64(double x)
{
    double a = ctm_abs_f64(x);
    if (a <= 8.0)
        return CTM_CHEBYSHEV(ctm_i0_near, 0.25 * a - 1.0) * ctm_exp_f64(-0.25 * a);
    double far = CTM_CHEBYSHEV(ctm_i0_far, 16.0 / a - 1.0) / ctm_sqrt_f64(a);
    return a == CTM_INF_F64 ? 0.0 : far;
}

/* Error below 6 ULP. e^x comes in two factors, of which the first is finite wherever I0 is. */
CTM_CALLED double ctm_i0_f64(double x)
{
    double a = ctm_abs_f64(x);
    double half = ctm_exp_f64(0.5 * a);
    return a == CTM_INF_F64 ? a : ctm_i0e_f64(x) * half * half;
}

CTM_CALLED double ctm_i1e_f64(double x)
{
    double a = ctm_abs_f64(x);
    double y = a <= 8.0 ? CTM_CHEBYSHEV(ctm_i1_near, 0.25 * a - 1.0) * a * ctm_exp_f64(-0.25 * a)
                        : CTM_CHEBYSHEV(ctm_i1_far, 16.0 / a - 1.0) / ctm_sqrt_f64(a);
    y = a == CTM_INF_F64 ? 0.0 : y;
    return x < 0.0 ? -y : y;
}

CTM_CALLED double ctm_i1_f64(double x)
{
    double half = ctm_exp_f64(0.5 * ctm_abs_f64(x));
    return ctm_abs_f64(x) == CTM_INF_F64 ? x : ctm_i1e_f64(x) * half * half;
}

/* ---- K0 and K1 ---- */

/* K0(x) + log(x / 2) I0(x) for 0 < x <= 2, in x^2 / 2 - 1. */
static const double ctm_k0_near[] = {
    -0x1.12166e9d2f61fp-2, 0x1.608d881213db9p-2,  0x1.26bf6554a9085p-5,  0x1.4b82e75633d73p-10,
    0x1.7f900fe8cfca0p-16, 0x1.102bce7f95efcp-22, 0x1.05c1367e58a13p-29, 0x1.6c25c475120bep-37,
    0x1.7fb0ac384a073p-45, 0x1.3cee1e6b887dcp-53,
};

/* e^x sqrt(x) K0(x) for x >= 2, in 4 / x - 1. */
static const double ctm_k0_far[] = {
    0x1.385bd9f4e6907p+0,  -0x1.019f72d4ff71ep-5,  0x1.9b891fca79342p-10, -0x1.0d797e7889f42p-13,
    0x1.d413fcc7470a9p-17, -0x1.ebb547f18d3a9p-20, 0x1.2915981e3e46fp-22, -0x1.905541b54f2afp-25,
    0x1.269a0033f428ep-27, -0x1.d29d5f22bf5e2p-30, 0x1.8956c819ff63dp-32, -0x1.5df95d2e7ca15p-34,
    0x1.46808475fbf4dp-36, -0x1.3dafc3f00540bp-38, 0x1.40fa32fcce645p-40, -0x1.4f87721a3b2dbp-42,
    0x1.69c4ecd913e48p-44, -0x1.9145ebaf9922fp-46, 0x1.c8d9c4a6808e8p-48, -0x1.0a690ed1130d0p-49,
    0x1.3dbf96cd7929dp-51, -0x1.82f947bd75936p-53, 0x1.e092e5c062a6ap-55, -0x1.2feccb331b557p-56,
};

/* x (K1(x) - log(x / 2) I1(x)) for 0 < x <= 2, in x^2 / 2 - 1. */
static const double ctm_k1_near[] = {
    0x1.867a1361008cap-1,   -0x1.69a1b757b0dd4p-2,  -0x1.f637243c1db74p-4,  -0x1.c92939d7d4192p-8,
    -0x1.6ade2e5a3bd02p-13, -0x1.469b32c832e3ap-19, -0x1.7c41d145c31d0p-26, -0x1.3663bb84626cap-33,
    -0x1.77502ddd0e045p-41, -0x1.5dd517a0399e0p-49, -0x1.032283d3cda56p-57,
};

/* e^x sqrt(x) K1(x) for x >= 2, in 4 / x - 1. */
static const double ctm_k1_far[] = {
    0x1.5c3d7aa062c8ap+0,   0x1.a9abef9e023fbp-4,  -0x1.76946be66b48ap-9,  0x1.9965888f6908ep-13,
    -0x1.44d711dcdb2e5p-16, 0x1.42fe31752d1b6p-19, -0x1.780528fada5c6p-22, 0x1.ed27c668fc461p-25,
    -0x1.637a49fe1e088p-27, 0x1.14f242a73d252p-29, -0x1.ccbc00365cf5fp-32, 0x1.956d008a43059p-34,
    -0x1.76b539401d12cp-36, 0x1.69ab846c05207p-38, -0x1.6adec61fc71a4p-40, 0x1.78ffa0409e616p-42,
    -0x1.94465d4c8014bp-44, 0x1.be3e9590877a3p-46, -0x1.f9d52362a3e00p-48, 0x1.25cedf006519fp-49,
    -0x1.5d2a3d9ce2a50p-51, 0x1.a7d5e4c65543cp-53, -0x1.0661525866f5ap-54, 0x1.4af1aa55c043fp-56,
};

/* What K gives at 0 and below it. */
CTM double ctm_k_special_f64(double x, double y)
{
    y = x == 0.0 ? CTM_INF_F64 : y;
    return x < 0.0 ? CTM_NAN_F64 : y;
}

CTM double ctm_k0_near_f64(double x)
{
    double log_half = ctm_log_f64(0.5 * x);
    return CTM_CHEBYSHEV(ctm_k0_near, 0.5 * x * x - 1.0) - log_half * ctm_i0_f64(x);
}

CTM double ctm_k1_near_f64(double x)
{
    double log_half = ctm_log_f64(0.5 * x);
    return CTM_CHEBYSHEV(ctm_k1_near, 0.5 * x * x - 1.0) / x + log_half * ctm_i1_f64(x);
}

/* K and e^x K. Errors below 8 ULP. */
CTM_CALLED double ctm_modified_bessel_k0_f64(double x)
{
    double y = x <= 2.0
                   ? ctm_k0_near_f64(x)
                   : ctm_exp_f64(-x) * CTM_CHEBYSHEV(ctm_k0_far, 4.0 / x - 1.0) / ctm_sqrt_f64(x);
    return ctm_k_special_f64(x, y);
}

CTM_CALLED double ctm_modified_bessel_k1_f64(double x)
{
    double y = x <= 2.0
                   ? ctm_k1_near_f64(x)
                   : ctm_exp_f64(-x) * CTM_CHEBYSHEV(ctm_k1_far, 4.0 / x - 1.0) / ctm_sqrt_f64(x);
    return ctm_k_special_f64(x, y);
}

CTM_CALLED double ctm_scaled_modified_bessel_k0_f64(double x)
{
    double y = x <= 2.0 ? ctm_k0_near_f64(x) * ctm_exp_f64(x)
                        : CTM_CHEBYSHEV(ctm_k0_far, 4.0 / x - 1.0) / ctm_sqrt_f64(x);
    return ctm_k_special_f64(x, y);
}

CTM_CALLED double ctm_scaled_modified_bessel_k1_f64(double x)
{
    double y = x <= 2.0 ? ctm_k1_near_f64(x) * ctm_exp_f64(x)
                        : CTM_CHEBYSHEV(ctm_k1_far, 4.0 / x - 1.0) / ctm_sqrt_f64(x);
    return ctm_k_special_f64(x, y);
}

/* ---- J, Y and the spherical j0 ---- */

/* libm; below 9 ULP, near the zeros of J1 and Y1 below 100. */
CTM double ctm_bessel_j0_f64(double x)
{
    return j0(x);
}

CTM double ctm_bessel_j1_f64(double x)
{
    return j1(x);
}

CTM double ctm_bessel_y0_f64(double x)
{
    return y0(x);
}

CTM double ctm_bessel_y1_f64(double x)
{
    return y1(x);
}

/* sin(x) / x; 1 at 0, 0 at infinity. Error below 1.5 ULP. */
CTM double ctm_spherical_bessel_j0_f64(double x)
{
    double y = ctm_abs_f64(x) == CTM_INF_F64 ? 0.0 : ctm_sin_wide_f64(x) / x;
    return x == 0.0 ? 1.0 : y;
}

/* ---- float32 ---- */

CTM float ctm_i0_f32(float x)
{
    return (float)ctm_i0_f64((double)x);
}

CTM float ctm_i0e_f32(float x)
{
    return (float)ctm_i0e_f64((double)x);
}

CTM float ctm_i1_f32(float x)
{
    return (float)ctm_i1_f64((double)x);
}

CTM float ctm_i1e_f32(float x)
{
    return (float)ctm_i1e_f64((double)x);
}

CTM float ctm_modified_bessel_k0_f32(float x)
{
    return (float)ctm_modified_bessel_k0_f64((double)x);
}

CTM float ctm_modified_bessel_k1_f32(float x)
{
    return (float)ctm_modified_bessel_k1_f64((double)x);
}

CTM float ctm_scaled_modified_bessel_k0_f32(float x)
{
    return (float)ctm_scaled_modified_bessel_k0_f64((double)x);
}

CTM float ctm_scaled_modified_bessel_k1_f32(float x)
{
    return (float)ctm_scaled_modified_bessel_k1_f64((double)x);
}

CTM float ctm_bessel_j0_f32(float x)
{
    return (float)j0((double)x);
}

CTM float ctm_bessel_j1_f32(float x)
{
    return (float)j1((double)x);
}

CTM float ctm_bessel_y0_f32(float x)
{
    return (float)y0((double)x);
}

CTM float ctm_bessel_y1_f32(float x)
{
    return (float)y1((double)x);
}

CTM float ctm_spherical_bessel_j0_f32(float x)
{
    return (float)ctm_spherical_bessel_j0_f64((double)x);
}

#endif
