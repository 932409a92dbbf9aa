/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements torch.signal.windows, declared in signal.toml: functions of evenly spaced numbers,
 * computed in the same differentiable steps as in PyTorch. hann_window and the other windows of the
 * main module are in windows.c. */
#include "core/dtype.h"
#include "core/scope.h"
#include "fronts.h"
#include "ops/front.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* The arguments that all windows share. */
struct options {
    int64_t length;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};

static bool check_window(struct options *w, const char *name)
{
    if (w->dtype == CT_NO_DTYPE)
        w->dtype = ct_get_default_dtype();
    if (w->length < 0)
        return cti_refuse(CT_ERR_VALUE, "%s requires non-negative window length, got M=%lld", name,
                          (long long)w->length);
    if (w->dtype != CT_FLOAT32 && w->dtype != CT_FLOAT64)
        return cti_refuse(CT_ERR_VALUE, "%s expects float32 or float64 dtypes, got: torch.%s", name,
                          cti_dtype_name(w->dtype));
    return true;
}

/* Raises a ValueError if a parameter is below 0, or is 0 and `zero` is false. */
static bool check_positive(const char *text, double x, bool zero)
{
    char number[40];
    if (!(x < 0 || (x == 0 && !zero)))
        return true;
    snprintf(number, sizeof number, x == trunc(x) ? "%.1f" : "%.17g", x);
    return cti_refuse(CT_ERR_VALUE, "%s, got: %s instead.", text, number);
}

/* The number of intervals of the full period; a periodic window lacks its last point. */
static double intervals(const struct options *w)
{
    return (double)(w->sym ? w->length - 1 : w->length);
}

static ct_tensor *window_spaced(const struct options *w, double start, double end)
{
    return cti_op_linspace(ct_value_float(start), ct_value_float(end), w->length, w->dtype,
                           w->device, w->requires_grad);
}

static ct_tensor *ones(const struct options *w)
{
    return ct_own_ones(ct_ints_of(&w->length, 1), w->dtype, w->device, w->requires_grad);
}

/* exp(-t). Consumes t. */
static ct_tensor *decay_take(ct_tensor *t)
{
    ct_tensor *negative = ct_own_neg(t), *result = ct_own_exp(negative);
    cti_release_all(t, negative);
    return result;
}

ct_tensor *cti_op_signal_exponential(int64_t M, double center, double tau, bool sym,
                                     enum ct_dtype dtype, struct ct_device device,
                                     bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    if (!check_window(&w, "exponential") || !check_positive("Tau must be positive", tau, false))
        return NULL;
    bool given = !ct_is_no_number(center);
    if (sym && given)
        return ct_fail(CT_ERR_VALUE, "Center must be None for symmetric windows");
    if (M == 0)
        return ones(&w);
    if (!given)
        center = (double)(!sym && M > 1 ? M : M - 1) / 2;
    double scale = 1 / tau;
    ct_tensor *k = window_spaced(&w, -center * scale, (-center + (double)(M - 1)) * scale);
    ct_tensor *size = ct_own_abs(k);
    ct_release(k);
    return decay_take(size);
}

ct_tensor *cti_op_signal_cosine(int64_t M, bool sym, enum ct_dtype dtype, struct ct_device device,
                                bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    if (!check_window(&w, "cosine"))
        return NULL;
    if (M == 0)
        return ones(&w);
    double scale = PI / ((double)M + (!sym && M > 1));
    ct_tensor *k = window_spaced(&w, 0.5 * scale, (0.5 + (double)(M - 1)) * scale);
    return cti_replace_take(k, ct_own_sin(k));
}

ct_tensor *cti_op_signal_gaussian(int64_t M, double std, bool sym, enum ct_dtype dtype,
                                  struct ct_device device, bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    if (!check_window(&w, "gaussian") ||
        !check_positive("Standard deviation must be positive", std, false))
        return NULL;
    if (M == 0)
        return ones(&w);
    double start = -(double)(!sym && M > 1 ? M : M - 1) / 2, scale = 1 / (std * sqrt(2));
    ct_tensor *k = window_spaced(&w, start * scale, (start + (double)(M - 1)) * scale);
    ct_tensor *square = ct_own_pow(V(k), ct_value_int(2));
    ct_release(k);
    return decay_take(square);
}

/* Computes the last value of k, with each step rounded to the window's dtype. */
static double end_of_kaiser(const struct options *w, double beta)
{
    double most;
    if (w->dtype == CT_FLOAT32) {
        float b = (float)beta, step = 2.0f * b / (float)intervals(w);
        most = (double)(-b + (float)(w->length - 1) * step);
        return most < (double)b ? most : (double)b;
    }
    most = -beta + (double)(w->length - 1) * (2.0 * beta / intervals(w));
    return most < beta ? most : beta;
}

ct_tensor *cti_op_signal_kaiser(int64_t M, double beta, bool sym, enum ct_dtype dtype,
                                struct ct_device device, bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    if (!check_window(&w, "kaiser") || !check_positive("beta must be non-negative", beta, true))
        return NULL;
    if (M <= 1)
        return ones(&w);
    double start = w.dtype == CT_FLOAT32 ? -(double)(float)beta : -beta;
    ct_tensor *b = ct_own_scalar_tensor(ct_value_float(beta), w.dtype, device, false);
    ct_tensor *bb = ct_own_mul(V(b), V(b)), *most = ct_own_i0(b);
    ct_tensor *k = window_spaced(&w, start, end_of_kaiser(&w, beta));
    ct_tensor *kk = ct_own_pow(V(k), ct_value_int(2));
    ct_tensor *rest = ct_own_sub(V(bb), V(kk), ct_value_int(1));
    ct_tensor *root = ct_own_sqrt(rest), *high = ct_own_i0(root);
    ct_tensor *result = ct_own_div(V(high), V(most), NULL);
    cti_release_all(b, bb, most, k, kk, rest, root, high);
    return result;
}

ct_tensor *cti_op_signal_bartlett(int64_t M, bool sym, enum ct_dtype dtype, struct ct_device device,
                                  bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    if (!check_window(&w, "bartlett"))
        return NULL;
    if (M <= 1)
        return ones(&w);
    ct_tensor *k = window_spaced(&w, -1, -1 + (double)(M - 1) * (2 / intervals(&w))),
              *size = ct_own_abs(k);
    ct_tensor *result = ct_own_rsub(size, ct_value_int(1), ct_value_int(1));
    cti_release_all(k, size);
    return result;
}

/* Returns the coefficients with alternating signs, as a column. The caller owns the result. */
static ct_tensor *window_column(const struct options *w, ct_floats a)
{
    ct_tensor *values =
        cti_empty(2, (const int64_t[]){a.n, 1}, CT_FLOAT64, (struct ct_device){CT_CPU, -1});
    if (!values)
        return NULL;
    double *value = (double *)(void *)cti_data(values);
    for (int64_t i = 0; i < a.n; i++)
        value[i] = i % 2 ? -a.v[i] : a.v[i];
    return cti_replace_take(
        values, ct_own_to(values, w->dtype,
                          w->device.type == CT_NO_DEVICE_TYPE ? ct_get_default_device() : w->device,
                          false, false, CT_PRESERVE_FORMAT));
}

static ct_tensor *cosines(struct options *w, ct_floats a)
{
    if (!check_window(w, "general_cosine"))
        return NULL;
    if (w->length <= 1)
        return ones(w);
    if (a.n == 0)
        return ct_fail(CT_ERR_VALUE, "Coefficients cannot be empty");
    ct_tensor *k = window_spaced(w, 0, (double)(w->length - 1) * (2 * PI / intervals(w)));
    ct_tensor *row = ct_own_arange(ct_value_int(0), ct_value_int(a.n), ct_value_int(1), w->dtype,
                                   w->device, false);
    ct_tensor *i = ct_own_unsqueeze(row, -1), *c = window_column(w, a);
    ct_tensor *angle = ct_own_mul(V(i), V(k));
    ct_tensor *wave = ct_own_cos(angle);
    ct_tensor *term = ct_own_mul(V(c), V(wave));
    ct_tensor *result = ct_own_sum(term, CT_INTS(0), false, CT_NO_DTYPE);
    cti_release_all(k, row, i, c, angle, wave, term);
    return result;
}

ct_tensor *cti_op_signal_general_cosine(int64_t M, ct_floats a, bool sym, enum ct_dtype dtype,
                                        struct ct_device device, bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    return cosines(&w, a);
}

ct_tensor *cti_op_signal_general_hamming(int64_t M, double alpha, bool sym, enum ct_dtype dtype,
                                         struct ct_device device, bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    return cosines(&w, ct_floats_of((const double[]){alpha, 1 - alpha}, 2));
}

ct_tensor *cti_op_signal_hamming(int64_t M, bool sym, enum ct_dtype dtype, struct ct_device device,
                                 bool requires_grad)
{
    return cti_op_signal_general_hamming(M, 0.54, sym, dtype, device, requires_grad);
}

ct_tensor *cti_op_signal_hann(int64_t M, bool sym, enum ct_dtype dtype, struct ct_device device,
                              bool requires_grad)
{
    return cti_op_signal_general_hamming(M, 0.5, sym, dtype, device, requires_grad);
}

ct_tensor *cti_op_signal_blackman(int64_t M, bool sym, enum ct_dtype dtype, struct ct_device device,
                                  bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    if (!check_window(&w, "blackman"))
        return NULL;
    return cosines(&w, ct_floats_of((const double[]){0.42, 0.5, 0.08}, 3));
}

ct_tensor *cti_op_signal_nuttall(int64_t M, bool sym, enum ct_dtype dtype, struct ct_device device,
                                 bool requires_grad)
{
    struct options w = {M, sym, dtype, device, requires_grad};
    return cosines(&w,
                   ct_floats_of((const double[]){0.3635819, 0.4891775, 0.1365995, 0.0106411}, 4));
}
