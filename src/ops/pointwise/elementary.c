/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks for the operations of elementary.toml, and entry points that choose among several
 * operations or return their argument. */
#include "fronts.h"
#include "grads.h"
#include "ops/front.h"

#include <math.h>

/* ---- dtypes that PyTorch rejects with specific messages ---- */

static enum ct_dtype type_of(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR ? v.as.tensor->dtype : cti_value_dtype(v);
}

bool cti_check_real(ct_value *operand, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (type_of(operand[i]) >= CT_COMPLEX64)
            return cti_refuse(CT_ERR_TYPE, "%s", text);
    return true;
}

bool cti_check_heaviside(ct_value *operand)
{
    enum ct_dtype input = type_of(operand[0]), values = type_of(operand[1]);
    if (input >= CT_COMPLEX64 || values >= CT_COMPLEX64)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "heaviside is not yet implemented for complex tensors.");
    return input == values ||
           cti_refuse(CT_ERR_RUNTIME, "heaviside is not yet implemented for tensors with different "
                                      "dtypes.");
}

/* complex and polar need two operands of one floating dtype. */
bool cti_check_complex(ct_value *operand)
{
    enum ct_dtype a = type_of(operand[0]), b = type_of(operand[1]);
    bool floating = ct_dtype_is_floating(a) && ct_dtype_is_floating(b);
    if (!floating || a == CT_BFLOAT16 || b == CT_BFLOAT16)
        return cti_refuse(
            CT_ERR_NOT_IMPLEMENTED,
            "Expected both inputs to be Half, Float or Double tensors but got %s and %s",
            cti_dtype_scalar_name(a), cti_dtype_scalar_name(b));
    return a == b ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Expected object of scalar type %s but got scalar type %s for second "
                      "argument",
                      cti_dtype_scalar_name(a), cti_dtype_scalar_name(b));
}

/* PyTorch has kernels for floating numbers and integer exponents, but not for bool exponents. */
bool cti_check_ldexp(const ct_value *operand)
{
    if (!ct_dtype_is_floating(type_of(operand[0])) || type_of(operand[1]) != CT_BOOL)
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"ldexp_cpu_exp\" not implemented for 'Bool'");
}

/* Half types are computed in float32, but their neighbours are those of the half type. */
uint16_t cti_instead_nextafter(ct_value *operand, int *n)
{
    enum ct_dtype dtype = cti_result_type(operand, *n);
    return dtype == CT_FLOAT16    ? CTI_ROW_NEXTAFTER_HALF
           : dtype == CT_BFLOAT16 ? CTI_ROW_NEXTAFTER_BFLOAT
                                  : CTI_ROW_NEXTAFTER;
}

/* ---- operations that may return their argument ---- */

ct_tensor *cti_op_positive(ct_tensor *input)
{
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "The `+` operator, on a bool tensor is not supported.");
    return ct_retain(input);
}

ct_tensor *cti_op_conj_physical(ct_tensor *input)
{
    return input->dtype < CT_COMPLEX64 ? ct_retain(input) : ct_own_conj_elements(input);
}

bool cti_op_conj_physical_(ct_tensor *self)
{
    struct cti_node *node = NULL;
    if (self->dtype >= CT_COMPLEX64)
        return ct_own_conj_elements_(self) != NULL;
    /* No element changes, but as in PyTorch the call is checked, counted in the version and given a
     * history like any write. */
    if (cti_grad_on() && cti_wants_grad(self) && !(node = cti_node_conj_elements(self)))
        return false;
    return cti_inplace_begin(self, &node) && cti_finish_inplace(node, self, true) != NULL;
}

/* ---- powers ---- */

ct_tensor *cti_op_square(ct_tensor *input)
{
    return ct_own_pow(V(input), ct_value_int(2));
}

bool cti_op_square_(ct_tensor *self)
{
    return ct_own_pow_(self, ct_value_int(2)) != NULL;
}

bool cti_op_square_out(ct_tensor *out, ct_tensor *input)
{
    return ct_own_pow_out(out, V(input), ct_value_int(2)) != NULL;
}

static enum ct_dtype power_type(ct_value input, ct_value exponent)
{
    bool is_complex = type_of(input) >= CT_COMPLEX64 || type_of(exponent) >= CT_COMPLEX64;
    return is_complex ? CT_COMPLEX128 : CT_FLOAT64;
}

/* v in the wide dtype; recorded if a tensor. The caller releases *owned. */
static ct_value widen_value(ct_value v, enum ct_dtype dtype, ct_tensor **owned)
{
    *owned = NULL;
    if (v.kind == CT_VALUE_COMPLEX)
        return v;
    if (v.kind != CT_VALUE_TENSOR)
        return ct_value_float(cti_value_real(v));
    *owned = dtype == CT_COMPLEX128 ? ct_own_cdouble(v.as.tensor, CT_PRESERVE_FORMAT)
                                    : ct_own_double(v.as.tensor, CT_PRESERVE_FORMAT);
    return V(*owned);
}

ct_tensor *cti_op_float_power(ct_value input, ct_value exponent)
{
    enum ct_dtype dtype = power_type(input, exponent);
    ct_tensor *base, *power;
    ct_value a = widen_value(input, dtype, &base), b = widen_value(exponent, dtype, &power);
    ct_tensor *result = ct_own_pow(a, b);
    cti_release_all(base, power);
    return result;
}

static bool check_power(const ct_tensor *t, enum ct_dtype dtype, const char *what)
{
    return t->dtype == dtype ||
           cti_refuse(CT_ERR_RUNTIME,
                      "the %s has dtype %s but the operation's result requires dtype %s", what,
                      cti_dtype_scalar_name(t->dtype), cti_dtype_scalar_name(dtype));
}

bool cti_op_float_power_(ct_tensor *self, ct_value exponent)
{
    enum ct_dtype dtype = power_type(V(self), exponent);
    if (!check_power(self, dtype, "base given to float_power_"))
        return false;
    ct_tensor *power;
    ct_value b = widen_value(exponent, dtype, &power);
    bool good = ct_own_pow_(self, b) != NULL;
    ct_release(power);
    return good;
}

/* ---- mantissa and exponent ---- */

bool cti_op_frexp(struct ct_frexp_result *result, ct_tensor *input)
{
    if (!ct_dtype_is_floating(input->dtype))
        return cti_refuse(CT_ERR_RUNTIME, "torch.frexp() only supports floating-point dtypes");
    ct_tensor *exponent = ct_own_frexp_exponent(input);
    result->mantissa = ct_own_frexp_mantissa(input);
    result->exponent = exponent ? cti_cast(exponent, CT_INT32) : NULL;
    ct_release(exponent);
    return result->mantissa && result->exponent;
}

/* ---- nan_to_num ---- */

/* Replacements for NaN and the infinities; by default 0 and the dtype's finite extremes. */
struct replacements {
    ct_value nan, posinf, neginf;
};

static struct replacements read_replacements(enum ct_dtype dtype, double nan, double posinf,
                                             double neginf)
{
    enum ct_dtype real = cti_dtype_to_real(dtype);
    double most = real == CT_FLOAT16    ? 65504
                  : real == CT_BFLOAT16 ? 0x1.fep127
                  : real == CT_FLOAT32  ? 0x1.fffffep127
                                        : 0x1.fffffffffffffp1023;
    struct replacements r = {
        ct_value_float(ct_is_no_number(nan) ? 0 : nan),
        ct_value_float(ct_is_no_number(posinf) ? most : posinf),
        ct_value_float(ct_is_no_number(neginf) ? -most : neginf),
    };
    return r;
}

ct_tensor *cti_op_nan_to_num(ct_tensor *input, double nan, double posinf, double neginf)
{
    struct replacements r = read_replacements(input->dtype, nan, posinf, neginf);
    return cti_is_integral(input->dtype, true)
               ? ct_own_conj_elements(input)
               : ct_own_nan_replace(input, r.nan, r.posinf, r.neginf);
}

bool cti_op_nan_to_num_(ct_tensor *self, double nan, double posinf, double neginf)
{
    struct replacements r = read_replacements(self->dtype, nan, posinf, neginf);
    return cti_is_integral(self->dtype, true) ||
           ct_own_nan_replace_(self, r.nan, r.posinf, r.neginf);
}

/* ---- round to decimals: multiples of a power of ten ---- */

static ct_value power_of_ten(int64_t decimals)
{
    return ct_value_float(pow(10, fabs((double)decimals)));
}

/* PyTorch rounds integers only without decimals. */
static bool check_decimals(const ct_tensor *t, int64_t decimals)
{
    if (decimals || !cti_is_integral(t->dtype, true))
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"round_vml_cpu\" not implemented for '%s'",
                      cti_dtype_scalar_name(t->dtype));
}

ct_tensor *cti_op_round_decimals(ct_tensor *input, int64_t decimals)
{
    if (!check_decimals(input, decimals))
        return NULL;
    ct_value scale = power_of_ten(decimals);
    if (decimals == 0 && ct_dtype_is_complex(input->dtype))
        return ct_own_round(input); /* sets PyTorch's error */
    return decimals < 0 ? ct_own_round_coarser(input, scale) : ct_own_round_finer(input, scale);
}

bool cti_op_round_decimals_(ct_tensor *self, int64_t decimals)
{
    if (!check_decimals(self, decimals))
        return false;
    ct_value scale = power_of_ten(decimals);
    if (decimals == 0 && ct_dtype_is_complex(self->dtype))
        return ct_own_round_(self) != NULL;
    return (decimals < 0 ? ct_own_round_coarser_(self, scale) : ct_own_round_finer_(self, scale)) !=
           NULL;
}
