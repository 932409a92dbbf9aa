/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements hann_window, kaiser_window and their relatives, declared in windows.toml, in the same
 * steps and dtype as PyTorch. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The arguments that all windows share. */
struct window {
    const char *name;
    int64_t length; /* to compute: a periodic window has one more, dropped at the end */
    bool periodic;
    enum ct_dtype dtype;
    struct ct_device device;
};

/* Checks and fills in arguments. *done: the finished window if it has at most one value. */
static bool begin_window(struct window *w, ct_tensor **done)
{
    *done = NULL;
    if (w->dtype == CT_NO_DTYPE)
        w->dtype = ct_get_default_dtype();
    if (w->device.type == CT_NO_DEVICE_TYPE)
        w->device = ct_get_default_device();
    if (cti_is_integral(w->dtype, true))
        return cti_refuse(
            CT_ERR_RUNTIME,
            "%s expects floating point dtypes, got: TensorOptions(dtype=%s, device=cpu, "
            "layout=Strided (default), requires_grad=false (default), "
            "pinned_memory=false, memory_format=(nullopt))",
            w->name, cti_dtype_cpp_name(w->dtype));
    if (w->length < 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "%s requires non-negative window_length, got window_length=%lld", w->name,
                          (long long)w->length);
    if (w->length <= 1) {
        *done = ct_own_ones(ct_ints_of(&w->length, 1), w->dtype, w->device, false);
        return *done;
    }
    if (w->periodic)
        w->length = cti_add_sat(w->length, 1);
    return true;
}

/* 0, 1, 2, ... times a factor. The caller owns the result. */
static ct_tensor *ramp(const struct window *w, double factor)
{
    ct_tensor *t = ct_own_arange(ct_value_int(0), ct_value_int(w->length), ct_value_int(1),
                                 w->dtype, w->device, false);
    return cti_take_if(t, t && ct_own_mul_(t, ct_value_float(factor)));
}

/* t = cos(t) * factor + term, rounding after each step; t may be NULL. */
static bool cosine(ct_tensor *t, double factor, double term)
{
    return t && ct_own_cos_(t) && ct_own_mul_(t, ct_value_float(factor)) &&
           ct_own_add_(t, ct_value_float(term), ct_value_int(1));
}

/* Drops the extra value of a periodic window and sets requires_grad. Consumes t. */
static ct_tensor *finish_window(const struct window *w, ct_tensor *t, bool good, bool requires_grad)
{
    int64_t n = w->length - w->periodic;
    good = t && good;
    if (good && t->numel > n && w->length > 1)
        good = cti_tensor_set_geometry(t, 1, &n, &(int64_t){1}, 0);
    if (good && requires_grad)
        good = ct_set_requires_grad(t, true);
    return cti_take_new_if(t, good);
}

/* alpha - beta cos(2 pi n / (N - 1)) */
static ct_tensor *raised_cosine(struct window *w, double alpha, double beta, bool requires_grad)
{
    ct_tensor *t;
    if (!begin_window(w, &t))
        return NULL;
    if (t)
        return finish_window(w, t, true, requires_grad);
    t = ramp(w, PI * 2 / (double)(w->length - 1));
    return finish_window(w, t, cosine(t, -beta, alpha), requires_grad);
}

ct_tensor *cti_op_hamming_window(int64_t window_length, bool periodic, double alpha, double beta,
                                 enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    struct window w = {"hamming_window", window_length, periodic, dtype, device};
    return raised_cosine(&w, alpha, beta, requires_grad);
}

ct_tensor *cti_op_hann_window(int64_t window_length, bool periodic, enum ct_dtype dtype,
                              struct ct_device device, bool requires_grad)
{
    struct window w = {"hann_window", window_length, periodic, dtype, device};
    return raised_cosine(&w, 0.5, 0.5, requires_grad);
}

ct_tensor *cti_op_bartlett_window(int64_t window_length, bool periodic, enum ct_dtype dtype,
                                  struct ct_device device, bool requires_grad)
{
    struct window w = {"bartlett_window", window_length, periodic, dtype, device};
    ct_tensor *t, *falling = NULL;
    if (!begin_window(&w, &t))
        return NULL;
    if (t)
        return finish_window(&w, t, true, requires_grad);
    t = ramp(&w, 2 / (double)(w.length - 1));
    int64_t rising = ((w.length - 1) >> 1) + 1;
    falling = t ? cti_view_slice(t, 0, rising, w.length, 1) : NULL;
    bool good = falling && ct_own_mul_(falling, ct_value_int(-1)) &&
                ct_own_add_(falling, ct_value_int(2), ct_value_int(1));
    ct_release(falling);
    return finish_window(&w, t, good, requires_grad);
}

ct_tensor *cti_op_blackman_window(int64_t window_length, bool periodic, enum ct_dtype dtype,
                                  struct ct_device device, bool requires_grad)
{
    struct window w = {"blackman_window", window_length, periodic, dtype, device};
    ct_tensor *t, *fast = NULL, *slow = NULL, *sum = NULL;
    if (!begin_window(&w, &t))
        return NULL;
    if (t)
        return finish_window(&w, t, true, requires_grad);
    t = ramp(&w, PI / (double)(w.length - 1));
    if (t) {
        fast = ct_own_mul(V(t), ct_value_int(4));
        slow = ct_own_mul(V(t), ct_value_int(2));
    }
    if (cosine(fast, 0.08, 0) && cosine(slow, 0.5, 0))
        sum = ct_own_sub(V(fast), V(slow), ct_value_int(1));
    bool good = sum && ct_own_add_(sum, ct_value_float(0.42), ct_value_int(1));
    cti_release_all(t, fast, slow);
    return finish_window(&w, sum, good, requires_grad);
}

/* i0(beta sqrt(1 - t^2)) / i0(beta). The caller owns the result. */
static ct_tensor *bessel(ct_tensor *t, double beta)
{
    ct_tensor *number =
        ct_own_scalar_tensor(ct_value_float(beta), ct_dtype(t), t->storage->device, false);
    ct_tensor *most = ct_own_i0(number), *square = ct_own_mul(V(t), V(t));
    ct_tensor *rest = ct_own_rsub(square, ct_value_int(1), ct_value_int(1)), *result = NULL;
    if (rest && ct_own_sqrt_(rest) && ct_own_mul_(rest, ct_value_float(beta)))
        result = ct_own_i0(rest);
    if (result && (!most || !ct_own_div_(result, V(most), NULL)))
        result = cti_replace_take(result, NULL);
    cti_release_all(number, most, square, rest);
    return result;
}

ct_tensor *cti_op_kaiser_window(int64_t window_length, bool periodic, double beta,
                                enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    struct window w = {"kaiser_window", window_length, periodic, dtype, device};
    ct_tensor *t, *result;
    if (!begin_window(&w, &t))
        return NULL;
    if (t)
        return finish_window(&w, t, true, requires_grad);
    double half = (double)(w.length - 1) / 2;
    enum ct_dtype last = w.dtype; /* half types are computed in float32 */
    if (last == CT_FLOAT16 || last == CT_BFLOAT16)
        w.dtype = CT_FLOAT32;
    t = ramp(&w, 1);
    bool good = t && ct_own_sub_(t, ct_value_float(half), ct_value_int(1)) &&
                ct_own_div_(t, ct_value_float(half), NULL);
    ct_tensor *values = good ? bessel(t, beta) : NULL;
    result = values ? cti_cast(values, last) : NULL;
    cti_release_all(t, values);
    return finish_window(&w, result, true, requires_grad);
}
