/* SPDX-License-Identifier: BSD-3-Clause */
/* exp, log, tanh, sigmoid, gelu, sin and cos of float32 for AVX-512, sixteen at a time. The
 * generated loops of these operations call them ("vectors" in tools/facts.toml); all other
 * functions and instruction sets use src/math. These functions have the error bounds of src/math
 * (tests/c/math/test_math.c) with half the instructions.
 *
 * They use instructions that compilers do not generate from plain C: a table of sixteen entries is
 * one register and one vperm, so polynomials are short; getexp, getmant and scalef split and join
 * exponents in one instruction, denormals included; a minimum is one instruction and keeps NaN; a
 * quotient is an estimate and a Newton step, since a division takes at least sixteen cycles. */
#ifndef CORTEN_CPU_SIMD_MATH_AVX512_H
#define CORTEN_CPU_SIMD_MATH_AVX512_H

#ifdef __AVX512DQ__

#include "math/trig.h"

#include <immintrin.h>
#include <stdint.h>

#define CTI_WORD static inline __attribute__((always_inline, unused)) __m512

/* 2^(k / 16) as an unevaluated sum of two. */
static const float cti_exp_table[2][16] __attribute__((aligned(64))) = {
    {
        0x1p0f,
        0x1.0b5586p0f,
        0x1.172b84p0f,
        0x1.2387a6p0f,
        0x1.306fep0f,
        0x1.3dea64p0f,
        0x1.4bfdaep0f,
        0x1.5ab07ep0f,
        0x1.6a09e6p0f,
        0x1.7a1148p0f,
        0x1.8ace54p0f,
        0x1.9c4918p0f,
        0x1.ae89fap0f,
        0x1.c199bep0f,
        0x1.d5818ep0f,
        0x1.ea4afap0f,
    },
    {
        0.0f,
        0x1.9f3122p-25f,
        -0x1.c15742p-27f,
        0x1.ceac48p-25f,
        0x1.4636e2p-25f,
        0x1.824684p-25f,
        -0x1.593abcp-25f,
        -0x1.5bd5ecp-27f,
        0x1.9fcef4p-26f,
        -0x1.829fdp-25f,
        0x1.15506ep-27f,
        0x1.51f848p-27f,
        -0x1.a94b14p-26f,
        -0x1.3d56b2p-27f,
        -0x1.822dbcp-27f,
        0x1.52486cp-27f,
    },
};

/* e^c for -104 <= c <= 89, or NaN: c = n ln2 + r, n a multiple of 1/16. Error below 0.55 ULP, 0.76
 * for denormal results. */
CTI_WORD cti_avx512_exp_between(__m512 c)
{
    const __m512 shift = _mm512_set1_ps(0x1.8p19f); /* rounds to a multiple of 1/16 */
    __m512 z = _mm512_fmadd_ps(c, _mm512_set1_ps(0x1.715476p0f), shift);
    __m512 n = _mm512_sub_ps(z, shift);
    __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0x1.62ep-1f), c); /* exact */
    r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0x1.0bfbe8p-15f), r);
    __m512 high = _mm512_permutexvar_ps(_mm512_castps_si512(z), _mm512_load_ps(cti_exp_table[0]));
    __m512 low = _mm512_permutexvar_ps(_mm512_castps_si512(z), _mm512_load_ps(cti_exp_table[1]));
    __m512 p = _mm512_fmadd_ps(r, _mm512_set1_ps(0x1.555662p-3f), _mm512_set1_ps(0x1.00014ep-1f));
    p = _mm512_fmadd_ps(p, _mm512_mul_ps(r, r), r);
    __m512 y = _mm512_add_ps(high, _mm512_fmadd_ps(high, p, low));
    return _mm512_scalef_ps(y, n); /* uses floor(n) */
}

CTI_WORD cti_avx512_exp(__m512 x)
{
    /* max returns its second operand if one is NaN */
    __m512 c = _mm512_max_ps(_mm512_set1_ps(-104.0f), x);
    return cti_avx512_exp_between(_mm512_min_ps(_mm512_set1_ps(89.0f), c));
}

/* 1 / (1 + e^-x), like ctm_sigmoid_f32. Error below 2.1 ULP. */
CTI_WORD cti_avx512_sigmoid(__m512 x)
{
    __m512 a = _mm512_or_ps(x, _mm512_set1_ps(-0.0f));
    __m512 e = cti_avx512_exp_between(_mm512_max_ps(_mm512_set1_ps(-104.0f), a));
    __m512 d = _mm512_add_ps(e, _mm512_set1_ps(1.0f));
    __mmask16 negative = _mm512_movepi32_mask(_mm512_castps_si512(x));
    __m512 n = _mm512_mask_mov_ps(_mm512_set1_ps(1.0f), negative, e);
    __m512 q = _mm512_rcp14_ps(d);
    __m512 y = _mm512_mul_ps(n, q);
    return _mm512_fmadd_ps(_mm512_fnmadd_ps(d, y, n), q, y);
}

/* r close to 1 / m for the sixteenths m of [1, 2), exactly 1 and 1/2 at the ends; -log(r) as an
 * unevaluated sum of two, the first a multiple of 2^-15. */
static const float cti_log_table[3][16] __attribute__((aligned(64))) = {
    {
        0x1p0f,
        0x1.d41d42p-1f,
        0x1.bacf92p-1f,
        0x1.a41a42p-1f,
        0x1.8f9c18p-1f,
        0x1.7d05f4p-1f,
        0x1.6c16c2p-1f,
        0x1.5c9882p-1f,
        0x1.4e5e0ap-1f,
        0x1.414142p-1f,
        0x1.3521dp-1f,
        0x1.29e412p-1f,
        0x1.1f7048p-1f,
        0x1.15b1e6p-1f,
        0x1.0c9714p-1f,
        0x1p-1f,
    },
    {
        0.0f,
        0x1.6fp-4f,
        0x1.295p-3f,
        0x1.952p-3f,
        0x1.fb9p-3f,
        0x1.2e9p-2f,
        0x1.5d18p-2f,
        0x1.89ap-2f,
        0x1.b45p-2f,
        0x1.dd48p-2f,
        0x1.0254p-1f,
        0x1.154cp-1f,
        0x1.2794p-1f,
        0x1.394p-1f,
        0x1.4a5p-1f,
        0x1.62e4p-1f,
    },
    {
        0.0f,
        0x1.a4e5cap-17f,
        0x1.4b108p-17f,
        0x1.6a03d2p-17f,
        0x1.8bd5e4p-19f,
        -0x1.d411eep-18f,
        0x1.ed2acp-17f,
        0x1.9d460ap-17f,
        -0x1.0dc66ep-19f,
        -0x1.6213e4p-18f,
        0x1.29da5ep-17f,
        0x1.f1fa6ap-20f,
        0x1.e0e89cp-17f,
        -0x1.f2da9ep-17f,
        -0x1.e113fp-19f,
        0x1.7f7d1cp-20f,
    },
};

/* x = 2^e m, log(x) = e ln2 - log(r) + log(1 + f), f = m r - 1. Around 1 the first two cancel
 * exactly. Error below 0.65 ULP. */
CTI_WORD cti_avx512_log(__m512 x)
{
    __m512 m = _mm512_getmant_ps(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src);
    __m512 e = _mm512_getexp_ps(x);
    __m512i k = _mm512_srli_epi32(_mm512_castps_si512(m), 19);
    __m512 r = _mm512_permutexvar_ps(k, _mm512_load_ps(cti_log_table[0]));
    __m512 high = _mm512_permutexvar_ps(k, _mm512_load_ps(cti_log_table[1]));
    __m512 low = _mm512_permutexvar_ps(k, _mm512_load_ps(cti_log_table[2]));
    high = _mm512_fmadd_ps(e, _mm512_set1_ps(0x1.62e4p-1f), high); /* exact */
    low = _mm512_fmadd_ps(e, _mm512_set1_ps(0x1.7f7d1cp-20f), low);
    __m512 f = _mm512_fmsub_ps(m, r, _mm512_set1_ps(1.0f));
    __m512 p = _mm512_fmadd_ps(f, _mm512_set1_ps(0x1.8636e2p-3f), _mm512_set1_ps(-0x1.002634p-2f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(0x1.555794p-2f));
    p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(-0x1.fffffep-2f));
    __m512 s = _mm512_add_ps(high, f);
    low = _mm512_add_ps(low, _mm512_sub_ps(f, _mm512_sub_ps(s, high)));
    __m512 y = _mm512_add_ps(s, _mm512_fmadd_ps(_mm512_mul_ps(f, f), p, low));
    /* special results by the class of x: NaN and +inf stay, zero gives -inf, negative numbers give
     * NaN; otherwise y */
    return _mm512_fixupimm_ps(y, x, _mm512_set1_epi32(0x3530422), 0);
}

/* For each half octave from 3/32 to 12, and one entry for everything below, indexed by the low bits
 * of the exponent and the top bit of the significand: a centre whose tanh is nearly a float, that
 * float, and the polynomial of the difference. Below 3/32 the polynomial is relative to x. */
static const float cti_tanh_table[9][16] __attribute__((aligned(64))) = {
    {
        0x1.3ff6bcp1f,
        0x1.bffdcp1f,
        0x1.3ffc3cp2f,
        0x1.bfe89p2f,
        0x1.0a530ep3f,
        0.0f,
        0.0f,
        0x1.bff782p-4f,
        0x1.3febc8p-3f,
        0x1.bffda6p-3f,
        0x1.400624p-2f,
        0x1.c0023cp-2f,
        0x1.4003d8p-1f,
        0x1.c0129cp-1f,
        0x1.3ff0e4p0f,
        0x1.bff09ap0f,
    },
    {
        0x1.f92486p-1f,
        0x1.ff1124p-1f,
        0x1.fff418p-1f,
        0x1.ffffc8p-1f,
        0x1.fffffcp-1f,
        0.0f,
        0.0f,
        0x1.be3074p-4f,
        0x1.3d580cp-3f,
        0x1.b8fac6p-3f,
        0x1.35ff1ep-2f,
        0x1.a5747ap-2f,
        0x1.1bf728p-1f,
        0x1.686fb4p-1f,
        0x1.b249c2p-1f,
        0x1.e1f878p-1f,
    },
    {
        0x1.b3ee22p-6f,
        0x1.dd4892p-9f,
        0x1.7cfb94p-13f,
        0x1.bfb3bep-19f,
        0x1.fb06c6p-23f,
        0.0f,
        0.0f,
        0x1.f9eca6p-1f,
        0x1.f3b4e6p-1f,
        0x1.e84308p-1f,
        0x1.d113c4p-1f,
        0x1.a944f6p-1f,
        0x1.6281dp-1f,
        0x1.0242d2p-1f,
        0x1.1f41d4p-2f,
        0x1.d2617p-4f,
    },
    {
        -0x1.ae1728p-6f,
        -0x1.dc6a6ap-9f,
        -0x1.7d16c6p-13f,
        -0x1.bfde68p-19f,
        -0x1.fb1388p-23f,
        0.0f,
        0.0f,
        -0x1.b8e506p-4f,
        -0x1.35b97p-3f,
        -0x1.a488cp-3f,
        -0x1.19962ap-2f,
        -0x1.5e0ff4p-2f,
        -0x1.893bc4p-2f,
        -0x1.6b9ea8p-2f,
        -0x1.e75062p-3f,
        -0x1.b706d8p-4f,
    },
    {
        0x1.17053ap-6f,
        0x1.3c7388p-9f,
        0x1.fbe5dap-14f,
        0x1.2a7f56p-19f,
        0x1.52713cp-23f,
        0.0f,
        -0x1.555556p-2f,
        -0x1.4546a6p-2f,
        -0x1.352432p-2f,
        -0x1.183b96p-2f,
        -0x1.c19cecp-3f,
        -0x1.16dedcp-3f,
        -0x1.23e2f4p-6f,
        0x1.4f395cp-4f,
        0x1.bbb042p-4f,
        0x1.01d13p-4f,
    },
    {
        -0x1.07eb56p-7f,
        -0x1.3a02d6p-10f,
        -0x1.f72b76p-15f,
        -0x1.27cb8ap-20f,
        -0x1.51f6e8p-24f,
        0.0f,
        0.0f,
        0x1.20b2aap-4f,
        0x1.8e17acp-4f,
        0x1.04dbcep-3f,
        0x1.43d5dep-3f,
        0x1.5c26b4p-3f,
        0x1.1a64b4p-3f,
        0x1.f1b0a6p-5f,
        -0x1.9ba4c6p-7f,
        -0x1.81768p-6f,
    },
    {
        0x1.76e6ccp-9f,
        0x1.ef2bd6p-12f,
        0x1.93e87ap-16f,
        0x1.db5938p-22f,
        0x1.02384cp-25f,
        0.0f,
        0x1.111092p-3f,
        0x1.ec31d6p-4f,
        0x1.b756eap-4f,
        0x1.5c1bc8p-4f,
        0x1.74b466p-5f,
        -0x1.91087ep-8f,
        -0x1.c3c53ep-5f,
        -0x1.e20304p-5f,
        -0x1.3aea3ap-6f,
        0x1.e4254ap-9f,
    },
    {
        -0x1.6f8d7ap-11f,
        -0x1.48987ep-13f,
        -0x1.3179aep-17f,
        -0x1.68645ap-23f,
        -0x1.0f3234p-27f,
        0.0f,
        0.0f,
        -0x1.3f396p-5f,
        -0x1.acb8e2p-5f,
        -0x1.0b57bep-4f,
        -0x1.288b5ap-4f,
        -0x1.f8ebcap-5f,
        -0x1.89c4bep-6f,
        0x1.aa272ap-7f,
        0x1.eeaecap-7f,
        0x1.105082p-9f,
    },
    {
        0x1.11a22cp-14f,
        0x1.5d00eep-15f,
        0x1.5263bep-19f,
        0x1.8fd04ep-25f,
        0x1.17db46p-30f,
        0.0f,
        -0x1.b7c166p-5f,
        -0x1.703d8cp-5f,
        -0x1.2a11c4p-5f,
        -0x1.6e4ae6p-6f,
        -0x1.62e2a4p-15f,
        0x1.71d91p-6f,
        0x1.e43806p-6f,
        0x1.6b1648p-7f,
        -0x1.26252p-8f,
        -0x1.00dadap-9f,
    },
};

/* Error below 0.7 ULP. */
CTI_WORD cti_avx512_tanh(__m512 x)
{
    const __m512 sign = _mm512_set1_ps(-0.0f);
    __m512 a = _mm512_min_ps(_mm512_set1_ps(10.0f), _mm512_andnot_ps(sign, x));
    __m512i k = _mm512_max_epi32(_mm512_castps_si512(a), _mm512_set1_epi32(0x3d800000)); /* 1/16 */
    k = _mm512_srli_epi32(k, 22);
    __mmask16 far = _mm512_cmpge_epi32_mask(_mm512_castps_si512(a), _mm512_set1_epi32(0x3dc00000));
    __m512 d = _mm512_sub_ps(a, _mm512_permutexvar_ps(k, _mm512_load_ps(cti_tanh_table[0])));
    __m512 c0 = _mm512_mask_permutexvar_ps(a, far, k, _mm512_load_ps(cti_tanh_table[1]));
    __m512 p = _mm512_permutexvar_ps(k, _mm512_load_ps(cti_tanh_table[8]));
    for (int i = 7; i > 1; i--)
        p = _mm512_fmadd_ps(p, d, _mm512_permutexvar_ps(k, _mm512_load_ps(cti_tanh_table[i])));
    return _mm512_or_ps(_mm512_fmadd_ps(p, d, c0), _mm512_and_ps(x, sign));
}

/* erf(a / sqrt(2)) around the multiples of 3/8 from 0 to 45/8, as polynomials of the difference.
 * Coefficients were rounded one after the other; the remaining ones were refitted to the residual
 * each time. */
static const float cti_gelu_table[6][16] __attribute__((aligned(64))) = {
    {
        0.0f,
        0x1.2b5b0ep-2f,
        0x1.17efp-1f,
        0x1.7a9412p-1f,
        0x1.bb96e4p-1f,
        0x1.e0dfc6p-1f,
        0x1.f37b6ep-1f,
        0x1.fb9046p-1f,
        0x1.fe9e22p-1f,
        0x1.ff9f4p-1f,
        0x1.ffe8d2p-1f,
        0x1.fffb24p-1f,
        0x1.ffff1cp-1f,
        0x1.ffffdcp-1f,
        0x1.fffffap-1f,
        0x1p0f,
    },
    {
        0x1.988452p-1f,
        0x1.7cc794p-1f,
        0x1.345d6p-1f,
        0x1.b1ec62p-2f,
        0x1.094086p-2f,
        0x1.19bfa4p-3f,
        0x1.0402ep-4f,
        0x1.a0f22ap-6f,
        0x1.227212p-7f,
        0x1.5f90f8p-9f,
        0x1.71b938p-11f,
        0x1.51cfc2p-13f,
        0x1.0c29d8p-15f,
        0x1.71e602p-18f,
        0x1.bb4bb6p-21f,
        0x1.d1b1a8p-23f,
    },
    {
        0x1.e62fb8p-20f,
        -0x1.1d9436p-3f,
        -0x1.ce8aa4p-3f,
        -0x1.e82778p-3f,
        -0x1.8de00ep-3f,
        -0x1.082338p-3f,
        -0x1.24860ap-4f,
        -0x1.119d64p-5f,
        -0x1.b3ada4p-7f,
        -0x1.28b79ap-8f,
        -0x1.5a353cp-10f,
        -0x1.5c3956p-12f,
        -0x1.2dc7c2p-14f,
        -0x1.fc9c4p-17f,
        0x1.d5166p-21f,
        -0x1.2727f8p-16f,
    },
    {
        -0x1.10685cp-3f,
        -0x1.b44bd6p-4f,
        -0x1.67c8fep-5f,
        0x1.33584cp-6f,
        0x1.ba130ep-5f,
        0x1.d8830ap-5f,
        0x1.6019dp-5f,
        0x1.995a56p-6f,
        0x1.834466p-7f,
        0x1.306a26p-8f,
        0x1.927152p-10f,
        0x1.c2ce62p-12f,
        0x1.ae16ecp-14f,
        0x1.5ec06cp-16f,
        0x1.ea5cf2p-19f,
        -0x1.5d74c6p-12f,
    },
    {
        0x1.de171ep-13f,
        0x1.0e15bep-5f,
        0x1.757bcp-5f,
        0x1.188e18p-5f,
        0x1.8e6b94p-7f,
        -0x1.65b71cp-8f,
        -0x1.8dd044p-7f,
        -0x1.62ac1ep-7f,
        -0x1.b3bfaap-8f,
        -0x1.9ce8f4p-9f,
        -0x1.4b60aap-10f,
        -0x1.9ef73cp-12f,
        -0x1.b65f9ep-14f,
        0x1.039a6cp-16f,
        -0x1.35572p-14f,
        -0x1.1ace58p-9f,
    },
    {
        0x1.3bdd7p-6f,
        0x1.b5f83ap-7f,
        -0x1.a786f2p-13f,
        -0x1.575468p-7f,
        -0x1.7e2c4p-7f,
        -0x1.ae1462p-8f,
        -0x1.f220cp-11f,
        0x1.f4d1dep-10f,
        0x1.210d4p-9f,
        0x1.79a344p-10f,
        0x1.687e2ep-11f,
        0x1.0ecdcap-12f,
        0x1.4ac7e8p-14f,
        0x1.4e7e0ap-16f,
        0x1.1b28dcp-18f,
        -0x1.306ce8p-8f,
    },
};

/* x / 2 (1 + erf(x / sqrt(2))). The absolute error of erf matters here: it is below 2^-24, less
 * than that of ctm_ndtr_twice_f32. erf is 1 from 5.65625 on. */
CTI_WORD cti_avx512_gelu(__m512 x)
{
    const __m512 sign = _mm512_set1_ps(-0.0f), shift = _mm512_set1_ps(0x1.8p23f);
    __m512 a = _mm512_min_ps(_mm512_set1_ps(5.65625f), _mm512_andnot_ps(sign, x));
    __m512 z = _mm512_fmadd_ps(a, _mm512_set1_ps(0x1.555556p1f), shift);
    __m512i k = _mm512_castps_si512(z);
    __m512 d = _mm512_fnmadd_ps(_mm512_sub_ps(z, shift), _mm512_set1_ps(0.375f), a);
    __m512 y = _mm512_permutexvar_ps(k, _mm512_load_ps(cti_gelu_table[5]));
    for (int i = 4; i >= 0; i--)
        y = _mm512_fmadd_ps(y, d, _mm512_permutexvar_ps(k, _mm512_load_ps(cti_gelu_table[i])));
    y = _mm512_or_ps(y, _mm512_and_ps(x, sign));
    return _mm512_mul_ps(_mm512_mul_ps(x, _mm512_set1_ps(0.5f)),
                         _mm512_add_ps(y, _mm512_set1_ps(1.0f)));
}

/* sin of eight values in double (half 0) or cos (half 0.5), for ctm_narrow_f32 arguments, by the
 * method of ctm_sin_f32 and ctm_cos_f32. */
static inline __attribute__((always_inline, unused)) __m256 cti_avx512_sincos(__m256 x, double half)
{
    const __m512d shift = _mm512_set1_pd(CTM_SHIFT_F64);
    __m512d w = _mm512_cvtps_pd(x), z, n;
    if (half != 0.0) {
        z = _mm512_fmsub_pd(w, _mm512_set1_pd(0x1.45f306dc9c883p-2), _mm512_set1_pd(half));
        z = _mm512_add_pd(z, shift);
        n = _mm512_add_pd(_mm512_sub_pd(z, shift), _mm512_set1_pd(half));
    } else {
        z = _mm512_fmadd_pd(w, _mm512_set1_pd(0x1.45f306dc9c883p-2), shift);
        n = _mm512_sub_pd(z, shift);
    }
    __m512d r = _mm512_fnmadd_pd(n, _mm512_set1_pd(0x1.921fb544p1), w);
    r = _mm512_fnmadd_pd(n, _mm512_set1_pd(0x1.0b4611a626331p-33), r);
    __m512d s = _mm512_mul_pd(r, r);
    __m512d p = _mm512_fmadd_pd(s, _mm512_set1_pd(-0x1.9daef0dd57a69p-26),
                                _mm512_set1_pd(0x1.71967be0b2114p-19));
    p = _mm512_fmadd_pd(p, s, _mm512_set1_pd(-0x1.a019055d77a06p-13));
    p = _mm512_fmadd_pd(p, s, _mm512_set1_pd(0x1.11110fda488c2p-7));
    p = _mm512_fmadd_pd(p, s, _mm512_set1_pd(-0x1.5555555460369p-3));
    p = _mm512_fmadd_pd(p, s, _mm512_set1_pd(1.0));
    __m512i flip = _mm512_slli_epi64(_mm512_castpd_si512(z), 63);
    if (half != 0.0)
        flip = _mm512_xor_si512(flip, _mm512_set1_epi64(INT64_MIN));
    r = _mm512_xor_pd(r, _mm512_castsi512_pd(flip));
    return _mm512_cvtpd_ps(_mm512_mul_pd(r, p));
}

/* Sixteen at a time with a masked tail; in-place calls are fine. */
#define CTI_MATH_LOOP(name)                                                                        \
    static inline                                                                                  \
        __attribute__((unused)) void cti_simd_##name(float *out, const float *in, int64_t n)       \
    {                                                                                              \
        int64_t i = 0;                                                                             \
        for (; n - i >= 32; i += 32) {                                                             \
            __m512 a = cti_avx512_##name(_mm512_loadu_ps(in + i));                                 \
            __m512 b = cti_avx512_##name(_mm512_loadu_ps(in + i + 16));                            \
            _mm512_storeu_ps(out + i, a);                                                          \
            _mm512_storeu_ps(out + i + 16, b);                                                     \
        }                                                                                          \
        for (; i < n; i += 16) {                                                                   \
            __mmask16 last = (__mmask16)(n - i < 16 ? (1u << (n - i)) - 1u : 0xffffu);             \
            __m512 a = cti_avx512_##name(_mm512_maskz_loadu_ps(last, in + i));                     \
            _mm512_mask_storeu_ps(out + i, last, a);                                               \
        }                                                                                          \
    }
CTI_MATH_LOOP(exp)
CTI_MATH_LOOP(log)
CTI_MATH_LOOP(tanh)
CTI_MATH_LOOP(sigmoid)
CTI_MATH_LOOP(gelu)

/* The same for functions computed in double, eight at a time. Sixteen elements of which one is not
 * narrow take the general function (Note [Wide arguments] in math/trig.h). */
#define CTI_ANGLE_LOOP(name, half)                                                                 \
    static __attribute__((noinline, unused)) void cti_##name##_wide(float *out, const float *in,   \
                                                                    int64_t n)                     \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            out[i] = ctm_##name##_wide_f32(in[i]);                                                 \
    }                                                                                              \
    static inline                                                                                  \
        __attribute__((unused)) void cti_simd_##name(float *out, const float *in, int64_t n)       \
    {                                                                                              \
        int64_t i = 0;                                                                             \
        for (; n - i >= 16; i += 16) {                                                             \
            if (cti_avx512_any_wide(_mm512_loadu_ps(in + i))) {                                    \
                cti_##name##_wide(out + i, in + i, 16);                                            \
                continue;                                                                          \
            }                                                                                      \
            __m256 a = cti_avx512_sincos(_mm256_loadu_ps(in + i), half);                           \
            __m256 b = cti_avx512_sincos(_mm256_loadu_ps(in + i + 8), half);                       \
            _mm256_storeu_ps(out + i, a);                                                          \
            _mm256_storeu_ps(out + i + 8, b);                                                      \
        }                                                                                          \
        cti_##name##_wide(out + i, in + i, n - i);                                                 \
    }

static inline __attribute__((always_inline, unused)) bool cti_avx512_any_wide(__m512 x)
{
    const __m512i limit = _mm512_set1_epi32(0x4a000001);
    __m512i size = _mm512_castps_si512(_mm512_andnot_ps(_mm512_set1_ps(-0.0f), x));
    __m512i past = _mm512_sub_epi32(size, limit);
    return _mm512_cmplt_epu32_mask(past, _mm512_set1_epi32(0x7f800000 - 0x4a000001)) != 0;
}
CTI_ANGLE_LOOP(sin, 0.0)
CTI_ANGLE_LOOP(cos, 0.5)

/* The whole body of a generated loop; empty if the instruction set lacks AVX-512. */
#define CTI_SIMD_WORD(name, out, in, n)                                                            \
    do {                                                                                           \
        cti_simd_##name(out, in, n);                                                               \
        return;                                                                                    \
    } while (0)
#else
#define CTI_SIMD_WORD(name, out, in, n) (void)0
#endif
#endif
