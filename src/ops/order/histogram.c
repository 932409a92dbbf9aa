/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements histogram and histogramdd, declared in search.toml: after PyTorch's checks, finds the
 * bin of each coordinate by a search, combines the bins of a point into one index and counts the
 * indices. */
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <math.h>

/* ---- checks ---- */

static bool histogram_check_type(const ct_tensor *points)
{
    if (points->dtype == CT_FLOAT32 || points->dtype == CT_FLOAT64)
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"histogramdd\" not implemented for '%s'",
                      cti_dtype_scalar_name(points->dtype));
}

/* With given edges, elements are only compared, so more dtypes are allowed. */
static bool check_comparable(const ct_tensor *points)
{
    if (points->dtype >= CT_FLOAT16 && points->dtype < CT_COMPLEX64)
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"histogram_cpu\" not implemented for '%s'",
                      cti_dtype_scalar_name(points->dtype));
}

static bool check_edges(const ct_tensor *points, const ct_tensor *edges, int d)
{
    if (edges->dtype != points->dtype)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.histogramdd: input tensor and bins tensors should have the same "
            "dtype, but got input with dtype %s and bins for dimension %d with dtype %s",
            cti_dtype_cpp_name(points->dtype), d, cti_dtype_cpp_name(edges->dtype));
    if (edges->ndim != 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.histogramdd: bins tensor should have one dimension, but got %d "
                          "dimensions in the bins tensor for dimension %d",
                          edges->ndim, d);
    if (!edges->numel)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.histogramdd: bins tensor should have at least 1 element, but got 0 "
            "elements in the bins tensor for dimension %d",
            d);
    if (edges->numel == 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.histogram(): bins must be > 0, but got 0 for dimension %d", d);
    return true;
}

static bool histogram_check_weight(const ct_tensor *points, const ct_tensor *weight)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (weight == CT_NO_TENSOR)
        return true;
    if (weight->dtype != points->dtype)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.histogramdd: if weight tensor is provided, input tensor and weight "
            "tensor should have the same dtype, but got input(%s), and weight(%s)",
            cti_dtype_cpp_name(points->dtype), cti_dtype_cpp_name(weight->dtype));
    if (cti_same_shape(weight, points->ndim - 1, points->shape))
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "torch.histogramdd: if weight tensor is provided it should have the same shape "
        "as the input tensor excluding its innermost dimension, but got input with shape "
        "%s and weight with shape %s",
        cti_shape_text(a, points->ndim, points->shape),
        cti_shape_text(b, weight->ndim, weight->shape));
}

/* ---- counting ---- */

/* The bin of each coordinate; points outside the edges are cleared in *inside. h owns the
 * result. */
static ct_tensor *bins_of(struct cti_hold *h, ct_tensor *x, ct_tensor *edges, ct_tensor **inside)
{
    int64_t last = edges->numel - 1;
    ct_tensor *right = cti_hold(h, ct_own_select(edges, 0, last));
    ct_tensor *left = cti_hold(h, ct_own_select(edges, 0, 0));
    ct_tensor *above = cti_hold(h, ct_own_ge(V(x), V(left)));
    ct_tensor *below = cti_hold(h, ct_own_le(V(x), V(right)));
    ct_tensor *both = cti_hold(h, ct_own_logical_and(above, below));
    *inside = *inside ? cti_hold(h, ct_own_logical_and(*inside, both)) : both;
    ct_tensor *plain = x ? cti_hold(h, cti_contiguous(x)) : NULL;
    ct_tensor *at =
        cti_hold(h, ct_own_searchsorted(edges, V(plain), false, true, NULL, CT_NO_TENSOR));
    ct_tensor *bin = cti_hold(h, ct_own_sub(V(at), ct_value_int(1), ct_value_int(1)));
    return cti_hold(h, ct_own_clamp(bin, ct_value_int(0), ct_value_int(last - 1)));
}

/* Divides the counts by their sum and by the widths of the bins. */
static ct_tensor *as_density(struct cti_hold *h, ct_tensor *hist, ct_tensor *const *edges, int n)
{
    ct_tensor *sum = cti_hold(h, ct_own_sum(hist, CT_NO_DIMS, false, CT_NO_DTYPE));
    hist = cti_hold(h, ct_own_div(V(hist), V(sum), NULL));
    for (int d = 0; d < n && hist; d++) {
        int64_t shape[CTI_MAX_DIMS];
        for (int i = 0; i < n; i++)
            shape[i] = i == d ? -1 : 1;
        ct_tensor *widths = cti_hold(h, ct_own_diff(edges[d], 1, 0, CT_NO_TENSOR, CT_NO_TENSOR));
        widths = cti_hold(h, ct_own_reshape(widths, ct_ints_of(shape, n)));
        hist = cti_hold(h, ct_own_div(V(hist), V(widths), NULL));
    }
    return hist;
}

/* Counts points, [..., n], with the edges of each of the n dims. The caller owns the result. */
static ct_tensor *count_points(ct_tensor *points, ct_tensor *const *edges, ct_tensor *weight,
                               bool density)
{
    struct cti_hold h = {0};
    int n = (int)points->shape[points->ndim - 1];
    int64_t shape[CTI_MAX_DIMS], total = 1;
    ct_tensor *inside = NULL, *at = NULL;
    ct_tensor *rows = cti_hold(&h, ct_own_reshape(points, CT_INTS(-1, n)));
    for (int d = 0; d < n; d++) {
        struct cti_hold step = {0};
        shape[d] = edges[d]->numel - 1;
        total = cti_mul_sat(total, shape[d]);
        ct_tensor *line = cti_hold(&step, ct_own_contiguous(edges[d], CT_CONTIGUOUS_FORMAT));
        ct_tensor *x = cti_hold(&step, ct_own_select(rows, 1, d)), *kept = inside;
        ct_tensor *bin = line && x ? bins_of(&step, x, line, &kept) : NULL;
        if (at) {
            ct_tensor *up = cti_hold(&step, ct_own_mul(V(at), ct_value_int(shape[d])));
            bin = cti_hold(&step, ct_own_add(V(up), V(bin), ct_value_int(1)));
        }
        at = cti_hold(&h, bin ? ct_retain(bin) : NULL);
        inside = cti_hold(&h, kept ? ct_retain(kept) : NULL);
        cti_hold_end(&step, NULL);
        if (!at || !inside)
            return cti_hold_end(&h, NULL);
    }
    enum ct_dtype dtype = points->dtype;
    ct_tensor *kept = cti_hold(&h, ct_own_masked_select(at, inside)), *w = CT_NO_TENSOR;
    if (weight != CT_NO_TENSOR) {
        ct_tensor *flat = cti_hold(&h, ct_own_reshape(weight, CT_INTS(-1)));
        w = cti_hold(&h, ct_own_masked_select(flat, inside));
    }
    ct_tensor *counts = cti_hold(&h, ct_own_bincount(kept, w, total));
    ct_tensor *cast = counts ? cti_hold(&h, cti_cast(counts, dtype)) : NULL;
    ct_tensor *hist = cti_hold(&h, ct_own_reshape(cast, ct_ints_of(shape, n)));
    if (density && hist)
        hist = as_density(&h, hist, edges, n);
    return cti_hold_end(&h, hist);
}

/* ---- bin edges for a given number of bins ---- */

/* Returns the range of coordinate d: the given one, or the extremes of the points. Copies values to
 * the host, so it waits for the device. */
static bool outer_edges(ct_tensor *rows, int d, ct_floats range, double *low, double *high)
{
    if (range.v) {
        *low = range.v[2 * d];
        *high = range.v[2 * d + 1];
    } else if (!rows->shape[0]) {
        *low = 0;
        *high = 1;
    } else {
        ct_tensor *x = ct_own_select(rows, 1, d);
        struct ct_aminmax_result ends = ct_own_aminmax(x, CT_NO_DIM, false);
        bool good = ends.min != NULL;
        *low = good ? ct_item(ends.min) : 0;
        *high = good ? ct_item(ends.max) : 0;
        cti_release_all(x, ends.min, ends.max);
        if (!good)
            return false;
    }
    if (!isfinite(*low) || !isfinite(*high))
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.histogramdd: dimension %d's range [%g, %g] is not finite", d, *low,
                          *high);
    if (*low > *high)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.histogramdd: min should not exceed max, but got min %g max %g for "
                          "dimension %d",
                          *low, *high, d);
    if (*low == *high) {
        *low -= 0.5;
        *high += 0.5;
    }
    return true;
}

/* Makes the edges of each dim of points, [..., n]; on failure `edges` holds those made so far. */
static bool make_edges(ct_tensor *points, ct_ints bins, ct_floats range, ct_tensor **edges)
{
    int64_t n = points->shape[points->ndim - 1];
    range = cti_floats_counted(range);
    for (int64_t d = 0; d < n; d++)
        if (bins.v[d] <= 0)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "torch.histogram(): bins must be > 0, but got %lld for dimension %lld",
                (long long)bins.v[d], (long long)d);
    if (range.v && range.n != 2 * n)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.histogramdd: for a %lld-dimensional histogram range should have %lld "
            "elements, but got %lld",
            (long long)n, (long long)(2 * n), (long long)range.n);
    ct_tensor *rows = ct_own_reshape(points, CT_INTS(-1, n));
    bool good = rows != NULL;
    for (int d = 0; d < n && good; d++) {
        double low, high;
        good = outer_edges(rows, d, range, &low, &high) &&
               (edges[d] = ct_own_linspace(ct_value_float(low), ct_value_float(high),
                                           cti_add_sat(bins.v[d], 1), points->dtype,
                                           points->storage->device, false));
    }
    ct_release(rows);
    return good;
}

/* ---- one dim ---- */

/* Reshapes the elements to points with one coordinate, and flattens the weights. h owns the
 * result. */
static ct_tensor *as_points(struct cti_hold *h, ct_tensor *input, ct_tensor **weight)
{
    if (*weight != CT_NO_TENSOR)
        *weight = cti_hold(h, ct_own_reshape(*weight, CT_INTS(-1)));
    return cti_hold(h, ct_own_reshape(input, CT_INTS(input->numel, 1)));
}

bool cti_op_histogram(struct ct_histogram_result *result, ct_tensor *input, int64_t bins,
                      ct_floats range, ct_tensor *weight, bool density)
{
    struct cti_hold h = {0};
    bool mode = cti_grad_pause();
    ct_tensor *edges = NULL, *points = as_points(&h, input, &weight);
    bool good = points && weight && histogram_check_type(points) &&
                histogram_check_weight(points, weight) &&
                make_edges(points, ct_ints_of(&bins, 1), range, &edges);
    result->bin_edges = edges;
    if (good)
        result->hist = count_points(points, &edges, weight, density);
    cti_hold_end(&h, NULL);
    cti_grad_restore(mode);
    return good && result->hist;
}

bool cti_op_histogram_bins_tensor(struct ct_histogram_bins_tensor_result *result, ct_tensor *input,
                                  ct_tensor *bins, ct_tensor *weight, bool density)
{
    struct cti_hold h = {0};
    bool mode = cti_grad_pause();
    ct_tensor *points = as_points(&h, input, &weight);
    bool good = points && weight && check_edges(points, bins, 0) &&
                histogram_check_weight(points, weight) && check_comparable(points);
    if (good) {
        result->hist = count_points(points, &bins, weight, density);
        result->bin_edges = ct_own_clone(bins, -1);
    }
    cti_hold_end(&h, NULL);
    cti_grad_restore(mode);
    return good && result->hist && result->bin_edges;
}

/* ---- several dims ---- */

static bool histogram_check_points(const ct_tensor *input, int64_t n)
{
    if (input->ndim < 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.histogramdd: input tensor should have at least 2 dimensions");
    if (n != input->shape[input->ndim - 1])
        return cti_refuse(CT_ERR_RUNTIME, "histogramdd: The size of bins must be equal to the "
                                          "innermost dimension of the input.");
    return true;
}

/* Returns the histogram and its edges as one list. */
static ct_list histogram_list(ct_tensor *input, ct_tensor **edges, int64_t n, ct_tensor *weight,
                              bool density)
{
    ct_tensor **list = cti_calloc((size_t)n + 1, sizeof *list);
    if (list) {
        bool mode = cti_grad_pause();
        list[0] = count_points(input, edges, weight, density);
        cti_grad_restore(mode);
        for (int64_t d = 0; d < n; d++)
            list[d + 1] = ct_retain(edges[d]);
    }
    return cti_list_take_if(list, n + 1, list && list[0]);
}

ct_list cti_op_histogramdd_from_bins(ct_tensor *input, ct_list bins, ct_tensor *weight,
                                     bool density)
{
    bool good = histogram_check_points(input, bins.n);
    for (int64_t d = 0; d < bins.n && good; d++)
        good = check_edges(input, bins.v[d], (int)d);
    if (!good || !histogram_check_weight(input, weight) || !check_comparable(input))
        return CT_NO_LIST;
    ct_tensor *edges[CTI_MAX_DIMS];
    for (int64_t d = 0; d < bins.n; d++)
        edges[d] = bins.v[d];
    return histogram_list(input, edges, bins.n, weight, density);
}

ct_list cti_op_histogramdd_from_counts(ct_tensor *input, ct_ints bins, ct_floats range,
                                       ct_tensor *weight, bool density)
{
    ct_tensor *edges[CTI_MAX_DIMS] = {NULL};
    ct_list list = {NULL, 0};
    if (histogram_check_points(input, bins.n) && histogram_check_type(input) &&
        histogram_check_weight(input, weight) && make_edges(input, bins, range, edges))
        list = histogram_list(input, edges, bins.n, weight, density);
    for (int64_t d = 0; d < bins.n && d < CTI_MAX_DIMS; d++)
        ct_release(edges[d]);
    return list;
}
