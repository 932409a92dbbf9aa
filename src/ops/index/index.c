/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of the indexing operations: ranges of numbers, zeros and copies, write targets. See
 * index.h. */
#include "ops/index/index.h"
#include "core/dtype.h"
#include "core/shape.h"
#include "core/value.h"
#include "fronts.h"

#include <math.h>

/* ---- types ---- */

struct range {
    const char *name; /* in PyTorch's text */
    double low, high; /* integers: the range of ints; floating types: high is the largest finite */
};

static const struct range ranges[CT_DTYPE_COUNT] = {
    [CT_BOOL] = {"bool", 0, 0},
    [CT_UINT8] = {"uint8_t", -255, 255},
    [CT_INT8] = {"int8_t", -128, 127},
    [CT_INT16] = {"int16_t", -32768, 32767},
    [CT_INT32] = {"int", -2147483648.0, 2147483647.0},
    [CT_INT64] = {"int64_t", -0x1p63, 0x1p63},
    [CT_UINT16] = {"uint16_t", -65535, 65535},
    [CT_UINT32] = {"uint32_t", -4294967295.0, 4294967295.0},
    [CT_UINT64] = {"uint64_t", -0x1p64, 0x1p64},
    [CT_FLOAT8_E4M3FN] = {"c10::Float8_e4m3fn", 0, 448},
    [CT_FLOAT8_E5M2] = {"c10::Float8_e5m2", 0, 57344},
    [CT_FLOAT8_E4M3FNUZ] = {"c10::Float8_e4m3fnuz", 0, 240},
    [CT_FLOAT8_E5M2FNUZ] = {"c10::Float8_e5m2fnuz", 0, 57344},
    [CT_FLOAT8_E8M0FNU] = {"c10::Float8_e8m0fnu", 0, 0x1p127},
    [CT_FLOAT16] = {"c10::Half", 0, 65504},
    [CT_BFLOAT16] = {"c10::BFloat16", 0, 0x1.FEp127},
    [CT_FLOAT32] = {"float", 0, 0x1.FFFFFEp127},
    [CT_FLOAT64] = {"double", 0, INFINITY},
    [CT_COMPLEX64] = {"c10::complex<float>", 0, 0x1.FFFFFEp127},
    [CT_COMPLEX128] = {"c10::complex<double>", 0, INFINITY},
    [CT_COMPLEX32] = {"c10::complex<c10::Half>", 0, 65504},
};

static bool fits(ct_value number, enum ct_dtype dtype)
{
    const struct range *r = &ranges[dtype];
    double re = cti_value_real(number), im = cti_value_imag(number);
    if (dtype == CT_BOOL)
        return true;
    if (im != 0 && !ct_dtype_is_complex(dtype))
        return false;
    if (number.kind == CT_VALUE_UINT && cti_is_integral(dtype, false))
        return dtype == CT_UINT64;
    if (cti_is_integral(dtype, false)) {
        /* Negative ints wrap in unsigned dtypes, negative floats are refused. Fractions are
         * truncated before the check only above 0: 127.5 fits int8, -128.5 does not. */
        bool wide = dtype == CT_INT64 || dtype == CT_UINT64; /* `high` is rounded up to 2^n */
        if (number.kind == CT_VALUE_FLOAT || number.kind == CT_VALUE_COMPLEX)
            return re >= (ct_dtype_is_signed(dtype) ? r->low : 0) && re < r->high + !wide;
        return re >= r->low && re <= r->high;
    }
    return (!isfinite(re) || fabs(re) <= r->high) && (!isfinite(im) || fabs(im) <= r->high);
}

bool cti_number_fits(ct_value number, enum ct_dtype dtype)
{
    if (fits(number, dtype))
        return true;
    return ct_fail(CT_ERR_RUNTIME, "value cannot be converted to type %s without overflow",
                   ranges[dtype].name);
}

ct_tensor *cti_zeros(int ndim, const int64_t *shape, enum ct_dtype dtype, struct ct_device device)
{
    ct_tensor *t = cti_empty(ndim, shape, dtype, device);
    return cti_take_if(t, t && cti_fill(t, ct_value_int(0)));
}

ct_tensor *cti_zeros_for(const ct_tensor *grad, ct_ints sizes)
{
    enum ct_dtype dtype = grad->dtype;
    return cti_zeros((int)sizes.n, sizes.v, dtype, grad->storage->device);
}

ct_tensor *cti_contiguous_copy(ct_tensor *t)
{
    ct_tensor *c = cti_empty(t->ndim, t->shape, t->dtype, t->storage->device);
    return cti_take_if(c, c && cti_copy(c, t));
}

ct_tensor *cti_number_tensor(ct_value number, enum ct_dtype dtype, struct ct_device device)
{
    ct_tensor *t = cti_number_fits(number, dtype) ? cti_empty(0, NULL, dtype, device) : NULL;
    return cti_take_if(t, t && cti_fill(t, number));
}

bool cti_divide_sums(ct_tensor *sums, ct_tensor *count)
{
    ct_tensor *mean = cti_is_integral(sums->dtype, true) ? ct_own_floor_quotient(V(sums), V(count))
                                                         : ct_own_div(V(sums), V(count), NULL);
    bool good = mean && cti_copy(sums, mean);
    ct_release(mean);
    return good;
}

ct_tensor *cti_index_beside(ct_tensor *index, const ct_tensor *self)
{
    return cti_value_beside(V(index), self);
}

ct_tensor *cti_broadcast_view(ct_tensor *t, int ndim, const int64_t *shape)
{
    int64_t stride[CTI_MAX_DIMS];
    cti_shape_expand_strides(t, ndim, shape, stride);
    return cti_view(t, ndim, shape, stride, t->offset);
}

bool cti_target_begin(struct cti_target *to, ct_tensor *self, bool wide)
{
    enum ct_dtype compute = cti_dtype_compute(self->dtype);
    to->self = self;
    to->work = wide && compute != self->dtype ? cti_cast(self, compute) : cti_resolve(self);
    return to->work != NULL;
}

bool cti_target_end(struct cti_target *to, bool good)
{
    if (good && to->work != to->self)
        good = cti_copy(to->self, to->work);
    ct_release(to->work);
    return good;
}

void cti_warn_expanded(const ct_tensor *self, const char *name, const char *example)
{
    for (int d = 0; d < self->ndim && self->numel; d++)
        if (self->shape[d] > 1 && self->stride[d] == 0) {
            cti_warn("Use of %s on expanded tensors is deprecated. Please clone() the tensor "
                     "before performing this operation. This also applies to advanced indexing "
                     "e.g. %s",
                     name, example);
            return;
        }
}
