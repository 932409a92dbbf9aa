/* SPDX-License-Identifier: BSD-3-Clause */
/* References of one function that end together: composite operations hold their intermediate
 * results and release them all at the single exit. NULL may be held, so calls can be nested and
 * checked once, at the end. */
#ifndef CORTEN_CORE_HELD_H
#define CORTEN_CORE_HELD_H

#include "core/tensor.h"

#define CTI_MAX_HELD 48

struct cti_held {
    int n;
    ct_tensor *t[CTI_MAX_HELD];
};

/* Takes over a reference and returns the tensor, borrowed. */
static inline ct_tensor *cti_hold(struct cti_held *h, ct_tensor *t)
{
    if (t && t != CT_NO_TENSOR && h->n < CTI_MAX_HELD)
        h->t[h->n++] = t;
    return t;
}

/* Releases what is held; the result, held or not, survives and is owned by the caller. */
static inline ct_tensor *cti_let_go(struct cti_held *h, ct_tensor *result)
{
    if (result)
        result = ct_retain(result);
    while (h->n > 0)
        ct_release(h->t[--h->n]);
    return result;
}

#endif
