/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives that PyTorch does not implement either: asking for one raises PyTorch's error. The
 * tables in src/ops refer to them as "c:cti_grad_no_x(grad)"; their prototypes are generated into
 * grads.h. */
#include "core/error.h"
#include "grads.h"

static ct_tensor *not_there(ct_tensor *grad, const char *what)
{
    return grad ? ct_fail(CT_ERR_NOT_IMPLEMENTED, "the derivative for '%s' is not implemented.",
                          what)
                : NULL;
}

ct_tensor *cti_grad_no_heaviside(ct_tensor *grad)
{
    return grad ? ct_fail(CT_ERR_RUNTIME, "derivative for aten::heaviside is not implemented")
                : NULL;
}

ct_tensor *cti_grad_no_floor_divide(ct_tensor *grad)
{
    return grad ? ct_fail(CT_ERR_RUNTIME, "derivative for aten::floor_divide is not implemented")
                : NULL;
}

ct_tensor *cti_grad_no_scatter(const struct cti_node *node, ct_tensor *const *grads)
{
    return grads[0] ? ct_fail(CT_ERR_RUNTIME, "derivative for aten::scatter%s is not implemented",
                              node->in_place ? "_" : "")
                    : NULL;
}

ct_tensor *cti_grad_no_embedding_renorm(ct_tensor *grad)
{
    return not_there(grad, "embedding_renorm");
}

ct_tensor *cti_grad_no_igamma(ct_tensor *grad)
{
    return not_there(grad, "igamma: input");
}

ct_tensor *cti_grad_no_igammac(ct_tensor *grad)
{
    return not_there(grad, "igammac: input");
}

ct_tensor *cti_grad_no_zeta(ct_tensor *grad)
{
    return not_there(grad, "zeta");
}

ct_tensor *cti_grad_no_gamma_path(ct_tensor *grad)
{
    return not_there(grad, "_standard_gamma_grad");
}

ct_tensor *cti_grad_no_dirichlet_path(ct_tensor *grad)
{
    return not_there(grad, "_dirichlet_grad");
}

ct_tensor *cti_grad_no_binomial(ct_tensor *grad)
{
    return not_there(grad, "binomial");
}

ct_tensor *cti_grad_no_ldl_factor(ct_tensor *grad)
{
    return grad ? ct_fail(CT_ERR_RUNTIME,
                          "derivative for aten::linalg_ldl_factor_ex is not implemented")
                : NULL;
}

ct_tensor *cti_grad_no_ldl_solve(ct_tensor *grad)
{
    return grad
               ? ct_fail(CT_ERR_RUNTIME, "derivative for aten::linalg_ldl_solve is not implemented")
               : NULL;
}

ct_tensor *cti_grad_no_unique(ct_tensor *grad, int64_t dim)
{
    return not_there(grad, dim == CT_NO_DIM ? "_unique2" : "unique_dim");
}

ct_tensor *cti_grad_no_unique_consecutive(ct_tensor *grad)
{
    return not_there(grad, "unique_consecutive");
}

ct_tensor *cti_grad_no_ctc_loss(ct_tensor *grad)
{
    return grad ? ct_fail(CT_ERR_RUNTIME,
                          "derivative for aten::_ctc_loss_backward is not implemented")
                : NULL;
}

ct_tensor *cti_grad_no_grid_sampler(ct_tensor *grad)
{
    return grad ? ct_fail(CT_ERR_RUNTIME,
                          "derivative for aten::grid_sampler_backward_backward is not implemented")
                : NULL;
}
