/* SPDX-License-Identifier: BSD-3-Clause */
/* Views that keep a tensor's data type: sizes, strides and offsets computed from others. The rows
 * of views.toml call these; nothing is recorded here, no element is touched. What changes the
 * meaning of the bytes is in views_dtype.c, shapes in views_shape.c. */
#include "ops/views.h"
#include "fronts.h"
#include "ops/front.h"

#include <string.h>

/* A view with t's geometry changed by the caller. */
struct geometry {
    int ndim;
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS], offset;
};

static void start(struct geometry *g, const ct_tensor *t)
{
    g->ndim = t->ndim;
    g->offset = t->offset;
    memcpy(g->shape, t->shape, sizeof(int64_t) * t->ndim);
    memcpy(g->stride, t->stride, sizeof(int64_t) * t->ndim);
}

static ct_tensor *finish(const struct geometry *g, ct_tensor *t)
{
    return cti_view(t, g->ndim, g->shape, g->stride, g->offset);
}

/* In place: self takes the geometry of one of its views. */
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
    struct geometry g;
    start(&g, input);
    g.shape[a] = input->shape[b];
    g.shape[b] = input->shape[a];
    g.stride[a] = input->stride[b];
    g.stride[b] = input->stride[a];
    return finish(&g, input);
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
        return ct_fail(CT_ERR_RUNTIME,
                       "t_() expects a tensor with <= 2 dimensions, but self is %dD",
                       self->ndim) != NULL;
    return take_geometry(self, cti_view_t(self));
}

/* Dims counted from 0, each once. */
static bool order_of(const ct_tensor *t, ct_ints dims, int *order)
{
    uint64_t seen = 0;
    if (dims.n != t->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "permute(sparse_coo): number of dimensions in the tensor input does not "
                       "match the length of the desired ordering of dimensions i.e. input.dim() = "
                       "%d is not equal to len(dims) = %lld",
                       t->ndim, (long long)dims.n) != NULL;
    for (int d = 0; d < t->ndim; d++) {
        if (!cti_shape_wrap_dim(dims.v[d], t->ndim, &order[d]))
            return false;
        if (seen >> order[d] & 1)
            return ct_fail(CT_ERR_RUNTIME, "permute(): duplicate dims are not allowed.") != NULL;
        seen |= UINT64_C(1) << order[d];
    }
    return true;
}

ct_tensor *cti_view_permute(ct_tensor *input, ct_ints dims)
{
    int order[CTI_MAX_DIMS];
    struct geometry g;
    if (!order_of(input, dims, order))
        return NULL;
    start(&g, input);
    for (int d = 0; d < g.ndim; d++) {
        g.shape[d] = input->shape[order[d]];
        g.stride[d] = input->stride[order[d]];
    }
    return finish(&g, input);
}

ct_tensor *cti_view_permute_backward(ct_tensor *grad, ct_ints dims)
{
    int order[CTI_MAX_DIMS];
    struct geometry g;
    if (!order_of(grad, dims, order))
        return NULL;
    start(&g, grad);
    for (int d = 0; d < g.ndim; d++) {
        g.shape[order[d]] = grad->shape[d];
        g.stride[order[d]] = grad->stride[d];
    }
    return finish(&g, grad);
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
    int64_t order[CTI_MAX_DIMS];
    for (int d = 0; d < input->ndim; d++)
        order[d] = input->ndim - 1 - d;
    return ct_own_permute(input, ct_ints_of(order, input->ndim));
}

ct_tensor *cti_op_mT(ct_tensor *input)
{
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
    if (!input->ndim)
        return ct_own_conj(input);
    ct_tensor *swapped = ct_own_transpose(input, -2, -1), *result = ct_own_conj(swapped);
    ct_release(swapped);
    return result;
}

/* ---- dims of size 1 ---- */

ct_tensor *cti_view_unsqueeze(ct_tensor *input, int64_t dim)
{
    int d;
    struct geometry g;
    if (!cti_shape_wrap_dim(dim, input->ndim + 1, &d))
        return NULL;
    start(&g, input);
    for (int i = g.ndim; i > d; i--) {
        g.shape[i] = g.shape[i - 1];
        g.stride[i] = g.stride[i - 1];
    }
    g.stride[d] = d < input->ndim ? input->shape[d] * input->stride[d] : 1;
    g.shape[d] = 1;
    g.ndim++;
    return finish(&g, input);
}

bool cti_op_unsqueeze_(ct_tensor *self, int64_t dim)
{
    return take_geometry(self, cti_view_unsqueeze(self, dim));
}

ct_tensor *cti_view_squeeze(ct_tensor *input, ct_ints dim)
{
    struct geometry g;
    uint64_t wanted = 0;
    for (int64_t i = 0; i < dim.n; i++) {
        int d;
        if (!cti_shape_wrap_dim(dim.v[i], input->ndim, &d))
            return NULL;
        if (wanted >> d & 1)
            return ct_fail(CT_ERR_RUNTIME, "dim %d appears multiple times in the list of dims", d);
        wanted |= UINT64_C(1) << d;
    }
    start(&g, input);
    g.ndim = 0;
    for (int d = 0; d < input->ndim; d++) {
        if (input->shape[d] == 1 && (!dim.v || (wanted >> d & 1)))
            continue;
        g.shape[g.ndim] = input->shape[d];
        g.stride[g.ndim++] = input->stride[d];
    }
    return finish(&g, input);
}

bool cti_op_squeeze_(ct_tensor *self, ct_ints dim)
{
    return take_geometry(self, cti_view_squeeze(self, dim));
}

/* ---- parts of a dim ---- */

ct_tensor *cti_view_select(ct_tensor *input, int64_t dim, int64_t index)
{
    int d;
    struct geometry g;
    if (!input->ndim)
        return ct_fail(CT_ERR_INDEX, "select() cannot be applied to a 0-dim tensor.");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    int64_t size = input->shape[d];
    if (index < -size || index >= size) {
        char text[CTI_SHAPE_TEXT];
        return ct_fail(CT_ERR_INDEX,
                       "select(): index %lld out of range for tensor of size %s at dimension %d",
                       (long long)index, cti_shape_text(text, input->ndim, input->shape), d);
    }
    start(&g, input);
    g.offset += (index < 0 ? index + size : index) * input->stride[d];
    g.ndim--;
    for (int i = d; i < g.ndim; i++) {
        g.shape[i] = input->shape[i + 1];
        g.stride[i] = input->stride[i + 1];
    }
    return finish(&g, input);
}

/* Python's slice.indices: bounds clipped to the dim. */
static void clip_slice(int64_t size, int64_t *from, int64_t *to, int64_t step)
{
    int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
    if (*from == CT_NO_DIM)
        *from = step > 0 ? least : most;
    else if (*from < 0)
        *from = *from + size < least ? least : *from + size;
    if (*from > most)
        *from = most;
    if (*to == CT_NO_DIM)
        *to = step > 0 ? most : least;
    else if (*to < 0)
        *to = *to + size < least ? least : *to + size;
    if (*to > most)
        *to = most;
}

ct_tensor *cti_view_slice(ct_tensor *input, int64_t dim, int64_t from, int64_t to, int64_t step)
{
    int d;
    struct geometry g;
    if (!input->ndim)
        return ct_fail(CT_ERR_INDEX, "slice() cannot be applied to a 0-dim tensor.");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (step == 0)
        return ct_fail(CT_ERR_VALUE, "slice step cannot be zero");
    clip_slice(input->shape[d], &from, &to, step);
    int64_t span = step > 0 ? to - from : from - to, stride = step > 0 ? step : -step;
    start(&g, input);
    g.shape[d] = span > 0 ? (span - 1) / stride + 1 : 0;
    if (g.shape[d] > 0 || step > 0)
        g.offset += from * input->stride[d];
    g.stride[d] = input->stride[d] * step;
    return finish(&g, input);
}

ct_tensor *cti_op_narrow(ct_tensor *input, int64_t dim, int64_t from, int64_t length)
{
    int d;
    if (!input->ndim)
        return ct_fail(CT_ERR_RUNTIME, "narrow() cannot be applied to a 0-dim tensor.");
    if (length < 0)
        return ct_fail(CT_ERR_RUNTIME, "narrow(): length must be non-negative.");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    int64_t size = input->shape[d];
    if (from < -size || from > size)
        return ct_fail(
            CT_ERR_INDEX,
            "start out of range (expected to be in range of [-%lld, %lld], but got %lld)",
            (long long)size, (long long)size, (long long)from);
    if (from < 0)
        from += size;
    if (length > size - from)
        return ct_fail(CT_ERR_RUNTIME,
                       "start (%lld) + length (%lld) exceeds dimension size (%lld).",
                       (long long)from, (long long)length, (long long)size);
    return ct_own_slice(input, d, from, from + length, 1);
}

ct_tensor *cti_view_diagonal(ct_tensor *input, int64_t offset, int64_t dim1, int64_t dim2)
{
    int a, b;
    struct geometry g;
    if (!cti_shape_wrap_dim(dim1, input->ndim, &a) || !cti_shape_wrap_dim(dim2, input->ndim, &b))
        return NULL;
    if (a == b)
        return ct_fail(CT_ERR_RUNTIME, "diagonal dimensions cannot be identical %lld, %lld",
                       (long long)dim1, (long long)dim2);
    int64_t rows = input->shape[a] + (offset < 0 ? offset : 0);
    int64_t columns = input->shape[b] - (offset > 0 ? offset : 0);
    int64_t size = rows < columns ? rows : columns;
    start(&g, input);
    if (size > 0)
        g.offset += offset < 0 ? -offset * input->stride[a] : offset * input->stride[b];
    g.ndim = 0;
    for (int d = 0; d < input->ndim; d++)
        if (d != a && d != b) {
            g.shape[g.ndim] = input->shape[d];
            g.stride[g.ndim++] = input->stride[d];
        }
    g.shape[g.ndim] = size > 0 ? size : 0;
    g.stride[g.ndim++] = input->stride[a] + input->stride[b];
    return finish(&g, input);
}

ct_tensor *cti_view_unfold(ct_tensor *input, int64_t dimension, int64_t size, int64_t step)
{
    int d;
    struct geometry g;
    if (!cti_shape_wrap_dim(dimension, input->ndim, &d))
        return NULL;
    int64_t most = input->ndim ? input->shape[d] : 1;
    if (size < 0)
        return ct_fail(CT_ERR_RUNTIME, "size is %lld but must be >= 0", (long long)size);
    if (size > most)
        return ct_fail(CT_ERR_RUNTIME,
                       "maximum size for tensor at dimension %d is %lld but size is %lld", d,
                       (long long)most, (long long)size);
    if (step <= 0)
        return ct_fail(CT_ERR_RUNTIME, "step is %lld but must be > 0", (long long)step);
    start(&g, input);
    g.shape[g.ndim] = size;
    g.stride[g.ndim] = input->ndim ? input->stride[d] : 1;
    if (input->ndim) {
        g.shape[d] = (most - size) / step + 1;
        g.stride[d] = step * input->stride[d];
    }
    g.ndim++;
    return finish(&g, input);
}

/* ---- derivatives: zeros with the gradient in one of the views above ---- */

static ct_tensor *zeros_for(ct_tensor *grad, ct_ints sizes)
{
    int ndim = (int)sizes.n;
    ct_tensor *whole = cti_empty(ndim, sizes.v, (enum ct_dtype)grad->dtype, grad->storage->device);
    return cti_take_if(whole, whole && cti_fill(whole, ct_value_int(0)));
}

/* Takes both: copies grad into a view of whole. */
static ct_tensor *put_back(ct_tensor *whole, ct_tensor *view, ct_tensor *grad)
{
    bool good = view && cti_copy(view, grad);
    ct_release(view);
    return cti_take_if(whole, good);
}

ct_tensor *cti_op_select_backward(ct_tensor *grad, ct_ints sizes, int64_t dim, int64_t index)
{
    ct_tensor *whole = zeros_for(grad, sizes);
    return whole ? put_back(whole, cti_view_select(whole, dim, index), grad) : NULL;
}

ct_tensor *cti_op_slice_backward(ct_tensor *grad, ct_ints sizes, int64_t dim, int64_t from,
                                 int64_t to, int64_t step)
{
    ct_tensor *whole = zeros_for(grad, sizes);
    return whole ? put_back(whole, cti_view_slice(whole, dim, from, to, step), grad) : NULL;
}

ct_tensor *cti_op_diagonal_backward(ct_tensor *grad, ct_ints sizes, int64_t offset, int64_t dim1,
                                    int64_t dim2)
{
    ct_tensor *whole = zeros_for(grad, sizes);
    return whole ? put_back(whole, cti_view_diagonal(whole, offset, dim1, dim2), grad) : NULL;
}

/* Windows may overlap, so each place within the window is added by itself: as one view of the
 * result they never meet. */
ct_tensor *cti_op_unfold_backward(ct_tensor *grad, ct_ints sizes, int64_t dim, int64_t size,
                                  int64_t step)
{
    ct_tensor *whole = zeros_for(grad, sizes);
    ct_tensor *windows = whole ? cti_view_unfold(whole, dim, size, step) : NULL;
    bool good = windows != NULL;
    for (int64_t i = 0; good && i < size; i++) {
        ct_tensor *to = cti_view_select(windows, -1, i), *from = cti_view_select(grad, -1, i);
        good = to && from && ct_own_add_(to, ct_value_tensor(from), ct_value_int(1)) != NULL;
        ct_release(to);
        ct_release(from);
    }
    ct_release(windows);
    return cti_take_if(whole, good);
}
