/* SPDX-License-Identifier: BSD-3-Clause */
/* Orthogonal polynomials whose degree is an element, too: Chebyshev of four kinds, plain and
 * shifted to [0, 1], Hermite of two kinds, Laguerre, Legendre.
 *
 * By their recurrences (DLMF 18.9), each in its own type, so that overflow is the same as in
 * PyTorch; Chebyshev polynomials of higher degrees between -1 and 1 by their trigonometric form.
 * The degree is truncated to an integer; a NaN degree counts as negative, and polynomials of
 * negative degree are 0. Errors grow with the degree. Block functions (block.h); called by the
 * generated loops. */
#ifndef CORTEN_MATH_POLYNOMIAL_H
#define CORTEN_MATH_POLYNOMIAL_H

#include "basic.h"
#include "block.h"
#include "trig.h"
#include "types.h"

/* The Chebyshev polynomials, and those without a trigonometric form. */
enum ctm_polynomial {
    CTM_CHEBYSHEV_T,
    CTM_CHEBYSHEV_U,
    CTM_CHEBYSHEV_V,
    CTM_CHEBYSHEV_W,
    CTM_HERMITE_H,
    CTM_HERMITE_HE,
    CTM_LAGUERRE,
    CTM_LEGENDRE,
};

#define REAL float
#define UINT uint32_t
#define OF(name) ctm_##name##_f32
#define NOT_A_NUMBER CTM_NAN_F32
#define HERMITE_MOST 128.0f
#include "polynomial_typed.h"

#define REAL double
#define UINT uint64_t
#define OF(name) ctm_##name##_f64
#define NOT_A_NUMBER CTM_NAN_F64
#define HERMITE_MOST 512.0
#include "polynomial_typed.h"

#endif
