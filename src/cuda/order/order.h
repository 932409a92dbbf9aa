/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorting on devices, for the engines of order.c and for permutations (random.c). */
#ifndef CORTEN_CUDA_ORDER_ORDER_H
#define CORTEN_CUDA_ORDER_ORDER_H

#include "cuda/runtime/driver.h"

/* What kernels are told of a type; keys.cuh. */
void cti_cuda_key_text(char *text, size_t size, int dtype);
/* Sorts lines of any length by the bits of their keys from `low` on, up to `bits`. values and index
 * may be NULL. The kernels have been asked for before: the device is no fake. */
bool cti_cuda_radix_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim,
                         bool descending, int low, int bits);

#endif
