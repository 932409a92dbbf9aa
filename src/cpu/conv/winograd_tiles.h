/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two kinds of Winograd's convolutions share: how tiles are counted, through the rows of
 * one image after the other, and where a vector of them finds its elements. */
#ifndef CORTEN_CPU_CONV_WINOGRAD_TILES_H
#define CORTEN_CPU_CONV_WINOGRAD_TILES_H

#include "cpu/conv/winograd.h"
#include "cpu/gemm/kernel.h"

enum { POSITIONS = CTI_WINOGRAD_POSITIONS, LANES = CTI_WINOGRAD_LANES };

struct cti_winograd_grid {
    int64_t rows, columns, tiles; /* of one image; tiles of all */
};

const struct cti_winograd_loops *cti_winograd_loops(void);
const struct cti_gemm_kernel *cti_winograd_kernel(void);
struct cti_winograd_grid cti_winograd_grid(const struct cti_winograd *w);

/* The runs of LANES tiles from `first` on, at most LANES of them; fewer tiles at the end. */
int cti_winograd_runs(const struct cti_winograd *w, const struct cti_winograd_grid *grid,
                      int64_t first, struct cti_winograd_run *run);

#endif
