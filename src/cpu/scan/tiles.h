/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of running sums and products, one table for each type and instruction set. scan.c
 * divides tensors into tiles and calls the loops, which are in tiles.c. */
#ifndef CORTEN_CPU_SCAN_TILES_H
#define CORTEN_CPU_SCAN_TILES_H

#include <stdbool.h>
#include <stdint.h>

#define CTI_SCAN_PART 512 /* elements of one of the pieces that run in parallel */

/* Each of `rows` rows of `width` elements is added to the accumulators (or multiplied by them), and
 * these are written to the result's row. Rows are in_step and out_step bytes apart; in may equal
 * out. */
struct cti_scan_tile {
    const char *in;
    char *out;
    int64_t in_step, out_step, rows, width;
    bool product;
};

struct cti_scan_tiles {
    void (*tile)(const struct cti_scan_tile *t, void *accs);
    void (*total)(const void *in, void *acc); /* the sum of a piece */
};

#endif
