/* SPDX-License-Identifier: BSD-3-Clause */
/* The best element of each group of neighbours, vectorised: topk uses it to skip most of a long
 * line. Compiled once for each instruction set (peaks.c); called by topk.c. */
#ifndef CORTEN_CPU_ORDER_PEAKS_H
#define CORTEN_CPU_ORDER_PEAKS_H

#include "corten/base.h"

#define CTI_PEAKS_LANES 32 /* group sizes are multiples of this */

/* best[g] is the value of group g's maximum or minimum in the order of Note [Sort keys], where NaN
 * is above everything. There are `count` adjacent groups of `group` elements. */
typedef void cti_peaks_fn(const void *in, int64_t group, int64_t count, bool greatest, void *best);

struct cti_peaks {
    cti_peaks_fn *of[CT_DTYPE_COUNT]; /* NULL: complex numbers have no order */
};

#endif
