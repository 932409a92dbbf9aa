/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements adaptive pooling, which divides the input into as many windows as the output has
 * elements. A single window over everything is a mean and goes to the reduce engine. */
#include "fronts.h"
#include "inner.h"
#include "ops/window/pool.h"

#include <stdio.h>

/* ---- arguments ---- */

static bool adaptive_args(const char *name, int n, ct_ints given, bool max, int64_t *out)
{
    if (given.n != 1 && given.n != n)
        return (n == 1 ? ct_fail(CT_ERR_RUNTIME,
                                 "%s() argument 'output_size' should contain one int (got %lld)",
                                 name, (long long)given.n)
                : max  ? ct_fail(CT_ERR_RUNTIME,
                                 "%s(): internal error: output_size.size() must be %d", name, n)
                       : ct_fail(CT_ERR_RUNTIME, "%s: output_size must be %d", name, n)) != NULL;
    for (int d = 0; d < n; d++)
        out[d] = given.v[given.n == 1 ? 0 : d];
    return true;
}

static bool adaptive_check_dims(const char *name, int n, const ct_tensor *input, bool max)
{
    char text[CTI_SHAPE_TEXT];
    if (input->ndim == n + 1 || input->ndim == n + 2)
        return true;
    if (n == 1)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Expected 2 to 3 dimensions, but got %d-dimensional tensor for argument #1 "
            "'self' (while checking arguments for %s)",
            input->ndim, name);
    return cti_refuse(CT_ERR_RUNTIME, "%s(): Expected %dD or %dD tensor, but got%s %s", name, n + 1,
                      n + 2, max ? ":" : "", cti_shape_text(text, input->ndim, input->shape));
}

static bool adaptive_check_type(const char *name, int n, const ct_tensor *input)
{
    if (input->dtype >= CT_FLOAT16 && input->dtype < CT_COMPLEX64)
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s%s\" not implemented for '%s'", name,
                      n == 3 ? "_cpu" : "", cti_dtype_scalar_name((enum ct_dtype)input->dtype));
}

static bool adaptive_tables(struct cti_window *w, int n, const int64_t *in, const int64_t *out,
                            bool max)
{
    *w = (struct cti_window){.op = max ? CTI_WINDOW_MAX : CTI_WINDOW_SUM};
    bool good = cti_window_fill(w, n);
    for (int d = 0; d < n && good; d++)
        good = cti_pool_shares(&w->dim[3 - n + d], in[d], out[d], !max);
    return good;
}

/* ---- averages ---- */

ct_tensor *cti_op_adaptive_avg_row(ct_tensor *input, ct_ints output_size, bool last)
{
    struct cti_window w;
    int n = (int)output_size.n;
    if (adaptive_tables(&w, n, input->shape + input->ndim - n, output_size.v, false))
        return cti_window_run_take(&w, n, last, input, NULL);
    cti_window_clear(&w);
    return NULL;
}

/* PyTorch does not differentiate an output without elements. */
static bool check_upstream(int n, const ct_tensor *upstream)
{
    char text[CTI_SHAPE_TEXT];
    int64_t shape[CTI_MAX_DIMS];
    int ndim = 0;
    for (int d = 0; d < upstream->ndim; d++) {
        if (n == 1 && d == upstream->ndim - 1)
            shape[ndim++] = 1; /* 1-d is pooled as an image of height 1 */
        shape[ndim++] = upstream->shape[d];
    }
    for (int d = 1; d < ndim; d++)
        if (shape[d] == 0)
            return cti_refuse(CT_ERR_RUNTIME,
                              "adaptive_avg_pool%dd_backward(): Expected grad_output to have "
                              "non-zero size for non-batch dimensions, but grad_output has sizes "
                              "%s with dimension %d being empty",
                              n == 3 ? 3 : 2, cti_shape_text(text, ndim, shape), d);
    return true;
}

ct_tensor *cti_op_adaptive_avg_back(ct_tensor *upstream, ct_ints sizes, ct_ints output_size,
                                    bool last)
{
    struct cti_window w;
    int n = (int)output_size.n;
    if (!check_upstream(n, upstream))
        return NULL;
    if (adaptive_tables(&w, n, sizes.v + sizes.n - n, output_size.v, false) &&
        cti_window_transpose(&w))
        return cti_window_run_take(&w, n, last, upstream, NULL);
    cti_window_clear(&w);
    return NULL;
}

static ct_tensor *mean_of_all(ct_tensor *input, int n)
{
    int64_t dims[3];
    for (int d = 0; d < n; d++)
        dims[d] = d - n;
    ct_tensor *mean = ct_own_mean(input, ct_ints_of(dims, n), true, CT_NO_DTYPE);
    if (!mean || !cti_is_channels_last(input) || input->ndim != n + 2)
        return mean;
    int64_t stride[5] = {input->shape[1], 1};
    for (int d = 2; d < n + 2; d++)
        stride[d] = input->shape[1];
    return cti_replace_take(
        mean, ct_own_as_strided(mean, cti_shape_of(mean), ct_ints_of(stride, n + 2), CT_NO_DIM));
}

/* Views a 1-d input as an image of height 1, as PyTorch does. */
static ct_tensor *as_image(ct_tensor *input, int64_t size)
{
    struct cti_hold h = {0};
    ct_tensor *image = cti_hold(&h, ct_own_unsqueeze(input, -2));
    ct_tensor *out = cti_hold(&h, ct_own_adaptive_avg_pool2d(image, CT_INTS(1, size)));
    return cti_hold_end(&h, cti_hold(&h, ct_own_squeeze(out, CT_INTS(-2))));
}

/* Checks the arguments and chooses among a mean, an image of height 1 for 1-d inputs, and the
 * general operations. `reported`: the name in errors. */
ct_tensor *cti_op_adaptive_avg_pool(ct_tensor *input, ct_ints output_size, const char *name,
                                    const char *reported, int n)
{
    int64_t out[3];
    if (!adaptive_args(name, n, output_size, false, out))
        return NULL;
    bool one = true;
    for (int d = 0; d < n; d++) {
        one = one && out[d] == 1;
        if (out[d] < 0) {
            char text[96];
            snprintf(text, sizeof text, n == 3 ? "%lld, %lld,%lld" : "%lld, %lld",
                     n == 1 ? 1LL : (long long)out[0], (long long)out[n == 1 ? 0 : 1],
                     (long long)out[n - 1]);
            return ct_fail(CT_ERR_RUNTIME,
                           "%s: elements of output_size must be greater than or equal to 0 but "
                           "received {%s}",
                           reported, text);
        }
    }
    /* PyTorch computes a single window as a mean, which accepts more shapes and dtypes. */
    if (one && n > 1)
        return mean_of_all(input, n);
    if (!adaptive_check_dims(name, n, input, false))
        return NULL;
    if (n == 1 && (one || cti_line_is_channels_last(input)))
        return as_image(input, out[0]);
    if (!cti_pool_check_full(reported, input, n == 3 ? 1 : input->ndim - n) ||
        !adaptive_check_type(reported, n, input))
        return NULL;
    return n == 3 ? ct_own_adaptive_avg_pool3d_row(input, ct_ints_of(out, n), false)
                  : ct_own_adaptive_avg_pool2d_row(input, ct_ints_of(out, n),
                                                   n == 2 && cti_is_channels_last(input));
}

/* ---- maxima ---- */

bool cti_op_adaptive_max_row(ct_tensor **output, ct_tensor **indices, ct_tensor *input,
                             ct_ints output_size)
{
    struct cti_window w;
    struct cti_pair pair = {0};
    int n = (int)output_size.n;
    if (adaptive_tables(&w, n, input->shape + input->ndim - n, output_size.v, true))
        pair.output =
            cti_window_run_take(&w, n, n == 2 && cti_is_channels_last(input), input, &pair.indices);
    else
        cti_window_clear(&w);
    return cti_pair_store(pair, output, indices);
}

/* Checks the arguments, computes the output's sizes and calls the operation for n dims. */
static struct cti_pair adaptive_max(const char *name, int n, ct_tensor *input, ct_ints output_size)
{
    char text[CTI_SHAPE_TEXT];
    int64_t out[3], shape[CTI_MAX_DIMS + 1];
    struct cti_pair pair = {0};
    if (!adaptive_args(name, n, output_size, true, out) ||
        !adaptive_check_dims(name, n, input, true) ||
        !cti_pool_check_full(name, input, input->ndim - n - 1))
        return pair;
    for (int d = 0; d < input->ndim; d++)
        shape[d] = d < input->ndim - n ? input->shape[d] : out[d - input->ndim + n];
    if (n == 1) { /* 1-d is pooled, and printed, as an image of height 1 */
        shape[input->ndim - 1] = 1;
        shape[input->ndim] = out[0];
    }
    for (int d = 0; d < n; d++)
        if (out[d] < 0) {
            ct_fail(CT_ERR_RUNTIME, "Trying to create tensor with negative dimension %lld: %s",
                    (long long)out[d],
                    cti_shape_text(text, n == 1 ? input->ndim + 1 : input->ndim, shape));
            return pair;
        }
    if (!adaptive_check_type(n == 1 ? "adaptive_max_pool2d" : name, n, input))
        return pair;
    if (n == 1 && cti_line_is_channels_last(input)) {
        struct cti_hold h = {0};
        ct_tensor *image = cti_hold(&h, ct_own_unsqueeze(input, -2));
        struct ct_adaptive_max_pool2d_row_result r = {0};
        if (image)
            r = ct_own_adaptive_max_pool2d_row(image, CT_INTS(1, out[0]));
        return cti_pair_squeeze_take((struct cti_pair){r.output, r.indices}, &h);
    }
    if (n == 3) {
        struct ct_adaptive_max_pool3d_row_result r =
            ct_own_adaptive_max_pool3d_row(input, ct_ints_of(out, n));
        return (struct cti_pair){r.output, r.indices};
    }
    struct ct_adaptive_max_pool2d_row_result r =
        ct_own_adaptive_max_pool2d_row(input, ct_ints_of(out, n));
    return (struct cti_pair){r.output, r.indices};
}

bool cti_op_adaptive_max_pool(ct_tensor **output, ct_tensor **indices, ct_tensor *input,
                              ct_ints output_size, const char *name, int n)
{
    return cti_pair_store(adaptive_max(name, n, input, output_size), output, indices);
}
