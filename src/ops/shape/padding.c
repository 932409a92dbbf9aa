/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements constant padding, and chooses the mode for nn.functional.pad; declared in
 * padding.toml. The modes reflect, replicate and circular are in padding_modes.c. */
#include "ops/shape/padding.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/window/window.h"

#include <string.h>

enum ct_memory_format cti_suggested_format(const ct_tensor *t)
{
    return cti_format(cti_is_channels_last(t), t->ndim);
}

ct_tensor *cti_empty_format(const ct_tensor *like, int ndim, const int64_t *shape,
                            enum ct_memory_format format)
{
    int64_t stride[CTI_MAX_DIMS];
    enum ct_dtype dtype = like->dtype;
    if (format == CT_CONTIGUOUS_FORMAT)
        return cti_empty(ndim, shape, dtype, like->storage->device);
    if (!cti_shape_format_strides(format, ndim, shape, stride))
        return NULL;
    return cti_empty_strided(ndim, shape, stride, dtype, like->storage->device);
}

/* Narrows an owned view; *view is NULL after a failure. */
static bool narrow(ct_tensor **view, int dim, int64_t from, int64_t length)
{
    ct_tensor *part = *view ? cti_op_narrow(*view, dim, from, length) : NULL;
    ct_release(*view);
    *view = part;
    return part;
}

/* A view of input without the elements that negative widths remove; the caller owns it. *grows:
 * whether any width is positive. */
static ct_tensor *cropped(ct_tensor *input, ct_ints pad, bool *grows)
{
    ct_tensor *view = cti_view_alias(input);
    *grows = false;
    for (int64_t i = pad.n / 2; view && i-- > 0;) {
        int d = input->ndim - 1 - (int)i;
        int64_t low = pad.v[2 * i], high = pad.v[2 * i + 1];
        *grows = *grows || low > 0 || high > 0;
        if (low < 0 && !narrow(&view, d, low < -INT64_MAX ? INT64_MAX : -low, view->shape[d] + low))
            return NULL;
        if (high < 0 && !narrow(&view, d, 0, view->shape[d] + high))
            return NULL;
    }
    return view;
}

/* Fills the border slab by slab, so that no element is written twice. Returns a view of the middle,
 * owned. */
static ct_tensor *fill_border(ct_tensor *whole, ct_ints pad, ct_value value)
{
    ct_tensor *view = cti_view_alias(whole);
    for (int64_t i = pad.n / 2; view && i-- > 0;) {
        int d = whole->ndim - 1 - (int)i;
        int64_t low = pad.v[2 * i] > 0 ? pad.v[2 * i] : 0;
        int64_t high = pad.v[2 * i + 1] > 0 ? pad.v[2 * i + 1] : 0, size = view->shape[d];
        ct_tensor *before = cti_view_slice(view, d, 0, low, 1);
        ct_tensor *after = before ? cti_view_slice(view, d, size - high, size, 1) : NULL;
        bool good = after && cti_fill(before, value) && cti_fill(after, value);
        cti_release_all(before, after);
        if (!good) {
            ct_release(view);
            return NULL;
        }
        narrow(&view, d, low, size - low - high);
    }
    return view;
}

ct_tensor *cti_op_constant_pad_nd(ct_tensor *input, ct_ints pad, ct_value value)
{
    int64_t shape[CTI_MAX_DIMS];
    bool grows;
    if (pad.n % 2)
        return ct_fail(CT_ERR_RUNTIME, "Length of pad must be even but instead it equals %lld",
                       (long long)pad.n);
    if (pad.n / 2 > input->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "Length of pad should be no more than twice the number of dimensions of the "
                       "input. Pad length is %lldwhile the input has %ddimensions.",
                       (long long)pad.n, input->ndim);
    ct_tensor *from = cropped(input, pad, &grows), *whole = NULL, *middle = NULL;
    if (!from || !grows) {
        return cti_replace_take(from, from ? cti_clone(from) : NULL);
    }
    memcpy(shape, input->shape, sizeof(int64_t) * input->ndim);
    bool good = cti_number_fits(value, input->dtype);
    for (int64_t i = 0; good && i < pad.n / 2; i++) {
        int64_t *size = &shape[input->ndim - 1 - i];
        /* A negative width is less than the size: only the sum of both widths may overflow. */
        *size = cti_add_sat(*size, cti_add_sat(pad.v[2 * i], pad.v[2 * i + 1]));
        good = *size != INT64_MAX;
        if (!good)
            cti_shape_fail(input->ndim, shape, NULL);
    }
    whole = good ? cti_empty_format(input, input->ndim, shape, cti_suggested_format(input)) : NULL;
    middle = whole ? fill_border(whole, pad, value) : NULL;
    good = middle && cti_copy(middle, from);
    cti_release_all(from, middle);
    return cti_take_new_if(whole, good);
}

/* ---- nn.functional.pad ---- */

static enum cti_pad_mode padding_mode(const char *mode)
{
    static const char *const names[CTI_PAD_NONE] = {"constant", "reflect", "replicate", "circular"};
    for (int i = 0; i < CTI_PAD_NONE; i++)
        if (strcmp(mode, names[i]) == 0)
            return (enum cti_pad_mode)i;
    ct_fail(CT_ERR_NOT_IMPLEMENTED, "Unrecognised padding mode %s", mode);
    return CTI_PAD_NONE;
}

ct_tensor *cti_op_pad(ct_tensor *input, ct_ints pad, const char *mode, double value)
{
    enum cti_pad_mode kind = padding_mode(mode);
    bool given = !ct_is_no_number(value);
    if (kind == CTI_PAD_NONE)
        return NULL;
    if (pad.n % 2)
        return ct_fail(CT_ERR_RUNTIME, "Padding length must be divisible by 2");
    if (pad.n > 2 * (int64_t)input->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "Padding length should be less than or equal to two times the input "
                       "dimension but got padding length %lld and input of dimension %d",
                       (long long)pad.n, input->ndim);
    if (kind == CTI_PAD_CONSTANT)
        return ct_own_constant_pad_nd(input, pad, given ? ct_value_float(value) : ct_value_int(0));
    if (given && value != 0)
        return ct_fail(CT_ERR_RUNTIME, "Padding mode \"%s\" doesn't take in value argument", mode);
    int64_t dims = pad.n / 2;
    if (dims < 1 || dims > 3 || (input->ndim != dims + 1 && input->ndim != dims + 2))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "Padding size %lld is not supported for %dD input tensor.\n"
                       "Supported combinations for non-constant padding:\n"
                       "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
                       "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
                       "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
                       (long long)pad.n, input->ndim);
    if (kind == CTI_PAD_CIRCULAR)
        return ct_own_circular_pad(input, pad);
    static ct_tensor *(*const rows[2][3])(ct_tensor *, ct_ints) = {
        {ct_own_reflection_pad1d, ct_own_reflection_pad2d, ct_own_reflection_pad3d},
        {ct_own_replication_pad1d, ct_own_replication_pad2d, ct_own_replication_pad3d},
    };
    return rows[kind == CTI_PAD_REPLICATE][dims - 1](input, pad);
}
