/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements average pooling, and prepares the arguments of all pooling over windows of a fixed
 * size: expansion of int arguments, PyTorch's checks, window tables. The window engine computes the
 * sums. The derivative of an average is a sum over the transposed windows; that of a maximum is in
 * pool_max.c. lp_pool is composed of average or max pooling. */
#include "ops/window/pool.h"

#include "fronts.h"
#include "inner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- arguments ---- */

static bool pool_expand(int64_t *to, ct_ints from, int ndim)
{
    for (int d = 0; d < ndim && (from.n == 1 || from.n == ndim); d++)
        to[d] = from.v[from.n == 1 ? 0 : d];
    return from.n == 1 || from.n == ndim;
}

/* Sets PyTorch's error for an argument of the wrong length. */
static bool wrong_length(const char *name, const char *what, int ndim, ct_ints given)
{
    bool average = name[0] == 'a', three = ndim == 3, stride = !strcmp(what, "stride");
    const char *many = three ? "three" : "two";
    if (ndim == 1 && average)
        return cti_refuse(CT_ERR_RUNTIME, "%s() argument '%s' should contain one int (got %lld)",
                          name, what, (long long)given.n);
    if (ndim == 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s() %s must be %san int, list of ints%s or tuple of ints of size 1 but "
                          "got size %lld",
                          name, what, stride ? "None, " : "",
                          stride || !strcmp(what, "padding") ? "," : "", (long long)given.n);
    if (!strcmp(what, "dilation"))
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s: dilation must be either a single int, or a tuple of %s ints", name,
                          many);
    return cti_refuse(CT_ERR_RUNTIME, "%s: %s must %sbe %sa single int, or a tuple of %s ints",
                      name, what, average && three ? "" : "either ", stride ? "omitted, " : "",
                      many);
}

/* PyTorch stores window arguments as C ints; the limit also keeps our products from overflowing. */
static bool is_int(int64_t v)
{
    return v == (int32_t)v;
}

bool cti_pool_args(struct cti_pool *p, const char *name, int ndim, ct_ints kernel, ct_ints stride,
                   ct_ints padding, ct_ints dilation, bool ceil_mode)
{
    *p = (struct cti_pool){.ndim = ndim, .ceil_mode = ceil_mode};
    if (!pool_expand(p->kernel, kernel, ndim))
        return wrong_length(name, "kernel_size", ndim, kernel);
    if (!stride.v || stride.n == 0)
        memcpy(p->stride, p->kernel, sizeof p->stride);
    else if (!pool_expand(p->stride, stride, ndim))
        return wrong_length(name, "stride", ndim, stride);
    if (!pool_expand(p->padding, padding, ndim))
        return wrong_length(name, "padding", ndim, padding);
    if (!pool_expand(p->dilation, dilation, ndim))
        return wrong_length(name, "dilation", ndim, dilation);
    for (int d = 0; d < ndim; d++)
        if (!is_int(p->kernel[d]) || !is_int(p->stride[d]) || !is_int(p->padding[d]) ||
            !is_int(p->dilation[d]))
            return cti_refuse(CT_ERR_RUNTIME, "integer out of range");
    return true;
}

int64_t cti_pool_windows(int64_t in, int64_t kernel, int64_t stride, int64_t padding,
                         int64_t dilation, bool ceil_mode)
{
    int64_t around = 2 * padding - dilation * (kernel - 1) - 1 + (ceil_mode ? stride - 1 : 0);
    int64_t span = cti_add_sat(in, around);
    int64_t n = span / stride - (span % stride != 0 && (span < 0) != (stride < 0));
    return ceil_mode && n * stride >= cti_add_sat(in, padding) ? n : cti_add_sat(n, 1);
}

/* ---- checks ---- */

/* "kH: 0 kW: 0" and the like, a letter per dim. */
static const char *per_dim_text(char text[128], const char *what, int ndim, const int64_t *v)
{
    static const char letters[] = "THW";
    int n = ndim == 1 ? snprintf(text, 128, "%sH: 1 ", what) : 0; /* PyTorch pools 1-d as 2-d */
    for (int d = 0; d < ndim; d++)
        n += snprintf(text + n, 128 - (size_t)n, "%s%s%c: %lld", d ? " " : "", what,
                      letters[3 - ndim + d], (long long)v[d]);
    return text;
}

static bool all_positive(int ndim, const int64_t *v)
{
    for (int d = 0; d < ndim; d++)
        if (v[d] <= 0)
            return false;
    return true;
}

/* max_pool1d has its own messages. */
static bool check_numbers_1d(const struct cti_pool *p)
{
    const struct {
        const char *what;
        int64_t v;
    } all[] = {
        {"kernel_size", p->kernel[0]}, {"stride", p->stride[0]}, {"dilation", p->dilation[0]}};
    for (int i = 0; i < 3; i++)
        if (all[i].v <= 0)
            return cti_refuse(CT_ERR_RUNTIME,
                              "max_pool1d() %s must be greater than zero, but got %lld",
                              all[i].what, (long long)all[i].v);
    if (p->padding[0] < 0)
        return cti_refuse(CT_ERR_RUNTIME, "max_pool1d() padding must be non-negative, but got %lld",
                          (long long)p->padding[0]);
    if (p->padding[0] > p->kernel[0] / 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "max_pool1d() padding should be at most half of kernel size, but got "
                          "padding=%lld and kernel_size=%lld",
                          (long long)p->padding[0], (long long)p->kernel[0]);
    return true;
}

static bool pool_check_values(const struct cti_pool *p)
{
    char text[128];
    int n = p->ndim;
    for (int d = 0; d < n; d++) {
        if (p->stride[d] == 0)
            return cti_refuse(CT_ERR_RUNTIME, "stride should not be zero");
        if (p->padding[d] < 0)
            return cti_refuse(CT_ERR_RUNTIME, "pad must be non-negative, but got pad: %lld",
                              (long long)p->padding[d]);
        if (p->dilation[d] > 0 && p->padding[d] > ((p->kernel[d] - 1) * p->dilation[d] + 1) / 2)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "pad should be at most half of effective kernel size, but got pad=%lld, "
                "kernel_size=%lld and dilation=%lld",
                (long long)p->padding[d], (long long)p->kernel[d], (long long)p->dilation[d]);
    }
    if (!all_positive(n, p->kernel))
        return cti_refuse(CT_ERR_RUNTIME, "kernel size should be greater than zero, but got %s",
                          per_dim_text(text, "k", n, p->kernel));
    if (!all_positive(n, p->stride))
        return cti_refuse(CT_ERR_RUNTIME, "stride should be greater than zero, but got %s",
                          per_dim_text(text, "d", n, p->stride));
    if (!all_positive(n, p->dilation))
        return cti_refuse(CT_ERR_RUNTIME, "dilation should be greater than zero, but got %s",
                          per_dim_text(text, "dilation", n, p->dilation));
    const int64_t *k = p->kernel, *w = p->padding;
    for (int d = 0; d < n; d++)
        if (w[d] > k[d] / 2)
            return (n == 2 ? ct_fail(CT_ERR_RUNTIME,
                                     "pad should be smaller than or equal to half of kernel size, "
                                     "but got padW = %lld, padH = %lld, kW = %lld, kH = %lld",
                                     (long long)w[1], (long long)w[0], (long long)k[1],
                                     (long long)k[0])
                           : ct_fail(CT_ERR_RUNTIME,
                                     "pad should be smaller than or equal to half of kernel size, "
                                     "but got kT: %lld kW: %lld kH: %lld padT: %lld padW: %lld "
                                     "padH: %lld",
                                     (long long)k[0], (long long)k[2], (long long)k[1],
                                     (long long)w[0], (long long)w[2], (long long)w[1])) != NULL;
    return true;
}

bool cti_pool_check_full(const char *name, const ct_tensor *input, int from)
{
    char text[CTI_SHAPE_TEXT];
    for (int d = from; d < input->ndim; d++)
        if (input->shape[d] == 0)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "%s(): Expected input to have non-zero size for non-batch dimensions, "
                "but input has sizes %s with dimension %d being empty",
                name, cti_shape_text(text, input->ndim, input->shape), d);
    return true;
}

/* Formats the shape of a 1-d input as an image of height 1. */
static void image_text(char text[CTI_SHAPE_TEXT], const ct_tensor *line)
{
    int64_t shape[CTI_MAX_DIMS + 1];
    int n = line->ndim;
    for (int d = 0; d < n; d++)
        shape[d == n - 1 ? n : d] = line->shape[d];
    shape[n - 1] = 1;
    cti_shape_text(text, n + 1, shape);
}

/* Sets PyTorch's errors for a wrong number of dims or an empty dim. */
static bool pool_check_input(const char *name, int n, const ct_tensor *input)
{
    char text[CTI_SHAPE_TEXT];
    bool fits = input->ndim == n + 1 || input->ndim == n + 2, full = fits;
    for (int d = input->ndim - n - 1; fits && d < input->ndim; d++)
        full = full && input->shape[d] != 0;
    if (n == 1 && name[0] == 'a' && fits)
        image_text(text, input);
    else
        cti_shape_text(text, input->ndim, input->shape);
    if (n == 1 && name[0] == 'a' && !fits)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Expected 2 to 3 dimensions, but got %d-dimensional tensor for argument #1 "
            "'self' (while checking arguments for %s)",
            input->ndim, name);
    if (n == 2 && name[0] == 'a' && input->ndim < 3)
        return cti_refuse(
            CT_ERR_INDEX,
            "Dimension out of range (expected to be in range of [%d, %d], but got -3)",
            input->ndim ? -input->ndim : -1, input->ndim ? input->ndim - 1 : 0);
    if (n == 1 && !full && name[0] == 'm')
        return cti_refuse(CT_ERR_RUNTIME,
                          "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim "
                          "batch size for input, but got:%s",
                          text);
    if (!fits && (n == 3 || name[0] == 'm'))
        return cti_refuse(CT_ERR_RUNTIME,
                          "non-empty %dD or %dD (batch mode) tensor expected for input", n + 1,
                          n + 2);
    if (!full && n == 3)
        return cti_pool_check_full(
            name[0] == 'a' ? name : "max_pool3d_with_indices_out_cpu_template", input, 1);
    return full ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size "
                      "for input, but got:%s",
                      text);
}

/* Sets PyTorch's error for an output size below 1. */
static bool too_small(const struct cti_pool *p, const char *name, const ct_tensor *input,
                      const int64_t *out)
{
    int n = p->ndim;
    const int64_t *in = input->shape + input->ndim - n;
    if (n == 3 && name[0] == 'a')
        return cti_refuse(
            CT_ERR_RUNTIME,
            "input image (T: %lld H: %lld W: %lld) smaller than kernel size (kT: %lld "
            "kH: %lld kW: %lld)",
            (long long)in[0], (long long)in[1], (long long)in[2], (long long)p->kernel[0],
            (long long)p->kernel[1], (long long)p->kernel[2]);
    if (n == 1 && name[0] == 'm')
        return cti_refuse(CT_ERR_RUNTIME, "max_pool1d() Invalid computed output size: %lld",
                          (long long)out[0]);
    char a[160], b[160];
    long long planes = (long long)input->shape[input->ndim - n - 1];
    const char *more = n == 1 ? "x1" : "";
    int i = snprintf(a, sizeof a, "%lld%s", planes, more);
    int k = snprintf(b, sizeof b, "%lld%s", planes, more);
    for (int d = 0; d < n; d++) {
        i += snprintf(a + i, sizeof a - (size_t)i, "x%lld", (long long)in[d]);
        k += snprintf(b + k, sizeof b - (size_t)k, "x%lld", (long long)out[d]);
    }
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Given input size: (%s). Calculated output size: (%s). Output size is too small", a, b);
}

bool cti_pool_sizes(const struct cti_pool *p, const char *name, const ct_tensor *input,
                    int64_t *out)
{
    bool alone = p->ndim == 1 && name[0] == 'm';
    if (!(alone ? check_numbers_1d(p) : pool_check_values(p)) ||
        !pool_check_input(name, p->ndim, input))
        return false;
    bool fits = true;
    for (int d = 0; d < p->ndim; d++) {
        int64_t in = input->shape[input->ndim - p->ndim + d];
        out[d] = cti_pool_windows(in, p->kernel[d], p->stride[d], p->padding[d], p->dilation[d],
                                  p->ceil_mode);
        fits = fits && out[d] >= 1;
        /* avg_pool3d requires the input to hold a whole window, even if ceil_mode would allow less.
         */
        if (p->ndim == 3 && name[0] == 'a')
            fits = fits && p->kernel[d] <= in;
    }
    return fits || too_small(p, name, input, out);
}

/* ---- averages ---- */

/* Padding counts as zeros and, if `include`, in the divisor. The part of a ceil_mode window beyond
 * the padding never counts. */
static bool average_table(struct cti_window_dim *dim, int64_t in, int64_t out, int64_t kernel,
                          int64_t stride, int64_t padding, bool include, int64_t divisor)
{
    if (!cti_window_table(dim, in, out, kernel, CTI_WINDOW_DIVISORS))
        return false;
    for (int64_t o = 0; o < out; o++) {
        int64_t begin = o * stride - padding, end = begin + kernel;
        end = end < cti_add_sat(in, padding) ? end : cti_add_sat(in, padding);
        int64_t whole = end - begin;
        begin = begin > 0 ? begin : 0;
        end = end < in ? end : in;
        dim->start[o] = begin;
        dim->count[o] = end > begin ? end - begin : 0;
        dim->divisor[o] = divisor ? divisor : include ? whole : dim->count[o];
    }
    return true;
}

static bool average_tables(struct cti_window *w, const int64_t *sizes, ct_ints kernel,
                           ct_ints stride, ct_ints padding, bool ceil_mode, bool include,
                           int64_t divisor)
{
    int n = (int)kernel.n;
    *w = (struct cti_window){.op = CTI_WINDOW_SUM};
    if (!cti_window_fill(w, n))
        return false;
    for (int d = 0; d < n; d++) {
        int64_t out =
            cti_pool_windows(sizes[d], kernel.v[d], stride.v[d], padding.v[d], 1, ceil_mode);
        int64_t by = divisor == CT_NO_DIM ? 0 : d == 0 ? divisor : 1;
        if (!average_table(&w->dim[3 - n + d], sizes[d], out, kernel.v[d], stride.v[d],
                           padding.v[d], include, by))
            return false;
    }
    return true;
}

ct_tensor *cti_op_avg_pool_row(ct_tensor *input, ct_ints kernel_size, ct_ints stride,
                               ct_ints padding, bool ceil_mode, bool count_include_pad,
                               int64_t divisor_override, bool last)
{
    struct cti_window w;
    int n = (int)kernel_size.n;
    if (average_tables(&w, input->shape + input->ndim - n, kernel_size, stride, padding, ceil_mode,
                       count_include_pad, divisor_override))
        return cti_window_run_take(&w, n, last, input, NULL);
    cti_window_clear(&w);
    return NULL;
}

ct_tensor *cti_op_avg_pool_back(ct_tensor *upstream, ct_ints sizes, ct_ints kernel_size,
                                ct_ints stride, ct_ints padding, bool ceil_mode,
                                bool count_include_pad, int64_t divisor_override, bool last)
{
    struct cti_window w;
    int n = (int)kernel_size.n;
    if (average_tables(&w, sizes.v + sizes.n - n, kernel_size, stride, padding, ceil_mode,
                       count_include_pad, divisor_override) &&
        cti_window_transpose(&w))
        return cti_window_run_take(&w, n, last, upstream, NULL);
    cti_window_clear(&w);
    return NULL;
}

static bool check_average(int ndim, const ct_tensor *input, int64_t divisor)
{
    if (divisor == 0)
        return cti_refuse(CT_ERR_RUNTIME, "divisor must be not zero");
    if (input->dtype == CT_INT64 || (input->dtype >= CT_FLOAT16 && input->dtype < CT_COMPLEX64))
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'",
                      ndim == 3 ? "avg_pool3d_out_frame" : "avg_pool2d",
                      cti_dtype_scalar_name((enum ct_dtype)input->dtype));
}

static ct_tensor *average_of_image(ct_tensor *line, const struct cti_pool *p, bool include)
{
    struct cti_hold h = {0};
    ct_tensor *image = cti_hold(&h, ct_own_unsqueeze(line, -2));
    ct_tensor *out = cti_hold(
        &h, ct_own_avg_pool2d(image, CT_INTS(1, p->kernel[0]), CT_INTS(1, p->stride[0]),
                              CT_INTS(0, p->padding[0]), p->ceil_mode, include, CT_NO_DIM));
    return cti_hold_end(&h, cti_hold(&h, ct_own_squeeze(out, CT_INTS(-2))));
}

ct_tensor *cti_op_avg_pool(ct_tensor *input, ct_ints kernel, ct_ints stride, ct_ints padding,
                           bool ceil_mode, bool include, int64_t divisor, const char *name, int n)
{
    struct cti_pool p;
    int64_t out[3], one = 1;
    if (!cti_pool_args(&p, name, n, kernel, stride, padding, ct_ints_of(&one, 1), ceil_mode) ||
        !cti_pool_sizes(&p, name, input, out) || !check_average(n, input, divisor))
        return NULL;
    if (n == 1 && cti_line_is_channels_last(input))
        return average_of_image(input, &p, include);
    ct_ints k = ct_ints_of(p.kernel, n), s = ct_ints_of(p.stride, n), w = ct_ints_of(p.padding, n);
    return n == 3 ? ct_own_avg_pool3d_row(input, k, s, w, ceil_mode, include, divisor, false)
                  : ct_own_avg_pool2d_row(input, k, s, w, ceil_mode, include, divisor,
                                          cti_is_channels_last(input) && n == 2);
}

ct_tensor *cti_op_avg_pool1d(ct_tensor *input, ct_ints kernel_size, ct_ints stride, ct_ints padding,
                             bool ceil_mode, bool count_include_pad)
{
    return cti_op_avg_pool(input, kernel_size, stride, padding, ceil_mode, count_include_pad,
                           CT_NO_DIM, "avg_pool1d", 1);
}

/* ---- lp_pool ---- */

/* (mean(x^p) * window size)^(1 / p). Factoring the mean into sign and absolute value changes only
 * the derivative at 0, as in PyTorch. Consumes `mean` and releases everything else that h holds. */
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

ct_tensor *cti_op_lp_pool(ct_tensor *input, double p, ct_ints kernel, ct_ints stride,
                          bool ceil_mode, int n)
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
