/* SPDX-License-Identifier: BSD-3-Clause */
/* Max pooling over randomly placed windows (Graham, Fractional Max-Pooling, 2014). Each plane has
 * its own random numbers, hence its own tables and its own run of the window engine. */
#include "core/half.h"
#include "core/shape.h"
#include "fronts.h"
#include "inner.h"
#include "ops/window/pool.h"

#include <stdio.h>

struct fractional {
    int ndim, n; /* dims of the input; dims that are pooled */
    int64_t kernel[3], out[3];
    const int64_t *in;     /* sizes of the last n dims */
    int64_t planes, batch; /* planes: of one batch element */
    int64_t shape[CTI_MAX_DIMS];
};

static double round_to_type(double x, enum ct_dtype dtype)
{
    switch ((int)dtype) {
    case CT_FLOAT16:
        return cti_half_to_float(cti_float_to_half((float)x));
    case CT_BFLOAT16:
        return cti_bfloat_to_float(cti_float_to_bfloat((float)x));
    case CT_FLOAT32:
        return (float)x;
    default:
        return x;
    }
}

/* Computes the start of each window. Every step is rounded to the input's dtype, as in PyTorch. */
static void window_starts(struct cti_window_dim *dim, int64_t pool, double sample,
                          enum ct_dtype dtype)
{
    int64_t last = dim->out - 1, slack = dim->in - pool;
    double alpha =
        last > 0 ? round_to_type(round_to_type((double)slack, dtype) / (double)last, dtype) : 0;
    int64_t first = (int64_t)round_to_type(sample * alpha, dtype);
    for (int64_t i = 0; i <= last; i++) {
        double at = round_to_type(round_to_type((double)i + sample, dtype) * alpha, dtype);
        int64_t start = i == last ? slack : (int64_t)at - first;
        dim->start[i] = start < 0 ? 0 : start < slack ? start : slack; /* samples are not checked */
        dim->count[i] = pool;
    }
}

/* ---- checks ---- */

static bool check_kernel(const struct fractional *f)
{
    const int64_t *k = f->kernel;
    if (k[0] > 0 && k[1] > 0 && (f->n == 2 || k[2] > 0))
        return true;
    char text[96];
    snprintf(text, sizeof text, f->n == 2 ? "%lldx%lld" : "%lldx%lldx%lld", (long long)k[0],
             (long long)k[1], (long long)k[2]);
    return cti_refuse(CT_ERR_RUNTIME,
                      "fractional_max_pool%dd(): kernel size should be greater than zero, but got "
                      "%s",
                      f->n, text);
}

static bool fractional_check_sizes(struct fractional *f, const ct_tensor *input, ct_ints kernel,
                                   ct_ints size)
{
    static const char *const names[] = {"time", "height", "width"};
    const char *name = f->n == 2 ? "fractional_max_pool2d" : "fractional_max_pool3d_out";
    char text[CTI_SHAPE_TEXT];
    if (input->ndim != f->n + 1 && input->ndim != f->n + 2)
        return cti_refuse(CT_ERR_RUNTIME, "%s(): Expected %dD or %dD tensor, but got: %s", name,
                          f->n + 1, f->n + 2, cti_shape_text(text, input->ndim, input->shape));
    for (int d = input->ndim - f->n - 1; d < input->ndim; d++)
        if (input->shape[d] == 0)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "%s(): Expected input to have non-zero size for non-batch dimensions, "
                "but got%s with dimension %d being empty.",
                name, cti_shape_text(text, input->ndim, input->shape), d);
    int64_t negative = 0;
    f->in = input->shape + input->ndim - f->n;
    for (int d = 0; d < f->n; d++) {
        f->kernel[d] = kernel.v[d];
        f->out[d] = size.v[d];
        if (f->out[d] < 0 && !negative)
            negative = f->out[d];
    }
    if (negative < 0) {
        int64_t shape[CTI_MAX_DIMS];
        for (int d = 0; d < input->ndim; d++)
            shape[d] = d < input->ndim - f->n ? input->shape[d] : size.v[d - input->ndim + f->n];
        return cti_refuse(CT_ERR_RUNTIME,
                          "Trying to create tensor with negative dimension %lld: %s",
                          (long long)negative, cti_shape_text(text, input->ndim, shape));
    }
    if (!check_kernel(f))
        return false;
    for (int d = 0; d < f->n; d++) {
        int64_t reach = cti_add_sat(cti_sub_sat(f->in[d], f->kernel[d]), f->n == 2);
        if (f->out[d] > reach)
            return cti_refuse(CT_ERR_RUNTIME,
                              "%s(): pool %s %lld too large relative to input %s %lld", name,
                              names[3 - f->n + d], (long long)f->kernel[d], names[3 - f->n + d],
                              (long long)f->in[d]);
    }
    return true;
}

static bool check_samples(const struct fractional *f, const ct_tensor *input, const ct_tensor *s)
{
    if (s->dtype != input->dtype)
        return ct_fail(CT_ERR_RUNTIME, "Expect _random_samples to have the same dtype as input") !=
               NULL;
    if (s->ndim != 3)
        return cti_refuse(CT_ERR_RUNTIME, "Expect _random_samples to have 3 dimensions, got %d",
                          s->ndim);
    if (s->shape[0] < f->batch)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expect _random_samples.size(0) no less then input batch size.");
    if (s->shape[1] != f->planes)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expect _random_samples.size(1) equals to input channel size.");
    return s->shape[2] == f->n ||
           cti_refuse(CT_ERR_RUNTIME, "Expect _random_samples.size(2) equals to %d; got %lld.",
                      f->n, (long long)s->shape[2]);
}

static bool check_fractional(struct fractional *f, ct_tensor *input, ct_ints kernel, ct_ints size,
                             ct_tensor *samples)
{
    if (!fractional_check_sizes(f, input, kernel, size))
        return false;
    f->ndim = input->ndim;
    f->batch = f->ndim == f->n + 2 ? input->shape[0] : 1;
    f->planes = input->shape[f->ndim - f->n - 1];
    for (int d = 0; d < f->ndim; d++)
        f->shape[d] = d < f->ndim - f->n ? input->shape[d] : f->out[d - f->ndim + f->n];
    if (!check_samples(f, input, samples))
        return false;
    return (input->dtype >= CT_FLOAT16 && input->dtype < CT_COMPLEX64) ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                      "\"fractional_max_pool%dd_out_frame\" not implemented "
                      "for '%s'",
                      f->n, cti_dtype_scalar_name((enum ct_dtype)input->dtype));
}

/* ---- running the engine ---- */

/* Runs the engine plane by plane. lists: input, output and indices as [batch * planes, ...];
 * sample: float64 on the host. */
static bool fractional_run(const struct fractional *f, struct cti_window *w,
                           ct_tensor *const lists[3], const double *sample, enum ct_dtype dtype)
{
    for (int64_t i = 0; i < f->batch * f->planes; i++, sample += f->n) {
        struct cti_hold h = {0};
        for (int d = 0; d < f->n; d++) /* in 2-d the first number is the width's */
            window_starts(&w->dim[3 - f->n + d], f->kernel[d], sample[f->n == 2 ? 1 - d : d],
                          dtype);
        w->in = cti_hold(&h, ct_own_select(lists[0], 0, i));
        w->out = cti_hold(&h, ct_own_select(lists[1], 0, i));
        w->index = cti_hold(&h, ct_own_select(lists[2], 0, i));
        bool good = w->in && w->out && w->index && cti_run_on(&w->work, CTI_ENGINE_window, w->in);
        cti_hold_end(&h, NULL);
        if (!good)
            return false;
    }
    return true;
}

static bool make_tables(const struct fractional *f, struct cti_window *w)
{
    bool good = cti_window_fill(w, f->n);
    for (int d = 0; d < f->n && good; d++)
        good = cti_window_table(&w->dim[3 - f->n + d], f->in[d], f->out[d], f->kernel[d], 0);
    return good;
}

/* t with batch and planes merged into one dim. h owns the result. */
static ct_tensor *as_planes(struct cti_hold *h, const struct fractional *f, ct_tensor *t)
{
    int64_t shape[4] = {f->batch * f->planes};
    for (int d = 0; d < f->n; d++)
        shape[1 + d] = t->shape[t->ndim - f->n + d];
    return cti_hold(h, ct_own_view(t, ct_ints_of(shape, f->n + 1)));
}

/* Checks the arguments, runs the engine for each plane, and casts the maxima back to the input's
 * dtype. */
static struct cti_pair fractional(struct fractional f, ct_tensor *input, ct_ints kernel,
                                  ct_ints size, ct_tensor *samples)
{
    struct cti_hold h = {0};
    struct cti_pair pair = {0};
    if (!check_fractional(&f, input, kernel, size, samples))
        return pair;
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    enum ct_dtype compute = dtype == CT_FLOAT64 ? CT_FLOAT64 : CT_FLOAT32;
    struct ct_device device = input->storage->device;
    ct_tensor *in = cti_hold(&h, cti_cast_contiguous(input, compute));
    ct_tensor *out = cti_hold(&h, cti_empty(f.ndim, f.shape, compute, device));
    ct_tensor *index = cti_hold(&h, cti_empty(f.ndim, f.shape, CT_INT64, device));
    ct_tensor *numbers = cti_hold(&h, cti_cast_contiguous(samples, CT_FLOAT64));
    numbers = numbers && device.type != CT_META ? cti_hold(&h, cti_host(numbers)) : numbers;
    struct cti_window w = {.op = CTI_WINDOW_MAX, .outer = 1, .inner = 1};
    bool good = in && out && index && numbers && make_tables(&f, &w);
    if (good && device.type != CT_META && out->numel > 0) {
        ct_tensor *lists[] = {as_planes(&h, &f, in), as_planes(&h, &f, out),
                              as_planes(&h, &f, index)};
        good = lists[0] && lists[1] && lists[2] &&
               fractional_run(&f, &w, lists, (const double *)cti_data(numbers), dtype);
    }
    w.in = w.out = w.index = NULL;
    cti_window_clear(&w);
    ct_tensor *narrow = good ? cti_cast(out, dtype) : NULL;
    if (narrow)
        pair = (struct cti_pair){narrow, ct_retain(index)};
    cti_hold_end(&h, NULL);
    return pair;
}

bool cti_op_fractional_max_pool_row(ct_tensor **output, ct_tensor **indices, ct_tensor *input,
                                    ct_ints kernel_size, ct_ints output_size,
                                    ct_tensor *_random_samples, int n)
{
    struct cti_pair p =
        fractional((struct fractional){.n = n}, input, kernel_size, output_size, _random_samples);
    return cti_pair_store(p, output, indices);
}

/* Expands an int argument to n dims, in `storage`. */
static bool expand_argument(ct_ints *list, int64_t *storage, int n, const char *what)
{
    if (list->n != 1 && list->n != n)
        return cti_refuse(CT_ERR_RUNTIME,
                          "fractional_max_pool%dd: %s must either be a single Int or tuple of %s",
                          n, what, n == 2 ? "Ints" : "three Ints");
    for (int d = 0; d < n; d++)
        storage[d] = list->v[list->n == 1 ? 0 : d];
    *list = ct_ints_of(storage, n);
    return true;
}

bool cti_op_fractional_max_pool(ct_tensor **output, ct_tensor **indices, ct_tensor *input,
                                ct_ints kernel_size, ct_ints output_size,
                                ct_tensor *_random_samples, int n)
{
    int64_t kernel[3], size[3];
    if (!expand_argument(&kernel_size, kernel, n, "kernel_size") ||
        !expand_argument(&output_size, size, n, "output_size"))
        return false;
    if (n == 3) {
        struct ct_fractional_max_pool3d_row_result r =
            ct_own_fractional_max_pool3d_row(input, kernel_size, output_size, _random_samples);
        return cti_pair_store((struct cti_pair){r.output, r.indices}, output, indices);
    }
    struct ct_fractional_max_pool2d_row_result r =
        ct_own_fractional_max_pool2d_row(input, kernel_size, output_size, _random_samples);
    return cti_pair_store((struct cti_pair){r.output, r.indices}, output, indices);
}
