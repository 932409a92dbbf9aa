/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of the intermediate results of one function, for operations and derivatives written as a
 * chain of others: each result is noted as it is made, and all are released at the single exit.
 * NULL passes through the chain (NULL in, NULL out), so a caller checks once, at the end. A list
 * begins as {0}; the first CTI_HOLD_FEW tensors need no memory, further ones an array. */
#ifndef CORTEN_CORE_HOLD_H
#define CORTEN_CORE_HOLD_H

#include "core/tensor.h"

enum { CTI_HOLD_FEW = 8 };

struct cti_hold {
    int n, capacity; /* tensors; capacity of `more` */
    ct_tensor **more;
    ct_tensor *few[CTI_HOLD_FEW];
};

/* The slow paths beyond the inline slots. */
ct_tensor *cti_hold_more(struct cti_hold *h, ct_tensor *t);
void cti_hold_end_more(struct cti_hold *h);

/* Takes over the reference t and returns t, borrowed. Releases t and returns NULL if the list
 * cannot grow: use the returned pointer, not t. */
static inline ct_tensor *cti_hold(struct cti_hold *h, ct_tensor *t)
{
    if (h->n >= CTI_HOLD_FEW)
        return cti_hold_more(h, t);
    return h->few[h->n++] = t;
}

/* Releases all tensors of the list and empties it. Returns `result` (NULL, one of the list or any
 * borrowed tensor), owned by the caller. */
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
