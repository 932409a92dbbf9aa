/* SPDX-License-Identifier: BSD-3-Clause */
/* For operations and derivatives written as a chain of others: every intermediate result is held by
 * a list and released in one place. NULL passes through the chain (NULL in, NULL out) and needs no
 * test on the way. A list begins as {0}; a few tensors are stored inline, more in memory of its
 * own. */
#ifndef CORTEN_CORE_HOLD_H
#define CORTEN_CORE_HOLD_H

#include "core/tensor.h"

enum { CTI_HOLD_FEW = 8 };

struct cti_hold {
    int n, room; /* tensors held; capacity of `more` */
    ct_tensor **more;
    ct_tensor *few[CTI_HOLD_FEW];
};

/* The slow paths beyond the inline slots. */
ct_tensor *cti_hold_more(struct cti_hold *h, ct_tensor *t);
void cti_hold_end_more(struct cti_hold *h);

/* Takes t and returns it, borrowed; NULL, and t is released, when there is no memory to note it. */
static inline ct_tensor *cti_hold(struct cti_hold *h, ct_tensor *t)
{
    if (h->n >= CTI_HOLD_FEW)
        return cti_hold_more(h, t);
    return h->few[h->n++] = t;
}

/* Releases all but `result`, which may be NULL or a borrowed tensor; returns it, owned. */
static inline ct_tensor *cti_hold_end(struct cti_hold *h, ct_tensor *result)
{
    result = result ? ct_retain(result) : NULL;
    if (h->n > CTI_HOLD_FEW)
        cti_hold_end_more(h);
    while (h->n > 0)
        ct_release(h->few[--h->n]);
    return result;
}

#endif
