/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws words from a generator's mt19937, few or many. The random engine calls this with the
 * generator's lock held. */
#ifndef CORTEN_CPU_MT19937_H
#define CORTEN_CPU_MT19937_H

#include "core/generator.h"

/* Draws the next n words of the stream. */
void cti_mt19937_draw(struct cti_mt19937 *mt, uint32_t *dst, int64_t n);

/* Computes the elements [first, first + count) of a result from width * count words. Calls for
 * different elements may run on different threads; each element is computed once. first and count
 * are multiples of 16, except for the last count. */
typedef void cti_mt19937_use(const void *context, const uint32_t *words, int64_t first,
                             int64_t count);

/* Draws `width` words for each of n elements and passes them to `use`. Neither the stream nor the
 * words of an element depend on the number of threads. */
void cti_mt19937_stream(struct cti_mt19937 *mt, int64_t n, int width, cti_mt19937_use *use,
                        const void *context);

#endif
