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

#define REAL float
#define OF(word) ctm_##word##_f32
#define NOT_A_NUMBER CTM_NAN_F32
#define HERMITE_MOST 128
#include "polynomial_typed.h"

#define REAL double
#define OF(word) ctm_##word##_f64
#define NOT_A_NUMBER CTM_NAN_F64
#define HERMITE_MOST 512
#include "polynomial_typed.h"

#endif
