/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of argument values for the operations of arithmetic.toml (keys `check`, `late`,
 * `instead`), and entry points that choose among several operations. */
#include "core/note.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/pointwise/pointwise.h"

#include <string.h>

/* The alpha of add and sub must not change the result's kind. */
bool cti_check_alpha(const ct_value *operand)
{
    enum ct_dtype dtype = cti_result_type(operand, 2);
    enum ct_value_kind kind = operand[2].kind;
    if (kind == CT_VALUE_BOOL && dtype != CT_BOOL)
        return cti_refuse(CT_ERR_RUNTIME, "Boolean alpha only supported for Boolean results.");
    if ((kind == CT_VALUE_FLOAT || kind == CT_VALUE_COMPLEX) && dtype <= CT_UINT64)
        return cti_refuse(CT_ERR_RUNTIME,
                          "For integral input tensors, argument alpha must not be a "
                          "floating point number.");
    if (kind == CT_VALUE_COMPLEX && dtype < CT_COMPLEX64)
        return cti_refuse(CT_ERR_RUNTIME,
                          "For non-complex input tensors, argument alpha must not be a "
                          "complex number.");
    return cti_number_fits(operand[2], dtype);
}

bool cti_check_sub(ct_value *operand)
{
    int bools = 0;
    for (int i = 0; i < 2; i++)
        bools += operand[i].kind == CT_VALUE_BOOL ||
                 (operand[i].kind == CT_VALUE_TENSOR && operand[i].as.tensor->dtype == CT_BOOL);
    if (bools == 2)
        return cti_refuse(
            CT_ERR_NOT_IMPLEMENTED,
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use "
            "the `^` or `logical_xor()` operator instead.");
    if (bools == 1)
        return cti_refuse(
            CT_ERR_NOT_IMPLEMENTED,
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you "
            "are trying to invert a mask, use the `~` or `logical_not()` operator "
            "instead.");
    return true;
}

static bool is_complex(ct_value v)
{
    return v.kind == CT_VALUE_COMPLEX ||
           (v.kind == CT_VALUE_TENSOR && v.as.tensor->dtype >= CT_COMPLEX64);
}

/* Checks a bound against an integer dtype: one beyond the dtype's range is either replaced by the
 * range's end (it excludes nothing) or refused (it excludes everything). */
static bool fit_bound(ct_value *bound, enum ct_dtype dtype, bool is_min)
{
    if (!cti_is_integral(dtype, false))
        return cti_number_fits(*bound, dtype);
    int bits = 8 * (int)cti_itemsize(dtype) - ct_dtype_is_signed(dtype);
    uint64_t most = UINT64_MAX >> (64 - bits);
    int64_t least = ct_dtype_is_signed(dtype) ? -(int64_t)most - 1 : 0;
    bool negative = bound->kind == CT_VALUE_INT && bound->as.i < 0;
    uint64_t x = bound->kind == CT_VALUE_BOOL ? bound->as.b : bound->as.u;
    bool above = !negative && x > most, below = negative && bound->as.i < least;
    if (is_min ? above : below)
        return cti_refuse(
            CT_ERR_RUNTIME, "Clamp %s value %g is outside the representable range of %s",
            is_min ? "min" : "max", cti_value_real(*bound), cti_dtype_scalar_name(dtype));
    if (is_min ? below : above)
        *bound = is_min ? ct_value_int(least) : ct_value_uint(most);
    return true;
}

/* Checks bounds that are numbers, for which PyTorch has separate kernels with different errors. */
static bool clamp_check_bounds(ct_value *operand, int n, bool is_min, const char *kernel)
{
    for (int i = 1; i < n; i++)
        if (operand[i].kind == CT_VALUE_TENSOR)
            return true;
    for (int i = 0; i < n; i++)
        if (is_complex(operand[i]))
            return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "clamp is not supported for complex types");
    enum ct_dtype dtype = cti_result_type(operand, n);
    if (dtype == CT_BOOL)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for 'Bool'", kernel);
    return dtype != CT_NO_DTYPE && fit_bound(&operand[1], dtype, is_min) &&
           (n < 3 || fit_bound(&operand[2], dtype, false));
}

bool cti_check_clamp_min(ct_value *operand)
{
    return clamp_check_bounds(operand, 2, true, "clamp_min_scalar_cpu");
}

bool cti_check_clamp_max(ct_value *operand)
{
    return clamp_check_bounds(operand, 2, false, "clamp_max_scalar_cpu");
}

bool cti_check_clamp(ct_value *operand)
{
    return clamp_check_bounds(operand, 3, true, "clamp_scalar_cpu");
}

static bool check_alike(const ct_tensor *input, const ct_tensor *other, const char *name)
{
    if (input->dtype == other->dtype)
        return true;
    return cti_refuse(CT_ERR_RUNTIME, "expected dtype %s for `%s` but got dtype %s",
                      cti_dtype_cpp_name(input->dtype), name, cti_dtype_cpp_name(other->dtype));
}

/* lerp does not promote; a 0-d weight counts as a number. */
bool cti_check_lerp(ct_value *operand)
{
    const ct_tensor *input = operand[0].as.tensor;
    bool number = operand[2].kind != CT_VALUE_TENSOR;
    if (!check_alike(input, operand[1].as.tensor, "end"))
        return false;
    if (!number && operand[2].as.tensor->ndim &&
        !check_alike(input, operand[2].as.tensor, "weight"))
        return false;
    if (number && cti_is_integral(input->dtype, true))
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"lerp_kernel_scalar\" not implemented for '%s'",
                          cti_dtype_scalar_name(input->dtype));
    bool half = input->dtype == CT_FLOAT16 || input->dtype == CT_BFLOAT16;
    return !number || cti_number_fits(operand[2], half ? CT_FLOAT32 : input->dtype);
}

/* The factor of addcmul and addcdiv must fit the result's dtype. */
bool cti_check_factor(const ct_value *operand)
{
    enum ct_dtype dtype = cti_result_type(operand, 3);
    return dtype != CT_NO_DTYPE && cti_number_fits(operand[3], dtype);
}

bool cti_check_addcdiv(ct_value *operand)
{
    if (!cti_is_integral(operand[1].as.tensor->dtype, true) ||
        !cti_is_integral(operand[2].as.tensor->dtype, true))
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Integer division with addcdiv is no longer supported, and in a future  release "
        "addcdiv will perform a true division of tensor1 and tensor2. The historic "
        "addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / "
        "tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
        "tensor2) for float inputs. The future addcdiv behavior is just the latter "
        "implementation: (input + value * tensor1 / tensor2), for all dtypes.");
}

bool cti_check_where(ct_value *operand)
{
    ct_tensor *condition = operand[0].as.tensor;
    if (condition->dtype == CT_UINT8) {
        static bool said;
        cti_warn_once(
            &said,
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead.");
    } else if (condition->dtype != CT_BOOL) {
        ct_fail(CT_ERR_RUNTIME,
                "where expected condition to be a boolean tensor, but got a tensor with "
                "dtype %s",
                cti_dtype_scalar_name(condition->dtype));
        return cti_note("use condition.bool(), or a comparison such as condition != 0");
    }
    enum ct_dtype dtype = cti_result_type(operand + 1, 2);
    if (dtype == CT_FLOAT16 || dtype == CT_BFLOAT16)
        return true;
    for (int i = 1; i < 3; i++)
        if (operand[i].kind != CT_VALUE_TENSOR &&
            (dtype == CT_NO_DTYPE || !cti_number_fits(operand[i], dtype)))
            return false;
    return true;
}

bool cti_check_pow(ct_value *operand)
{
    if (operand[1].kind == CT_VALUE_TENSOR)
        return true;
    enum ct_dtype dtype = cti_result_type(operand, 2);
    if (operand[1].kind == CT_VALUE_INT && operand[1].as.i < 0 && cti_is_integral(dtype, true))
        return cti_refuse(CT_ERR_RUNTIME, "Integers to negative integer powers are not allowed.");
    if (operand[1].kind == CT_VALUE_UINT && cti_is_integral(dtype, true))
        dtype = CT_INT64; /* the dtype of a scalar exponent */
    return dtype != CT_NO_DTYPE && cti_number_fits(operand[1], dtype);
}

/* PyTorch raises bools only to the power of a number: 1 gives a copy, 0 gives ones. */
bool cti_check_pow_late(const ct_value *operand)
{
    if (operand[1].kind != CT_VALUE_TENSOR || cti_result_type(operand, 2) != CT_BOOL)
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"pow\" not implemented for 'Bool'");
}

/* Computes some powers by other operations without logarithms, like PyTorch, so that the results
 * are bitwise equal. */
uint16_t cti_instead_pow(ct_value *operand, int *n)
{
    enum ct_value_kind kind = operand[1].kind;
    if (operand[0].kind != CT_VALUE_TENSOR || kind == CT_VALUE_TENSOR || kind == CT_VALUE_NONE)
        return CTI_ROW_POW;
    uint8_t dtype = operand[0].as.tensor->dtype;
    bool is_complex = dtype >= CT_COMPLEX64;
    if (!is_complex && kind != CT_VALUE_INT && kind != CT_VALUE_FLOAT)
        return CTI_ROW_POW;
    if (kind == CT_VALUE_COMPLEX && operand[1].as.c.im != 0)
        return CTI_ROW_POW;
    double exponent = cti_value_real(operand[1]);
    if (is_complex && (exponent == 0 || exponent == 1)) {
        *n = 1;
        return exponent == 0 ? CTI_ROW_POWER_ZERO : CTI_ROW_POWER_ONE;
    }
    if (exponent == 2 && (dtype >= CT_FLOAT16 || (kind == CT_VALUE_INT && dtype != CT_BOOL))) {
        operand[1] = operand[0];
        return CTI_ROW_MUL;
    }
    uint16_t row = exponent == 0.5    ? CTI_ROW_SQRT
                   : exponent == -0.5 ? CTI_ROW_RSQRT
                   : exponent == -1   ? CTI_ROW_RECIPROCAL
                   : exponent == 3    ? CTI_ROW_CUBE
                   : exponent == -2   ? CTI_ROW_SQUARE_INVERSE
                                      : CTI_ROW_POW;
    if (row == CTI_ROW_POW || (dtype < CT_FLOAT16 && kind == CT_VALUE_INT))
        return CTI_ROW_POW;
    *n = 1;
    return row;
}

static bool is_empty(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR && v.as.tensor->numel == 0;
}

/* Refuses integer division by zero, or by a number that becomes zero in the integer dtype, unless
 * there is nothing to divide. Reads a tensor divisor. */
bool cti_check_divisor(const ct_value *operand)
{
    enum ct_dtype dtype = cti_result_type(operand, 2);
    if (!cti_is_integral(dtype, true) || is_empty(operand[0]) || is_empty(operand[1]))
        return true;
    bool zero = true;
    if (operand[1].kind == CT_VALUE_TENSOR) {
        ct_tensor *t = cti_contiguous(operand[1].as.tensor);
        int64_t count = t ? cti_count_nonzero(t) : -1;
        zero = t && count != t->numel;
        ct_release(t);
        if (count < 0)
            return false;
    } else {
        char stored[16] = {0};
        cti_value_store(stored, dtype, operand[1]);
        for (size_t i = 0; i < sizeof stored; i++)
            zero = zero && !stored[i];
    }
    return !zero || cti_refuse(CT_ERR_RUNTIME, "ZeroDivisionError");
}

/* ---- division with a rounding mode ---- */

ct_tensor *cti_op_div_mode(ct_tensor *out, ct_value input, ct_value other, const char *mode)
{
    bool in_place = out && input.kind == CT_VALUE_TENSOR && input.as.tensor == out;
    if (!strcmp(mode, "floor"))
        return in_place ? ct_own_floor_quotient_(out, other)
               : out    ? ct_own_floor_quotient_out(out, input, other)
                        : ct_own_floor_quotient(input, other);
    if (!strcmp(mode, "trunc"))
        return in_place ? ct_own_trunc_divide_(out, other)
               : out    ? ct_own_trunc_divide_out(out, input, other)
                        : ct_own_trunc_divide(input, other);
    return ct_fail(
        CT_ERR_RUNTIME,
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '%s'", mode);
}

/* ---- clamp ---- */

static bool no_clamp(const ct_tensor *input, ct_value min, ct_value max)
{
    if (min.kind == CT_VALUE_NONE && max.kind == CT_VALUE_NONE)
        ct_fail(CT_ERR_RUNTIME, "torch.clamp: At least one of 'min' or 'max' must not be None");
    else if (input->dtype >= CT_COMPLEX64)
        ct_fail(CT_ERR_NOT_IMPLEMENTED, "clamp is not supported for complex types");
    else
        return false;
    return true;
}

static ct_value bound(ct_tensor *t)
{
    return t == CT_NO_TENSOR ? ct_value_none() : V(t);
}

ct_tensor *cti_op_clamp_low(ct_tensor *input, ct_value min)
{
    ct_value operand[] = {V(input), min};
    return cti_check_clamp_min(operand) ? cti_pointwise(CTI_ROW_CLAMP_MIN, NULL, operand, 2) : NULL;
}

bool cti_op_clamp_low_(ct_tensor *self, ct_value min)
{
    ct_value operand[] = {V(self), min};
    return cti_check_clamp_min(operand) && cti_pointwise(CTI_ROW_CLAMP_MIN, self, operand, 2);
}

ct_tensor *cti_op_clamp_high(ct_tensor *input, ct_value max)
{
    ct_value operand[] = {V(input), max};
    return cti_check_clamp_max(operand) ? cti_pointwise(CTI_ROW_CLAMP_MAX, NULL, operand, 2) : NULL;
}

bool cti_op_clamp_high_(ct_tensor *self, ct_value max)
{
    ct_value operand[] = {V(self), max};
    return cti_check_clamp_max(operand) && cti_pointwise(CTI_ROW_CLAMP_MAX, self, operand, 2);
}

static ct_tensor *clamp(ct_tensor *input, ct_value min, ct_value max)
{
    if (no_clamp(input, min, max))
        return NULL;
    if (min.kind == CT_VALUE_NONE)
        return ct_own_clamp_high(input, max);
    return max.kind == CT_VALUE_NONE ? ct_own_clamp_low(input, min)
                                     : ct_own_clamp_both(input, min, max);
}

static bool clamp_(ct_tensor *self, ct_value min, ct_value max)
{
    if (no_clamp(self, min, max))
        return false;
    if (min.kind == CT_VALUE_NONE)
        return ct_own_clamp_high_(self, max) != NULL;
    return (max.kind == CT_VALUE_NONE ? ct_own_clamp_low_(self, min)
                                      : ct_own_clamp_both_(self, min, max)) != NULL;
}

static bool clamp_out(ct_tensor *out, ct_tensor *input, ct_value min, ct_value max)
{
    if (no_clamp(input, min, max))
        return false;
    if (min.kind == CT_VALUE_NONE)
        return ct_own_clamp_max_out(out, input, max) != NULL;
    return (max.kind == CT_VALUE_NONE ? ct_own_clamp_min_out(out, input, min)
                                      : ct_own_clamp_both_out(out, input, min, max)) != NULL;
}

ct_tensor *cti_op_clamp(ct_tensor *input, ct_value min, ct_value max)
{
    return clamp(input, min, max);
}

bool cti_op_clamp_(ct_tensor *self, ct_value min, ct_value max)
{
    return clamp_(self, min, max);
}

bool cti_op_clamp_out(ct_tensor *out, ct_tensor *input, ct_value min, ct_value max)
{
    return clamp_out(out, input, min, max);
}

bool cti_op_clamp_tensor_out(ct_tensor *out, ct_tensor *input, ct_tensor *min, ct_tensor *max)
{
    return clamp_out(out, input, bound(min), bound(max));
}

ct_tensor *cti_op_clamp_tensor(ct_tensor *input, ct_tensor *min, ct_tensor *max)
{
    return clamp(input, bound(min), bound(max));
}

bool cti_op_clamp_tensor_(ct_tensor *self, ct_tensor *min, ct_tensor *max)
{
    return clamp_(self, bound(min), bound(max));
}

/* ---- gelu ---- */

ct_tensor *cti_op_gelu(ct_tensor *input, const char *approximate)
{
    if (!strcmp(approximate, "none"))
        return ct_own_gelu_erf(input);
    if (!strcmp(approximate, "tanh")) {
        if (!ct_dtype_is_floating(input->dtype))
            return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"GeluKernelImpl\" not implemented for '%s'",
                           cti_dtype_scalar_name(input->dtype));
        return ct_own_gelu_tanh(input);
    }
    return ct_fail(CT_ERR_RUNTIME, "approximate argument must be either none or tanh.");
}
