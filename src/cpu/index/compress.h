/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing what a mask of bytes selects: one table of loops per instruction set, filled in by
 * simd/compress.c and used by mask.c, scatter.c and order/topk.c; and the check of indices. */
#ifndef CORTEN_CPU_COMPRESS_H
#define CORTEN_CPU_COMPRESS_H

#include <stdint.h>

/* A byte of the mask that is not 0 selects. Each loop returns how many were selected and writes
 * nothing behind out + room, where room is at least that number. */
struct cti_compress {
    int64_t (*count)(const uint8_t *mask, int64_t n);
    int64_t (*values4)(const uint8_t *mask, const uint32_t *in, int64_t n, uint32_t *out,
                       int64_t room);
    int64_t (*values8)(const uint8_t *mask, const uint64_t *in, int64_t n, uint64_t *out,
                       int64_t room);
    /* out = first, first + 1, ... where the mask selects */
    int64_t (*places)(const uint8_t *mask, int64_t n, int64_t first, int64_t *out, int64_t room);
    /* The values in [low, low + width) and where they stand; room for n + 8 of both. */
    int64_t (*within)(const int64_t *in, int64_t n, int64_t low, uint64_t width, int64_t *values,
                      int64_t *places);
    /* The sign bit is set where in[i] + low or high - in[i] has it, for any i. */
    uint64_t (*beyond)(const int64_t *in, int64_t n, uint64_t low, uint64_t high);
};

/* The table for the instruction set in use. */
const struct cti_compress *cti_compress_best(void);

#endif
