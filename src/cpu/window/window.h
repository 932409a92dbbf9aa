/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's window engine and its loops, compiled once for each instruction set. */
#ifndef CORTEN_CPU_WINDOW_H
#define CORTEN_CPU_WINDOW_H

#include "core/window.h"

/* The loops' arguments. Elements [from, to) of the last dim have full windows of `width` elements
 * with a constant `stride`, so no table is needed for them. */
struct cti_window_run {
    const struct cti_window *work;
    void *out;
    const void *in;
    int64_t *index;
    int64_t from, to, stride;
};

/* Computes one row of the result: element (plane, depth, height). */
typedef void cti_window_row(const struct cti_window_run *run, int64_t plane, int64_t depth,
                            int64_t height);

struct cti_window_loops {
    cti_window_row *sum, *max; /* NULL: no loop for this type */
};

#endif
