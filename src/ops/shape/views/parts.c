/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements views of parts of a dim (select, slice, diagonal, unfold), their derivatives, and the
 * *_copy operations; declared in views.toml and view_copies.toml. No autograd node is made here. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/shape/views/views.h"

/* ---- parts of a dim ---- */

ct_tensor *cti_view_select(ct_tensor *input, int64_t dim, int64_t index)
{
    int d;
    struct cti_geometry g;
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
    cti_geometry_of(&g, input);
    g.offset = cti_offset_by(g.offset, input->stride[d], index < 0 ? index + size : index);
    g.ndim--;
    for (int i = d; i < g.ndim; i++) {
        g.shape[i] = input->shape[i + 1];
        g.stride[i] = input->stride[i + 1];
    }
    return cti_geometry_view(&g, input);
}

/* Python's slice.indices: clips the bounds to the dim. */
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
    struct cti_geometry g;
    if (!input->ndim)
        return ct_fail(CT_ERR_INDEX, "slice() cannot be applied to a 0-dim tensor.");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (step == 0)
        return ct_fail(CT_ERR_VALUE, "slice step cannot be zero");
    clip_slice(input->shape[d], &from, &to, step);
    int64_t span = step > 0 ? to - from : from - to, stride = step > 0            ? step
                                                              : step < -INT64_MAX ? INT64_MAX
                                                                                  : -step;
    cti_geometry_of(&g, input);
    g.shape[d] = span > 0 ? (span - 1) / stride + 1 : 0;
    if (g.shape[d] > 0 || step > 0)
        g.offset = cti_offset_by(g.offset, input->stride[d], from);
    g.stride[d] = cti_stride_times(input->stride[d], step);
    return cti_geometry_view(&g, input);
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
        return ct_fail(CT_ERR_INDEX,
                       "start out of range (expected to be in range of [%lld, %lld], but got %lld)",
                       (long long)-size, (long long)size, (long long)from);
    if (from < 0)
        from += size;
    if (length > size - from)
        return ct_fail(CT_ERR_RUNTIME,
                       "start (%lld) + length (%lld) exceeds dimension size (%lld).",
                       (long long)from, (long long)length, (long long)size);
    return ct_own_slice(input, d, from, from + length, 1);
}

ct_tensor *cti_op_narrow_tensor(ct_tensor *input, int64_t dim, ct_tensor *from, int64_t length)
{
    if (from->ndim || from->dtype == CT_BOOL || ct_dtype_is_floating(from->dtype) ||
        ct_dtype_is_complex(from->dtype))
        return ct_fail(CT_ERR_RUNTIME, "start must be an 0-dim integral Tensor.");
    ct_value start = ct_item_value(from);
    if (start.kind == CT_VALUE_NULL)
        return NULL;
    return cti_op_narrow(input, dim, cti_value_int(start), length);
}

ct_tensor *cti_view_diagonal(ct_tensor *input, int64_t offset, int64_t dim1, int64_t dim2)
{
    int a, b;
    struct cti_geometry g;
    if (!cti_shape_wrap_dim(dim1, input->ndim, &a) || !cti_shape_wrap_dim(dim2, input->ndim, &b))
        return NULL;
    if (a == b)
        return ct_fail(CT_ERR_RUNTIME, "diagonal dimensions cannot be identical %lld, %lld",
                       (long long)dim1, (long long)dim2);
    int64_t rows = input->shape[a] + (offset < 0 ? offset : 0);
    int64_t columns = input->shape[b] - (offset > 0 ? offset : 0);
    int64_t size = rows < columns ? rows : columns;
    cti_geometry_of(&g, input);
    if (size > 0)
        g.offset = offset < 0 ? cti_offset_by(g.offset, input->stride[a], -offset)
                              : cti_offset_by(g.offset, input->stride[b], offset);
    g.ndim = 0;
    for (int d = 0; d < input->ndim; d++)
        if (d != a && d != b) {
            g.shape[g.ndim] = input->shape[d];
            g.stride[g.ndim++] = input->stride[d];
        }
    g.shape[g.ndim] = size > 0 ? size : 0;
    g.stride[g.ndim++] = input->stride[a] + input->stride[b];
    return cti_geometry_view(&g, input);
}

ct_tensor *cti_view_unfold(ct_tensor *input, int64_t dimension, int64_t size, int64_t step)
{
    int d;
    struct cti_geometry g;
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
    cti_geometry_of(&g, input);
    g.shape[g.ndim] = size;
    g.stride[g.ndim] = input->ndim ? input->stride[d] : 1;
    if (input->ndim) {
        g.shape[d] = cti_add_sat((most - size) / step, 1);
        g.stride[d] = cti_stride_times(input->stride[d], step);
    }
    g.ndim++;
    return cti_geometry_view(&g, input);
}

/* ---- derivatives: zeros, with the gradient written to one of the views above ---- */

/* Copies grad into a view of `whole`. Consumes both. */
static ct_tensor *put_back(ct_tensor *whole, ct_tensor *view, ct_tensor *grad)
{
    bool good = view && cti_copy(view, grad);
    ct_release(view);
    return cti_take_if(whole, good);
}

ct_tensor *cti_op_select_backward(ct_tensor *grad, ct_ints sizes, int64_t dim, int64_t index)
{
    ct_tensor *whole = cti_zeros_for(grad, sizes);
    return whole ? put_back(whole, cti_view_select(whole, dim, index), grad) : NULL;
}

ct_tensor *cti_op_slice_backward(ct_tensor *grad, ct_ints sizes, int64_t dim, int64_t from,
                                 int64_t to, int64_t step)
{
    ct_tensor *whole = cti_zeros_for(grad, sizes);
    return whole ? put_back(whole, cti_view_slice(whole, dim, from, to, step), grad) : NULL;
}

ct_tensor *cti_op_diagonal_backward(ct_tensor *grad, ct_ints sizes, int64_t offset, int64_t dim1,
                                    int64_t dim2)
{
    ct_tensor *whole = cti_zeros_for(grad, sizes);
    return whole ? put_back(whole, cti_view_diagonal(whole, offset, dim1, dim2), grad) : NULL;
}

/* Windows may overlap, but elements at one position within the window do not: so one addition per
 * position suffices. */
ct_tensor *cti_op_unfold_backward(ct_tensor *grad, ct_ints sizes, int64_t dim, int64_t size,
                                  int64_t step)
{
    ct_tensor *whole = cti_zeros_for(grad, sizes);
    ct_tensor *windows = whole ? cti_view_unfold(whole, dim, size, step) : NULL;
    bool good = windows != NULL, meta = grad->storage->device.type == CT_META;
    int64_t positions = grad->numel == 0 ? 0 : meta ? 1 : size; /* meta: one step does all checks */
    for (int64_t i = 0; good && i < positions; i++) {
        ct_tensor *to = cti_view_select(windows, -1, i), *from = cti_view_select(grad, -1, i);
        good = to && from && ct_own_add_(to, V(from), ct_value_int(1)) != NULL;
        cti_release_all(to, from);
    }
    ct_release(windows);
    return cti_take_if(whole, good);
}

/* ---- copies of views ---- */

ct_tensor *cti_copy_take(ct_tensor *view)
{
    return cti_replace_take(view, ct_own_clone(view, CT_CONTIGUOUS_FORMAT));
}

ct_tensor *cti_op_slice_copy(ct_tensor *input, int64_t dim, int64_t from, int64_t to, int64_t step)
{
    if (step <= 0) /* PyTorch's message; indexing has Python's */
        return ct_fail(CT_ERR_RUNTIME, "slice step must be positive");
    return cti_view_slice(input, dim, from, to, step);
}

/* Copies parts into the tensors of `out`, as many as `symbol` (in PyTorch's error) expects. Takes
 * `parts`. */
static bool write_parts(const char *name, const char *symbol, const ct_tensor *input, ct_list parts,
                        ct_list out)
{
    bool good = parts.v, asked = cti_wants_grad(input);
    if (good && out.n != parts.n)
        good =
            cti_refuse(CT_ERR_RUNTIME, "%s expected an out= argument of size %lld, got size %lld",
                       symbol, (long long)parts.n, (long long)out.n);
    for (int64_t i = 0; i < out.n && good; i++)
        asked |= cti_wants_grad(out.v[i]);
    if (good && asked && cti_grad_program_enabled())
        good = cti_out_refused(name) != NULL;
    for (int64_t i = 0; i < out.n && good; i++)
        good = cti_out_copy(out.v[i], ct_retain(parts.v[i])) && cti_version_bump(out.v[i]);
    ct_list_release(parts);
    return good;
}

bool cti_op_split_copy_out(ct_tensor *input, int64_t split_size, int64_t dim, ct_list out)
{
    return write_parts("split_copy", "split_copy_Tensor_out()", input,
                       cti_view_split(input, split_size, dim), out);
}

bool cti_op_split_with_sizes_copy_out(ct_tensor *input, ct_ints split_sizes, int64_t dim,
                                      ct_list out)
{
    return write_parts("split_with_sizes_copy", "split_with_sizes_copy_out", input,
                       cti_view_split_with_sizes(input, split_sizes, dim), out);
}

bool cti_op_unbind_copy_out(ct_tensor *input, int64_t dim, ct_list out)
{
    return write_parts("unbind_copy", "unbind_copy_int_out", input, cti_view_unbind(input, dim),
                       out);
}

ct_list cti_copy_list_take(ct_list views)
{
    ct_tensor **v = (ct_tensor **)views.v; /* the list is ours */
    bool good = v;
    for (int64_t i = 0; i < views.n && good; i++) {
        v[i] = cti_copy_take(v[i]);
        good = v[i];
    }
    if (good)
        return views;
    ct_list_release(views);
    return ct_list_of(NULL, 0);
}
