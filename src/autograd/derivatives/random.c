/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of samples with respect to the parameters of the distribution. */
#include "autograd/derivatives/derivatives.h"

#include "corten/macros.h"

/* Each element depends on its own alpha. Because the elements add up to 1, the mean of the
 * gradient, weighted by the sample, is subtracted. */
ct_tensor *cti_grad_dirichlet(ct_tensor *grad, ct_tensor *input, ct_tensor *result)
{
    ct_tensor *sum = ct_own_sum(input, CT_INTS(-1), true, CT_NO_DTYPE);
    ct_tensor *total = ct_own_expand_as(sum, input);
    ct_tensor *path = ct_own__dirichlet_grad(result, input, total);
    ct_tensor *along = ct_own_mul(V(result), V(grad));
    ct_tensor *mean = ct_own_sum(along, CT_INTS(-1), true, CT_NO_DTYPE);
    ct_tensor *rest = ct_own_sub(V(grad), V(mean), ct_value_int(1));
    ct_tensor *out = ct_own_mul(V(path), V(rest));
    ct_tensor *const used[] = {sum, total, path, along, mean, rest};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}
