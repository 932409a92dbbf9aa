/* SPDX-License-Identifier: BSD-3-Clause */
/* The debug mode of C programs (CORTEN_DEBUG=1, ct_set_debug): handles of tensors are not used
 * again for a long time after they are released, so that whoever uses one too late is told so
 * instead of meeting another tensor; elements are not kept in free lists or caches. Off, it costs
 * a test of a flag. */
#ifndef CORTEN_CORE_DEBUG_H
#define CORTEN_CORE_DEBUG_H

#include "core/tensor.h"

extern bool cti_debug_on;
extern bool cti_arguments_matter; /* the border looks at each: in debug mode, or for a profile */

/* Why tensors are released just now, on this thread: "its scope has ended", and where it began; all
 * static. NULL: no longer so. */
void cti_debug_reason(const char *reason, const char *file, int line);
/* Takes the handle of a released tensor instead of a free list. */
void cti_debug_bury(ct_tensor *t);
/* NULL for a live tensor; else why it was released. */
const char *cti_debug_dead(const ct_tensor *t);
bool cti_debug_alive(const ct_tensor *t); /* or false and the error */

/* Whether a caller's handle is one: not NULL, and in debug mode not released. */
static inline bool cti_is_there(const ct_tensor *t)
{
    return t && (__builtin_expect(!cti_debug_on, 1) || cti_debug_alive(t));
}

#endif
