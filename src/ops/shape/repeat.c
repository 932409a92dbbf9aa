/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements repeat, tile and repeat_interleave, declared in rearrange.toml: copies of expanded
 * views. Counts given as a tensor become indices by a scatter and a cumsum. */
#include "core/note.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

/* Views of result and input with one common shape, in which a repeated dim becomes two: the count
 * (stride 0 in the input) and the dim itself. */
static bool pair_views(ct_tensor *result, ct_tensor *input, ct_ints repeats, ct_tensor **to,
                       ct_tensor **from)
{
    int64_t shape[2 * CTI_MAX_DIMS], result_stride[2 * CTI_MAX_DIMS],
        input_stride[2 * CTI_MAX_DIMS];
    int n = 0, pad = (int)repeats.n - input->ndim;
    for (int d = 0; d < (int)repeats.n; d++) {
        int64_t size = d < pad ? 1 : input->shape[d - pad];
        if (repeats.v[d] != 1) {
            shape[n] = repeats.v[d];
            result_stride[n] = size * result->stride[d];
            input_stride[n++] = 0;
        }
        if (size != 1) {
            shape[n] = size;
            result_stride[n] = result->stride[d];
            input_stride[n++] = input->stride[d - pad];
        }
    }
    if (n > CTI_MAX_DIMS) /* only possible for results too large for memory, or empty */
        return cti_refuse(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    *to = cti_view(result, n, shape, result_stride, result->offset);
    *from = *to ? cti_view(input, n, shape, input_stride, input->offset) : NULL;
    return *from;
}

ct_tensor *cti_op_repeat(ct_tensor *input, ct_ints repeats)
{
    int64_t shape[CTI_MAX_DIMS];
    if (repeats.n < input->ndim) {
        ct_fail(CT_ERR_RUNTIME, "Number of dimensions of repeat dims can not be smaller than "
                                "number of dimensions of tensor");
        return cti_note("repeat needs a count for each of the %d dims, 1 to keep a dim; tile(...) "
                        "adds leading ones",
                        input->ndim);
    }
    if (repeats.n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    int pad = (int)repeats.n - input->ndim;
    for (int d = 0; d < (int)repeats.n; d++)
        if (__builtin_mul_overflow(repeats.v[d], d < pad ? 1 : input->shape[d - pad], &shape[d]))
            return cti_shape_fail((int)repeats.n, shape, NULL);
    ct_tensor *result = cti_empty((int)repeats.n, shape, input->dtype, input->storage->device);
    ct_tensor *to = NULL, *from = NULL;
    bool good = result && (result->numel == 0 ||
                           (pair_views(result, input, repeats, &to, &from) && cti_copy(to, from)));
    cti_release_all(to, from);
    return cti_take_new_if(result, good);
}

ct_tensor *cti_op_repeat_backward(ct_tensor *grad, ct_ints repeats, ct_ints input_shape)
{
    int64_t shape[2 * CTI_MAX_DIMS], dims[CTI_MAX_DIMS], n = 0, summed = 0;
    int64_t pad = repeats.n - input_shape.n;
    for (int64_t d = 0; d < repeats.n; d++)
        if (repeats.v[d] == 0)
            return ct_own_zeros(input_shape, ct_dtype(grad), grad->storage->device, false);
    for (int64_t d = 0; d < repeats.n; d++) {
        int64_t size = d < pad ? 1 : input_shape.v[d - pad];
        if (repeats.v[d] != 1) {
            dims[summed++] = n;
            shape[n++] = repeats.v[d];
        }
        if (size != 1)
            shape[n++] = size;
    }
    ct_tensor *split = ct_own_reshape(grad, ct_ints_of(shape, n));
    ct_tensor *sum =
        summed ? ct_own_sum(split, ct_ints_of(dims, summed), false, CT_NO_DTYPE) : ct_retain(split);
    ct_tensor *result = ct_own_reshape(sum, input_shape);
    cti_release_all(split, sum);
    return result;
}

ct_tensor *cti_op_tile(ct_tensor *input, ct_ints dims)
{
    int64_t repeats[CTI_MAX_DIMS];
    if (dims.n >= input->ndim)
        return ct_own_repeat(input, dims);
    int64_t missing = input->ndim - dims.n;
    for (int d = 0; d < input->ndim; d++)
        repeats[d] = d < missing ? 1 : dims.v[d - missing];
    return ct_own_repeat(input, ct_ints_of(repeats, input->ndim));
}

/* ---- repeat_interleave ---- */

static bool check_counts(const ct_tensor *repeats)
{
    if (repeats->ndim != 1)
        return cti_refuse(CT_ERR_RUNTIME, "repeat_interleave only accept 1D vector as repeat");
    if (repeats->dtype < CT_UINT8 || repeats->dtype > CT_INT64) /* excludes uint16 to uint64 */
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "\"repeat_interleave_cpu\" not implemented for '%s'",
                          cti_dtype_scalar_name(repeats->dtype));
    return true;
}

/* Checks that no element is negative; `text` is the error. Reads from the device. */
static bool none_negative(ct_tensor *t, const char *text)
{
    ct_tensor *least = ct_own_amin(t, ct_ints_of(NULL, 0), false);
    ct_value lowest = least ? ct_item_value(least) : (ct_value){.kind = CT_VALUE_NULL};
    ct_release(least);
    if (lowest.kind == CT_VALUE_NULL)
        return false;
    return cti_value_int(lowest) >= 0 || cti_refuse(CT_ERR_RUNTIME, "%s", text);
}

/* The last running sum of the counts, checked as in PyTorch; -1: failed. The first sum that exceeds
 * int64 wraps to a negative number. */
static int64_t total_of(ct_tensor *counts, ct_tensor *ends, int64_t output_size)
{
    if (!none_negative(counts, "repeats can not be negative") ||
        !none_negative(ends, "the sum of repeats is too large"))
        return -1;
    ct_tensor *last = cti_view_select(ends, 0, -1);
    int64_t total = last ? cti_value_int(ct_item_value(last)) : -1;
    ct_release(last);
    if (total >= 0 && output_size != CT_NO_DIM && output_size != total)
        return ct_fail(CT_ERR_RUNTIME, "allocated size does not match required size"), -1;
    return total;
}

/* Zeros with 1 added at the end of each count; their running sum is the index. */
static ct_tensor *index_steps(ct_tensor *ends, int64_t total, struct ct_device device)
{
    int64_t length = cti_add_sat(total, 1), n = ends->numel;
    ct_tensor *steps = cti_zeros(1, &length, CT_INT64, device);
    ct_tensor *one = steps ? cti_number_tensor(ct_value_int(1), CT_INT64, device) : NULL;
    ct_tensor *ones = one ? cti_broadcast_view(one, 1, &n) : NULL;
    bool good = ones && CTI_RUN(scatter, steps, .self = steps, .dim = 0, .index = ends, .src = ones,
                                .how = CTI_COMBINE_ADD);
    cti_release_all(one, ones);
    return cti_take_if(steps, good);
}

ct_tensor *cti_op_repeat_interleave(ct_tensor *repeats, int64_t output_size)
{
    enum ct_dtype dtype = repeats->dtype;
    struct ct_device device = repeats->storage->device;
    if (repeats->ndim == 1 && repeats->numel == 0)
        return cti_empty(1, (int64_t[]){0}, dtype, device);
    if (!check_counts(repeats))
        return NULL;
    ct_tensor *counts = cti_cast(repeats, CT_INT64), *steps = NULL, *index = NULL, *result = NULL;
    ct_tensor *ends = ct_own_cumsum(counts, 0, CT_NO_DTYPE);
    int64_t total = ends ? total_of(counts, ends, output_size) : -1;
    if (total >= 0)
        steps = index_steps(ends, total, device);
    if (steps)
        index = ct_own_cumsum(steps, 0, CT_NO_DTYPE);
    if (index && dtype == CT_INT64 && cti_tensor_set_geometry(index, 1, &total, &(int64_t){1}, 0))
        result = ct_retain(index);
    else if (index) {
        ct_tensor *used = cti_view_slice(index, 0, 0, total, 1);
        result = used ? cti_cast(used, dtype) : NULL;
        ct_release(used);
    }
    cti_release_all(counts, ends, steps, index);
    return result;
}

/* The tensor and dim along which slices repeat; flattened if no dim is given. The caller owns the
 * result. */
static ct_tensor *repeat_along(ct_tensor *input, int64_t *dim)
{
    if (*dim != CT_NO_DIM)
        return ct_retain(input);
    *dim = 0;
    return ct_own_flatten(input, 0, -1);
}

ct_tensor *cti_op_repeat_interleave_self(ct_tensor *input, ct_tensor *repeats, int64_t dim,
                                         int64_t output_size)
{
    ct_tensor *from = repeat_along(input, &dim), *counts = NULL, *cast = NULL, *index = NULL;
    ct_tensor *result = NULL;
    int d;
    if (!from)
        return NULL;
    if (repeats->ndim > 1) {
        ct_fail(CT_ERR_RUNTIME, "repeats must be 0-dim or 1-dim tensor");
        goto out;
    }
    if (!from->ndim) {
        ct_fail(CT_ERR_INDEX, "Dimension specified as %lld but tensor has no dimensions",
                (long long)dim);
        goto out;
    }
    if (!cti_shape_wrap_dim(dim, from->ndim, &d))
        goto out;
    if (repeats->numel != 1 || (repeats->ndim == 1 && from->shape[d] == 1)) {
        if (repeats->numel != from->shape[d]) {
            ct_fail(CT_ERR_RUNTIME,
                    "repeats must have the same size as input along dim, but got repeats.size(0) = "
                    "%lld and input.size(%d) = %lld",
                    (long long)repeats->numel, d, (long long)from->shape[d]);
            goto out;
        }
        counts = ct_retain(repeats);
    } else {
        ct_tensor *one = ct_own_reshape(repeats, CT_INTS(1));
        counts = ct_own_expand(one, CT_INTS(from->shape[d]), false);
        ct_release(one);
    }
    /* Cast to int64: the counts' dtype may be too small for row numbers. */
    cast = counts && check_counts(counts) ? cti_cast(counts, CT_INT64) : NULL;
    index = cast ? cti_op_repeat_interleave(cast, output_size) : NULL;
    result = ct_own_index_select(from, d, index);
out:
    cti_release_all(from, counts, cast, index);
    return result;
}

ct_tensor *cti_op_repeat_interleave_int(ct_tensor *input, int64_t repeats, int64_t dim,
                                        int64_t output_size)
{
    ct_tensor *from = repeat_along(input, &dim), *thin = NULL, *expanded = NULL, *copy = NULL,
              *result = NULL;
    int64_t shape[CTI_MAX_DIMS + 1], size;
    int d;
    if (!from)
        return NULL;
    if (repeats < 0) {
        ct_fail(CT_ERR_RUNTIME, "Repeats must be non-negative");
        goto out;
    }
    if (!cti_shape_wrap_dim(dim, from->ndim, &d))
        goto out;
    thin = ct_own_unsqueeze(from, d + 1);
    if (!thin)
        goto out;
    for (int k = 0; k < thin->ndim; k++)
        shape[k] = k == d + 1 ? repeats : thin->shape[k];
    if (__builtin_mul_overflow(from->shape[d], repeats, &size)) {
        cti_shape_fail(thin->ndim, shape, NULL);
        goto out;
    }
    if (output_size != CT_NO_DIM && output_size != size) {
        ct_fail(CT_ERR_RUNTIME,
                "repeat_interleave: Invalid output_size, expected %lld but got %lld",
                (long long)size, (long long)output_size);
        goto out;
    }
    expanded = ct_own_expand(thin, ct_ints_of(shape, thin->ndim), false);
    copy = ct_own_clone(expanded, CT_CONTIGUOUS_FORMAT);
    for (int k = 0; k < from->ndim; k++)
        shape[k] = k == d ? size : from->shape[k];
    result = ct_own_view(copy, ct_ints_of(shape, from->ndim));
out:
    cti_release_all(from, thin, expanded, copy);
    return result;
}
