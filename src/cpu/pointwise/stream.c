/* SPDX-License-Identifier: BSD-3-Clause */
/* See stream.h. The stores themselves are in simd/stream.c. */
#include "cpu/pointwise/stream.h"

#include "cpu/isa.h"

#include <string.h>

#define LINE 64
#define PIECE 2048                      /* bytes; larger pieces confuse the hardware prefetcher */
#define USUAL_CACHE ((int64_t)32 << 20) /* if the processor does not report it */

typedef void simd_stream(char *, const char *, int64_t);
simd_stream CTI_ISA_NAMES(cti_simd_stream);
static simd_stream *const stream[] = CTI_ISA_TABLE(cti_simd_stream);

bool cti_cpu_exceeds_caches(int64_t nbytes)
{
    static int64_t known; /* racing first callers write the same value */
    int64_t size = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!size) {
        size = cti_cpu_cache_size();
        size = size > 0 ? size : USUAL_CACHE;
        __atomic_store_n(&known, size, __ATOMIC_RELAXED);
    }
    return nbytes > 2 * size;
}

/* Stores whole cache lines past the caches, and partial lines at both ends as usual. */
void cti_cpu_stream(char *dst, const char *src, int64_t n)
{
    int64_t head = -(int64_t)(uintptr_t)dst & (LINE - 1);
    head = head < n ? head : n;
    memcpy(dst, src, (size_t)head);
    int64_t lines = (n - head) / LINE * LINE;
    if (lines)
        stream[cti_cpu_isa()](dst + head, src + head, lines);
    memcpy(dst + head + lines, src + head + lines, (size_t)(n - head - lines));
}

void cti_cpu_stream_end(void)
{
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

void cti_cpu_stream_made(char *dst, int64_t size, int64_t begin, int64_t end, cti_make *make,
                         const void *context)
{
    _Alignas(LINE) char buffer[PIECE];
    for (int64_t at = begin, n; at < end; at += n) {
        char *to = dst + at * size;
        /* up to the end of a cache line */
        n = (PIECE - ((int64_t)(uintptr_t)to & (LINE - 1))) / size;
        n = n < end - at ? n : end - at;
        make(context, at, n, buffer);
        cti_cpu_stream(to, buffer, n * size);
    }
    cti_cpu_stream_end();
}
