/* SPDX-License-Identifier: BSD-3-Clause */
/* Drivers of loops over block functions (Note [Block functions] in math/block.h), called by the
 * generated loops: one for each pair of an element type and the type that the function computes
 * in. */
#ifndef CORTEN_CPU_LOOP_BLOCK_H
#define CORTEN_CPU_LOOP_BLOCK_H

#include "math/block.h"

#include <stdint.h>

#define NAME cti_block_f32_f32
#define REAL float
#define WIDE float
#include "cpu/pointwise/loop_block_typed.h"

#define NAME cti_block_f32_f64
#define REAL float
#define WIDE double
#include "cpu/pointwise/loop_block_typed.h"

#define NAME cti_block_f64_f64
#define REAL double
#define WIDE double
#include "cpu/pointwise/loop_block_typed.h"

#endif
