/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of the attend engine, compiled once for each instruction set; attend.c calls them
 * through a table. */
#include "cpu/attend/attend.h"

#include "cpu/isa.h"
#include "cpu/pointwise/loop.h"
#include "cpu/softmax/exponential.h"

#define T float
#define EXP cti_exponential_f32
#define SCALE 0x1p24
#define LOG ctm_log_f32
#define INFINITE CTM_INF_F32
#define NAME(x) x##_f32
#include "cpu/attend/typed.h"

#define T double
#define EXP cti_exponential_f64
#define SCALE 0x1p54
#define LOG ctm_log_f64
#define INFINITE CTM_INF_F64
#define NAME(x) x##_f64
#include "cpu/attend/typed.h"
