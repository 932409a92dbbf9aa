/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that derivatives share. A derivative that is not a formula is a C function: the tables
 * in src/ops refer to it as "c:cti_grad_x(...)", and its prototype is generated into grads.h. It
 * calls the differentiable operations of own.h, so that it can be differentiated itself. It does
 * not depend on the backward engine. Comments use G, or gX, for the gradient of a result, or of
 * X. */
#ifndef CORTEN_AUTOGRAD_DERIVATIVES_H
#define CORTEN_AUTOGRAD_DERIVATIVES_H

#include "autograd/gradients.h"
#include "core/hold.h"
#include "core/value.h"
#include "grads.h"
#include "inner.h"

/* ---- defined by one family, used by others ---- */

/* The gradient of norm(input, ord, dim); zeros for ord 0, which counts the nonzero elements. */
ct_tensor *cti_grad_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *result, ct_value ord,
                         ct_ints dim, bool keepdim);
/* Whether x has a zero, so that the derivative of its product must avoid division. False with an
 * error set: failed. */
bool cti_has_zero(ct_tensor *x);
/* The gradient of prod without division, for derivatives of derivatives. dim CT_NO_DIM: the product
 * of all elements. */
ct_tensor *cti_grad_prod_recorded(ct_tensor *grad, ct_tensor *input, int64_t dim);

/* ---- differentiable operations for long formulas: h owns each result, see core/hold.h ---- */

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

/* The lower or upper triangle, from diagonal number `from` on. */
static inline ct_tensor *triangle(struct cti_hold *h, ct_tensor *a, bool upper, int64_t from)
{
    return cti_hold(h, upper ? ct_own_triu(a, from) : ct_own_tril(a, from));
}

/* Sums over batch dims that were broadcast. */
static inline ct_tensor *fitted(struct cti_hold *h, ct_tensor *t, ct_ints shape)
{
    return t ? cti_hold(h, ct_own_sum_to_size(t, shape)) : NULL;
}

#endif
