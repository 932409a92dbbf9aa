/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements embedding, embedding_renorm_ and one_hot, declared in embed.toml. A lookup is an
 * index_select; its derivative adds rows. Bags of rows are in bags.c. */
#include "embed.h"

#include "autograd/autograd.h"
#include "core/hold.h"
#include "fronts.h"
#include "ops/front.h"

bool cti_embed_indices(const ct_tensor *t, int position, const char *name, const char *of)
{
    if (t->dtype == CT_INT64 || t->dtype == CT_INT32)
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Expected tensor for argument #%d '%s' to have one of the following scalar types: "
        "Long, Int; but got torch.%sTensor instead (while checking arguments for %s)",
        position, name, cti_dtype_scalar_name((enum ct_dtype)t->dtype), of);
}

ct_tensor *cti_op_embedding(ct_tensor *weight, ct_tensor *indices, int64_t padding_idx,
                            bool scale_grad_by_freq, bool sparse)
{
    (void)padding_idx, (void)scale_grad_by_freq, (void)sparse;
    if (weight->ndim != 2)
        return ct_fail(CT_ERR_RUNTIME, "'weight' must be 2-D");
    if (!cti_embed_indices(indices, 1, "indices", "embedding"))
        return NULL;
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS], all = -1;
    for (int d = 0; d < indices->ndim && d < CTI_MAX_DIMS - 1; d++)
        shape[d] = indices->shape[d];
    shape[indices->ndim] = weight->shape[1];
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(indices, ct_ints_of(&all, 1)));
    ct_tensor *rows = cti_hold(&h, ct_own_index_select(weight, 0, flat));
    return cti_hold_end(&h, cti_hold(&h, ct_own_view(rows, ct_ints_of(shape, indices->ndim + 1))));
}

/* ---- embedding_renorm_ ---- */

/* Scales rows whose norm exceeds max_norm by max_norm / norm. As in PyTorch the norm has the dtype
 * of the rows, and the quotient is computed in float64. */
static ct_tensor *shorter(struct cti_hold *h, ct_tensor *rows, double max_norm, double norm_type)
{
    ct_tensor *norm =
        cti_hold(h, ct_own_norm(rows, ct_value_float(norm_type), CT_INTS(1), true, CT_NO_DTYPE));
    ct_tensor *length = norm ? cti_hold(h, cti_cast(norm, CT_FLOAT64)) : NULL;
    ct_tensor *over = cti_hold(h, ct_own_gt(V(length), ct_value_float(max_norm)));
    ct_tensor *divisor = cti_hold(h, ct_own_add(V(length), ct_value_float(1e-7), ct_value_int(1)));
    ct_tensor *inverse = cti_hold(h, ct_own_reciprocal(divisor));
    ct_tensor *scale = cti_hold(h, ct_own_mul(V(inverse), ct_value_float(max_norm)));
    ct_tensor *each = cti_hold(h, ct_own_where(over, V(scale), ct_value_float(1)));
    ct_tensor *factor = each ? cti_hold(h, cti_cast(each, (enum ct_dtype)norm->dtype)) : NULL;
    return factor ? cti_hold(h, ct_own_mul(V(rows), V(factor))) : NULL;
}

/* A row that is indexed twice is written twice, with equal values. */
bool cti_op_embedding_renorm_(ct_tensor *self, ct_tensor *indices, double max_norm,
                              double norm_type)
{
    if (self->ndim != 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected 2-dimensional tensor, but got %d-dimensional tensor for "
                          "argument #1 'self' (while checking arguments for embedding_renorm_)",
                          self->ndim);
    if (!cti_embed_indices(indices, 2, "indices", "embedding_renorm_"))
        return false;
    if (self->dtype < CT_FLOAT16)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "norm(): input dtype should be either floating point or complex. Got %s "
                          "instead.",
                          cti_dtype_scalar_name((enum ct_dtype)self->dtype));
    struct cti_hold h = {0};
    ct_tensor *cast = cti_hold(&h, cti_cast(indices, CT_INT64));
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(cast, CT_INTS(-1)));
    ct_tensor *rows = cti_hold(&h, ct_own_index_select(self, 0, flat));
    ct_tensor *scaled = rows ? shorter(&h, rows, max_norm, norm_type) : NULL;
    bool good = scaled && cti_op_index_copy_(self, 0, flat, scaled);
    cti_hold_end(&h, NULL);
    return good;
}

ct_tensor *cti_op_one_hot(ct_tensor *input, int64_t num_classes)
{
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS];
    if (input->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME,
                       "one_hot is only applicable to index tensor of type LongTensor.");
    if (input->ndim == CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    if (input->numel == 0 && num_classes <= 0)
        return num_classes == -1
                   ? ct_fail(CT_ERR_RUNTIME,
                             "Can not infer total number of classes from empty tensor.")
                   : ct_fail(CT_ERR_RUNTIME, "Class values must be smaller than num_classes.");
    if (input->numel && input->storage->device.type != CT_META) {
        ct_tensor *low = cti_hold(&h, ct_own_amin(input, CT_INTS(), false));
        ct_tensor *high = cti_hold(&h, ct_own_amax(input, CT_INTS(), false));
        if (!low || !high)
            return cti_hold_end(&h, NULL);
        int64_t least = ct_item_i64(low), most = ct_item_i64(high);
        cti_hold_end(&h, NULL);
        if (least < 0)
            return ct_fail(CT_ERR_RUNTIME, "Class values must be non-negative.");
        if (num_classes == -1)
            num_classes = most + 1;
        else if (num_classes < 1 || most >= num_classes)
            return ct_fail(CT_ERR_RUNTIME, "Class values must be smaller than num_classes.");
    }
    for (int d = 0; d < input->ndim; d++)
        shape[d] = input->shape[d];
    shape[input->ndim] = num_classes;
    ct_tensor *zeros = cti_hold(&h, ct_own_new_zeros(input, ct_ints_of(shape, input->ndim + 1),
                                                     CT_INT64, CT_NO_DEVICE, false));
    ct_tensor *indices = cti_hold(&h, ct_own_unsqueeze(input, -1));
    return cti_hold_end(&h,
                        cti_hold(&h, ct_own_scatter_value(zeros, -1, indices, ct_value_int(1))));
}
