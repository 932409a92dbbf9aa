/* SPDX-License-Identifier: BSD-3-Clause */
/* The Airy function Ai, as sums of Chebyshev polynomials on four ranges.
 *
 * Coefficients were computed to 45 digits and cut below 2^-57. With z = 2/3 |x|^(3/2), Ai is e^-z
 * times a slow function on the right, and a slow wave on the left (DLMF 9.7). Called, not inlined;
 * float32 computes in double. Called by the generated loops. */
#ifndef CORTEN_MATH_AIRY_H
#define CORTEN_MATH_AIRY_H

#include "basic.h"
#include "bessel.h"
#include "exp.h"
#include "trig.h"
#include "types.h"

/* 2 sqrt(pi) x^(1/4) e^z Ai(x) for x >= 2, in 2 z(2) / z - 1. */
static const double ctm_airy_right[] = {
    0x1.f803f8dd4194fp-1,  -0x1.e4badf92f0698p-7,  0x1.8027b6119ca99p-11, -0x1.00f0eec77d5afp-14,
    0x1.caac670d169d2p-18, -0x1.efeb84cedc369p-21, 0x1.346d52b669db2p-23, -0x1.aba96d0e939bcp-26,
    0x1.43a78ffb4b7e2p-28, -0x1.07707202858f2p-30, 0x1.c834c8a5f387ap-33, -0x1.a0b1c6e6db0c8p-35,
    0x1.8eda827e9a573p-37, -0x1.8df6dfaa1aa23p-39, 0x1.9c1e947dc07d1p-41, -0x1.b9591e92f35b6p-43,
    0x1.e74cc999dbc9ap-45, -0x1.14a33407d0d9dp-46, 0x1.42441e5f90db4p-48, -0x1.8071c47eb60a8p-50,
    0x1.d4d85135aae64p-52, -0x1.23d2d8fabb65ep-53, 0x1.72547d78958f2p-55, -0x1.de81ec63c2c96p-57,
};

/* e^(5x/4) Ai(x) for 0 <= x <= 2, in x - 1. */
static const double ctm_airy_middle[] = {
    0x1.b8a9bd529df7ep-2,   0x1.20310730fe118p-5,   -0x1.4fa9ee82060b2p-5,  0x1.29517852da244p-14,
    0x1.d5d6d6c6a5915p-11,  -0x1.1bdb0a87410bcp-15, -0x1.74feab3f02a4ap-17, 0x1.b325e55fabe97p-21,
    0x1.55ac5059a8542p-24,  -0x1.55b28c2be7954p-27, -0x1.08a274a5cc312p-32, 0x1.4f9f915dee140p-34,
    -0x1.5bad5a66af03ap-40, -0x1.ae31a50ee55aep-42, 0x1.5d8eb38ecbdf5p-46,  0x1.485b5e743c66cp-50,
    -0x1.19458431d9702p-53,
};

/* Ai(x) for -5 <= x <= 0, in 2x/5 + 1. */
static const double ctm_airy_left[] = {
    0x1.be108e2077aefp-3,   0x1.38320aa7f915fp-3,   0x1.f3faaf552f8d0p-3,   -0x1.07696492d41a8p-2,
    -0x1.aa3790d3d2c62p-4,  0x1.01ccd94f1f500p-3,   -0x1.5fa0df2cd3a05p-7,  -0x1.43ed209ccaa6cp-6,
    0x1.aa1a5810cf69dp-8,   0x1.7e4abc162b085p-11,  -0x1.9e65d386e9d15p-11, 0x1.c54a8f05e10b3p-14,
    0x1.2502eb2957af0p-15,  -0x1.c96909e2abea2p-17, 0x1.29ff7ae392cccp-21,  0x1.3ffaaf6c0a26cp-21,
    -0x1.136106939bcbbp-23, -0x1.0b77d2bcbc6d2p-28, 0x1.8126517ab6438p-28,  -0x1.92b28981176fcp-31,
    -0x1.4d96ec61c83b7p-34, 0x1.296fc38f492e4p-35,  -0x1.71bda33a30193p-39, -0x1.37705ea70fbd4p-41,
    0x1.3fc3b1264136ap-43,  -0x1.87f3a80ee4c4fp-48, -0x1.6cc95c78c95b9p-49, 0x1.f766b8dc738ffp-52,
    -0x1.2b43f597ad757p-59, -0x1.30e167c565b0dp-57,
};

/* For x <= -5, sqrt(pi) |x|^(1/4) Ai(x) = sin(z + pi/4) P - cos(z + pi/4) Q: P and z Q, in
 * 2 z(5)^2 / z^2 - 1. */
static const double ctm_airy_cos[] = {
    0x1.ffd50d9b4fff3p-1,  -0x1.555cb8af0ff3dp-12, 0x1.15cbe6ec96533p-19, -0x1.4e3b27487acdep-25,
    0x1.7718e726f3eabp-30, -0x1.3f8af8d452af8p-34, 0x1.705b8868d8666p-38, -0x1.0b61f33acc18ep-41,
    0x1.d1ddccff4eaa7p-45, -0x1.d6cdf5580dcd9p-48, 0x1.0d2fadf137134p-50, -0x1.55cd7fbc96b8dp-53,
    0x1.daedfe20b95c0p-56,
};

static const double ctm_airy_sin[] = {
    0x1.1b189fcfa903cp-4,  -0x1.54e5fcb58b29bp-12, 0x1.08cf61a638df8p-18, -0x1.cb19ff15f61dbp-24,
    0x1.49e061a6ca498p-28, -0x1.5173ac9656fa5p-32, 0x1.c0e9074b3b1cfp-36, -0x1.6e24c2c7d15fcp-39,
    0x1.5fb191381b349p-42, -0x1.827029bca2789p-45, 0x1.db57d50400a5cp-48, -0x1.41e7befc4ddd6p-50,
    0x1.d9e1c24b312ebp-53, -0x1.77351114943a6p-55, 0x1.3ce2894e11579p-57, -0x1.1b7e0a004774ep-59,
};

CTM double ctm_airy_wave_f64(double a)
{
    double z = a * ctm_sqrt_f64(a) * 0x1.5555555555555p-1;
    double t = 0x1.bc71c71c71c72p6 / (z * z) - 1.0; /* 2 z(5)^2 = 1000 / 9 */
    double p = CTM_CHEBYSHEV(ctm_airy_cos, t), q = CTM_CHEBYSHEV(ctm_airy_sin, t) / z;
    double s = ctm_sin_wide_f64(z), c = ctm_cos_wide_f64(z);
    /* sin and cos of z + pi/4 are (s + c) and (c - s) over sqrt(2); sqrt(2 pi) below. */
    double wave = (s + c) * p - (c - s) * q;
    return wave / (0x1.40d931ff62706p1 * ctm_sqrt_f64(ctm_sqrt_f64(a)));
}

/* Error below 8 ULP from -2 to 2; left of it as much of the size of the wave, and beyond 5 on
 * either side that of z, 2z ULP. */
CTM_CALLED double ctm_airy_ai_f64(double x)
{
    if (x < -5.0)
        return x == -CTM_INF_F64 ? CTM_NAN_F64 : ctm_airy_wave_f64(-x);
    if (x <= 0.0)
        return CTM_CHEBYSHEV(ctm_airy_left, 0.4 * x + 1.0);
    if (x <= 2.0)
        return CTM_CHEBYSHEV(ctm_airy_middle, x - 1.0) * ctm_exp_f64(-1.25 * x);
    double root = ctm_sqrt_f64(x), z = x * root * 0x1.5555555555555p-1;
    double t = 0x1.e2b7dddfefa66p1 / z - 1.0; /* 2 z(2) */
    double y = CTM_CHEBYSHEV(ctm_airy_right, t) * ctm_exp_f64(-z);
    y = y / (0x1.c5bf891b4ef6bp1 * ctm_sqrt_f64(root)); /* 2 sqrt(pi) */
    return x > 110.0 ? 0.0 : y;
}

CTM float ctm_airy_ai_f32(float x)
{
    return (float)ctm_airy_ai_f64((double)x);
}

#endif
