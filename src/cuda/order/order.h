/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorting on devices, for the engines of order.c and for permutations (random/discrete.c). */
#ifndef CORTEN_CUDA_ORDER_ORDER_H
#define CORTEN_CUDA_ORDER_ORDER_H

#include "cuda/runtime/launch.h"

/* Prepares the launch of a kernel that includes keys.cuh for elements of a dtype; the caller sets
 * the grid. */
struct cti_launch cti_cuda_order_launch(const char *file, int what, int dtype, int device,
                                        const void *args, size_t size);
/* Sorts lines of any length by the bits [low, bits) of their keys; the sort is stable. values and
 * index may be NULL. */
bool cti_cuda_radix_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim,
                         bool descending, int low, int bits);

#endif
