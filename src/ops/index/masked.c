/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements masked_select, masked_fill, masked_scatter, nonzero and argwhere, declared in
 * index.toml: PyTorch's checks and error messages, then the index engine. No autograd node is made
 * here. */
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/note.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/index/index.h"
#include "ops/pointwise/pointwise.h"

/* ---- masked_select ---- */

/* t broadcast to a shape, contiguous, flags resolved; the caller owns it. */
static ct_tensor *broadcast_contiguous(ct_tensor *t, int ndim, const int64_t *shape)
{
    if (cti_same_shape(t, ndim, shape))
        return cti_contiguous(t);
    ct_tensor *view = cti_broadcast_view(t, ndim, shape);
    return cti_replace_take(view, view ? cti_contiguous(view) : NULL);
}

/* Computes the shape that a tensor and its mask broadcast to. */
static bool shape_with(const ct_tensor *t, const ct_tensor *mask, int *ndim, int64_t *shape)
{
    *ndim = mask->ndim;
    for (int d = 0; d < mask->ndim; d++)
        shape[d] = mask->shape[d];
    return cti_shape_broadcast(ndim, shape, t->ndim, t->shape);
}

ct_tensor *cti_masked_select(ct_tensor *self, ct_tensor *mask)
{
    int ndim;
    int64_t shape[CTI_MAX_DIMS];
    ct_tensor *in = NULL, *where = NULL, *out = NULL;
    if (!shape_with(self, mask, &ndim, shape))
        return NULL;
    in = broadcast_contiguous(self, ndim, shape);
    where = in ? broadcast_contiguous(mask, ndim, shape) : NULL;
    if (where) {
        int64_t count = where->numel ? cti_count_nonzero(where) : 0;
        if (count >= 0)
            out = cti_empty(1, &count, in->dtype, in->storage->device);
        if (out && count && !CTI_RUN(masked_select, in, .out = out, .in = in, .mask = where))
            out = cti_replace_take(out, NULL);
    }
    cti_release_all(in, where);
    return out;
}

ct_tensor *cti_op_masked_select(ct_tensor *input, ct_tensor *mask)
{
    if (mask->dtype != CT_BOOL)
        return ct_fail(CT_ERR_RUNTIME, "masked_select: expected BoolTensor for mask");
    return cti_masked_select(input, mask);
}

/* ---- masked_fill ---- */

static bool check_fill_value(ct_value value)
{
    return value.kind != CT_VALUE_TENSOR || !value.as.tensor->ndim ||
           ct_fail(CT_ERR_RUNTIME,
                   "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                   "%d dimension(s).",
                   value.as.tensor->ndim);
}

/* Reads the value as a number and checks that it fits self's dtype. */
static bool fill_value(ct_tensor *self, ct_value *value)
{
    if (value->kind == CT_VALUE_TENSOR)
        *value = ct_item_value(value->as.tensor);
    return value->kind != CT_VALUE_NULL && cti_number_fits(*value, self->dtype);
}

static bool check_fill_mask(const ct_tensor *mask)
{
    if (mask->dtype == CT_BOOL)
        return true;
    ct_fail(CT_ERR_RUNTIME, "masked_fill_ only supports boolean masks, but got mask with dtype %s",
            cti_dtype_cpp_name(mask->dtype));
    return cti_note("use mask.bool(), or a comparison such as mask != 0");
}

/* Whether elements of t overlap: what one mask position selects would be visible at another. */
static bool repeats_itself(const ct_tensor *t)
{
    for (int d = 0; d < t->ndim; d++)
        if (t->stride[d] == 0 && t->shape[d] > 1)
            return true;
    return false;
}

/* out = where(mask, number, self) */
static bool fill_where(ct_tensor *out, ct_tensor *mask, ct_tensor *number, ct_tensor *self)
{
    const ct_value operand[] = {V(mask), V(number), V(self)};
    return cti_pointwise(CTI_ROW_WHERE, out, operand, 3) != NULL;
}

bool cti_masked_fill(ct_tensor *self, ct_tensor *mask, ct_value value)
{
    struct cti_target to;
    if (self->numel == 0)
        return true;
    cti_warn_expanded(self, "masked_fill_", "tensor[mask] = scalar");
    if (!cti_target_begin(&to, self, false))
        return false;
    ct_tensor *number = cti_number_tensor(value, self->dtype, self->storage->device);
    bool good = number != NULL;
    if (good && repeats_itself(to.work)) {
        ct_tensor *where = broadcast_contiguous(mask, self->ndim, self->shape);
        good = where && CTI_RUN(masked_put, self, .self = to.work, .mask = where, .src = number);
        ct_release(where);
    } else if (good) {
        good = fill_where(to.work, mask, number, to.work);
    }
    good = cti_target_end(&to, good);
    ct_release(number);
    return good;
}

bool cti_op_masked_fill_(ct_tensor *self, ct_tensor *mask, ct_value value)
{
    int ndim = self->ndim;
    int64_t shape[CTI_MAX_DIMS];
    if (!check_fill_value(value) || !check_fill_mask(mask))
        return false;
    for (int d = 0; d < ndim; d++)
        shape[d] = self->shape[d];
    if (!cti_shape_broadcast(&ndim, shape, mask->ndim, mask->shape))
        return false;
    if (!cti_same_shape(self, ndim, shape)) {
        char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
        return ct_fail(CT_ERR_RUNTIME, "output with shape %s doesn't match the broadcast shape %s",
                       cti_shape_text(a, self->ndim, self->shape), cti_shape_text(b, ndim, shape));
    }
    return fill_value(self, &value) && cti_masked_fill(self, mask, value);
}

/* The function form returns a contiguous result with the broadcast shape. */
ct_tensor *cti_op_masked_fill(ct_tensor *input, ct_tensor *mask, ct_value value)
{
    int ndim;
    int64_t shape[CTI_MAX_DIMS];
    if (!shape_with(input, mask, &ndim, shape) || !check_fill_value(value) ||
        !check_fill_mask(mask) || !fill_value(input, &value))
        return NULL;
    enum ct_dtype dtype = input->dtype;
    struct ct_device device = input->storage->device;
    ct_tensor *number = cti_number_tensor(value, dtype, device);
    ct_tensor *out = number ? cti_empty(ndim, shape, dtype, device) : NULL;
    bool good = out && fill_where(out, mask, number, input);
    ct_release(number);
    return cti_take_if(out, good);
}

/* ---- masked_scatter ---- */

bool cti_op_masked_scatter_(ct_tensor *self, ct_tensor *mask, ct_tensor *source)
{
    enum ct_dtype dtype = self->dtype, other = source->dtype;
    if (dtype != other)
        return ct_fail(CT_ERR_RUNTIME,
                       "masked_scatter: expected self and source to have same dtypes but got%s and "
                       "%s",
                       cti_dtype_scalar_name(dtype), cti_dtype_scalar_name(other));
    if (mask->dtype != CT_BOOL)
        return ct_fail(CT_ERR_RUNTIME,
                       "masked_scatter_ only supports boolean masks, but got mask with dtype %s",
                       cti_dtype_scalar_name(mask->dtype));
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (mask->ndim > self->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "expand(CPUBoolType{%s}, size=%s): the number of sizes provided (%d) must "
                       "be greater or equal to the number of dimensions in the tensor (%d)",
                       cti_shape_text(a, mask->ndim, mask->shape),
                       cti_shape_text(b, self->ndim, self->shape), self->ndim, mask->ndim);
    ct_tensor *expanded = cti_view_expand(mask, cti_shape_of(self), true);
    ct_release(expanded);
    if (!expanded)
        return false;
    struct cti_target to;
    if (self->numel == 0)
        return true;
    if (!cti_shape_check_writable(self) || !cti_target_begin(&to, self, false))
        return false;
    ct_tensor *from = broadcast_contiguous(source, source->ndim, source->shape), *flat = NULL,
              *where = NULL;
    if (from) /* 1-d, because the engine would repeat a 0-d source */
        flat = cti_view(from, 1, &from->numel, &(int64_t){1}, from->offset);
    where = flat ? broadcast_contiguous(mask, self->ndim, self->shape) : NULL;
    bool good = where && CTI_RUN(masked_put, self, .self = to.work, .mask = where, .src = flat);
    good = cti_target_end(&to, good);
    cti_release_all(from, flat, where);
    return good;
}

/* self broadcasts to the mask's shape. */
ct_tensor *cti_op_masked_scatter(ct_tensor *input, ct_tensor *mask, ct_tensor *source)
{
    int ndim;
    int64_t shape[CTI_MAX_DIMS];
    if (!shape_with(input, mask, &ndim, shape))
        return NULL;
    ct_tensor *out = cti_empty(ndim, shape, input->dtype, input->storage->device);
    return cti_take_if(out,
                       out && cti_copy(out, input) && cti_op_masked_scatter_(out, mask, source));
}

/* The gradient of masked_scatter with respect to its source: the masked elements of `grad`,
 * then zeros. */
ct_tensor *cti_op_masked_scatter_backward(ct_tensor *grad, ct_tensor *mask, ct_ints sizes)
{
    ct_tensor *result = cti_zeros_for(grad, sizes);
    ct_tensor *chosen = result ? cti_masked_select(grad, mask) : NULL, *head = NULL, *tail = NULL;
    if (chosen) {
        int64_t n = chosen->numel < result->numel ? chosen->numel : result->numel;
        head = cti_view(result, 1, &n, &(int64_t){1}, result->offset);
        tail = cti_view(chosen, 1, &n, &(int64_t){1}, chosen->offset);
    }
    bool good = head && tail && cti_copy(head, tail);
    cti_release_all(head, tail, chosen);
    return cti_take_if(result, good);
}

/* The gradient of masked_select: zeros of the broadcast shape with `grad` at the masked
 * positions. */
ct_tensor *cti_op_masked_select_backward(ct_tensor *grad, ct_tensor *input, ct_tensor *mask)
{
    int ndim;
    int64_t shape[CTI_MAX_DIMS];
    if (!shape_with(input, mask, &ndim, shape))
        return NULL;
    enum ct_dtype dtype = grad->dtype;
    ct_tensor *result = cti_same_shape(input, ndim, shape)
                            ? cti_empty_like(input, dtype, CT_PRESERVE_FORMAT)
                            : cti_empty(ndim, shape, dtype, grad->storage->device);
    return cti_take_if(result, result && cti_fill(result, ct_value_int(0)) &&
                                   cti_op_masked_scatter_(result, mask, grad));
}

/* ---- nonzero ---- */

ct_tensor *cti_nonzero(ct_tensor *t)
{
    ct_tensor *in = cti_contiguous(t), *out = NULL;
    if (!in)
        return NULL;
    int64_t count = in->numel ? cti_count_nonzero(in) : 0;
    int64_t shape[2] = {count, in->ndim};
    /* As in PyTorch, the result is a transposed [ndim, count] tensor. */
    int64_t stride[2] = {1, !count ? 0 : in->ndim ? count : 1};
    if (count >= 0)
        out = cti_empty_strided(2, shape, stride, CT_INT64, in->storage->device);
    if (out && out->numel && !CTI_RUN(nonzero, in, .out = out, .in = in))
        out = cti_replace_take(out, NULL);
    ct_release(in);
    return out;
}

ct_tensor *cti_op_nonzero(ct_tensor *input)
{
    return cti_nonzero(input);
}

/* One index tensor per dim; a 0-d input counts as 1-d. */
ct_list cti_op_nonzero_numpy(ct_tensor *input)
{
    ct_list failed = {NULL, 0};
    int64_t one = 1;
    ct_tensor *flat =
        input->ndim ? ct_retain(input) : cti_view(input, 1, &one, &one, input->offset);
    ct_tensor *positions = flat ? cti_nonzero(flat) : NULL;
    ct_release(flat);
    int64_t n = positions ? positions->shape[1] : 0;
    ct_tensor **v = positions ? cti_calloc((size_t)(n ? n : 1), sizeof *v) : NULL;
    bool good = v != NULL;
    for (int64_t d = 0; good && d < n; d++) {
        int64_t offset = positions->offset + d * positions->stride[1];
        ct_tensor *column = cti_view(positions, 1, positions->shape, positions->stride, offset);
        v[d] = column ? cti_alias(column) : NULL;
        ct_release(column);
        good = v[d] != NULL;
    }
    ct_release(positions);
    if (good)
        return ct_list_of(v, n);
    for (int64_t d = 0; v && d < n; d++)
        ct_release(v[d]);
    cti_free(v);
    return failed;
}

ct_tensor *cti_op_count_nonzero(ct_tensor *input, ct_ints dim)
{
    bool is_truth = input->dtype == CT_BOOL;
    ct_tensor *truth = is_truth ? ct_retain(input) : ct_own_ne(V(input), ct_value_int(0));
    if (!truth)
        return NULL;
    ct_tensor *result = NULL;
    if ((dim.v && dim.n) || !(truth->flags & CTI_CONTIGUOUS)) {
        result = ct_own_sum(truth, dim, false, CT_INT64);
    } else {
        int64_t count = truth->numel ? cti_count_nonzero(truth) : 0;
        if (count >= 0)
            result = cti_number_tensor(ct_value_int(count), CT_INT64, truth->storage->device);
    }
    ct_release(truth);
    return result;
}
