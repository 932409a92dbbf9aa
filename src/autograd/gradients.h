/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on gradients, for the engine and for derivatives. Results are owned, and recorded when
 * grad mode is on. Implemented in gradients.c. */
#ifndef CORTEN_AUTOGRAD_GRADIENTS_H
#define CORTEN_AUTOGRAD_GRADIENTS_H

#include "autograd/autograd.h"

/* a / b, but 0 where b is 0, with a derivative of 0 there. */
ct_tensor *cti_grad_ratio(ct_tensor *a, ct_tensor *b);
ct_tensor *cti_grad_add(ct_tensor *a, ct_tensor *b);
bool cti_grad_add_into(ct_tensor *a, ct_tensor *b);
/* Whether a is sparse and b dense, so that a + b is dense, and a cannot be added to in place. */
bool cti_grad_becomes_dense(const ct_tensor *a, const ct_tensor *b);
/* A copy with the strides of `like`; contiguous if that is NULL. */
ct_tensor *cti_grad_copy(ct_tensor *grad, const ct_tensor *like);
ct_tensor *cti_grad_ones_like(ct_tensor *t);
ct_tensor *cti_grad_sum_dims(ct_tensor *grad, ct_ints dims, bool keepdim);
ct_tensor *cti_grad_sum_to(ct_tensor *grad, ct_ints shape);
/* Takes grad and returns it as the argument needs it: summed over broadcast dims, cast to its type,
 * on its device. `node` and `index` are for the error message. */
ct_tensor *cti_grad_fit_take(ct_tensor *grad, const struct cti_meta *want, const char *node,
                             int64_t index);
/* Whether these gradients have shapes that fit the results of the node; otherwise an error is set.
 * The engine fits the gradients that it passes on, but a hook may change a shape in place, and a
 * program may call node(grad) with any tensor. User-defined nodes check for themselves. */
bool cti_grads_fit(const struct cti_node *n, ct_tensor *const *grads);

/* Adds the gradient of a view to zeroed memory of n elements, at the positions of the view's
 * geometry, and returns that memory in the base's geometry. base_shares: elements of the base share
 * memory, and each gets an equal part. */
ct_tensor *cti_grad_scatter(ct_tensor *grad, int64_t n, ct_ints view_shape, ct_ints view_stride,
                            int64_t view_offset, ct_ints base_shape, ct_ints base_stride,
                            int64_t base_offset, bool base_shares);

#endif
