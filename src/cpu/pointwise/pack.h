/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies elements of any size between strided memory and contiguous blocks. The pointwise driver
 * packs every operand that is not contiguous here, so that loops see contiguous memory. */
#ifndef CORTEN_CPU_PACK_H
#define CORTEN_CPU_PACK_H

#include <stdbool.h>
#include <stdint.h>

/* Like memmove, but avoids a case that is slow on some processors, see pack.c. */
void cti_cpu_copy_bytes(char *dst, const char *src, int64_t n);
/* Copies n elements `bstride` bytes apart to or from contiguous memory. */
void cti_cpu_pack(char *dst, const char *src, int64_t bstride, int64_t n, int64_t itemsize);
void cti_cpu_unpack(char *dst, const char *src, int64_t bstride, int64_t n, int64_t itemsize);
/* Copies rows of n elements between strided memory regions. */
struct cti_rows {
    int64_t rows, n, itemsize;
    int64_t dst_row, dst_bstride, src_row, src_bstride; /* bytes between rows, between elements */
};
void cti_cpu_move_rows(char *dst, const char *src, const struct cti_rows *of);
/* Repeats one element n times. */
void cti_cpu_spread(char *dst, const char *src, int64_t n, int64_t itemsize);
/* dst[r][c] = src[c][r] for r < rows, c < columns. Rows of dst are dst_bstride bytes apart; in src
 * the elements of a column are adjacent, and columns are src_bstride bytes apart. */
void cti_cpu_transpose(char *dst, int64_t dst_bstride, const char *src, int64_t src_bstride,
                       int64_t rows, int64_t columns, int64_t itemsize);

#endif
