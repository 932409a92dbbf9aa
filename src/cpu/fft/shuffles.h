/* SPDX-License-Identifier: BSD-3-Clause */
/* The shuffles of the Fourier engine as index lists over two vectors; loops.c includes this and
 * selects by element type, in BY_LANES and BY_BLOCKS. */

/* By number of lanes: deinterleave real parts, imaginary parts; interleave the first half, the
 * second half; the same with lanes in descending order; */
#define EVENS_2 0, 2
#define ODDS_2 1, 3
#define LOWS_2 0, 2
#define HIGHS_2 1, 3
#define LOWS_BACK_2 1, 3
#define HIGHS_BACK_2 0, 2
#define EVENS_4 0, 2, 4, 6
#define ODDS_4 1, 3, 5, 7
#define LOWS_4 0, 4, 1, 5
#define HIGHS_4 2, 6, 3, 7
#define LOWS_BACK_4 3, 7, 2, 6
#define HIGHS_BACK_4 1, 5, 0, 4
#define EVENS_8 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS_8 1, 3, 5, 7, 9, 11, 13, 15
#define LOWS_8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGHS_8 4, 12, 5, 13, 6, 14, 7, 15
#define LOWS_BACK_8 7, 15, 6, 14, 5, 13, 4, 12
#define HIGHS_BACK_8 3, 11, 2, 10, 1, 9, 0, 8
#define EVENS_16 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS_16 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOWS_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGHS_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LOWS_BACK_16 15, 31, 14, 30, 13, 29, 12, 28, 11, 27, 10, 26, 9, 25, 8, 24
#define HIGHS_BACK_16 7, 23, 6, 22, 5, 21, 4, 20, 3, 19, 2, 18, 1, 17, 0, 16
/* reverse a vector; reverse it and prepend the first lane of the second vector. */
#define BACK_2 1, 0
#define MIRROR_2 2, 1
#define BACK_4 3, 2, 1, 0
#define MIRROR_4 4, 3, 2, 1
#define BACK_8 7, 6, 5, 4, 3, 2, 1, 0
#define MIRROR_8 8, 7, 6, 5, 4, 3, 2, 1
#define BACK_16 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define MIRROR_16 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1
/* By element size and vector width: interleave the first halves of 16-byte blocks, the second
 * halves; and the even and odd blocks (unused for vectors of one block). */
#define ZIP_LOWS_4_16 0, 4, 1, 5
#define ZIP_HIGHS_4_16 2, 6, 3, 7
#define EVEN_BLOCKS_4_16 0, 4, 1, 5
#define ODD_BLOCKS_4_16 0, 4, 1, 5
#define ZIP_LOWS_4_32 0, 8, 1, 9, 4, 12, 5, 13
#define ZIP_HIGHS_4_32 2, 10, 3, 11, 6, 14, 7, 15
#define EVEN_BLOCKS_4_32 0, 1, 2, 3, 8, 9, 10, 11
#define ODD_BLOCKS_4_32 4, 5, 6, 7, 12, 13, 14, 15
#define ZIP_LOWS_4_64 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define ZIP_HIGHS_4_64 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define EVEN_BLOCKS_4_64 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define ODD_BLOCKS_4_64 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
#define ZIP_LOWS_8_16 0, 2
#define ZIP_HIGHS_8_16 1, 3
#define EVEN_BLOCKS_8_16 0, 2
#define ODD_BLOCKS_8_16 0, 2
#define ZIP_LOWS_8_32 0, 4, 2, 6
#define ZIP_HIGHS_8_32 1, 5, 3, 7
#define EVEN_BLOCKS_8_32 0, 1, 4, 5
#define ODD_BLOCKS_8_32 2, 3, 6, 7
#define ZIP_LOWS_8_64 0, 8, 2, 10, 4, 12, 6, 14
#define ZIP_HIGHS_8_64 1, 9, 3, 11, 5, 13, 7, 15
#define EVEN_BLOCKS_8_64 0, 1, 4, 5, 8, 9, 12, 13
#define ODD_BLOCKS_8_64 2, 3, 6, 7, 10, 11, 14, 15

#define EVENS BY_LANES(EVENS)
#define ODDS BY_LANES(ODDS)
#define LOWS BY_LANES(LOWS)
#define HIGHS BY_LANES(HIGHS)
#define LOWS_BACK BY_LANES(LOWS_BACK)
#define HIGHS_BACK BY_LANES(HIGHS_BACK)
#define BACK BY_LANES(BACK)
#define MIRROR BY_LANES(MIRROR)
#define ZIP_LOWS BY_BLOCKS(ZIP_LOWS)
#define ZIP_HIGHS BY_BLOCKS(ZIP_HIGHS)
#define EVEN_BLOCKS BY_BLOCKS(EVEN_BLOCKS)
#define ODD_BLOCKS BY_BLOCKS(ODD_BLOCKS)
