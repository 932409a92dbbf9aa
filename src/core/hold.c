/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of core/hold.h for lists with more than CTI_HOLD_FEW tensors: they grow in allocated
 * memory. */
#include "core/hold.h"
#include "core/alloc.h"

ct_tensor *cti_hold_more(struct cti_hold *h, ct_tensor *t)
{
    int n = h->n - CTI_HOLD_FEW;
    if (!t)
        return NULL;
    if (n == h->capacity) {
        int capacity = n ? 2 * n : 4 * CTI_HOLD_FEW;
        ct_tensor **more = cti_realloc(h->more, (size_t)capacity * sizeof *more);
        if (!more) {
            ct_release(t);
            return NULL;
        }
        h->more = more;
        h->capacity = capacity;
    }
    h->n++;
    return h->more[n] = t;
}

void cti_hold_end_more(struct cti_hold *h)
{
    while (h->n > CTI_HOLD_FEW)
        ct_release(h->more[--h->n - CTI_HOLD_FEW]);
    cti_free(h->more);
    h->more = NULL;
    h->capacity = 0;
}
