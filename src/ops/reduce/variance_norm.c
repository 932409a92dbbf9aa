/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements variance, standard deviation and vector norms, declared in reduce.toml. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/reduce/reduce.h"

#include <math.h>
#include <stdio.h>

/* ---- variance ---- */

static ct_tensor *real_var(bool root, ct_tensor *input, const bool *reduced, ct_value correction,
                           bool keepdim)
{
    enum ct_dtype dtype = input->dtype;
    return cti_reduce_run(root ? CTI_ROW_STD : CTI_ROW_VAR, input, reduced, keepdim, dtype, dtype,
                          correction);
}

/* The variance of complex numbers is the sum of the variances of both parts. */
static ct_tensor *complex_var(bool root, ct_tensor *input, const bool *reduced, ct_value correction,
                              bool keepdim)
{
    ct_tensor *re = ct_own_real(input), *im = ct_own_imag(input);
    ct_tensor *a = re ? real_var(false, re, reduced, correction, keepdim) : NULL;
    ct_tensor *b = im ? real_var(false, im, reduced, correction, keepdim) : NULL;
    ct_tensor *sum = ct_own_add(V(a), V(b), ct_value_int(1));
    if (root && sum && !ct_own_sqrt_(sum))
        sum = cti_replace_take(sum, NULL);
    cti_release_all(re, im, a, b);
    return sum;
}

ct_tensor *cti_var_named(const char *name, bool root, ct_tensor *input, ct_ints dim,
                         ct_value correction, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    if (correction.kind == CT_VALUE_COMPLEX)
        return ct_fail(CT_ERR_RUNTIME, "value cannot be converted to type double without overflow");
    if (correction.kind == CT_VALUE_NONE)
        correction = ct_value_int(1);
    double count = input->numel ? 1 : 0; /* as in PyTorch, which divides the numbers of elements */
    for (int d = 0; d < input->ndim; d++)
        count *= reduced[d] ? (double)input->shape[d] : 1;
    if (count <= cti_value_real(correction))
        cti_warn("%s(): degrees of freedom is <= 0. Correction should be strictly less than the "
                 "reduction factor (input numel divided by output numel).",
                 name);
    return input->dtype >= CT_COMPLEX64 ? complex_var(root, input, reduced, correction, keepdim)
                                        : real_var(root, input, reduced, correction, keepdim);
}

ct_tensor *cti_reduce_var(uint16_t row, ct_tensor *input, ct_ints dim, ct_value correction,
                          bool keepdim)
{
    bool root = row == CTI_ROW_STD;
    if (input->dtype < CT_FLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "std and var only support floating point and complex dtypes");
    return cti_var_named(root ? "std" : "var", root, input, dim, correction, keepdim);
}

ct_tensor *cti_op_var_unbiased(ct_tensor *input, bool unbiased)
{
    return ct_own_var(input, CT_NO_DIMS, ct_value_int(unbiased), false);
}

ct_tensor *cti_op_var_unbiased_dim(ct_tensor *input, ct_ints dim, bool unbiased, bool keepdim)
{
    return ct_own_var(input, dim, ct_value_int(unbiased), keepdim);
}

ct_tensor *cti_op_std_unbiased(ct_tensor *input, bool unbiased)
{
    return ct_own_std(input, CT_NO_DIMS, ct_value_int(unbiased), false);
}

ct_tensor *cti_op_std_unbiased_dim(ct_tensor *input, ct_ints dim, bool unbiased, bool keepdim)
{
    return ct_own_std(input, dim, ct_value_int(unbiased), keepdim);
}

/* ---- norms ---- */

ct_tensor *cti_reduce_norm(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim, double param)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype dtype = input->dtype;
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    return cti_reduce_run(row, input, reduced, keepdim, dtype, cti_dtype_to_real(dtype),
                          ct_value_float(param));
}

static bool check_norm_of_nothing(const ct_tensor *t, ct_ints dim, double ord)
{
    bool reduced[CTI_MAX_DIMS];
    char order[32];
    if (t->numel || (ord >= 0 && !isinf(ord)))
        return true;
    snprintf(order, sizeof order, "%g", ord);
    if (!dim.v || !dim.n)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "linalg.vector_norm cannot compute the %s norm on an empty tensor because "
            "the operation does "
            "not have an identity",
            order);
    if (!cti_mark_dims(t, dim, CTI_ALL_DIMS, reduced))
        return false;
    for (int64_t i = 0; i < dim.n; i++)
        if (!t->shape[dim.v[i] < 0 ? dim.v[i] + t->ndim : dim.v[i]])
            return cti_refuse(CT_ERR_RUNTIME,
                              "linalg.vector_norm cannot compute the %s norm on the dimension "
                              "%lldbecause this dimension "
                              "is empty and the operation does not have an identity",
                              order, (long long)dim.v[i]);
    return true;
}

/* Whether only dims of size 1 are reduced: a norm of any order is then the absolute value. */
static bool norm_of_ones(const ct_tensor *input, ct_ints dim)
{
    bool reduced[CTI_MAX_DIMS], good = cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced);
    for (int d = 0; d < input->ndim && good; d++)
        good = !reduced[d] || input->shape[d] == 1;
    return good;
}

ct_tensor *cti_op_vector_norm(ct_tensor *input, ct_value ord, ct_ints dim, bool keepdim,
                              enum ct_dtype dtype)
{
    if (ord.kind == CT_VALUE_COMPLEX)
        return ct_fail(CT_ERR_RUNTIME, "linalg.vector_norm: Expected a non-complex scalar as the "
                                       "order of norm.");
    double p = cti_value_real(ord);
    if (input->dtype < CT_FLOAT16)
        return ct_fail(
            CT_ERR_NOT_IMPLEMENTED,
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s",
            cti_dtype_scalar_name(input->dtype));
    if (!check_norm_of_nothing(input, dim, p) ||
        !cti_norm_dtype(input, dtype, "linalg.vector_norm"))
        return NULL;
    ct_tensor *cast = dtype == CT_NO_DTYPE ? ct_retain(input) : cti_cast(input, dtype);
    uint16_t row = p == 0                               ? CTI_ROW_NORM_ZERO
                   : norm_of_ones(input, dim) || p == 1 ? CTI_ROW_NORM_ONE
                   : p == 2                             ? CTI_ROW_NORM_TWO
                   : isinf(p) ? (p > 0 ? CTI_ROW_NORM_MOST : CTI_ROW_NORM_LEAST)
                              : CTI_ROW_NORM_POWER;
    return cti_replace_take(cast, cast ? cti_reduce_norm(row, cast, dim, keepdim, p) : NULL);
}

ct_tensor *cti_op_norm(ct_tensor *input, ct_value p, ct_ints dim, bool keepdim, enum ct_dtype dtype)
{
    if (p.kind == CT_VALUE_NONE)
        p = ct_value_int(2);
    return ct_own_vector_norm(input, p, dim, keepdim, dtype);
}
