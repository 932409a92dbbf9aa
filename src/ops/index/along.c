/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements index_select, index_add, index_fill and index_copy, declared in index.toml, which read
 * or write whole slices along a dim, chosen by a vector of indices. Writes are scatters whose index
 * is expanded along the other dims. No autograd node is made here. */
#include "core/dtype.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/index/index.h"

/* ---- index_select ---- */

static bool check_select(ct_tensor *input, int dim, ct_tensor *index)
{
    int64_t bad = 0;
    if (index->numel == 0 || cti_check_index(index, cti_size_of(input, dim), false, &bad))
        return true;
    if (dim == 0 && (input->numel || input->ndim < 2))
        return ct_fail(CT_ERR_INDEX, "index out of range in self");
    if (cti_size_of(input, dim) == 0)
        return ct_fail(CT_ERR_RUNTIME, "index_select(): self indexing axis dim should be positive");
    return ct_fail(CT_ERR_RUNTIME, "INDICES element is out of DATA bounds, id=%lld axis_dim=%lld",
                   (long long)bad, (long long)cti_size_of(input, dim));
}

ct_tensor *cti_op_index_select(ct_tensor *input, int64_t dim, ct_tensor *index)
{
    int d;
    int64_t shape[CTI_MAX_DIMS];
    ct_tensor *in = NULL, *at = NULL, *out = NULL;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    if (index->ndim > 1)
        return ct_fail(CT_ERR_INDEX, "index_select(): Index is supposed to be a vector");
    if (index->dtype != CT_INT64 && index->dtype != CT_INT32)
        return ct_fail(CT_ERR_RUNTIME, "index_select(): Expected dtype int32 or int64 for index");
    if (input->ndim == 0 && index->numel != 1)
        return ct_fail(CT_ERR_RUNTIME,
                       "index_select(): Index to scalar can have only 1 value, got %lld value(s)",
                       (long long)index->numel);
    for (int k = 0; k < input->ndim; k++)
        shape[k] = k == d ? index->numel : input->shape[k];
    at = cti_cast(index, CT_INT64);
    if (!at || !check_select(input, d, at))
        goto out;
    in = cti_resolve(input);
    if (in)
        out = cti_empty(in->ndim, shape, in->dtype, in->storage->device);
    out = cti_take_if(out, out && (!out->numel || CTI_RUN(index_select, in, .out = out, .in = in,
                                                          .dim = d, .index = at)));
out:
    cti_release_all(in, at);
    return out;
}

/* ---- writing whole slices ---- */

bool cti_scatter_slices(ct_tensor *self, int dim, ct_tensor *at, ct_tensor *src,
                        enum cti_combine how)
{
    struct cti_target to;
    int64_t stride[CTI_MAX_DIMS] = {0};
    if (src->numel == 0)
        return true;
    if (!cti_target_begin(&to, self, how != 0))
        return false;
    if (src->ndim)
        stride[dim] = at->ndim ? at->stride[0] : 0;
    ct_tensor *expanded = cti_view(at, src->ndim, src->shape, stride, at->offset);
    ct_tensor *from = cti_cast(src, to.work->dtype);
    bool good = expanded && from &&
                CTI_RUN(scatter, self, .self = to.work, .dim = dim, .index = expanded, .src = from,
                        .how = how);
    good = cti_target_end(&to, good);
    cti_release_all(expanded, from);
    return good;
}

static bool same_slices(const ct_tensor *a, const ct_tensor *b, int dim)
{
    if (a->ndim != b->ndim)
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (d != dim && a->shape[d] != b->shape[d])
            return false;
    return true;
}

bool cti_check_slices(ct_tensor *self, int dim, ct_tensor *index, ct_tensor *source,
                      const char *name)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    enum ct_dtype dtype = self->dtype, other = source->dtype;
    enum ct_dtype kind = index->dtype;
    if (index->ndim > 1)
        return ct_fail(CT_ERR_INDEX,
                       "%s(): Index is supposed to be a vector, but got dim: %d with type: "
                       "%s and size: %s",
                       name, index->ndim, cti_dtype_scalar_name(kind),
                       cti_shape_text(a, index->ndim, index->shape));
    if (kind != CT_INT64 && kind != CT_INT32)
        return ct_fail(CT_ERR_RUNTIME, "%s(): Expected dtype int32/int64 for index but got: %s",
                       name, cti_dtype_scalar_name(kind));
    if (dtype != other)
        return ct_fail(CT_ERR_RUNTIME,
                       "%s(): self (%s) and source (%s) must have the same scalar type", name,
                       cti_dtype_scalar_name(dtype), cti_dtype_scalar_name(other));
    if (source->ndim > 0 && dim >= source->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "%s(): Indexing dim %d is out of bounds of the "
                       "source tensor with dim %d",
                       name, dim, source->ndim);
    if (index->numel != cti_size_of(source, dim))
        return ct_fail(CT_ERR_RUNTIME,
                       "%s(): Number of indices (%lld) should be equal to "
                       "source.size(dim): (%lld), for dim: %d",
                       name, (long long)index->numel, (long long)cti_size_of(source, dim), dim);
    if (!same_slices(self, source, dim))
        return ct_fail(CT_ERR_RUNTIME,
                       "source tensor shape must match self tensor shape, excluding the specified "
                       "dimension. Got self.shape = %s source.shape = %s",
                       cti_shape_text(a, self->ndim, self->shape),
                       cti_shape_text(b, source->ndim, source->shape));
    return cti_shape_check_writable(self) && cti_shape_check_overlap(self, source, false);
}

bool cti_op_index_add_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *source,
                       ct_value alpha)
{
    int d;
    int64_t bad = 0;
    if (!cti_shape_wrap_dim(dim, self->ndim, &d) ||
        !cti_check_slices(self, d, index, source, "index_add_"))
        return false;
    ct_tensor *at = cti_cast(index, CT_INT64), *scaled = NULL;
    bool good = at != NULL;
    if (good && at->numel && !cti_check_index(at, cti_size_of(self, d), false, &bad)) {
        good = false;
        if (self->ndim > 1)
            ct_fail(CT_ERR_RUNTIME, "index %lld is out of bounds for dimension %d with size %lld",
                    (long long)bad, d, (long long)cti_size_of(self, d));
        else
            ct_fail(CT_ERR_INDEX, "index out of range in self");
    }
    if (good && !cti_number_is(alpha, 1)) {
        ct_tensor *number = cti_number_tensor(alpha, self->dtype, self->storage->device);
        if (number)
            scaled = ct_own_mul(V(source), V(number));
        ct_release(number);
    } else if (good) {
        scaled = ct_retain(source);
    }
    good = scaled && cti_scatter_slices(self, d, at, scaled, CTI_COMBINE_ADD);
    cti_release_all(scaled, at);
    return good;
}

ct_tensor *cti_op_index_add(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *source,
                            ct_value alpha)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && cti_op_index_add_(c, dim, index, source, alpha));
}

ct_tensor *cti_op_index_copy(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *source)
{
    ct_tensor *c = cti_contiguous_copy(input);
    return cti_take_if(c, c && cti_op_index_copy_(c, dim, index, source));
}

/* A saved index is checked again: an alias may have changed it since forward. */
static bool check_slices_of(const ct_tensor *self, int dim, const ct_tensor *at,
                            const ct_tensor *grad)
{
    if (at->ndim <= 1 && at->numel == cti_size_of(grad, dim) && same_slices(self, grad, dim))
        return true;
    return ct_fail(CT_ERR_RUNTIME, "index_select_backward(): index and grad do not fit");
}

/* The gradient of index_select: zeros with slices of `grad` added at the indices. */
ct_tensor *cti_op_index_select_backward(ct_tensor *grad, ct_ints sizes, int64_t dim,
                                        ct_tensor *index)
{
    int d;
    ct_tensor *result = cti_zeros_for(grad, sizes);
    ct_tensor *at = result ? cti_cast(index, CT_INT64) : NULL;
    bool good = at && cti_shape_wrap_dim(dim, result->ndim, &d) &&
                check_slices_of(result, d, at, grad) && check_select(result, d, at) &&
                cti_scatter_slices(result, d, at, grad, CTI_COMBINE_ADD);
    ct_release(at);
    return cti_take_if(result, good);
}

/* ---- index_fill ---- */

/* The index with negative values wrapped; the caller owns it. */
static ct_tensor *wrapped_index(ct_tensor *index, int64_t size)
{
    ct_tensor *negative = ct_own_lt(V(index), ct_value_int(0));
    ct_tensor *shift = ct_own_mul(V(negative), ct_value_int(size));
    ct_tensor *result = ct_own_add(V(index), V(shift), ct_value_int(1));
    cti_release_all(negative, shift);
    return result;
}

bool cti_op_index_fill_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value value)
{
    int d;
    int64_t bad = 0, shape[CTI_MAX_DIMS], size;
    enum ct_dtype dtype = self->dtype;
    if (value.kind == CT_VALUE_TENSOR && value.as.tensor->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "index_fill_ only supports a 0-dimensional value tensor, but got tensor "
                       "with %d dimension(s).",
                       value.as.tensor->ndim);
    if (value.kind == CT_VALUE_TENSOR)
        value = ct_item_value(value.as.tensor);
    if (value.kind == CT_VALUE_NULL)
        return false;
    if (index->dtype != CT_INT64)
        return ct_fail(CT_ERR_INDEX, "index_fill_(): Expected dtype int64 for index.");
    if (!cti_shape_check_overlap(self, index, false))
        return false;
    cti_warn_expanded(self, "index_fill_", "tensor[mask] = scalar");
    if (value.kind == CT_VALUE_COMPLEX && !ct_dtype_is_complex(dtype))
        return ct_fail(CT_ERR_RUNTIME, "index_fill_(): Converting complex Scalar to non-complex "
                                       "type is not supported");
    if (!cti_shape_wrap_dim(dim, self->ndim, &d))
        return false;
    if (index->ndim > 1)
        return ct_fail(CT_ERR_RUNTIME, "Index has to be a vector/scalar");
    size = cti_size_of(self, d);
    bool some = index->numel > 0;
    for (int k = 0; k < self->ndim; k++) {
        shape[k] = k == d ? index->numel : self->shape[k];
        some = some && shape[k];
    }
    if (!some) /* nothing to write, so indices are not checked */
        return cti_number_fits(value, dtype);
    if (!cti_check_index(index, size, true, &bad))
        return ct_fail(CT_ERR_INDEX, "index %lld is out of bounds for dimension %d with size %lld",
                       (long long)bad, d, (long long)size);
    ct_tensor *number = cti_number_tensor(value, dtype, self->storage->device);
    ct_tensor *at = number ? wrapped_index(index, size) : NULL;
    ct_tensor *src = at ? cti_broadcast_view(number, self->ndim, shape) : NULL;
    bool good = src && cti_scatter_slices(self, d, at, src, CTI_COMBINE_PUT);
    cti_release_all(number, at, src);
    return good;
}

/* ---- index_copy ---- */

static bool check_copy(ct_tensor *self, int dim, ct_tensor *index, ct_tensor *source)
{
    enum ct_dtype dtype = self->dtype, other = source->dtype;
    if (index->ndim > 1)
        return ct_fail(CT_ERR_INDEX, "index_copy_(): Index should have dimension 1 or 0 (got %d)",
                       index->ndim);
    if (source->ndim == 0 && index->numel != 1)
        return ct_fail(CT_ERR_INDEX,
                       "index_copy_(): When source is scalar, index should have one element (got "
                       "%lld)",
                       (long long)index->numel);
    if (source->ndim != self->ndim && source->ndim && self->ndim)
        return ct_fail(CT_ERR_INDEX,
                       "index_copy_(): When source and destination are not scalars, their "
                       "dimensionality must match. Source dimensionality (%d), destination "
                       "dimensionality (%d)",
                       source->ndim, self->ndim);
    if (index->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME,
                       "index_copy_(): Expected a long tensor for index, but got %s",
                       cti_dtype_scalar_name(index->dtype));
    if (dtype != other)
        return ct_fail(CT_ERR_RUNTIME,
                       "index_copy_(): self and source expected to have the same dtype, but got "
                       "(self) %s and (source) %s",
                       cti_dtype_scalar_name(dtype), cti_dtype_scalar_name(other));
    int64_t a[CTI_MAX_DIMS], b[CTI_MAX_DIMS];
    int na = 0, nb = 0;
    for (int d = 0; d < self->ndim; d++)
        if (d != dim)
            a[na++] = self->shape[d];
    for (int d = 0; d < source->ndim; d++)
        if (d != dim)
            b[nb++] = source->shape[d];
    bool same = na == nb;
    for (int d = 0; same && d < na; d++)
        same = a[d] == b[d];
    if (!same) {
        char at[CTI_SHAPE_TEXT], bt[CTI_SHAPE_TEXT];
        cti_shape_text(at, na, a);
        cti_shape_text(bt, nb, b);
        at[__builtin_strlen(at) - 1] = bt[__builtin_strlen(bt) - 1] = 0; /* drops the brackets */
        return ct_fail(CT_ERR_RUNTIME,
                       "index_copy_(): Source/destination tensor must have same slice shapes. "
                       "Destination slice shape: %s at dimension %d and source slice shape: %s at "
                       "dimension 0.",
                       at + 1, dim, bt + 1);
    }
    if (source->ndim && index->numel != source->shape[dim])
        return ct_fail(CT_ERR_INDEX,
                       "index_copy_(): Number of indices (%lld) should be equal to "
                       "source.size(dim) (%lld)",
                       (long long)index->numel, (long long)source->shape[dim]);
    return cti_shape_check_writable(self) && cti_shape_check_overlap(self, source, false);
}

bool cti_op_index_copy_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *source)
{
    int d;
    int64_t bad = 0;
    if (!cti_shape_wrap_dim(dim, self->ndim, &d))
        return false;
    if (!check_copy(self, d, index, source))
        return false;
    if (index->numel && !cti_check_index(index, cti_size_of(self, d), false, &bad))
        return ct_fail(CT_ERR_INDEX,
                       "index_copy_(): index %lld is out of bounds for dimension %d with size %lld",
                       (long long)bad, d, (long long)cti_size_of(self, d));
    return cti_scatter_slices(self, d, index, source, CTI_COMBINE_PUT);
}
