/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of two buffers by ordinary tensor operations, so that every dtype they support
 * works. */
#include "core/error.h"
#include "corten/own.h"
#include "dist/dist.h"

static ct_tensor *tensor_over(char *data, int64_t n, enum ct_dtype dtype)
{
    return ct_own_from_memory(data, dtype, ct_ints_of(&n, 1), CT_NO_DIMS, NULL, NULL);
}

static bool apply_op(ct_tensor *a, ct_tensor *b, enum ct_reduce_op op)
{
    ct_value va = ct_value_tensor(a), vb = ct_value_tensor(b);
    switch (op) {
    case CT_REDUCE_SUM:
    case CT_REDUCE_AVG:
        return ct_own_add_(a, vb, ct_value_int(1)) != NULL;
    case CT_REDUCE_PRODUCT:
        return ct_own_mul_(a, vb) != NULL;
    case CT_REDUCE_MIN:
        return ct_own_minimum_out(a, va, b) != NULL;
    case CT_REDUCE_MAX:
        return ct_own_maximum_out(a, va, b) != NULL;
    case CT_REDUCE_BAND:
        return ct_own_bitwise_and_(a, vb) != NULL;
    case CT_REDUCE_BOR:
        return ct_own_bitwise_or_(a, vb) != NULL;
    case CT_REDUCE_BXOR:
        return ct_own_bitwise_xor_(a, vb) != NULL;
    case CT_REDUCE_OPS:
        break;
    }
    return ct_fail(CT_ERR_VALUE, "Unhandled ReduceOp");
}

bool cti_combine(char *dst, char *src, int64_t n, enum ct_dtype dtype, enum ct_reduce_op op)
{
    if (n == 0)
        return true;
    ct_tensor *a = tensor_over(dst, n, dtype), *b = tensor_over(src, n, dtype);
    bool good = a && b && apply_op(a, b, op);
    ct_release(a);
    ct_release(b);
    return good;
}

bool cti_average(char *data, int64_t n, enum ct_dtype dtype, int count)
{
    if (n == 0)
        return true;
    ct_tensor *a = tensor_over(data, n, dtype);
    bool good = a && ct_own_div_(a, ct_value_int(count), NULL);
    ct_release(a);
    return good;
}
