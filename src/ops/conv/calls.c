/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements conv1d to conv3d, conv_transpose1d to 3d and conv_tbc, declared in conv.toml. They
 * expand int arguments, compute padding given by name, and call the differentiable operation
 * `convolution`. */
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

#define ZERO ct_ints_of((int64_t[]){0}, 1)

/* Expands PyTorch's int[dims] argument: a single number is repeated `dims` times. */
static ct_ints broadcast(ct_ints list, int dims, int64_t to[CTI_CONV_DIMS])
{
    list = cti_ints_counted(list);
    if (list.n != 1)
        return list;
    for (int d = 0; d < dims; d++)
        to[d] = list.v[0];
    return ct_ints_of(to, dims);
}

/* Calls `convolution` over `dims` dims. An image without a batch dim gives a result without one. */
static ct_tensor *convolve(int dims, ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                           ct_ints stride, ct_ints padding, ct_ints dilation, bool transposed,
                           ct_ints output_padding, int64_t groups)
{
    char text[CTI_SHAPE_TEXT];
    int64_t expanded[CTI_CONV_DIMS];
    bool single = input->ndim == dims + 1;
    if (!single && input->ndim != dims + 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected %dD (unbatched) or %dD (batched) input to conv%s%dd, but got "
                       "input of size: %s",
                       dims + 1, dims + 2, transposed ? "_transpose" : "", dims,
                       cti_shape_text(text, input->ndim, input->shape));
    ct_tensor *batch = single ? ct_own_unsqueeze(input, 0) : ct_retain(input);
    ct_tensor *result =
        batch ? ct_own_convolution(batch, weight, bias, broadcast(stride, dims, expanded), padding,
                                   dilation, transposed, output_padding, groups)
              : NULL;
    if (single && result)
        cti_product_renew(&result, ct_own_squeeze(result, ZERO));
    ct_release(batch);
    return result;
}

/* Returns entry d of a list with one number for each dim or one for all. *wrong: the list has
 * another length, which `convolution` will reject. */
static int64_t number(ct_ints list, int d, int dims, bool *wrong)
{
    list = cti_ints_counted(list);
    *wrong |= list.n != 1 && list.n != dims;
    return list.n == 1 ? list.v[0] : *wrong ? 1 : list.v[d];
}

/* Padding 'same': pads each side by half of the filter's overhang. If the overhang is odd, the
 * input gets one more element at the end, in a padded copy. Returns the input to convolve, which
 * the caller owns, and sets the padding. */
static ct_tensor *pad_same(ct_tensor *input, const ct_tensor *weight, ct_ints stride,
                           ct_ints dilation, int64_t padding[CTI_CONV_DIMS])
{
    static bool warned;
    int64_t behind[2 * CTI_CONV_DIMS] = {0};
    int dims = weight->ndim - CTI_CONV_FIRST_DIM;
    bool odd = false, wrong = dims > CTI_CONV_DIMS;
    for (int d = 0; d < dims && !wrong; d++) {
        int64_t overhang, step = number(dilation, d, dims, &wrong);
        if (number(stride, d, dims, &wrong) != 1)
            return ct_fail(CT_ERR_RUNTIME,
                           "padding='same' is not supported for strided convolutions");
        if (__builtin_mul_overflow(step, weight->shape[CTI_CONV_FIRST_DIM + d] - 1, &overhang) ||
            overhang < 0)
            overhang = 0; /* the convolution itself reports the error */
        padding[d] = overhang / 2;
        behind[2 * (dims - 1 - d) + 1] = overhang % 2;
        odd = odd || overhang % 2;
    }
    if (!odd || wrong)
        return ct_retain(input);
    cti_warn_once(&warned, "Using padding='same' with even kernel lengths and odd dilation may "
                           "require a zero-padded copy of the input be created");
    return ct_own_constant_pad_nd(input, ct_ints_of(behind, 2 * dims), ct_value_int(0));
}

ct_tensor *cti_op_conv_padding(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_ints stride,
                               const char *padding, ct_ints dilation, int64_t groups, int ndim)
{
    int64_t width[CTI_CONV_DIMS] = {0};
    bool same = strcmp(padding, "same") == 0;
    if (!same && strcmp(padding, "valid") != 0)
        return ct_fail(CT_ERR_RUNTIME, "Invalid padding string: '%s'", padding);
    ct_tensor *padded = same ? pad_same(input, weight, stride, dilation, width) : ct_retain(input);
    int padded_dims = weight->ndim - CTI_CONV_FIRST_DIM;
    padded_dims = padded_dims < 1 ? 1 : padded_dims > CTI_CONV_DIMS ? CTI_CONV_DIMS : padded_dims;
    ct_tensor *result =
        padded ? convolve(ndim, padded, weight, bias, stride, ct_ints_of(width, padded_dims),
                          dilation, false, ZERO, groups)
               : NULL;
    ct_release(padded);
    return result;
}

ct_tensor *cti_op_conv(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_ints stride,
                       ct_ints padding, ct_ints dilation, int64_t groups, int ndim)
{
    return convolve(ndim, input, weight, bias, stride, padding, dilation, false, ZERO, groups);
}

ct_tensor *cti_op_conv_transpose(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                 ct_ints stride, ct_ints padding, ct_ints output_padding,
                                 int64_t groups, ct_ints dilation, int ndim)
{
    return convolve(ndim, input, weight, bias, stride, padding, dilation, true, output_padding,
                    groups);
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
    cti_release_all(x, w, y, permuted);
    return result;
}
