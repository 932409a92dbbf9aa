/* SPDX-License-Identifier: BSD-3-Clause */
/* All scalar functions: ctm_NAME_TYPE(...), TYPE one of f32 f64 c64 c128 i8 ... u64, and the casts
 * ctm_DST_from_SRC(x).
 *
 * The generated loops include this file as "math/math.h"; names are regular because the generator
 * pastes name and type. See Note [Vectorising functions] in types.h for what a loop must be
 * compiled with. */
#ifndef CORTEN_MATH_MATH_H
#define CORTEN_MATH_MATH_H

#include "airy.h"
#include "basic.h"
#include "bessel.h"
#include "block.h"
#include "cast.h"
#include "complex.h"
#include "division.h"
#include "error.h"
#include "exp.h"
#include "float8.h"
#include "gamma.h"
#include "gamma_part.h"
#include "half.h"
#include "integer.h"
#include "log.h"
#include "parts.h"
#include "pathwise.h"
#include "polynomial.h"
#include "special.h"
#include "trig.h"
#include "types.h"
#include "zeta.h"

#endif
