/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of the distance engine, compiled once for each instruction set; distance.c calls them
 * through a table. Sums run over a fixed number of lanes, so that they do not depend on the vector
 * width. */
#include "cpu/distance/distance.h"

#include "cpu/isa.h"
#include "math/math.h"

#include <string.h>

#define LANES 32
#define SIDE 64 /* short rows of b that are transposed together */

#define T float
#define POW ctm_pow_f32
#define NAME(x) x##_f32
#include "cpu/distance/typed.h"

#define T double
#define POW ctm_pow_f64
#define NAME(x) x##_f64
#include "cpu/distance/typed.h"

extern const struct cti_distance_loops CTI_ISA_NAME(cti_distance_loops);
const struct cti_distance_loops CTI_ISA_NAME(cti_distance_loops) = {rows_f32, rows_f64};
