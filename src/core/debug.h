/* SPDX-License-Identifier: BSD-3-Clause */
/* The debug mode of C programs (CORTEN_DEBUG=1, ct_set_debug): the structs of released tensors are
 * quarantined, so that a use after release is reported instead of reaching a new tensor in the same
 * memory, and storages bypass free lists and caches. While it is off, it costs one test of a
 * flag. */
#ifndef CORTEN_CORE_DEBUG_H
#define CORTEN_CORE_DEBUG_H

#include "core/tensor.h"

extern bool cti_debug_on;
/* use the slow argument checks: debug mode or a profile is on */
extern bool cti_arguments_matter;

/* The reason for the releases that this thread is about to make: "its scope has ended", and where
 * the scope began. The texts are static. NULL: clears it. */
void cti_debug_reason(const char *reason, const char *file, int line);
/* Quarantines a released tensor instead of putting it on a free list. */
void cti_debug_bury(ct_tensor *t);
/* Returns NULL for a live tensor, otherwise the reason for its release. */
const char *cti_debug_dead(const ct_tensor *t);
bool cti_debug_alive(const ct_tensor *t);  /* otherwise false and the error */
bool cti_debug_null(const char *function); /* sets the error; returns false */

/* Whether a caller's pointer is a tensor: not NULL and, in debug mode, not released. If not, sets
 * the error, unless the call that returned the NULL has set one. */
#define cti_is_there(t) cti_is_there_in(t, __func__)
static inline bool cti_is_there_in(const ct_tensor *t, const char *function)
{
    return __builtin_expect(t != NULL, 1) ? __builtin_expect(!cti_debug_on, 1) || cti_debug_alive(t)
                                          : cti_debug_null(function);
}

#endif
