/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on gradients, for the engine and for derivatives. Results are owned, and recorded when
 * grad mode is on. Implemented in gradients.c. */
#ifndef CORTEN_AUTOGRAD_GRADIENTS_H
#define CORTEN_AUTOGRAD_GRADIENTS_H

#include "autograd/autograd.h"

/* a / b, but 0 where b is 0; its derivative is 0 there, too. */
ct_tensor *cti_grad_ratio(ct_tensor *a, ct_tensor *b);
ct_tensor *cti_grad_add(ct_tensor *a, ct_tensor *b);
bool cti_grad_add_into(ct_tensor *a, ct_tensor *b);
/* Whether a is sparse and b dense, so that a + b is dense like b. */
bool cti_grad_becomes_dense(const ct_tensor *a, const ct_tensor *b);
/* A copy in the layout of `like`, contiguous when that is NULL. */
ct_tensor *cti_grad_copy(ct_tensor *grad, const ct_tensor *like);
ct_tensor *cti_grad_ones_like(ct_tensor *t);
ct_tensor *cti_grad_sum_dims(ct_tensor *grad, ct_ints dims, bool keepdim);
ct_tensor *cti_grad_sum_to(ct_tensor *grad, ct_ints shape);
/* The gradient as an edge wants it: summed over broadcast dims, in its type. Takes grad. */
ct_tensor *cti_grad_fit_take(ct_tensor *grad, const struct cti_meta *want, const char *node,
                             int64_t index);
/* Whether these gradients have shapes that the node can work with. The engine fits the gradients it
 * passes on, but a hook may change a shape in place, and a program may call node(grad) with any
 * tensor. User-defined nodes check for themselves. */
bool cti_grads_fit(const struct cti_node *n, ct_tensor *const *grads);

/* Adds a view's gradient into memory of n elements, where the view's geometry puts it, and reads
 * that memory as the base. Where elements of the base share memory, each gets its part. */
ct_tensor *cti_grad_scatter(ct_tensor *grad, int64_t n, ct_ints view_shape, ct_ints view_stride,
                            int64_t view_offset, ct_ints base_shape, ct_ints base_stride,
                            int64_t base_offset, bool base_shares);

#endif
