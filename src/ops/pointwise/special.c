/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks for the operations of special.toml, and entry points that choose among several operations
 * or check an argument first. */
#include "fronts.h"
#include "ops/front.h"

#include <float.h>

/* Operations that loop over more steps than this are rejected, because they take seconds per
 * element. */
#define STEPS_MAX (INT64_C(1) << 28)

bool cti_check_mvlgamma(ct_value *operand)
{
    if (operand[0].as.tensor->dtype == CT_BOOL)
        return cti_refuse(CT_ERR_RUNTIME, "The input tensor may not be a boolean tensor.");
    if (operand[1].as.i > STEPS_MAX)
        return cti_refuse(CT_ERR_RUNTIME, "mvlgamma: p = %lld would take too long; at most %lld",
                          (long long)operand[1].as.i, (long long)STEPS_MAX);
    return operand[1].as.i >= 1 ||
           cti_refuse(CT_ERR_RUNTIME, "p has to be greater than or equal to 1");
}

/* Limits the degree of a polynomial, which is the number of steps that it takes. */
bool cti_check_degree(ct_value *operand)
{
    ct_value n = operand[1];
    bool tensor = n.kind == CT_VALUE_TENSOR;
    if (tensor && (!n.as.tensor->numel || n.as.tensor->storage->device.type == CT_META ||
                   n.as.tensor->dtype >= CT_COMPLEX64 ||
                   (n.as.tensor->dtype <= CT_UINT64 && ct_element_size(n.as.tensor) < 4)))
        return true;
    double beyond = n.kind == CT_VALUE_INT     ? n.as.i > STEPS_MAX
                    : n.kind == CT_VALUE_UINT  ? 1
                    : n.kind == CT_VALUE_FLOAT ? n.as.f > (double)STEPS_MAX && n.as.f <= DBL_MAX
                                               : 0;
    if (tensor) { /* infinite degrees are fine: they take no step */
        ct_tensor *far = ct_own_gt(n, ct_value_float((double)STEPS_MAX));
        ct_tensor *finite = ct_own_isfinite(n.as.tensor);
        ct_tensor *both = ct_own_logical_and(far, finite);
        ct_tensor *any = ct_own_any(both, CT_NO_DIMS, false);
        beyond = any ? ct_item(any) : -1;
        cti_release_all(any, both, finite, far);
    }
    if (beyond > 0)
        ct_fail(CT_ERR_RUNTIME, "a polynomial of a degree above %lld would take too long",
                (long long)STEPS_MAX);
    return beyond == 0;
}

/* ---- polygamma: the order is the first argument of the function, the second of the method ---- */

static bool check_order(const ct_tensor *input, int64_t n)
{
    if (n < 0)
        return cti_refuse(CT_ERR_RUNTIME, "polygamma(n, x) does not support negative n.");
    return input->dtype < CT_COMPLEX64 ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'",
                      n == 0   ? "digamma"
                      : n == 1 ? "trigamma"
                               : "polygamma",
                      cti_dtype_scalar_name(input->dtype));
}

ct_tensor *cti_op_polygamma(int64_t n, ct_tensor *input)
{
    return check_order(input, n) ? ct_own_polygamma_of(input, n) : NULL;
}

ct_tensor *cti_op_polygamma_(ct_tensor *self, int64_t n)
{
    return check_order(self, n) ? ct_own_polygamma_of_(self, n) : NULL;
}

/* ---- logit: a negative eps means none ---- */

static bool logit_is_unclamped(double eps)
{
    return ct_is_no_number(eps) || eps < 0;
}

ct_tensor *cti_op_logit(ct_tensor *input, double eps)
{
    return logit_is_unclamped(eps) ? ct_own_logit_plain(input)
                                   : ct_own_logit_within(input, ct_value_float(eps));
}

bool cti_op_logit_(ct_tensor *self, double eps)
{
    return (logit_is_unclamped(eps) ? ct_own_logit_plain_(self)
                                    : ct_own_logit_within_(self, ct_value_float(eps))) != NULL;
}
