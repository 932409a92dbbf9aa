/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a convolution's derivatives is no formula: the bias stands for all images and places. */
#include "autograd/internal.h"

#include "grads.h"
#include "inner.h"

ct_tensor *cti_grad_convolution_bias(ct_tensor *grad)
{
    int64_t dims[CTI_MAX_DIMS], n = 0;
    for (int d = 0; d < grad->ndim; d++)
        if (d != 1)
            dims[n++] = d;
    return ct_own_sum(grad, ct_ints_of(dims, n), false, CT_NO_DTYPE);
}
