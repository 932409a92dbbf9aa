/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements arange, range, linspace and logspace, declared in create.toml. */
#include "fronts.h"
#include "ops/create/create.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <math.h>

/* Counts the elements from a to b in steps of s, with or without b itself; -1: PyTorch's error is
 * set.
 * */
static int64_t count_whole(__int128 a, __int128 b, __int128 s, bool with_end)
{
    if (s == 0)
        return ct_fail(CT_ERR_RUNTIME, "step must be nonzero"), -1;
    if (s > 0 ? b < a : b > a)
        return ct_fail(CT_ERR_RUNTIME, "upper bound and lower bound inconsistent with step sign"),
               -1;
    unsigned __int128 span = (unsigned __int128)(s > 0 ? b - a : a - b);
    unsigned __int128 by = (unsigned __int128)(s > 0 ? s : -s);
    unsigned __int128 n = with_end ? span / by + 1 : (span + by - 1) / by;
    if (n > INT64_MAX)
        return ct_fail(CT_ERR_RUNTIME, "invalid size, possible overflow?"), -1;
    return (int64_t)n;
}

static int64_t count_real(double a, double b, double s, bool with_end)
{
    if (!(s > 0 || s < 0))
        return ct_fail(CT_ERR_RUNTIME, "step must be nonzero"), -1;
    if (!isfinite(a) || !isfinite(b))
        return ct_fail(CT_ERR_RUNTIME, "unsupported range: %g -> %g", a, b), -1;
    if (s > 0 ? b < a : b > a)
        return ct_fail(CT_ERR_RUNTIME, "upper bound and lower bound inconsistent with step sign"),
               -1;
    double count = with_end ? floor((b - a) / s + 1) : ceil((b - a) / s);
    if (!(count < 9.2e18))
        return ct_fail(CT_ERR_RUNTIME, "invalid size, possible overflow?"), -1;
    return (int64_t)count;
}

static bool is_whole(ct_value number)
{
    return number.kind == CT_VALUE_BOOL || number.kind == CT_VALUE_INT ||
           number.kind == CT_VALUE_UINT;
}

/* Returns the integer exactly, even if it is a uint64. */
static __int128 whole_value(ct_value number)
{
    return number.kind == CT_VALUE_UINT ? (__int128)number.as.u : (__int128)cti_value_int(number);
}

/* arange, or range, which includes its end. */
static ct_tensor *numbers(ct_value start, ct_value end, ct_value step, bool with_end,
                          enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    bool whole = is_whole(start) && is_whole(end) && is_whole(step);
    if (dtype == CT_NO_DTYPE)
        dtype = whole && !with_end ? CT_INT64 : ct_get_default_dtype();
    if (dtype >= CT_COMPLEX64 || dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s_cpu\" not implemented for '%s'",
                       with_end ? "range" : "arange", cti_dtype_scalar_name(dtype));
    enum ct_dtype widest = dtype >= CT_FLOAT16  ? CT_FLOAT64
                           : dtype == CT_UINT64 ? CT_UINT64
                                                : CT_INT64;
    if (!cti_number_fits(start, widest) || !cti_number_fits(end, widest) ||
        !cti_number_fits(step, widest))
        return NULL;
    int64_t n = 0;
    bool exact = whole && (with_end || dtype == CT_INT64 || dtype == CT_UINT64);
    if (!exact) /* as in PyTorch, counted in float64 */
        n = count_real(cti_value_real(start), cti_value_real(end), cti_value_real(step), with_end);
    if (n >= 0 && with_end && dtype < CT_FLOAT16) { /* range truncates its arguments first */
        start = ct_value_int(cti_value_int(start));
        step = ct_value_int(cti_value_int(step));
        exact = true;
    }
    if (n >= 0 && exact)
        n = count_whole(whole_value(start), whole_value(end), whole_value(step), with_end);
    ct_tensor *t = n >= 0 ? cti_create_empty(ct_ints_of(&n, 1), dtype, device) : NULL;
    t = cti_take_if(
        t, t && CTI_RUN(ramp, t, .dst = t, .start = start, .step = step, .end = ct_value_none()));
    return cti_create_take(t, requires_grad);
}

ct_tensor *cti_op_arange(ct_value start, ct_value end, ct_value step, enum ct_dtype dtype,
                         struct ct_device device, bool requires_grad)
{
    return numbers(start, end, step, false, dtype, device, requires_grad);
}

ct_tensor *cti_op_range(ct_value start, ct_value end, ct_value step, enum ct_dtype dtype,
                        struct ct_device device, bool requires_grad)
{
    cti_warn("torch.range is deprecated and will be removed in a future release because its "
             "behavior is inconsistent with Python's range builtin. Instead, use torch.arange, "
             "which produces values in [start, end).");
    return numbers(start, end, step, true, dtype, device, requires_grad);
}

/* The engine counts steps from both ends, so that the last value is `end` exactly. */
static ct_tensor *spaced_range(ct_value start, ct_value end, int64_t steps, enum ct_dtype dtype,
                               struct ct_device device)
{
    if (steps < 0)
        return ct_fail(CT_ERR_RUNTIME, "number of steps must be non-negative");
    ct_tensor *t = cti_create_empty(ct_ints_of(&steps, 1), dtype, device);
    if (!t)
        return NULL;
    double a = cti_value_real(start), b = cti_value_real(end);
    ct_value step = ct_value_float(steps > 1 ? (b - a) / (double)(steps - 1) : 0);
    if (start.kind == CT_VALUE_COMPLEX || end.kind == CT_VALUE_COMPLEX) {
        double im = cti_value_imag(end) - cti_value_imag(start);
        step = ct_value_complex_of(step.as.f, steps > 1 ? im / (double)(steps - 1) : 0);
    }
    return cti_take_if(t, CTI_RUN(ramp, t, .dst = t, .start = start, .step = step,
                                  .end = steps > 1 ? end : start));
}

/* The dtype of linspace and logspace; CT_NO_DTYPE: complex ends do not fit the given dtype. */
static enum ct_dtype spaced_dtype(const char *name, ct_value start, ct_value end,
                                  enum ct_dtype dtype)
{
    bool complex = start.kind == CT_VALUE_COMPLEX || end.kind == CT_VALUE_COMPLEX;
    if (!complex)
        return cti_create_dtype(dtype);
    enum ct_dtype own = cti_dtype_to_complex(ct_get_default_dtype());
    if (dtype == CT_NO_DTYPE || dtype >= CT_COMPLEX64)
        return dtype == CT_NO_DTYPE ? own : dtype;
    ct_fail(CT_ERR_RUNTIME, "torch.%s(): inferred dtype %s can't be safely cast to passed dtype %s",
            name, cti_dtype_cpp_name(own), cti_dtype_scalar_name(dtype));
    return CT_NO_DTYPE;
}

/* Checks that the ends fit the dtype; integer dtypes truncate them. */
static bool truncate_ends(ct_value *start, ct_value *end, int64_t steps, enum ct_dtype dtype)
{
    if ((steps > 0 && !cti_number_fits(*start, dtype)) ||
        (steps > 1 && !cti_number_fits(*end, dtype)))
        return false;
    if (dtype >= CT_FLOAT16)
        return true;
    if (start->kind == CT_VALUE_FLOAT)
        *start = ct_value_float(trunc(start->as.f));
    if (end->kind == CT_VALUE_FLOAT)
        *end = ct_value_float(trunc(end->as.f));
    return true;
}

/* PyTorch has no bool kernel, which shows only with two or more steps. */
static bool check_truths(const char *kernel, enum ct_dtype dtype, int64_t steps)
{
    return dtype != CT_BOOL || steps < 2 ||
           ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for 'Bool'", kernel);
}

ct_tensor *cti_op_linspace(ct_value start, ct_value end, int64_t steps, enum ct_dtype dtype,
                           struct ct_device device, bool requires_grad)
{
    dtype = spaced_dtype("linspace", start, end, dtype);
    if (dtype == CT_NO_DTYPE || !check_truths("linspace_cpu", dtype, steps) ||
        !truncate_ends(&start, &end, steps, dtype))
        return NULL;
    return cti_create_take(spaced_range(start, end, steps, dtype, device), requires_grad);
}

ct_tensor *cti_op_logspace(ct_value start, ct_value end, int64_t steps, double base,
                           enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    dtype = spaced_dtype("logspace", start, end, dtype);
    if (dtype == CT_NO_DTYPE || !check_truths("logspace_cpu", dtype, steps) ||
        !truncate_ends(&start, &end, steps, dtype))
        return NULL;
    enum ct_dtype widest = dtype >= CT_COMPLEX64 ? CT_COMPLEX128 : CT_FLOAT64;
    ct_tensor *exponents = spaced_range(start, end, steps, widest, device);
    ct_tensor *powers = ct_own_pow(ct_value_float(base), V(exponents));
    ct_tensor *result = powers ? cti_cast(powers, dtype) : NULL;
    cti_release_all(exponents, powers);
    return cti_create_take(result, requires_grad);
}

/* ---- ends given as 0-d tensors ---- */

/* The value of a 0-d tensor; `which` names it in the error. */
static bool end_value(const char *name, ct_tensor *t, const char *which, ct_value *value)
{
    if (t->ndim)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s only supports 0-dimensional start and end tensors, but got %s with %d "
            "dimension(s).",
            name, which, t->ndim);
    *value = ct_item_value(t);
    return value->kind != CT_VALUE_NULL;
}

static bool end_values(const char *name, ct_tensor *start, ct_tensor *end, ct_value *a, ct_value *b)
{
    if (start->ndim || end->ndim)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s only supports 0-dimensional start and end tensors, but got start with "
            "%d dimension(s) and end with %d dimension(s).",
            name, start->ndim, end->ndim);
    return end_value(name, start, "start", a) && end_value(name, end, "end", b);
}

ct_tensor *cti_op_linspace_tensor_tensor(ct_tensor *start, ct_tensor *end, int64_t steps,
                                         enum ct_dtype dtype, struct ct_device device,
                                         bool requires_grad)
{
    ct_value a, b;
    return end_values("linspace", start, end, &a, &b)
               ? cti_op_linspace(a, b, steps, dtype, device, requires_grad)
               : NULL;
}

ct_tensor *cti_op_linspace_scalar_tensor(ct_value start, ct_tensor *end, int64_t steps,
                                         enum ct_dtype dtype, struct ct_device device,
                                         bool requires_grad)
{
    ct_value b;
    return end_value("linspace", end, "end", &b)
               ? cti_op_linspace(start, b, steps, dtype, device, requires_grad)
               : NULL;
}

ct_tensor *cti_op_linspace_tensor_scalar(ct_tensor *start, ct_value end, int64_t steps,
                                         enum ct_dtype dtype, struct ct_device device,
                                         bool requires_grad)
{
    ct_value a;
    return end_value("linspace", start, "start", &a)
               ? cti_op_linspace(a, end, steps, dtype, device, requires_grad)
               : NULL;
}

ct_tensor *cti_op_logspace_tensor_tensor(ct_tensor *start, ct_tensor *end, int64_t steps,
                                         double base, enum ct_dtype dtype, struct ct_device device,
                                         bool requires_grad)
{
    ct_value a, b;
    return end_values("logspace", start, end, &a, &b)
               ? cti_op_logspace(a, b, steps, base, dtype, device, requires_grad)
               : NULL;
}

ct_tensor *cti_op_logspace_scalar_tensor(ct_value start, ct_tensor *end, int64_t steps, double base,
                                         enum ct_dtype dtype, struct ct_device device,
                                         bool requires_grad)
{
    ct_value b;
    return end_value("logspace", end, "end", &b)
               ? cti_op_logspace(start, b, steps, base, dtype, device, requires_grad)
               : NULL;
}

ct_tensor *cti_op_logspace_tensor_scalar(ct_tensor *start, ct_value end, int64_t steps, double base,
                                         enum ct_dtype dtype, struct ct_device device,
                                         bool requires_grad)
{
    ct_value a;
    return end_value("logspace", start, "start", &a)
               ? cti_op_logspace(a, end, steps, base, dtype, device, requires_grad)
               : NULL;
}
