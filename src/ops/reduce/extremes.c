/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements amax, max, argmax and their minimum counterparts, declared in reduce.toml. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/reduce/reduce.h"

static const char specify[] = " Specify the reduction dim with the 'dim' argument.";

static bool extremes_check_real(const ct_tensor *t, const char *kernel)
{
    if (t->dtype < CT_COMPLEX64)
        return true;
    ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel,
            cti_dtype_scalar_name(t->dtype));
    return false;
}

ct_tensor *cti_reduce_amax(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    const char *name = row == CTI_ROW_AMAX ? "amax" : "amin";
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced) ||
        !cti_check_not_empty(name, input, dim, true, CT_ERR_RUNTIME, specify))
        return NULL;
    enum ct_dtype dtype = input->dtype;
    if (!input->numel)
        return cti_reduced_take(cti_reduced_empty(input, reduced, dtype), reduced, keepdim);
    if (!extremes_check_real(input, row == CTI_ROW_AMAX ? "max_values_cpu" : "min_values_cpu"))
        return NULL;
    return cti_reduce_run(row, input, reduced, keepdim, dtype, dtype, ct_value_none());
}

ct_tensor *cti_op_extreme(ct_tensor *input, int row, const char *name, const char *kernel)
{
    if (!input->numel)
        return ct_fail(CT_ERR_RUNTIME,
                       "%s(): Expected reduction dim to be specified for input.numel() == 0.%s",
                       name, specify);
    return extremes_check_real(input, kernel)
               ? cti_reduce_amax((uint16_t)row, input, CT_NO_DIMS, false)
               : NULL;
}

/* Runs the engine for indices and, if wanted, values, along one dim or over all elements. */
static bool extremes_run(uint16_t row, ct_tensor *input, ct_ints dim, bool keepdim,
                         ct_tensor **values, ct_tensor **indices)
{
    bool reduced[CTI_MAX_DIMS];
    enum ct_dtype dtype = input->dtype;
    if (!cti_mark_dims(input, dim, CTI_ALL_DIMS, reduced))
        return false;
    if (values && !(*values = cti_reduced_empty(input, reduced, dtype)))
        return false;
    if (!(*indices = cti_reduced_empty(input, reduced, CT_INT64)))
        return false;
    struct cti_reduce work = {.row = row,
                              .dtype =
                                  dtype == CT_BOOL ? CT_UINT8 : (uint8_t)cti_dtype_compute(dtype),
                              .out = values ? *values : NULL,
                              .index = *indices,
                              .in = input,
                              .reduced = reduced,
                              .param = ct_value_none()};
    ct_tensor *plain = cti_resolve(input);
    work.in = plain;
    bool good = plain && cti_run_on(&work.work, CTI_ENGINE_reduce, input);
    ct_release(plain);
    if (good && values)
        good = (*values = cti_reduced_take(*values, reduced, keepdim)) != NULL;
    return good && (*indices = cti_reduced_take(*indices, reduced, keepdim)) != NULL;
}

ct_tensor *cti_reduce_arg(uint16_t row, ct_tensor *input, int64_t dim, bool keepdim)
{
    bool reduced[CTI_MAX_DIMS];
    const char *name = row == CTI_ROW_ARGMAX ? "argmax" : "argmin";
    ct_ints dims = cti_one_dim(&dim);
    ct_tensor *indices = NULL;
    if (input->dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_TYPE, "%s(): does not support complex input", name);
    if (input->dtype == CT_BOOL)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "%s(): does not support bool input", name);
    if (!cti_mark_dims(input, dims, CTI_ALL_DIMS, reduced) ||
        !cti_check_not_empty(name, input, dims, false, CT_ERR_INDEX, ""))
        return NULL;
    bool good = extremes_run(row, input, dims, keepdim, NULL, &indices);
    return cti_take_if(indices, good);
}

bool cti_op_extreme_dim(ct_tensor **values, ct_tensor **indices, ct_tensor *input, int64_t dim,
                        bool keepdim, const char *name, int row)
{
    bool reduced[CTI_MAX_DIMS];
    ct_ints dims = ct_ints_of(&dim, 1);
    if (!cti_mark_dims(input, dims, CTI_ALL_DIMS, reduced) ||
        !cti_check_not_empty(name, input, dims, false, CT_ERR_INDEX, ""))
        return false;
    if (input->dtype >= CT_COMPLEX64)
        return cti_refuse(CT_ERR_TYPE, "%s(): does not support complex input", name);
    return extremes_run((uint16_t)row, input, dims, keepdim, values, indices);
}

ct_tensor *cti_op_value_selecting_backward(ct_tensor *grad, int64_t dim, ct_tensor *indices,
                                           ct_ints sizes, bool keepdim)
{
    ct_tensor *whole = cti_empty((int)sizes.n, sizes.v, grad->dtype, grad->storage->device);
    bool lift = !keepdim && sizes.n > 0;
    ct_tensor *g = lift ? cti_view_unsqueeze(grad, dim) : ct_retain(grad);
    ct_tensor *i = lift ? cti_view_unsqueeze(indices, dim) : ct_retain(indices);
    bool good =
        whole && g && i && cti_fill(whole, ct_value_int(0)) && ct_own_scatter_(whole, dim, i, g);
    cti_release_all(g, i);
    return cti_take_if(whole, good);
}
