/* SPDX-License-Identifier: BSD-3-Clause */
/* Compaction of the elements that a byte mask selects, and a range check of indices: one table of
 * loops for each instruction set, filled in by simd/compress.c and used by mask.c, scatter.c and
 * order/topk.c. */
#ifndef CORTEN_CPU_COMPRESS_H
#define CORTEN_CPU_COMPRESS_H

#include <stdint.h>

/* A nonzero byte selects. Each loop returns the number of selected elements and writes nothing
 * beyond out + room, where `room` is at least that number. */
struct cti_compress {
    int64_t (*count)(const uint8_t *mask, int64_t n);
    int64_t (*values4)(const uint8_t *mask, const uint32_t *in, int64_t n, uint32_t *out,
                       int64_t room);
    int64_t (*values8)(const uint8_t *mask, const uint64_t *in, int64_t n, uint64_t *out,
                       int64_t room);
    /* out = first + i for each selected i */
    int64_t (*positions)(const uint8_t *mask, int64_t n, int64_t first, int64_t *out, int64_t room);
    /* The values in [low, low + width) and their positions; both arrays have room for n + 8. */
    int64_t (*within)(const int64_t *in, int64_t n, int64_t low, uint64_t width, int64_t *values,
                      int64_t *positions);
    /* The sign bit of the result is set if in[i] + low or high - in[i] is negative for some i. */
    uint64_t (*beyond)(const int64_t *in, int64_t n, uint64_t low, uint64_t high);
};

/* The table for the instruction set in use. */
const struct cti_compress *cti_compress_best(void);

#endif
