/* SPDX-License-Identifier: BSD-3-Clause */
/* Dtype promotion (Note [Promotion] in front.h), float8 checks, and numbers as operands. */
#include "core/check_args.h"
#include "core/dtype.h"
#include "core/note.h"
#include "core/value.h"
#include "fronts.h"
#include "ops/front.h"

#include <math.h>

/* Combines the dtype of one class of operands with those of all lower classes. */
static enum ct_dtype combine_types(enum ct_dtype higher, enum ct_dtype lower)
{
    if (higher == CT_NO_DTYPE)
        return lower;
    if (lower == CT_NO_DTYPE || ct_dtype_is_complex(higher))
        return higher;
    if (ct_dtype_is_floating(higher))
        return ct_dtype_is_complex(lower) ? cti_dtype_to_complex(higher) : higher;
    if (higher == CT_BOOL || lower > CT_UINT64)
        return ct_promote_types(higher, lower);
    return higher;
}

enum ct_dtype cti_promoting_dtype(const ct_tensor *t)
{
    if (!(t->flags & CTI_WRAPPED_NUMBER) || t->dtype < CT_FLOAT16)
        return t->dtype;
    enum ct_dtype real = ct_get_default_dtype();
    return t->dtype >= CT_COMPLEX64 ? cti_dtype_to_complex(real) : real;
}

enum ct_dtype cti_result_type(const ct_value *v, int n)
{
    enum ct_dtype by_class[3] = {CT_NO_DTYPE, CT_NO_DTYPE, CT_NO_DTYPE};
    for (int i = 0; i < n; i++) {
        const ct_tensor *t = v[i].kind == CT_VALUE_TENSOR ? v[i].as.tensor : NULL;
        enum ct_dtype dtype = t ? cti_promoting_dtype(t) : cti_value_dtype(v[i]);
        int rank = !t || (t->flags & CTI_WRAPPED_NUMBER) ? 2 : t->ndim ? 0 : 1;
        if (by_class[rank] != CT_NO_DTYPE)
            dtype = ct_promote_types(by_class[rank], dtype);
        if (dtype == CT_NO_DTYPE)
            return CT_NO_DTYPE;
        by_class[rank] = dtype;
    }
    return combine_types(combine_types(by_class[0], by_class[1]), by_class[2]);
}

enum ct_dtype ct_result_type_ex(ct_value a, ct_value b)
{
    ct_value both[] = {a, b};
    if (!cti_check_value(a, "ct_result_type", "a") || !cti_check_value(b, "ct_result_type", "b"))
        return CT_NO_DTYPE;
    return cti_result_type(both, 2);
}

bool cti_check_can_cast(enum ct_dtype from, enum ct_dtype to)
{
    if (ct_can_cast(from, to))
        return true;
    ct_fail(CT_ERR_RUNTIME, "result type %s can't be cast to the desired output type %s",
            cti_dtype_scalar_name(from), cti_dtype_scalar_name(to));
    return cti_note("use x = x + y instead of x += y to get a new tensor of type %s",
                    ct_dtype_str(from));
}

/* ---- float8 ---- */

bool cti_float8_refused_dtype(enum ct_dtype dtype, const char *kernel)
{
    if (!cti_is_float8(dtype))
        return false;
    ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel,
            cti_dtype_scalar_name(dtype));
    cti_note("float8 types are stored and cast; cast to float32 or bfloat16 to compute");
    return true;
}

bool cti_float8_refused_tensor(const ct_tensor *t, const char *kernel)
{
    return t != CT_NO_TENSOR && cti_is_float8(t->dtype) &&
           cti_float8_refused_dtype(t->dtype, kernel);
}

bool cti_float8_refused_value(ct_value v, const char *kernel)
{
    return v.kind == CT_VALUE_TENSOR && cti_float8_refused_tensor(v.as.tensor, kernel);
}

bool cti_float8_refused_list(ct_list list, const char *kernel)
{
    for (int64_t i = 0; i < list.n; i++)
        if (cti_float8_refused_tensor(list.v[i], kernel))
            return true;
    return false;
}

/* ---- numbers ---- */

bool cti_number_is(ct_value v, double x)
{
    return cti_value_real(v) == x && cti_value_imag(v) == 0;
}

ct_value cti_keyword_number(double x)
{
    if (fabs(x) < 9007199254740992.0 && (double)(int64_t)x == x)
        return ct_value_int((int64_t)x);
    return ct_is_no_number(x) ? ct_value_none() : ct_value_float(x);
}

ct_tensor *cti_value_as_tensor(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR ? ct_retain(v.as.tensor) : cti_wrap_number(v, CT_NO_DTYPE);
}

ct_tensor *cti_value_beside(ct_value v, const ct_tensor *t)
{
    ct_tensor *tensor = cti_value_as_tensor(v);
    if (!tensor || t->storage->device.type != CT_CUDA || tensor->storage->device.type != CT_CPU)
        return tensor;
    ct_tensor *moved =
        ct_own_to(tensor, CT_NO_DTYPE, t->storage->device, false, false, CT_PRESERVE_FORMAT);
    if (moved)
        moved->flags |= tensor->flags & CTI_WRAPPED_NUMBER;
    ct_release(tensor);
    return moved;
}
