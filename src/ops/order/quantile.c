/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements nanmedian, mode and quantiles, declared in order.toml. They are composed of sort,
 * gather and arithmetic, which makes quantiles differentiable. */
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <string.h>

/* Sorts each 1-d slice along dim; h owns the values and *index. */
static ct_tensor *sort_held(struct cti_hold *h, ct_tensor *t, int64_t dim, ct_tensor **index)
{
    struct ct_sort_result all = ct_own_sort(t, dim, false, true);
    *index = cti_hold(h, all.indices);
    return cti_hold(h, all.values);
}

/* Returns the element of each line at `position`, which has size 1 along d; the dim is removed
 * unless `keepdim`. The caller owns the result. */
static ct_tensor *take_position(struct cti_hold *h, ct_tensor *t, int d, ct_tensor *position,
                                bool keepdim)
{
    ct_tensor *taken = cti_hold(h, ct_own_gather(t, d, position, false));
    if (keepdim || !t || !t->ndim)
        return taken ? ct_retain(taken) : NULL;
    return ct_own_squeeze(taken, CT_INTS(d));
}

/* ---- nanmedian ---- */

bool cti_op_nanmedian_dim(struct ct_nanmedian_dim_result *result, ct_tensor *input, int64_t dim,
                          bool keepdim)
{
    struct cti_hold h = {0};
    int d;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return false;
    if (input->dtype < CT_FLOAT16 || input->dtype >= CT_COMPLEX64 || !input->numel) {
        struct ct_median_dim_result same = ct_own_median_dim(input, dim, keepdim);
        *result = (struct ct_nanmedian_dim_result){same.values, same.indices};
        return same.values != NULL;
    }
    ct_tensor *index, *sorted = sort_held(&h, input, d, &index);
    ct_tensor *nan = cti_hold(&h, ct_own_isnan(input));
    ct_tensor *number = cti_hold(&h, ct_own_logical_not(nan));
    ct_tensor *count = cti_hold(&h, ct_own_sum(number, CT_INTS(d), true, CT_NO_DTYPE));
    ct_tensor *last = cti_hold(&h, ct_own_sub(V(count), ct_value_int(1), ct_value_int(1)));
    ct_tensor *position = cti_hold(&h, ct_own_clamp(last, ct_value_int(0), ct_value_none()));
    position = cti_hold(&h, ct_own_floor_quotient(V(position), ct_value_int(2)));
    result->values = take_position(&h, sorted, d, position, keepdim);
    result->indices = take_position(&h, index, d, position, keepdim);
    cti_hold_end(&h, NULL);
    return result->values && result->indices;
}

ct_tensor *cti_op_nanmedian(ct_tensor *input)
{
    if (input->dtype < CT_FLOAT16 || input->dtype >= CT_COMPLEX64 || !input->numel)
        return ct_own_median(input);
    ct_tensor *flat = ct_own_reshape(input, CT_INTS(-1));
    struct ct_nanmedian_dim_result one = ct_own_nanmedian_dim(flat, 0, false);
    cti_release_all(flat, one.indices);
    return one.values;
}

/* ---- mode ---- */

/* For each element of sorted lines, counts the equal elements before it. */
static ct_tensor *run_lengths(struct cti_hold *h, ct_tensor *sorted, int d)
{
    int64_t shape[CTI_MAX_DIMS], n = sorted->shape[d];
    for (int i = 0; i < sorted->ndim; i++)
        shape[i] = i == d ? n : 1;
    ct_tensor *count = cti_hold(h, ct_own_arange(ct_value_int(0), ct_value_int(n), ct_value_int(1),
                                                 CT_INT64, sorted->storage->device, false));
    ct_tensor *at = cti_hold(h, ct_own_view(count, ct_ints_of(shape, sorted->ndim)));
    ct_tensor *start = cti_hold(h, ct_own_zeros_like(sorted, CT_INT64, CT_NO_DEVICE, false, -1));
    ct_tensor *before = cti_hold(h, ct_own_narrow(sorted, d, 0, n - 1));
    ct_tensor *after = cti_hold(h, ct_own_narrow(sorted, d, 1, n - 1));
    ct_tensor *is_new = cti_hold(h, ct_own_ne(V(before), V(after)));
    ct_tensor *from = cti_hold(h, ct_own_narrow(at, d, 1, n - 1));
    ct_tensor *begins = cti_hold(h, ct_own_where(is_new, V(from), ct_value_int(0)));
    ct_tensor *to = cti_hold(h, ct_own_narrow(start, d, 1, n - 1));
    struct ct_cummax_result run = {0};
    if (to && begins && cti_copy(to, begins))
        run = ct_own_cummax(start, d);
    cti_hold(h, run.indices);
    ct_tensor *first = cti_hold(h, run.values);
    return cti_hold(h, ct_own_sub(V(at), V(first), ct_value_int(1)));
}

/* The run length has its first maximum at the end of the longest run; among runs of equal length
 * the first has the smallest value. */
bool cti_op_mode(struct ct_mode_result *result, ct_tensor *input, int64_t dim, bool keepdim)
{
    struct cti_hold h = {0};
    int d;
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return false;
    if (input->ndim && input->shape[d] == 0)
        return cti_refuse(CT_ERR_INDEX, "mode(): Expected reduction dim %d to have non-zero size.",
                          d);
    if (input->dtype >= CT_COMPLEX64 && input->ndim && input->numel)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"mode_cpu\" not implemented for '%s'",
                          cti_dtype_scalar_name(input->dtype));
    if (!input->ndim || !input->numel) {
        int64_t shape[CTI_MAX_DIMS], n = 0;
        for (int i = 0; i < input->ndim; i++)
            if (i != d || keepdim)
                shape[n++] = i == d ? 1 : input->shape[i];
        result->values = input->ndim
                             ? cti_zeros((int)n, shape, input->dtype, input->storage->device)
                             : cti_clone(input);
        result->indices = cti_zeros((int)n, shape, CT_INT64, input->storage->device);
        return result->values && result->indices;
    }
    ct_tensor *index, *sorted = sort_held(&h, input, d, &index);
    if (sorted) {
        ct_tensor *position = cti_hold(&h, ct_own_argmax(run_lengths(&h, sorted, d), d, true));
        result->values = take_position(&h, sorted, d, position, keepdim);
        result->indices = take_position(&h, index, d, position, keepdim);
    }
    cti_hold_end(&h, NULL);
    return result->values && result->indices;
}

/* ---- quantiles ---- */

enum interpolation { LINEAR, LOWER, HIGHER, MIDPOINT, NEAREST, UNKNOWN };

static bool check_quantile(const ct_tensor *input, const ct_tensor *q, const char *interpolation,
                           enum interpolation *how)
{
    static const char *const names[] = {"linear", "lower", "higher", "midpoint", "nearest"};
    for (*how = LINEAR; *how < UNKNOWN && strcmp(names[*how], interpolation) != 0;)
        *how = (enum interpolation)(*how + 1);
    if (*how == UNKNOWN)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "quantile() interpolation must be one of linear, lower, higher, midpoint or "
            "nearest, but got %s",
            interpolation);
    if (!input->numel)
        return cti_refuse(CT_ERR_RUNTIME, "quantile() input tensor must be non-empty");
    if (q->ndim > 1)
        return cti_refuse(CT_ERR_RUNTIME, "quantile() q must be a scalar or 1D tensor");
    if (input->dtype != CT_FLOAT32 && input->dtype != CT_FLOAT64)
        return cti_refuse(CT_ERR_RUNTIME,
                          "quantile() input tensor must be either float or double dtype");
    return true;
}

/* Moves the reduced dim to the end, [kept dims..., n], and returns the values sorted along it. */
static ct_tensor *sorted_lines(struct cti_hold *h, ct_tensor *input, int64_t dim, bool keepdim)
{
    int64_t shape[CTI_MAX_DIMS];
    int d = 0, n = 0;
    ct_tensor *lines = input, *index;
    if (dim == CT_NO_DIM) {
        lines = cti_hold(h, ct_own_reshape(input, CT_INTS(-1)));
    } else {
        if (!cti_shape_wrap_dim(dim, input->ndim, &d))
            return NULL;
        if (d != input->ndim - 1 || !input->ndim) {
            ct_tensor *lifted = cti_hold(h, ct_own_unsqueeze(input, -1));
            lines = input->ndim ? cti_hold(h, ct_own_transpose(lifted, d, -1)) : lifted;
        }
    }
    ct_tensor *sorted = sort_held(h, lines, -1, &index);
    if (!sorted)
        return NULL;
    for (int i = 0; i < input->ndim; i++)
        if ((dim != CT_NO_DIM && i != d) || keepdim)
            shape[n++] = dim == CT_NO_DIM || i == d ? 1 : input->shape[i];
    shape[n++] = sorted->shape[sorted->ndim - 1];
    return cti_hold(h, ct_own_view(sorted, ct_ints_of(shape, n)));
}

/* Computes the fractional positions of the quantiles in each line. NaN is sorted to the end, and
 * all quantiles of a line with NaN are at the last position. */
static ct_tensor *ranks_of(struct cti_hold *h, ct_tensor *lines, ct_tensor *q, bool ignore_nan)
{
    ct_value last = ct_value_int(lines->shape[lines->ndim - 1] - 1);
    ct_tensor *nan = cti_hold(h, ct_own_isnan(lines));
    if (ignore_nan) {
        ct_tensor *number = cti_hold(h, ct_own_logical_not(nan));
        ct_tensor *count = cti_hold(h, ct_own_sum(number, CT_INTS(-1), true, CT_NO_DTYPE));
        ct_tensor *most = cti_hold(h, ct_own_sub(V(count), ct_value_int(1), ct_value_int(1)));
        ct_tensor *ranks = cti_hold(h, ct_own_mul(V(q), V(most)));
        ct_tensor *none = cti_hold(h, ct_own_lt(V(ranks), ct_value_int(0)));
        return cti_hold(h, ct_own_where(none, ct_value_int(0), V(ranks)));
    }
    ct_tensor *ranks = cti_hold(h, ct_own_mul(V(q), last));
    ct_tensor *any = cti_hold(h, ct_own_any(nan, CT_INTS(-1), true));
    return cti_hold(h, ct_own_where(any, last, V(ranks)));
}

/* Sorts the lines, gathers the elements at the quantiles' positions and interpolates. The caller
 * owns the result. */
static ct_tensor *compute(ct_tensor *input, ct_tensor *q, int64_t dim, bool keepdim,
                          enum interpolation how, bool ignore_nan)
{
    struct cti_hold h = {0};
    ct_tensor *line_q = q->ndim ? q : cti_hold(&h, ct_own_unsqueeze(q, 0));
    ct_tensor *lines = sorted_lines(&h, input, dim, keepdim);
    ct_tensor *ranks = lines && line_q ? ranks_of(&h, lines, line_q, ignore_nan) : NULL;
    if (ranks && how != LINEAR && how != MIDPOINT)
        ranks = cti_hold(&h, how == LOWER    ? ct_own_floor(ranks)
                             : how == HIGHER ? ct_own_ceil(ranks)
                                             : ct_own_round(ranks));
    ct_tensor *low = cti_hold(&h, ct_own_to_dtype(ranks, CT_INT64));
    ct_tensor *values = cti_hold(&h, ct_own_gather(lines, -1, low, false));
    if (how == LINEAR || how == MIDPOINT) {
        ct_tensor *up = cti_hold(&h, ct_own_ceil(ranks));
        ct_tensor *high = cti_hold(&h, ct_own_to_dtype(up, CT_INT64));
        ct_tensor *above = cti_hold(&h, ct_own_gather(lines, -1, high, false));
        ct_tensor *share =
            how == MIDPOINT ? cti_hold(&h, ct_own_full_like(ranks, ct_value_float(0.5), CT_NO_DTYPE,
                                                            CT_NO_DEVICE, false, -1))
                            : cti_hold(&h, ct_own_sub(V(ranks), V(low), ct_value_int(1)));
        values = ct_own_lerp_(values, above, V(share));
    }
    if (q->ndim) /* the dim of quantiles comes first */
        values = ct_own_transpose_(ct_own_unsqueeze_(values, 0), 0, -1);
    return cti_hold_end(&h, ct_own_squeeze_(values, CT_INTS(-1)));
}

/* Checks the arguments, including that all quantiles are in [0, 1], and computes the result. The
 * caller owns the result. */
ct_tensor *cti_op_quantile(ct_tensor *input, ct_tensor *q, int64_t dim, bool keepdim,
                           const char *interpolation, bool ignore_nan)
{
    enum interpolation how;
    if (!check_quantile(input, q, interpolation, &how))
        return NULL;
    if (q->dtype != input->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "quantile() q tensor must be same dtype as the input tensor");
    struct cti_hold h = {0};
    bool mode = cti_grad_pause();
    ct_tensor *low = cti_hold(&h, ct_own_ge(V(q), ct_value_int(0)));
    ct_tensor *high = cti_hold(&h, ct_own_le(V(q), ct_value_int(1)));
    ct_tensor *inside = cti_hold(&h, ct_own_logical_and(low, high));
    ct_tensor *all = cti_hold(&h, ct_own_all(inside, CT_NO_DIMS, false));
    cti_grad_restore(mode);
    bool meta = q->storage->device.type == CT_META; /* values are unknown */
    bool right = all && (meta || ct_item(all) != 0);
    cti_hold_end(&h, NULL);
    if (!right)
        return all ? ct_fail(CT_ERR_RUNTIME, "quantile() q values must be in the range [0, 1]")
                   : NULL;
    return compute(input, q, dim, keepdim, how, ignore_nan);
}

ct_tensor *cti_op_quantile_scalar(ct_tensor *input, double q, int64_t dim, bool keepdim,
                                  const char *interpolation, bool ignore_nan)
{
    if (!(q >= 0 && q <= 1))
        return ct_fail(CT_ERR_RUNTIME, "quantile() q must be in the range [0, 1] but got %g", q);
    ct_tensor *t = cti_number_tensor(ct_value_float(q), input->dtype, input->storage->device);
    return cti_replace_take(
        t, t ? cti_op_quantile(input, t, dim, keepdim, interpolation, ignore_nan) : NULL);
}
