/* SPDX-License-Identifier: BSD-3-Clause */
/* The best element of each group of neighbours, in vector code: how topk leaves out most of a long
 * line. Built once for each instruction set (peaks.c); called by topk.c. */
#ifndef CORTEN_CPU_ORDER_PEAKS_H
#define CORTEN_CPU_ORDER_PEAKS_H

#include "corten/base.h"

#define CTI_PEAKS_LANES 32 /* a group is a multiple of these */

/* best[g] is the value of the group's greatest element, or of its least, by the order of Note [Sort
 * keys]: NaN is above all. `count` groups of `group` elements, one after the other. */
typedef void cti_peaks_fn(const void *in, int64_t group, int64_t count, bool greatest, void *best);

struct cti_peaks {
    cti_peaks_fn *of[CT_DTYPE_COUNT]; /* NULL: of complex numbers there is no best */
};

#endif
