/* SPDX-License-Identifier: BSD-3-Clause */
/* The common implementation of reductions: determines which dims to reduce, the computing and
 * result dtypes, and handles empty inputs. An operation of reduce.toml selects one of these
 * functions by `front` in its key `fold`. */
#include "ops/reduce/reduce.h"
#include "core/dtype.h"
#include "core/note.h"
#include "fronts.h"
#include "ops/front.h"

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
        bool twice = t->ndim ? reduced[d] : i > 0;
        if (twice)
            return cti_refuse(CT_ERR_RUNTIME, "dim %d appears multiple times in the list of dims",
                              d);
        if (t->ndim)
            reduced[d] = true;
    }
    return true;
}

bool cti_check_not_empty(const char *name, const ct_tensor *t, ct_ints dim, bool given,
                         enum ct_error_kind kind, const char *more)
{
    if (t->numel)
        return true;
    if (!dim.v || !dim.n)
        return cti_refuse(kind,
                          "%s(): Expected reduction dim to be specified for input.numel() == 0.%s",
                          name, more);
    for (int64_t i = 0; i < dim.n; i++) {
        int64_t d = dim.v[i] < 0 && t->ndim ? dim.v[i] + t->ndim : dim.v[i];
        if (t->ndim && !t->shape[d])
            return cti_refuse(CT_ERR_INDEX,
                              "%s(): Expected reduction dim %lld to have non-zero size.", name,
                              (long long)(given ? dim.v[i] : d));
    }
    return true;
}

ct_tensor *cti_reduced_empty(const ct_tensor *t, const bool *reduced, enum ct_dtype dtype)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < t->ndim; d++)
        shape[d] = reduced[d] ? 1 : t->shape[d];
    return cti_empty(t->ndim, shape, dtype, t->storage->device);
}

ct_tensor *cti_reduced_take(ct_tensor *t, const bool *reduced, bool keepdim)
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

ct_tensor *cti_reduce_run(uint16_t row, ct_tensor *input, const bool *reduced, bool keepdim,
                          enum ct_dtype compute, enum ct_dtype dtype, ct_value param)
{
    cti_warn_of_cast(input, compute);
    ct_tensor *plain = cti_resolve(input);
    ct_tensor *out = plain ? cti_reduced_empty(plain, reduced, dtype) : NULL;
    struct cti_reduce work = {.row = row,
                              .dtype = (uint8_t)cti_dtype_compute(compute),
                              .out = out,
                              .in = plain,
                              .reduced = reduced,
                              .param = param};
    out = cti_take_if(out, out && cti_run_on(&work.work, CTI_ENGINE_reduce, out));
    ct_release(plain);
    return cti_reduced_take(out, reduced, keepdim);
}

/* ---- sums ---- */

ct_tensor *cti_reduce_sum(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim,
                          enum ct_dtype dtype)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype in = input->dtype, compute = dtype == CT_NO_DTYPE ? in : dtype;
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    if (dtype == CT_NO_DTYPE)
        dtype = cti_is_integral(in, true) ? CT_INT64 : in;
    return cti_reduce_run(row, input, reduced, keepdim, compute, dtype, ct_value_none());
}

/* nansum into an integer dtype: NaNs are replaced before the cast. */
static ct_tensor *nansum_to_integer(ct_tensor *input, ct_ints dim, bool keepdim,
                                    enum ct_dtype dtype)
{
    ct_tensor *nan = ct_own_isnan(input);
    ct_tensor *clean = ct_own_masked_fill(input, nan, ct_value_int(0));
    ct_tensor *result = ct_own_sum(clean, dim, keepdim, dtype);
    cti_release_all(nan, clean);
    return result;
}

ct_tensor *cti_reduce_nansum(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim,
                             enum ct_dtype dtype)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype own = input->dtype;
    if (own >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "nansum on CPU does not support complex inputs");
    if (own < CT_FLOAT16)
        return cti_reduce_sum(CTI_ROW_SUM, input, dim, keepdim, dtype);
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    dtype = dtype == CT_NO_DTYPE ? own : dtype;
    if (dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"nansum_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    if (dtype < CT_FLOAT16)
        return nansum_to_integer(input, dim, keepdim, dtype);
    return cti_reduce_run(row, input, reduced, keepdim, dtype, dtype, ct_value_none());
}

ct_tensor *cti_reduce_mean(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim,
                           enum ct_dtype dtype)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype result = dtype == CT_NO_DTYPE ? input->dtype : dtype;
    if (result < CT_FLOAT16) {
        ct_fail(CT_ERR_NOT_IMPLEMENTED,
                "mean(): could not infer output dtype. %s dtype must be either a floating "
                "point or complex "
                "dtype. Got: %s",
                dtype == CT_NO_DTYPE ? "Input" : "Optional", cti_dtype_scalar_name(result));
        return cti_note("use x.mean(dtype=torch.float32) or x.float().mean()");
    }
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return NULL;
    return cti_reduce_run(row, input, reduced, keepdim, result, result, ct_value_none());
}

ct_tensor *cti_reduce_prod(uint16_t row, ct_tensor *input, int64_t dim, bool keepdim,
                           enum ct_dtype dtype)
{
    return cti_reduce_sum(row, input, cti_one_dim(&dim), keepdim, dtype);
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
    if (!n && size.n)
        return ct_retain(input);
    ct_tensor *sum = ct_own_sum(input, ct_ints_of(dims, n), true, CT_NO_DTYPE);
    return cti_replace_take(sum, pad ? ct_own_view(sum, size) : ct_retain(sum));
}

/* ---- all and any ---- */

ct_tensor *cti_reduce_truth(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    if (!cti_mark_dims(input, dim, CTI_NO_DIMS, reduced))
        return NULL;
    enum ct_dtype dtype = input->dtype;
    return cti_reduce_run(row, input, reduced, keepdim, dtype,
                          dtype == CT_UINT8 ? CT_UINT8 : CT_BOOL, ct_value_none());
}
