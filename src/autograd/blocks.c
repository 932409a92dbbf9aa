/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivatives of windows as columns and of affine grids. Named in the rows as
 * "c:cti_grad_x(...)". */
#include "autograd/internal.h"

#include "core/held.h"
#include "corten/macros.h"
#include "grads.h"
#include "inner.h"

/* Columns go back where they came from. */
ct_tensor *cti_grad_unfold_blocks(ct_tensor *grad, ct_ints input, ct_ints kernel_size,
                                  ct_ints dilation, ct_ints padding, ct_ints stride)
{
    return ct_own_fold(grad, ct_ints_of(input.v + input.n - 2, 2), kernel_size, dilation, padding,
                       stride);
}

/* Of the map that made a grid: the regular grid times where its places went. */
ct_tensor *cti_grad_affine_grid(ct_tensor *grad, ct_tensor *theta, ct_ints size, bool align_corners)
{
    struct cti_held h = {0};
    int64_t n = size.n - 2;
    ct_tensor *base = cti_hold(&h, ct_own_affine_grid_base(theta, size, align_corners));
    ct_tensor *all =
        base ? cti_hold(&h, ct_own_expand(base, CT_INTS(size.v[0], -1, -1), false)) : NULL;
    ct_tensor *rows = cti_hold(&h, ct_own_reshape(grad, CT_INTS(size.v[0], -1, n)));
    ct_tensor *transposed = cti_hold(&h, ct_own_transpose(rows, 1, 2));
    return cti_let_go(&h, cti_hold(&h, ct_own_bmm(transposed, all)));
}
