/* SPDX-License-Identifier: BSD-3-Clause */
/* unfold and fold: windows of an image as columns, and columns added up to an image; what is made
 * of windows and halves by other operations (lp_pool, glu); gumbel_softmax and one_hot. */
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"
#include "ops/window/window.h"

#include <math.h>
#include <string.h>

#define ONE ct_value_int(1)

/* ---- windows as columns ---- */

struct blocks { /* height, width; n: the number of windows */
    int64_t kernel[2], dilation[2], padding[2], stride[2], n[2];
};

static bool pair(const char *what, ct_ints given, int64_t *to)
{
    if (given.n != 1 && given.n != 2)
        return cti_refuse(CT_ERR_RUNTIME, "It is expected %s equals to 2, but got size %lld", what,
                          (long long)given.n);
    to[0] = given.v[0];
    to[1] = given.v[given.n - 1];
    return true;
}

static bool read_blocks(struct blocks *b, const int64_t *image, ct_ints kernel, ct_ints dilation,
                        ct_ints padding, ct_ints stride)
{
    if (!pair("kernel_size", kernel, b->kernel) || !pair("dilation", dilation, b->dilation) ||
        !pair("padding", padding, b->padding) || !pair("stride", stride, b->stride))
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
        int64_t around = 2 * b->padding[d] - b->dilation[d] * (b->kernel[d] - 1) - 1;
        int64_t room = cti_add_sat(image[d], around); /* PyTorch rounds the quotient down */
        b->n[d] = room < 0 ? (room + 1) / b->stride[d] : cti_add_sat(room / b->stride[d], 1);
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
    int64_t around[] = {b.padding[1], b.padding[1], b.padding[0], b.padding[0]};
    ct_tensor *wide =
        cti_hold(&h, ct_own_constant_pad_nd(input, ct_ints_of(around, 4), ct_value_int(0)));
    ct_tensor *plain = wide ? cti_hold(&h, cti_contiguous(wide)) : NULL;
    if (!plain)
        return cti_hold_end(&h, NULL);
    int64_t rows = plain->shape[plain->ndim - 2], columns = plain->shape[plain->ndim - 1];
    int64_t shape[] = {batch, planes, b.kernel[0], b.kernel[1], b.n[0], b.n[1]};
    int64_t plane = cti_mul_sat(rows, columns); /* saturates: an empty batch may have any size */
    int64_t steps[] = {cti_mul_sat(planes, plane),          plane,
                       cti_mul_sat(b.dilation[0], columns), b.dilation[1],
                       cti_mul_sat(b.stride[0], columns),   b.stride[1]};
    ct_tensor *seen = cti_hold(
        &h, ct_own_as_strided(plain, ct_ints_of(shape, 6), ct_ints_of(steps, 6), CT_NO_DIM));
    int64_t lines = cti_mul_sat(planes, b.kernel[0] * b.kernel[1]), n = cti_mul_sat(b.n[0], b.n[1]);
    ct_tensor *copy = cti_hold(&h, ct_own_clone(seen, CT_CONTIGUOUS_FORMAT));
    ct_tensor *out = input->ndim == 4 ? ct_own_view(copy, CT_INTS(batch, lines, n))
                                      : ct_own_view(copy, CT_INTS(lines, n));
    ct_tensor *result = out ? cti_alias(out) : NULL;
    ct_release(out);
    cti_hold_end(&h, NULL);
    return result;
}

/* Adds the columns to the padded image, one kernel position (i, j) at a time. */
static bool add_blocks(ct_tensor *wide, ct_tensor *columns, const struct blocks *b)
{
    if (!wide->numel || wide->storage->device.type == CT_META)
        return true; /* the strides below could overflow */
    for (int64_t i = 0; i < b->kernel[0]; i++)
        for (int64_t j = 0; j < b->kernel[1]; j++) {
            struct cti_hold h = {0};
            ct_tensor *row = cti_hold(&h, ct_own_select(columns, 2, i));
            ct_tensor *from = cti_hold(&h, ct_own_select(row, 2, j));
            int64_t stride[] = {wide->stride[0], wide->stride[1],
                                cti_mul_sat(wide->stride[2], b->stride[0]),
                                cti_mul_sat(wide->stride[3], b->stride[1])};
            int64_t shape[] = {wide->shape[0], wide->shape[1], b->n[0], b->n[1]};
            int64_t at =
                i * b->dilation[0] * wide->stride[2] + j * b->dilation[1] * wide->stride[3];
            ct_tensor *to = cti_hold(
                &h, ct_own_as_strided(wide, ct_ints_of(shape, 4), ct_ints_of(stride, 4), at));
            bool good = from && to && ct_own_add_(to, V(from), ONE);
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
    if (!pair("output_size", output_size, image) ||
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
    ct_tensor *wide = cti_hold(
        &h, ct_own_new_zeros(input, ct_ints_of(shape, 4), CT_NO_DTYPE, CT_NO_DEVICE, false));
    if (!columns || !wide || !add_blocks(wide, columns, &b))
        return cti_hold_end(&h, NULL);
    ct_tensor *part = cti_hold(&h, ct_own_narrow(wide, 2, b.padding[0], image[0]));
    part = cti_hold(&h, ct_own_narrow(part, 3, b.padding[1], image[1]));
    part = input->ndim == 3 ? part : cti_hold(&h, ct_own_squeeze(part, CT_INTS(0)));
    ct_tensor *result = ct_own_clone(part, CT_CONTIGUOUS_FORMAT);
    cti_hold_end(&h, NULL);
    return result;
}

/* ---- lp_pool ---- */

/* (mean(x^p) * window size)^(1 / p), 0 where the mean is negative. Takes `mean` and ends h. */
static ct_tensor *lp_take(struct cti_hold *h, ct_tensor *mean, double p, ct_ints kernel, int n)
{
    double size = 1;
    for (int d = 0; d < n; d++)
        size *= (double)kernel.v[kernel.n == 1 ? 0 : d];
    ct_tensor *part = cti_hold(h, mean);
    ct_tensor *sign = cti_hold(h, ct_own_sign(part));
    ct_tensor *rest = cti_hold(h, ct_own_relu(cti_hold(h, ct_own_abs(part))));
    ct_tensor *both = cti_hold(h, ct_own_mul(V(sign), V(rest)));
    ct_tensor *sum = cti_hold(h, ct_own_mul(V(both), ct_value_float(size)));
    return cti_hold_end(h, cti_hold(h, ct_own_pow(V(sum), ct_value_float(1 / p))));
}

/* lp_pool of order infinity or -infinity: the largest or smallest absolute value. */
static ct_tensor *extreme_pool(int n, ct_tensor *input, bool greatest, ct_ints kernel,
                               ct_ints stride, bool ceil_mode)
{
    struct cti_hold h = {0};
    ct_ints none = CT_INTS(0), one = CT_INTS(1);
    ct_tensor *size = cti_hold(&h, ct_own_abs(input));
    if (size && !greatest)
        size = cti_hold(&h, ct_own_neg(size));
    ct_tensor *found = !size    ? NULL
                       : n == 1 ? ct_own_max_pool1d(size, kernel, stride, none, one, ceil_mode)
                       : n == 2 ? ct_own_max_pool2d(size, kernel, stride, none, one, ceil_mode)
                                : ct_own_max_pool3d(size, kernel, stride, none, one, ceil_mode);
    found = cti_hold(&h, found);
    return cti_hold_end(&h, found && !greatest ? cti_hold(&h, ct_own_neg(found)) : found);
}

static ct_tensor *lp_pool(int n, ct_tensor *input, double p, ct_ints kernel, ct_ints stride,
                          bool ceil_mode)
{
    struct cti_hold h = {0};
    ct_ints none = CT_INTS(0);
    if (p == 0)
        return ct_fail(CT_ERR_VALUE, "norm_type must be a non-zero value, but got 0");
    if (isinf(p))
        return extreme_pool(n, input, p > 0, kernel, stride, ceil_mode);
    ct_tensor *power = cti_hold(&h, ct_own_pow(V(input), ct_value_float(p)));
    ct_tensor *mean =
        !power   ? NULL
        : n == 1 ? ct_own_avg_pool1d(power, kernel, stride, none, ceil_mode, true)
        : n == 2 ? ct_own_avg_pool2d(power, kernel, stride, none, ceil_mode, true, CT_NO_DIM)
                 : ct_own_avg_pool3d(power, kernel, stride, none, ceil_mode, true, CT_NO_DIM);
    return mean ? lp_take(&h, mean, p, kernel, n) : cti_hold_end(&h, NULL);
}

ct_tensor *cti_op_lp_pool1d(ct_tensor *input, double norm_type, ct_ints kernel_size, ct_ints stride,
                            bool ceil_mode)
{
    return lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode);
}

ct_tensor *cti_op_lp_pool2d(ct_tensor *input, double norm_type, ct_ints kernel_size, ct_ints stride,
                            bool ceil_mode)
{
    return lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode);
}

ct_tensor *cti_op_lp_pool3d(ct_tensor *input, double norm_type, ct_ints kernel_size, ct_ints stride,
                            bool ceil_mode)
{
    return lp_pool(3, input, norm_type, kernel_size, stride, ceil_mode);
}

/* ---- glu and gumbel_softmax ---- */

ct_tensor *cti_op_glu(ct_tensor *input, int64_t dim)
{
    struct cti_hold h = {0};
    int d;
    if (input->ndim == 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "glu does not support scalars because halving size must be even");
    if (!cti_shape_wrap_dim(dim, input->ndim, &d))
        return NULL;
    int64_t n = input->shape[d];
    if (n % 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "Halving dimension must be even, but dimension %d is size %lld", d,
                       (long long)n);
    if (input->dtype < CT_FLOAT16)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"glu_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name((enum ct_dtype)input->dtype));
    ct_tensor *first = cti_hold(&h, ct_own_narrow(input, d, 0, n / 2));
    ct_tensor *second = cti_hold(&h, ct_own_narrow(input, d, n / 2, n / 2));
    ct_tensor *gate = cti_hold(&h, ct_own_sigmoid(second));
    return cti_hold_end(&h, cti_hold(&h, ct_own_mul(V(first), V(gate))));
}

ct_tensor *cti_op_gumbel_softmax(ct_tensor *logits, double tau, bool hard, double eps, int64_t dim)
{
    struct cti_hold h = {0};
    if (eps != 1e-10)
        cti_warn("`eps` parameter is deprecated and has no effect.");
    ct_tensor *room = cti_hold(
        &h, ct_own_empty_like(logits, CT_NO_DTYPE, CT_NO_DEVICE, false, CT_CONTIGUOUS_FORMAT));
    bool drawn = room && ct_own_exponential_(room, 1, NULL);
    ct_tensor *log = drawn ? cti_hold(&h, ct_own_log(room)) : NULL;
    ct_tensor *sum = cti_hold(&h, ct_own_sub(V(logits), V(log), ONE));
    ct_tensor *scaled = cti_hold(&h, ct_own_div(V(sum), ct_value_float(tau), NULL));
    ct_tensor *soft = cti_hold(&h, ct_own_softmax(scaled, dim, CT_NO_DTYPE));
    if (!hard || !soft)
        return cti_hold_end(&h, soft);
    ct_tensor *fixed = cti_hold(&h, ct_own_detach(soft));
    ct_tensor *index = cti_hold(&h, ct_own_argmax(fixed, dim, true));
    ct_tensor *none = cti_hold(
        &h, ct_own_zeros_like(logits, CT_NO_DTYPE, CT_NO_DEVICE, false, CT_CONTIGUOUS_FORMAT));
    ct_tensor *one = cti_hold(&h, ct_own_scatter_value(none, dim, index, ct_value_float(1)));
    ct_tensor *apart = cti_hold(&h, ct_own_sub(V(one), V(fixed), ONE));
    return cti_hold_end(&h, cti_hold(&h, ct_own_add(V(apart), V(soft), ONE)));
}

/* ---- one hot ---- */

ct_tensor *cti_op_one_hot(ct_tensor *input, int64_t num_classes)
{
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS];
    if (input->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME,
                       "one_hot is only applicable to index tensor of type LongTensor.");
    if (input->ndim == CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    if (input->numel == 0 && num_classes <= 0)
        return num_classes == -1
                   ? ct_fail(CT_ERR_RUNTIME,
                             "Can not infer total number of classes from empty tensor.")
                   : ct_fail(CT_ERR_RUNTIME, "Class values must be smaller than num_classes.");
    if (input->numel && input->storage->device.type != CT_META) {
        ct_tensor *low = cti_hold(&h, ct_own_amin(input, CT_INTS(), false));
        ct_tensor *high = cti_hold(&h, ct_own_amax(input, CT_INTS(), false));
        if (!low || !high)
            return cti_hold_end(&h, NULL);
        int64_t least = ct_item_i64(low), most = ct_item_i64(high);
        cti_hold_end(&h, NULL);
        if (least < 0)
            return ct_fail(CT_ERR_RUNTIME, "Class values must be non-negative.");
        if (num_classes == -1)
            num_classes = most + 1;
        else if (num_classes < 1 || most >= num_classes)
            return ct_fail(CT_ERR_RUNTIME, "Class values must be smaller than num_classes.");
    }
    for (int d = 0; d < input->ndim; d++)
        shape[d] = input->shape[d];
    shape[input->ndim] = num_classes;
    ct_tensor *none = cti_hold(&h, ct_own_new_zeros(input, ct_ints_of(shape, input->ndim + 1),
                                                    CT_INT64, CT_NO_DEVICE, false));
    ct_tensor *at = cti_hold(&h, ct_own_unsqueeze(input, -1));
    return cti_hold_end(&h, cti_hold(&h, ct_own_scatter_value(none, -1, at, ONE)));
}

/* ---- max_unpool ---- */

/* The size of the pooled input: computed, or as asked for, which may differ by less than a stride.
 */
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

/* PyTorch describes 1-d inputs as images of height 1. */
static bool check_full(int n, const ct_tensor *input)
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

static ct_tensor *unpool(int n, ct_tensor *input, ct_tensor *indices, ct_ints kernel,
                         ct_ints stride, ct_ints padding, ct_ints asked)
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
    if (!check_full(n, input) || (n == 3 && !check_steps(kernel, stride)))
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
    int64_t per = outer ? input->numel / outer : 0;
    ct_tensor *plain = cti_hold(&h, cti_contiguous(indices));
    if (plain && !cti_check_index(plain, size, false, &bad)) {
        ct_fail(CT_ERR_RUNTIME,
                "Found an invalid max index: %lld (output volumes are of size %lldx%lld)",
                (long long)bad, (long long)shape[input->ndim - (n == 1 ? 1 : 2)],
                n == 1 ? 1LL : (long long)shape[input->ndim - 1]);
        return cti_hold_end(&h, NULL);
    }
    ct_tensor *where = cti_hold(&h, ct_own_view(plain, CT_INTS(outer, per)));
    ct_tensor *lines = cti_hold(&h, ct_own_reshape(input, CT_INTS(outer, per)));
    ct_tensor *none = cti_hold(
        &h, ct_own_new_zeros(input, CT_INTS(outer, size), CT_NO_DTYPE, CT_NO_DEVICE, false));
    ct_tensor *put = cti_hold(&h, ct_own_scatter(none, 1, where, lines));
    ct_tensor *out = cti_hold(&h, ct_own_view(put, ct_ints_of(shape, input->ndim)));
    if (n == 2 && cti_is_channels_last(input)) /* as in PyTorch, only in 2-d */
        out = cti_hold(&h, ct_own_contiguous(out, CT_CHANNELS_LAST));
    return cti_hold_end(&h, out);
}

ct_tensor *cti_op_max_unpool1d(ct_tensor *input, ct_tensor *indices, ct_ints kernel_size,
                               ct_ints stride, ct_ints padding, ct_ints output_size)
{
    return unpool(1, input, indices, kernel_size, stride, padding, output_size);
}

ct_tensor *cti_op_max_unpool2d(ct_tensor *input, ct_tensor *indices, ct_ints kernel_size,
                               ct_ints stride, ct_ints padding, ct_ints output_size)
{
    return unpool(2, input, indices, kernel_size, stride, padding, output_size);
}

ct_tensor *cti_op_max_unpool3d(ct_tensor *input, ct_tensor *indices, ct_ints kernel_size,
                               ct_ints stride, ct_ints padding, ct_ints output_size)
{
    return unpool(3, input, indices, kernel_size, stride, padding, output_size);
}
