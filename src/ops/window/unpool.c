/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements max_unpool, which writes maxima back to the positions that max pooling recorded, and
 * zeros elsewhere. Declared in blocks.toml. */
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"
#include "ops/window/window.h"

#include <string.h>

/* Writes the size of the output to out: `asked` if given, which may differ from the size computed
 * by less than a stride. */
static bool unpooled_size(int n, ct_tensor *input, ct_ints kernel, ct_ints stride, ct_ints padding,
                          ct_ints asked, int64_t *out)
{
    bool given = asked.v != NULL;
    if (given && asked.n == n + 2)
        asked = ct_ints_of(asked.v + 2, n);
    if (given && asked.n != n)
        return cti_refuse(
            CT_ERR_VALUE,
            "output_size should be a sequence containing %d or %d elements, but it has "
            "a length of '%lld'",
            n, n + 2, (long long)asked.n);
    bool strides = stride.v && stride.n;
    if ((kernel.n != 1 && kernel.n != n) || (padding.n != 1 && padding.n != n) ||
        (strides && stride.n != 1 && stride.n != n))
        return cti_refuse(CT_ERR_VALUE,
                          "kernel_size, stride and padding should be ints or have %d "
                          "elements",
                          n);
    for (int d = 0; d < n; d++) {
        int64_t k = kernel.v[kernel.n == 1 ? 0 : d], w = padding.v[padding.n == 1 ? 0 : d];
        int64_t s = strides ? stride.v[stride.n == 1 ? 0 : d] : k;
        if (k != (int32_t)k || s != (int32_t)s || w != (int32_t)w)
            return cti_refuse(CT_ERR_RUNTIME, "integer out of range");
        int64_t last = cti_mul_sat(input->shape[input->ndim - n + d] - 1, s);
        out[d] = cti_add_sat(last, k - 2 * w);
        int64_t low = cti_sub_sat(out[d], s), high = cti_add_sat(out[d], s);
        if (given && (asked.v[d] <= low || asked.v[d] >= high)) {
            char text[CTI_SHAPE_TEXT];
            cti_shape_text(text, n, asked.v);
            text[strlen(text) - 1] = 0; /* drop the brackets: PyTorch prints a tuple */
            return cti_refuse(CT_ERR_VALUE,
                              "invalid output_size \"(%s%s)\" (dim %d must be between %lld and "
                              "%lld)",
                              text + 1, n == 1 ? "," : "", d, (long long)low, (long long)high);
        }
        out[d] = given ? asked.v[d] : out[d];
        if (out[d] < 0)
            return cti_refuse(CT_ERR_VALUE,
                              "max_unpooling: output_size must contain non-negative "
                              "spatial dimensions, but got output_size[%d]=%lld",
                              d, (long long)out[d]);
    }
    return true;
}

/* Fails if a dim other than the batch is empty. PyTorch's error describes 1-d inputs as images of
 * height 1. */
static bool check_not_empty(int n, const ct_tensor *input)
{
    int64_t shape[CTI_MAX_DIMS + 1];
    char text[CTI_SHAPE_TEXT];
    int ndim = 0;
    for (int d = 0; d < input->ndim; d++) {
        shape[ndim++] = input->shape[d];
        if (n == 1 && d == input->ndim - 1)
            shape[ndim++] = 1;
    }
    for (int d = 1; d < ndim; d++)
        if (shape[d] == 0)
            return cti_refuse(CT_ERR_RUNTIME,
                              "max_unpooling%dd_forward_out_cpu(): Expected input to have non-zero "
                              "size for non-batch dimensions, but input has sizes %s with "
                              "dimension %d being empty",
                              n == 3 ? 3 : 2, cti_shape_text(text, ndim, shape), d);
    return true;
}

static bool check_steps(ct_ints kernel, ct_ints stride)
{
    ct_ints given = stride.v && stride.n ? stride : kernel;
    int64_t step[3];
    char text[CTI_SHAPE_TEXT];
    for (int d = 0; d < 3; d++)
        step[d] = given.v[given.n == 1 ? 0 : d];
    return (step[0] > 0 && step[1] > 0 && step[2] > 0) ||
           cti_refuse(CT_ERR_RUNTIME, "strides should be greater than zero, but got stride: %s",
                      cti_shape_text(text, 3, step));
}

/* Checks the arguments and scatters the elements of each plane, as lines, to their positions. The
 * caller owns the result. */
ct_tensor *cti_op_max_unpool(ct_tensor *input, ct_tensor *indices, ct_ints kernel, ct_ints stride,
                             ct_ints padding, ct_ints asked, int n)
{
    struct cti_hold h = {0};
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    int64_t shape[CTI_MAX_DIMS], size = 1, outer = 1, bad = 0;
    if (input->ndim != n + 1 && input->ndim != n + 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "Input to max_unpooling%dd should be a %dd or %dd Tensor, but got a tensor "
                       "with %d dimensions.",
                       n, n + 1, n + 2, input->ndim);
    int lead = input->ndim - n;
    if (!unpooled_size(n, input, kernel, stride, padding, asked, shape + lead))
        return NULL;
    if (indices->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME, "elements in indices should be type int64 but got: %s",
                       cti_dtype_scalar_name((enum ct_dtype)indices->dtype));
    if (!cti_same_shape(indices, input->ndim, input->shape))
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected shape of indices to be same as that of the input tensor (%s) but "
                       "got indices tensor with shape: %s",
                       cti_shape_text(a, input->ndim, input->shape),
                       cti_shape_text(b, indices->ndim, indices->shape));
    if (!check_not_empty(n, input) || (n == 3 && !check_steps(kernel, stride)))
        return NULL;
    for (int d = 0; d < input->ndim; d++) {
        if (d < lead)
            shape[d] = input->shape[d];
        int64_t *product = d < lead ? &outer : &size;
        *product = cti_mul_sat(*product, shape[d]);
    }
    if (!size)
        return ct_own_new_zeros(input, ct_ints_of(shape, input->ndim), CT_NO_DTYPE, CT_NO_DEVICE,
                                false);
    int64_t inner = outer ? input->numel / outer : 0;
    ct_tensor *dense = cti_hold(&h, cti_contiguous(indices));
    if (dense && !cti_check_index(dense, size, false, &bad)) {
        ct_fail(CT_ERR_RUNTIME,
                "Found an invalid max index: %lld (output volumes are of size %lldx%lld)",
                (long long)bad, (long long)shape[input->ndim - (n == 1 ? 1 : 2)],
                n == 1 ? 1LL : (long long)shape[input->ndim - 1]);
        return cti_hold_end(&h, NULL);
    }
    ct_tensor *positions = cti_hold(&h, ct_own_view(dense, CT_INTS(outer, inner)));
    ct_tensor *lines = cti_hold(&h, ct_own_reshape(input, CT_INTS(outer, inner)));
    ct_tensor *zeros = cti_hold(
        &h, ct_own_new_zeros(input, CT_INTS(outer, size), CT_NO_DTYPE, CT_NO_DEVICE, false));
    ct_tensor *filled = cti_hold(&h, ct_own_scatter(zeros, 1, positions, lines));
    ct_tensor *out = cti_hold(&h, ct_own_view(filled, ct_ints_of(shape, input->ndim)));
    if (n == 2 && cti_is_channels_last(input)) /* as in PyTorch, only in 2-d */
        out = cti_hold(&h, ct_own_contiguous(out, CT_CHANNELS_LAST));
    return cti_hold_end(&h, out);
}
