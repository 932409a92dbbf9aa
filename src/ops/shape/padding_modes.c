/* SPDX-License-Identifier: BSD-3-Clause */
/* Padding by reflection, replication or wrapping around (circular); declared in padding.toml. The
 * middle is copied first. Then, dim by dim, two strips are copied from the middle of the result
 * itself, through views whose stride is reversed, 0 or unchanged. The derivative adds the strips
 * back in the opposite order. A circular border wider than the middle (because the other side is
 * cropped) is copied in several parts. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/shape/padding.h"

#include <string.h>

/* One padded dim: border widths, the size of the middle, and what negative widths crop. */
struct edge {
    int dim;
    int64_t low, high, size, cut_low, cut_high;
};

static int64_t over_zero(int64_t x)
{
    return x > 0 ? x : 0;
}

/* Fills in `edge`, the last dim first. Circular padding crops before it pads. */
static int edges_of(ct_ints sizes, ct_ints padding, enum cti_pad_mode mode, struct edge *edge)
{
    int n = (int)(padding.n / 2);
    for (int i = 0; i < n; i++) {
        int64_t low = padding.v[2 * i], high = padding.v[2 * i + 1];
        int dim = (int)sizes.n - 1 - i;
        edge[i] = (struct edge){dim,
                                over_zero(low),
                                over_zero(high),
                                sizes.v[dim],
                                over_zero(cti_sub_sat(0, low)),
                                over_zero(cti_sub_sat(0, high))};
        if (mode == CTI_PAD_CIRCULAR)
            edge[i].size =
                cti_sub_sat(cti_sub_sat(sizes.v[dim], edge[i].cut_low), edge[i].cut_high);
    }
    return n;
}

/* ---- strips ---- */

/* A strip of a dim and its source: n indices from `at` on are copies of those from `from` on, by
 * steps of 1, -1 or 0. */
struct strip {
    int64_t n, at, from, step;
};

static struct strip strip_of(const struct edge *e, enum cti_pad_mode mode, bool high)
{
    int64_t end = e->low + e->size;
    if (high)
        return (struct strip){e->high, end,
                              mode == CTI_PAD_REFLECT     ? end - 2
                              : mode == CTI_PAD_REPLICATE ? end - 1
                                                          : e->low,
                              mode == CTI_PAD_REFLECT     ? -1
                              : mode == CTI_PAD_REPLICATE ? 0
                                                          : 1};
    return (struct strip){e->low, 0,
                          mode == CTI_PAD_REFLECT     ? 2 * e->low
                          : mode == CTI_PAD_REPLICATE ? e->low
                                                      : e->size,
                          mode == CTI_PAD_REFLECT     ? -1
                          : mode == CTI_PAD_REPLICATE ? 0
                                                      : 1};
}

/* A view of n indices of a dim of t, from `from` on by steps; the caller owns it. */
static ct_tensor *stepping(ct_tensor *t, int dim, int64_t n, int64_t from, int64_t step)
{
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_DIMS];
    memcpy(shape, t->shape, sizeof(int64_t) * t->ndim);
    memcpy(stride, t->stride, sizeof(int64_t) * t->ndim);
    shape[dim] = n;
    stride[dim] *= step;
    return cti_view(t, t->ndim, shape, stride, t->offset + from * t->stride[dim]);
}

static bool copy_strip(ct_tensor *band, int dim, struct strip s)
{
    if (s.n == 0)
        return true;
    ct_tensor *to = stepping(band, dim, s.n, s.at, 1);
    ct_tensor *from = to ? stepping(band, dim, s.n, s.from, s.step) : NULL;
    bool good = from && cti_copy(to, from);
    cti_release_all(to, from);
    return good;
}

/* The derivative of copy_strip: adds the strip to its source. */
static bool add_strip(ct_tensor *band, int dim, struct strip s)
{
    if (s.n == 0)
        return true;
    int64_t d = dim;
    ct_tensor *strip = stepping(band, dim, s.n, s.at, 1), *part = NULL, *to = NULL, *sum = NULL;
    if (strip)
        part = s.step ? ct_retain(strip) : ct_own_sum(strip, ct_ints_of(&d, 1), true, CT_NO_DTYPE);
    if (part)
        to = stepping(band, dim, s.step ? s.n : 1, s.from, s.step ? s.step : 1);
    if (to)
        sum = ct_own_add(V(to), V(part), ct_value_int(1));
    bool good = sum && cti_copy(to, sum);
    cti_release_all(strip, part, to, sum);
    return good;
}

/* Returns the part of `whole` that contains the strips of edge i; dims of later edges are narrowed
 * to their middle. */
static ct_tensor *band_of(ct_tensor *whole, const struct edge *edge, int i, int n)
{
    ct_tensor *band = cti_view_alias(whole);
    for (int k = i; band && k < n; k++)
        band = cti_replace_take(band, stepping(band, edge[k].dim, edge[k].size, edge[k].low, 1));
    return band;
}

/* ---- both directions ---- */

/* t without the elements that edges crop; a view, owned. */
static ct_tensor *cut_view(ct_tensor *t, const struct edge *edge, int n)
{
    ct_tensor *view = cti_view_alias(t);
    for (int k = 0; view && k < n; k++) {
        int64_t size = view->shape[edge[k].dim] - edge[k].cut_low - edge[k].cut_high;
        view = cti_replace_take(view, stepping(view, edge[k].dim, size, edge[k].cut_low, 1));
    }
    return view;
}

static bool any_cut(const struct edge *edge, int n)
{
    for (int k = 0; k < n; k++)
        if (edge[k].cut_low || edge[k].cut_high)
            return true;
    return false;
}

/* The padded shape, before a reflected or replicated result is cropped. */
static bool grown_shape(ct_ints sizes, const struct edge *edge, int n, int64_t *shape)
{
    memcpy(shape, sizes.v, sizeof(int64_t) * (size_t)sizes.n);
    for (int k = 0; k < n; k++) {
        int64_t *size = &shape[edge[k].dim];
        *size = cti_add_sat(cti_add_sat(edge[k].size, edge[k].low), edge[k].high);
        if (*size == INT64_MAX)
            return cti_shape_fail((int)sizes.n, shape, NULL) != NULL;
    }
    return true;
}

/* Copies of a circular border are no longer than the middle; each repeats the part before it, from
 * the middle outwards. Other borders are one part. */
static int64_t parts_of(const struct edge *e, enum cti_pad_mode mode, bool high)
{
    int64_t n = high ? e->high : e->low;
    return mode == CTI_PAD_CIRCULAR && n > e->size ? (n + e->size - 1) / e->size : 1;
}

static struct strip part_of(const struct edge *e, enum cti_pad_mode mode, bool high, int64_t i)
{
    struct strip s = strip_of(e, mode, high);
    if (mode != CTI_PAD_CIRCULAR || s.n <= e->size)
        return s;
    int64_t near = i * e->size, n = s.n - near < e->size ? s.n - near : e->size;
    int64_t at = high ? s.at + near : s.at + s.n - near - n;
    return (struct strip){n, at, high ? at - e->size : at + e->size, s.step};
}

static bool copy_border(ct_tensor *band, const struct edge *e, enum cti_pad_mode mode, bool high)
{
    bool good = true;
    for (int64_t i = 0, n = parts_of(e, mode, high); good && i < n; i++)
        good = copy_strip(band, e->dim, part_of(e, mode, high, i));
    return good;
}

static bool add_border(ct_tensor *band, const struct edge *e, enum cti_pad_mode mode, bool high)
{
    bool good = true;
    for (int64_t i = parts_of(e, mode, high); good && i-- > 0;)
        good = add_strip(band, e->dim, part_of(e, mode, high, i));
    return good;
}

/* Writes the middle, then the strips. */
static bool fill_in(ct_tensor *whole, ct_tensor *from, const struct edge *edge, int n,
                    enum cti_pad_mode mode)
{
    ct_tensor *middle = band_of(whole, edge, 0, n);
    bool good = middle && cti_copy(middle, from);
    ct_release(middle);
    for (int i = 0; good && i < n; i++) {
        ct_tensor *band = band_of(whole, edge, i + 1, n);
        good = band && copy_border(band, &edge[i], mode, false) &&
               copy_border(band, &edge[i], mode, true);
        ct_release(band);
    }
    return good;
}

#define IN_CACHE 65536 /* elements; a part of this size stays in cache between strips */

/* Pads a large tensor in parts along its first dim, which has no border. */
static bool fill_by_parts(ct_tensor *whole, ct_tensor *from, const struct edge *edge, int n,
                          enum cti_pad_mode mode)
{
    if (whole->storage->device.type == CT_META)
        return true;
    if (whole->numel <= IN_CACHE)
        return whole->numel == 0 || fill_in(whole, from, edge, n, mode);
    int64_t size = whole->shape[0], each = whole->numel / size, step = IN_CACHE / each;
    step = step ? step : 1;
    for (int64_t at = 0; at < size; at += step) {
        int64_t end = at + step < size ? at + step : size;
        ct_tensor *to = cti_view_slice(whole, 0, at, end, 1);
        ct_tensor *part = to ? cti_view_slice(from, 0, at, end, 1) : NULL;
        bool good = part && fill_in(to, part, edge, n, mode);
        cti_release_all(to, part);
        if (!good)
            return false;
    }
    return true;
}

static ct_tensor *pad_by_mode(ct_tensor *input, ct_ints padding, enum cti_pad_mode mode)
{
    struct edge edge[CTI_MAX_DIMS];
    int64_t shape[CTI_MAX_DIMS];
    ct_ints sizes = cti_shape_of(input);
    int n = edges_of(sizes, padding, mode, edge);
    enum ct_memory_format format =
        mode == CTI_PAD_CIRCULAR ? CT_CONTIGUOUS_FORMAT : cti_suggested_format(input);
    if (!grown_shape(sizes, edge, n, shape))
        return NULL;
    ct_tensor *whole = cti_empty_format(input, input->ndim, shape, format), *from = NULL;
    if (whole)
        from = mode == CTI_PAD_CIRCULAR ? cut_view(input, edge, n) : cti_view_alias(input);
    bool good = from && fill_by_parts(whole, from, edge, n, mode);
    ct_release(from);
    if (good && mode != CTI_PAD_CIRCULAR && any_cut(edge, n)) {
        ct_tensor *view = cut_view(whole, edge, n), *copy = NULL;
        if (view && (copy = cti_empty_format(input, view->ndim, view->shape, format)))
            good = cti_copy(copy, view);
        good = good && copy;
        cti_release_all(view, whole);
        whole = copy;
    }
    return cti_take_new_if(whole, good);
}

/* Zeros of a shape with t at the elements that are not cropped; the caller owns it. */
static ct_tensor *uncut(ct_tensor *t, int ndim, const int64_t *shape, const struct edge *edge,
                        int n)
{
    ct_tensor *whole = cti_zeros(ndim, shape, t->dtype, t->storage->device);
    ct_tensor *view = whole ? cut_view(whole, edge, n) : NULL;
    bool good = view && cti_copy(view, t);
    ct_release(view);
    return cti_take_if(whole, good);
}

/* The gradient of the input: from the last padded dim to the first, the strips of the border are
 * added to their sources. The caller owns the result. */
ct_tensor *cti_op_pad_backward(ct_tensor *grad, ct_ints sizes, ct_ints padding, int mode)
{
    struct edge edge[CTI_MAX_DIMS] = {{0}}; /* gcc 13 warns of an uninitialized array */
    int64_t shape[CTI_MAX_DIMS];
    int n = edges_of(sizes, padding, mode, edge), ndim = (int)sizes.n;
    bool cut = any_cut(edge, n);
    if (!grown_shape(sizes, edge, n, shape))
        return NULL;
    ct_tensor *work = cut && mode != CTI_PAD_CIRCULAR
                          ? uncut(grad, ndim, shape, edge, n)
                          : cti_empty_like(grad, grad->dtype, CT_CONTIGUOUS_FORMAT);
    bool good = work && ((cut && mode != CTI_PAD_CIRCULAR) || cti_copy(work, grad));
    for (int i = n; good && i-- > 0 && work->numel;) {
        ct_tensor *band = band_of(work, edge, i + 1, n);
        good = band && add_border(band, &edge[i], mode, true) &&
               add_border(band, &edge[i], mode, false);
        ct_release(band);
    }
    ct_tensor *middle = good ? band_of(work, edge, 0, n) : NULL, *result = NULL;
    if (middle)
        result = cut && mode == CTI_PAD_CIRCULAR ? uncut(middle, ndim, sizes.v, edge, n)
                                                 : cti_clone(middle);
    cti_release_all(work, middle);
    return result;
}

/* ---- checks and operations ---- */

static bool padding_check_input(const ct_tensor *input, int dims)
{
    char text[CTI_SHAPE_TEXT];
    bool good = true;
    for (int d = input->ndim == dims + 2 ? 1 : 0; d < input->ndim; d++)
        good = good && input->shape[d] != 0;
    return good ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Expected %dD or %dD (batch mode) tensor with possibly 0 batch size and "
                      "other non-zero dimensions for input, but got: %s",
                      dims + 1, dims + 2, cti_shape_text(text, input->ndim, input->shape));
}

static bool check_reflection(const ct_tensor *input, ct_ints padding)
{
    char text[CTI_SHAPE_TEXT];
    for (int i = 0; i < (int)(padding.n / 2); i++) {
        int d = input->ndim - 1 - i;
        if (padding.v[2 * i] >= input->shape[d] || padding.v[2 * i + 1] >= input->shape[d])
            return cti_refuse(
                CT_ERR_RUNTIME,
                "Argument #%d: Padding size should be less than the corresponding input "
                "dimension, but got: padding (%lld, %lld) at dimension %d of input %s",
                4 + 2 * i, (long long)padding.v[2 * i], (long long)padding.v[2 * i + 1], d,
                cti_shape_text(text, input->ndim, input->shape));
    }
    return true;
}

/* Fails if a dim of the result is empty. */
static bool check_result(const ct_tensor *input, ct_ints padding)
{
    long long in[3] = {0}, out[3] = {0};
    int dims = (int)(padding.n / 2);
    bool good = true;
    for (int i = 0; i < dims; i++) {
        in[i] = input->shape[input->ndim - 1 - i];
        out[i] = cti_add_sat(cti_add_sat(in[i], padding.v[2 * i]), padding.v[2 * i + 1]);
        good = good && out[i] >= 1;
    }
    if (good)
        return true;
    if (dims == 1)
        return cti_refuse(CT_ERR_RUNTIME, "input (W: %lld) is too small. Calculated output W: %lld",
                          in[0], out[0]);
    if (dims == 2)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Calculated output H: %lld W: %lld must be >= 1 in every dimension (input "
            "H: %lld, W: %lld)",
            out[1], out[0], in[1], in[0]);
    return cti_refuse(CT_ERR_RUNTIME,
                      "Calculated output D: %lld H: %lld W: %lld must be >= 1 in every dimension "
                      "(input D: %lld, H: %lld, W: %lld)",
                      out[2], out[1], out[0], in[2], in[1], in[0]);
}

static bool padding_check_type(const ct_tensor *input, ct_ints padding, const char *name)
{
    bool last = cti_suggested_format(input) == CT_CHANNELS_LAST && padding.n == 4;
    return input->dtype != CT_BOOL ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s_pad%dd%s\" not implemented for 'Bool'", name,
                      (int)(padding.n / 2), last ? "_channels_last" : "");
}

ct_tensor *cti_op_reflection_pad(ct_tensor *input, ct_ints padding)
{
    if (!padding_check_input(input, (int)(padding.n / 2)) || !check_reflection(input, padding) ||
        !check_result(input, padding) || !padding_check_type(input, padding, "reflection"))
        return NULL;
    return pad_by_mode(input, padding, CTI_PAD_REFLECT);
}

ct_tensor *cti_op_replication_pad(ct_tensor *input, ct_ints padding)
{
    if (!padding_check_input(input, (int)(padding.n / 2)) || !check_result(input, padding) ||
        !padding_check_type(input, padding, "replication"))
        return NULL;
    return pad_by_mode(input, padding, CTI_PAD_REPLICATE);
}

ct_tensor *cti_op_circular_pad(ct_tensor *input, ct_ints padding)
{
    for (int i = 0; i < (int)(padding.n / 2); i++) {
        int64_t low = padding.v[2 * i], high = padding.v[2 * i + 1];
        int64_t size = input->shape[input->ndim - 1 - i];
        if (low > size || high > size)
            return ct_fail(CT_ERR_RUNTIME, "Padding value causes wrapping around more than once.");
        int64_t cut_low = over_zero(cti_sub_sat(0, low)),
                cut_high = over_zero(cti_sub_sat(0, high));
        if (cti_add_sat(cti_add_sat(size, low), high) < 0 || size < cti_add_sat(cut_low, cut_high))
            return ct_fail(CT_ERR_RUNTIME,
                           "Negative padding value is resulting in an empty dimension");
        /* If cropping leaves nothing, there is nothing to repeat on the other side. */
        if ((low > 0 || high > 0) && size == cti_add_sat(cut_low, cut_high))
            return ct_fail(CT_ERR_RUNTIME, "Padding value causes wrapping around more than once.");
    }
    return pad_by_mode(input, padding, CTI_PAD_CIRCULAR);
}
