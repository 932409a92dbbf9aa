/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements searchsorted, bucketize, isin, bincount, histc, nonzero_static and unravel_index,
 * declared in search.toml: PyTorch's checks, then the search engine or other operations. */
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <math.h>
#include <string.h>

/* ---- searchsorted and bucketize ---- */

static bool check_side(bool *right, const char *side)
{
    if (!side)
        return true;
    bool to_right = strcmp(side, "right") == 0;
    if (!to_right && strcmp(side, "left") != 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.searchsorted(): side can only be 'left' or 'right' but got %s",
                          side);
    if (*right && !to_right)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.searchsorted(): side and right can't be set to opposites, got side "
            "of %s while right was True",
            side);
    *right = to_right;
    return true;
}

static bool check_sorter(const ct_tensor *sorted, ct_tensor *sorter)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    int64_t bad;
    if (!cti_same_shape(sorted, sorter->ndim, sorter->shape))
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.searchsorted(): boundary and sorter must have the same size, but got "
            "boundary tensor %sand got sorter tensor %s",
            cti_shape_text(a, sorted->ndim, sorted->shape),
            cti_shape_text(b, sorter->ndim, sorter->shape));
    if (sorter->dtype != CT_INT64)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype "
            "%s",
            cti_dtype_scalar_name(sorter->dtype));
    if (sorted->numel && !cti_check_index(sorter, sorted->shape[sorted->ndim - 1], false, &bad))
        return cti_refuse(CT_ERR_RUNTIME, "torch.searchsorted(): sorter index out of range");
    return true;
}

static bool search_check_lines(const ct_tensor *sorted, const ct_tensor *values)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (values->ndim == 0 && sorted->ndim != 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.searchsorted(): input value can be a scalar only when boundaries "
                          "tensor dimension is 1, but we got boundaries tensor dim(%d) and input "
                          "value's dim(0) numel(1)",
                          sorted->ndim);
    if (sorted->ndim == 0)
        return cti_refuse(CT_ERR_RUNTIME, "torch.searchsorted(): boundaries tensor should have "
                                          "positive dimension, but got 0 dimension");
    bool fits = sorted->ndim == 1 || sorted->ndim == values->ndim;
    for (int d = 0; fits && d < sorted->ndim - 1; d++)
        fits = sorted->shape[d] == values->shape[d];
    if (fits)
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
        "dimensions of boundaries tensor and input value tensor must match, but we got "
        "boundaries tensor %s and input value tensor %s",
        cti_shape_text(a, sorted->ndim, sorted->shape),
        cti_shape_text(b, values->ndim, values->shape));
}

static void warn_of_copy(const ct_tensor *t, const char *what, bool *warned)
{
    if (!ct_is_contiguous(t))
        cti_warn_once(
            warned,
            "torch.searchsorted(): %s tensor is non-contiguous, this will lower the performance "
            "due to extra data copy when converting non-contiguous tensor to contiguous, please "
            "use contiguous %s tensor if possible. This message will only appear once per "
            "program.",
            what, what);
}

/* Runs the engine on contiguous operands of one dtype. sorter: NULL if `sorted` is in order. The
 * caller owns the result.
 * */
static ct_tensor *search(ct_tensor *sorted, ct_tensor *values, bool int32, bool right,
                         ct_tensor *sorter)
{
    struct cti_hold h = {0};
    enum ct_dtype dtype = cti_result_type((ct_value[]){V(sorted), V(values)}, 2);
    if (sorted->dtype == values->dtype)
        dtype = sorted->dtype;
    if (dtype == CT_NO_DTYPE)
        return NULL;
    if (values->numel && (dtype == CT_BOOL || dtype >= CT_COMPLEX64))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"searchsorted_out_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    if (dtype == CT_FLOAT16 || dtype == CT_BFLOAT16)
        dtype = CT_FLOAT32;
    ct_tensor *line = cti_hold(&h, cti_cast_contiguous(sorted, dtype));
    ct_tensor *v = cti_hold(&h, cti_cast_contiguous(values, dtype));
    ct_tensor *order = cti_hold(&h, cti_cast_contiguous(sorter, CT_INT64));
    ct_tensor *out =
        v ? cti_hold(&h, cti_empty(v->ndim, v->shape, CT_INT64, sorted->storage->device)) : NULL;
    bool good = line && v && out && (!sorter || order);
    if (good && v->numel)
        good = CTI_RUN(search, out, .out = out, .sorted = line, .values = v, .sorter = order,
                       .right = right);
    ct_tensor *result = good && int32 ? cti_hold(&h, cti_cast(out, CT_INT32)) : out;
    return cti_hold_end(&h, good ? result : NULL);
}

ct_tensor *cti_op_searchsorted(ct_tensor *sorted_sequence, ct_value input, bool out_int32,
                               bool right, const char *side, ct_tensor *sorter)
{
    static bool warned[3];
    bool has_sorter = sorter != CT_NO_TENSOR;
    ct_tensor *values = cti_value_beside(input, sorted_sequence), *result = NULL;
    if (values && check_side(&right, side) &&
        (!has_sorter || check_sorter(sorted_sequence, sorter)) &&
        search_check_lines(sorted_sequence, values))
        result = search(sorted_sequence, values, out_int32, right, has_sorter ? sorter : NULL);
    if (result && values->numel) {
        warn_of_copy(values, "input value", &warned[0]);
        warn_of_copy(sorted_sequence, "boundary", &warned[1]);
        if (has_sorter)
            warn_of_copy(sorter, "sorter", &warned[2]);
    }
    ct_release(values);
    return result;
}

ct_tensor *cti_op_bucketize(ct_value input, ct_tensor *boundaries, bool out_int32, bool right)
{
    if (boundaries->ndim != 1)
        return ct_fail(CT_ERR_RUNTIME, "boundaries tensor must be 1 dimension, but got dim(%d)",
                       boundaries->ndim);
    return cti_op_searchsorted(boundaries, input, out_int32, right, NULL, CT_NO_TENSOR);
}

/* ---- isin ---- */

static bool check_isin(enum ct_dtype dtype)
{
    if (dtype != CT_BOOL && dtype < CT_COMPLEX64)
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "Unsupported input type encountered for isin(): %s",
                      cti_dtype_scalar_name(dtype));
}

/* Searches each element in the sorted test elements and compares it with the element found. */
ct_tensor *cti_op_isin(ct_tensor *elements, ct_tensor *test_elements, bool assume_unique,
                       bool invert)
{
    struct cti_hold h = {0};
    (void)assume_unique;
    enum ct_dtype dtype = cti_result_type((ct_value[]){V(elements), V(test_elements)}, 2);
    if (!check_isin(elements->dtype) || !check_isin(test_elements->dtype) || dtype == CT_NO_DTYPE)
        return NULL;
    if (!elements->numel || !test_elements->numel) {
        ct_tensor *none = cti_hold(
            &h, cti_empty(elements->ndim, elements->shape, CT_BOOL, elements->storage->device));
        return cti_hold_end(&h, none && cti_fill(none, ct_value_bool(invert)) ? none : NULL);
    }
    ct_tensor *a = cti_hold(&h, cti_cast_contiguous(elements, dtype));
    ct_tensor *b = cti_hold(&h, cti_cast_contiguous(test_elements, dtype));
    ct_tensor *line = cti_hold(&h, ct_own_reshape(b, CT_INTS(-1)));
    struct ct_sort_result all = ct_own_sort(line, 0, false, false);
    cti_hold(&h, all.indices);
    ct_tensor *sorted = cti_hold(&h, all.values);
    ct_tensor *at = sorted && a ? cti_hold(&h, search(sorted, a, false, false, NULL)) : NULL;
    ct_tensor *index = cti_hold(&h, ct_own_clamp_max(at, ct_value_int(test_elements->numel - 1)));
    ct_tensor *near = cti_hold(&h, ct_own_take(sorted, index));
    ct_tensor *same = cti_hold(&h, invert ? ct_own_ne(V(near), V(a)) : ct_own_eq(V(near), V(a)));
    return cti_hold_end(&h, same);
}

ct_tensor *cti_op_isin_Scalar_Tensor(ct_value element, ct_tensor *test_elements, bool assume_unique,
                                     bool invert)
{
    ct_tensor *t = cti_value_beside(element, test_elements);
    return cti_replace_take(t, ct_own_isin(t, test_elements, assume_unique, invert));
}

ct_tensor *cti_op_isin_Tensor_Scalar(ct_tensor *elements, ct_value test_element, bool assume_unique,
                                     bool invert)
{
    ct_tensor *t = cti_value_beside(test_element, elements);
    return cti_replace_take(t, ct_own_isin(elements, t, assume_unique, invert));
}

/* ---- counts ---- */

ct_tensor *cti_op_bincount(ct_tensor *input, ct_tensor *weights, int64_t minlength)
{
    struct cti_hold h = {0};
    bool weighed = weights != CT_NO_TENSOR;
    enum ct_dtype dtype = input->dtype;
    if (!cti_is_integral(dtype, false))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"bincount_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    if (minlength < 0)
        return ct_fail(CT_ERR_RUNTIME, "minlength should be >= 0");
    if (input->ndim == 1 && !input->numel)
        return cti_zeros(1, &minlength, CT_INT64, input->storage->device);
    int64_t size = 0;
    if (input->ndim == 1) {
        struct ct_aminmax_result ends = ct_own_aminmax(input, CT_NO_DIM, false);
        ct_tensor *low = cti_hold(&h, ends.min), *high = cti_hold(&h, ends.max);
        if (!low || !high)
            return cti_hold_end(&h, NULL);
        ct_value least = ct_item_value(low), most = ct_item_value(high);
        cti_hold_end(&h, NULL);
        bool negative = least.kind == CT_VALUE_INT && least.as.i < 0;
        if (most.kind == CT_VALUE_UINT || (!negative && most.as.i == INT64_MAX))
            return ct_fail(CT_ERR_RUNTIME,
                           "maximum value of input overflowed, it should be < %lld but got %llu",
                           (long long)INT64_MAX, (unsigned long long)most.as.u);
        if (least.kind == CT_VALUE_NULL || most.kind == CT_VALUE_NULL)
            return NULL;
        size = negative ? -1 : most.as.i + 1;
    }
    if (input->ndim != 1 || size < 0)
        return ct_fail(CT_ERR_RUNTIME, "bincount only supports 1-d non-negative integral inputs.");
    if (weighed && (weights->ndim != 1 || weights->numel != input->numel))
        return ct_fail(CT_ERR_RUNTIME, "weights should be 1-d and have the same length as input");
    size = size < minlength ? minlength : size;
    enum ct_dtype sum = !weighed                       ? CT_INT64
                        : weights->dtype == CT_FLOAT32 ? CT_FLOAT32
                                                       : CT_FLOAT64;
    ct_tensor *counts = cti_hold(&h, cti_zeros(1, &size, sum, input->storage->device));
    ct_tensor *index = cti_hold(&h, cti_cast(input, CT_INT64));
    ct_tensor *one =
        weighed ? cti_hold(&h, cti_cast(weights, sum))
                : cti_hold(&h, cti_number_tensor(ct_value_int(1), sum, input->storage->device));
    if (!weighed && one)
        one = cti_hold(&h, cti_broadcast_view(one, 1, input->shape));
    bool good = counts && index && one &&
                CTI_RUN(scatter, counts, .self = counts, .dim = 0, .index = index, .src = one,
                        .how = CTI_COMBINE_ADD);
    return cti_hold_end(&h, good ? counts : NULL);
}

/* Returns the ends of the range: the given ones or, if they are equal, the extremes of the
 * elements. */
static bool histc_range(ct_tensor *input, double *low, double *high)
{
    if (*low == *high && input->numel) {
        struct ct_aminmax_result ends = ct_own_aminmax(input, CT_NO_DIM, false);
        if (ends.min) {
            *low = ct_item(ends.min);
            *high = ct_item(ends.max);
        }
        cti_release_all(ends.min, ends.max);
        if (!ends.min)
            return false;
    }
    if (*low == *high) {
        *low -= 1;
        *high += 1;
    }
    if (!isfinite(*low) || !isfinite(*high))
        return cti_refuse(CT_ERR_RUNTIME, "torch.histc: range of [%g, %g] is not finite", *low,
                          *high);
    if (!(*low < *high))
        return cti_refuse(CT_ERR_RUNTIME, "torch.histc: max must be larger than min");
    return true;
}

ct_tensor *cti_op_histc(ct_tensor *input, int64_t bins, ct_value min, ct_value max)
{
    struct cti_hold h = {0};
    enum ct_dtype dtype = input->dtype;
    double low = cti_value_real(min), high = cti_value_real(max);
    if (bins <= 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "torch.histogram(): bins must be > 0, but got %lld for dimension 0",
                       (long long)bins);
    if (!histc_range(input, &low, &high))
        return NULL;
    if (dtype < CT_FLOAT16 || dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"histogram_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    /* The bin of each element within the range; the last bin includes its right end. */
    bool half = dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
    ct_value one = ct_value_int(1), from = ct_value_float(low), to = ct_value_float(high);
    ct_tensor *x = cti_hold(&h, cti_cast(input, half ? CT_FLOAT32 : dtype));
    ct_tensor *above = cti_hold(&h, ct_own_ge(V(x), from));
    ct_tensor *below = cti_hold(&h, ct_own_le(V(x), to));
    ct_tensor *inside = cti_hold(&h, ct_own_logical_and(above, below));
    ct_tensor *selected = cti_hold(&h, ct_own_masked_select(x, inside));
    ct_tensor *difference = cti_hold(&h, ct_own_sub(V(selected), from, one));
    ct_tensor *times = cti_hold(&h, ct_own_mul(V(difference), ct_value_int(bins)));
    ct_tensor *share = cti_hold(&h, ct_own_div(V(times), ct_value_float(high - low), NULL));
    ct_tensor *bin = cti_hold(&h, ct_own_to_dtype(share, CT_INT64));
    bin = cti_hold(&h, ct_own_clamp_max(bin, ct_value_int(bins - 1)));
    ct_tensor *counts = cti_hold(&h, ct_own_bincount(bin, CT_NO_TENSOR, bins));
    return cti_hold_end(&h, cti_hold(&h, counts ? cti_cast(counts, dtype) : NULL));
}

/* ---- nonzero_static and unravel_index ---- */

ct_tensor *cti_op_nonzero_static(ct_tensor *input, int64_t size, int64_t fill_value)
{
    if (size < 0)
        return ct_fail(CT_ERR_RUNTIME, "nonzero_static: 'size' must be an non-negative integer");
    int64_t shape[2] = {size, input->ndim};
    ct_tensor *at = cti_nonzero(input);
    ct_tensor *out = at ? cti_empty(2, shape, CT_INT64, input->storage->device) : NULL;
    int64_t n = at && at->shape[0] < size ? at->shape[0] : size;
    ct_tensor *first = out ? ct_own_narrow(at, 0, 0, n) : NULL;
    ct_tensor *to = ct_own_narrow(out, 0, 0, n);
    bool good = first && to && cti_fill(out, ct_value_int(fill_value)) && cti_copy(to, first);
    cti_release_all(at, first, to);
    return cti_take_if(out, good);
}

ct_list cti_op_unravel_index_int(ct_tensor *indices, int64_t shape)
{
    return ct_own_unravel_index(indices, ct_ints_of(&shape, 1));
}

/* Makes a tensor of n numbers on a device. */
static ct_tensor *numbers_on(struct ct_device device, const int64_t *number, int64_t n)
{
    ct_tensor *t = cti_empty(1, &n, CT_INT64, (struct ct_device){CT_CPU, -1});
    if (!t)
        return NULL;
    memcpy(cti_data(t), number, (size_t)n * sizeof *number);
    return cti_replace_take(t, ct_own_to(t, CT_INT64, device, false, false, CT_PRESERVE_FORMAT));
}

ct_list cti_op_unravel_index(ct_tensor *indices, ct_ints shape)
{
    struct cti_hold h = {0};
    ct_list list = {NULL, 0};
    int64_t step[CTI_MAX_DIMS], size[CTI_MAX_DIMS], n = shape.n;
    char text[CTI_SHAPE_TEXT];
    if (!cti_is_integral(indices->dtype, false)) {
        ct_fail(CT_ERR_TYPE, "expected 'indices' to be integer dtype, but got %s",
                ct_dtype_str(indices->dtype));
        return list;
    }
    if (n > CTI_MAX_DIMS) {
        ct_fail(CT_ERR_RUNTIME, "'shape' has %lld dims, but a tensor has at most %d", (long long)n,
                CTI_MAX_DIMS);
        return list;
    }
    for (int64_t d = 0; d < n; d++)
        if (shape.v[d] < 0 || (shape.v[d] == 0 && indices->numel)) {
            cti_shape_text(text, (int)n, shape.v);
            text[strlen(text) - 1] = '\0';
            ct_fail(CT_ERR_VALUE, "'shape' cannot have %s, but got (%s%s)",
                    shape.v[d] < 0 ? "negative values"
                                   : "zero dimensions when 'indices' is non-empty",
                    text + 1, n == 1 ? "," : "");
            return list;
        }
    for (int64_t d = n - 1, by = 1; d >= 0; d--) {
        size[d] = shape.v[d] ? shape.v[d] : 1; /* a 0 is allowed if there are no indices */
        step[d] = by;
        by = cti_mul_sat(by, size[d]); /* a saturated step exceeds all indices */
    }
    ct_tensor *steps = cti_hold(&h, numbers_on(indices->storage->device, step, n));
    ct_tensor *sizes = cti_hold(&h, numbers_on(indices->storage->device, size, n));
    if (steps && sizes) {
        ct_tensor *lifted = cti_hold(&h, ct_own_unsqueeze(indices, -1));
        ct_tensor *whole = cti_hold(&h, ct_own_floor_quotient(V(lifted), V(steps)));
        ct_tensor *rest = cti_hold(&h, ct_own_remainder(V(whole), V(sizes)));
        list = ct_own_unbind(rest, -1);
    }
    cti_hold_end(&h, NULL);
    return list;
}

int cti_op_is_nonzero(ct_tensor *input)
{
    if (input->numel != 1) {
        ct_fail(CT_ERR_RUNTIME, "Boolean value of Tensor with %s is ambiguous",
                input->numel ? "more than one value" : "no values");
        return -1;
    }
    ct_value v = ct_item_value(input);
    return v.kind == CT_VALUE_NULL ? -1 : cti_value_true(v);
}
