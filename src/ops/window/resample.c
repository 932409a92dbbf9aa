/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements interpolation: for each mode and dim, builds a table of which elements contribute with
 * which weight; the window engine computes the sums. As in PyTorch, positions and weights are
 * rounded to float32 unless the input is float64. */
#include "core/hold.h"
#include "fronts.h"
#include "inner.h"
#include "ops/window/window.h"

#include <math.h>
#include <string.h>

/* WIDE: antialiased, with a filter that widens as the image shrinks. */
enum mode { NEAREST, EXACT, LINEAR, CUBIC, LINEAR_WIDE, CUBIC_WIDE, LANCZOS_WIDE };

/* Computes the distance in the input between neighbouring output positions. */
static double step_of(int64_t in, int64_t out, double scale, bool corners)
{
    if (corners)
        return out > 1 ? (double)(in - 1) / (double)(out - 1) : 0;
    return scale > 0 ? 1 / scale : (double)in / (double)out;
}

static int64_t within(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static double round_scale(double x, bool single)
{
    return single ? (double)(float)x : x;
}

/* ---- tables ---- */

/* Reads one element per output. With equal sizes or a factor of 2, "nearest" computes positions in
 * integers. */
static bool nearest(struct cti_window_dim *dim, int64_t in, int64_t out, double scale, bool exact)
{
    if (!cti_window_table(dim, in, out, 1, 0))
        return false;
    float step = (float)step_of(in, out, scale, false);
    for (int64_t o = 0; o < out; o++) {
        int64_t at = (int64_t)floorf(((float)o + (exact ? 0.5f : 0)) * step);
        if (!exact && in == out)
            at = o;
        else if (!exact && out == 2 * in)
            at = o / 2;
        dim->start[o] = within(at, in);
        dim->count[o] = 1;
    }
    return true;
}

/* Reads two neighbouring elements per output, weighted by distance; one element at the end. */
static bool linear(struct cti_window_dim *dim, int64_t in, int64_t out, double scale, bool corners,
                   bool single)
{
    if (!cti_window_table(dim, in, out, 2, CTI_WINDOW_WEIGHTS))
        return false;
    dim->always_two = true;
    double step = round_scale(step_of(in, out, scale, corners), single);
    for (int64_t o = 0; o < out; o++) {
        double at =
            corners ? step * (double)o : round_scale(step * ((double)o + 0.5), single) - 0.5;
        at = round_scale(at > 0 ? at : 0, single);
        int64_t first = within((int64_t)at, in);
        double second = round_scale(at - (double)first, single);
        second = second > 1 ? 1 : second;
        dim->start[o] = first;
        dim->count[o] = first + 1 < in ? 2 : 1;
        dim->weight[2 * o] = dim->count[o] == 2 ? round_scale(1 - second, single) : 1;
        dim->weight[2 * o + 1] = dim->count[o] == 2 ? second : 0;
    }
    return true;
}

/* Keys' cubic convolution kernel with parameter a; 0 from distance 2 on. */
static double keys_weight(double x, double a)
{
    x = fabs(x);
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Positions beyond the ends repeat the end elements, so their weights are added up. */
static bool cubic(struct cti_window_dim *dim, int64_t in, int64_t out, double scale, bool corners,
                  bool single)
{
    if (!cti_window_table(dim, in, out, 4, CTI_WINDOW_WEIGHTS))
        return false;
    double step = round_scale(step_of(in, out, scale, corners), single);
    for (int64_t o = 0; o < out; o++) {
        double at = corners ? step * (double)o : step * ((double)o + 0.5) - 0.5;
        at = round_scale(at, single);
        int64_t middle = (int64_t)floor(at), first = within(middle - 1, in);
        double part = round_scale(at - (double)middle, single);
        dim->start[o] = first;
        dim->count[o] = within(middle + 2, in) - first + 1;
        for (int k = -1; k <= 2; k++)
            dim->weight[4 * o + within(middle + k, in) - first] +=
                keys_weight(part - (double)k, -0.75);
    }
    return true;
}

static double triangle_weight(double x)
{
    return fabs(x) < 1 ? 1 - fabs(x) : 0;
}

static double cubic_filter(double x)
{
    return keys_weight(x, -0.5);
}

/* The Lanczos kernel: sinc(x) sinc(x / 3) within 3. */
static double lanczos(double x)
{
    double angle = 3.14159265358979323846 * x;
    return x == 0 ? 1 : fabs(x) < 3 ? 3 * sin(angle) * sin(angle / 3) / (angle * angle) : 0;
}

/* A filter that is 0 beyond `reach`, widened by the step when downsampling. */
static bool read_wide(struct cti_window_dim *dim, int64_t in, int64_t out, double scale,
                      bool corners, double (*filter)(double x), double reach)
{
    double step = step_of(in, out, scale, corners), by = step > 1 ? 1 / step : 1;
    double support = reach * (step > 1 ? step : 1);
    int64_t width = (int64_t)ceil(support) * 2 + 1;
    if (!cti_window_table(dim, in, out, width, CTI_WINDOW_WEIGHTS))
        return false;
    for (int64_t o = 0; o < out; o++) {
        double middle = step * ((double)o + 0.5), total = 0, *weight = dim->weight + o * width;
        int64_t first = (int64_t)(middle - support + 0.5), end = (int64_t)(middle + support + 0.5);
        first = first < 0 ? 0 : first;
        end = end < in ? end : in;
        dim->start[o] = first;
        dim->count[o] = end - first < width ? end - first : width;
        for (int64_t k = 0; k < dim->count[o]; k++) {
            double x = ((double)(k + first) - middle + 0.5) * by;
            weight[k] = filter(x);
            total += weight[k];
        }
        for (int64_t k = 0; k < dim->count[o] && total != 0; k++)
            weight[k] /= total;
    }
    return true;
}

static bool resample_table(struct cti_window_dim *dim, int64_t in, int64_t out, double scale,
                           enum mode mode, bool corners, bool single)
{
    switch (mode) {
    case NEAREST:
    case EXACT:
        return nearest(dim, in, out, scale, mode == EXACT);
    case LINEAR:
        return linear(dim, in, out, scale, corners, single);
    case CUBIC:
        return cubic(dim, in, out, scale, corners, single);
    case LINEAR_WIDE:
        return read_wide(dim, in, out, scale, corners, triangle_weight, 1);
    case CUBIC_WIDE:
        return read_wide(dim, in, out, scale, corners, cubic_filter, 2);
    case LANCZOS_WIDE:
        return read_wide(dim, in, out, scale, corners, lanczos, 3);
    }
    return false;
}

static bool resample_tables(struct cti_window *w, const int64_t *in, ct_ints size,
                            const double *scale, int64_t mode, bool corners, bool single)
{
    int n = (int)size.n;
    *w = (struct cti_window){.op = CTI_WINDOW_SUM};
    bool good = cti_window_fill(w, n);
    for (int d = 0; d < n && good; d++)
        good = resample_table(&w->dim[3 - n + d], in[d], size.v[d], scale[d], (enum mode)mode,
                              corners, single);
    return good;
}

/* ---- operations ---- */

ct_tensor *cti_op_upsample_row(ct_tensor *input, ct_ints size, double scale0, double scale1,
                               double scale2, int64_t mode, bool align_corners, bool last)
{
    struct cti_window w;
    int n = (int)size.n;
    const double scale[] = {scale0, scale1, scale2};
    if (resample_tables(&w, input->shape + input->ndim - n, size, scale, mode, align_corners,
                        input->dtype != CT_FLOAT64))
        return cti_window_run_take(&w, n, last, input, NULL);
    cti_window_clear(&w);
    return NULL;
}

ct_tensor *cti_op_upsample_back(ct_tensor *upstream, ct_ints sizes, ct_ints size, double scale0,
                                double scale1, double scale2, int64_t mode, bool align_corners,
                                bool last)
{
    struct cti_window w;
    int n = (int)size.n;
    const double scale[] = {scale0, scale1, scale2};
    last = last && cti_is_channels_last(upstream);
    if (resample_tables(&w, sizes.v + sizes.n - n, size, scale, mode, align_corners,
                        upstream->dtype != CT_FLOAT64) &&
        cti_window_transpose(&w))
        return cti_window_run_take(&w, n, last, upstream, NULL);
    cti_window_clear(&w);
    return NULL;
}

/* ---- entry points ---- */

/* Returns the mode of this name for n dims; -1: unknown. */
static int resample_mode(const char *name, int n, bool antialias)
{
    static const struct {
        const char *name;
        int mode, ndim;
    } all[] = {{"nearest", NEAREST, 0},     {"nearest-exact", EXACT, 0}, {"linear", LINEAR, 1},
               {"bilinear", LINEAR, 2},     {"trilinear", LINEAR, 3},    {"bicubic", CUBIC, 2},
               {"lanczos", LANCZOS_WIDE, 2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name) && (!all[i].ndim || all[i].ndim == n))
            return antialias && all[i].mode == CUBIC    ? CUBIC_WIDE
                   : antialias && all[i].mode == LINEAR ? LINEAR_WIDE
                                                        : all[i].mode;
    return -1;
}

/* Rounds weights as PyTorch does for 8-bit images: to multiples of 2^-bits, with the most bits for
 * which the largest weight is a 16-bit integer. Products with pixels and their sums are then exact
 * in float64. */
static void in_fixed_point(struct cti_window_dim *dim, int64_t out)
{
    int64_t n = out * dim->width;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = dim->weight[i] > most ? dim->weight[i] : most;
    int bits = 0;
    while (bits < 22 && (int)(0.5 + most * (double)(1 << (bits + 1))) < 1 << 15)
        bits++;
    for (int64_t i = 0; i < n; i++)
        dim->weight[i] = round(dim->weight[i] * (double)(1 << bits)) / (double)(1 << bits);
}

/* 8-bit images: resizes rows, then columns, and rounds pixels to bytes after each pass. A single
 * combined pass would be more accurate, but would differ from PyTorch. */
static ct_tensor *of_bytes(struct cti_hold *h, ct_tensor *input, ct_ints size, const double *scale,
                           int mode, bool corners, bool last)
{
    ct_tensor *x = cti_hold(h, ct_own_to_dtype(input, CT_FLOAT64));
    for (int d = 1; d >= 0 && x; d--) {
        if (x->shape[2 + d] == size.v[d])
            continue;
        struct cti_window w = {.op = CTI_WINDOW_SUM};
        struct cti_window_dim *same = &w.dim[2 - d], *dim = &w.dim[1 + d];
        int64_t kept = x->shape[3 - d];
        if (!cti_window_fill(&w, 2) || !nearest(same, kept, kept, 0, true) ||
            !resample_table(dim, x->shape[2 + d], size.v[d], scale[d], (enum mode)mode, corners,
                            false)) {
            cti_window_clear(&w);
            return NULL;
        }
        in_fixed_point(dim, size.v[d]);
        x = cti_hold(h, cti_window_run_take(&w, 2, last, x, NULL));
        x = cti_hold(h, ct_own_add(V(x), ct_value_float(0.5), ct_value_int(1)));
        x = cti_hold(h, ct_own_floor(x));
        x = cti_hold(h, ct_own_clamp(x, ct_value_int(0), ct_value_int(255)));
    }
    return cti_hold(h, ct_own_to_dtype(x, CT_UINT8));
}

ct_tensor *cti_op_interpolate_vec(ct_tensor *input, ct_ints size, ct_floats scale_factor,
                                  const char *mode, int align_corners, int recompute_scale_factor,
                                  bool antialias)
{
    struct cti_hold h = {0};
    int n = input->ndim - 2, kind = resample_mode(mode, n, antialias);
    int64_t out[3] = {0};
    double scale[3] = {0};
    bool area = !strcmp(mode, "area");
    size = size.v ? cti_ints_counted(size) : size;
    scale_factor = scale_factor.v ? cti_floats_counted(scale_factor) : scale_factor;
    if (n < 1 || n > 3 || (kind < 0 && !area))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "Input Error: Only 3D, 4D and 5D input Tensors supported (got %dD) for the "
                       "modes: nearest | linear | bilinear | bicubic | trilinear | "
                       "lanczos | area | nearest-exact (got %s)",
                       input->ndim, mode);
    if (!size.v == !scale_factor.v)
        return ct_fail(CT_ERR_VALUE, size.v ? "only one of size or scale_factor should be defined"
                                            : "either size or scale_factor should be defined");
    int64_t given = size.v ? size.n : scale_factor.n;
    if (given != 1 && given != n)
        return ct_fail(CT_ERR_VALUE, "Input and output must have the same number of spatial "
                                     "dimensions");
    for (int d = 0; d < n; d++) {
        int64_t in = input->shape[2 + d];
        double by = size.v ? 0 : scale_factor.v[given == 1 ? 0 : d];
        out[d] = size.v ? size.v[given == 1 ? 0 : d] : (int64_t)floor((double)in * by);
        scale[d] = recompute_scale_factor == 1 || area ? 0 : by;
        if (!area && (in <= 0 || out[d] <= 0)) /* adaptive pooling checks the sizes of "area" */
            return ct_fail(CT_ERR_RUNTIME,
                           "Input and output sizes should be greater than 0, but got input %lld "
                           "and output %lld",
                           (long long)in, (long long)out[d]);
    }
    ct_ints to = ct_ints_of(out, n);
    if (area)
        return n == 1   ? ct_own_adaptive_avg_pool1d(input, to)
               : n == 2 ? ct_own_adaptive_avg_pool2d(input, to)
                        : ct_own_adaptive_avg_pool3d(input, to);
    bool floating = input->dtype >= CT_FLOAT16 && input->dtype < CT_COMPLEX64;
    if (!floating && (input->dtype != CT_UINT8 || (n != 2 && kind > EXACT)))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "\"compute_indices_weights_%s\" not implemented for '%s'",
                       kind <= EXACT   ? "nearest"
                       : kind == CUBIC ? "cubic"
                                       : "linear",
                       cti_dtype_scalar_name((enum ct_dtype)input->dtype));
    bool last = cti_is_channels_last(input), corners = align_corners == 1;
    ct_tensor *result = !floating && kind > EXACT
                            ? of_bytes(&h, input, to, scale, kind, corners, last)
                            : cti_hold(&h, ct_own_upsample_row(input, to, scale[0], scale[1],
                                                               scale[2], kind, corners, last));
    return cti_hold_end(&h, result);
}

ct_tensor *cti_op_interpolate(ct_tensor *input, ct_ints size, double scale_factor, const char *mode,
                              int align_corners, int recompute_scale_factor, bool antialias)
{
    bool given = !ct_is_no_number(scale_factor);
    return cti_op_interpolate_vec(input, size, given ? CT_FLOATS(scale_factor) : CT_NO_FLOATS, mode,
                                  align_corners, recompute_scale_factor, antialias);
}
