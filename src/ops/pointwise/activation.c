/* SPDX-License-Identifier: BSD-3-Clause */
/* Activation functions that choose among several operations, have an argument `inplace` or are
 * composed of others (glu), with their checks beyond dtypes and shapes. The chosen operations do
 * the arithmetic. */
#include "core/generator.h"
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"

/* The result of a call with `inplace`: a new reference to the tensor that was written. */
static ct_tensor *written(ct_tensor *self)
{
    return self ? ct_retain(self) : NULL;
}

/* ---- exponential units ---- */

#define SELU_ALPHA ct_value_float(1.6732632423543772848170429916717)
#define SELU_SCALE ct_value_float(1.0507009873554804934193349852946)

static bool check_alpha(ct_value alpha)
{
    return !cti_number_is(alpha, 0) ||
           cti_refuse(CT_ERR_RUNTIME, "ZeroDivisionError: alpha cannot be 0 for CELU");
}

ct_tensor *cti_op_celu(ct_tensor *input, ct_value alpha)
{
    return check_alpha(alpha) ? ct_own_celu_row(input, alpha) : NULL;
}

bool cti_op_celu_(ct_tensor *self, ct_value alpha)
{
    return check_alpha(alpha) && ct_own_celu_row_(self, alpha);
}

ct_tensor *cti_op_selu(ct_tensor *input)
{
    return ct_own_elu_row(input, SELU_ALPHA, SELU_SCALE, ct_value_float(1));
}

bool cti_op_selu_(ct_tensor *self)
{
    return ct_own_elu_row_(self, SELU_ALPHA, SELU_SCALE, ct_value_float(1)) != NULL;
}

ct_tensor *cti_op_elu(ct_tensor *input, ct_value alpha, bool inplace)
{
    ct_value one = ct_value_float(1);
    return inplace ? written(ct_own_elu_row_(input, alpha, one, one))
                   : ct_own_elu_row(input, alpha, one, one);
}

/* ---- piecewise linear ---- */

ct_tensor *cti_op_leaky_relu(ct_tensor *input, ct_value negative_slope, bool inplace)
{
    return inplace ? written(ct_own_leaky_row_(input, negative_slope))
                   : ct_own_leaky_row(input, negative_slope);
}

/* clamp. A negative lower limit means nothing to an unsigned dtype and becomes 0. */
static ct_tensor *between(ct_tensor *input, ct_value low, ct_value high, bool inplace)
{
    bool is_unsigned = cti_is_integral(input->dtype, false) && !ct_dtype_is_signed(input->dtype);
    if (is_unsigned && cti_value_real(low) < 0)
        low = ct_value_int(0);
    return inplace ? written(ct_own_hardtanh_row_(input, low, high))
                   : ct_own_hardtanh_row(input, low, high);
}

ct_tensor *cti_op_hardtanh(ct_tensor *input, ct_value min_val, ct_value max_val, bool inplace)
{
    if (cti_value_real(min_val) > cti_value_real(max_val))
        return ct_fail(CT_ERR_VALUE, "min_val cannot be greater than max_val");
    return between(input, min_val, max_val, inplace);
}

ct_tensor *cti_op_relu6(ct_tensor *input, bool inplace)
{
    return between(input, ct_value_int(0), ct_value_int(6), inplace);
}

ct_tensor *cti_op_hardsigmoid(ct_tensor *input, bool inplace)
{
    return inplace ? written(ct_own_hardsigmoid_row_(input)) : ct_own_hardsigmoid_row(input);
}

ct_tensor *cti_op_hardswish(ct_tensor *input, bool inplace)
{
    return inplace ? written(ct_own_hardswish_row_(input)) : ct_own_hardswish_row(input);
}

bool cti_check_softshrink(ct_value *operand)
{
    enum ct_dtype dtype = operand[0].as.tensor->dtype;
    double lambd = cti_value_real(operand[1]);
    if (!ct_dtype_is_floating(dtype))
        return true; /* other dtypes are refused later */
    double most = dtype == CT_FLOAT16    ? 65504
                  : dtype == CT_BFLOAT16 ? 0x1.fep127
                  : dtype == CT_FLOAT32  ? 0x1.fffffep127
                                         : 0x1.fffffffffffffp1023;
    return (lambd >= 0 && lambd <= most) ||
           cti_refuse(CT_ERR_RUNTIME,
                      "lambda must be in range [0, %g] for input dtype %s, but found %g", most,
                      cti_dtype_scalar_name(dtype), lambd);
}

/* ---- smooth activations ---- */

ct_tensor *cti_op_silu(ct_tensor *input, bool inplace)
{
    return inplace ? written(ct_own_silu_row_(input)) : ct_own_silu_row(input);
}

ct_tensor *cti_op_mish(ct_tensor *input, bool inplace)
{
    return inplace ? written(ct_own_mish_row_(input)) : ct_own_mish_row(input);
}

/* ---- prelu ---- */

ct_tensor *cti_op_prelu(ct_tensor *input, ct_tensor *weight)
{
    if (input->dtype != weight->dtype)
        return ct_fail(CT_ERR_RUNTIME, "prelu: Type promoting not supported. Got %s and %s",
                       cti_dtype_scalar_name(input->dtype), cti_dtype_scalar_name(weight->dtype));
    if (weight->numel != 1) {
        if (input->ndim == 0)
            return ct_fail(CT_ERR_RUNTIME, "Not allow zero-dim input tensor.");
        int64_t channels = input->ndim > 1 ? input->shape[1] : 1;
        if (channels != weight->numel)
            return ct_fail(CT_ERR_RUNTIME,
                           "Mismatch of parameter numbers and input channel size. Found parameter "
                           "numbers = %lld and channel size = %lld.",
                           (long long)weight->numel, (long long)channels);
    }
    if (weight->ndim > 1)
        return ct_fail(CT_ERR_RUNTIME,
                       "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = %d",
                       weight->ndim);
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < input->ndim; d++)
        shape[d] = d == 1 ? weight->numel : 1;
    ct_tensor *spread = input->ndim == 1 || weight->ndim == 0
                            ? ct_retain(weight)
                            : ct_own_view(weight, ct_ints_of(shape, input->ndim));
    return cti_replace_take(spread, ct_own_prelu_kernel(input, spread));
}

/* ---- rrelu ---- */

static bool check_bounds(ct_value lower, ct_value upper)
{
    return cti_value_real(lower) <= cti_value_real(upper) ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Lower bound should be less than or equal to the upper bound");
}

static ct_value middle(ct_value lower, ct_value upper)
{
    return ct_value_float((cti_value_real(lower) + cti_value_real(upper)) / 2);
}

/* A random slope for each element <= 0 and 1 for the others. As in PyTorch, slopes are drawn in
 * float64, in the order of these elements. */
static ct_tensor *rrelu_make_noise(ct_tensor *input, ct_value lower, ct_value upper,
                                   ct_generator *generator)
{
    if (!ct_dtype_is_floating(input->dtype) || input->dtype == CT_FLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "\"rrelu_with_noise_out_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(input->dtype));
    bool mode = cti_grad_pause();
    ct_tensor *below = ct_own_le(V(input), ct_value_int(0));
    ct_tensor *whole = below ? cti_contiguous(below) : NULL;
    int64_t count = whole ? cti_count_nonzero(whole) : -1;
    ct_tensor *slopes = count < 0 ? NULL : cti_empty(1, &count, CT_FLOAT64, input->storage->device);
    if (slopes && !ct_own_uniform_(slopes, cti_value_real(lower), cti_value_real(upper), generator))
        slopes = cti_replace_take(slopes, NULL);
    ct_tensor *cast = slopes ? cti_cast(slopes, input->dtype) : NULL;
    ct_tensor *noise = cast ? ct_own_ones_like(input, CT_NO_DTYPE, CT_NO_DEVICE, false, -1) : NULL;
    bool good = noise && ct_own_masked_scatter_(noise, below, cast);
    cti_grad_restore(mode);
    cti_release_all(below, whole, slopes, cast);
    return cti_take_if(noise, good);
}

ct_tensor *cti_op_rrelu(ct_tensor *input, ct_value lower, ct_value upper, bool training,
                        ct_generator *generator)
{
    if (!check_bounds(lower, upper))
        return NULL;
    if (!training)
        return ct_own_rrelu_fixed(input, middle(lower, upper));
    ct_tensor *noise = rrelu_make_noise(input, lower, upper, generator);
    return cti_replace_take(noise, ct_own_rrelu_noise(input, noise));
}

bool cti_op_rrelu_(ct_tensor *self, ct_value lower, ct_value upper, bool training,
                   ct_generator *generator)
{
    if (!check_bounds(lower, upper))
        return false;
    if (!training)
        return ct_own_rrelu_fixed_(self, middle(lower, upper)) != NULL;
    ct_tensor *noise = rrelu_make_noise(self, lower, upper, generator);
    bool good = noise && ct_own_rrelu_noise_(self, noise);
    ct_release(noise);
    return good;
}

ct_tensor *cti_op_glu(ct_tensor *input, int64_t dim)
{
    struct cti_hold h = {0};
    int d;
    if (input->ndim == 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "glu does not support scalars because halving size must be even");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    int64_t n = input->shape[d];
    if (n % 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "Halving dimension must be even, but dimension %d is size %lld", d,
                       (long long)n);
    if (input->dtype < CT_FLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"glu_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name((enum ct_dtype)input->dtype));
    ct_tensor *first = cti_hold(&h, ct_own_narrow(input, d, 0, n / 2));
    ct_tensor *second = cti_hold(&h, ct_own_narrow(input, d, n / 2, n / 2));
    ct_tensor *gate = cti_hold(&h, ct_own_sigmoid(second));
    return cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(first), V(gate))));
}
