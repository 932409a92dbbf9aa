/* SPDX-License-Identifier: BSD-3-Clause */
/* Layer norm, batch norm and dropout for C programs, see corten/nn.h. The parameter list records
 * whether the layers are in training mode. */
#include "core/check_args.h"
#include "nn/layer.h"

struct ct_layer_norm_layer ct_new_layer_norm_ex(ct_params *p, const char *name,
                                                ct_ints normalized_shape,
                                                const struct ct_new_norm_args *args)
{
    if (!CTI_CHECK_NUMBERS(normalized_shape, "ct_new_layer_norm", "normalized_shape"))
        return (struct ct_layer_norm_layer){0};
    struct ct_new_norm_args a = ct_new_norm_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_layer_norm_layer l = {.eps = a.eps}, none = {NULL};
    ct_ints shape = cti_ints_counted(normalized_shape);
    enum ct_dtype dtype = cti_layer_dtype(a.dtype);
    if (!cti_layer_check(p, name, "ct_new_layer_norm") ||
        !CTI_CHECK_NUMBERS(shape, "ct_new_layer_norm", "normalized_shape"))
        return none;
    int ndim = shape.n > CTI_MAX_DIMS ? CTI_MAX_DIMS : (int)shape.n;
    ct_tensor *ones = cti_layer_full(ndim, shape.v, dtype, 1);
    l.weight = cti_layer_add(p, name, "weight", ones, true);
    if (l.weight)
        l.bias = cti_layer_add(p, name, "bias", cti_layer_full(ndim, shape.v, dtype, 0), true);
    return l.bias ? l : none;
}

ct_tensor *ct_forward_layer_norm(struct ct_layer_norm_layer l, ct_tensor *x)
{
    if (!cti_check_tensor(x, "ct_forward", "x") ||
        !cti_check_tensor(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    CTI_CALL_BEGIN("layer_norm");
    ct_tensor *y = ct_own_layer_norm(x, ct_ints_of(l.weight->shape, l.weight->ndim), l.weight,
                                     l.bias, l.eps, false);
    CTI_CALL_END("layer_norm", y);
    return ct_scoped(y);
}

struct ct_batch_norm_layer ct_new_batch_norm_ex(ct_params *p, const char *name, int64_t n,
                                                const struct ct_new_norm_args *args)
{
    struct ct_new_norm_args a = ct_new_norm_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_batch_norm_layer l = {.eps = a.eps, .momentum = a.momentum, .params = p};
    struct ct_batch_norm_layer none = {NULL};
    enum ct_dtype type = cti_layer_dtype(a.dtype);
    if (!cti_layer_check(p, name, "ct_new_batch_norm"))
        return none;
    const struct {
        ct_tensor **member;
        const char *name;
        double number;
        bool trained;
    } part[] = {{&l.weight, "weight", 1, true},
                {&l.bias, "bias", 0, true},
                {&l.running_mean, "running_mean", 0, false},
                {&l.running_var, "running_var", 1, false},
                {&l.num_batches_tracked, "num_batches_tracked", 0, false}};
    for (int i = 0; i < 5; i++) {
        bool counter = i == 4;
        ct_tensor *made = cti_layer_full(!counter, &n, counter ? CT_INT64 : type, part[i].number);
        *part[i].member = cti_layer_add(p, name, part[i].name, made, part[i].trained);
        if (!*part[i].member)
            return none;
    }
    return l;
}

ct_tensor *ct_forward_batch_norm(struct ct_batch_norm_layer l, ct_tensor *x)
{
    if (!cti_check_tensor(x, "ct_forward", "x") ||
        !cti_check_tensor(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    bool training = ct_params_is_training(l.params);
    if (training && x->ndim > 1 && x->shape[1] && x->numel == x->shape[1])
        return ct_fail(CT_ERR_VALUE,
                       "Expected more than 1 value per channel when training, got input size %s",
                       ct_shape_str(x));
    CTI_CALL_BEGIN("batch_norm");
    ct_tensor *y = ct_own_batch_norm(x, l.weight, l.bias, l.running_mean, l.running_var, training,
                                     l.momentum, l.eps, false);
    CTI_CALL_END("batch_norm", y);
    if (y && training && !ct_own_add_(l.num_batches_tracked, ct_value_int(1), ct_value_int(1))) {
        ct_release(y);
        return NULL;
    }
    return ct_scoped(y);
}

struct ct_dropout_layer ct_new_dropout(const ct_params *p, double probability)
{
    if (!p)
        ct_fail(CT_ERR_TYPE, "ct_new_dropout(): the list of parameters is NULL");
    return (struct ct_dropout_layer){probability, p};
}

ct_tensor *ct_forward_dropout(struct ct_dropout_layer l, ct_tensor *x)
{
    if (!cti_check_tensor(x, "ct_forward", "x"))
        return NULL;
    if (!l.params)
        return ct_fail(CT_ERR_TYPE, "ct_forward(): the dropout layer has no list");
    CTI_CALL_BEGIN("dropout");
    ct_tensor *y = ct_own_dropout(x, l.p, ct_params_is_training(l.params));
    CTI_CALL_END("dropout", y);
    return ct_scoped(y);
}
