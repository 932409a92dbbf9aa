/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of joining and splitting (cat, stack, block_diag, split, unbind), of rearranging
 * (roll, rot90, channel_shuffle) and of constant padding. Those that take a list of tensors write
 * one gradient per tensor. */
#include "autograd/derivatives/derivatives.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "corten/macros.h"

/* Each tensor gets its piece of the gradient. A 1-d tensor without elements can be joined with any
 * tensor (PyTorch's legacy rule) and gets zeros. */
bool cti_grad_cat(ct_tensor *grad, const struct cti_saved_list *tensors, int64_t dim,
                  const bool *wanted, ct_tensor **out)
{
    int64_t start = 0;
    dim = dim < 0 ? dim + grad->ndim : dim;
    for (int64_t k = 0; k < tensors->n; k++) {
        const struct cti_meta *m = &tensors->meta[k];
        bool nothing = m->ndim == 1 && cti_meta_shape(m)[0] == 0;
        int64_t size = nothing ? 0 : cti_meta_size(m, dim);
        if (wanted[k] && nothing)
            out[k] = cti_empty(1, &size, ct_dtype(grad), grad->storage->device);
        else if (wanted[k])
            out[k] = ct_own_narrow(grad, dim, start, size);
        if (wanted[k] && !out[k])
            return false;
        start += size;
    }
    return true;
}

bool cti_grad_stack(ct_tensor *grad, const struct cti_saved_list *tensors, int64_t dim,
                    const bool *wanted, ct_tensor **out)
{
    for (int64_t k = 0; k < tensors->n; k++)
        if (wanted[k] && !(out[k] = ct_own_select(grad, dim, k)))
            return false;
    return true;
}

/* Each tensor gets its block of the gradient; vectors and 0-d tensors are rows there. */
bool cti_grad_block_diag(ct_tensor *grad, const struct cti_saved_list *tensors, const bool *wanted,
                         ct_tensor **out)
{
    int64_t row = 0, column = 0;
    for (int64_t k = 0; k < tensors->n; k++) {
        const struct cti_meta *m = &tensors->meta[k];
        const int64_t *shape = cti_meta_shape(m);
        int64_t rows = m->ndim == 2 ? shape[0] : 1, columns = m->ndim ? shape[m->ndim - 1] : 1;
        if (wanted[k]) {
            ct_tensor *band = ct_own_narrow(grad, 0, row, rows);
            ct_tensor *block = ct_own_narrow(band, 1, column, columns);
            out[k] = ct_own_reshape(block, ct_ints_of(shape, m->ndim));
            cti_release_all(band, block);
            if (!out[k])
                return false;
        }
        row += rows;
        column += columns;
    }
    return true;
}

/* The gradients of several results as an owned list, with zeros for undefined ones. */
static ct_tensor **filled(const struct cti_node *node, ct_tensor *const *grads)
{
    ct_tensor **list = cti_calloc((size_t)node->noutputs, sizeof *list);
    bool good = list != NULL;
    for (int32_t k = 0; k < node->noutputs && good; k++) {
        const struct cti_meta *m = &node->output[k];
        list[k] = grads[k] ? ct_retain(grads[k])
                           : cti_empty(m->ndim, cti_meta_shape(m), m->dtype, m->device);
        good = list[k] &&
               (grads[k] || CTI_RUN(fill, list[k], .dst = list[k], .number = ct_value_int(0)));
    }
    if (!good && list) {
        ct_list_release(ct_list_of(list, node->noutputs));
        list = NULL;
    }
    return list;
}

ct_tensor *cti_grad_split(const struct cti_node *node, ct_tensor *const *grads, int64_t dim)
{
    ct_tensor **list = filled(node, grads);
    if (!list)
        return NULL;
    ct_tensor *result = ct_own_cat(ct_list_of(list, node->noutputs), dim);
    ct_list_release(ct_list_of(list, node->noutputs));
    return result;
}

ct_tensor *cti_grad_unbind(const struct cti_node *node, ct_tensor *const *grads, int64_t dim)
{
    ct_tensor **list = filled(node, grads);
    if (!list)
        return NULL;
    ct_tensor *result = ct_own_stack(ct_list_of(list, node->noutputs), dim);
    ct_list_release(ct_list_of(list, node->noutputs));
    return result;
}

/* Roll back by the same shifts. */
ct_tensor *cti_grad_roll(ct_tensor *grad, ct_ints shifts, ct_ints dims)
{
    int64_t few[CTI_MAX_DIMS];
    if (shifts.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    for (int64_t i = 0; i < shifts.n; i++)
        few[i] = (int64_t)(0 - (uint64_t)shifts.v[i]);
    return ct_own_roll(grad, ct_ints_of(few, shifts.n), dims);
}

/* The rotation depends only on k modulo 4, so the unsigned difference may be used instead of -k,
 * which could overflow. */
ct_tensor *cti_grad_rot90(ct_tensor *grad, int64_t k, ct_ints dims)
{
    return ct_own_rot90(grad, (int64_t)(0 - (uint64_t)k), dims);
}

ct_tensor *cti_grad_channel_shuffle(ct_tensor *grad, int64_t groups)
{
    return ct_own_channel_shuffle(grad, grad->shape[1] / groups);
}

/* Negative padding removes the border. */
ct_tensor *cti_grad_constant_pad(ct_tensor *grad, ct_ints pad)
{
    int64_t back[2 * CTI_MAX_DIMS];
    for (int64_t i = 0; i < pad.n; i++)
        back[i] = -pad.v[i];
    return ct_own_constant_pad_nd(grad, ct_ints_of(back, pad.n), ct_value_int(0));
}
