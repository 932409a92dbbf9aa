/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements segment_reduce, declared in segment.toml. It is composed of differentiable operations:
 * a scatter_reduce in which the index of each element is its segment. */
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"

#include <math.h>
#include <string.h>

enum kind { SUM, MEAN, MAX, MIN, PROD, NKINDS };

static const struct {
    const char *name, *scatter;
    double empty; /* the value of a segment without elements */
} kinds[NKINDS] = {
    [SUM] = {"sum", "sum", 0},          [MEAN] = {"mean", "sum", 0},
    [MAX] = {"max", "amax", -INFINITY}, [MIN] = {"min", "amin", INFINITY},
    [PROD] = {"prod", "prod", 1},
};

/* Counts the elements in each segment; h owns the result. */
static ct_tensor *segment_lengths(struct cti_hold *h, ct_tensor *lengths, ct_tensor *offsets)
{
    if (lengths != CT_NO_TENSOR)
        return lengths;
    return cti_hold(h, ct_own_diff(offsets, 1, -1, CT_NO_TENSOR, CT_NO_TENSOR));
}

/* Fails with the message `what` unless all elements are true. Reads from the device. */
static bool holds(ct_tensor *truths, const char *what)
{
    ct_tensor *all = ct_own_all(truths, CT_NO_DIMS, false);
    ct_value v = all ? ct_item_value(all) : V(NULL);
    ct_release(all);
    if (v.kind == CT_VALUE_NULL)
        return false;
    return cti_value_int(v) != 0 || cti_refuse(CT_ERR_RUNTIME, "%s", what);
}

static bool segment_check_lengths(struct cti_hold *h, ct_tensor *data, ct_tensor *lengths, int axis)
{
    ct_tensor *good = cti_hold(h, ct_own_ge(V(lengths), ct_value_int(0)));
    if (!good || !holds(good, "lengths contains negative value!"))
        return false;
    ct_tensor *sums = cti_hold(h, ct_own_sum(lengths, CT_DIMS(-1), false, CT_NO_DTYPE));
    ct_tensor *full = cti_hold(h, ct_own_eq(V(sums), ct_value_int(data->shape[axis])));
    return full &&
           holds(full, "segment_reduce(): Expected all rows of lengths along axis to sum to "
                       "data.size(lengths.dim()-1) when !unsafe.");
}

static bool check(ct_tensor *data, ct_tensor *lengths, ct_tensor *indices, ct_tensor *offsets,
                  int axis)
{
    if (indices != CT_NO_TENSOR)
        return cti_refuse(CT_ERR_RUNTIME,
                          "segment_reduce(): indices based reduction is not supported yet.");
    ct_tensor *given = lengths != CT_NO_TENSOR ? lengths : offsets;
    if (given == CT_NO_TENSOR)
        return cti_refuse(CT_ERR_RUNTIME,
                          "segment_reduce(): Either lengths or offsets must be defined.");
    if (axis != given->ndim - 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "segment_reduce(): Expected axis to be the last dimension of %s but got "
                          "%d.",
                          lengths != CT_NO_TENSOR ? "lengths" : "offsets", axis);
    if (data->dtype < CT_FLOAT16 || data->dtype >= CT_COMPLEX64)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "\"_segment_reduce_cpu\" not implemented for '%s'",
                          cti_dtype_scalar_name(ct_dtype(data)));
    if (given->dtype != CT_INT64 && given->dtype != CT_INT32)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "\"_segment_reduce_lengths_cpu_kernel1\" not implemented for '%s'",
                          cti_dtype_scalar_name(ct_dtype(given)));
    return true;
}

/* sums / count; an empty segment is NaN, or the initial value if there is one. */
static ct_tensor *segment_mean(struct cti_hold *h, ct_tensor *sums, ct_tensor *count, bool begun)
{
    ct_tensor *column = cti_hold(h, ct_own_to_dtype(count, ct_dtype(sums)));
    for (int d = count->ndim; column && d < sums->ndim; d++)
        column = cti_hold(h, ct_own_unsqueeze(column, -1));
    if (begun && column)
        column = cti_hold(h, ct_own_clamp_min(column, ct_value_int(1)));
    return cti_hold(h, ct_own_div(V(sums), V(column), NULL));
}

/* Returns the segment index of each element, expanded to the shape of `flat`. */
static ct_tensor *segments_of(struct cti_hold *h, ct_tensor *count, ct_tensor *flat)
{
    ct_tensor *line = cti_hold(h, ct_own_reshape(count, CT_DIMS(-1)));
    ct_tensor *segment = cti_hold(h, ct_own_repeat_interleave_Tensor(line, CT_NO_DIM));
    segment = cti_hold(h, ct_own_unsqueeze(segment, 1));
    int64_t shape[2] = {-1, flat->shape[1]};
    if (segment && segment->shape[0] != flat->shape[0])
        return ct_fail(CT_ERR_RUNTIME, "segment_reduce(): the lengths do not fill the data");
    return cti_hold(h, ct_own_expand(segment, ct_ints_of(shape, 2), false));
}

ct_tensor *cti_op_segment_reduce(ct_tensor *data, const char *reduce, ct_tensor *lengths,
                                 ct_tensor *indices, ct_tensor *offsets, int64_t axis, bool unsafe,
                                 ct_value initial)
{
    struct cti_hold h = {0};
    int at, kind = 0;
    int64_t shape[CTI_MAX_DIMS], lines = 1, rest = 1, segments = 1;
    bool begun = initial.kind != CT_VALUE_NONE;
    while (kind < NKINDS && strcmp(kinds[kind].name, reduce) != 0)
        kind++;
    if (kind == NKINDS)
        return ct_fail(CT_ERR_RUNTIME,
                       "reduce argument must be either sum, prod, mean, amax or amin, got %s",
                       reduce);
    if (!cti_shape_wrap_dim(axis, data->ndim, &at) || !check(data, lengths, indices, offsets, at))
        return NULL;
    ct_tensor *count = segment_lengths(&h, lengths, offsets), *out = NULL;
    if (!count || (!unsafe && !segment_check_lengths(&h, data, count, at)))
        return cti_hold_end(&h, NULL);
    for (int d = 0; d < data->ndim; d++) {
        shape[d] = d == at ? count->shape[at] : data->shape[d];
        segments *= d <= at ? shape[d] : 1;
        *(d <= at ? &lines : &rest) *= data->shape[d];
    }
    int64_t flat_shape[2] = {lines, rest}, start_shape[2] = {segments, rest};
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(data, ct_ints_of(flat_shape, 2)));
    ct_tensor *segment = flat ? segments_of(&h, count, flat) : NULL;
    ct_value begin = begun ? initial : ct_value_float(kinds[kind].empty);
    ct_tensor *start = cti_hold(&h, ct_own_full(ct_ints_of(start_shape, 2), begin, ct_dtype(data),
                                                ct_device_of(data), false));
    out = cti_hold(&h, ct_own_scatter_reduce(start, 0, segment, flat, kinds[kind].scatter, true));
    out = cti_hold(&h, ct_own_reshape(out, ct_ints_of(shape, data->ndim)));
    if (out && kind == MEAN)
        out = segment_mean(&h, out, count, begun);
    return cti_hold_end(&h, out);
}
