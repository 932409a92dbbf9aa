/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements diag, diag_embed, fill_diagonal, Vandermonde matrices, and the *_scatter operations,
 * which copy a tensor and replace one view of it. Declared in diagonals.toml; triangles are in
 * triangles.c. */
#include "core/small.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

/* ---- diagonals ---- */

ct_tensor *cti_op_diag(ct_tensor *input, int64_t diagonal)
{
    if (input->ndim == 1)
        return ct_own_diag_embed(input, diagonal, 0, 1);
    if (input->ndim != 2)
        return ct_fail(CT_ERR_RUNTIME, "diag(): Supports 1D or 2D tensors. Got %dD", input->ndim);
    return ct_own_diagonal_copy(input, diagonal, 0, 1);
}

ct_tensor *cti_op_diag_embed(ct_tensor *input, int64_t offset, int64_t dim1, int64_t dim2)
{
    int a, b, from = 0;
    int64_t shape[CTI_MAX_DIMS + 1], size;
    if (!cti_shape_wrap_dim(dim1, input->ndim + 1, &a) ||
        !cti_shape_wrap_dim(dim2, input->ndim + 1, &b))
        return NULL;
    if (a == b)
        return ct_fail(CT_ERR_RUNTIME, "diagonal dimensions cannot be identical %lld, %lld",
                       (long long)dim1, (long long)dim2);
    if (input->ndim == CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    int64_t length = input->ndim ? input->shape[input->ndim - 1] : 1;
    for (int d = 0; d < input->ndim + 1; d++)
        shape[d] = d == a || d == b ? 0 : input->shape[from++];
    if (offset == INT64_MIN || __builtin_add_overflow(length, offset < 0 ? -offset : offset, &size))
        return cti_shape_fail(input->ndim + 1, shape, NULL);
    shape[a] = shape[b] = size;
    ct_tensor *whole = cti_zeros(input->ndim + 1, shape, input->dtype, input->storage->device);
    ct_tensor *view = whole ? cti_view_diagonal(whole, offset, a, b) : NULL;
    bool good = view && cti_copy(view, input);
    ct_release(view);
    return cti_take_new_if(whole, good);
}

/* Returns n elements of self from an offset on, as a differentiable view. */
static ct_tensor *diagonal_view(ct_tensor *self, int64_t n, int64_t step, int64_t offset)
{
    return ct_own_as_strided(self, ct_ints_of(&n, 1), ct_ints_of(&step, 1), offset);
}

bool cti_op_fill_diagonal_(ct_tensor *self, ct_value fill_value, bool wrap)
{
    int64_t step = 0;
    if (self->ndim < 2)
        return cti_refuse(CT_ERR_RUNTIME, "dimensions must larger than 1");
    for (int d = 0; d < self->ndim; d++) {
        if (self->ndim > 2 && self->shape[d] != self->shape[0])
            return cti_refuse(CT_ERR_RUNTIME, "all dimensions of input must be of equal length");
        step = cti_add_sat(step, self->stride[d]);
    }
    int64_t height = self->shape[0], width = self->shape[1];
    int64_t size = height < width ? height : width;
    int64_t again = ceil_div(self->numel, cti_add_sat(width, 1)) - size;
    bool wraps = wrap && self->ndim == 2 && height - 1 > width;
    /* Make both views first, so that nothing is written if one cannot be allocated. */
    ct_tensor *first = diagonal_view(self, size, step, self->offset), *second = NULL;
    if (first && wraps)
        second = diagonal_view(self, again, step, self->offset + self->stride[0] * (width + 1));
    bool good = first && (second || !wraps) && ct_own_fill_(first, fill_value) &&
                (!wraps || ct_own_fill_(second, fill_value));
    cti_release_all(first, second);
    return good;
}

/* ---- a copy with one view replaced ---- */

/* A copy of the whole storage, so that the result has t's strides and offset; an expanded tensor is
 * cloned as usual. */
static ct_tensor *copy_in_place(ct_tensor *t)
{
    for (int d = 0; d < t->ndim; d++)
        if (t->shape[d] > 1 && t->stride[d] == 0)
            return cti_clone(t);
    int64_t n = ct_storage_nbytes(t->storage) / cti_itemsize(t->dtype);
    ct_tensor *all = cti_view(t, 1, &n, &(int64_t){1}, 0);
    ct_tensor *copy = all ? cti_clone(all) : NULL;
    ct_release(all);
    return cti_take_if(
        copy, copy && cti_tensor_set_geometry(copy, t->ndim, t->shape, t->stride, t->offset));
}

static bool check_slice(const ct_tensor *src, const ct_tensor *view)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    return cti_same_shape(src, view->ndim, view->shape) ||
           cti_refuse(CT_ERR_RUNTIME,
                      "expected src to have a size equal to the slice of self. src size = %s, "
                      "slice size = %s",
                      cti_shape_text(a, src->ndim, src->shape),
                      cti_shape_text(b, view->ndim, view->shape));
}

/* Writes src to a view of `copy`; consumes both. */
static ct_tensor *replaced(ct_tensor *copy, ct_tensor *view, ct_tensor *src)
{
    bool good = view && check_slice(src, view) && cti_copy(view, src);
    ct_release(view);
    return cti_take_new_if(copy, good);
}

ct_tensor *cti_op_diagonal_scatter(ct_tensor *input, ct_tensor *src, int64_t offset, int64_t dim1,
                                   int64_t dim2)
{
    ct_tensor *copy = copy_in_place(input);
    return copy ? replaced(copy, cti_view_diagonal(copy, offset, dim1, dim2), src) : NULL;
}

ct_tensor *cti_op_select_scatter(ct_tensor *input, ct_tensor *src, int64_t dim, int64_t index)
{
    ct_tensor *copy = copy_in_place(input);
    return copy ? replaced(copy, cti_view_select(copy, dim, index), src) : NULL;
}

ct_tensor *cti_op_slice_scatter(ct_tensor *input, ct_tensor *src, int64_t dim, int64_t start,
                                int64_t end, int64_t step)
{
    if (step <= 0 && input->ndim)
        return ct_fail(CT_ERR_RUNTIME, "slice step must be positive");
    ct_tensor *copy = copy_in_place(input);
    return copy ? replaced(copy, cti_view_slice(copy, dim, start, end, step), src) : NULL;
}

ct_tensor *cti_op_as_strided_scatter(ct_tensor *input, ct_tensor *src, ct_ints size, ct_ints stride,
                                     int64_t storage_offset)
{
    ct_tensor *copy = ct_own_clone(input, CT_PRESERVE_FORMAT);
    ct_tensor *view = ct_own_as_strided(copy, size, stride, storage_offset);
    bool good = view && check_slice(src, view) && ct_own_copy_(view, src, false);
    ct_release(view);
    return cti_take_if(copy, good);
}

/* ---- Vandermonde matrices ---- */

ct_tensor *cti_op_vander(ct_tensor *x, int64_t N, bool increasing)
{
    if (x->ndim != 1)
        return ct_fail(CT_ERR_RUNTIME, "x must be a one-dimensional tensor.");
    int64_t columns = N == CT_NO_DIM ? x->shape[0] : N, rows = x->shape[0];
    if (columns < 0)
        return ct_fail(CT_ERR_RUNTIME, "N must be non-negative.");
    enum ct_dtype dtype = cti_is_integral(x->dtype, true) ? CT_INT64 : x->dtype;
    ct_tensor *ones = ct_own_ones(CT_INTS(rows, columns ? 1 : 0), dtype, x->storage->device, false);
    if (columns < 2)
        return ones;
    ct_tensor *cast = ct_own_to_dtype(x, dtype), *column = ct_own_unsqueeze(cast, 1);
    ct_tensor *repeated = ct_own_expand(column, CT_INTS(rows, columns - 1), false);
    ct_tensor *powers = ct_own_cumprod(repeated, 1, CT_NO_DTYPE), *both[] = {ones, powers};
    ct_tensor *rising = ct_own_cat(ct_list_of(both, 2), 1);
    ct_tensor *result = increasing ? ct_retain(rising) : ct_own_flip(rising, CT_INTS(1));
    cti_release_all(cast, column, repeated, powers, ones, rising);
    return result;
}
