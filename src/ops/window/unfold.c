/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements unfold, which copies the windows of an image to columns, and fold, which adds columns
 * to an image. Declared in blocks.toml. */
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"
#include "ops/window/window.h"

/* Arguments as height, width. n: the number of windows. */
struct blocks {
    int64_t kernel[2], dilation[2], padding[2], stride[2], n[2];
};

static bool read_pair(const char *what, ct_ints given, int64_t *to)
{
    if (given.n != 1 && given.n != 2)
        return cti_refuse(CT_ERR_RUNTIME, "It is expected %s equals to 2, but got size %lld", what,
                          (long long)given.n);
    to[0] = given.v[0];
    to[1] = given.v[given.n - 1];
    return true;
}

/* Reads and checks the arguments of both operations for an image of these two sizes. */
static bool read_blocks(struct blocks *b, const int64_t *image, ct_ints kernel, ct_ints dilation,
                        ct_ints padding, ct_ints stride)
{
    if (!read_pair("kernel_size", kernel, b->kernel) ||
        !read_pair("dilation", dilation, b->dilation) ||
        !read_pair("padding", padding, b->padding) || !read_pair("stride", stride, b->stride))
        return false;
    static const struct {
        const char *name, *part, *bound;
        int64_t least;
    } rules[] = {{"kernel size", "kernel", "greater than zero", 1},
                 {"dilation", "dilation", "greater than zero", 1},
                 {"padding", "pad", "non-negative", 0},
                 {"stride", "stride", "greater than zero", 1}};
    const int64_t *const given[] = {b->kernel, b->dilation, b->padding, b->stride};
    for (int i = 0; i < 4; i++) {
        const int64_t *v = given[i];
        if (v[0] < rules[i].least || v[1] < rules[i].least)
            return cti_refuse(CT_ERR_RUNTIME,
                              "%s should be %s, but got %s_height: %lld %s_width: %lld",
                              rules[i].name, rules[i].bound, rules[i].part, (long long)v[0],
                              rules[i].part, (long long)v[1]);
        if (v[0] > INT32_MAX || v[1] > INT32_MAX)
            return cti_refuse(CT_ERR_RUNTIME, "integer out of range");
    }
    for (int d = 0; d < 2; d++) {
        int64_t extra = 2 * b->padding[d] - b->dilation[d] * (b->kernel[d] - 1) - 1;
        int64_t span = cti_add_sat(image[d], extra); /* PyTorch rounds the quotient down */
        b->n[d] = span < 0 ? (span + 1) / b->stride[d] : cti_add_sat(span / b->stride[d], 1);
    }
    if (b->n[0] >= 1 && b->n[1] >= 1)
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Given input with spatial size (%lld, %lld), kernel_size=(%lld, %lld), "
        "dilation=(%lld, %lld), padding=(%lld, %lld), calculated shape of the array of "
        "sliding blocks as (%lld, %lld), but its components must be at least one.",
        (long long)image[0], (long long)image[1], (long long)b->kernel[0], (long long)b->kernel[1],
        (long long)b->dilation[0], (long long)b->dilation[1], (long long)b->padding[0],
        (long long)b->padding[1], (long long)b->n[0], (long long)b->n[1]);
}

ct_tensor *cti_op_unfold_blocks(ct_tensor *input, ct_ints kernel_size, ct_ints dilation,
                                ct_ints padding, ct_ints stride)
{
    struct cti_hold h = {0};
    struct blocks b;
    char text[CTI_SHAPE_TEXT];
    if (input->ndim != 3 && input->ndim != 4)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other "
                       "non-zero dimensions for input, but got: %s",
                       cti_shape_text(text, input->ndim, input->shape));
    const int64_t *image = input->shape + input->ndim - 2;
    if (!read_blocks(&b, image, kernel_size, dilation, padding, stride))
        return NULL;
    int64_t batch = input->ndim == 4 ? input->shape[0] : 1, planes = input->shape[input->ndim - 3];
    int64_t border[] = {b.padding[1], b.padding[1], b.padding[0], b.padding[0]};
    ct_tensor *padded =
        cti_hold(&h, ct_own_constant_pad_nd(input, ct_ints_of(border, 4), ct_value_int(0)));
    ct_tensor *dense = padded ? cti_hold(&h, cti_contiguous(padded)) : NULL;
    if (!dense)
        return cti_hold_end(&h, NULL);
    int64_t rows = dense->shape[dense->ndim - 2], columns = dense->shape[dense->ndim - 1];
    int64_t shape[] = {batch, planes, b.kernel[0], b.kernel[1], b.n[0], b.n[1]};
    int64_t plane = cti_mul_sat(rows, columns); /* saturates: an empty batch may have any size */
    int64_t strides[] = {cti_mul_sat(planes, plane),          plane,
                         cti_mul_sat(b.dilation[0], columns), b.dilation[1],
                         cti_mul_sat(b.stride[0], columns),   b.stride[1]};
    ct_tensor *windows = cti_hold(
        &h, ct_own_as_strided(dense, ct_ints_of(shape, 6), ct_ints_of(strides, 6), CT_NO_DIM));
    int64_t lines = cti_mul_sat(planes, b.kernel[0] * b.kernel[1]), n = cti_mul_sat(b.n[0], b.n[1]);
    ct_tensor *copy = cti_hold(&h, ct_own_clone(windows, CT_CONTIGUOUS_FORMAT));
    ct_tensor *out = input->ndim == 4 ? ct_own_view(copy, CT_INTS(batch, lines, n))
                                      : ct_own_view(copy, CT_INTS(lines, n));
    ct_tensor *result = out ? cti_alias(out) : NULL;
    ct_release(out);
    cti_hold_end(&h, NULL);
    return result;
}

/* Adds the columns to the padded image, one kernel position (i, j) at a time. */
static bool add_blocks(ct_tensor *padded, ct_tensor *columns, const struct blocks *b)
{
    if (!padded->numel || padded->storage->device.type == CT_META)
        return true; /* the strides below could overflow */
    for (int64_t i = 0; i < b->kernel[0]; i++)
        for (int64_t j = 0; j < b->kernel[1]; j++) {
            struct cti_hold h = {0};
            ct_tensor *row = cti_hold(&h, ct_own_select(columns, 2, i));
            ct_tensor *from = cti_hold(&h, ct_own_select(row, 2, j));
            int64_t stride[] = {padded->stride[0], padded->stride[1],
                                cti_mul_sat(padded->stride[2], b->stride[0]),
                                cti_mul_sat(padded->stride[3], b->stride[1])};
            int64_t shape[] = {padded->shape[0], padded->shape[1], b->n[0], b->n[1]};
            int64_t offset =
                i * b->dilation[0] * padded->stride[2] + j * b->dilation[1] * padded->stride[3];
            ct_tensor *to = cti_hold(
                &h, ct_own_as_strided(padded, ct_ints_of(shape, 4), ct_ints_of(stride, 4), offset));
            bool good = from && to && ct_own_add_(to, V(from), ct_value_int(1));
            cti_hold_end(&h, NULL);
            if (!good)
                return false;
        }
    return true;
}

ct_tensor *cti_op_fold(ct_tensor *input, ct_ints output_size, ct_ints kernel_size, ct_ints dilation,
                       ct_ints padding, ct_ints stride)
{
    struct cti_hold h = {0};
    struct blocks b;
    char text[CTI_SHAPE_TEXT];
    int64_t image[2];
    if (input->ndim != 2 && input->ndim != 3)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size "
                       "and non-zero dimensions for input, but got: %s",
                       cti_shape_text(text, input->ndim, input->shape));
    if (!read_pair("output_size", output_size, image) ||
        !read_blocks(&b, image, kernel_size, dilation, padding, stride))
        return NULL;
    int64_t lines = input->shape[input->ndim - 2], n = input->shape[input->ndim - 1];
    int64_t per = b.kernel[0] * b.kernel[1], batch = input->ndim == 3 ? input->shape[0] : 1;
    if (lines % per)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected size of input's dimension 1 to be divisible by the product of "
                       "kernel_size, but got input.size(1)=%lld and kernel_size=(%lld, %lld).",
                       (long long)lines, (long long)b.kernel[0], (long long)b.kernel[1]);
    int64_t expected = cti_mul_sat(b.n[0], b.n[1]);
    if (n != expected)
        return ct_fail(CT_ERR_RUNTIME,
                       "Given output_size=(%lld, %lld), kernel_size=(%lld, %lld), dilation=(%lld, "
                       "%lld), padding=(%lld, %lld), stride=(%lld, %lld), expected size of input's "
                       "dimension 2 to match the calculated number of sliding blocks %lld * %lld = "
                       "%lld, but got input.size(2)=%lld.",
                       (long long)image[0], (long long)image[1], (long long)b.kernel[0],
                       (long long)b.kernel[1], (long long)b.dilation[0], (long long)b.dilation[1],
                       (long long)b.padding[0], (long long)b.padding[1], (long long)b.stride[0],
                       (long long)b.stride[1], (long long)b.n[0], (long long)b.n[1],
                       (long long)expected, (long long)n);
    int64_t planes = lines / per;
    int64_t shape[] = {batch, planes, cti_add_sat(image[0], 2 * b.padding[0]),
                       cti_add_sat(image[1], 2 * b.padding[1])};
    ct_tensor *columns = cti_hold(&h, ct_own_reshape(input, CT_INTS(batch, planes, b.kernel[0],
                                                                    b.kernel[1], b.n[0], b.n[1])));
    ct_tensor *padded = cti_hold(
        &h, ct_own_new_zeros(input, ct_ints_of(shape, 4), CT_NO_DTYPE, CT_NO_DEVICE, false));
    if (!columns || !padded || !add_blocks(padded, columns, &b))
        return cti_hold_end(&h, NULL);
    ct_tensor *part = cti_hold(&h, ct_own_narrow(padded, 2, b.padding[0], image[0]));
    part = cti_hold(&h, ct_own_narrow(part, 3, b.padding[1], image[1]));
    part = input->ndim == 3 ? part : cti_hold(&h, ct_own_squeeze(part, CT_INTS(0)));
    ct_tensor *result = ct_own_clone(part, CT_CONTIGUOUS_FORMAT);
    cti_hold_end(&h, NULL);
    return result;
}
