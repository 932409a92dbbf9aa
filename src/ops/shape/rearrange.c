/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the flips, rolls and shuffles of rearrange.toml. Each is a copy between two views, so
 * the copy engine does all the work. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/shape/padding.h"

#include <string.h>

/* Copies src to dst. Takes dst; NULL on failure. */
static ct_tensor *copy_into(ct_tensor *dst, ct_tensor *src)
{
    return cti_take_if(dst, dst && src && cti_copy(dst, src));
}

/* ---- flips ---- */

/* Returns dims as a bit set; duplicates are an error. */
static bool read_dim_set(const ct_tensor *t, ct_ints dims, uint64_t *bits)
{
    *bits = 0;
    for (int64_t i = 0; i < dims.n; i++) {
        int d;
        if (!cti_shape_wrap_dim(dims.v[i], t->ndim, &d))
            return false;
        if (*bits >> d & 1)
            return cti_refuse(CT_ERR_RUNTIME, "dim %d appears multiple times in the list of dims",
                              d);
        *bits |= UINT64_C(1) << d;
    }
    return true;
}

/* Returns a view of t reversed along the dims. */
static ct_tensor *backwards(ct_tensor *t, uint64_t dims)
{
    int64_t stride[CTI_MAX_DIMS], offset = t->offset;
    for (int d = 0; d < t->ndim; d++) {
        bool flipped = (dims >> d & 1) && t->shape[d] > 1;
        stride[d] = flipped ? -t->stride[d] : t->stride[d];
        if (flipped)
            offset = cti_offset_by(offset, t->stride[d], t->shape[d] - 1);
    }
    return cti_view(t, t->ndim, t->shape, stride, t->numel ? offset : t->offset);
}

ct_tensor *cti_op_flip(ct_tensor *input, ct_ints dims)
{
    uint64_t bits;
    if (!read_dim_set(input, dims, &bits))
        return NULL;
    ct_tensor *view = backwards(input, bits);
    return cti_replace_take(
        view,
        copy_into(view ? cti_empty_like(input, input->dtype, CT_PRESERVE_FORMAT) : NULL, view));
}

ct_tensor *cti_op_fliplr(ct_tensor *input)
{
    if (input->ndim < 2)
        return ct_fail(CT_ERR_RUNTIME, "Input must be >= 2-d.");
    return ct_own_flip(input, CT_INTS(1));
}

ct_tensor *cti_op_flipud(ct_tensor *input)
{
    if (input->ndim < 1)
        return ct_fail(CT_ERR_RUNTIME, "Input must be >= 1-d.");
    return ct_own_flip(input, CT_INTS(0));
}

ct_tensor *cti_op_rot90(ct_tensor *input, int64_t k, ct_ints dims)
{
    int a, b;
    if (dims.n != 2)
        return ct_fail(CT_ERR_RUNTIME, "expected total rotation dims == 2, but got dims = %lld",
                       (long long)dims.n);
    if (input->ndim < 2)
        return ct_fail(CT_ERR_RUNTIME, "expected total dims >= 2, but got total dims = %d",
                       input->ndim);
    if (!cti_shape_wrap_dim(dims.v[0], input->ndim, &a) ||
        !cti_shape_wrap_dim(dims.v[1], input->ndim, &b))
        return NULL;
    if (a == b)
        return ct_fail(CT_ERR_RUNTIME,
                       "expected rotation dims to be different, but got dim0 = %lld and dim1 = "
                       "%lld",
                       (long long)dims.v[0], (long long)dims.v[1]);
    k = ((k % 4) + 4) % 4;
    if (k == 0)
        return copy_into(cti_empty_format(input, input->ndim, input->shape, CT_CONTIGUOUS_FORMAT),
                         input);
    if (k == 2)
        return cti_op_flip(input, ct_ints_of((int64_t[]){a, b}, 2));
    ct_tensor *result = cti_op_flip(input, ct_ints_of((int64_t[]){k == 1 ? b : a}, 1));
    return cti_take_if(result, result && cti_op_transpose_(result, a, b));
}

/* ---- rolls ---- */

/* Copies the two pieces of each rolled dim; recurses with both views narrowed to a piece. */
static bool roll_dims(ct_tensor *dst, ct_tensor *src, const int *dims, const int64_t *shifts, int n)
{
    if (n == 0)
        return cti_copy(dst, src);
    int d = dims[0];
    int64_t size = src->shape[d], shift = shifts[0];
    for (int piece = 0; piece < 2; piece++) {
        int64_t from = piece ? size - shift : 0, to = piece ? 0 : shift;
        int64_t length = piece ? shift : size - shift;
        if (length == 0)
            continue;
        ct_tensor *a = cti_view_slice(src, d, from, from + length, 1);
        ct_tensor *b = cti_view_slice(dst, d, to, to + length, 1);
        bool good = a && b && roll_dims(b, a, dims + 1, shifts + 1, n - 1);
        cti_release_all(a, b);
        if (!good)
            return false;
    }
    return true;
}

/* The rolled dims, each once, with shifts in [0, size); returns their number, -1: failed. */
static int moves_of(const ct_tensor *t, ct_ints shifts, ct_ints dims, int *dim, int64_t *shift)
{
    int n = 0;
    for (int64_t i = 0; i < dims.n; i++) {
        int d, k = 0;
        if (!t->ndim)
            return ct_fail(CT_ERR_INDEX, "Dimension specified as %lld but tensor has no dimensions",
                           (long long)dims.v[i]),
                   -1;
        if (!cti_shape_wrap_dim(dims.v[i], t->ndim, &d))
            return -1;
        if (t->shape[d] == 0)
            continue;
        int64_t size = t->shape[d], by = shifts.v[i] % size, before;
        by += by < 0 ? size : 0;
        while (k < n && dim[k] != d)
            k++;
        dim[k] = d;
        before = k == n ? 0 : shift[k]; /* avoids overflow of before + by */
        shift[k] = before < size - by ? before + by : before - (size - by);
        n += k == n;
    }
    return n;
}

ct_tensor *cti_op_roll(ct_tensor *input, ct_ints shifts, ct_ints dims)
{
    int dim[CTI_MAX_DIMS], n;
    int64_t shift[CTI_MAX_DIMS];
    if (!shifts.n)
        return ct_fail(CT_ERR_RUNTIME, "`shifts` required");
    bool flat = dims.n == 0 && shifts.n == 1;
    if (!flat && shifts.n != dims.n)
        return ct_fail(CT_ERR_RUNTIME, "shifts and dimensions must align. shifts: %lld, dims:%lld",
                       (long long)shifts.n, (long long)dims.n);
    if (input->numel == 0)
        return flat ? cti_empty_format(input, input->ndim, input->shape, CT_CONTIGUOUS_FORMAT)
                    : cti_clone(input);
    ct_tensor *from = NULL, *to = NULL, *whole = NULL, *result = NULL;
    if (flat) {
        whole = cti_contiguous(input);
        from = whole ? cti_view(whole, 1, &whole->numel, &(int64_t){1}, whole->offset) : NULL;
        result =
            from ? cti_empty_format(input, input->ndim, input->shape, CT_CONTIGUOUS_FORMAT) : NULL;
        to = result ? cti_view(result, 1, &result->numel, &(int64_t){1}, 0) : NULL;
        n = to ? moves_of(from, shifts, ct_ints_of((int64_t[]){0}, 1), dim, shift) : -1;
    } else {
        n = moves_of(input, shifts, dims, dim, shift);
        from = n < 0 ? NULL : ct_retain(input);
        result =
            from ? cti_empty_format(input, input->ndim, input->shape, cti_suggested_format(input))
                 : NULL;
        to = result ? ct_retain(result) : NULL;
    }
    bool good = to && n >= 0 && roll_dims(to, from, dim, shift, n);
    cti_release_all(whole, from, to);
    return cti_take_new_if(result, good);
}

/* ---- shuffles ---- */

/* A copy of input reshaped to its first `keep` dims and `inner` sizes, with these inner dims
 * permuted to `order` and then reshaped to `shape`. */
static ct_tensor *regroup(ct_tensor *input, int keep, int inner, const int64_t *sizes,
                          const int *order, const int64_t *shape, int ndim)
{
    int64_t split[CTI_MAX_DIMS + 6], stride[CTI_MAX_DIMS + 6];
    int64_t permuted[CTI_MAX_DIMS + 6], permuted_stride[CTI_MAX_DIMS + 6];
    int n = keep + inner;
    if (n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    ct_tensor *result = cti_empty_format(input, ndim, shape, cti_suggested_format(input));
    ct_tensor *from = NULL, *to = NULL, *from_wide = NULL, *to_wide = NULL;
    memcpy(split, input->shape, sizeof(int64_t) * (size_t)keep);
    memcpy(split + keep, sizes, sizeof(int64_t) * (size_t)inner);
    memcpy(permuted, split, sizeof split);
    for (int i = 0; i < inner; i++)
        permuted[keep + i] = sizes[order[i]];
    from = result ? cti_op_reshape(input, ct_ints_of(split, n)) : NULL;
    to = from ? cti_view_view(result, ct_ints_of(permuted, n)) : NULL;
    if (to) {
        memcpy(stride, from->stride, sizeof(int64_t) * (size_t)n);
        memcpy(permuted_stride, stride, sizeof stride);
        for (int i = 0; i < inner; i++)
            permuted_stride[keep + i] = stride[keep + order[i]];
        from_wide = cti_view(from, n, permuted, permuted_stride, from->offset);
        to_wide = ct_retain(to);
    }
    bool good = from_wide && cti_copy(to_wide, from_wide);
    cti_release_all(from, to, from_wide, to_wide);
    return cti_take_new_if(result, good);
}

static bool check_pixels(const ct_tensor *input, int64_t factor, bool up)
{
    const char *name = up ? "pixel_shuffle" : "pixel_unshuffle";
    const char *argument = up ? "upscale_factor" : "downscale_factor";
    if (input->ndim < 3)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s expects input to have at least 3 dimensions, but got input with %d "
                          "dimension(s)",
                          name, input->ndim);
    if (factor <= 0)
        return cti_refuse(CT_ERR_RUNTIME, "%s expects a positive %s, but got %lld", name, argument,
                          (long long)factor);
    return true;
}

ct_tensor *cti_op_pixel_shuffle(ct_tensor *input, int64_t factor)
{
    int64_t shape[CTI_MAX_DIMS];
    if (!check_pixels(input, factor, true))
        return NULL;
    int n = input->ndim, keep = n - 3;
    int64_t c = input->shape[n - 3], h = input->shape[n - 2], w = input->shape[n - 1], square;
    if (__builtin_mul_overflow(factor, factor, &square) || c % square)
        return ct_fail(CT_ERR_RUNTIME,
                       "pixel_shuffle expects its input's 'channel' dimension to be divisible by "
                       "the square of upscale_factor, but input.size(-3)=%lld is not divisible by "
                       "%lld",
                       (long long)c, (long long)((uint64_t)factor * (uint64_t)factor));
    memcpy(shape, input->shape, sizeof(int64_t) * (size_t)n);
    shape[n - 3] = c / square;
    if (__builtin_mul_overflow(h, factor, &shape[n - 2]) ||
        __builtin_mul_overflow(w, factor, &shape[n - 1]))
        return cti_shape_fail(n, shape, NULL);
    return regroup(input, keep, 5, (int64_t[]){c / square, factor, factor, h, w},
                   (int[]){0, 3, 1, 4, 2}, shape, n);
}

ct_tensor *cti_op_pixel_unshuffle(ct_tensor *input, int64_t factor)
{
    int64_t shape[CTI_MAX_DIMS];
    if (!check_pixels(input, factor, false))
        return NULL;
    int n = input->ndim, keep = n - 3;
    int64_t c = input->shape[n - 3], h = input->shape[n - 2], w = input->shape[n - 1];
    if (h % factor || w % factor)
        return ct_fail(CT_ERR_RUNTIME,
                       "pixel_unshuffle expects %s to be divisible by downscale_factor, but "
                       "input.size(%d)=%lld is not divisible by %lld",
                       h % factor ? "height" : "width", h % factor ? -2 : -1,
                       (long long)(h % factor ? h : w), (long long)factor);
    memcpy(shape, input->shape, sizeof(int64_t) * (size_t)n);
    if (__builtin_mul_overflow(c, factor, &shape[n - 3]) ||
        __builtin_mul_overflow(shape[n - 3], factor, &shape[n - 3]))
        return cti_shape_fail(n, shape, NULL);
    shape[n - 2] = h / factor;
    shape[n - 1] = w / factor;
    return regroup(input, keep, 5, (int64_t[]){c, h / factor, factor, w / factor, factor},
                   (int[]){0, 2, 4, 1, 3}, shape, n);
}

ct_tensor *cti_op_channel_shuffle(ct_tensor *input, int64_t groups)
{
    char text[CTI_SHAPE_TEXT];
    if (input->ndim <= 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "channel_shuffle expects input with > 2 dims, but got input with sizes %s",
                       cti_shape_text(text, input->ndim, input->shape));
    if (groups <= 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "Number of groups to divide channels in must be positive. Value of "
                       "groups:%lld",
                       (long long)groups);
    int64_t c = input->shape[1];
    if (c % groups)
        return ct_fail(CT_ERR_RUNTIME,
                       "Number of channels must be divisible by groups. Got %lld channels and %lld "
                       "groups.",
                       (long long)c, (long long)groups);
    int64_t sizes[CTI_MAX_DIMS + 1] = {groups, c / groups};
    int order[CTI_MAX_DIMS + 1] = {1, 0};
    for (int d = 2; d < input->ndim; d++) {
        sizes[d] = input->shape[d];
        order[d] = d;
    }
    return regroup(input, 1, input->ndim, sizes, order, input->shape, input->ndim);
}
