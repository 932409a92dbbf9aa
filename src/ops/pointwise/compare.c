/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements isclose, allclose and equal, declared in arithmetic.toml. */
#include "fronts.h"
#include "ops/front.h"

/* Computes |a - b| <= atol + rtol |b|, or a == b, by other operations. */
ct_tensor *cti_op_isclose(ct_tensor *input, ct_tensor *other, double rtol, double atol,
                          bool equal_nan)
{
    if (input->dtype != other->dtype)
        return ct_fail(CT_ERR_RUNTIME, "%s did not match %s", cti_dtype_scalar_name(input->dtype),
                       cti_dtype_scalar_name(other->dtype));
    if (!(rtol >= 0))
        return ct_fail(CT_ERR_RUNTIME, "rtol must be greater than or equal to zero, but got %g",
                       rtol);
    if (!(atol >= 0))
        return ct_fail(CT_ERR_RUNTIME, "atol must be greater than or equal to zero, but got %g",
                       atol);
    ct_value a = V(input), b = V(other);
    ct_tensor *close = ct_own_eq(a, b);
    if (equal_nan && input->dtype >= CT_FLOAT16) {
        ct_tensor *na = ct_own_isnan(input), *nb = ct_own_isnan(other);
        ct_tensor *both = ct_own_bitwise_and(V(na), V(nb));
        if (!both || !close || !ct_own_bitwise_or_(close, V(both)))
            close = cti_replace_take(close, NULL);
        cti_release_all(na, nb, both);
    }
    if (!close || (rtol == 0 && atol == 0))
        return close;
    /* Differences of integers are computed in the default floating dtype: in uint8, 5 - 6 is 255.
     */
    ct_value r = ct_value_float(rtol), one = ct_value_int(1);
    enum ct_dtype default_dtype = ct_get_default_dtype();
    bool exact = !ct_dtype_is_floating(input->dtype) && !ct_dtype_is_complex(input->dtype);
    ct_tensor *left = input->dtype == CT_BOOL ? cti_cast(input, default_dtype) : ct_retain(input);
    ct_tensor *right = exact ? cti_cast(other, default_dtype) : ct_retain(other);
    a = V(left);
    b = V(right);
    ct_tensor *scaled = ct_own_mul(b, r), *allowed = NULL, *within = NULL;
    ct_tensor *size = ct_own_abs(scaled), *step = ct_own_sub(a, b, one),
              *distance = ct_own_abs(step);
    allowed = ct_own_add(V(size), ct_value_float(atol), one);
    within = ct_own_le(V(distance), V(allowed));
    ct_tensor *finite = ct_own_isfinite(distance);
    bool good = within && finite && ct_own_bitwise_and_(within, V(finite)) &&
                ct_own_bitwise_or_(close, V(within));
    cti_release_all(left, right, scaled, size, step, distance, allowed, within, finite);
    return cti_take_if(close, good);
}

/* Whether all elements are true: 1, 0, or -1 on failure. Takes the tensor. */
static int all_true(ct_tensor *truth)
{
    ct_tensor *one = ct_own_all(truth, CT_NO_DIMS, false);
    ct_value value = ct_item_value(one);
    int answer = value.kind == CT_VALUE_NULL ? -1 : cti_value_true(value);
    cti_release_all(truth, one);
    return answer;
}

int cti_op_allclose(ct_tensor *input, ct_tensor *other, double rtol, double atol, bool equal_nan)
{
    return all_true(cti_op_isclose(input, other, rtol, atol, equal_nan));
}

static int equal_part(ct_tensor *input, ct_tensor *other)
{
    return all_true(ct_own_eq(V(input), V(other)));
}

/* Compares large tensors in parts along the first dim, each twice as long as the previous one, so
 * that a difference near the start is found early. */
int cti_op_equal(ct_tensor *input, ct_tensor *other)
{
    const int64_t first = 2048; /* elements */
    if (!cti_same_shape(input, other->ndim, other->shape))
        return 0;
    if (input->numel <= first || input->ndim == 0)
        return equal_part(input, other);
    int64_t rows = input->shape[0], part = first / (input->numel / rows) + 1;
    int answer = 1;
    for (int64_t at = 0; at < rows && answer == 1; at += part, part *= 2) {
        part = rows - at < part ? rows - at : part;
        ct_tensor *a = ct_own_narrow(input, 0, at, part), *b = ct_own_narrow(other, 0, at, part);
        answer = a && b ? equal_part(a, b) : -1;
        cti_release_all(a, b);
    }
    return answer;
}
