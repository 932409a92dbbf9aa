/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the operations of stacks.toml: atleast_1d to atleast_3d, hstack, tensor_split and
 * their relatives. After PyTorch's checks they call the differentiable operations of join.toml and
 * views.toml. */
#include "core/alloc.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <string.h>

/* f(t) for each tensor, as an owned list. */
static ct_list each(ct_list tensors, ct_tensor *(*f)(ct_tensor *))
{
    ct_tensor **made = cti_calloc((size_t)(tensors.n ? tensors.n : 1), sizeof *made);
    bool good = made;
    for (int64_t i = 0; good && i < tensors.n; i++)
        good = (made[i] = f(tensors.v[i]));
    return cti_list_take_if(made, tensors.n, good);
}

/* Joins f(t) of all tensors along a dim. */
static ct_tensor *join_each(ct_list tensors, ct_tensor *(*f)(ct_tensor *), int64_t dim)
{
    ct_list made = each(tensors, f);
    ct_tensor *result = made.v ? ct_own_cat(made, dim) : NULL;
    ct_list_release(made);
    return result;
}

/* ---- more dims ---- */

static ct_tensor *number_with_dims(ct_tensor *input, int64_t ndim)
{
    return ct_own_reshape(input, ct_ints_of((int64_t[]){1, 1, 1}, ndim));
}

ct_tensor *cti_op_atleast_1d(ct_tensor *input)
{
    return input->ndim ? ct_retain(input) : number_with_dims(input, 1);
}

ct_tensor *cti_op_atleast_2d(ct_tensor *input)
{
    if (input->ndim == 0)
        return number_with_dims(input, 2);
    return input->ndim == 1 ? ct_own_unsqueeze(input, 0) : ct_retain(input);
}

ct_tensor *cti_op_atleast_3d(ct_tensor *input)
{
    if (input->ndim == 0)
        return number_with_dims(input, 3);
    if (input->ndim > 2)
        return ct_retain(input);
    if (input->ndim == 2)
        return ct_own_unsqueeze(input, 2);
    ct_tensor *row = ct_own_unsqueeze(input, 0), *result = ct_own_unsqueeze(row, 2);
    ct_release(row);
    return result;
}

ct_list cti_op_atleast_Sequence(ct_list tensors, int ndim)
{
    return each(tensors, ndim == 1   ? cti_op_atleast_1d
                         : ndim == 2 ? cti_op_atleast_2d
                                     : cti_op_atleast_3d);
}

/* ---- stacks ---- */

static bool not_empty(ct_list tensors, const char *name)
{
    return tensors.n || cti_refuse(CT_ERR_RUNTIME, "%s expects a non-empty TensorList", name);
}

ct_tensor *cti_op_hstack(ct_list tensors)
{
    if (!not_empty(tensors, "hstack"))
        return NULL;
    return join_each(tensors, cti_op_atleast_1d, tensors.v[0]->ndim <= 1 ? 0 : 1);
}

ct_tensor *cti_op_vstack(ct_list tensors)
{
    return not_empty(tensors, "vstack") ? join_each(tensors, cti_op_atleast_2d, 0) : NULL;
}

ct_tensor *cti_op_dstack(ct_list tensors)
{
    return not_empty(tensors, "dstack") ? join_each(tensors, cti_op_atleast_3d, 2) : NULL;
}

static ct_tensor *to_column(ct_tensor *t)
{
    return t->ndim > 1 ? ct_retain(t) : ct_own_reshape(t, CT_INTS(t->numel, 1));
}

ct_tensor *cti_op_column_stack(ct_list tensors)
{
    return not_empty(tensors, "column_stack") ? join_each(tensors, to_column, 1) : NULL;
}

/* ---- splits ---- */

static bool check_split(const ct_tensor *input, int64_t dim, int *d)
{
    if (!input->ndim)
        return cti_refuse(CT_ERR_RUNTIME,
                          "tensor_split expected at least a 1-dimensional tensor, but "
                          "got a tensor with 0 dims");
    return cti_shape_wrap_dim(dim, input->ndim, d);
}

/* n parts of input along d; part i is [starts[i], starts[i + 1]). */
static ct_list parts(ct_tensor *input, int d, const int64_t *starts, int64_t n)
{
    ct_tensor **part = cti_calloc((size_t)n, sizeof *part);
    bool good = part;
    for (int64_t i = 0; good && i < n; i++)
        good = (part[i] = ct_own_slice(input, d, starts[i], starts[i + 1], 1));
    return cti_list_take_if(part, n, good);
}

ct_list cti_op_tensor_split(ct_tensor *input, int64_t sections, int64_t dim)
{
    int d;
    if (!check_split(input, dim, &d))
        return CT_NO_LIST;
    if (sections <= 0)
        return cti_no_list(ct_fail(CT_ERR_RUNTIME,
                                   "number of sections must be larger than 0, got %lld",
                                   (long long)sections));
    int64_t *starts = cti_calloc((size_t)sections + 1, sizeof *starts);
    if (!starts)
        return CT_NO_LIST;
    int64_t least = input->shape[d] / sections, longer = input->shape[d] % sections;
    for (int64_t i = 0; i < sections; i++)
        starts[i + 1] = starts[i] + least + (i < longer);
    ct_list result = parts(input, d, starts, sections);
    cti_free(starts);
    return result;
}

ct_list cti_op_tensor_split_indices(ct_tensor *input, ct_ints indices, int64_t dim)
{
    int d;
    if (!check_split(input, dim, &d))
        return CT_NO_LIST;
    int64_t *starts = cti_calloc((size_t)indices.n + 2, sizeof *starts);
    if (!starts)
        return CT_NO_LIST;
    if (indices.n)
        memcpy(starts + 1, indices.v, sizeof *starts * (size_t)indices.n);
    starts[indices.n + 1] = input->shape[d];
    ct_list result = parts(input, d, starts, indices.n + 1);
    cti_free(starts);
    return result;
}

ct_list cti_op_tensor_split_tensor(ct_tensor *input, ct_tensor *by, int64_t dim)
{
    if (by->dtype != CT_INT64)
        return cti_no_list(ct_fail(
            CT_ERR_RUNTIME,
            "tensor_split expected tensor_indices_or_sections to have dtype of long, but got %s",
            cti_dtype_scalar_name(by->dtype)));
    if (by->ndim > 1)
        return cti_no_list(
            ct_fail(CT_ERR_RUNTIME,
                    "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
                    "one-dimensional tensor, but got a tensor with %d dims",
                    by->ndim));
    if (by->storage->device.type == CT_META)
        return cti_no_list(
            ct_fail(CT_ERR_RUNTIME, "Tensor.item() cannot be called on meta tensors"));
    if (by->ndim == 0)
        return cti_op_tensor_split(input, cti_value_int(ct_item_value(by)), dim);
    int64_t *at = cti_calloc((size_t)by->numel + 1, sizeof *at);
    bool good = at;
    for (int64_t i = 0; good && i < by->numel; i++) {
        ct_tensor *one = cti_view_select(by, 0, i);
        good = one;
        at[i] = one ? cti_value_int(ct_item_value(one)) : 0;
        ct_release(one);
    }
    ct_list result =
        good ? cti_op_tensor_split_indices(input, ct_ints_of(at, by->numel), dim) : CT_NO_LIST;
    cti_free(at);
    return result;
}

/* The dim along which hsplit, vsplit or dsplit splits; -1: refused. */
static int cut_dim(const ct_tensor *input, const char *name)
{
    int least = *name == 'h' ? 1 : *name == 'v' ? 2 : 3;
    if (input->ndim >= least)
        return *name == 'v' || input->ndim == 1 ? 0 : *name == 'h' ? 1 : 2;
    ct_fail(CT_ERR_RUNTIME,
            "torch.%s requires a tensor with at least %d dimension, but got a tensor with %d "
            "dimensions!",
            name, least, input->ndim);
    return -1;
}

ct_list cti_op_split_evenly(ct_tensor *input, int64_t sections, const char *name)
{
    int d = cut_dim(input, name);
    if (d < 0)
        return CT_NO_LIST;
    int64_t size = input->shape[d];
    if (sections == 0 || size % sections)
        return cti_no_list(ct_fail(CT_ERR_RUNTIME,
                                   "torch.%s attempted to split along dimension %d, but the "
                                   "size of the dimension %lld is not divisible by the split_size "
                                   "%lld!",
                                   name, d, (long long)size, (long long)sections));
    return cti_op_tensor_split(input, sections, d);
}

ct_list cti_op_split_at(ct_tensor *input, ct_ints indices, const char *name)
{
    int d = cut_dim(input, name);
    return d < 0 ? CT_NO_LIST : cti_op_tensor_split_indices(input, indices, d);
}
