/* SPDX-License-Identifier: BSD-3-Clause */
/* How loops over block functions run (Note [Block functions] in math/block.h): one function for
 * each type of elements and type that the word computes in. The generated loops call them. */
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
