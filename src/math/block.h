/* SPDX-License-Identifier: BSD-3-Clause */
/* Block functions: what the functions share whose work differs from element to element.
 *
 * Note [Block functions]
 * A series with as many terms as an element needs, or a function with several ranges, is no
 * straight line of instructions. Such a function is ctm_NAME_block_TYPE(out, in, count): in[k] is
 * the k-th argument of each element, `count` a multiple of CTM_LANES up to CTM_BLOCK. It walks the
 * elements CTM_LANES at a time; the loop over lanes is inside, where it vectorises, and the steps
 * go around it until no lane asks for more. A range that no lane is in is left out. A lane that
 * is done keeps its value, so that no element depends on its neighbours. Functions that compute in
 * double have that form alone; cpu/pointwise/loop_block.h runs them for float32 too. */
#ifndef CORTEN_MATH_BLOCK_H
#define CORTEN_MATH_BLOCK_H

#include "types.h"

#ifdef __CUDACC__ /* a thread has one element */
#define CTM_BLOCK 1
#define CTM_LANES 1
#else
#define CTM_BLOCK 512
#define CTM_LANES 32
#endif

/* The lanes of one step, for loops whose body is a straight line; vectors of them are not unrolled,
 * or every loop would be there several times. What is asked of all lanes is gathered in a whole
 * number as wide as they are: gcc does not vectorise a loop around a bool. */
#if defined(__clang__)
#define CTM_ROLLED _Pragma("clang loop unroll(disable)")
#elif defined(__CUDACC__)
#define CTM_ROLLED _Pragma("unroll 1")
#else
#define CTM_ROLLED _Pragma("GCC unroll 1")
#endif
#define CTM_EACH_LANE(i) CTM_ROLLED for (int i = 0; i < CTM_LANES; i++)

#endif
