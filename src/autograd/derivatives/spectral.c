/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of Fourier transforms. A transform is linear, so its derivative is the unscaled
 * transform of the gradient in the other direction. */
#include "autograd/derivatives/derivatives.h"

#include "core/shape.h"
#include "corten/macros.h"

ct_tensor *cti_grad_fft_c2c(ct_tensor *grad, ct_ints dim, int64_t normalization, bool forward)
{
    return ct_own_fft_c2c(grad, dim, normalization, !forward);
}

/* The half of the result that is not computed has no gradient. */
ct_tensor *cti_grad_fft_r2c(ct_tensor *grad, ct_ints shape, ct_ints dim, int64_t normalization,
                            bool onesided)
{
    int64_t pad[2 * CTI_MAX_DIMS] = {0};
    int last, ndim = grad->ndim;
    ct_tensor *whole = NULL;
    if (!cti_shape_wrap_dim(dim.v[dim.n - 1], ndim, &last))
        return NULL;
    int64_t missing = shape.v[last] - grad->shape[last];
    pad[2 * (ndim - 1 - last) + 1] = missing;
    if (onesided && missing > 0)
        whole = ct_own_constant_pad_nd(grad, ct_ints_of(pad, 2 * ndim), ct_value_int(0));
    else
        whole = ct_retain(grad);
    ct_tensor *back = ct_own_fft_c2c(whole, dim, normalization, false);
    ct_tensor *result = ct_own_real(back);
    cti_release_all(whole, back);
    return result;
}

/* All elements but the first and the middle one stand for two, so their gradients count twice. */
ct_tensor *cti_grad_fft_c2r(ct_tensor *grad, ct_ints dim, int64_t normalization)
{
    ct_tensor *half = ct_own_fft_r2c(grad, dim, normalization, true);
    int last;
    if (!half || !cti_shape_wrap_dim(dim.v[dim.n - 1], grad->ndim, &last)) {
        ct_release(half);
        return NULL;
    }
    int64_t shape[CTI_MAX_DIMS], twice = grad->shape[last] - half->shape[last];
    for (int d = 0; d < grad->ndim; d++)
        shape[d] = d == last ? half->shape[d] : 1;
    ct_tensor *weight =
        ct_own_ones(ct_ints_of(shape, grad->ndim), ct_dtype(grad), half->storage->device, false);
    ct_tensor *some = ct_own_narrow(weight, last, 1, twice > 0 ? twice : 0);
    ct_tensor *result = NULL;
    if (some && ct_own_fill_(some, ct_value_int(2)))
        result = ct_own_mul(V(half), V(weight));
    cti_release_all(half, weight, some);
    return result;
}
