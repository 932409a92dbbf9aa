/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements reductions that are composed of others, declared in reduce.toml: nanmean, aminmax,
 * var_mean, dist, xor sums. With PyTorch's checks and error messages. */
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/reduce/reduce.h"

ct_tensor *cti_op_nanmean(ct_tensor *input, ct_ints dim, bool keepdim, enum ct_dtype dtype)
{
    struct cti_hold h = {0};
    if (input->dtype < CT_FLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "nanmean(): expected input to have floating point or complex dtype but got "
                       "%s",
                       cti_dtype_scalar_name(input->dtype));
    if (dtype != CT_NO_DTYPE && dtype < CT_FLOAT16)
        return ct_fail(CT_ERR_RUNTIME,
                       "nanmean(): could not infer output dtype. Optional dtype must be either a "
                       "floating point or complex dtype. Got: %s",
                       cti_dtype_scalar_name(dtype));
    ct_tensor *nan = cti_hold(&h, ct_own_isnan(input));
    ct_tensor *number = cti_hold(&h, ct_own_logical_not(nan));
    ct_tensor *count = cti_hold(&h, ct_own_sum(number, dim, keepdim, CT_NO_DTYPE));
    ct_tensor *sum = cti_hold(&h, ct_own_nansum(input, dim, keepdim, dtype));
    return cti_hold_end(&h, cti_hold(&h, ct_own_div(V(sum), V(count), NULL)));
}

bool cti_op_aminmax(struct ct_aminmax_result *result, ct_tensor *input, int64_t dim, bool keepdim)
{
    ct_ints dims = dim == CT_NO_DIM ? CT_NO_DIMS : ct_ints_of(&dim, 1);
    int d;
    if (input->dtype >= CT_COMPLEX64)
        return cti_refuse(CT_ERR_TYPE, "aminmax not implemented for %s",
                          cti_dtype_scalar_name(input->dtype));
    if (dim != CT_NO_DIM) {
        if (!cti_shape_wrap_dim(dim, input->ndim, &d))
            return false;
        if (input->ndim && !input->shape[d])
            return cti_refuse(CT_ERR_INDEX,
                              "aminmax: Expected reduction dim %d to have non-zero size.", d);
    } else if (!input->numel) {
        return cti_refuse(CT_ERR_RUNTIME,
                          "aminmax(): cannot compute aminmax over an empty dimension "
                          "as the operation has no identity.");
    }
    result->min = ct_own_amin(input, dims, keepdim);
    result->max = ct_own_amax(input, dims, keepdim);
    return result->min && result->max;
}

/* ---- var_mean and std_mean ---- */

static ct_list spread_mean(const char *name, bool root, ct_tensor *input, ct_ints dim,
                           ct_value correction, bool keepdim)
{
    ct_list none = {NULL, 0};
    if (input->dtype < CT_FLOAT16) {
        ct_fail(CT_ERR_NOT_IMPLEMENTED, "%s only support floating point and complex dtypes", name);
        return none;
    }
    ct_tensor **pair = cti_calloc(2, sizeof *pair);
    if (!pair)
        return none;
    pair[0] = cti_var_named(name, root, input, dim, correction, keepdim);
    pair[1] = pair[0] ? ct_own_mean(input, dim, keepdim, CT_NO_DTYPE) : NULL;
    return cti_list_take_if(pair, 2, pair[1] != NULL);
}

ct_list cti_op_var_mean(ct_tensor *input, ct_ints dim, ct_value correction, bool keepdim)
{
    return spread_mean("var_mean", false, input, dim, correction, keepdim);
}

ct_list cti_op_std_mean(ct_tensor *input, ct_ints dim, ct_value correction, bool keepdim)
{
    return spread_mean("std_mean", true, input, dim, correction, keepdim);
}

ct_list cti_op_var_mean_unbiased(ct_tensor *input, bool unbiased)
{
    return ct_own_var_mean(input, CT_NO_DIMS, ct_value_int(unbiased), false);
}

ct_list cti_op_std_mean_unbiased(ct_tensor *input, bool unbiased)
{
    return ct_own_std_mean(input, CT_NO_DIMS, ct_value_int(unbiased), false);
}

ct_list cti_op_var_mean_unbiased_dim(ct_tensor *input, ct_ints dim, bool unbiased, bool keepdim)
{
    return ct_own_var_mean(input, dim, ct_value_int(unbiased), keepdim);
}

ct_list cti_op_std_mean_unbiased_dim(ct_tensor *input, ct_ints dim, bool unbiased, bool keepdim)
{
    return ct_own_std_mean(input, dim, ct_value_int(unbiased), keepdim);
}

/* ---- dist ---- */

ct_tensor *cti_op_dist(ct_tensor *input, ct_tensor *other, ct_value p)
{
    ct_tensor *difference = ct_own_sub(V(input), V(other), ct_value_int(1));
    if (difference && difference->dtype < CT_FLOAT16) {
        ct_fail(CT_ERR_NOT_IMPLEMENTED,
                "norm(): input dtype should be either floating point or complex. Got %s instead.",
                cti_dtype_scalar_name(difference->dtype));
        return cti_replace_take(difference, NULL);
    }
    return cti_replace_take(difference, ct_own_norm(difference, p, CT_NO_DIMS, false, CT_NO_DTYPE));
}

/* ---- xor sums ---- */

ct_tensor *cti_reduce_xor(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype dtype = input->dtype;
    if (!cti_is_integral(dtype, false))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"xor_sum_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    if (!input->numel)
        return cti_reduced_take(cti_reduced_empty(input, reduced, dtype), reduced, keepdim);
    return cti_reduce_run(row, input, reduced, keepdim, dtype, dtype, ct_value_none());
}

static bool check_hash(const ct_tensor *input, ct_ints dim, int64_t mode)
{
    enum ct_dtype dtype = input->dtype;
    if (mode != 0)
        return cti_refuse(CT_ERR_RUNTIME, "Unknown hash_tensor mode: %lld", (long long)mode);
    if (!input->numel && !dim.n)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "hash_tensor: Expected reduction dim to be specified for input.numel() == "
            "0. Specify the reduction dim with the 'dim' argument.");
    for (int64_t i = 0; !input->numel && i < dim.n; i++) {
        int d;
        if (cti_shape_wrap_dim(dim.v[i], input->ndim, &d) && !input->shape[d])
            return cti_refuse(CT_ERR_INDEX,
                              "hash_tensor: Expected reduction dim %lld to have non-zero size.",
                              (long long)dim.v[i]);
    }
    return !input->numel || !ct_dtype_is_complex(dtype) ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"xor_sum_cpu\" not implemented for '%s'",
                      cti_dtype_scalar_name(dtype));
}

/* Widens elements to 64 bits first, so that equal numbers hash alike in any dtype of a kind. */
ct_tensor *cti_op_hash_tensor(ct_tensor *input, ct_ints dim, bool keepdim, int64_t mode)
{
    enum ct_dtype dtype = input->dtype;
    if (!check_hash(input, dim, mode))
        return NULL;
    enum ct_dtype to = ct_dtype_is_floating(dtype)                        ? CT_FLOAT64
                       : dtype == CT_UINT64 || ct_dtype_is_complex(dtype) ? CT_UINT64
                                                                          : CT_INT64;
    ct_tensor *cast = cti_cast(input, to);
    ct_tensor *plain = ct_own_detach(cast);
    ct_tensor *bits = ct_own_view_dtype(plain, CT_UINT64);
    ct_tensor *result = ct_own_xor_sum(bits, dim, keepdim);
    cti_release_all(cast, plain, bits);
    return result;
}
