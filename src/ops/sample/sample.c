/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements grid_sample and affine_grid: checks with PyTorch's error messages, then the sample
 * engine. Half types are sampled as float32. */
#include "core/sample.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"

#include <string.h>

static const char changed[] =
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
    "Please specify align_corners=True if the old behavior is desired. See the documentation of "
    "grid_sample for details.";

/* ---- checks ---- */

static bool refuse_sizes(const char *what, const ct_tensor *input, const ct_tensor *grid)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    return cti_refuse(
        CT_ERR_RUNTIME,
        "grid_sampler(): expected %s, but got input with sizes %s and grid with sizes "
        "%s",
        what, cti_shape_text(a, input->ndim, input->shape),
        cti_shape_text(b, grid->ndim, grid->shape));
}

static bool sample_check_modes(int64_t mode, int64_t padding)
{
    if (mode < CTI_SAMPLE_LINEAR || mode > CTI_SAMPLE_CUBIC)
        return cti_refuse(CT_ERR_RUNTIME, "grid_sampler(): unknown interpolation mode %lld",
                          (long long)mode);
    return (padding >= CTI_SAMPLE_ZEROS && padding <= CTI_SAMPLE_REFLECTION) ||
           cti_refuse(CT_ERR_RUNTIME, "grid_sampler(): unknown padding mode %lld",
                      (long long)padding);
}

static bool check_sampler(const ct_tensor *input, const ct_tensor *grid, int n, int64_t mode,
                          int64_t padding)
{
    char text[CTI_SHAPE_TEXT];
    if (input->ndim < 1 || grid->ndim < 1 || input->shape[0] != grid->shape[0])
        return refuse_sizes("grid and input to have same batch size", input, grid);
    if (grid->shape[grid->ndim - 1] != input->ndim - 2)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "grid_sampler(): expected grid to have size %d in last dimension, but got "
            "grid with sizes %s",
            input->ndim - 2, cti_shape_text(text, grid->ndim, grid->shape));
    for (int d = 2; d < input->ndim; d++)
        if (input->shape[d] == 0)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "grid_sampler(): expected input to have non-empty spatial dimensions, "
                "but input has sizes %s with dimension %d being empty",
                cti_shape_text(text, input->ndim, input->shape), d);
    if (input->ndim != n + 2 || grid->ndim != n + 2)
        return refuse_sizes(n == 2 ? "4D input and grid with same number of dimensions"
                                   : "5D input and grid with same number of dimensions",
                            input, grid);
    if (!sample_check_modes(mode, padding))
        return false;
    if (input->dtype < CT_FLOAT16 || input->dtype >= CT_COMPLEX64)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'",
                          n == 2 ? "grid_sampler_2d_cpu_kernel_impl" : "grid_sampler3d_cpu",
                          cti_dtype_scalar_name((enum ct_dtype)input->dtype));
    return input->dtype == grid->dtype ||
           cti_refuse(CT_ERR_RUNTIME, "expected scalar type %s but found %s",
                      cti_dtype_scalar_name((enum ct_dtype)input->dtype),
                      cti_dtype_scalar_name((enum ct_dtype)grid->dtype));
}

/* Checks the saved tensors of a derivative again, because the engine trusts their sizes. */
static bool check_back(ct_ints sizes, const ct_tensor *grid, const ct_tensor *upstream)
{
    int64_t n = sizes.n - 2;
    bool good = (n == 2 || n == 3) && grid->ndim == sizes.n && upstream->ndim == sizes.n &&
                grid->shape[n + 1] == n && grid->shape[0] == sizes.v[0] &&
                upstream->shape[0] == sizes.v[0] && upstream->shape[1] == sizes.v[1];
    for (int64_t d = 0; good && d < n; d++)
        good = sizes.v[2 + d] > 0 && upstream->shape[2 + d] == grid->shape[1 + d];
    good = good && grid->dtype == upstream->dtype && grid->dtype >= CT_FLOAT16 &&
           grid->dtype < CT_COMPLEX64;
    return good || cti_refuse(CT_ERR_RUNTIME, "grid_sampler(): these sizes were not sampled");
}

/* ---- running the engine ---- */

static enum ct_dtype computed(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT64 ? CT_FLOAT64 : CT_FLOAT32;
}

/* t contiguous and in the computing dtype; held. */
static ct_tensor *operand(struct cti_hold *h, ct_tensor *t)
{
    return cti_hold(h, cti_cast_contiguous(t, computed((enum ct_dtype)t->dtype)));
}

/* The engine's work; sizes: the input's. */
static struct cti_sample sample_work(ct_ints sizes, const ct_tensor *grid, int64_t mode,
                                     int64_t padding, bool corners)
{
    struct cti_sample w = {.mode = (enum cti_sample_mode)mode,
                           .padding = (enum cti_sample_padding)padding,
                           .corners = corners,
                           .ndim = (int)sizes.n - 2,
                           .batch = sizes.v[0],
                           .channels = sizes.v[1],
                           .places = 1};
    for (int d = 0; d < w.ndim; d++) {
        w.in[d] = sizes.v[2 + d];
        w.places = cti_mul_sat(w.places, grid->shape[1 + d]);
    }
    return w;
}

/* Below, `along` is a direction in the grid's shape, or NULL. With it, the engine uses derivatives
 * of the weights in this direction (see core/sample.h). */

static bool check_along(const ct_tensor *along, const ct_tensor *grid)
{
    return !along ||
           (along->dtype == grid->dtype && cti_same_shape(along, grid->ndim, grid->shape)) ||
           cti_refuse(CT_ERR_RUNTIME, "grid_sampler(): expected a direction of the grid's shape");
}

static ct_tensor *run_sample(struct cti_hold *h, struct cti_sample *w, ct_tensor *grid,
                             ct_tensor *along, ct_tensor *out)
{
    w->grid = operand(h, grid);
    w->along = along ? operand(h, along) : NULL;
    if (!out || !w->grid || (along && !w->along) || !w->input ||
        !cti_run_on(&w->work, CTI_ENGINE_sample, out))
        return NULL;
    return cti_hold(h, cti_cast(out, (enum ct_dtype)grid->dtype));
}

static ct_tensor *sample_forward(ct_tensor *input, ct_tensor *grid, ct_tensor *along, int64_t mode,
                                 int64_t padding, bool corners)
{
    struct cti_hold h = {0};
    int64_t shape[5];
    int n = input->ndim - 2;
    memcpy(shape, input->shape, 2 * sizeof *shape);
    memcpy(shape + 2, grid->shape + 1, (size_t)n * sizeof *shape);
    struct cti_sample w = sample_work(cti_shape_of(input), grid, mode, padding, corners);
    w.input = operand(&h, input);
    w.out = cti_hold(
        &h, cti_empty(n + 2, shape, computed((enum ct_dtype)input->dtype), input->storage->device));
    return cti_hold_end(&h, run_sample(&h, &w, grid, along, w.out));
}

static ct_tensor *back_input(ct_tensor *upstream, ct_tensor *grid, ct_tensor *along, ct_ints sizes,
                             int64_t mode, int64_t padding, bool corners)
{
    struct cti_hold h = {0};
    if (!check_back(sizes, grid, upstream) || !check_along(along, grid))
        return NULL;
    struct cti_sample w = sample_work(sizes, grid, mode, padding, corners);
    w.upstream = operand(&h, upstream);
    w.grad_input =
        cti_hold(&h, cti_empty((int)sizes.n, sizes.v, computed((enum ct_dtype)upstream->dtype),
                               upstream->storage->device));
    w.input = w.grad_input; /* the engine takes its dtype from the input */
    ct_tensor *result = NULL;
    if (w.upstream && w.grad_input && cti_fill(w.grad_input, ct_value_int(0)))
        result = run_sample(&h, &w, grid, along, w.grad_input);
    return cti_hold_end(&h, result);
}

static ct_tensor *back_grid(ct_tensor *upstream, ct_tensor *input, ct_tensor *grid,
                            ct_tensor *along, int64_t mode, int64_t padding, bool corners)
{
    struct cti_hold h = {0};
    if (!check_back(cti_shape_of(input), grid, upstream) || !check_along(along, grid))
        return NULL;
    if (input->dtype != grid->dtype)
        return ct_fail(CT_ERR_RUNTIME, "grid_sampler(): types differ");
    struct cti_sample w = sample_work(cti_shape_of(input), grid, mode, padding, corners);
    w.upstream = operand(&h, upstream);
    w.input = operand(&h, input);
    w.grad_grid =
        cti_hold(&h, cti_empty(grid->ndim, grid->shape, computed((enum ct_dtype)grid->dtype),
                               grid->storage->device));
    ct_tensor *result = w.upstream ? run_sample(&h, &w, grid, along, w.grad_grid) : NULL;
    return cti_hold_end(&h, result);
}

/* ---- operations ---- */

ct_tensor *cti_op_grid_sampler_nd(ct_tensor *input, ct_tensor *grid, int64_t interpolation_mode,
                                  int64_t padding_mode, bool align_corners, int n)
{
    return check_sampler(input, grid, n, interpolation_mode, padding_mode)
               ? sample_forward(input, grid, NULL, interpolation_mode, padding_mode, align_corners)
               : NULL;
}

ct_tensor *cti_op_grid_sampler_along(ct_tensor *input, ct_tensor *grid, ct_tensor *along,
                                     int64_t interpolation_mode, int64_t padding_mode,
                                     bool align_corners)
{
    return check_sampler(input, grid, input->ndim - 2, interpolation_mode, padding_mode) &&
                   check_along(along, grid)
               ? sample_forward(input, grid, along, interpolation_mode, padding_mode, align_corners)
               : NULL;
}

ct_tensor *cti_op_grid_sampler_back_input(ct_tensor *upstream, ct_tensor *grid, ct_ints sizes,
                                          int64_t interpolation_mode, int64_t padding_mode,
                                          bool align_corners)
{
    return back_input(upstream, grid, NULL, sizes, interpolation_mode, padding_mode, align_corners);
}

ct_tensor *cti_op_grid_sampler_back_input_along(ct_tensor *upstream, ct_tensor *grid,
                                                ct_tensor *along, ct_ints sizes,
                                                int64_t interpolation_mode, int64_t padding_mode,
                                                bool align_corners)
{
    return back_input(upstream, grid, along, sizes, interpolation_mode, padding_mode,
                      align_corners);
}

ct_tensor *cti_op_grid_sampler_back_grid(ct_tensor *upstream, ct_tensor *input, ct_tensor *grid,
                                         int64_t interpolation_mode, int64_t padding_mode,
                                         bool align_corners)
{
    return back_grid(upstream, input, grid, NULL, interpolation_mode, padding_mode, align_corners);
}

ct_tensor *cti_op_grid_sampler_back_grid_along(ct_tensor *upstream, ct_tensor *input,
                                               ct_tensor *grid, ct_tensor *along,
                                               int64_t interpolation_mode, int64_t padding_mode,
                                               bool align_corners)
{
    return back_grid(upstream, input, grid, along, interpolation_mode, padding_mode, align_corners);
}

/* ---- names of modes ---- */

ct_tensor *cti_op_grid_sampler(ct_tensor *input, ct_tensor *grid, int64_t interpolation_mode,
                               int64_t padding_mode, bool align_corners)
{
    return input->ndim == 5 ? ct_own_grid_sampler_3d(input, grid, interpolation_mode, padding_mode,
                                                     align_corners)
                            : ct_own_grid_sampler_2d(input, grid, interpolation_mode, padding_mode,
                                                     align_corners);
}

static int64_t number_of(const char *name, const char *const names[3])
{
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, names[i]))
            return i;
    return -1;
}

ct_tensor *cti_op_grid_sample(ct_tensor *input, ct_tensor *grid, const char *mode,
                              const char *padding_mode, int align_corners)
{
    static const char *const modes[] = {"bilinear", "nearest", "bicubic"};
    static const char *const paddings[] = {"zeros", "border", "reflection"};
    int64_t m = number_of(mode, modes), p = number_of(padding_mode, paddings);
    if (m < 0)
        return ct_fail(CT_ERR_VALUE,
                       "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or "
                       "'bicubic', but got: '%s'",
                       mode);
    if (p < 0)
        return ct_fail(CT_ERR_VALUE,
                       "nn.functional.grid_sample(): expected padding_mode to be 'zeros', "
                       "'border', or 'reflection', but got: '%s'",
                       padding_mode);
    if (align_corners < 0)
        cti_warn("%s", changed);
    return ct_own_grid_sampler(input, grid, m, p, align_corners == 1);
}

/* ---- affine_grid ---- */

/* Returns n points from -1 to 1, or the centres of n equal parts of this interval. h owns the
 * result. */
static ct_tensor *steps(struct cti_hold *h, const ct_tensor *like, int64_t n, bool corners)
{
    ct_value one = ct_value_int(1), from = ct_value_int(n > 1 ? -1 : 0);
    ct_tensor *line = cti_hold(
        h, ct_own_linspace(from, one, n, (enum ct_dtype)like->dtype, like->storage->device, false));
    if (corners || !line)
        return line;
    return cti_hold(h, ct_own_mul(V(line), ct_value_float((double)(n - 1) / (double)n)));
}

ct_tensor *cti_op_affine_grid_base(ct_tensor *like, ct_ints size, bool align_corners)
{
    struct cti_hold h = {0};
    int n = (int)size.n - 2;
    int64_t shape[4] = {0}, points = 1;
    for (int d = 0; d < n; d++)
        points = cti_mul_sat(points, shape[d] = size.v[2 + d]);
    shape[n] = n + 1;
    ct_tensor *base =
        cti_hold(&h, cti_empty(n + 1, shape, (enum ct_dtype)like->dtype, like->storage->device));
    bool good = base && cti_fill(base, ct_value_int(1));
    for (int d = 0; d < n && good; d++) {
        static const int64_t column[] = {-1, 1, 1};
        ct_tensor *to = cti_hold(&h, ct_own_select(base, -1, n - 1 - d));
        ct_tensor *line = steps(&h, like, shape[d], align_corners);
        ct_tensor *transposed = cti_hold(&h, ct_own_view(line, ct_ints_of(column, n - d)));
        good = to && transposed && ct_own_copy_(to, transposed, false);
    }
    ct_tensor *out = good ? cti_hold(&h, ct_own_view(base, CT_INTS(1, points, n + 1))) : NULL;
    return cti_hold_end(&h, out);
}

ct_tensor *cti_op_affine_grid_generator(ct_tensor *theta, ct_ints size, bool align_corners)
{
    struct cti_hold h = {0};
    size = cti_ints_counted(size);
    int n = (int)size.n - 2;
    if (n != 2 && n != 3)
        return ct_fail(CT_ERR_RUNTIME,
                       "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
    ct_tensor *base = cti_hold(&h, ct_own_affine_grid_base(theta, size, align_corners));
    ct_tensor *all = cti_hold(&h, ct_own_expand(base, CT_INTS(size.v[0], -1, -1), false));
    ct_tensor *transposed = cti_hold(&h, ct_own_transpose(theta, 1, 2));
    ct_tensor *made = cti_hold(&h, ct_own_bmm(all, transposed));
    int64_t shape[5] = {size.v[0]};
    memcpy(shape + 1, size.v + 2, (size_t)n * sizeof *shape);
    shape[n + 1] = n;
    return cti_hold_end(&h, cti_hold(&h, ct_own_view(made, ct_ints_of(shape, n + 2))));
}

static ct_tensor *refuse_theta(const ct_tensor *theta, ct_ints size, int n)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    return ct_fail(CT_ERR_VALUE,
                   "Expected a batch of %dD affine matrices of shape Nx%dx%d for size %s. Got "
                   "torch.Size(%s).",
                   n, n, n + 1, cti_shape_text(a, (int)size.n, size.v),
                   cti_shape_text(b, theta->ndim, theta->shape));
}

ct_tensor *cti_op_affine_grid(ct_tensor *theta, ct_ints size, int align_corners)
{
    char text[CTI_SHAPE_TEXT];
    size = cti_ints_counted(size);
    int n = (int)size.n - 2;
    if (align_corners < 0)
        cti_warn("%s", changed);
    if (theta->dtype < CT_FLOAT16 || theta->dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_VALUE, "Expected theta to have floating point type, but got %s",
                       ct_dtype_str((enum ct_dtype)theta->dtype));
    if (n != 2 && n != 3)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED,
                       "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine "
                       "transforms, respectively. Got size %s.",
                       cti_shape_text(text, (int)size.n, size.v));
    if (theta->ndim != 3 || theta->shape[1] != n || theta->shape[2] != n + 1)
        return refuse_theta(theta, size, n);
    for (int64_t d = 0; d < size.n; d++)
        if (size.v[d] <= 0)
            return ct_fail(CT_ERR_VALUE, "Expected non-zero, positive output size. Got %s",
                           cti_shape_text(text, (int)size.n, size.v));
    for (int d = 0; d < n && align_corners == 1; d++)
        if (size.v[2 + d] == 1) {
            cti_warn(
                "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
                "align_corners=True. This is not an intended use case of affine_grid. See the "
                "documentation of affine_grid for details.");
            break;
        }
    return ct_own_affine_grid_generator(theta, size, align_corners == 1);
}
