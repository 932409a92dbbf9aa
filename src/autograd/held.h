/* SPDX-License-Identifier: BSD-3-Clause */
/* For derivatives of linear algebra, which are chains of recorded operations: results on the way
 * are held by a list and released in one place; NULL passes through and is checked at the end. */
#ifndef CORTEN_AUTOGRAD_HELD_H
#define CORTEN_AUTOGRAD_HELD_H

#include "inner.h"
#include "own.h"

#include <assert.h>

enum { CTI_HELD = 64 };

struct held {
    int n;
    ct_tensor *t[CTI_HELD];
};

/* Takes t, which may be NULL, and returns it, borrowed. */
static inline ct_tensor *hold(struct held *h, ct_tensor *t)
{
    assert(h->n < CTI_HELD);
    return h->t[h->n++] = t;
}

/* Releases all but `result`, which may be NULL or borrowed; returns it, owned. */
static inline ct_tensor *end(struct held *h, ct_tensor *result)
{
    result = result ? ct_retain(result) : NULL;
    while (h->n > 0)
        ct_release(h->t[--h->n]);
    return result;
}

/* ---- borrowed results ---- */

static inline ct_tensor *product(struct held *h, ct_tensor *a, ct_tensor *b)
{
    return hold(h, ct_own_matmul(a, b));
}

static inline ct_tensor *adjoint(struct held *h, ct_tensor *a)
{
    return hold(h, ct_own_adjoint(a));
}

static inline ct_tensor *times(struct held *h, ct_tensor *a, ct_tensor *b)
{
    return hold(h, ct_own_mul(ct_value_tensor(a), ct_value_tensor(b)));
}

static inline ct_tensor *over(struct held *h, ct_tensor *a, ct_tensor *b)
{
    return hold(h, ct_own_div(ct_value_tensor(a), ct_value_tensor(b), NULL));
}

static inline ct_tensor *plus(struct held *h, ct_tensor *a, ct_tensor *b)
{
    return hold(h, ct_own_add(ct_value_tensor(a), ct_value_tensor(b), ct_value_int(1)));
}

static inline ct_tensor *minus(struct held *h, ct_tensor *a, ct_tensor *b)
{
    return hold(h, ct_own_sub(ct_value_tensor(a), ct_value_tensor(b), ct_value_int(1)));
}

static inline ct_tensor *negative(struct held *h, ct_tensor *a)
{
    return hold(h, ct_own_neg(a));
}

/* The lower or upper triangle, from a diagonal on. */
static inline ct_tensor *triangle(struct held *h, ct_tensor *a, bool upper, int64_t from)
{
    return hold(h, upper ? ct_own_triu(a, from) : ct_own_tril(a, from));
}

/* The batch dims that were repeated are summed over. */
static inline ct_tensor *fitted(struct held *h, ct_tensor *t, ct_ints shape)
{
    return t ? hold(h, ct_own_sum_to_size(t, shape)) : NULL;
}

#endif
