/* SPDX-License-Identifier: BSD-3-Clause */
/* Clipping of gradients: the total norm of many tensors, and scaling them to a maximum norm, each
 * in one call. Nothing here is recorded. */
#include "autograd/autograd.h"
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/shape.h"
#include "corten/optim.h"
#include "corten/own.h"

static ct_tensor *norm_of(ct_tensor *t, double order)
{
    return ct_own_linalg_vector_norm(t, ct_value_float(order), CT_NO_DIMS, false, CT_NO_DTYPE);
}

static ct_tensor *on_device(ct_tensor *t, struct ct_device device)
{
    return ct_own_to(t, CT_NO_DTYPE, device, false, false, CT_PRESERVE_FORMAT);
}

/* Returns the norms of all tensors as a vector on the device of the first one. */
static ct_tensor *all_norms(ct_list tensors, double order)
{
    ct_tensor **norms = cti_malloc((size_t)tensors.n * sizeof *norms);
    ct_tensor *vector = NULL;
    int64_t n = 0;
    for (; norms && n < tensors.n; n++) {
        ct_tensor *norm = norm_of(tensors.v[n], order);
        norms[n] = norm ? on_device(norm, ct_device_of(tensors.v[0])) : NULL;
        ct_release(norm);
        if (!norms[n])
            break;
    }
    if (norms && n == tensors.n)
        vector = ct_own_stack(ct_list_of(norms, n), 0);
    for (int64_t i = 0; i < n; i++)
        ct_release(norms[i]);
    cti_free(norms);
    return vector;
}

ct_tensor *ct_own_total_norm(ct_list tensors, double order)
{
    if (!cti_check_list(&tensors, "ct_own_total_norm", "tensors"))
        return NULL;
    bool mode = ct_set_grad_enabled(false);
    ct_tensor *total = NULL;
    if (tensors.n == 0) {
        total = ct_own_zeros(CT_NO_DIMS, CT_FLOAT32, (struct ct_device){CT_CPU, -1}, false);
    } else {
        ct_tensor *norms = all_norms(tensors, order);
        total = norms ? norm_of(norms, order) : NULL;
        ct_release(norms);
    }
    ct_set_grad_enabled(mode);
    return total;
}

/* max_norm / (total + 1e-6), at most 1. */
static ct_tensor *clip_factor(ct_tensor *total, double max_norm)
{
    ct_tensor *wide = ct_own_add(ct_value_tensor(total), ct_value_float(1e-6), ct_value_float(1));
    ct_tensor *ratio =
        wide ? ct_own_div(ct_value_float(max_norm), ct_value_tensor(wide), NULL) : NULL;
    ct_tensor *factor = ratio ? ct_own_clamp_max(ratio, ct_value_float(1)) : NULL;
    ct_release(wide);
    ct_release(ratio);
    return factor;
}

bool ct_scale_to_norm(ct_list tensors, double max_norm, ct_tensor *total)
{
    if (!(cti_check_list(&tensors, "ct_scale_to_norm", "tensors") &&
          cti_check_pointer(total, "ct_scale_to_norm", "total")))
        return false;
    bool mode = ct_set_grad_enabled(false);
    ct_tensor *factor = clip_factor(total, max_norm);
    bool good = factor != NULL;
    /* Skips a factor of 1. A factor on a GPU is not read, which would wait for the GPU. */
    bool one = good && ct_numel(factor) == 1 && ct_device_of(factor).type == CT_CPU;
    bool needed = good && (!one || ct_item(factor) != 1);
    for (int64_t i = 0; good && needed && i < tensors.n; i++) {
        ct_tensor *local = on_device(factor, ct_device_of(tensors.v[i]));
        good = local && ct_own_mul_(tensors.v[i], ct_value_tensor(local));
        ct_release(local);
    }
    ct_release(factor);
    ct_set_grad_enabled(mode);
    return good;
}
