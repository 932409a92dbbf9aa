/* SPDX-License-Identifier: BSD-3-Clause */
/* For operations and derivatives written as a chain of others: every result between is held by a
 * list and released in one place. NULL passes through the chain (NULL in, NULL out) and needs no
 * test on the way. */
#ifndef CORTEN_CORE_HOLD_H
#define CORTEN_CORE_HOLD_H

#include "core/tensor.h"

#include <assert.h>

enum { CTI_HOLD_MAX = 64 };

struct cti_hold {
    int n;
    ct_tensor *t[CTI_HOLD_MAX];
};

/* Takes t and returns it, borrowed. */
static inline ct_tensor *cti_hold(struct cti_hold *h, ct_tensor *t)
{
    assert(h->n < CTI_HOLD_MAX);
    return h->t[h->n++] = t;
}

/* Releases all but `result`, which may be NULL or a borrowed tensor; returns it, owned. */
static inline ct_tensor *cti_hold_end(struct cti_hold *h, ct_tensor *result)
{
    result = result ? ct_retain(result) : NULL;
    while (h->n > 0)
        ct_release(h->t[--h->n]);
    return result;
}

#endif
