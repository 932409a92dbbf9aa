/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the three basic Fourier transforms over several dims, declared in spectral.toml:
 * complex to complex, real to complex and complex to real. Results have the same strides as in
 * PyTorch. */
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"

#include <math.h>
#include <string.h>

static double scale_of(const ct_tensor *sizes, ct_ints dim, int64_t normalization)
{
    double n = 1;
    for (int64_t i = 0; i < dim.n; i++)
        n *= (double)sizes->shape[dim.v[i]];
    return normalization == 0 ? 1 : 1 / (normalization == 1 ? sqrt(n) : n);
}

/* Wraps dims and sorts the first `sorted` by descending stride; duplicates are an error. */
static bool regular_dims(const ct_tensor *t, ct_ints dim, int64_t sorted, int64_t *to)
{
    for (int64_t i = 0; i < dim.n; i++) {
        int wrapped, j = (int)i;
        if (!cti_shape_wrap_dim(dim.v[i], t->ndim, &wrapped))
            return false;
        for (int64_t k = 0; k < i; k++)
            if (to[k] == wrapped)
                return cti_refuse(CT_ERR_RUNTIME, "FFT dims must be unique");
        for (; i < sorted && j > 0 && t->stride[to[j - 1]] < t->stride[wrapped]; j--)
            to[j] = to[j - 1];
        to[j] = wrapped;
    }
    return true;
}

/* An uninitialised result: untransformed dims by descending stride of the input, then the
 * transformed dims in order. Empty results are contiguous. */
static ct_tensor *empty_result(const ct_tensor *t, ct_ints dim, const int64_t *shape,
                               enum ct_dtype dtype)
{
    int64_t order[CTI_MAX_DIMS], stride[CTI_MAX_DIMS], step = 1;
    int n = 0;
    for (int d = 0; d < t->ndim; d++) {
        bool transformed = false;
        for (int64_t i = 0; i < dim.n; i++)
            transformed |= dim.v[i] == d;
        if (transformed)
            continue;
        int j = n++;
        for (; j > 0 && t->stride[order[j - 1]] < t->stride[d]; j--)
            order[j] = order[j - 1];
        order[j] = d;
    }
    for (int64_t i = dim.n - 1; i >= 0; i--) {
        stride[dim.v[i]] = step;
        step = cti_stride_times(step, shape[dim.v[i]] > 1 ? shape[dim.v[i]] : 1);
    }
    for (int i = n - 1; i >= 0; i--) {
        stride[order[i]] = step;
        step = cti_stride_times(step, shape[order[i]]);
    }
    if (step == 0)
        return cti_empty(t->ndim, shape, dtype, t->storage->device);
    return cti_empty_strided(t->ndim, shape, stride, dtype, t->storage->device);
}

static bool check_transform(const ct_tensor *t, bool complex, ct_ints dim, bool needs_dims)
{
    enum ct_dtype dtype = t->dtype;
    if (complex && (dtype < CT_COMPLEX64 || dtype == CT_COMPLEX32))
        return cti_refuse(CT_ERR_RUNTIME, "Only supports complex dtypes, but found: %s",
                          cti_dtype_scalar_name(dtype));
    if (!complex && dtype != CT_FLOAT32 && dtype != CT_FLOAT64)
        return cti_refuse(CT_ERR_TYPE, "Only supports floating-point dtypes, but found: %s",
                          cti_dtype_scalar_name(dtype));
    if (dim.n > t->ndim || (needs_dims && dim.n == 0))
        return cti_refuse(CT_ERR_RUNTIME, "a tensor with %d dims cannot be transformed over %lld",
                          t->ndim, (long long)dim.n);
    return true;
}

ct_tensor *cti_op_fft_c2c(ct_tensor *input, ct_ints dim, int64_t normalization, bool forward)
{
    struct cti_hold h = {0};
    int64_t to[CTI_MAX_DIMS];
    if (!check_transform(input, true, dim, false))
        return NULL;
    if (dim.n == 0)
        return ct_own_clone(input, -1);
    if (!regular_dims(input, dim, dim.n, to))
        return NULL;
    ct_ints dims = ct_ints_of(to, dim.n);
    double scale = scale_of(input, dims, normalization);
    ct_tensor *x = cti_hold(&h, cti_resolve(input));
    ct_tensor *out =
        x ? cti_hold(&h, empty_result(input, dims, input->shape, ct_dtype(input))) : NULL;
    bool good = out && (out->numel == 0 || CTI_RUN(fft, out, .out = out, .in = x, .dims = dims,
                                                   .inverse = !forward, .scale = scale));
    return cti_hold_end(&h, good ? out : NULL);
}

ct_tensor *cti_op_fft_r2c(ct_tensor *input, ct_ints dim, int64_t normalization, bool onesided)
{
    struct cti_hold h = {0};
    int64_t to[CTI_MAX_DIMS], shape[CTI_MAX_DIMS];
    if (!check_transform(input, false, dim, true) || !regular_dims(input, dim, dim.n - 1, to))
        return NULL;
    ct_ints dims = ct_ints_of(to, dim.n);
    int64_t last = to[dim.n - 1];
    double scale = scale_of(input, dims, normalization);
    memcpy(shape, input->shape, (size_t)input->ndim * sizeof *shape);
    if (onesided)
        shape[last] = shape[last] / 2 + 1;
    ct_tensor *x = cti_hold(&h, cti_resolve(input));
    enum ct_dtype dtype = input->dtype == CT_FLOAT32 ? CT_COMPLEX64 : CT_COMPLEX128;
    ct_tensor *out = x ? cti_hold(&h, empty_result(input, dims, shape, dtype)) : NULL;
    bool good = out && (out->numel == 0 || CTI_RUN(fft, out, .out = out, .in = x, .dims = dims,
                                                   .inverse = false, .scale = scale));
    return cti_hold_end(&h, good ? out : NULL);
}

ct_tensor *cti_op_fft_c2r(ct_tensor *input, ct_ints dim, int64_t normalization,
                          int64_t last_dim_size)
{
    struct cti_hold h = {0};
    int64_t last, shape[CTI_MAX_DIMS];
    if (!check_transform(input, true, dim, true))
        return NULL;
    ct_tensor *x = input;
    if (dim.n > 1)
        x = cti_hold(&h, cti_op_fft_c2c(input, ct_ints_of(dim.v, dim.n - 1), normalization, false));
    if (!x || !regular_dims(x, ct_ints_of(dim.v + dim.n - 1, 1), 0, &last))
        return cti_hold_end(&h, NULL);
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[last] = last_dim_size;
    ct_ints dims = ct_ints_of(&last, 1);
    enum ct_dtype dtype = input->dtype == CT_COMPLEX64 ? CT_FLOAT32 : CT_FLOAT64;
    ct_tensor *out = cti_hold(&h, empty_result(x, dims, shape, dtype));
    if (out && x->shape[last] < last_dim_size / 2 + 1) {
        cti_hold_end(&h, NULL);
        return ct_fail(CT_ERR_RUNTIME, "%lld real numbers need more than %lld complex elements",
                       (long long)last_dim_size, (long long)x->shape[last]);
    }
    x = cti_hold(&h, cti_resolve(x));
    bool good =
        out && x &&
        (out->numel == 0 || CTI_RUN(fft, out, .out = out, .in = x, .dims = dims, .inverse = true,
                                    .scale = scale_of(out, dims, normalization)));
    return cti_hold_end(&h, good ? out : NULL);
}
