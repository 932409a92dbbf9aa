/* SPDX-License-Identifier: BSD-3-Clause */
/* The fronts of reductions: which dims go, which type is computed and returned, and what an empty
 * tensor means. The rows of reduce.toml name one of these families. */
#include "ops/reduce.h"
#include "core/note.h"
#include "fronts.h"
#include "ops/front.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- dims ---- */

bool cti_mark_dims(const ct_tensor *t, ct_ints dim, enum cti_empty_list empty, bool *reduced)
{
    bool all = !dim.v || (dim.n == 0 && empty == CTI_ALL_DIMS);
    for (int d = 0; d < t->ndim; d++)
        reduced[d] = all;
    for (int64_t i = 0; i < dim.n; i++) {
        int d;
        if (!cti_shape_wrap_dim(dim.v[i], t->ndim, &d))
            return false;
        if (!t->ndim)
            continue;
        if (reduced[d])
            return ct_fail(CT_ERR_RUNTIME, "dim %d appears multiple times in the list of dims",
                           d) != NULL;
        reduced[d] = true;
    }
    return true;
}

/* PyTorch's refusal of reductions without an identity over nothing. */
static bool check_not_empty(const char *name, const ct_tensor *t, ct_ints dim, const bool *reduced,
                            enum ct_error_kind kind, const char *more)
{
    if (t->numel)
        return true;
    if (!dim.v || !dim.n)
        return ct_fail(kind,
                       "%s(): Expected reduction dim to be specified for input.numel() == 0.%s",
                       name, more) != NULL;
    for (int d = 0; d < t->ndim; d++)
        if (reduced[d] && !t->shape[d])
            return ct_fail(CT_ERR_INDEX, "%s(): Expected reduction dim %d to have non-zero size.",
                           name, d) != NULL;
    return true;
}

static const char specify[] = " Specify the reduction dim with the 'dim' argument.";

/* A result with reduced dims of size 1. */
static ct_tensor *make_result(const ct_tensor *t, const bool *reduced, enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < t->ndim; d++)
        shape[d] = reduced[d] ? 1 : t->shape[d];
    return cti_empty(t->ndim, shape, dtype, t->storage->device);
}

/* Drops the reduced dims; takes t. */
static ct_tensor *squeezed(ct_tensor *t, const bool *reduced, bool keepdim)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    int n = 0;
    if (!t || keepdim)
        return t;
    for (int d = 0; d < t->ndim; d++)
        if (!reduced[d]) {
            shape[n] = t->shape[d];
            stride[n++] = t->stride[d];
        }
    return cti_take_if(t, cti_tensor_set_geometry(t, n, shape, stride, t->offset));
}

static enum ct_dtype compute_type(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT16 || dtype == CT_BFLOAT16 ? CT_FLOAT32 : dtype;
}

/* Runs the engine: `compute` is the elements' type, `dtype` the result's. */
static ct_tensor *reduce(uint16_t row, ct_tensor *input, const bool *reduced, bool keepdim,
                         enum ct_dtype compute, enum ct_dtype dtype, ct_value param)
{
    cti_warn_of_cast(input, compute);
    ct_tensor *plain = cti_resolve(input);
    ct_tensor *out = plain ? make_result(plain, reduced, dtype) : NULL;
    struct cti_reduce work = {.row = row,
                              .dtype = (uint8_t)compute_type(compute),
                              .out = out,
                              .in = plain,
                              .reduced = reduced,
                              .param = param};
    if (out && !cti_backend_of(out)->reduce(&work)) {
        ct_release(out);
        out = NULL;
    }
    ct_release(plain);
    return squeezed(out, reduced, keepdim);
}

/* ---- sums ---- */

ct_tensor *cti_reduce_sum(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim,
                          enum ct_dtype dtype)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype in = (enum ct_dtype)input->dtype, compute = dtype == CT_NO_DTYPE ? in : dtype;
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    if (dtype == CT_NO_DTYPE)
        dtype = cti_is_integral(in, true) ? CT_INT64 : in;
    return reduce(row, input, reduced, keepdim, compute, dtype, ct_value_none());
}

/* Integers have no NaN. */
ct_tensor *cti_reduce_nansum(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim,
                             enum ct_dtype dtype)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype own = (enum ct_dtype)input->dtype;
    if (own >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "nansum on CPU does not support complex inputs");
    if (own < CT_FLOAT16 || dtype < CT_FLOAT16)
        return cti_reduce_sum(CTI_ROW_SUM, input, dim, keepdim, dtype);
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    dtype = dtype == CT_NO_DTYPE ? own : dtype;
    if (dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"nansum_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    return reduce(row, input, reduced, keepdim, dtype, dtype, ct_value_none());
}

ct_tensor *cti_reduce_mean(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim,
                           enum ct_dtype dtype)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype result = dtype == CT_NO_DTYPE ? (enum ct_dtype)input->dtype : dtype;
    if (result < CT_FLOAT16) {
        ct_fail(CT_ERR_NOT_IMPLEMENTED,
                "mean(): could not infer output dtype. %s dtype must be either a floating "
                "point or complex "
                "dtype. Got: %s",
                dtype == CT_NO_DTYPE ? "Input" : "Optional", cti_dtype_scalar_name(result));
        return cti_note("x.mean(dtype=torch.float32), or x.float().mean()");
    }
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    return reduce(row, input, reduced, keepdim, result, result, ct_value_none());
}

static ct_ints one_dim(const int64_t *dim)
{
    return *dim == CT_NO_DIM ? CT_NO_DIMS : ct_ints_of(dim, 1);
}

ct_tensor *cti_reduce_prod(uint16_t row, ct_tensor *input, int64_t dim, bool keepdim,
                           enum ct_dtype dtype)
{
    return cti_reduce_sum(row, input, one_dim(&dim), keepdim, dtype);
}

ct_tensor *cti_op_sum_to_size(ct_tensor *input, ct_ints size)
{
    int64_t dims[CTI_MAX_DIMS], n = 0, pad = input->ndim - size.n;
    char want[CTI_SHAPE_TEXT], is[CTI_SHAPE_TEXT];
    bool fits = pad >= 0;
    for (int d = 0; fits && d < input->ndim; d++) {
        int64_t to = d < pad ? 1 : size.v[d - pad];
        if (d < pad || (to == 1 && input->shape[d] != 1))
            dims[n++] = d;
        else
            fits = to == input->shape[d];
    }
    if (!fits)
        return ct_fail(CT_ERR_RUNTIME, "size {%s} is not expandable to size {%s}.",
                       cti_shape_text(want, (int)size.n, size.v),
                       cti_shape_text(is, input->ndim, input->shape));
    if (!n)
        return ct_retain(input);
    ct_tensor *sum = ct_own_sum(input, ct_ints_of(dims, n), true, CT_NO_DTYPE);
    ct_tensor *result = pad ? ct_own_view(sum, size) : ct_retain(sum);
    ct_release(sum);
    return result;
}

/* ---- extremes ---- */

static bool check_real(const ct_tensor *t, const char *kernel)
{
    if (t->dtype < CT_COMPLEX64)
        return true;
    ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel,
            cti_dtype_scalar_name((enum ct_dtype)t->dtype));
    return false;
}

ct_tensor *cti_reduce_amax(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    const char *name = row == CTI_ROW_AMAX ? "amax" : "amin";
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced) ||
        !check_not_empty(name, input, dim, reduced, CT_ERR_RUNTIME, specify))
        return NULL;
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    if (!input->numel)
        return squeezed(make_result(input, reduced, dtype), reduced, keepdim);
    if (!check_real(input, row == CTI_ROW_AMAX ? "max_values_cpu" : "min_values_cpu"))
        return NULL;
    return reduce(row, input, reduced, keepdim, dtype, dtype, ct_value_none());
}

static ct_tensor *extreme(ct_tensor *input, uint16_t row, const char *name, const char *kernel)
{
    if (!input->numel)
        return ct_fail(CT_ERR_RUNTIME,
                       "%s(): Expected reduction dim to be specified for input.numel() == 0.%s",
                       name, specify);
    return check_real(input, kernel) ? cti_reduce_amax(row, input, CT_NO_DIMS, false) : NULL;
}

ct_tensor *cti_op_max(ct_tensor *input)
{
    return extreme(input, CTI_ROW_AMAX, "max", "max_all");
}

ct_tensor *cti_op_min(ct_tensor *input)
{
    return extreme(input, CTI_ROW_AMIN, "min", "min_all");
}

/* Values (where asked for) and indices along one dim, or over all elements. */
static bool pick(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim, ct_tensor **values,
                 ct_tensor **indices)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return false;
    if (values && !(*values = make_result(input, reduced, dtype)))
        return false;
    if (!(*indices = make_result(input, reduced, CT_INT64)))
        return false;
    struct cti_reduce work = {.row = row,
                              .dtype = dtype == CT_BOOL ? CT_UINT8 : (uint8_t)compute_type(dtype),
                              .out = values ? *values : NULL,
                              .index = *indices,
                              .in = input,
                              .reduced = reduced,
                              .param = ct_value_none()};
    ct_tensor *plain = cti_resolve(input);
    work.in = plain;
    bool good = plain && cti_backend_of(input)->reduce(&work);
    ct_release(plain);
    if (good && values)
        good = (*values = squeezed(*values, reduced, keepdim)) != NULL;
    return good && (*indices = squeezed(*indices, reduced, keepdim)) != NULL;
}

ct_tensor *cti_reduce_arg(uint16_t row, ct_tensor *input, int64_t dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    const char *name = row == CTI_ROW_ARGMAX ? "argmax" : "argmin";
    ct_ints dims = one_dim(&dim);
    ct_tensor *indices = NULL;
    if (input->dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_TYPE, "%s(): does not support complex input", name);
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "%s(): does not support bool input", name);
    if (!cti_mark_dims(input, dims, CTI_ALL_DIMS, reduced) ||
        !check_not_empty(name, input, dims, reduced, CT_ERR_INDEX, ""))
        return NULL;
    bool good = pick(row, input, dims, keepdim, NULL, &indices);
    return cti_take_if(indices, good);
}

static bool pick_dim(const char *name, uint16_t row, ct_tensor *input, int64_t dim, bool keepdim,
                     ct_tensor **values, ct_tensor **indices)
{
    bool reduced[CTI_MAX_DIMS];
    ct_ints dims = ct_ints_of(&dim, 1);
    if (!cti_mark_dims(input, dims, CTI_ALL_DIMS, reduced) ||
        !check_not_empty(name, input, dims, reduced, CT_ERR_INDEX, ""))
        return false;
    if (input->dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_TYPE, "%s(): does not support complex input", name) != NULL;
    return pick(row, input, dims, keepdim, values, indices);
}

bool cti_op_max_dim(struct ct_max_dim_result *result, ct_tensor *input, int64_t dim, bool keepdim)
{
    return pick_dim("max", CTI_ROW_ARGMAX, input, dim, keepdim, &result->values, &result->indices);
}

bool cti_op_min_dim(struct ct_min_dim_result *result, ct_tensor *input, int64_t dim, bool keepdim)
{
    return pick_dim("min", CTI_ROW_ARGMIN, input, dim, keepdim, &result->values, &result->indices);
}

ct_tensor *cti_op_value_selecting_backward(ct_tensor *grad, int64_t dim, ct_tensor *indices,
                                           ct_ints sizes, bool keepdim)
{
    ct_tensor *whole =
        cti_empty((int)sizes.n, sizes.v, (enum ct_dtype)grad->dtype, grad->storage->device);
    bool lift = !keepdim && sizes.n > 0;
    ct_tensor *g = lift ? cti_view_unsqueeze(grad, dim) : ct_retain(grad);
    ct_tensor *i = lift ? cti_view_unsqueeze(indices, dim) : ct_retain(indices);
    bool good =
        whole && g && i && cti_fill(whole, ct_value_int(0)) && ct_own_scatter_(whole, dim, i, g);
    ct_release(g);
    ct_release(i);
    return cti_take_if(whole, good);
}

/* ---- truth ---- */

ct_tensor *cti_reduce_truth(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    if (!cti_mark_dims(input, dim, CTI_NO_DIMS, reduced))
        return NULL;
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    return reduce(row, input, reduced, keepdim, dtype, dtype == CT_UINT8 ? CT_UINT8 : CT_BOOL,
                  ct_value_none());
}

/* ---- variance ---- */

static ct_tensor *real_var(bool root, ct_tensor *input, const bool *reduced, ct_value correction,
                           bool keepdim)
{
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    return reduce(root ? CTI_ROW_STD : CTI_ROW_VAR, input, reduced, keepdim, dtype, dtype,
                  correction);
}

/* The variance of complex numbers is that of their two parts together. */
static ct_tensor *complex_var(bool root, ct_tensor *input, const bool *reduced, ct_value correction,
                              bool keepdim)
{
    ct_tensor *re = ct_own_real(input), *im = ct_own_imag(input);
    ct_tensor *a = re ? real_var(false, re, reduced, correction, keepdim) : NULL;
    ct_tensor *b = im ? real_var(false, im, reduced, correction, keepdim) : NULL;
    ct_tensor *sum = ct_own_add(ct_value_tensor(a), ct_value_tensor(b), ct_value_int(1));
    if (root && sum && !ct_own_sqrt_(sum)) {
        ct_release(sum);
        sum = NULL;
    }
    ct_release(re);
    ct_release(im);
    ct_release(a);
    ct_release(b);
    return sum;
}

ct_tensor *cti_var_named(const char *name, bool root, ct_tensor *input, ct_ints dim,
                         ct_value correction, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    if (correction.kind == CT_VALUE_NONE)
        correction = ct_value_int(1);
    double count = input->numel ? 1 : 0; /* PyTorch divides the numbers of elements */
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
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    return reduce(row, input, reduced, keepdim, dtype, cti_dtype_to_real(dtype),
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
        return ct_fail(CT_ERR_RUNTIME,
                       "linalg.vector_norm cannot compute the %s norm on an empty tensor because "
                       "the operation does "
                       "not have an identity",
                       order) != NULL;
    if (!cti_mark_dims(t, dim, CTI_ALL_DIMS, reduced))
        return false;
    for (int d = 0; d < t->ndim; d++)
        if (reduced[d] && !t->shape[d])
            return ct_fail(CT_ERR_RUNTIME,
                           "linalg.vector_norm cannot compute the %s norm on the dimension "
                           "%dbecause this dimension "
                           "is empty and the operation does not have an identity",
                           order, d) != NULL;
    return true;
}

ct_tensor *cti_op_vector_norm(ct_tensor *input, ct_value ord, ct_ints dim, bool keepdim,
                              enum ct_dtype dtype)
{
    double p = cti_value_real(ord);
    if (input->dtype < CT_FLOAT16)
        return ct_fail(
            CT_ERR_NOT_IMPLEMENTED,
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s",
            cti_dtype_scalar_name((enum ct_dtype)input->dtype));
    if (dtype != CT_NO_DTYPE && input->dtype >= CT_COMPLEX64 && dtype < CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME,
                       "linalg.vector_norm: dtype should be complex for complex inputs, but got %s",
                       cti_dtype_scalar_name(dtype));
    if (!check_norm_of_nothing(input, dim, p))
        return NULL;
    ct_tensor *cast = dtype == CT_NO_DTYPE ? ct_retain(input) : cti_cast(input, dtype);
    uint16_t row = p == 2     ? CTI_ROW_NORM_TWO
                   : p == 1   ? CTI_ROW_NORM_ONE
                   : p == 0   ? CTI_ROW_NORM_ZERO
                   : isinf(p) ? (p > 0 ? CTI_ROW_NORM_MOST : CTI_ROW_NORM_LEAST)
                              : CTI_ROW_NORM_POWER;
    ct_tensor *result = cast ? cti_reduce_norm(row, cast, dim, keepdim, p) : NULL;
    ct_release(cast);
    return result;
}

ct_tensor *cti_op_norm(ct_tensor *input, ct_value p, ct_ints dim, bool keepdim, enum ct_dtype dtype)
{
    if (p.kind == CT_VALUE_NONE)
        p = ct_value_int(2);
    return ct_own_vector_norm(input, p, dim, keepdim, dtype);
}

ct_tensor *cti_op_norm_name(ct_tensor *input, const char *p, ct_ints dim, bool keepdim,
                            enum ct_dtype dtype)
{
    if (strcmp(p, "fro"))
        return ct_fail(CT_ERR_RUNTIME, "norm: the order '%s' is not supported", p);
    return ct_own_vector_norm(input, ct_value_int(2), dim, keepdim, dtype);
}

/* ---- out= of truth values ---- */

static bool write_truth(const char *words, ct_tensor *out, ct_tensor *result)
{
    bool fits = out->dtype == CT_UINT8;
    return fits ? cti_out_write(out, result) : cti_out_write_typed(out, result, words);
}

bool cti_out_write_any(ct_tensor *out, ct_tensor *result)
{
    return write_truth("any only supports bool tensor for result, got: {out}", out, result);
}

bool cti_out_write_all(ct_tensor *out, ct_tensor *result)
{
    return write_truth("all only supports bool tensor for result, got: {out}", out, result);
}
