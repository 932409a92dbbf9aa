/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference counts. While the process has a single thread (the C library reports this), they are
 * plain additions: a view needs four of them, and an atomic addition costs 20 cycles on some
 * processors. */
#ifndef CORTEN_CORE_REF_H
#define CORTEN_CORE_REF_H

#include <stdbool.h>
#include <stdint.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define CTI_ALONE __libc_single_threaded
#else
#define CTI_ALONE 0
#endif

static inline void cti_ref_get(int64_t *refs)
{
    if (CTI_ALONE)
        __atomic_store_n(refs, __atomic_load_n(refs, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add(refs, 1, __ATOMIC_RELAXED);
}

/* True: that was the last reference, and the writes of other threads are visible. */
static inline bool cti_ref_put(int64_t *refs)
{
    if (CTI_ALONE) {
        int64_t left = __atomic_load_n(refs, __ATOMIC_RELAXED) - 1;
        __atomic_store_n(refs, left, __ATOMIC_RELAXED);
        return left == 0;
    }
    return __atomic_fetch_sub(refs, 1, __ATOMIC_ACQ_REL) == 1;
}

#endif
