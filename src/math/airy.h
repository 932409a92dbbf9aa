/* SPDX-License-Identifier: BSD-3-Clause */
/* The Airy function Ai, by polynomials on four ranges; a block function (block.h).
 *
 * The polynomials interpolate at Chebyshev points, computed to 60 digits. With z = 2/3 |x|^(3/2),
 * Ai is e^-z times a slowly varying function for large x, and an oscillation with slowly varying
 * amplitude and phase for large -x (DLMF 9.7). Called by the generated loops. */
#ifndef CORTEN_MATH_AIRY_H
#define CORTEN_MATH_AIRY_H

#include "basic.h"
#include "bessel.h"
#include "block.h"
#include "exp.h"
#include "types.h"

/* 2 sqrt(pi) x^(1/4) e^z Ai(x) for x >= 2, as a polynomial in 2 z(2) / z - 1. */
static const double ctm_airy_right[] = {
    0x1.f7a4cf9aff946p-1,   -0x1.deda93a68b527p-7,  0x1.7276586a1b283p-10, -0x1.ddd739caead53p-13,
    0x1.968a3b3d6e229p-15,  -0x1.9e8b69d51ae05p-17, 0x1.e18cfb38309c8p-19, -0x1.34f9613d56c59p-20,
    0x1.ad3076cdcd332p-22,  -0x1.3e32de13e11e7p-23, 0x1.f23157fef8b15p-25, -0x1.958e760d53dc4p-26,
    0x1.5965e2d98ad88p-27,  -0x1.50b1e5bffdb1cp-28, 0x1.3aafeaae3ac5bp-29, -0x1.4dae7d27db32bp-32,
    0x1.5736002da8e50p-34,  -0x1.ec6fb37d9f653p-31, 0x1.1567706067c59p-31, 0x1.7507775684fa6p-32,
    -0x1.ba0853dd2a0eep-33, -0x1.208b0c222b158p-33, 0x1.4b06a9819c407p-34,
};

/* e^(4x/5) Ai(x) for -3/2 <= x <= 2, as a polynomial in (4x - 1) / 7. */
static const double ctm_airy_middle[] = {
    0x1.6c29ddbff61a3p-2,   -0x1.1a741179f17dap-5,  -0x1.0ae73be274fd8p-2,  0x1.4cccd2d65c0c1p-4,
    0x1.1425a33b55180p-4,   -0x1.2ea35446a1b79p-5,  -0x1.628027cb6c8bdp-8,  0x1.ead99e62c28ffp-8,
    -0x1.a2ca78f58aad7p-11, -0x1.9687d491fa76cp-11, 0x1.f642366ec54a6p-13,  0x1.ff1955f9a86aap-16,
    -0x1.bd48338ac9918p-16, 0x1.31c43f5d1b101p-19,  0x1.99de19ef6f124p-20,  -0x1.b33168e715470p-22,
    -0x1.db1e347dbaca7p-26, 0x1.d590248a36562p-26,  -0x1.783c51552c223p-29, -0x1.04ca4be66631bp-30,
    0x1.1dd286fa90b07p-32,  0x1.50e4583a955bap-37,  -0x1.5b053ebd8a4d0p-37,
};

/* Ai(x) for -5 <= x <= -3/2, as a polynomial in (4x + 13) / 7. */
static const double ctm_airy_left[] = {
    -0x1.ad11d0561308fp-2,  -0x1.196d4c0107da3p-8,  0x1.0ae954d98b575p+1,   -0x1.77f686dc90d48p-2,
    -0x1.bb4215e67c47fp0,   0x1.7ba5584e43635p-1,   0x1.0489c36b3c878p-1,   -0x1.962ec3b2bc720p-2,
    -0x1.3f252902b4542p-6,  0x1.7bbf017832eb4p-4,   -0x1.5fb51cf9b4406p-6,  -0x1.31fba0e78efb1p-7,
    0x1.60c5025156d01p-8,   -0x1.292e4b6d98655p-13, -0x1.2a806b35b741bp-11, 0x1.2e2e2eee4b468p-13,
    0x1.570a8a34cacdap-16,  -0x1.14abf05be1ce9p-16, 0x1.f3071894a1c39p-20,  0x1.adc515d0975e9p-21,
    -0x1.2e770dfd8bdeap-22, 0x1.3c2f4118a404ap-28,  0x1.0c4dfc73aa30dp-26,  -0x1.9a2616467e050p-29,
    -0x1.7280ad43967b3p-32, 0x1.5ae2059d65628p-33,
};

/* For x <= -5, sqrt(pi) |x|^(1/4) Ai(x) = sin(z + pi/4) P - cos(z + pi/4) Q: polynomials for P and
 * z Q in 2 z(5)^2 / z^2 - 1. */
static const double ctm_airy_cos[] = {
    0x1.ffd4c83403a50p-1,  -0x1.553d7be0c0aa3p-12, 0x1.1511f1cb15ad3p-18, -0x1.4b2a8172c71fcp-23,
    0x1.6ebc724d84764p-27, -0x1.31a5671b36c19p-30, 0x1.55588153f9ae2p-33, -0x1.dbe43cbd10c15p-36,
    0x1.89cc813b65fb4p-38, -0x1.61796a3092919p-40, 0x1.6efba1493b8d2p-42, -0x1.55526f221ec36p-43,
    0x1.c8f7624cf353fp-45,
};

static const double ctm_airy_sin[] = {
    0x1.1b147dda47457p-4,  -0x1.5490501012bb4p-12, 0x1.07895e0727c18p-17, -0x1.c4a96ebecb719p-22,
    0x1.3fc3667f90db8p-25, -0x1.3e9d80ce67a71p-28, 0x1.989b352cd5d50p-31, -0x1.3ddd7288c0319p-33,
    0x1.21e395fbc890dp-35, -0x1.2a7c8318d6c2ap-37, 0x1.2a06cd7c111bbp-39, -0x1.61494b0d3b16bp-41,
    0x1.d8d6a9c268afep-42, -0x1.657d30748fbc2p-43,
};

/* Ai(-a) for a > 5, from plus = sin(z) + cos(z) and minus = sin(z) - cos(z). */
CTM double ctm_airy_wave_f64(double a, double z, double plus, double minus)
{
    double inverse = 1.0 / z, t = ctm_fma_f64(0x1.bc71c71c71c72p6 * inverse, inverse, -1.0);
    double p = CTM_HORNER(ctm_airy_cos, t), q = CTM_HORNER(ctm_airy_sin, t) * inverse;
    double wave = plus * p + minus * q; /* sqrt(2 pi) below; 2 z(5)^2 = 1000 / 9 above */
    return wave / (0x1.40d931ff62706p1 * ctm_sqrt_f64(ctm_sqrt_f64(a)));
}

/* Ai(x) for -5 <= x <= 2. */
CTM double ctm_airy_near_f64(double x)
{
    double left = CTM_HORNER(ctm_airy_left, (4.0 * x + 13.0) * (1.0 / 7.0));
    double middle = CTM_HORNER(ctm_airy_middle, (4.0 * x - 1.0) * (1.0 / 7.0));
    return x <= -1.5 ? left : middle * ctm_exp_f64(-0.8 * x);
}

/* Ai(x) for x >= 2, given z(x). */
CTM double ctm_airy_right_f64(double x, double z)
{
    double t = 0x1.e2b7dddfefa66p1 / z - 1.0; /* 2 z(2) */
    double y = CTM_HORNER(ctm_airy_right, t) * ctm_exp_f64(-z);
    y = y / (0x1.c5bf891b4ef6bp1 * ctm_sqrt_f64(ctm_sqrt_f64(x))); /* 2 sqrt(pi) */
    return x > 110.0 ? 0.0 : y;
}

/* Error below 8 ULP for |x| <= 2. For x < -2 the error is relative to the amplitude of the
 * oscillation: 8 ULP of that. For |x| > 5 the error of z adds 2z ULP. */
CTM_CALLED void ctm_airy_ai_block_f64(double *restrict out, const double (*in)[CTM_BLOCK],
                                      int count)
{
    for (int k = 0; k < count; k += CTM_LANES) {
        const double *x = in[0] + k;
        double a[CTM_LANES], y[CTM_LANES], z[CTM_LANES], plus[CTM_LANES], minus[CTM_LANES];
        uint64_t left = 0, right = 0;
        CTM_EACH_LANE(i)
        {
            a[i] = ctm_abs_f64(x[i]);
            z[i] = a[i] * ctm_sqrt_f64(a[i]) * 0x1.5555555555555p-1;
            left |= x[i] < -5.0 ? 1u : 0u;
            right |= x[i] > 2.0 ? 1u : 0u;
            y[i] = ctm_airy_near_f64(x[i]);
        }
        if (right) {
            CTM_EACH_LANE(i)
            {
                double far = ctm_airy_right_f64(x[i], z[i]);
                y[i] = x[i] > 2.0 ? far : y[i];
            }
        }
        if (left) {
            ctm_waves_f64(plus, minus, z);
            CTM_EACH_LANE(i)
            {
                double wave = ctm_airy_wave_f64(a[i], z[i], plus[i], minus[i]);
                wave = a[i] == CTM_INF_F64 ? CTM_NAN_F64 : wave;
                y[i] = x[i] < -5.0 ? wave : y[i];
            }
        }
        CTM_EACH_LANE(i)
        out[k + i] = y[i];
    }
}

#endif
