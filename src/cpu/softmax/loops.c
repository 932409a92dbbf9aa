/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of the softmax engine, compiled once for each instruction set; softmax.c calls them
 * through a table. Sums run over a fixed number of lanes, so that they do not depend on the vector
 * width. */
#include "cpu/softmax/softmax.h"

#include "core/interrupt.h"
#include "cpu/isa.h"
#include "cpu/pointwise/loop.h"
#include "cpu/softmax/exponential.h"

#include <string.h>

#define LANES 32
#define SHORT 256                            /* elements: shorter lines share a block */
#define BLOCK 2048                           /* elements whose sum is accumulated in type T */
#define SHARED ((int64_t)(8192 / sizeof(T))) /* elements of a block of short lines */
#define COLUMNS CTI_SOFTMAX_COLUMNS

#define T float
#define EXP cti_exponential_f32
#define SCALE 0x1p24
#define LOG ctm_log_f32
#define INFINITE CTM_INF_F32
#define NAME(x) x##_f32
#include "cpu/softmax/typed.h"

#define T double
#define EXP cti_exponential_f64
#define SCALE 0x1p54
#define LOG ctm_log_f64
#define INFINITE CTM_INF_F64
#define NAME(x) x##_f64
#include "cpu/softmax/typed.h"

extern const struct cti_softmax_loops CTI_ISA_NAME(cti_softmax_f32);
const struct cti_softmax_loops CTI_ISA_NAME(cti_softmax_f32) = {lines_f32, columns_f32};
extern const struct cti_softmax_loops CTI_ISA_NAME(cti_softmax_f64);
const struct cti_softmax_loops CTI_ISA_NAME(cti_softmax_f64) = {lines_f64, columns_f64};
