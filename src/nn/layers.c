/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers for C programs, see corten/nn.h: made with torch.nn's initial values, in its order of
 * random numbers, and applied with one call. */
#include "corten/nn.h"

#include "core/error.h"
#include "corten/own.h"
#include "ops/border.h"
#include "ops/front.h"

#include <math.h>
#include <stdio.h>

#define NAME 256 /* of a tensor: layer.weight */

static enum ct_dtype type_of(enum ct_dtype given)
{
    return given == CT_NO_DTYPE ? ct_get_default_dtype() : given;
}

/* A new tensor of the list as layer.member, borrowed; `fill` has set its values, or failed. */
static ct_tensor *keep(ct_params *p, const char *layer, const char *member, ct_tensor *made,
                       bool good)
{
    char name[NAME];
    if (snprintf(name, sizeof name, "%s.%s", layer, member) >= NAME)
        good = cti_refuse(CT_ERR_VALUE, "the name of a layer is too long: %s", layer);
    ct_tensor *t = NULL;
    if (good && made)
        t = ct_params_add(p, name, made);
    ct_release(made);
    return t;
}

static ct_tensor *uniform(ct_params *p, const char *layer, const char *member, int ndim,
                          const int64_t *shape, enum ct_dtype dtype, double bound)
{
    ct_tensor *t = cti_empty(ndim, shape, dtype, (struct ct_device){CT_CPU, -1});
    bool good = t && ct_own_uniform_(t, -bound, bound, NULL);
    return keep(p, layer, member, t, good);
}

static bool check(const ct_params *p, const char *name, const char *function)
{
    if (!p)
        return cti_refuse(CT_ERR_TYPE, "%s(): the list of parameters is NULL", function);
    return cti_given_text(name, function, "name");
}

/* The bound of kaiming_uniform_(a=sqrt(5)), with torch.nn.init's steps, so that bits agree. */
static double weight_bound(double fan_in)
{
    double gain = sqrt(2.0 / (1 + sqrt(5.0) * sqrt(5.0)));
    return sqrt(3.0) * (gain / sqrt(fan_in));
}

struct ct_linear_layer ct_new_linear_ex(ct_params *p, const char *name, int64_t in, int64_t out,
                                        const struct ct_new_linear_args *args)
{
    struct ct_new_linear_args a = ct_new_linear_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_linear_layer l = {NULL, NULL};
    int64_t shape[] = {out, in};
    enum ct_dtype dtype = type_of(a.dtype);
    if (!check(p, name, "ct_new_linear"))
        return l;
    ct_tensor *weight = uniform(p, name, "weight", 2, shape, dtype, weight_bound((double)in));
    ct_tensor *bias = CT_NO_TENSOR;
    if (weight && a.bias)
        bias = uniform(p, name, "bias", 1, shape, dtype, in > 0 ? 1 / sqrt((double)in) : 0);
    return weight && bias ? (struct ct_linear_layer){weight, bias} : l;
}

/* One number or two, or what is usual. */
static bool pair(ct_ints given, int64_t usual, int64_t two[2], const char *name)
{
    given = cti_ints_counted(given);
    two[0] = two[1] = given.n ? given.v[0] : usual;
    if (given.n == 2)
        two[1] = given.v[1];
    return given.n <= 2 ||
           cti_refuse(CT_ERR_RUNTIME, "ct_new_conv2d(): %s has one number or two", name);
}

struct ct_conv2d_layer ct_new_conv2d_ex(ct_params *p, const char *name, int64_t in, int64_t out,
                                        ct_ints kernel_size, const struct ct_new_conv2d_args *args)
{
    struct ct_new_conv2d_args a = ct_new_conv2d_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_conv2d_layer l = {.groups = a.groups}, none = {NULL};
    int64_t kernel[2];
    if (!check(p, name, "ct_new_conv2d") || !pair(kernel_size, 1, kernel, "kernel_size") ||
        !pair(a.stride, 1, l.stride, "stride") || !pair(a.padding, 0, l.padding, "padding") ||
        !pair(a.dilation, 1, l.dilation, "dilation"))
        return none;
    if (a.groups <= 0 || in % a.groups || out % a.groups) {
        ct_fail(CT_ERR_VALUE, "in_channels must be divisible by groups");
        return none;
    }
    int64_t shape[] = {out, in / a.groups, kernel[0], kernel[1]};
    double fan_in = (double)(shape[1] * shape[2] * shape[3]);
    enum ct_dtype dtype = type_of(a.dtype);
    l.weight = uniform(p, name, "weight", 4, shape, dtype, weight_bound(fan_in));
    l.bias = CT_NO_TENSOR;
    if (l.weight && a.bias)
        l.bias = uniform(p, name, "bias", 1, shape, dtype, 1 / sqrt(fan_in));
    return l.weight && l.bias ? l : none;
}

struct ct_embedding_layer ct_new_embedding(ct_params *p, const char *name, int64_t count,
                                           int64_t width)
{
    struct ct_embedding_layer l = {NULL};
    int64_t shape[] = {count, width};
    if (!check(p, name, "ct_new_embedding"))
        return l;
    ct_tensor *t = cti_empty(2, shape, ct_get_default_dtype(), (struct ct_device){CT_CPU, -1});
    bool good = t && ct_own_normal_(t, 0, 1, NULL);
    l.weight = keep(p, name, "weight", t, good);
    return l;
}

/* ---- forward: results join the scope ---- */

ct_tensor *ct_forward_linear(struct ct_linear_layer l, ct_tensor *x)
{
    if (!cti_given(x, "ct_forward", "x") || !cti_given(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    return ct_scoped(ct_own_linear(x, l.weight, l.bias));
}

ct_tensor *ct_forward_conv2d(struct ct_conv2d_layer l, ct_tensor *x)
{
    if (!cti_given(x, "ct_forward", "x") || !cti_given(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    return ct_scoped(ct_own_conv2d(x, l.weight, l.bias, ct_ints_of(l.stride, 2),
                                   ct_ints_of(l.padding, 2), ct_ints_of(l.dilation, 2), l.groups));
}

ct_tensor *ct_forward_embedding(struct ct_embedding_layer l, ct_tensor *x)
{
    if (!cti_given(x, "ct_forward", "x") || !cti_given(l.weight, "ct_forward", "layer.weight"))
        return NULL;
    return ct_scoped(ct_own_embedding(l.weight, x, -1, false, false));
}
