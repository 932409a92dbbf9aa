/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of windows as columns. Named in its row as "c:cti_grad_unfold_blocks(...)". */
#include "autograd/inside.h"

#include "grads.h"
#include "inner.h"

/* Columns go back where they came from. */
ct_tensor *cti_grad_unfold_blocks(ct_tensor *grad, ct_ints input, ct_ints kernel_size,
                                  ct_ints dilation, ct_ints padding, ct_ints stride)
{
    return ct_own_fold(grad, ct_ints_of(input.v + input.n - 2, 2), kernel_size, dilation, padding,
                       stride);
}
