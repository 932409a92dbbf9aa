/* SPDX-License-Identifier: BSD-3-Clause */
/* The debug mode of C programs (CORTEN_DEBUG=1, ct_set_debug): handles of released tensors are
 * quarantined, so that a use after release is reported instead of reaching another tensor; storages
 * bypass free lists and caches. Off, it costs a test of a flag. */
#ifndef CORTEN_CORE_DEBUG_H
#define CORTEN_CORE_DEBUG_H

#include "core/tensor.h"

extern bool cti_debug_on;
extern bool cti_arguments_matter; /* arguments are checked: debug mode or a profile */

/* Why tensors are being released on this thread: "its scope has ended", and where it began; all
 * static. NULL: clears it. */
void cti_debug_reason(const char *reason, const char *file, int line);
/* Quarantines the handle of a released tensor instead of putting it on a free list. */
void cti_debug_bury(ct_tensor *t);
/* NULL for a live tensor; else why it was released. */
const char *cti_debug_dead(const ct_tensor *t);
bool cti_debug_alive(const ct_tensor *t);  /* or false and the error */
bool cti_debug_null(const char *function); /* false, with the error */

/* Whether a caller's handle is one: not NULL, and in debug mode not released. An error is set where
 * it is not; a call that gave the NULL has set its own, which stays. */
#define cti_is_there(t) cti_is_there_in(t, __func__)
static inline bool cti_is_there_in(const ct_tensor *t, const char *function)
{
    return __builtin_expect(t != NULL, 1) ? __builtin_expect(!cti_debug_on, 1) || cti_debug_alive(t)
                                          : cti_debug_null(function);
}

#endif
