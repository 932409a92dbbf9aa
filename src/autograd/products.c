/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of products and their relatives that are no formulas. Named in the rows as
 * "c:cti_grad_x(...)"; written with recorded operations, so that they have derivatives too. */
#include "autograd/internal.h"

#include "grads.h"
#include "inner.h"

/* Of the sum of a diagonal: the gradient along it. */
ct_tensor *cti_grad_trace(ct_tensor *grad, ct_ints input)
{
    int64_t n = input.v[0] < input.v[1] ? input.v[0] : input.v[1];
    ct_tensor *along = ct_own_expand(grad, ct_ints_of(&n, 1), false);
    ct_tensor *result = ct_own_diagonal_backward(along, input, 0, 0, 1);
    ct_release(along);
    return result;
}
