/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between bags.c and its loops, which are compiled once for each instruction set. */
#ifndef CORTEN_CPU_INDEX_BAGS_H
#define CORTEN_CPU_INDEX_BAGS_H

#include <stdint.h>

/* to[j] = sum over i < n, in order, of from[index[i] * row + j], for j < width. */
typedef void cti_bag_sum(void *to, const void *from, int64_t row, const int64_t *index, int64_t n,
                         int64_t width);

struct cti_bag_loops {
    cti_bag_sum *f32, *f64;
};

#endif
