/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex functions on ct_c64 and ct_c128, with PyTorch's formulas.
 *
 * Arithmetic is branch-free and follows c10::complex: products by the plain formula and quotients
 * by Smith's method, so infinities give PyTorch's results, not those of C's Annex G. Transcendental
 * functions use complex_near.h or, for extreme arguments, libm's complex functions; their errors
 * are below 4 ULP in each part, and they exist only on the host. Called by the generated loops. */
#ifndef CORTEN_MATH_COMPLEX_H
#define CORTEN_MATH_COMPLEX_H

#include "basic.h"
#include "cast.h"
#include "complex_near.h"
#include "exp.h"
#include "log.h"
#include "trig.h"
#include "types.h"

CTM ct_c128 ctm_doubled_c64(ct_c64 z)
{
    return ctm_c128_from_c64(z);
}

CTM ct_c64 ctm_rounded_c64(ct_c128 z)
{
    return ctm_c64_from_c128(z);
}

CTM ct_c128 ctm_doubled_c128(ct_c128 z)
{
    return z;
}

CTM ct_c128 ctm_rounded_c128(ct_c128 z)
{
    return z;
}

#define COMPLEX ct_c64
#define OF(name) ctm_##name##_c64
#define REAL float
#define OF_REAL(name) ctm_##name##_f32
#define LIBM(name) __builtin_##name##f
#define LN_2 0x1.62e43p-1f
#define LN_10 0x1.26bb1cp1f
#define NOT_A_NUMBER CTM_NAN_F32
#include "complex_typed.h"

#define COMPLEX ct_c128
#define OF(name) ctm_##name##_c128
#define REAL double
#define OF_REAL(name) ctm_##name##_f64
#define LIBM(name) __builtin_##name
#define LN_2 0x1.62e42fefa39efp-1
#define LN_10 0x1.26bb1bbb55516p1
#define NOT_A_NUMBER CTM_NAN_F64
#include "complex_typed.h"

#endif
