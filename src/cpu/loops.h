/* SPDX-License-Identifier: BSD-3-Clause */
/* All loops: how the drivers find the best one for the machine. */
#ifndef CORTEN_CPU_LOOPS_H
#define CORTEN_CPU_LOOPS_H

#include "corten/base.h"
#include "cpu/loop.h"
#include "rows.h"

cti_loop *cti_cpu_find_loop(uint16_t row, enum ct_dtype dtype); /* NULL: the row has no such type */
cti_cast_loop *cti_cpu_find_cast(enum ct_dtype to, enum ct_dtype from); /* NULL: the same type */
/* A loop over rows of n elements whose results go past the caches (pack.h): block by block through
 * a buffer. All have `count` entries, a result first, whose rows follow each other without gaps; an
 * element of operand i is bstride[i] bytes after the one before it, 0 for numbers, and a row
 * row_bstride[i] bytes. */
struct cti_streamed {
    cti_loop *loop;
    char *const *p;
    const int64_t *bstride, *row_bstride;
    int count;
    unsigned numbers;
    int64_t n, rows;
};
void cti_cpu_run_streamed(const struct cti_streamed *s);

#endif
