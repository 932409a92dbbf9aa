/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear layers, convolutions and embeddings for C programs, see corten/nn.h, with the initial
 * values of torch.nn in its order of random numbers. */
#include "nn/layer.h"

#include <math.h>
#include <stdio.h>

#define NAME 256 /* longest tensor name, such as layer.weight */

bool cti_layer_check(const ct_params *p, const char *name, const char *function)
{
    if (!p)
        return cti_refuse(CT_ERR_TYPE, "%s(): the list of parameters is NULL", function);
    return cti_check_text(name, function, "name");
}

ct_tensor *cti_layer_add(ct_params *p, const char *layer, const char *member, ct_tensor *made,
                         bool trained)
{
    char name[NAME];
    ct_tensor *t = NULL;
    if (made && snprintf(name, sizeof name, "%s.%s", layer, member) >= NAME)
        ct_fail(CT_ERR_VALUE, "the name of a layer is too long: %s", layer);
    else if (made)
        t = (trained ? ct_params_add : ct_params_add_buffer)(p, name, made);
    ct_release(made);
    return t;
}

/* Makes an uninitialised tensor; checks the dtype that the program passed. */
static ct_tensor *new_tensor(int ndim, const int64_t *shape, enum ct_dtype dtype)
{
    if (!cti_check_dtype(dtype, "a new layer", "dtype"))
        return NULL;
    return cti_empty(ndim, shape, dtype, (struct ct_device){CT_CPU, -1});
}

ct_tensor *cti_layer_uniform(int ndim, const int64_t *shape, enum ct_dtype dtype, double bound)
{
    ct_tensor *t = new_tensor(ndim, shape, dtype);
    return cti_take_if(t, t && ct_own_uniform_(t, -bound, bound, NULL));
}

ct_tensor *cti_layer_full(int ndim, const int64_t *shape, enum ct_dtype dtype, double number)
{
    ct_tensor *t = new_tensor(ndim, shape, dtype);
    return cti_take_if(t, t && ct_own_fill_(t, ct_value_float(number)));
}

/* The bound of kaiming_uniform_(a=sqrt(5)), computed in torch.nn.init's steps, so that results are
 * bitwise equal. */
static double weight_bound(double fan_in)
{
    double gain = sqrt(2.0 / (1 + sqrt(5.0) * sqrt(5.0)));
    return sqrt(3.0) * (gain / sqrt(fan_in));
}

bool cti_layer_draw_linear(int64_t in, int64_t out, enum ct_dtype dtype, ct_tensor **weight,
                           ct_tensor **bias)
{
    int64_t shape[] = {out, in};
    *weight = cti_layer_uniform(2, shape, dtype, weight_bound((double)in));
    if (!*weight || !bias)
        return *weight != NULL;
    *bias = cti_layer_uniform(1, shape, dtype, in > 0 ? 1 / sqrt((double)in) : 0);
    if (!*bias)
        ct_release(*weight);
    return *bias != NULL;
}

struct ct_linear_layer ct_new_linear_ex(ct_params *p, const char *name, int64_t in, int64_t out,
                                        const struct ct_new_linear_args *args)
{
    struct ct_new_linear_args a = ct_new_linear_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_linear_layer l = {NULL, CT_NO_TENSOR}, none = {NULL, NULL};
    ct_tensor *weight, *bias = NULL;
    if (!cti_layer_check(p, name, "ct_new_linear") ||
        !cti_layer_draw_linear(in, out, cti_layer_dtype(a.dtype), &weight, a.bias ? &bias : NULL))
        return none;
    l.weight = cti_layer_add(p, name, "weight", weight, true);
    if (!l.weight) {
        ct_release(bias);
        return none;
    }
    if (a.bias)
        l.bias = cti_layer_add(p, name, "bias", bias, true);
    return l.bias ? l : none;
}

struct ct_embedding_layer ct_new_embedding(ct_params *p, const char *name, int64_t count,
                                           int64_t width)
{
    struct ct_embedding_layer l = {NULL};
    int64_t shape[] = {count, width};
    if (!cti_layer_check(p, name, "ct_new_embedding"))
        return l;
    ct_tensor *t = cti_empty(2, shape, ct_get_default_dtype(), (struct ct_device){CT_CPU, -1});
    l.weight =
        cti_layer_add(p, name, "weight", cti_take_if(t, t && ct_own_normal_(t, 0, 1, NULL)), true);
    return l;
}

/* ---- convolutions ---- */

/* Expands one number, or one per dim, or none (`fallback`), to all dims. */
static bool each_dim(ct_ints given, int dims, int64_t fallback, int64_t *to, const char *name)
{
    static const char *const function[] = {"", "ct_new_conv1d", "ct_new_conv2d", "ct_new_conv3d"};
    if (!CTI_CHECK_NUMBERS(given, function[dims], name))
        return false;
    given = cti_ints_counted(given);
    if (given.n > 1 && given.n != dims)
        return cti_refuse(CT_ERR_RUNTIME, "ct_new_conv%dd(): %s has one number or %d", dims, name,
                          dims);
    for (int d = 0; d < dims; d++)
        to[d] = given.n ? given.v[given.n > 1 ? d : 0] : fallback;
    return true;
}

/* Makes a convolution layer of 1 to 3 dims. */
static struct ct_conv_layer new_conv(int dims, ct_params *p, const char *name, int64_t in,
                                     int64_t out, ct_ints kernel_size,
                                     const struct ct_new_conv_args *args)
{
    static const char *const function[] = {"", "ct_new_conv1d", "ct_new_conv2d", "ct_new_conv3d"};
    struct ct_new_conv_args a = ct_new_conv_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_conv_layer l = {.groups = a.groups}, none = {NULL};
    int64_t shape[5];
    if (!cti_layer_check(p, name, function[dims]) ||
        !each_dim(kernel_size, dims, 1, shape + 2, "kernel_size") ||
        !each_dim(a.stride, dims, 1, l.stride, "stride") ||
        !each_dim(a.padding, dims, 0, l.padding, "padding") ||
        !each_dim(a.dilation, dims, 1, l.dilation, "dilation"))
        return none;
    if (a.groups <= 0 || in % a.groups || out % a.groups) {
        ct_fail(CT_ERR_VALUE, "%s must be divisible by groups",
                a.groups > 0 && in % a.groups == 0 ? "out_channels" : "in_channels");
        return none;
    }
    shape[0] = out;
    shape[1] = in / a.groups;
    double fan_in = 1;
    for (int d = 1; d < dims + 2; d++)
        fan_in *= (double)shape[d];
    enum ct_dtype dtype = cti_layer_dtype(a.dtype);
    ct_tensor *weight = cti_layer_uniform(dims + 2, shape, dtype, weight_bound(fan_in));
    l.weight = cti_layer_add(p, name, "weight", weight, true);
    l.bias = CT_NO_TENSOR;
    if (l.weight && a.bias)
        l.bias = cti_layer_add(p, name, "bias",
                               cti_layer_uniform(1, shape, dtype, 1 / sqrt(fan_in)), true);
    return l.weight && l.bias ? l : none;
}

struct ct_conv_layer ct_new_conv1d_ex(ct_params *p, const char *name, int64_t in, int64_t out,
                                      ct_ints kernel_size, const struct ct_new_conv_args *args)
{
    return new_conv(1, p, name, in, out, kernel_size, args);
}

struct ct_conv_layer ct_new_conv2d_ex(ct_params *p, const char *name, int64_t in, int64_t out,
                                      ct_ints kernel_size, const struct ct_new_conv_args *args)
{
    return new_conv(2, p, name, in, out, kernel_size, args);
}

struct ct_conv_layer ct_new_conv3d_ex(ct_params *p, const char *name, int64_t in, int64_t out,
                                      ct_ints kernel_size, const struct ct_new_conv_args *args)
{
    return new_conv(3, p, name, in, out, kernel_size, args);
}

/* ---- forward; results join the innermost scope ---- */

ct_tensor *ct_forward_linear(struct ct_linear_layer l, ct_tensor *x)
{
    if (!cti_check_tensor(x, "ct_forward", "x") ||
        !cti_check_tensor(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    CTI_CALL_BEGIN("linear");
    ct_tensor *y = ct_own_linear(x, l.weight, l.bias);
    CTI_CALL_END("linear", y);
    return ct_scoped(y);
}

ct_tensor *ct_forward_embedding(struct ct_embedding_layer l, ct_tensor *x)
{
    if (!cti_check_tensor(x, "ct_forward", "x") ||
        !cti_check_tensor(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    CTI_CALL_BEGIN("embedding");
    ct_tensor *y = ct_own_embedding(l.weight, x, -1, false, false);
    CTI_CALL_END("embedding", y);
    return ct_scoped(y);
}

ct_tensor *ct_forward_conv(struct ct_conv_layer l, ct_tensor *x)
{
    static const char *const name[] = {"conv1d", "conv2d", "conv3d"};
    if (!cti_check_tensor(x, "ct_forward", "x") ||
        !cti_check_tensor(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    int dims = l.weight->ndim - 2;
    __auto_type conv = dims == 1 ? ct_own_conv1d : dims == 2 ? ct_own_conv2d : ct_own_conv3d;
    CTI_CALL_BEGIN(name[dims - 1]);
    ct_tensor *y = conv(x, l.weight, l.bias, ct_ints_of(l.stride, dims),
                        ct_ints_of(l.padding, dims), ct_ints_of(l.dilation, dims), l.groups);
    CTI_CALL_END(name[dims - 1], y);
    return ct_scoped(y);
}
