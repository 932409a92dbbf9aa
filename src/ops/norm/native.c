/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements native_batch_norm, native_layer_norm and native_group_norm, which also return the
 * statistics. */
#include "core/hold.h"
#include "inner.h"
#include "ops/front.h"
#include "ops/norm/norm.h"

/* As in PyTorch, statistics have the dtype of the parameters (half inputs with float32 parameters
 * have float32 statistics), or the input's without parameters. */
static enum ct_dtype type_of_statistics(const ct_tensor *input, ct_tensor *const parameter[], int n)
{
    for (int i = 0; i < n; i++)
        if (parameter[i] != CT_NO_TENSOR)
            return (enum ct_dtype)parameter[i]->dtype;
    return (enum ct_dtype)input->dtype;
}

/* Casts both statistics. In PyTorch only those of group norm have a gradient history; `detach`
 * drops it. */
static bool convert_both(ct_tensor **mean, ct_tensor **rstd, enum ct_dtype dtype, bool detach)
{
    ct_tensor **const both[] = {mean, rstd};
    for (int i = 0; i < 2; i++) {
        if (detach)
            *both[i] = cti_replace_take(*both[i], ct_own_detach(*both[i]));
        *both[i] = cti_replace_take(*both[i], ct_own_to_dtype(*both[i], dtype));
    }
    return *mean && *rstd;
}

bool cti_op_native_layer_norm(struct ct_native_layer_norm_result *result, ct_tensor *input,
                              ct_ints normalized_shape, ct_tensor *weight, ct_tensor *bias,
                              double eps)
{
    struct ct_layer_norm_row_result r =
        cti_layer_norm_all(input, normalized_shape, weight, bias, eps);
    *result = (struct ct_native_layer_norm_result){r.output, r.mean, r.rstd};
    return r.output &&
           convert_both(&result->mean, &result->rstd,
                        type_of_statistics(input, (ct_tensor *[]){weight, bias}, 2), true);
}

bool cti_op_native_batch_norm(struct ct_native_batch_norm_result *result, ct_tensor *input,
                              ct_tensor *weight, ct_tensor *bias, ct_tensor *running_mean,
                              ct_tensor *running_var, bool training, double momentum, double eps)
{
    struct ct_batch_norm_row_result r = {0};
    ct_tensor *const parameter[] = {weight, bias, running_mean, running_var};
    bool good = cti_batch_norm_all(&r, input, weight, bias, running_mean, running_var, training,
                                   momentum, eps);
    ct_release(r.var);
    *result = (struct ct_native_batch_norm_result){r.output, r.mean, r.rstd};
    if (good && !training) { /* the statistics would be the caller's own tensors */
        cti_release_all(r.mean, r.rstd);
        result->mean = cti_empty(1, (int64_t[]){0}, CT_FLOAT32, input->storage->device);
        result->rstd = cti_empty(1, (int64_t[]){0}, CT_FLOAT32, input->storage->device);
        good = result->mean && result->rstd;
    }
    return good && convert_both(&result->mean, &result->rstd,
                                type_of_statistics(input, parameter, 4), true);
}

/* The statistics of group norm are differentiable in PyTorch, so they are recomputed by recorded
 * operations if a gradient may be requested. */
static bool recorded_statistics(struct ct_native_group_norm_result *r, ct_tensor *grouped,
                                double eps)
{
    struct cti_hold h = {0};
    ct_tensor *groups =
        cti_hold(&h, ct_own_reshape(grouped, CT_INTS(r->mean->shape[0], r->mean->shape[1], -1)));
    ct_tensor *var = cti_hold(&h, ct_own_var(groups, CT_INTS(-1), ct_value_int(0), false));
    ct_tensor *shifted = cti_hold(&h, ct_own_add(V(var), ct_value_float(eps), ct_value_int(1)));
    ct_tensor *mean = shifted ? ct_own_mean(groups, CT_INTS(-1), false, CT_NO_DTYPE) : NULL;
    ct_tensor *rstd = mean ? ct_own_rsqrt(shifted) : NULL;
    cti_release_all(r->mean, r->rstd);
    r->mean = mean;
    r->rstd = rstd;
    cti_hold_end(&h, NULL);
    return mean && rstd;
}

bool cti_op_native_group_norm(struct ct_native_group_norm_result *result, ct_tensor *input,
                              ct_tensor *weight, ct_tensor *bias, int64_t N, int64_t C, int64_t HxW,
                              int64_t group, double eps)
{
    struct cti_hold h = {0};
    if (!cti_group_norm_check(input, C, HxW, group, weight, bias))
        return false;
    if (cti_mul_sat(cti_mul_sat(N, C), HxW) != input->numel)
        return cti_refuse(CT_ERR_RUNTIME, "Expected X.numel() == N * C * HxW to be true, but got "
                                          "false.");
    bool as_given = input->ndim >= 2 && input->shape[0] == N && input->shape[1] == C;
    ct_tensor *flat = as_given ? ct_retain(input) : ct_own_reshape(input, CT_INTS(N, C, HxW));
    flat = cti_hold(&h, flat);
    struct ct_group_norm_row_result r = {0};
    if (flat)
        r = ct_own_group_norm_row(flat, group, weight, bias, eps);
    *result = (struct ct_native_group_norm_result){r.output, r.mean, r.rstd};
    bool good = r.output != NULL;
    if (good && !as_given) {
        result->output = ct_own_view(r.output, cti_shape_of(input));
        ct_release(r.output);
        good = result->output != NULL;
    }
    good = good && (!ct_requires_grad(input) || recorded_statistics(result, flat, eps)) &&
           convert_both(&result->mean, &result->rstd,
                        type_of_statistics(input, (ct_tensor *[]){weight, bias}, 2), false);
    cti_hold_end(&h, NULL);
    return good;
}
