/* SPDX-License-Identifier: BSD-3-Clause */
/* What the derivatives share. A derivative that is not a formula is a C function beside the table:
 * its row in src/ops names it as "c:cti_grad_x(...)", and its prototype is generated into grads.h.
 * It calls operations of own.h, which are recorded when grad mode is on, so that it has derivatives
 * itself; it knows nothing of the engine. */
#ifndef CORTEN_AUTOGRAD_DERIVATIVES_H
#define CORTEN_AUTOGRAD_DERIVATIVES_H

#include "autograd/gradients.h"
#include "core/hold.h"
#include "core/value.h"
#include "grads.h"
#include "inner.h"

/* ---- defined by one family, used by others ---- */

/* The gradient of a norm; zeros for ord 0, the number of elements that are not 0. */
ct_tensor *cti_grad_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *result, ct_value ord,
                         ct_ints dim, bool keepdim);
/* Whether x has a zero, so that a product's derivative must be recorded without division. Also
 * false when memory runs out, with the error set. */
bool cti_has_zero(ct_tensor *x);
/* The gradient of prod without division. dim CT_NO_DIM: the product of all elements. */
ct_tensor *cti_grad_prod_recorded(ct_tensor *grad, ct_tensor *input, int64_t dim);

/* ---- chains of recorded operations: each result is borrowed from the list that holds it ---- */

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
