/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives for the families conv, window and sample: the bias of a convolution, unfold (im2col)
 * and affine_grid. Most derivatives of convolutions are themselves operations, see
 * src/ops/conv/conv.toml. */
#include "autograd/autograd.h"

#include "core/hold.h"
#include "corten/macros.h"
#include "grads.h"
#include "inner.h"

/* fold adds the gradients of the columns at the positions that they were copied from. */
ct_tensor *cti_grad_unfold_blocks(ct_tensor *grad, ct_ints input, ct_ints kernel_size,
                                  ct_ints dilation, ct_ints padding, ct_ints stride)
{
    return ct_own_fold(grad, ct_ints_of(input.v + input.n - 2, 2), kernel_size, dilation, padding,
                       stride);
}

/* The gradient of theta is the product of the grid's gradient and the regular base grid. */
ct_tensor *cti_grad_affine_grid(ct_tensor *grad, ct_tensor *theta, ct_ints size, bool align_corners)
{
    struct cti_hold h = {0};
    int64_t n = size.n - 2;
    ct_tensor *base = cti_hold(&h, ct_own_affine_grid_base(theta, size, align_corners));
    ct_tensor *all =
        base ? cti_hold(&h, ct_own_expand(base, CT_INTS(size.v[0], -1, -1), false)) : NULL;
    ct_tensor *rows = cti_hold(&h, ct_own_reshape(grad, CT_INTS(size.v[0], -1, n)));
    ct_tensor *transposed = cti_hold(&h, ct_own_transpose(rows, 1, 2));
    return cti_hold_end(&h, cti_hold(&h, ct_own_bmm(transposed, all)));
}

/* The bias is added at all output positions of all images, so its gradient is the sum over
 * these. */
ct_tensor *cti_grad_convolution_bias(ct_tensor *grad)
{
    int64_t dims[CTI_MAX_DIMS], n = 0;
    for (int d = 0; d < grad->ndim; d++)
        if (d != 1)
            dims[n++] = d;
    return ct_own_sum(grad, ct_ints_of(dims, n), false, CT_NO_DTYPE);
}
