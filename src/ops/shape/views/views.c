/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the views of views.toml that keep the dtype: transposes, permutations, dims of size 1.
 * No autograd node is made and no element is touched here. Parts of a dim are in parts.c, other
 * shapes in shape.c, reinterpreted bytes in dtype.c. */
#include "ops/shape/views/views.h"
#include "fronts.h"
#include "ops/front.h"

#include <string.h>

/* For in-place forms: gives self the geometry of one of its views, which it consumes. */
static bool take_geometry(ct_tensor *self, ct_tensor *view)
{
    bool good =
        view && cti_tensor_set_geometry(self, view->ndim, view->shape, view->stride, view->offset);
    ct_release(view);
    return good;
}

ct_tensor *cti_view_alias(ct_tensor *input)
{
    return cti_view(input, input->ndim, input->shape, input->stride, input->offset);
}

/* ---- order of dims ---- */

ct_tensor *cti_view_transpose(ct_tensor *input, int64_t dim0, int64_t dim1)
{
    int a, b;
    if (!cti_shape_wrap_dim(dim0, input->ndim, &a) || !cti_shape_wrap_dim(dim1, input->ndim, &b))
        return NULL;
    if (!input->ndim)
        return cti_view_alias(input);
    struct cti_geometry g;
    cti_geometry_of(&g, input);
    g.shape[a] = input->shape[b];
    g.shape[b] = input->shape[a];
    g.stride[a] = input->stride[b];
    g.stride[b] = input->stride[a];
    return cti_geometry_view(&g, input);
}

bool cti_op_transpose_(ct_tensor *self, int64_t dim0, int64_t dim1)
{
    return take_geometry(self, cti_view_transpose(self, dim0, dim1));
}

ct_tensor *cti_view_t(ct_tensor *input)
{
    if (input->ndim > 2)
        return ct_fail(CT_ERR_RUNTIME, "t() expects a tensor with <= 2 dimensions, but self is %dD",
                       input->ndim);
    return input->ndim < 2 ? cti_view_alias(input) : cti_view_transpose(input, 0, 1);
}

bool cti_op_t_(ct_tensor *self)
{
    if (self->ndim > 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "t_() expects a tensor with <= 2 dimensions, but self is %dD",
                          self->ndim);
    return take_geometry(self, cti_view_t(self));
}

/* Wraps the dims of a permutation; duplicates are an error. */
static bool read_permutation(const ct_tensor *t, ct_ints dims, int *order)
{
    uint64_t seen = 0;
    if (dims.n != t->ndim)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "permute(sparse_coo): number of dimensions in the tensor input does not "
            "match the length of the desired ordering of dimensions i.e. input.dim() = "
            "%d is not equal to len(dims) = %lld",
            t->ndim, (long long)dims.n);
    for (int d = 0; d < t->ndim; d++) {
        if (!cti_shape_wrap_dim(dims.v[d], t->ndim, &order[d]))
            return false;
        if (seen >> order[d] & 1)
            return cti_refuse(CT_ERR_RUNTIME, "permute(): duplicate dims are not allowed.");
        seen |= UINT64_C(1) << order[d];
    }
    return true;
}

ct_tensor *cti_view_permute(ct_tensor *input, ct_ints dims)
{
    int order[CTI_MAX_DIMS];
    struct cti_geometry g;
    if (!read_permutation(input, dims, order))
        return NULL;
    cti_geometry_of(&g, input);
    for (int d = 0; d < g.ndim; d++) {
        g.shape[d] = input->shape[order[d]];
        g.stride[d] = input->stride[order[d]];
    }
    return cti_geometry_view(&g, input);
}

ct_tensor *cti_view_permute_backward(ct_tensor *grad, ct_ints dims)
{
    int order[CTI_MAX_DIMS];
    struct cti_geometry g;
    if (!read_permutation(grad, dims, order))
        return NULL;
    cti_geometry_of(&g, grad);
    for (int d = 0; d < g.ndim; d++) {
        g.shape[order[d]] = grad->shape[d];
        g.stride[order[d]] = grad->stride[d];
    }
    return cti_geometry_view(&g, grad);
}

ct_tensor *cti_op_movedim(ct_tensor *input, ct_ints source, ct_ints destination)
{
    int64_t order[CTI_MAX_DIMS];
    bool taken[CTI_MAX_DIMS] = {false};
    int from[CTI_MAX_DIMS], to[CTI_MAX_DIMS];
    char text[CTI_SHAPE_TEXT], other[CTI_SHAPE_TEXT];
    if (source.n > CTI_MAX_DIMS || destination.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    if (source.n != destination.n)
        return ct_fail(CT_ERR_RUNTIME,
                       "movedim: Invalid source or destination dims: source (%s dims) should "
                       "contain the same number of dims as destination (%s dims)",
                       cti_shape_text(text, (int)source.n, source.v),
                       cti_shape_text(other, (int)destination.n, destination.v));
    memset(order, -1, sizeof order);
    for (int64_t i = 0; i < source.n; i++) {
        if (!cti_shape_wrap_dim(source.v[i], input->ndim, &from[i]) ||
            !cti_shape_wrap_dim(destination.v[i], input->ndim, &to[i]))
            return NULL;
        if (taken[from[i]] || order[to[i]] >= 0)
            return ct_fail(CT_ERR_RUNTIME, "movedim: repeated dim in `%s` (%s)",
                           taken[from[i]] ? "source" : "destination",
                           taken[from[i]] ? cti_shape_text(text, (int)source.n, source.v)
                                          : cti_shape_text(text, (int)source.n, destination.v));
        taken[from[i]] = true;
        order[to[i]] = from[i];
    }
    for (int d = 0, next = 0; d < input->ndim; d++) {
        if (order[d] >= 0)
            continue;
        while (taken[next])
            next++;
        order[d] = next++;
    }
    return ct_own_permute(input, ct_ints_of(order, input->ndim));
}

ct_tensor *cti_op_numpy_T(ct_tensor *input)
{
    static bool said, said_of_number;
    int64_t order[CTI_MAX_DIMS];
    if (input->ndim == 0)
        cti_warn_once(&said_of_number, "Tensor.T is deprecated on 0-D tensors. This function is "
                                       "the identity in these cases.");
    else if (input->ndim != 2)
        cti_warn_once(&said,
                      "The use of `x.T` on tensors of dimension other than 2 to reverse their "
                      "shape is deprecated and it will throw an error in a future release. "
                      "Consider `x.mT` to transpose batches of matrices or "
                      "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of "
                      "a tensor.");
    for (int d = 0; d < input->ndim; d++)
        order[d] = input->ndim - 1 - d;
    return ct_own_permute(input, ct_ints_of(order, input->ndim));
}

ct_tensor *cti_op_mT(ct_tensor *input)
{
    static bool said;
    if (input->ndim == 0) {
        cti_warn_once(&said, "Tensor.mT is deprecated on 0-D tensors. This function is the "
                             "identity in these cases.");
        return ct_retain(input);
    }
    if (input->ndim < 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "tensor.mT is only supported on matrices or batches of matrices. Got %d-D "
                       "tensor.",
                       input->ndim);
    return ct_own_transpose(input, -2, -1);
}

ct_tensor *cti_op_adjoint(ct_tensor *input)
{
    if (input->ndim == 1)
        return ct_fail(CT_ERR_RUNTIME, "tensor.adjoint() is only supported on matrices or batches "
                                       "of matrices. Got 1-D tensor.");
    static bool said;
    if (!input->ndim) {
        cti_warn_once(&said, "adjoint() is deprecated on 0-D tensors. Consider using x.conj().");
        return ct_own_conj(input);
    }
    ct_tensor *swapped = ct_own_transpose(input, -2, -1), *result = ct_own_conj(swapped);
    ct_release(swapped);
    return result;
}

/* ---- dims of size 1 ---- */

ct_tensor *cti_view_unsqueeze(ct_tensor *input, int64_t dim)
{
    int d;
    struct cti_geometry g;
    if (!cti_shape_wrap_dim(dim, input->ndim + 1, &d))
        return NULL;
    cti_geometry_of(&g, input);
    for (int i = g.ndim; i > d; i--) {
        g.shape[i] = g.shape[i - 1];
        g.stride[i] = g.stride[i - 1];
    }
    g.stride[d] = d < input->ndim ? cti_stride_times(input->stride[d], input->shape[d]) : 1;
    g.shape[d] = 1;
    g.ndim++;
    return cti_geometry_view(&g, input);
}

bool cti_op_unsqueeze_(ct_tensor *self, int64_t dim)
{
    return take_geometry(self, cti_view_unsqueeze(self, dim));
}

ct_tensor *cti_view_squeeze(ct_tensor *input, ct_ints dim)
{
    struct cti_geometry g;
    uint64_t wanted = 0;
    for (int64_t i = 0; i < dim.n; i++) {
        int d;
        if (!cti_shape_wrap_dim(dim.v[i], input->ndim, &d))
            return NULL;
        if (wanted >> d & 1)
            return ct_fail(CT_ERR_RUNTIME, "dim %d appears multiple times in the list of dims", d);
        wanted |= UINT64_C(1) << d;
    }
    cti_geometry_of(&g, input);
    g.ndim = 0;
    for (int d = 0; d < input->ndim; d++) {
        if (input->shape[d] == 1 && (!dim.v || (wanted >> d & 1)))
            continue;
        g.shape[g.ndim] = input->shape[d];
        g.stride[g.ndim++] = input->stride[d];
    }
    return cti_geometry_view(&g, input);
}

bool cti_op_squeeze_(ct_tensor *self, ct_ints dim)
{
    return take_geometry(self, cti_view_squeeze(self, dim));
}
