/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements max pooling, with fixed and adaptive windows, and its derivative. The graph keeps the
 * indices of the maxima that the engine found; the derivative adds gradients at these indices with
 * the scatter engine. */
#include "fronts.h"
#include "inner.h"
#include "ops/window/pool.h"

#include <math.h>

/* ---- tables ---- */

/* Note [Empty windows]: if the dilation exceeds the input's size, a window that begins in the
 * padding may contain no element, and its maximum is the dtype's lowest value. The engine gets such
 * a window with the last element in it, and the result is overwritten afterwards. As in PyTorch its
 * index is meaningless. */
static int64_t first_inside(int64_t window, int64_t stride, int64_t padding, int64_t dilation)
{
    int64_t begin = window * stride - padding;
    return begin < 0 ? begin + (-begin + dilation - 1) / dilation * dilation : begin;
}

static bool max_table(struct cti_window_dim *dim, int64_t in, int64_t out, int64_t kernel,
                      int64_t stride, int64_t padding, int64_t dilation)
{
    if (!cti_window_table(dim, in, out, kernel, 0))
        return false;
    dim->step = dilation;
    for (int64_t o = 0; o < out; o++) {
        int64_t begin = first_inside(o, stride, padding, dilation);
        int64_t end = o * stride - padding + (kernel - 1) * dilation + 1;
        begin = begin < in ? begin : in - 1;
        end = end < in ? end : in;
        dim->start[o] = begin;
        dim->count[o] = end > begin ? (end - begin + dilation - 1) / dilation : 1;
    }
    return true;
}

static ct_value lowest_value(enum ct_dtype dtype)
{
    if (dtype >= CT_FLOAT16)
        return ct_value_float(-INFINITY);
    return ct_value_int(ct_dtype_is_signed(dtype) ? INT64_MIN >> (64 - 8 * cti_itemsize(dtype))
                                                  : 0);
}

/* Overwrites the empty windows along `dim`; see Note [Empty windows]. */
static bool fill_empty(ct_tensor *out, int dim, int64_t in, int64_t stride, int64_t padding,
                       int64_t dilation)
{
    for (int64_t o = 0; dilation > in && o * stride < padding && o < out->shape[dim]; o++) {
        if (first_inside(o, stride, padding, dilation) < in)
            continue;
        ct_tensor *part = cti_view_select(out, dim, o);
        bool good = part && cti_fill(part, lowest_value(out->dtype));
        ct_release(part);
        if (!good)
            return false;
    }
    return true;
}

bool cti_pool_shares(struct cti_window_dim *dim, int64_t in, int64_t out, bool averages)
{
    if (!cti_window_table(dim, in, out, out ? in / out + 2 : 1, averages ? CTI_WINDOW_DIVISORS : 0))
        return false;
    dim->width = 0;
    for (int64_t o = 0; o < out; o++) {
        dim->start[o] = (int64_t)((__int128)o * in / out);
        dim->count[o] = (int64_t)(((__int128)(o + 1) * in + out - 1) / out) - dim->start[o];
        dim->width = dim->count[o] > dim->width ? dim->count[o] : dim->width;
        if (averages)
            dim->divisor[o] = dim->count[o];
    }
    return true;
}

static struct cti_pair run_max(struct cti_window *w, int ndim, ct_tensor *input, bool indices)
{
    struct cti_pair pair = {0};
    pair.output = cti_window_run_take(w, ndim, cti_is_channels_last(input), input,
                                      indices ? &pair.indices : NULL);
    return pair;
}

/* Makes the tables, runs the engine and overwrites empty windows. The caller owns the result. */
static struct cti_pair max_of(ct_tensor *input, ct_ints kernel, ct_ints stride, ct_ints padding,
                              ct_ints dilation, bool ceil_mode, bool indices)
{
    struct cti_window w = {.op = CTI_WINDOW_MAX};
    int n = (int)kernel.n;
    bool good = cti_window_fill(&w, n);
    for (int d = 0; d < n && good; d++) {
        int64_t in = input->shape[input->ndim - n + d];
        int64_t out =
            cti_pool_windows(in, kernel.v[d], stride.v[d], padding.v[d], dilation.v[d], ceil_mode);
        good = max_table(&w.dim[3 - n + d], in, out, kernel.v[d], stride.v[d], padding.v[d],
                         dilation.v[d]);
    }
    if (!good) {
        cti_window_clear(&w);
        return (struct cti_pair){0};
    }
    struct cti_pair pair = run_max(&w, n, input, indices);
    for (int d = 0; d < n && good && pair.output; d++)
        good = fill_empty(pair.output, input->ndim - n + d, input->shape[input->ndim - n + d],
                          stride.v[d], padding.v[d], dilation.v[d]);
    if (!good) {
        cti_release_all(pair.output, pair.indices);
        pair = (struct cti_pair){0};
    }
    return pair;
}

bool cti_op_max_pool_row(ct_tensor **output, ct_tensor **indices, ct_tensor *input,
                         ct_ints kernel_size, ct_ints stride, ct_ints padding, ct_ints dilation,
                         bool ceil_mode)
{
    struct cti_pair p = max_of(input, kernel_size, stride, padding, dilation, ceil_mode, true);
    return cti_pair_store(p, output, indices);
}

/* ---- the derivative ---- */

/* Merges the pooled dims into one: [outer, n], or [N, n, C] if channels last. The caller owns the
 * result. */
static ct_tensor *as_lines(ct_tensor *t, int ndim, bool last)
{
    int64_t n = 1, outer = 1;
    for (int d = 0; d < t->ndim; d++)
        *(d < t->ndim - ndim ? &outer : &n) *= t->shape[d];
    if (!last)
        return ct_own_view(t, CT_INTS(outer, n));
    static const int64_t order4[] = {0, 2, 3, 1}, order5[] = {0, 2, 3, 4, 1};
    ct_tensor *permuted = ct_own_permute(t, ct_ints_of(t->ndim == 4 ? order4 : order5, t->ndim));
    return cti_replace_take(permuted, ct_own_view(permuted, CT_INTS(t->shape[0], n, t->shape[1])));
}

static bool max_pool_check_indices(ct_tensor *indices, int64_t n)
{
    int64_t bad = 0;
    return cti_check_index(indices, n, false, &bad) ||
           cti_refuse(CT_ERR_RUNTIME, "Found an invalid max index: %lld", (long long)bad);
}

static int64_t elements(int64_t n, const int64_t *sizes)
{
    int64_t all = 1;
    for (int64_t d = 0; d < n; d++)
        all *= sizes[d];
    return all;
}

/* to[line, where[line, i]] = the sum of from[line, i]; in channels last, lines are interleaved. */
static bool add_lines(ct_tensor *to, ct_tensor *where, ct_tensor *from, bool last)
{
    enum cti_status status = CTI_DECLINED;
    if (!last)
        status = cti_offer(CTI_WORK(scatter_lines, to, .out = to, .index = where, .src = from));
    if (status != CTI_DECLINED)
        return status == CTI_DONE;
    return cti_fill(to, ct_value_int(0)) &&
           CTI_RUN(scatter, to, .self = to, .dim = 1, .index = where, .src = from,
                   .how = CTI_COMBINE_ADD);
}

ct_tensor *cti_op_max_pool_back(ct_tensor *upstream, ct_ints sizes, ct_tensor *indices,
                                ct_ints dims)
{
    struct cti_hold h = {0};
    int n = (int)dims.n;
    bool last = cti_is_channels_last(indices) && indices->ndim == n + 2;
    if (!cti_same_shape(upstream, indices->ndim, indices->shape))
        return ct_fail(CT_ERR_RUNTIME, "Expected gradients and indices of one shape");
    if (!max_pool_check_indices(indices, elements(n, sizes.v + sizes.n - n)))
        return NULL;
    enum ct_memory_format format = cti_format(last, indices->ndim);
    enum ct_dtype dtype = (enum ct_dtype)upstream->dtype;
    enum ct_dtype compute = dtype == CT_FLOAT16 || dtype == CT_BFLOAT16 ? CT_FLOAT32 : dtype;
    ct_tensor *cast = cti_hold(&h, cti_cast(upstream, compute));
    ct_tensor *src = cti_hold(&h, ct_own_contiguous(cast, (int)format));
    ct_tensor *at = cti_hold(&h, ct_own_contiguous(indices, (int)format));
    ct_tensor *out = cti_hold(&h, cti_empty_in_format(indices, format, sizes.v, compute));
    if (!src || !at || !out)
        return cti_hold_end(&h, NULL);
    ct_tensor *to = cti_hold(&h, as_lines(out, n, last));
    ct_tensor *from = cti_hold(&h, as_lines(src, n, last));
    ct_tensor *where = cti_hold(&h, as_lines(at, n, last));
    bool good = to && from && where && add_lines(to, where, from, last);
    return cti_hold_end(&h, good ? cti_hold(&h, cti_cast(out, dtype)) : NULL);
}

ct_tensor *cti_op_max_pool_pick(ct_tensor *input, ct_tensor *indices, ct_ints dims)
{
    struct cti_hold h = {0};
    int n = (int)dims.n;
    if (!max_pool_check_indices(indices, elements(n, input->shape + input->ndim - n)))
        return NULL;
    ct_tensor *in = cti_hold(&h, cti_contiguous(input));
    ct_tensor *at = cti_hold(&h, cti_contiguous(indices));
    ct_tensor *from = in ? cti_hold(&h, as_lines(in, n, false)) : NULL;
    ct_tensor *where = at ? cti_hold(&h, as_lines(at, n, false)) : NULL;
    ct_tensor *found = cti_hold(&h, ct_own_gather(from, 1, where, false));
    return cti_hold_end(&h, cti_hold(&h, ct_own_view(found, cti_shape_of(indices))));
}

/* ---- entry points ---- */

static bool max_pool_check_type(const char *name, const ct_tensor *input, bool whole)
{
    bool fits = input->dtype < CT_COMPLEX64 && input->dtype != CT_BOOL &&
                (whole || input->dtype >= CT_FLOAT16);
    return fits || cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", name,
                              cti_dtype_scalar_name((enum ct_dtype)input->dtype));
}

struct cti_pair cti_pair_squeeze_take(struct cti_pair pair, struct cti_hold *h)
{
    struct cti_pair line = {0};
    bool both = cti_hold(h, pair.indices) != NULL;
    line.output = ct_own_squeeze(cti_hold(h, pair.output), CT_INTS(-2));
    if (line.output && both && !(line.indices = ct_own_squeeze(pair.indices, CT_INTS(-2)))) {
        ct_release(line.output);
        line.output = NULL;
    }
    cti_hold_end(h, NULL);
    return line;
}

static struct cti_pair max_pool(const char *name, int n, ct_tensor *input, ct_ints kernel,
                                ct_ints stride, ct_ints padding, ct_ints dilation, bool ceil_mode,
                                bool indices);

static struct cti_pair max_of_image(ct_tensor *line, const struct cti_pool *p, bool indices)
{
    struct cti_hold h = {0};
    ct_tensor *image = cti_hold(&h, ct_own_unsqueeze(line, -2));
    const int64_t kernel[] = {1, p->kernel[0]}, stride[] = {1, p->stride[0]};
    const int64_t padding[] = {0, p->padding[0]}, dilation[] = {1, p->dilation[0]};
    struct cti_pair pair = {0};
    if (image)
        pair = max_pool("max_pool2d", 2, image, ct_ints_of(kernel, 2), ct_ints_of(stride, 2),
                        ct_ints_of(padding, 2), ct_ints_of(dilation, 2), p->ceil_mode, indices);
    return cti_pair_squeeze_take(pair, &h);
}

/* Computes indices only if they are requested or a gradient will need them. */
static struct cti_pair max_pool(const char *name, int n, ct_tensor *input, ct_ints kernel,
                                ct_ints stride, ct_ints padding, ct_ints dilation, bool ceil_mode,
                                bool indices)
{
    struct cti_pool p;
    int64_t out[3];
    struct cti_pair pair = {0};
    if (!cti_pool_args(&p, name, n, kernel, stride, padding, dilation, ceil_mode) ||
        !cti_pool_sizes(&p, name, input, out) ||
        !max_pool_check_type(n > 1     ? name
                             : indices ? "max_pool2d"
                                       : "max_pool1d_impl",
                             input, n > 1 || indices))
        return pair;
    ct_ints k = ct_ints_of(p.kernel, n), s = ct_ints_of(p.stride, n);
    ct_ints w = ct_ints_of(p.padding, n), e = ct_ints_of(p.dilation, n);
    bool recorded = cti_grad_on() && cti_wants_grad(input);
    if (n == 1 && (indices || recorded) && cti_line_is_channels_last(input))
        return max_of_image(input, &p, indices);
    if (!indices && !recorded)
        return max_of(input, k, s, w, e, ceil_mode, false);
    if (n == 3) {
        struct ct_max_pool3d_row_result r = ct_own_max_pool3d_row(input, k, s, w, e, ceil_mode);
        pair = (struct cti_pair){r.output, r.indices};
    } else {
        struct ct_max_pool2d_row_result r = ct_own_max_pool2d_row(input, k, s, w, e, ceil_mode);
        pair = (struct cti_pair){r.output, r.indices};
    }
    if (!indices) {
        ct_release(pair.indices);
        pair.indices = NULL;
    }
    return pair;
}

ct_tensor *cti_op_max_pool(ct_tensor *input, ct_ints kernel_size, ct_ints stride, ct_ints padding,
                           ct_ints dilation, bool ceil_mode, const char *name, int n)
{
    return max_pool(name, n, input, kernel_size, stride, padding, dilation, ceil_mode, false)
        .output;
}

bool cti_op_max_pool_with_indices(ct_tensor **output, ct_tensor **indices, ct_tensor *input,
                                  ct_ints kernel_size, ct_ints stride, ct_ints padding,
                                  ct_ints dilation, bool ceil_mode, const char *name, int n)
{
    struct cti_pair p =
        max_pool(name, n, input, kernel_size, stride, padding, dilation, ceil_mode, true);
    return cti_pair_store(p, output, indices);
}
