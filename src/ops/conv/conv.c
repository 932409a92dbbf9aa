/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements `convolution` and its derivatives, declared in conv.toml: PyTorch's checks, the shape
 * and layout of the result, one call of the conv engine. struct cti_conv is filled in step by step:
 * first the sizes, which the checks read, then the tensors. conv1d and its relatives, in calls.c,
 * call `convolution` and leave all checks but that of a batch dim to it. */
#include "ops/conv/conv.h"
#include "core/hold.h"
#include "core/product.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/shape/padding.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_DIM = CTI_CONV_FIRST_DIM };

static const char *list_text(char text[CTI_SHAPE_TEXT], ct_ints list)
{
    return cti_shape_text(text, (int)(list.n < CTI_MAX_DIMS ? list.n : CTI_MAX_DIMS), list.v);
}

/* Sets `dims` numbers from a list of `dims` numbers or of one, which is repeated. */
static bool expand(int64_t *to, ct_ints list, int dims, const char *name)
{
    char text[CTI_SHAPE_TEXT];
    list = cti_ints_counted(list);
    if (list.n != 1 && list.n != dims)
        return ct_fail(CT_ERR_RUNTIME,
                       "expected %s to be a single integer value or a list of %d values to match "
                       "the convolution dimensions, but got %s=%s",
                       name, dims, name, list_text(text, list));
    for (int d = 0; d < dims; d++)
        to[d] = list.v[list.n == 1 ? 0 : d];
    return true;
}

/* Sets stride, padding, dilation and groups of a call; false, and PyTorch's error, for lists of a
 * wrong length. */
static bool set_numbers(struct cti_conv *conv, const ct_tensor *weight, ct_ints stride,
                        ct_ints padding, ct_ints dilation, int64_t groups)
{
    conv->dims = weight->ndim - FIRST_DIM;
    conv->groups = groups;
    if (conv->dims < 1)
        return ct_fail(CT_ERR_RUNTIME, "weight should have at least three dimensions");
    if (conv->dims > CTI_CONV_DIMS)
        return ct_fail(CT_ERR_RUNTIME,
                       "unsupported ConvNd parameters: %d spatial dims, but at most %d are "
                       "supported",
                       conv->dims, CTI_CONV_DIMS);
    if (groups <= 0)
        return ct_fail(CT_ERR_RUNTIME, "non-positive groups is not supported");
    return expand(conv->stride, stride, conv->dims, "stride") &&
           expand(conv->padding, padding, conv->dims, "padding") &&
           expand(conv->dilation, dilation, conv->dims, "dilation");
}

/* ---- checks of a call of `convolution`, of kind INPUT if it is transposed ---- */

static bool is_transposed(const struct cti_conv *g)
{
    return g->kind == CTI_CONV_INPUT;
}

static bool check_numbers(const struct cti_conv *g, const int64_t *output_padding)
{
    for (int d = 0; d < g->dims; d++) {
        const char *wrong = g->padding[d] < 0       ? "negative padding"
                            : output_padding[d] < 0 ? "negative output_padding"
                            : g->stride[d] <= 0     ? "non-positive stride"
                            : g->dilation[d] <= 0   ? "non-positive dilation"
                                                    : NULL;
        if (wrong)
            return ct_fail(CT_ERR_RUNTIME, "%s is not supported", wrong);
    }
    return true;
}

static bool check_weight(const struct cti_conv *g, const ct_tensor *weight)
{
    char text[CTI_SHAPE_TEXT];
    if (weight->shape[0] < g->groups)
        return ct_fail(CT_ERR_RUNTIME,
                       "Given groups=%lld, expected weight to be at least %lld at dimension 0, but "
                       "got weight of size %s instead",
                       (long long)g->groups, (long long)g->groups,
                       cti_shape_text(text, weight->ndim, weight->shape));
    if (weight->shape[0] % g->groups)
        return ct_fail(CT_ERR_RUNTIME,
                       "Given groups=%lld, expected weight to be divisible by %lld at dimension 0, "
                       "but got weight of size [%s] instead",
                       (long long)g->groups, (long long)g->groups,
                       cti_shape_text(text, weight->ndim, weight->shape));
    for (int d = 0; d < g->dims; d++)
        if (!weight->shape[FIRST_DIM + d])
            return ct_fail(CT_ERR_RUNTIME,
                           "kernel size should be greater than zero, but got weight of size %s",
                           cti_shape_text(text, weight->ndim, weight->shape));
    if (is_transposed(g) && !weight->shape[1])
        return ct_fail(CT_ERR_RUNTIME, "non-empty weight tensor expected, but got: %s",
                       cti_shape_text(text, weight->ndim, weight->shape));
    return true;
}

static bool check_channels(const struct cti_conv *g, const ct_tensor *input,
                           const ct_tensor *weight, const ct_tensor *bias)
{
    char x[CTI_SHAPE_TEXT], w[CTI_SHAPE_TEXT], given[40];
    if (input->ndim != weight->ndim)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected %d-dimensional input for %d-dimensional weight %s, but got "
                       "%d-dimensional input of size %s instead",
                       weight->ndim, weight->ndim, cti_shape_text(w, weight->ndim, weight->shape),
                       input->ndim, cti_shape_text(x, input->ndim, input->shape));
    if (!check_weight(g, weight))
        return false;
    int64_t channels = is_transposed(g) ? weight->shape[0] : weight->shape[1] * g->groups;
    int64_t results = is_transposed(g) ? weight->shape[1] * g->groups : weight->shape[0];
    if (input->shape[1] != channels) {
        snprintf(given, sizeof given, is_transposed(g) ? "transposed=1" : "groups=%lld",
                 (long long)g->groups);
        return ct_fail(CT_ERR_RUNTIME,
                       "Given %s, weight of size %s, expected input%s to have %lld channels, but "
                       "got %lld channels instead",
                       given, cti_shape_text(w, weight->ndim, weight->shape),
                       cti_shape_text(x, input->ndim, input->shape), (long long)channels,
                       (long long)input->shape[1]);
    }
    if (bias != CT_NO_TENSOR && (bias->ndim != 1 || bias->shape[0] != results))
        return ct_fail(CT_ERR_RUNTIME,
                       "Given %sweight of size %s, expected bias to be 1-dimensional with %lld "
                       "elements, but got bias of size %s instead",
                       is_transposed(g) ? "transposed=1, " : "",
                       cti_shape_text(w, weight->ndim, weight->shape), (long long)results,
                       cti_shape_text(x, bias->ndim, bias->shape));
    return true;
}

static bool check_types(const struct cti_conv *g, const ct_tensor *input, const ct_tensor *weight,
                        const ct_tensor *bias)
{
    enum ct_dtype x = input->dtype, w = weight->dtype;
    bool single = x == CT_FLOAT32 || x == CT_FLOAT16 || x == CT_BFLOAT16;
    if (x != w && (single || ct_dtype_is_complex(x)))
        return ct_fail(CT_ERR_RUNTIME, "Input type (%s) and weight type (%s) should be the same%s",
                       cti_dtype_old_name(x), cti_dtype_old_name(w),
                       single ? " or input should be a MKLDNN tensor and weight is a dense tensor"
                              : "");
    if (x != w)
        return ct_fail(CT_ERR_RUNTIME, "expected scalar type %s but found %s",
                       cti_dtype_scalar_name(x), cti_dtype_scalar_name(w));
    if (bias != CT_NO_TENSOR && bias->dtype != input->dtype)
        return ct_fail(CT_ERR_RUNTIME, "Input type (%s) and bias type (%s) should be the same",
                       cti_dtype_cpp_name(x), cti_dtype_cpp_name(bias->dtype));
    bool refused = x == CT_BOOL || x == CT_COMPLEX32 ||
                   (is_transposed(g) && cti_is_integral(x, true) && x != CT_INT64);
    if (refused)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'",
                       !is_transposed(g) ? (g->dims == 3 ? "compute_columns3d" : "slow_conv2d_cpu")
                       : g->dims == 3    ? "slow_conv_transpose3d_out_cpu"
                                         : "slow_conv_transpose2d_out_cpu",
                       cti_dtype_scalar_name(x));
    return true;
}

/* "(2 x 8)", or "(1 x 2 x 8)" if `one` is set */
static const char *sizes_text(char text[CTI_SHAPE_TEXT], int dims, const int64_t *size, bool one)
{
    int at = snprintf(text, CTI_SHAPE_TEXT, one ? "(1 x " : "(");
    for (int d = 0; d < dims; d++)
        at += snprintf(text + at, (size_t)(CTI_SHAPE_TEXT - at), d ? " x %lld" : "%lld",
                       (long long)size[d]);
    snprintf(text + at, (size_t)(CTI_SHAPE_TEXT - at), ")");
    return text;
}

static bool too_large(void)
{
    return ct_fail(CT_ERR_RUNTIME, "the sizes of this convolution overflow 64 bits");
}

/* *sum = a * b + c; false and the error on overflow. */
static bool madd(int64_t *sum, int64_t a, int64_t b, int64_t c)
{
    int64_t product;
    return (!__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(product, c, sum)) ||
           too_large();
}

static bool forward_sizes(const struct cti_conv *g, const ct_tensor *input, const ct_tensor *weight,
                          int64_t *shape)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    int64_t padded[CTI_CONV_DIMS], span[CTI_CONV_DIMS];
    bool fits = true;
    for (int d = 0; d < g->dims; d++) {
        int at = FIRST_DIM + d;
        if (!madd(&padded[d], g->padding[d], 2, input->shape[at]) ||
            !madd(&span[d], g->dilation[d], weight->shape[at] - 1, 1))
            return false;
        fits = fits && span[d] <= padded[d];
        shape[at] = cti_add_sat(cti_sub_sat(padded[d], span[d]) / g->stride[d], 1);
    }
    if (!fits)
        return ct_fail(CT_ERR_RUNTIME,
                       "Calculated padded input size per channel: %s. Kernel size: %s. Kernel size "
                       "can't be greater than actual input size",
                       sizes_text(have, g->dims, padded, false),
                       sizes_text(want, g->dims, span, false));
    return true;
}

static bool check_output_padding(const struct cti_conv *g, const int64_t *output_padding)
{
    static const char *const dim[] = {"depth", "height", "width"};
    char text[400] = "";
    int at = 0, dims = g->dims < 2 ? 2 : g->dims; /* one dim counts as the second of two */
    bool good = true;
    struct {
        const char *name;
        const int64_t *of;
        int64_t missing;
    } list[] = {{"output_padding", output_padding, 0},
                {"stride", g->stride, 1},
                {"dilation", g->dilation, 1}};
    for (int d = 0; d < g->dims; d++)
        good = good && (output_padding[d] < g->stride[d] || output_padding[d] < g->dilation[d]);
    for (int i = 0; i < 3 && !good; i++)
        for (int d = 0; d < dims; d++) {
            int from = d - (dims - g->dims);
            at += snprintf(text + at, sizeof text - (size_t)at, " %s_%s: %lld", list[i].name,
                           dim[3 - dims + d],
                           (long long)(from < 0 ? list[i].missing : list[i].of[from]));
        }
    return good || ct_fail(CT_ERR_RUNTIME,
                           "output padding must be smaller than either stride or dilation, but "
                           "got%s",
                           text);
}

static bool transposed_sizes(const struct cti_conv *g, const int64_t *output_padding,
                             const ct_tensor *input, const ct_tensor *weight, int64_t *shape)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    bool fits = true;
    if (!check_output_padding(g, output_padding))
        return false;
    for (int d = 0; d < g->dims; d++) {
        int64_t at = FIRST_DIM + d, size = 0;
        if (!madd(&size, input->shape[at] - 1, g->stride[d], output_padding[d] + 1) ||
            !madd(&size, g->dilation[d], weight->shape[at] - 1, size) ||
            !madd(&size, g->padding[d], -2, size))
            return false;
        shape[at] = size;
        fits = fits && size >= 0; /* an empty result is allowed */
    }
    if (!fits)
        return ct_fail(CT_ERR_RUNTIME,
                       "Given input size per channel: %s. Calculated output size per channel: %s. "
                       "Output size is too small",
                       sizes_text(have, g->dims, input->shape + FIRST_DIM, g->dims == 1),
                       sizes_text(want, g->dims, shape + FIRST_DIM, g->dims == 1));
    return true;
}

static bool result_shape(const struct cti_conv *g, const int64_t *output_padding,
                         const ct_tensor *input, const ct_tensor *weight, int64_t *shape)
{
    char text[CTI_SHAPE_TEXT];
    shape[0] = input->shape[0];
    shape[1] = is_transposed(g) ? weight->shape[1] * g->groups : weight->shape[0];
    if (!is_transposed(g) && !forward_sizes(g, input, weight, shape))
        return false;
    /* PyTorch computes 1-d inputs as images of height 1, and prints them like that. */
    int64_t image[] = {input->shape[0], input->shape[1], 1, input->shape[FIRST_DIM]};
    bool line = g->dims == 1;
    for (int d = 0; d < g->dims; d++)
        if (!input->shape[FIRST_DIM + d])
            return ct_fail(
                CT_ERR_RUNTIME,
                "Only zero batch or zero channel inputs are supported, but got input "
                "shape: %s",
                cti_shape_text(text, line ? 4 : input->ndim, line ? image : input->shape));
    return !is_transposed(g) || transposed_sizes(g, output_padding, input, weight, shape);
}

/* ---- the engine's call ---- */

/* A result is channels-last if one of its factors is. For 3-d convolutions PyTorch supports this
 * for these types only. */
static enum ct_memory_format format_of(const ct_tensor *a, const ct_tensor *b)
{
    enum ct_memory_format format = cti_suggested_format(a);
    if (format == CT_CONTIGUOUS_FORMAT)
        format = cti_suggested_format(b);
    if (format == CT_CHANNELS_LAST_3D && a->dtype != CT_FLOAT32 && a->dtype != CT_BFLOAT16 &&
        a->dtype != CT_COMPLEX64)
        return CT_CONTIGUOUS_FORMAT;
    return format;
}

/* Returns t if it has the format and no conj or neg flag, otherwise a copy that does. The caller
 * owns the result. */
static ct_tensor *to_format(ct_tensor *t, enum ct_memory_format format)
{
    if (!(t->flags & (CTI_CONJ | CTI_NEG)) && ct_is_contiguous_as(t, format))
        return ct_retain(t);
    ct_tensor *copy = cti_empty_format(t, t->ndim, t->shape, format);
    return cti_take_if(copy, copy && cti_copy(copy, t));
}

/* Runs the engine after all sizes are set; a and b are the tensors that this kind reads. */
static bool run(struct cti_conv *work, ct_tensor *result, ct_tensor *a, ct_tensor *b,
                ct_tensor *bias, enum ct_memory_format format)
{
    enum cti_conv_kind kind = work->kind;
    work->channels_last = format != CT_CONTIGUOUS_FORMAT;
    if (!result->numel)
        return true;
    if (!a->numel || !b->numel) {
        ct_tensor *line = bias ? cti_conv_along_channels(bias, work->dims) : NULL;
        bool good = bias ? line && cti_copy(result, line) : cti_fill(result, ct_value_int(0));
        ct_release(line);
        return good;
    }
    ct_tensor *x = to_format(a, format);
    ct_tensor *y = !x ? NULL : kind == CTI_CONV_WEIGHT ? to_format(b, format) : cti_resolve(b);
    ct_tensor *line = y && bias ? to_format(bias, CT_CONTIGUOUS_FORMAT) : NULL;
    bool good = y && (!bias || line);
    work->bias = line;
    work->input = kind == CTI_CONV_INPUT ? result : kind == CTI_CONV_WEIGHT ? y : x;
    work->output = kind == CTI_CONV_FORWARD ? result : x;
    work->weight = kind == CTI_CONV_WEIGHT ? result : y;
    good = good && cti_run_on(&work->work, CTI_ENGINE_conv, result);
    cti_release_all(x, y, line);
    return good;
}

/* Views a 1-d input [n, c, length] as images [n, c, 1, length]. */
static ct_tensor *image_of(struct cti_hold *h, ct_tensor *line)
{
    const int64_t shape[] = {line->shape[0], line->shape[1], 1, line->shape[2]};
    const int64_t stride[] = {line->stride[0], line->stride[1],
                              cti_mul_sat(line->shape[2], line->stride[2]), line->stride[2]};
    return cti_hold(h, cti_view(line, 4, shape, stride, line->offset));
}

/* PyTorch convolves 1-d inputs as images of height 1. So the result is channels-last if the weight
 * is, or if a contiguous input has strides that fit both formats. Sets *done in these cases. */
static ct_tensor *convolution_of_lines(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                       ct_ints stride, ct_ints padding, ct_ints dilation,
                                       bool transposed, ct_ints output_padding, int64_t groups,
                                       bool *done)
{
    struct cti_hold h = {0};
    bool both = input->ndim == 3 && weight->ndim == 3;
    ct_tensor *plain = both ? cti_hold(&h, cti_contiguous(input)) : NULL;
    ct_tensor *image = plain ? image_of(&h, plain) : NULL, *result = NULL;
    ct_tensor *kernel = image ? image_of(&h, weight) : NULL;
    *done = both && (!kernel || format_of(image, kernel) != CT_CONTIGUOUS_FORMAT);
    if (*done && kernel) {
        const int64_t steps[] = {1, stride.v[0]}, around[] = {0, padding.v[0]};
        const int64_t apart[] = {1, dilation.v[0]}, more[] = {0, output_padding.v[0]};
        result =
            cti_op_convolution(image, kernel, bias, ct_ints_of(steps, 2), ct_ints_of(around, 2),
                               ct_ints_of(apart, 2), transposed, ct_ints_of(more, 2), groups);
    }
    if (result) {
        const int64_t shape[] = {result->shape[0], result->shape[1], result->shape[3]};
        const int64_t lines[] = {result->stride[0], result->stride[1], result->stride[3]};
        bool good = cti_tensor_set_geometry(result, 3, shape, lines, result->offset);
        result = cti_take_if(result, good);
    }
    cti_hold_end(&h, NULL);
    return result;
}

ct_tensor *cti_op_convolution(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_ints stride,
                              ct_ints padding, ct_ints dilation, bool transposed,
                              ct_ints output_padding, int64_t groups)
{
    struct cti_conv g = {.kind = transposed ? CTI_CONV_INPUT : CTI_CONV_FORWARD};
    int64_t shape[CTI_MAX_DIMS], more[CTI_CONV_DIMS];
    if (!set_numbers(&g, weight, stride, padding, dilation, groups) ||
        !expand(more, output_padding, g.dims, "output_padding") || !check_numbers(&g, more) ||
        !check_channels(&g, input, weight, bias) || !check_types(&g, input, weight, bias) ||
        !result_shape(&g, more, input, weight, shape))
        return NULL;
    if (g.dims == 1 && (weight->stride[1] == 1 || input->stride[1] == 1)) {
        bool done;
        ct_tensor *lines = convolution_of_lines(input, weight, bias, ct_ints_of(g.stride, 1),
                                                ct_ints_of(g.padding, 1), ct_ints_of(g.dilation, 1),
                                                transposed, ct_ints_of(more, 1), groups, &done);
        if (done)
            return lines;
    }
    enum ct_memory_format format = format_of(input, weight);
    /* With one channel both formats are the same memory; PyTorch reports the contiguous one for
     * complex results. */
    bool shown_plain = shape[1] == 1 && ct_dtype_is_complex(input->dtype);
    ct_tensor *result =
        cti_empty_format(input, input->ndim, shape, shown_plain ? CT_CONTIGUOUS_FORMAT : format);
    if (result && cti_counts_products())
        cti_count_product("convolution", (const ct_tensor *[]){input, weight, result}, 3,
                          transposed);
    return cti_take_if(result, result && run(&g, result, input, weight,
                                             bias == CT_NO_TENSOR ? NULL : bias, format));
}

/* `convolution` has already checked the arguments of the derivatives. */
ct_tensor *cti_op_convolution_input(ct_tensor *grad_output, ct_tensor *weight, ct_ints size,
                                    ct_ints stride, ct_ints padding, ct_ints dilation,
                                    bool transposed, ct_ints output_padding, int64_t groups)
{
    (void)output_padding; /* `size` determines it */
    struct cti_conv g = {.kind = transposed ? CTI_CONV_FORWARD : CTI_CONV_INPUT};
    if (!set_numbers(&g, weight, stride, padding, dilation, groups))
        return NULL;
    enum ct_memory_format format = format_of(grad_output, weight);
    ct_tensor *result = cti_empty_format(grad_output, (int)size.n, size.v, format);
    if (result && cti_counts_products())
        cti_count_product("convolution_backward_input",
                          (const ct_tensor *[]){grad_output, weight, result}, 3, transposed);
    return cti_take_if(result, result && run(&g, result, grad_output, weight, NULL, format));
}

ct_tensor *cti_op_convolution_weight(ct_tensor *grad_output, ct_tensor *input, ct_ints size,
                                     ct_ints stride, ct_ints padding, ct_ints dilation,
                                     bool transposed, ct_ints output_padding, int64_t groups)
{
    (void)output_padding;
    struct cti_conv g = {.kind = CTI_CONV_WEIGHT};
    enum ct_memory_format format = format_of(grad_output, input);
    ct_tensor *result = cti_empty_format(grad_output, (int)size.n, size.v, format);
    if (!result || !set_numbers(&g, result, stride, padding, dilation, groups))
        return cti_take_if(result, false);
    if (cti_counts_products())
        cti_count_product("convolution_backward_weight",
                          (const ct_tensor *[]){grad_output, input, result}, 3, transposed);
    /* In a transposed convolution the roles are exchanged: its input is the convolution's
     * output. */
    ct_tensor *output = transposed ? input : grad_output, *image = transposed ? grad_output : input;
    return cti_take_if(result, run(&g, result, output, image, NULL, format));
}
