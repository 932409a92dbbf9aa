/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing words from a generator's mt19937, few or many. The random engine calls this with the
 * generator's lock held; what the words become is not known here. */
#ifndef CORTEN_CPU_MT19937_H
#define CORTEN_CPU_MT19937_H

#include "core/generator.h"

/* The next n words of the stream. */
void cti_mt19937_draw(struct cti_mt19937 *mt, uint32_t *dst, int64_t n);

/* Makes the elements [first, first + count) of a result from width * count words. Calls for
 * different elements may run on different threads; each element is made once. first is a multiple
 * of 16, and so is count but at the end. */
typedef void cti_mt19937_use(const void *context, const uint32_t *words, int64_t first,
                             int64_t count);

/* Draws width words for each of n elements and has them used. The stream and what `use` sees do not
 * depend on the number of threads. */
void cti_mt19937_stream(struct cti_mt19937 *mt, int64_t n, int width, cti_mt19937_use *use,
                        const void *context);

#endif
