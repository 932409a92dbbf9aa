/* SPDX-License-Identifier: BSD-3-Clause */
/* Block functions: macros and types for functions whose work differs from element to element.
 *
 * Note [Block functions]
 * A series with as many terms as an element needs, or a function with several ranges, is not a
 * straight line of instructions. Such a function is ctm_NAME_block_TYPE(out, in, count): in[k]
 * holds the k-th argument of each element, and `count` is a multiple of CTM_LANES up to CTM_BLOCK.
 * It processes CTM_LANES elements at a time: the loop over lanes is the inner one, so that it
 * vectorises, and the loop over terms goes on until no lane needs more. A range that no lane needs
 * is skipped. A lane that is finished keeps its value, so no element depends on its neighbours.
 * Functions that compute in double exist only in that form; cpu/pointwise/loop_block.h runs them
 * for float32, too. */
#ifndef CORTEN_MATH_BLOCK_H
#define CORTEN_MATH_BLOCK_H

#include "types.h"

#ifdef __CUDACC__ /* each thread computes one element */
#define CTM_BLOCK 1
#define CTM_LANES 1
#else
#define CTM_BLOCK 512
#define CTM_LANES 32
#endif

/* Loops over the lanes of one step. They must not be unrolled, because that would multiply the code
 * of every loop. A condition on all lanes is collected in an integer as wide as the lanes, because
 * gcc does not vectorise a loop that computes a bool. */
#if defined(__clang__)
#define CTM_ROLLED _Pragma("clang loop unroll(disable)")
#elif defined(__CUDACC__)
#define CTM_ROLLED _Pragma("unroll 1")
#else
#define CTM_ROLLED _Pragma("GCC unroll 1")
#endif
#define CTM_EACH_LANE(i) CTM_ROLLED for (int i = 0; i < CTM_LANES; i++)

#endif
