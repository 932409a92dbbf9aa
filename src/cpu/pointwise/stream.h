/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores that go past the caches: where all that is read and written pushes itself out of them, a
 * line that is not read first saves a part of the traffic. Used by the pointwise and the move
 * engine; knows bytes alone. */
#ifndef CORTEN_CPU_STREAM_H
#define CORTEN_CPU_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* Would this many bytes, read and written once, push each other out of every cache? Then stores
 * past the caches pay. */
bool cti_cpu_exceeds_caches(int64_t nbytes);

/* n bytes from a buffer or another memory; cti_cpu_stream_end orders them for other threads. */
void cti_cpu_stream(char *dst, const char *src, int64_t n);
void cti_cpu_stream_end(void);

/* Elements [begin, end) of dst, of `size` bytes, made piece by piece in a buffer whose lines are
 * stored whole: make() puts elements [at, at + n) at `to`. Ordered for other threads. */
typedef void cti_make(const void *context, int64_t at, int64_t n, char *to);
void cti_cpu_stream_made(char *dst, int64_t size, int64_t begin, int64_t end, cti_make *make,
                         const void *context);

#endif
