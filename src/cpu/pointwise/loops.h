/* SPDX-License-Identifier: BSD-3-Clause */
/* All loops: how the drivers find the best one for the machine. */
#ifndef CORTEN_CPU_LOOPS_H
#define CORTEN_CPU_LOOPS_H

#include "corten/base.h"
#include "cpu/pointwise/loop.h"
#include "rows.h"

cti_loop *cti_cpu_find_loop(uint16_t row, enum ct_dtype dtype); /* NULL: the row has no such type */
cti_cast_loop *cti_cpu_find_cast(enum ct_dtype to, enum ct_dtype from);   /* NULL: the same type */
cti_cast_loop *cti_cpu_cast_halves(enum ct_dtype to, enum ct_dtype from); /* of complex32 */
cti_cast_loop *cti_cpu_cast_float8(enum ct_dtype to, enum ct_dtype from);

#endif
