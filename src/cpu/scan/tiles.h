/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of running sums and products, one table per type and instruction set: scan.c
 * brings work into their form, tiles.c has them. They know no tensors. */
#ifndef CORTEN_CPU_SCAN_TILES_H
#define CORTEN_CPU_SCAN_TILES_H

#include <stdbool.h>
#include <stdint.h>

#define CTI_SCAN_PART 512 /* elements of one of the pieces that run in step */

/* `rows` rows of `width` elements, in_step and out_step bytes apart: each is added to the
 * accumulators (or multiplied with them), which become the result's row. in may be out. */
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
