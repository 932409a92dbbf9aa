/* SPDX-License-Identifier: BSD-3-Clause */
/* The generated loops: how engines find the best one for the machine. */
#ifndef CORTEN_CPU_LOOPS_H
#define CORTEN_CPU_LOOPS_H

#include "corten/base.h"
#include "cpu/pointwise/loop.h"
#include "rows.h"

cti_loop *cti_cpu_find_loop(uint16_t row, enum ct_dtype dtype); /* NULL: no loop for this type */
/* Casts (or copies) n contiguous elements; in cast.c. */
void cti_cpu_cast(enum ct_dtype to_dtype, void *to, enum ct_dtype from_dtype, const void *from,
                  int64_t n);

#endif
