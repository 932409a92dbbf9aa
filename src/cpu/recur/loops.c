/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of the recur engine, compiled once for each instruction set; recur.c and backward.c
 * call them through a table. */
#include "cpu/isa.h"
#include "cpu/pointwise/loop.h"
#include "cpu/recur/recur.h"
#include "math/math.h"

#define T float
#define SIGMOID ctm_sigmoid_f32
#define TANH ctm_tanh_f32
#define NAME(x) x##_f32
#include "cpu/recur/typed.h"

#define T double
#define SIGMOID ctm_sigmoid_f64
#define TANH ctm_tanh_f64
#define NAME(x) x##_f64
#include "cpu/recur/typed.h"
