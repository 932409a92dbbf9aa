/* SPDX-License-Identifier: BSD-3-Clause */
/* Bessel functions of orders 0 and 1, each by polynomials on two ranges. J and Y are block
 * functions (block.h), because often only one range is needed; I, K and their scaled forms are
 * branch-free; and the spherical j0.
 *
 * The polynomials interpolate at Chebyshev points, computed to 60 digits, with errors of 2^-54.
 * float32 computes in double. Error bounds are for float64; a float32 result has an error below
 * 0.52 ULP except near zeros of the function. Called by the generated loops. */
#ifndef CORTEN_MATH_BESSEL_H
#define CORTEN_MATH_BESSEL_H

#include "basic.h"
#include "block.h"
#include "exp.h"
#include "log.h"
#include "trig.h"
#include "types.h"

/* ---- I0 and I1 ---- */

/* e^(-3x/4) I0(x) for 0 <= x <= 8, as a polynomial in x / 4 - 1. The factor makes the function
 * nearly constant, so that no digits are lost. */
static const double ctm_i0_near[] = {
    0x1.2018d89be5d3bp-1,  0x1.05a4ece0bdb5fp-2,   0x1.d9444ab9fea56p-3,  -0x1.7015c963d3f6p-5,
    0x1.89939cfa0a295p-4,  -0x1.4709658ef2d5bp-4,  0x1.263d57e92423p-4,   -0x1.d8ba0da0e0fa5p-5,
    0x1.5e25e16c1b6eap-5,  -0x1.dbeef05147853p-6,  0x1.29ff734fcc526p-6,  -0x1.591b8a6a2d377p-7,
    0x1.7327e82c5606cp-8,  -0x1.7435d26c5a629p-9,  0x1.5d676e8a1f3cbp-10, -0x1.3420f38842561p-11,
    0x1.001c8664e99f4p-12, -0x1.92854282893e4p-14, 0x1.2bf3b1a0e4d2cp-15, -0x1.a8be21fbc8f7bp-17,
    0x1.1dc33a9b7e4ffp-18, -0x1.70556980254dep-20, 0x1.cfe794e79ae66p-22, -0x1.10b7b51a95d9ap-23,
    0x1.0958e672ebf75p-25, -0x1.278571361fce2p-27, 0x1.0b4e5f8c15118p-28, -0x1.06f01172de103p-30,
};

/* e^-x sqrt(x) I0(x) for x >= 8, as a polynomial in 16 / x - 1. */
static const double ctm_i0_far[] = {
    0x1.9bd428ad249a5p-2,   0x1.b87969bb93b75p-9,  0x1.1daa72b5e650cp-13,  0x1.75e5ee71edd14p-17,
    0x1.8e513a1d5e52bp-20,  0x1.3f49a6bcfc2d9p-22, 0x1.7d0f75812d9bcp-24,  0x1.51ced7b713adcp-25,
    0x1.7224b1828e507p-26,  0x1.03896efb09a41p-27, -0x1.ce768f00b5374p-28, -0x1.cc90f59ec1228p-27,
    -0x1.77cc956faaa2fp-28, 0x1.0317d4c7b215ap-27, 0x1.047454ffcb608p-27,  -0x1.df1549cddfaf8p-29,
    -0x1.a9411c5b0ad08p-28, 0x1.9bbbfe31d81e9p-30, 0x1.0ab5ef575d285p-28,  -0x1.31c908a5dd531p-31,
    -0x1.e8fd992032bedp-30, 0x1.42a55974d41b8p-33, 0x1.1ce14787c5bdep-31,  -0x1.52109c25bd9ecp-36,
    -0x1.36e52c10032d7p-34,
};

/* e^(-3x/4) I1(x) / x for 0 <= x <= 8, as a polynomial in x / 4 - 1. */
static const double ctm_i1_near[] = {
    0x1.f18e8022082bp-4,   -0x1.6e037795f4737p-5,  0x1.45f94cef5dd82p-4,  -0x1.0616709236ecbp-4,
    0x1.d35e5c88da28p-5,   -0x1.7153e0afad1c3p-5,  0x1.10d97bb0b187fp-5,  -0x1.74d2db0effb59p-6,
    0x1.d8d550d4faa31p-7,  -0x1.16cf9b035ac4fp-7,  0x1.3298ee1c62b99p-8,  -0x1.3b4aa2cde11e7p-9,
    0x1.301bbf4f41837p-10, -0x1.13eb2bd1442ddp-11, 0x1.d84c1d6d508a3p-13, -0x1.7e508a7902be8p-14,
    0x1.2571fd68637cfp-15, -0x1.ac3364e553bf2p-17, 0x1.29817199fb65ep-18, -0x1.89ce9cd6f87e4p-20,
    0x1.f3b6aa12ea059p-22, -0x1.35063d8e1ff2bp-23, 0x1.66ff038b6e20ap-25, -0x1.6051715103d81p-27,
    0x1.82d9693bf1d81p-29, -0x1.4e0ff49e3416dp-30, 0x1.462cce11ba049p-32,
};

/* e^-x sqrt(x) I1(x) for x >= 8, as a polynomial in 16 / x - 1. */
static const double ctm_i1_far[] = {
    0x1.8ebe783a8403p-2,    -0x1.3f796198ee628p-7,  -0x1.cbc54df1ece76p-13, -0x1.f89c23066d278p-17,
    -0x1.ec8e101744487p-20, -0x1.76137e6905189p-22, -0x1.ad8db6e1fecbbp-24, -0x1.727a73a8063a8p-25,
    -0x1.9180f82a1d429p-26, -0x1.21895bb7ba33fp-27, 0x1.cd81846fb3ff1p-28,  0x1.e20e7d69649cap-27,
    0x1.9f203cf2783b7p-28,  -0x1.0630cddd4e099p-27, -0x1.1465ce7d29637p-27, 0x1.d4345a69bfc3p-29,
    0x1.bdc8daed57db9p-28,  -0x1.858c7591014bdp-30, -0x1.162964d5f91dbp-28, 0x1.1aee882806184p-31,
    0x1.fce6b32270b52p-30,  -0x1.272ae05110368p-33, -0x1.2839623e2341cp-31, 0x1.33e83e12ca3b4p-36,
    0x1.432b0a4121172p-34,
};

/* The same for I0 and I1 in float32, with errors of 2^-32. */
static const double ctm_i0_near_short[] = {
    0x1.2018d89bc888ap-1,  0x1.05a4ece0cfd5ep-2,   0x1.d9444b157e5fap-3,  -0x1.7015c9d50f5edp-5,
    0x1.899385712a55dp-4,  -0x1.47095e46a3caep-4,  0x1.263e83d496ac7p-4,  -0x1.d8bac74d3cf09p-5,
    0x1.5e16c18bd2fffp-5,  -0x1.dbe5921138267p-6,  0x1.2a6f33ef7242p-6,   -0x1.5960d0b210027p-7,
    0x1.6f3fe59e83e5ap-8,  -0x1.71c92f109717dp-9,  0x1.72d7df75cae62p-10, -0x1.4175a41bb37eep-11,
    0x1.74898cfa2c59fp-13, -0x1.3b6205bf4c9b4p-14, 0x1.0e4e9b033e242p-14, -0x1.6b877a323b305p-16,
};

static const double ctm_i0_far_short[] = {
    0x1.9bd428ac75fd1p-2, 0x1.b8796a2484ee8p-9, 0x1.1dab29fa3a14ep-13, 0x1.75d91e60aa877p-17,
    0x1.8c11e9e2c5dfp-20, 0x1.463d010b3e4ap-22, 0x1.d49747a145d29p-24, 0x1.20ede94d34bdep-25,
};

static const double ctm_i1_near_short[] = {
    0x1.f18e8022082bp-4,   -0x1.6e0377ad0aec3p-5,  0x1.45f94cf2e596p-4,   -0x1.06166dde9e9bcp-4,
    0x1.d35e5ae1cfb4fp-5,  -0x1.71543f6fec676p-5,  0x1.10d998ad5182cp-5,  -0x1.74ccf852eabc6p-6,
    0x1.d8d1b68339f81p-7,  -0x1.170221b5d716p-7,   0x1.32b7e16d30188p-8,  -0x1.394f9fc28fb81p-9,
    0x1.2ee4d5ec7de99p-10, -0x1.1fd414a7d52a6p-11, 0x1.e6edd5de59c8ap-13, -0x1.2a9be36f27a16p-14,
    0x1.e3bfcb45c0317p-16, -0x1.703af1ae66dd3p-16, 0x1.e89d0a2b6f0f8p-18,
};

static const double ctm_i1_far_short[] = {
    0x1.8ebe783b59c09p-2,   -0x1.3f7961b35d006p-7,  -0x1.cbc62cce289f4p-13, -0x1.f88f405d331bp-17,
    -0x1.e9e58599225d8p-20, -0x1.7cfc0d8e4b86fp-22, -0x1.08893a744e8a6p-23, -0x1.452e4764e49e5p-25,
};

/* e^-a I(a) and I(a) from the values of the two polynomials. e^a is computed as two factors, of
 * which the first is finite wherever I is. */
CTM double ctm_i_scaled_f64(double a, double near, double far)
{
    return a <= 8.0 ? near * ctm_exp_f64(-0.25 * a) : far / ctm_sqrt_f64(a);
}

CTM double ctm_i_whole_f64(double a, double near, double far)
{
    double half = ctm_exp_f64(a <= 8.0 ? 0.375 * a : 0.5 * a);
    double y = (a <= 8.0 ? near : far / ctm_sqrt_f64(a)) * half * half;
    return a == CTM_INF_F64 ? a : y;
}

/* e^-|x| I0(x). Error below 4 ULP. */
CTM_LONG double ctm_i0e_f64(double x)
{
    double a = ctm_abs_f64(x), near = CTM_HORNER(ctm_i0_near, 0.25 * a - 1.0);
    return ctm_i_scaled_f64(a, near, CTM_HORNER(ctm_i0_far, 16.0 / a - 1.0));
}

CTM_LONG double ctm_i1e_f64(double x)
{
    double a = ctm_abs_f64(x), near = CTM_HORNER(ctm_i1_near, 0.25 * a - 1.0) * a;
    double y = ctm_i_scaled_f64(a, near, CTM_HORNER(ctm_i1_far, 16.0 / a - 1.0));
    return x < 0.0 ? -y : y;
}

/* Error below 7 ULP. */
CTM_LONG double ctm_i0_f64(double x)
{
    double a = ctm_abs_f64(x), near = CTM_HORNER(ctm_i0_near, 0.25 * a - 1.0);
    return ctm_i_whole_f64(a, near, CTM_HORNER(ctm_i0_far, 16.0 / a - 1.0));
}

CTM_LONG double ctm_i1_f64(double x)
{
    double a = ctm_abs_f64(x), near = CTM_HORNER(ctm_i1_near, 0.25 * a - 1.0) * a;
    double y = ctm_i_whole_f64(a, near, CTM_HORNER(ctm_i1_far, 16.0 / a - 1.0));
    return x < 0.0 ? -y : y;
}

/* ---- K0 and K1 ---- */

/* K0(x) + log(x / 2) I0(x) for 0 < x <= 2, as a polynomial in x^2 / 2 - 1. */
static const double ctm_k0_near[] = {
    -0x1.36e85d283cd69p-2, 0x1.5cab546883284p-2,  0x1.25ffa680678fdp-4,  0x1.4b2ddc22e96bap-8,
    0x1.7f5efc9e6685p-13,  0x1.1017e4b1b1aaep-18, 0x1.05b538f8f6e08p-24, 0x1.6c1aa01a0e336p-31,
    0x1.7fb0ac381534bp-38, 0x1.3cedab180ab08p-45,
};

/* e^x sqrt(x) K0(x) for x >= 2, as a polynomial in 4 / x - 1. */
static const double ctm_k0_far[] = {
    0x1.37f5dd35f91a9p+0,   -0x1.fd1328181db4cp-6,  0x1.8d86f6465e4c8p-9,  -0x1.f7130688edbb9p-12,
    0x1.a19652e3f86b2p-14,  -0x1.9efce51fd9926p-16, 0x1.d5e9a9ac51f91p-18, -0x1.2618428e461ffp-19,
    0x1.8ec7037ab30e7p-21,  -0x1.20be67877928ap-22, 0x1.ba2c0bae9c666p-24, -0x1.62daff92890fap-25,
    0x1.25080c5964993p-26,  -0x1.f9e6a39f36461p-28, 0x1.04875e0c1b76dp-28, -0x1.eef767697b461p-30,
    0x1.2cb1fc997278cp-34,  0x1.1c6a742feab3ep-35,  0x1.b69822eef5efep-31, -0x1.ef83da2d2bc75p-32,
    -0x1.4fc7b3ae23129p-32, 0x1.8b570a6d67ae6p-33,  0x1.db4402bef9fbfp-34, -0x1.0ff41fc912929p-34,
};

/* x (K1(x) - log(x / 2) I1(x)) for 0 < x <= 2, as a polynomial in x^2 / 2 - 1. */
static const double ctm_k1_near[] = {
    0x1.c52a4ac3be112p-1,   -0x1.5436f9149884fp-2,  -0x1.f3619d57ef062p-3,  -0x1.c85d2154bc9a7p-6,
    -0x1.6a96e3d81fcb2p-10, -0x1.46794073464edp-15, -0x1.7c2a5c89c0a6cp-21, -0x1.36576f068dcbcp-27,
    -0x1.77460e86f5a2ep-34, -0x1.5dd517a0189e4p-41, -0x1.032235a355f33p-48,
};

/* e^x sqrt(x) K1(x) for x >= 2, as a polynomial in 4 / x - 1. */
static const double ctm_k1_far[] = {
    0x1.5cf785b4a0203p+0,   0x1.a7520dfb3f9a2p-4,   -0x1.6cd23ac7d4781p-8,  0x1.81bb39793a048p-11,
    -0x1.24bdedb140ccep-13, 0x1.1383aa178ad1fp-15,  -0x1.2cb02f3fd4efap-17, 0x1.6e6b788bee7edp-19,
    -0x1.e6c933a3792d7p-21, 0x1.5ace77ebb0e2fp-22,  -0x1.060de022c2804p-23, 0x1.a004c3a1d81eep-25,
    -0x1.54a21513c73c2p-26, 0x1.23c0e2bae1d57p-27,  -0x1.286902e910821p-28, 0x1.17a2e62f2b798p-29,
    -0x1.d182173c81dc9p-34, -0x1.72246c5d62b2dp-36, -0x1.e07cd59b7bac4p-31, 0x1.0e92e9c9919a8p-31,
    0x1.6c87fbd9a0186p-32,  -0x1.ac84f8d9343ep-33,  -0x1.0382cca794a5cp-33, 0x1.284db29eee347p-34,
};

/* The values of K for x <= 0: infinity at 0, NaN below. */
CTM double ctm_k_special_f64(double x, double y)
{
    y = x == 0.0 ? CTM_INF_F64 : y;
    return x < 0.0 ? CTM_NAN_F64 : y;
}

CTM double ctm_k0_near_f64(double x)
{
    double half = ctm_exp_f64(0.375 * x);
    double i0 = CTM_HORNER(ctm_i0_near, 0.25 * x - 1.0) * half * half;
    return CTM_HORNER(ctm_k0_near, 0.5 * x * x - 1.0) - ctm_log_f64(0.5 * x) * i0;
}

CTM double ctm_k1_near_f64(double x)
{
    double half = ctm_exp_f64(0.375 * x);
    double i1 = CTM_HORNER(ctm_i1_near, 0.25 * x - 1.0) * x * half * half;
    return CTM_HORNER(ctm_k1_near, 0.5 * x * x - 1.0) / x + ctm_log_f64(0.5 * x) * i1;
}

CTM double ctm_k0_far_f64(double x)
{
    return CTM_HORNER(ctm_k0_far, 4.0 / x - 1.0) / ctm_sqrt_f64(x);
}

CTM double ctm_k1_far_f64(double x)
{
    return CTM_HORNER(ctm_k1_far, 4.0 / x - 1.0) / ctm_sqrt_f64(x);
}

/* K and e^x K. Errors below 8 ULP. */
CTM_LONG double ctm_modified_bessel_k0_f64(double x)
{
    double far = ctm_exp_f64(-x) * ctm_k0_far_f64(x);
    return ctm_k_special_f64(x, x <= 2.0 ? ctm_k0_near_f64(x) : far);
}

CTM_LONG double ctm_modified_bessel_k1_f64(double x)
{
    double far = ctm_exp_f64(-x) * ctm_k1_far_f64(x);
    return ctm_k_special_f64(x, x <= 2.0 ? ctm_k1_near_f64(x) : far);
}

CTM_LONG double ctm_scaled_modified_bessel_k0_f64(double x)
{
    double near = ctm_k0_near_f64(x) * ctm_exp_f64(x);
    return ctm_k_special_f64(x, x <= 2.0 ? near : ctm_k0_far_f64(x));
}

CTM_LONG double ctm_scaled_modified_bessel_k1_f64(double x)
{
    double near = ctm_k1_near_f64(x) * ctm_exp_f64(x);
    return ctm_k_special_f64(x, x <= 2.0 ? near : ctm_k1_far_f64(x));
}

/* ---- J and Y ---- */

/* J0(x) / (x^2 - z^2) and J1(x) / x / (x^2 - z^2), where z is the first zero, for 0 <= x <= 5, as
 * polynomials in x^2 / 12.5 - 1. */
static const double ctm_j_near[2][13] = {
    {-0x1.d53e8d99876e7p-5, 0x1.309ab8e4cba18p-4, -0x1.0c8428b928722p-5, 0x1.e362f8d0b5d5fp-8,
     -0x1.09a87b4aa43b0p-10, 0x1.8adf23edac497p-14, -0x1.a8151133adc62p-18, 0x1.58d6c0f7477ddp-22,
     -0x1.b7a52da46b2c8p-27, 0x1.c36cda1a8e82dp-32, -0x1.7d6d14fc216d8p-37, 0x1.0e2bd35ccb2ffp-42,
     -0x1.44dbce99a9ae8p-48},
    {-0x1.041c9423ec767p-6, 0x1.acf566aaededbp-7, -0x1.15e32ff822fa4p-8, 0x1.8bf87b5439004p-11,
     -0x1.686a2a3c3f229p-14, 0x1.c95360babdc49p-18, -0x1.ac92400b19a6bp-22, 0x1.35278ce236c70p-26,
     -0x1.623701daa0881p-31, 0x1.4a45b9d07dcf3p-36, -0x1.ff29dfb068a37p-42, 0x1.4df092968c41dp-47,
     -0x1.74a8fd8887c3cp-53},
};

/* Y0(x) - 2/pi log(x) J0(x), and (Y1(x) + 2/pi (1/x - log(x) J1(x))) / x, as polynomials in x^2 /
 * 12.5 - 1, too. */
static const double ctm_y_near[2][14] = {
    {0x1.ef5591b23addcp-2, -0x1.bb0a20bc8fa17p-2, -0x1.e1dec550e2063p-2, 0x1.8dd73e3860a7fp-2,
     -0x1.c8c5dcec55175p-4, 0x1.20efffecdb200p-6, -0x1.d898823c280f9p-10, 0x1.1084623b52889p-13,
     -0x1.d4ca0d2405a34p-18, 0x1.38e97d030cbc8p-22, -0x1.4e026d20601c1p-27, 0x1.23cf653ed486ap-32,
     -0x1.a9b9f9880c2ffp-38, 0x1.06ae24e5e72fcp-43},
    {0x1.1e34eda905916p-3, 0x1.75172069e41bbp-4, -0x1.4e11f71d95a0fp-3, 0x1.0fc1d2bad4f78p-4,
     -0x1.b82fcf4b7e778p-7, 0x1.b5777b8435ccbp-10, -0x1.2893671e1f7a1p-13, 0x1.2508be43f04c1p-17,
     -0x1.b9b6abba6cb87p-22, 0x1.06a94d23eb79dp-26, -0x1.f9eb1c7cdcc71p-32, 0x1.92d2ecc4f2b6fp-37,
     -0x1.0df75ed5109efp-42, 0x1.343d6300a8432p-48},
};

/* For x >= 5, sqrt(pi x / 2) J(x) = P cos(u) - Q sin(u), and Y with sin(u) and cos(u) exchanged and
 * +, where u = x - pi/4 or x - 3 pi/4 (DLMF 10.17): polynomials for P and x Q in 50 / x^2 - 1. */
static const double ctm_bessel_p[2][18] = {
    {0x1.ff4d0e58750e7p-1, -0x1.5bfe8e4499177p-10, 0x1.24e857dff6934p-15, -0x1.4a2bb23b27aadp-19,
     0x1.3f88f18a3c35cp-22, -0x1.b4ebbe5d3f37cp-25, 0x1.7bf612ee692d9p-27, -0x1.8a8f05c3b9374p-29,
     0x1.d6a95e101f7e4p-31, -0x1.38a2b6c8aac82p-32, 0x1.acab820a0be99p-34, -0x1.455e2cbcaacf6p-35,
     0x1.b020c47c66866p-36, -0x1.a2813179a6cb8p-37, -0x1.f823831a239b1p-39, 0x1.5361597b38fb9p-39,
     0x1.f6f3ee17140dbp-39, -0x1.191f94ec7a106p-39},
    {0x1.00961eaac1aa9p0, 0x1.25cb0665de3bep-9, -0x1.800dd410d36e6p-15, 0x1.8fc8a4581c581p-19,
     -0x1.743c73143e7ccp-22, 0x1.f180083e9c182p-25, -0x1.aa278e04a0674p-27, 0x1.b5c5f9e7c6202p-29,
     -0x1.02f6fd547cd27p-30, 0x1.55d31ff1624fep-32, -0x1.d2fc86839f900p-34, 0x1.611e4c68a422cp-35,
     -0x1.cf85d490f0980p-36, 0x1.bf3fa1e950b98p-37, 0x1.07d26298dad29p-38, -0x1.642c411ee6224p-39,
     -0x1.0b05ced4cb3acp-38, 0x1.29fdd8202e299p-39},
};

static const double ctm_bessel_q[2][20] = {
    {-0x1.fa53af1a412d6p-4,  0x1.5883682266e75p-10,  -0x1.09dd705609194p-14, 0x1.a2b325eadbb80p-18,
     -0x1.f9305505bb0acp-21, 0x1.953c869084ed6p-23,  -0x1.8e8fd7c7a7561p-25, 0x1.c8e46e1b4d865p-27,
     -0x1.26c8fea1acec8p-28, 0x1.a2cc43f029080p-30,  -0x1.4bad2579085dfp-31, 0x1.146387514f715p-32,
     -0x1.34f6943eec0e8p-34, 0x1.cca2862e1a889p-36,  -0x1.25839624730b7p-34, 0x1.542c87b6859adp-35,
     0x1.c88535f9a7e59p-36,  -0x1.25169ca2221e0p-36, -0x1.b0f777b948493p-37, 0x1.06d1d1087575ep-37},
    {0x1.7e0025755b90ep-2,   -0x1.e8dbf08d129ddp-10, 0x1.4b4523f72447ep-14, -0x1.ee9665e85a786p-18,
     0x1.21e12777e65c1p-20,  -0x1.c8b31bf50ceb9p-23, 0x1.bb9acab8bdadfp-25, -0x1.f7e2cb6b8769fp-27,
     0x1.42d55149a0e40p-28,  -0x1.c81582a54facep-30, 0x1.6740727ba3dd4p-31, -0x1.2a2250d06f5fbp-32,
     0x1.4ff11a55995c1p-34,  -0x1.f62e68cd6f25fp-36, 0x1.36ffd92c810f8p-34, -0x1.67a4eda996ef2p-35,
     -0x1.e018baa92106bp-36, 0x1.340f28f5b038dp-36,  0x1.c92c19339103bp-37, -0x1.15295cb3f28f3p-37},
};

/* The first zeros of J0 and J1, as sums of two doubles. */
static const double ctm_j_zero[2][2] = {
    {0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53},
    {0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53},
};

CTM double ctm_j_near_f64(double x, int order)
{
    const double *zero = ctm_j_zero[order];
    double y = CTM_HORNER(ctm_j_near[order], ctm_fma_f64(x * x, 0.08, -1.0));
    y *= ((x - zero[0]) - zero[1]) * (x + zero[0]);
    double tiny = ctm_fma_f64(x * x, -0.25, 1.0);
    return order == 1 ? y * x : x < 0x1p-13 ? tiny : y;
}

CTM double ctm_y_near_f64(double x, int order)
{
    double p = CTM_HORNER(ctm_y_near[order], ctm_fma_f64(x * x, 0.08, -1.0));
    double wave = ctm_log_f64(x) * ctm_j_near_f64(x, order);
    return order == 0 ? ctm_fma_f64(0x1.45f306dc9c883p-1, wave, p)
                      : ctm_fma_f64(0x1.45f306dc9c883p-1, wave - 1.0 / x, p * x);
}

/* sin(x) + cos(x) and sin(x) - cos(x), which are sqrt(2) times sin and -cos of x + pi/4. */
CTM_CALLED void ctm_waves_f64(double *restrict plus, double *restrict minus,
                              const double *restrict x)
{
    uint64_t wide = 0;
    CTM_EACH_LANE(i)
    wide |= ctm_narrow_f64(x[i]) ? 0u : 1u;
    if (!wide) {
        CTM_EACH_LANE(i)
        {
            double s = ctm_sin_f64(x[i]), c = ctm_cos_f64(x[i]);
            plus[i] = s + c;
            minus[i] = s - c;
        }
    } else {
        CTM_EACH_LANE(i)
        {
            double s = ctm_sin_wide_f64(x[i]), c = ctm_cos_wide_f64(x[i]);
            plus[i] = s + c;
            minus[i] = s - c;
        }
    }
}

/* J or Y for x >= 5. */
CTM double ctm_bessel_far_f64(double x, double plus, double minus, int order, bool second)
{
    double inverse = 1.0 / x, t = ctm_fma_f64(50.0 * inverse, inverse, -1.0);
    double p = CTM_HORNER(ctm_bessel_p[order], t), q = CTM_HORNER(ctm_bessel_q[order], t) * inverse;
    bool mixed = (order == 0) == second; /* Y0 and J1 */
    double y = mixed ? minus * p + plus * q : plus * p - minus * q;
    return (second && order == 1 ? -y : y) / ctm_sqrt_f64(0x1.921fb54442d18p1 * x);
}

/* The values at the edges: J and Y are 0 at infinity; Y is -inf at 0 and NaN below. */
CTM double ctm_bessel_edge_f64(double x, double y, int order, bool second)
{
    y = ctm_abs_f64(x) == CTM_INF_F64 ? 0.0 : y;
    uint64_t sign = order == 1 ? ctm_bits_f64(x) & 0x8000000000000000u : 0u;
    if (!second)
        return ctm_f64_of_bits(ctm_bits_f64(y) ^ sign);
    y = x == 0.0 ? -CTM_INF_F64 : y;
    return x < 0.0 ? CTM_NAN_F64 : y;
}

/* Errors below 4 ULP; near zeros of the function, 2^-51 times the amplitude. */
CTM void ctm_bessel_block_f64(double *restrict out, const double (*in)[CTM_BLOCK], int count,
                              int order, bool second)
{
    for (int k = 0; k < count; k += CTM_LANES) {
        const double *x = in[0] + k;
        double a[CTM_LANES], plus[CTM_LANES], minus[CTM_LANES];
        uint64_t far = 0;
        CTM_EACH_LANE(i)
        {
            a[i] = ctm_abs_f64(x[i]);
            far |= a[i] > 5.0 ? 1u : 0u;
            double y = second ? ctm_y_near_f64(a[i], order) : ctm_j_near_f64(a[i], order);
            out[k + i] = ctm_bessel_edge_f64(x[i], y, order, second);
        }
        if (!far)
            continue;
        ctm_waves_f64(plus, minus, a);
        CTM_EACH_LANE(i)
        {
            double y = ctm_bessel_far_f64(a[i], plus[i], minus[i], order, second);
            y = ctm_bessel_edge_f64(x[i], y, order, second);
            out[k + i] = a[i] > 5.0 ? y : out[k + i];
        }
    }
}

CTM_CALLED void ctm_bessel_j0_block_f64(double *out, const double (*in)[CTM_BLOCK], int count)
{
    ctm_bessel_block_f64(out, in, count, 0, false);
}

CTM_CALLED void ctm_bessel_j1_block_f64(double *out, const double (*in)[CTM_BLOCK], int count)
{
    ctm_bessel_block_f64(out, in, count, 1, false);
}

CTM_CALLED void ctm_bessel_y0_block_f64(double *out, const double (*in)[CTM_BLOCK], int count)
{
    ctm_bessel_block_f64(out, in, count, 0, true);
}

CTM_CALLED void ctm_bessel_y1_block_f64(double *out, const double (*in)[CTM_BLOCK], int count)
{
    ctm_bessel_block_f64(out, in, count, 1, true);
}

/* ---- the spherical j0 ---- */

/* sin(x) / x, given sin(x); 1 at 0, 0 at infinity. Error below 1.5 ULP, with a sine by the short
 * reduction if ctm_narrow_f64(x). */
CTM double ctm_sin_over_f64(double sine, double x)
{
    double y = ctm_abs_f64(x) == CTM_INF_F64 ? 0.0 : sine / x;
    return x == 0.0 ? 1.0 : y;
}

CTM double ctm_spherical_bessel_j0_f64(double x)
{
    return ctm_sin_over_f64(ctm_sin_f64(x), x);
}

CTM double ctm_spherical_bessel_j0_wide_f64(double x)
{
    return ctm_sin_over_f64(ctm_sin_wide_f64(x), x);
}

/* ---- float32 ---- */

/* I0 and I1 from the short polynomials. The result is infinite for x > 200. */
CTM float ctm_i_scaled_f32(double a, double near, double far)
{
    double scale = ctm_exp_short_f64(a <= 8.0 ? -0.25 * a : 0.0);
    return (float)(a <= 8.0 ? near * scale : far / ctm_sqrt_f64(a));
}

CTM float ctm_i_whole_f32(double a, double near, double far)
{
    double scale = ctm_exp_short_f64(a <= 8.0 ? 0.75 * a : a);
    return (float)((a <= 8.0 ? near : far / ctm_sqrt_f64(a)) * scale);
}

CTM float ctm_i0e_f32(float x)
{
    double a = (double)ctm_abs_f32(x), near = CTM_HORNER(ctm_i0_near_short, 0.25 * a - 1.0);
    return ctm_i_scaled_f32(a, near, CTM_HORNER(ctm_i0_far_short, 16.0 / a - 1.0));
}

CTM float ctm_i1e_f32(float x)
{
    double a = (double)ctm_abs_f32(x), near = CTM_HORNER(ctm_i1_near_short, 0.25 * a - 1.0) * a;
    float y = ctm_i_scaled_f32(a, near, CTM_HORNER(ctm_i1_far_short, 16.0 / a - 1.0));
    return x < 0.0f ? -y : y;
}

CTM float ctm_i0_f32(float x)
{
    double a = (double)ctm_abs_f32(x);
    a = a > 200.0 ? 200.0 : a;
    double near = CTM_HORNER(ctm_i0_near_short, 0.25 * a - 1.0);
    return ctm_i_whole_f32(a, near, CTM_HORNER(ctm_i0_far_short, 16.0 / a - 1.0));
}

CTM float ctm_i1_f32(float x)
{
    double a = (double)ctm_abs_f32(x);
    a = a > 200.0 ? 200.0 : a;
    double near = CTM_HORNER(ctm_i1_near_short, 0.25 * a - 1.0) * a;
    float y = ctm_i_whole_f32(a, near, CTM_HORNER(ctm_i1_far_short, 16.0 / a - 1.0));
    return x < 0.0f ? -y : y;
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

CTM float ctm_spherical_bessel_j0_f32(float x)
{
    return (float)ctm_spherical_bessel_j0_f64((double)x);
}

CTM float ctm_spherical_bessel_j0_wide_f32(float x)
{
    return (float)ctm_spherical_bessel_j0_wide_f64((double)x);
}

#endif
