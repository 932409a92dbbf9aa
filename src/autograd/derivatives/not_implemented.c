/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives that PyTorch does not implement either: asking for one raises PyTorch's error. The
 * tables in src/ops refer to them as "c:cti_grad_missing(grad, name='x')"; their prototypes are
 * generated into grads.h. */
#include "core/error.h"
#include "grads.h"

ct_tensor *cti_grad_missing(ct_tensor *grad, const char *name)
{
    return grad ? ct_fail(CT_ERR_NOT_IMPLEMENTED, "the derivative for '%s' is not implemented.",
                          name)
                : NULL;
}

/* The error for an operation that has no entry in PyTorch's table of derivatives. */
ct_tensor *cti_grad_missing_aten(ct_tensor *grad, const char *name)
{
    return grad ? ct_fail(CT_ERR_RUNTIME, "derivative for aten::%s is not implemented", name)
                : NULL;
}

ct_tensor *cti_grad_no_scatter(const struct cti_node *node, ct_tensor *const *grads)
{
    return cti_grad_missing_aten(grads[0], node->in_place ? "scatter_" : "scatter");
}

ct_tensor *cti_grad_no_unique(ct_tensor *grad, int64_t dim)
{
    return cti_grad_missing(grad, dim == CT_NO_DIM ? "_unique2" : "unique_dim");
}
