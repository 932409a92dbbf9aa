/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the forward and the weight-gradient side of Winograd convolution: the order of tiles,
 * row by row through one image after the other, and the addresses of the elements of a vector of
 * tiles. */
#ifndef CORTEN_CPU_CONV_WINOGRAD_TILES_H
#define CORTEN_CPU_CONV_WINOGRAD_TILES_H

#include "cpu/conv/winograd.h"
#include "cpu/gemm/kernel.h"

enum { POSITIONS = CTI_WINOGRAD_POSITIONS, LANES = CTI_WINOGRAD_LANES };

struct cti_winograd_grid {
    int64_t rows, columns, tiles; /* of one image; tiles of all images */
    int64_t quarters, across;     /* of the taps; quarters in a row */
};

/* The first tap of a quarter, and its taps a side, 1 to 3. */
struct cti_winograd_quarter {
    int64_t first[2], taps[2];
};

const struct cti_winograd_loops *cti_winograd_loops(void);
const struct cti_gemm_kernel *cti_winograd_kernel(void);
struct cti_winograd_grid cti_winograd_grid(const struct cti_winograd *w);

struct cti_winograd_quarter cti_winograd_quarter(const struct cti_winograd *w,
                                                 const struct cti_winograd_grid *grid,
                                                 int64_t quarter);

/* Whether the weights of a quarter are 0 at a position. */
static inline bool cti_winograd_is_void(const struct cti_winograd_quarter *q, int64_t position)
{
    return (q->taps[0] < 3 && position / 4 == 3) || (q->taps[1] < 3 && position % 4 == 3);
}

/* Splits LANES tiles from `first` on (fewer at the end) into runs, and returns the number of runs,
 * at most LANES. */
int cti_winograd_runs(const struct cti_winograd *w, const struct cti_winograd_grid *grid,
                      const struct cti_winograd_quarter *q, int64_t first,
                      struct cti_winograd_run *run);

#endif
