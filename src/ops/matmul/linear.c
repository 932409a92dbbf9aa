/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements linear, bilinear, and the trilinear sum that bilinear uses; declared in matmul.toml.
 * All but trilinear are composed of differentiable operations. */
#include "fronts.h"
#include "ops/matmul/matmul.h"

ct_tensor *cti_op_linear(ct_tensor *input, ct_tensor *weight, ct_tensor *bias)
{
    if (!input->ndim || !weight->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "both arguments to linear need to be at least 1D, but they are %dD and %dD",
                       input->ndim, weight->ndim);
    ct_tensor *transposed = ct_own_t(weight), *result;
    ct_value unit = ct_value_int(1);
    if (bias == CT_NO_TENSOR) {
        result = ct_own_matmul(input, transposed);
    } else if (input->ndim == 2) {
        result = ct_own_addmm(bias, input, transposed, unit, unit);
    } else {
        int64_t shape[CTI_MAX_DIMS], rows = 1, last = input->ndim - 1;
        for (int d = 0; d < last; d++) {
            shape[d] = input->shape[d];
            rows *= input->shape[d];
        }
        ct_tensor *tall =
            ct_own_reshape(input, ct_ints_of((int64_t[]){rows, input->shape[last]}, 2));
        ct_tensor *flat = ct_own_addmm(bias, tall, transposed, unit, unit);
        shape[last] = flat ? flat->shape[1] : 0;
        result = ct_own_unsafe_view(flat, ct_ints_of(shape, last + 1));
        cti_release_all(tall, flat);
    }
    ct_release(transposed);
    return result;
}

enum { TRILINEAR_ROOM = 1 << 21 }; /* elements of the intermediate product */

/* out[n, o] = sum over i, j of x[n, i] w[o, i, j] y[n, j]: multiplies x by all w[o] at once, then
 * by rows of y, in blocks of rows that keep the intermediate product small. */
ct_tensor *cti_op_trilinear(ct_tensor *input1, ct_tensor *weight, ct_tensor *input2)
{
    int64_t n = input1->shape[0], o = weight->shape[0], i = weight->shape[1], j = weight->shape[2];
    int64_t step = TRILINEAR_ROOM / (o * j > 0 ? o * j : 1);
    step = step < 16 ? 16 : step;
    ct_tensor *result = cti_empty(2, (int64_t[]){n, o}, input1->dtype, input1->storage->device);
    ct_tensor *transposed = ct_own_transpose(weight, 0, 1);
    ct_tensor *matrix = ct_own_reshape(transposed, ct_ints_of((int64_t[]){i, o * j}, 2));
    bool good = result && matrix;
    for (int64_t at = 0; at < n && good; at += step) {
        int64_t rows = at + step < n ? step : n - at;
        ct_tensor *x = ct_own_narrow(input1, 0, at, rows), *y = ct_own_narrow(input2, 0, at, rows);
        ct_tensor *part = ct_own_narrow(result, 0, at, rows);
        ct_tensor *flat = ct_own_mm(x, matrix);
        ct_tensor *between = ct_own_view(flat, ct_ints_of((int64_t[]){rows, o, j}, 3));
        ct_tensor *column = ct_own_unsqueeze(y, 2), *into = ct_own_unsqueeze(part, 2);
        good = into && ct_own_bmm_out(into, between, column) != NULL;
        cti_release_all(x, y, part, flat, between, column, into);
    }
    cti_release_all(transposed, matrix);
    return cti_take_if(result, good);
}

static bool check_bilinear(const ct_tensor *x, const ct_tensor *y, const ct_tensor *w,
                           const ct_tensor *bias)
{
    int dim;
    if (x->dtype != y->dtype || x->dtype != w->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "All tensors must have the same dtype, got input1: %s, input2: %s, weight: "
                       "%s%s%s",
                       cti_product_type_name(x), cti_product_type_name(y), cti_product_type_name(w),
                       bias != CT_NO_TENSOR ? ", bias: " : "",
                       bias != CT_NO_TENSOR ? cti_product_type_name(bias) : "");
    if (x->ndim != y->ndim)
        return ct_fail(CT_ERR_RUNTIME, "bilinear(): input dimensions do not match: got %d and %d",
                       x->ndim, y->ndim);
    for (int d = 0; d < x->ndim - 1; d++)
        if (x->shape[d] != y->shape[d])
            return ct_fail(CT_ERR_RUNTIME,
                           "bilinear(): input batch dimensions do not match at dim %d: got %lld "
                           "and %lld",
                           d, (long long)x->shape[d], (long long)y->shape[d]);
    const ct_tensor *const both[] = {x, y};
    for (int i = 0; i < 2; i++) {
        if (!both[i]->ndim)
            return ct_fail(CT_ERR_INDEX, "Dimension specified as -1 but tensor has no dimensions");
        int64_t size = both[i]->shape[both[i]->ndim - 1];
        if (!cti_shape_wrap_dim(i + 1, w->ndim, &dim))
            return false;
        if (size != w->shape[i + 1])
            return ct_fail(CT_ERR_RUNTIME,
                           "bilinear(): input%d size does not match weight size: got %lld but "
                           "expected %lld",
                           i + 1, (long long)size, (long long)w->shape[i + 1]);
    }
    if (bias != CT_NO_TENSOR && (!bias->ndim || bias->shape[0] != w->shape[0]))
        return ct_fail(CT_ERR_RUNTIME,
                       "bilinear(): bias size does not match weight size: got %lld but expected "
                       "%lld",
                       bias->ndim ? (long long)bias->shape[0] : 0, (long long)w->shape[0]);
    return true;
}

ct_tensor *cti_op_bilinear(ct_tensor *input1, ct_tensor *input2, ct_tensor *weight, ct_tensor *bias)
{
    if (!check_bilinear(input1, input2, weight, bias))
        return NULL;
    int last = input1->ndim - 1;
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < last; d++)
        shape[d] = input1->shape[d];
    shape[last] = weight->shape[0];
    ct_tensor *x = ct_own_reshape(input1, ct_ints_of((int64_t[]){-1, weight->shape[1]}, 2));
    ct_tensor *y = ct_own_reshape(input2, ct_ints_of((int64_t[]){-1, weight->shape[2]}, 2));
    ct_tensor *flat = ct_own_trilinear(x, weight, y);
    ct_tensor *result = ct_own_reshape(flat, ct_ints_of(shape, last + 1));
    cti_release_all(x, y, flat);
    if (bias != CT_NO_TENSOR && result)
        cti_product_renew(&result, ct_own_add(V(result), V(bias), ct_value_int(1)));
    return result;
}
