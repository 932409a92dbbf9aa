/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-temporal stores, which bypass the caches. When the working set exceeds the caches, they save
 * the read for ownership of each line written. Used by the pointwise and copy engines. */
#ifndef CORTEN_CPU_STREAM_H
#define CORTEN_CPU_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* Whether nbytes, each read or written once, exceed the largest cache far enough for non-temporal
 * stores to pay off. */
bool cti_cpu_exceeds_caches(int64_t nbytes);

/* Copies n bytes. Call cti_cpu_stream_end afterwards: it orders the stores before later ones, as
 * other threads see them. */
void cti_cpu_stream(char *dst, const char *src, int64_t n);
void cti_cpu_stream_end(void);

/* Computes elements [begin, end) of dst, of `size` bytes each, in a buffer and stores them by whole
 * cache lines: make() computes elements [at, at + n) at `to`. Includes cti_cpu_stream_end. */
typedef void cti_make(const void *context, int64_t at, int64_t n, char *to);
void cti_cpu_stream_made(char *dst, int64_t size, int64_t begin, int64_t end, cti_make *make,
                         const void *context);

#endif
