/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements normalisation: PyTorch's checks, layout and running statistics; the norm engine does
 * the arithmetic. Half types are computed in float32, with statistics in float32. */
#include "core/norm.h"
#include "core/hold.h"
#include "core/update.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"
#include "ops/norm/norm.h"
#include "ops/shape/padding.h"
#include "ops/window/window.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ONE ct_value_int(1)

/* ---- running the engine ---- */

static enum ct_dtype norm_compute_type(const ct_tensor *t)
{
    return t->dtype == CT_FLOAT64 ? CT_FLOAT64 : CT_FLOAT32;
}

/* Returns t, made contiguous and cast to the compute dtype, held by h; NULL if t is absent. */
static ct_tensor *norm_operand(struct cti_hold *h, ct_tensor *t, enum ct_dtype dtype)
{
    if (!cti_is_given(t))
        return NULL;
    return cti_hold(h, cti_cast_contiguous(t, dtype));
}

/* Allocates the output, mean and rstd, and runs the engine on `w`; the caller has set its sizes.
 * The caller owns *output. */
static bool run_norm(struct cti_hold *h, struct cti_norm *w, ct_tensor *input, ct_tensor *weight,
                     ct_tensor *bias, enum ct_memory_format format, ct_tensor **output)
{
    enum ct_dtype type = norm_compute_type(input);
    struct ct_device device = input->storage->device;
    int64_t n = w->lines ? w->outer : w->channels;
    w->in = cti_hold(h, ct_own_contiguous(cti_hold(h, cti_cast(input, type)), (int)format));
    w->weight = norm_operand(h, weight, type);
    w->bias = norm_operand(h, bias, type);
    w->out = cti_hold(h, cti_empty_in_format(input, format, input->shape, type));
    if (!w->mean)
        w->mean = cti_hold(h, cti_empty(1, &n, type, device));
    if (!w->rstd)
        w->rstd = cti_hold(h, cti_empty(1, &n, type, device));
    if (!w->in || !w->out || !w->mean || !w->rstd || (cti_is_given(weight) && !w->weight) ||
        (cti_is_given(bias) && !w->bias) || !cti_run_on(&w->work, CTI_ENGINE_norm, input))
        return false;
    *output = cti_cast(w->out, (enum ct_dtype)input->dtype);
    return *output != NULL;
}

static bool check_floating(const char *kernel, const ct_tensor *input)
{
    return (input->dtype >= CT_FLOAT16 && input->dtype < CT_COMPLEX64) ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel,
                      cti_dtype_scalar_name((enum ct_dtype)input->dtype));
}

/* ---- batch norm ---- */

static bool norm_check_channels(const char *what, const ct_tensor *t, int64_t channels)
{
    return t == CT_NO_TENSOR || t->numel == channels ||
           cti_refuse(CT_ERR_RUNTIME, "%s should contain %lld elements not %lld", what,
                      (long long)channels, (long long)t->numel);
}

/* (1 - momentum) running + momentum * by * found, or CT_NO_TENSOR if there is no running statistic.
 * h owns the result. */
static ct_tensor *blend(struct cti_hold *h, ct_tensor *running, ct_tensor *found, double momentum,
                        double by)
{
    if (running == CT_NO_TENSOR)
        return CT_NO_TENSOR;
    ct_tensor *old = cti_hold(h, ct_own_mul(V(running), ct_value_float(1 - momentum)));
    ct_tensor *new = cti_hold(h, ct_own_mul(V(found), ct_value_float(momentum * by)));
    ct_tensor *sum = cti_hold(h, ct_own_add(V(old), V(new), ONE));
    return cti_hold(h, ct_own_to_dtype(sum, (enum ct_dtype)running->dtype));
}

/* Writes both statistics, or neither if one could not be computed. */
static bool write_both(ct_tensor *mean, ct_tensor *new_mean, ct_tensor *var, ct_tensor *new_var)
{
    return new_mean && new_var && (mean == CT_NO_TENSOR || ct_own_copy_(mean, new_mean, false)) &&
           (var == CT_NO_TENSOR || ct_own_copy_(var, new_var, false));
}

bool cti_op_batch_norm_row(struct ct_batch_norm_row_result *result, ct_tensor *input,
                           ct_tensor *weight, ct_tensor *bias, ct_tensor *running_mean,
                           ct_tensor *running_var, bool training, double eps)
{
    struct cti_hold h = {0};
    /* An input whose strides fit both formats (one channel, or one pixel) counts as contiguous. */
    bool last = !(input->flags & CTI_CONTIGUOUS) && cti_is_channels_last(input);
    enum ct_dtype type = norm_compute_type(input);
    int64_t channels = input->shape[1], n = channels ? input->numel / channels : 0;
    struct cti_norm w = {.given = !training, .channels = channels, .eps = eps, .groups = 1};
    w.outer = last ? n : input->shape[0];
    w.inner = last || !w.outer ? 1 : n / w.outer;
    ct_tensor *var = cti_hold(&h, cti_empty(1, &channels, type, input->storage->device));
    if (!training) {
        ct_tensor *given = norm_operand(&h, running_var, type);
        ct_tensor *shifted = cti_hold(&h, ct_own_add(V(given), ct_value_float(eps), ONE));
        ct_tensor *mean = norm_operand(&h, running_mean, type); /* cloned: it becomes a result */
        w.mean = cti_hold(&h, ct_own_clone(mean, CT_PRESERVE_FORMAT));
        w.rstd = cti_hold(&h, ct_own_rsqrt(shifted));
    } else {
        w.var = var;
    }
    bool good =
        var && (training || (w.mean && w.rstd)) &&
        run_norm(&h, &w, input, weight, bias, cti_format(last, input->ndim), &result->output);
    if (good) {
        result->mean = ct_retain(w.mean);
        result->rstd = ct_retain(w.rstd);
        result->var = ct_retain(var);
    }
    cti_hold_end(&h, NULL);
    return good;
}

/* Whether the update engine can write a running statistic in place. */
static bool can_update_in_place(const ct_tensor *running, const ct_tensor *found)
{
    return running == CT_NO_TENSOR ||
           (running->dtype == found->dtype && running->flags & CTI_CONTIGUOUS &&
            !(running->flags & (CTI_CONJ | CTI_NEG)) && running->storage != found->storage &&
            cti_same_device(running->storage->device, found->storage->device));
}

/* Updates both running statistics in one engine call, which on a GPU is one launch. */
static bool update_both(ct_tensor *const running[2], ct_tensor *const found[2], double momentum,
                        double unbiased)
{
    struct cti_update_line line[2];
    uint8_t type = (uint8_t)found[0]->dtype;
    struct cti_update u = {.noperands = 2,
                           .nnumbers = 2,
                           .nsteps = 3,
                           .dtype = {type, type},
                           .compute = type,
                           .line = line};
    const int old = CTI_UPDATE_RESULT(0), new = CTI_UPDATE_RESULT(1);
    u.step[0] = (struct cti_step){.row = CTI_ROW_MUL, .dtype = type, .nin = 2};
    u.step[1] = u.step[2] = u.step[0];
    u.step[2].row = CTI_ROW_ADD;
    const uint8_t slots[3][3] = {{0, CTI_UPDATE_NUMBER(0), (uint8_t)old},
                                 {1, CTI_UPDATE_NUMBER(1), (uint8_t) new},
                                 {(uint8_t)old, (uint8_t) new, 0}};
    for (int s = 0; s < u.nsteps; s++) {
        memcpy(u.step[s].in, slots[s], 2);
        u.step[s].out = slots[s][2];
    }
    for (int i = 0; i < 2; i++) {
        if (running[i] == CT_NO_TENSOR)
            continue;
        /* As in PyTorch, an inference tensor is updated even outside inference mode. */
        if (!(running[i]->flags & CTI_INFERENCE) && !cti_shape_check_writable(running[i]))
            return false;
        line[u.nlines++] =
            (struct cti_update_line){.at = u.total,
                                     .numel = found[i]->numel,
                                     .data = {cti_data(running[i]), cti_data(found[i])},
                                     .number = {1 - momentum, momentum * (i ? unbiased : 1)}};
        u.total += found[i]->numel;
    }
    return cti_run_on(&u.work, CTI_ENGINE_update, found[0]);
}

/* Writes a running statistic. As in PyTorch its version is not incremented: activation
 * checkpointing, which runs the layer again, may have saved it as an argument. */
static bool write_uncounted(ct_tensor *running, ct_tensor *next)
{
    if (running == CT_NO_TENSOR)
        return true;
    if (running->flags & (CTI_CONJ | CTI_NEG))
        return ct_own_copy_(running, next, false) != NULL;
    return cti_copy(running, next);
}

/* Whether all channels share one element, as in an expanded tensor. */
static bool is_shared(const ct_tensor *t)
{
    return t != CT_NO_TENSOR && t->ndim == 1 && t->shape[0] > 1 && t->stride[0] == 0;
}

/* Updates a shared element once per channel, as PyTorch's loop over channels does. */
static bool update_each(ct_tensor *running, ct_tensor *found, double momentum, double by)
{
    bool good = true;
    for (int64_t c = 0; good && c < found->numel; c++) {
        struct cti_hold h = {0};
        ct_tensor *number = cti_hold(&h, ct_own_select(running, 0, c));
        ct_tensor *of = cti_hold(&h, ct_own_select(found, 0, c));
        ct_tensor *next = number && of ? blend(&h, number, of, momentum, by) : NULL;
        good = next && write_uncounted(number, next);
        cti_hold_end(&h, NULL);
    }
    return good;
}

/* Updates the running statistics. Runs last, so that a failed call changes nothing. */
static bool update_running(ct_tensor *input, ct_tensor *running_mean, ct_tensor *running_var,
                           const struct ct_batch_norm_row_result *r, double momentum)
{
    struct cti_hold h = {0};
    int64_t n = input->shape[1] ? input->numel / input->shape[1] : 0;
    if (n == 0)
        return true;
    double unbiased = (double)n / (double)(n - 1);
    if (can_update_in_place(running_mean, r->mean) && can_update_in_place(running_var, r->var))
        return update_both((ct_tensor *[]){running_mean, running_var},
                           (ct_tensor *[]){r->mean, r->var}, momentum, unbiased);
    bool outer = cti_grad_pause(), good = true;
    ct_tensor *const running[] = {running_mean, running_var}, *const found[] = {r->mean, r->var};
    ct_tensor *next[2];
    for (int k = 0; k < 2; k++) { /* everything that allocates, before the first write */
        next[k] = is_shared(running[k])
                      ? CT_NO_TENSOR
                      : blend(&h, running[k], found[k], momentum, k ? unbiased : 1);
        good = good && next[k];
    }
    for (int k = 0; k < 2 && good; k++)
        good = is_shared(running[k]) ? update_each(running[k], found[k], momentum, k ? unbiased : 1)
                                     : write_uncounted(running[k], next[k]);
    cti_hold_end(&h, NULL);
    cti_grad_restore(outer);
    return good;
}

bool cti_batch_norm_all(struct ct_batch_norm_row_result *r, ct_tensor *input, ct_tensor *weight,
                        ct_tensor *bias, ct_tensor *running_mean, ct_tensor *running_var,
                        bool training, double momentum, double eps)
{
    if (input->ndim < 2)
        return cti_refuse(CT_ERR_INDEX, "Dimension out of range (expected to be in range of "
                                        "[-1, 0], but got 1)");
    int64_t channels = input->shape[1];
    if (!norm_check_channels("running_mean", running_mean, channels) ||
        !norm_check_channels("running_var", running_var, channels) ||
        !norm_check_channels("weight", weight, channels) ||
        !norm_check_channels("bias", bias, channels) || !check_floating("batch_norm", input))
        return false;
    if (!training && (running_mean == CT_NO_TENSOR || running_var == CT_NO_TENSOR))
        return cti_refuse(CT_ERR_RUNTIME, "%s must be defined in evaluation mode",
                          running_mean == CT_NO_TENSOR ? "running_mean" : "running_var");
    *r = ct_own_batch_norm_row(input, weight, bias, running_mean, running_var, training, eps);
    return r->output &&
           (!training || update_running(input, running_mean, running_var, r, momentum));
}

ct_tensor *cti_op_batch_norm(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                             ct_tensor *running_mean, ct_tensor *running_var, bool training,
                             double momentum, double eps, bool cudnn_enabled)
{
    (void)cudnn_enabled;
    struct ct_batch_norm_row_result r = {0};
    bool good = cti_batch_norm_all(&r, input, weight, bias, running_mean, running_var, training,
                                   momentum, eps);
    cti_release_all(r.mean, r.rstd, r.var);
    return cti_take_if(r.output, good);
}

/* Calls batch_norm on [1, batch * channels, ...], so that each channel of each batch element is
 * normalised separately.
 * */
ct_tensor *cti_op_instance_norm(ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                                ct_tensor *running_mean, ct_tensor *running_var,
                                bool use_input_stats, double momentum, double eps,
                                bool cudnn_enabled)
{
    struct cti_hold h = {0};
    if (!use_input_stats && (running_mean == CT_NO_TENSOR || running_var == CT_NO_TENSOR))
        return ct_fail(CT_ERR_RUNTIME, "Expected running_mean and running_var to be defined when "
                                       "use_input_stats is false");
    if (input->ndim < 2)
        return ct_fail(CT_ERR_INDEX, "Dimension out of range (expected to be in range of [-1, 0], "
                                     "but got 1)");
    int64_t batch = input->shape[0], channels = input->shape[1], shape[CTI_MAX_DIMS];
    for (int d = 0; d < input->ndim; d++)
        shape[d] = d == 0 ? 1 : d == 1 ? batch * channels : input->shape[d];
    ct_tensor *args[] = {weight, bias, running_mean, running_var};
    for (int i = 0; i < 4; i++)
        if (args[i] != CT_NO_TENSOR) {
            args[i] = cti_hold(&h, ct_own_repeat(args[i], CT_INTS(batch)));
            if (!args[i])
                return cti_hold_end(&h, NULL);
        }
    ct_tensor *plain = cti_hold(&h, ct_own_contiguous(input, CT_CONTIGUOUS_FORMAT));
    ct_tensor *merged = cti_hold(&h, ct_own_view(plain, ct_ints_of(shape, input->ndim)));
    ct_tensor *out = cti_hold(&h, ct_own_batch_norm(merged, args[0], args[1], args[2], args[3],
                                                    use_input_stats, momentum, eps, cudnn_enabled));
    ct_tensor *result = cti_hold(&h, ct_own_view(out, cti_shape_of(input))), *mean[2];
    bool outer = cti_grad_pause();
    for (int i = 0; i < 2; i++) { /* running statistics are averaged over the batch */
        bool given = args[2 + i] != CT_NO_TENSOR;
        ct_tensor *two =
            given ? cti_hold(&h, ct_own_view(args[2 + i], CT_INTS(batch, channels))) : NULL;
        mean[i] =
            given ? cti_hold(&h, ct_own_mean(two, CT_INTS(0), false, CT_NO_DTYPE)) : CT_NO_TENSOR;
    }
    bool good =
        result && (!use_input_stats || write_both(running_mean, mean[0], running_var, mean[1]));
    cti_grad_restore(outer);
    return cti_hold_end(&h, good ? result : NULL);
}

/* ---- layer and group norm ---- */

bool cti_op_layer_norm_row(struct ct_layer_norm_row_result *result, ct_tensor *input, int64_t ndim,
                           ct_tensor *weight, ct_tensor *bias, double eps)
{
    struct cti_hold h = {0};
    struct cti_norm w = {.lines = true, .outer = 1, .channels = 1, .inner = 1, .groups = 1};
    int64_t shape[CTI_MAX_DIMS];
    w.eps = eps;
    for (int d = 0; d < input->ndim; d++) {
        bool outside = d < input->ndim - ndim;
        *(outside ? &w.outer : &w.channels) *= input->shape[d];
        shape[d] = outside ? input->shape[d] : 1;
    }
    bool good = run_norm(&h, &w, input, weight, bias, CT_CONTIGUOUS_FORMAT, &result->output);
    if (good) {
        result->mean = ct_own_view(w.mean, ct_ints_of(shape, input->ndim));
        result->rstd = ct_own_view(w.rstd, ct_ints_of(shape, input->ndim));
        good = result->mean && result->rstd;
    }
    cti_hold_end(&h, NULL);
    return good;
}

static bool check_normalized(const ct_tensor *input, ct_ints shape, const ct_tensor *weight,
                             const ct_tensor *bias)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    cti_shape_text(a, (int)shape.n, shape.v);
    if (shape.n < 1)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing "
            "at least one element, but got normalized_shape = %s",
            a);
    const ct_tensor *const given[] = {weight, bias};
    for (int i = 0; i < 2; i++)
        if (given[i] != CT_NO_TENSOR && !cti_same_shape(given[i], (int)shape.n, shape.v)) {
            const char *name = i ? "bias" : "weight";
            cti_shape_text(b, given[i]->ndim, given[i]->shape);
            return cti_refuse(CT_ERR_RUNTIME,
                              "Expected %s to be of same shape as normalized_shape, but got %s of "
                              "shape %s and normalized_shape = %s",
                              name, name, b, a);
        }
    bool fits = input->ndim >= shape.n;
    for (int64_t d = 0; fits && d < shape.n; d++)
        fits = input->shape[input->ndim - shape.n + d] == shape.v[d];
    if (fits)
        return true;
    char c[CTI_SHAPE_TEXT];
    int n = snprintf(c, sizeof c, "[*");
    for (int64_t d = 0; d < shape.n; d++)
        n += snprintf(c + n, sizeof c - (size_t)n, ", %lld", (long long)shape.v[d]);
    return cti_refuse(CT_ERR_RUNTIME,
                      "Given normalized_shape=%s, expected input with shape %s], but got input of "
                      "size%s",
                      a, c, cti_shape_text(b, input->ndim, input->shape));
}

struct ct_layer_norm_row_result cti_layer_norm_all(ct_tensor *input, ct_ints normalized_shape,
                                                   ct_tensor *weight, ct_tensor *bias, double eps)
{
    if (!check_normalized(input, normalized_shape, weight, bias) ||
        !check_floating("LayerNormKernelImpl", input))
        return (struct ct_layer_norm_row_result){0};
    return ct_own_layer_norm_row(input, normalized_shape.n, weight, bias, eps);
}

ct_tensor *cti_op_layer_norm(ct_tensor *input, ct_ints normalized_shape, ct_tensor *weight,
                             ct_tensor *bias, double eps, bool cudnn_enable)
{
    (void)cudnn_enable;
    struct ct_layer_norm_row_result r =
        cti_layer_norm_all(input, normalized_shape, weight, bias, eps);
    cti_release_all(r.mean, r.rstd);
    return r.output;
}

/* Replaces *t by a copy in a memory format. */
static bool to_format_take(ct_tensor **t, enum ct_memory_format format)
{
    ct_tensor *plain = *t;
    *t = cti_empty_in_format(plain, format, plain->shape, plain->dtype);
    bool good = *t && cti_copy(*t, plain);
    ct_release(plain);
    return good;
}

bool cti_op_group_norm_row(struct ct_group_norm_row_result *result, ct_tensor *input,
                           int64_t num_groups, ct_tensor *weight, ct_tensor *bias, double eps)
{
    struct cti_hold h = {0};
    int64_t batch = input->shape[0], channels = input->shape[1] / num_groups;
    int64_t planes = cti_mul_sat(batch, input->shape[1]);
    struct cti_norm w = {
        .lines = true, .outer = cti_mul_sat(batch, num_groups), .channels = channels};
    w.inner = planes ? input->numel / planes : 1;
    w.groups = num_groups;
    w.eps = eps;
    bool good = run_norm(&h, &w, input, weight, bias, CT_CONTIGUOUS_FORMAT, &result->output);
    if (good && cti_is_channels_last(input)) /* computed contiguous, returned in input's layout */
        good = to_format_take(&result->output, cti_format(true, input->ndim));
    if (good) {
        result->mean = ct_own_view(w.mean, CT_INTS(batch, num_groups));
        result->rstd = ct_own_view(w.rstd, CT_INTS(batch, num_groups));
        good = result->mean && result->rstd;
    }
    cti_hold_end(&h, NULL);
    return good;
}

static bool norm_check_vector(const char *name, const ct_tensor *t, const ct_tensor *input,
                              int64_t channels)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (t == CT_NO_TENSOR || (t->ndim == 1 && t->numel == channels))
        return true;
    return cti_refuse(
        CT_ERR_RUNTIME,
        "Expected %s to be a vector of size equal to the number of channels in input, "
        "but got %s of shape %s and input of shape %s",
        name, name, cti_shape_text(a, t->ndim, t->shape),
        cti_shape_text(b, input->ndim, input->shape));
}

static int64_t area_of(const ct_tensor *input)
{
    int64_t area = 1;
    for (int d = 2; d < input->ndim; d++)
        area = cti_mul_sat(area, input->shape[d]);
    return area;
}

static bool check_any(const char *what, int64_t count)
{
    return count > 0 || cti_refuse(CT_ERR_RUNTIME, "Expected %s to be greater than 0, got %lld",
                                   what, (long long)count);
}

bool cti_group_norm_check(const ct_tensor *input, int64_t channels, int64_t area,
                          int64_t num_groups, const ct_tensor *weight, const ct_tensor *bias)
{
    char text[CTI_SHAPE_TEXT];
    if (num_groups <= 0)
        return cti_refuse(CT_ERR_RUNTIME, "Expected num groups to be greater than 0, got %lld",
                          (long long)num_groups);
    if (channels % num_groups)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected number of channels in input to be divisible by num_groups, but "
                          "got input of shape %s and num_groups=%lld",
                          cti_shape_text(text, input->ndim, input->shape), (long long)num_groups);
    return norm_check_vector("weight", weight, input, channels) &&
           norm_check_vector("bias", bias, input, channels) &&
           check_any("number of channels", channels) && check_any("HxW", area) &&
           check_floating("GroupNormKernelImpl", input);
}

ct_tensor *cti_op_group_norm(ct_tensor *input, int64_t num_groups, ct_tensor *weight,
                             ct_tensor *bias, double eps, bool cudnn_enabled)
{
    (void)cudnn_enabled;
    if (input->ndim < 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected at least 2 dimensions for input tensor but "
                       "received %d",
                       input->ndim);
    if (!cti_group_norm_check(input, input->shape[1], area_of(input), num_groups, weight, bias))
        return NULL;
    struct ct_group_norm_row_result r = ct_own_group_norm_row(input, num_groups, weight, bias, eps);
    cti_release_all(r.mean, r.rstd);
    return r.output;
}

/* ---- composed of other operations ---- */

ct_tensor *cti_op_rms_norm(ct_tensor *input, ct_ints normalized_shape, ct_tensor *weight,
                           double eps)
{
    struct cti_hold h = {0};
    int64_t dims[CTI_MAX_DIMS];
    if (!check_normalized(input, normalized_shape, weight, CT_NO_TENSOR))
        return NULL;
    enum ct_dtype dtype = (enum ct_dtype)input->dtype;
    bool half = dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
    if (isnan(eps))
        eps = dtype == CT_FLOAT64 || dtype == CT_COMPLEX128 ? DBL_EPSILON : FLT_EPSILON;
    for (int64_t d = 0; d < normalized_shape.n; d++)
        dims[d] = d - normalized_shape.n;
    ct_tensor *x = half ? cti_hold(&h, ct_own_to_dtype(input, CT_FLOAT32)) : input;
    ct_tensor *square = cti_hold(&h, ct_own_square(x));
    ct_tensor *mean =
        cti_hold(&h, ct_own_mean(square, ct_ints_of(dims, normalized_shape.n), true, CT_NO_DTYPE));
    ct_tensor *shifted = cti_hold(&h, ct_own_add(V(mean), ct_value_float(eps), ONE));
    ct_tensor *out = cti_hold(&h, ct_own_mul(V(x), V(cti_hold(&h, ct_own_rsqrt(shifted)))));
    if (weight != CT_NO_TENSOR)
        out = cti_hold(&h, ct_own_mul(V(out), V(weight)));
    out = half ? cti_hold(&h, ct_own_to_dtype(out, dtype)) : out;
    return cti_hold_end(
        &h, out ? cti_hold(&h, ct_own_contiguous(out, (int)cti_suggested_format(out))) : NULL);
}

/* Divides each channel by (k + alpha * mean square of `size` neighbouring channels)^beta. */
ct_tensor *cti_op_local_response_norm(ct_tensor *input, int64_t size, double alpha, double beta,
                                      double k)
{
    struct cti_hold h = {0};
    if (input->ndim < 3)
        return ct_fail(CT_ERR_VALUE,
                       "Expected 3D or higher dimensionality                          input (got "
                       "%d dimensions)",
                       input->ndim);
    if (input->numel == 0)
        return ct_retain(input);
    /* The pooling window runs along the channels. As in PyTorch, more than three dims use
     * avg_pool3d: autocast runs it in float32, unlike avg_pool2d. */
    bool volume = input->ndim > 3;
    int64_t border[] = {0, 0, 0, 0, size / 2, cti_sub_sat(size, 1) / 2};
    int64_t rest = input->numel / (input->shape[0] * input->shape[1] * input->shape[2]);
    int64_t shape[] = {input->shape[0], 1, input->shape[1], input->shape[2], rest};
    ct_tensor *square = cti_hold(&h, ct_own_mul(V(input), V(input)));
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(square, ct_ints_of(shape, volume ? 5 : 4)));
    ct_ints pad = volume ? ct_ints_of(border, 6) : ct_ints_of(border + 2, 4);
    ct_tensor *padded = cti_hold(&h, ct_own_constant_pad_nd(flat, pad, ct_value_int(0)));
    ct_tensor *mean =
        cti_hold(&h, volume ? ct_own_avg_pool3d(padded, CT_INTS(size, 1, 1), CT_INTS(1), CT_INTS(0),
                                                false, true, CT_NO_DIM)
                            : ct_own_avg_pool2d(padded, CT_INTS(size, 1), CT_INTS(1), CT_INTS(0),
                                                false, true, CT_NO_DIM));
    ct_tensor *shaped = cti_hold(&h, ct_own_view(mean, cti_shape_of(input)));
    ct_tensor *part = cti_hold(&h, ct_own_mul(V(shaped), ct_value_float(alpha)));
    ct_tensor *sum = cti_hold(&h, ct_own_add(V(part), ct_value_float(k), ONE));
    ct_tensor *power = cti_hold(&h, ct_own_pow(V(sum), ct_value_float(beta)));
    return cti_hold_end(&h, cti_hold(&h, ct_own_div(V(input), V(power), NULL)));
}

ct_tensor *cti_op_normalize(ct_tensor *input, double p, ct_ints dim, double eps)
{
    struct cti_hold h = {0};
    ct_tensor *norm =
        cti_hold(&h, ct_own_linalg_vector_norm(input, ct_value_float(p), dim, true, CT_NO_DTYPE));
    ct_tensor *least = cti_hold(&h, ct_own_clamp_min(norm, ct_value_float(eps)));
    return cti_hold_end(&h, cti_hold(&h, ct_own_div(V(input), V(least), NULL)));
}
