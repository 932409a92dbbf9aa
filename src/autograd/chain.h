/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of linear algebra's derivatives, which are chains of recorded operations: each result
 * is borrowed from the list that holds it. */
#ifndef CORTEN_AUTOGRAD_CHAIN_H
#define CORTEN_AUTOGRAD_CHAIN_H

#include "core/hold.h"
#include "inner.h"
#include "own.h"

static inline ct_tensor *product(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_matmul(a, b));
}

static inline ct_tensor *adjoint(struct cti_hold *h, ct_tensor *a)
{
    return cti_hold(h, ct_own_adjoint(a));
}

static inline ct_tensor *times(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_mul(ct_value_tensor(a), ct_value_tensor(b)));
}

static inline ct_tensor *over(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_div(ct_value_tensor(a), ct_value_tensor(b), NULL));
}

static inline ct_tensor *plus(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_add(ct_value_tensor(a), ct_value_tensor(b), ct_value_int(1)));
}

static inline ct_tensor *minus(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_sub(ct_value_tensor(a), ct_value_tensor(b), ct_value_int(1)));
}

static inline ct_tensor *negative(struct cti_hold *h, ct_tensor *a)
{
    return cti_hold(h, ct_own_neg(a));
}

/* The lower or upper triangle, from a diagonal on. */
static inline ct_tensor *triangle(struct cti_hold *h, ct_tensor *a, bool upper, int64_t from)
{
    return cti_hold(h, upper ? ct_own_triu(a, from) : ct_own_tril(a, from));
}

/* The batch dims that were repeated are summed over. */
static inline ct_tensor *fitted(struct cti_hold *h, ct_tensor *t, ct_ints shape)
{
    return t ? cti_hold(h, ct_own_sum_to_size(t, shape)) : NULL;
}

#endif
