/* SPDX-License-Identifier: BSD-3-Clause */
/* In-place operations on sparse tensors, and sparse results written to dense tensors. Generated
 * in-place entry points call cti_sparse_write. See Note [Sparse tensors]. */
#include "ops/sparse/sparse.h"

#include "fronts.h"

#include <string.h>

/* Checks that `made`, the result of `op` on self, can be written to self. */
static bool check_written(const ct_tensor *self, const ct_tensor *made, const char *op)
{
    enum ct_dtype from = ct_dtype(made), to = ct_dtype(self);
    const char *have = cti_dtype_scalar_name(from), *want = cti_dtype_scalar_name(to);
    bool sums = !strcmp(op, "add") || !strcmp(op, "sub"), product = !strcmp(op, "mul");
    if (cti_sparse_dims(self) && !cti_sparse_dims(made))
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s_: the result is dense, which a sparse tensor cannot become in place",
                          op);
    if (from == to || (product && cti_sparse_dims(made) && cti_sparse_of(made)->values->numel == 0))
        return true;
    /* If the factor was a number or dense, PyTorch multiplies the values in place. */
    if (product && cti_sparse_dims(self) && !cti_compressed(self) && ct_sparse_nnz(self) &&
        cti_sparse_of(self)->indices->storage == cti_sparse_of(made)->indices->storage)
        return cti_refuse(CT_ERR_RUNTIME,
                          "dtype of values (%s) must match dtype of sparse tensor (%s)", have,
                          want);
    if (!ct_can_cast(from, to) && (sums || product))
        return cti_refuse(CT_ERR_RUNTIME,
                          "Can't convert result type %s to output %s in %s operation", have, want,
                          sums ? "add" : op);
    return cti_check_can_cast(from, to);
}

/* Converts `made` to self's dtype, and to dense if self is. Consumes made. */
static ct_tensor *fitted_take(ct_tensor *made, const ct_tensor *self)
{
    struct cti_hold h = {0};
    ct_tensor *fit = cti_hold(&h, made);
    if (fit && !cti_sparse_tensor(self))
        fit = cti_hold(&h, ct_own_to_dense(fit, CT_NO_DTYPE, -1));
    if (fit && fit->dtype != self->dtype)
        fit = cti_hold(&h, ct_own_to_dtype(fit, ct_dtype(self)));
    return cti_hold_end(&h, fit);
}

ct_tensor *cti_sparse_write(ct_tensor *self, ct_tensor *made, const char *op)
{
    if (!made || !check_written(self, made, op))
        return cti_replace_take(made, NULL);
    made = fitted_take(made, self);
    bool good = false;
    if (!made || !cti_sparse_tensor(self)) {
        good = made && ct_own_copy_(self, made, false);
    } else if (!cti_grad_on() || !cti_wants_grad(self) || !cti_inplace_refused(self)) {
        struct cti_autograd *new = made->autograd, *old = new ? cti_autograd_of(self) : NULL;
        good = (!new || old) && cti_tensor_become(self, made) && cti_version_bump(self);
        if (good && new &&new->grad_fn) { /* swap histories; made releases self's old one */
            struct cti_node *node = old->grad_fn;
            uint32_t nr = old->output_nr;
            old->grad_fn = new->grad_fn;
            old->output_nr = new->output_nr;
            new->grad_fn = node;
            new->output_nr = nr;
            self->flags |= CTI_REQUIRES_GRAD;
        }
    }
    ct_release(made);
    return good ? self : NULL;
}
