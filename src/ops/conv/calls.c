/* SPDX-License-Identifier: BSD-3-Clause */
/* conv1d to conv3d, conv_transpose1d to 3d, padding by name, conv_tbc: what PyTorch's calls add to
 * `convolution`, as recorded operations. The rows of conv.toml call these. */
#include "fronts.h"
#include "ops/conv/conv.h"
#include "ops/matmul/matmul.h"

#include <string.h>

ct_tensor *cti_conv_along_channels(ct_tensor *bias, int dims)
{
    int64_t shape[1 + CTI_CONV_DIMS] = {bias->numel, 1, 1, 1}, stride[1 + CTI_CONV_DIMS] = {0};
    stride[0] = bias->ndim ? bias->stride[0] : 0;
    return cti_view(bias, 1 + dims, shape, stride, bias->offset);
}

struct call {
    const char *name;
    int dims;
    ct_tensor *input, *weight, *bias;
    ct_ints stride, padding, dilation, output_padding;
    bool transposed;
    int64_t groups;
};

/* A weight of other dims: one number for all of ours does not fit it. */
static void *wrong_weight(const struct call *c)
{
    char text[CTI_SHAPE_TEXT];
    int64_t stride[CTI_CONV_DIMS];
    ct_ints given = cti_ints_counted(c->stride);
    for (int d = 0; d < c->dims; d++)
        stride[d] = given.n ? given.v[given.n == c->dims ? d : 0] : 0;
    return ct_fail(CT_ERR_RUNTIME,
                   "expected stride to be a single integer value or a list of %d values to match "
                   "the convolution dimensions, but got stride=%s",
                   c->weight->ndim - 2, cti_shape_text(text, c->dims, stride));
}

/* The convolution of one image without a batch dim has none either. */
static ct_tensor *convolve(const struct call *c)
{
    char text[CTI_SHAPE_TEXT];
    ct_tensor *input = c->input;
    bool single = input->ndim == c->dims + 1;
    if (!single && input->ndim != c->dims + 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected %dD (unbatched) or %dD (batched) input to %s, but got input of "
                       "size: %s",
                       c->dims + 1, c->dims + 2, c->name,
                       cti_shape_text(text, input->ndim, input->shape));
    if (c->weight->ndim != c->dims + 2 && c->weight->ndim > 2)
        return wrong_weight(c);
    ct_tensor *batch = single ? ct_own_unsqueeze(input, 0) : ct_retain(input);
    ct_tensor *result =
        batch ? ct_own_convolution(batch, c->weight, c->bias, c->stride, c->padding, c->dilation,
                                   c->transposed, c->output_padding, c->groups)
              : NULL;
    if (single && result)
        cti_product_renew(&result, ct_own_squeeze(result, ct_ints_of((int64_t[]){0}, 1)));
    ct_release(batch);
    return result;
}

#define ZERO ct_ints_of((int64_t[]){0}, 1)

/* 'same' pads by what the kernel reaches, half on each side; an odd rest goes behind, by a padded
 * copy. Owned: the input to convolve; padding has what is left to do. */
static ct_tensor *pad_same(const struct call *c, int64_t padding[CTI_CONV_DIMS])
{
    static bool said;
    struct cti_conv_geometry g;
    int64_t behind[2 * CTI_CONV_DIMS] = {0};
    bool odd = false;
    if (!cti_conv_geometry(&g, c->weight, c->stride, ZERO, c->dilation, ZERO, false, c->groups))
        return NULL;
    for (int d = 0; d < g.dims; d++) {
        int64_t reach;
        if (g.stride[d] != 1)
            return ct_fail(CT_ERR_RUNTIME,
                           "padding='same' is not supported for strided convolutions");
        if (__builtin_mul_overflow(g.dilation[d], c->weight->shape[2 + d] - 1, &reach) || reach < 0)
            reach = 0; /* refused by the convolution itself */
        padding[d] = reach / 2;
        behind[2 * (g.dims - 1 - d) + 1] = reach % 2;
        odd = odd || reach % 2;
    }
    if (!odd)
        return ct_retain(c->input);
    cti_warn_once(&said, "Using padding='same' with even kernel lengths and odd dilation may "
                         "require a zero-padded copy of the input be created");
    return ct_own_constant_pad_nd(c->input, ct_ints_of(behind, 2 * g.dims), ct_value_int(0));
}

static ct_tensor *convolve_padded(struct call c, const char *padding)
{
    int64_t width[CTI_CONV_DIMS] = {0};
    c.padding = ct_ints_of(width, c.weight->ndim - 2 > 0 ? c.weight->ndim - 2 : 1);
    if (strcmp(padding, "valid") == 0)
        return convolve(&c);
    if (strcmp(padding, "same") != 0)
        return ct_fail(CT_ERR_RUNTIME, "Invalid padding string: '%s'", padding);
    c.input = pad_same(&c, width);
    ct_tensor *result = c.input ? convolve(&c) : NULL;
    ct_release(c.input);
    return result;
}

ct_tensor *cti_op_conv1d(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_ints stride,
                         ct_ints padding, ct_ints dilation, int64_t groups)
{
    return convolve(&(struct call){"conv1d", 1, input, weight, bias, stride, padding, dilation,
                                   ZERO, false, groups});
}

ct_tensor *cti_op_conv2d(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_ints stride,
                         ct_ints padding, ct_ints dilation, int64_t groups)
{
    return convolve(&(struct call){"conv2d", 2, input, weight, bias, stride, padding, dilation,
                                   ZERO, false, groups});
}

ct_tensor *cti_op_conv3d(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_ints stride,
                         ct_ints padding, ct_ints dilation, int64_t groups)
{
    return convolve(&(struct call){"conv3d", 3, input, weight, bias, stride, padding, dilation,
                                   ZERO, false, groups});
}

ct_tensor *cti_op_conv1d_padding(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                 ct_ints stride, const char *padding, ct_ints dilation,
                                 int64_t groups)
{
    return convolve_padded((struct call){"conv1d", 1, input, weight, bias, stride, ZERO, dilation,
                                         ZERO, false, groups},
                           padding);
}

ct_tensor *cti_op_conv2d_padding(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                 ct_ints stride, const char *padding, ct_ints dilation,
                                 int64_t groups)
{
    return convolve_padded((struct call){"conv2d", 2, input, weight, bias, stride, ZERO, dilation,
                                         ZERO, false, groups},
                           padding);
}

ct_tensor *cti_op_conv3d_padding(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                 ct_ints stride, const char *padding, ct_ints dilation,
                                 int64_t groups)
{
    return convolve_padded((struct call){"conv3d", 3, input, weight, bias, stride, ZERO, dilation,
                                         ZERO, false, groups},
                           padding);
}

ct_tensor *cti_op_conv_transpose1d(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                   ct_ints stride, ct_ints padding, ct_ints output_padding,
                                   int64_t groups, ct_ints dilation)
{
    return convolve(&(struct call){"conv_transpose1d", 1, input, weight, bias, stride, padding,
                                   dilation, output_padding, true, groups});
}

ct_tensor *cti_op_conv_transpose2d(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                   ct_ints stride, ct_ints padding, ct_ints output_padding,
                                   int64_t groups, ct_ints dilation)
{
    return convolve(&(struct call){"conv_transpose2d", 2, input, weight, bias, stride, padding,
                                   dilation, output_padding, true, groups});
}

ct_tensor *cti_op_conv_transpose3d(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                   ct_ints stride, ct_ints padding, ct_ints output_padding,
                                   int64_t groups, ct_ints dilation)
{
    return convolve(&(struct call){"conv_transpose3d", 3, input, weight, bias, stride, padding,
                                   dilation, output_padding, true, groups});
}

static bool check_tbc(const ct_tensor *input, const ct_tensor *weight, const ct_tensor *bias)
{
    const char *wrong = input->ndim != 3 ? "Input must have 3 dims: time, batch, in_channel"
                        : weight->ndim != 3
                            ? "Weight tensor must have 3 dims: kernel_width, in_channels, "
                              "out_channels."
                        : bias->ndim != 1 ? "Bias must be 1-D"
                        : input->shape[2] != weight->shape[1]
                            ? "Input dim 2 (input channels) is not == dim 1 in the weight tensor"
                        : weight->shape[2] != bias->shape[0]
                            ? "Bias size must equal dim 2 in the weight tensor (output channels)."
                            : NULL;
    return !wrong || ct_fail(CT_ERR_RUNTIME, "%s", wrong);
}

ct_tensor *cti_op_conv_tbc(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, int64_t pad)
{
    if (!check_tbc(input, weight, bias))
        return NULL;
    ct_ints one = ct_ints_of((int64_t[]){1}, 1);
    ct_tensor *x = ct_own_permute(input, ct_ints_of((int64_t[]){1, 2, 0}, 3));
    ct_tensor *w = ct_own_permute(weight, ct_ints_of((int64_t[]){2, 1, 0}, 3));
    ct_tensor *y = ct_own_convolution(x, w, bias, one, ct_ints_of(&pad, 1), one, false, ZERO, 1);
    ct_tensor *permuted = ct_own_permute(y, ct_ints_of((int64_t[]){2, 0, 1}, 3));
    ct_tensor *result = ct_own_contiguous(permuted, CT_CONTIGUOUS_FORMAT);
    cti_product_release((ct_tensor *const[]){x, w, y, permuted}, 4);
    return result;
}
