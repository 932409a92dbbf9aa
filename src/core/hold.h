/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of intermediate results, for operations and derivatives that are a chain of other
 * operations: cti_hold adds each result when it is made, and cti_hold_end releases all at the
 * single exit of the function. NULL passes through the chain (NULL in, NULL out), so a function
 * checks for failure once, at the end. Initialise a list with {0}. The first CTI_HOLD_FEW tensors
 * are stored inline, further ones in an allocated array. */
#ifndef CORTEN_CORE_HOLD_H
#define CORTEN_CORE_HOLD_H

#include "core/tensor.h"

enum { CTI_HOLD_FEW = 8 };

struct cti_hold {
    int n, capacity; /* tensors; capacity of `more` */
    ct_tensor **more;
    ct_tensor *few[CTI_HOLD_FEW];
};

/* The slow paths, for lists with more tensors than that. */
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
