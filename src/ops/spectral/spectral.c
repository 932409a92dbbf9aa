/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the functions of torch.fft, declared in spectral.toml: PyTorch's checks, inputs
 * cropped or padded, normalisation given by name, then one of the three transforms of
 * transforms.c. */
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"

#include <string.h>

/* The dims to transform and the sizes to crop or pad them to. */
struct sides {
    int n;
    int64_t dim[CTI_MAX_DIMS], size[CTI_MAX_DIMS];
    int64_t last; /* the size of a real result along the last dim */
};

/* ---- arguments ---- */

static const char *type_name(const ct_tensor *t)
{
    return cti_dtype_scalar_name(t->dtype);
}

/* Casts integers to the default floating-point dtype and, if `complex`, real numbers to complex. h
 * owns the result. */
static ct_tensor *promoted(struct cti_hold *h, ct_tensor *t, bool complex)
{
    enum ct_dtype dtype = t->dtype;
    if (cti_is_integral(dtype, true))
        dtype = ct_get_default_dtype();
    if (cti_dtype_compute(dtype) != dtype)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "Unsupported dtype %s",
                       cti_dtype_scalar_name(dtype));
    if (complex && dtype < CT_COMPLEX64)
        dtype = dtype == CT_FLOAT64 ? CT_COMPLEX128 : CT_COMPLEX64;
    return dtype == t->dtype ? t : cti_hold(h, ct_own_to_dtype(t, dtype));
}

static bool wrap(int64_t *dim, int ndim)
{
    int wrapped;
    if (ndim == 0)
        return cti_refuse(CT_ERR_INDEX, "Dimension specified as %lld but tensor has no dimensions",
                          (long long)*dim);
    if (!cti_shape_wrap_dim(*dim, ndim, &wrapped))
        return false;
    *dim = wrapped;
    return true;
}

static bool fft_check_points(int64_t n)
{
    return n >= 1 || cti_refuse(CT_ERR_RUNTIME, "Invalid number of data points (%lld) specified",
                                (long long)n);
}

/* The normalization (see spectral.toml) of a norm by name; -1: refused. */
static int norm_of(const char *norm, bool forward)
{
    if (!norm || strcmp(norm, "backward") == 0)
        return forward ? 0 : 2;
    if (strcmp(norm, "forward") == 0)
        return forward ? 2 : 0;
    if (strcmp(norm, "ortho") == 0)
        return 1;
    ct_fail(CT_ERR_RUNTIME, "Invalid normalization mode: \"%s\"", norm);
    return -1;
}

/* Crops dims to their sizes or pads them with zeros. h owns the result. */
static ct_tensor *fitted(struct cti_hold *h, ct_tensor *t, const struct sides *s)
{
    int64_t pad[2 * CTI_MAX_DIMS] = {0};
    bool more = false;
    int ndim = t ? t->ndim : 0;
    for (int i = 0; t && i < s->n; i++) {
        int64_t have = t->shape[s->dim[i]];
        if (have > s->size[i])
            t = cti_hold(h, ct_own_slice(t, s->dim[i], 0, s->size[i], 1));
        else
            pad[2 * (ndim - 1 - s->dim[i]) + 1] = s->size[i] - have;
        more |= have < s->size[i];
    }
    if (!more || !t)
        return t;
    return cti_hold(h, ct_own_constant_pad_nd(t, ct_ints_of(pad, 2 * ndim), ct_value_int(0)));
}

/* Fills in one dim. to_real: the result has n elements, the input n / 2 + 1. */
static bool one_side(struct sides *s, const ct_tensor *t, int64_t n, int64_t dim, bool to_real)
{
    s->n = 1;
    if (!wrap(&dim, t->ndim))
        return false;
    int64_t have = t->shape[dim];
    if (n == CT_NO_DIM)
        n = to_real ? 2 * (have - 1) : have;
    s->dim[0] = dim;
    s->last = n;
    s->size[0] = to_real ? n / 2 + 1 : n;
    return fft_check_points(n);
}

static bool fft_unique_dims(const int64_t *dim, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (dim[i] == dim[j])
                return cti_refuse(CT_ERR_RUNTIME, "FFT dims must be unique");
    return true;
}

/* Fills in all dims of a transform; without `dim` these are the last ones. shape -1: the input's
 * size. */
static bool several_sides(struct sides *s, const ct_tensor *t, ct_ints shape, ct_ints dim)
{
    int ndim = t->ndim;
    s->n = dim.v ? (int)dim.n : shape.v ? (int)shape.n : ndim;
    for (int i = 0; dim.v && i < s->n && i < CTI_MAX_DIMS; i++) {
        s->dim[i] = dim.v[i];
        if (!wrap(&s->dim[i], ndim))
            return false;
    }
    if (dim.v && !fft_unique_dims(s->dim, s->n))
        return false;
    if (shape.v && dim.v && dim.n != shape.n)
        return cti_refuse(CT_ERR_RUNTIME,
                          "When given, dim and shape arguments must have the same length");
    if (shape.v && shape.n > ndim)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Got shape with %lld values but input tensor only has %d dimensions.",
                          (long long)shape.n, ndim);
    for (int i = 0; i < s->n; i++) {
        if (!dim.v)
            s->dim[i] = ndim - s->n + i;
        s->size[i] = shape.v && shape.v[i] != -1 ? shape.v[i] : t->shape[s->dim[i]];
        if (!fft_check_points(s->size[i]))
            return false;
    }
    return true;
}

/* The same for a transform to real numbers; `last` is the result's size. */
static bool several_sides_to_real(struct sides *s, const char *name, const ct_tensor *t,
                                  ct_ints shape, ct_ints dim)
{
    if (!several_sides(s, t, shape, dim))
        return false;
    if (s->n == 0)
        return cti_refuse(CT_ERR_RUNTIME, "%s must transform at least one axis", name);
    int64_t *size = &s->size[s->n - 1];
    bool given = shape.v && shape.v[s->n - 1] != -1;
    s->last = given ? shape.v[s->n - 1] : 2 * (t->shape[s->dim[s->n - 1]] - 1);
    *size = s->last / 2 + 1;
    return fft_check_points(s->last);
}

/* ---- transforms ---- */

static ct_ints fft_dims(const struct sides *s)
{
    return ct_ints_of(s->dim, s->n);
}

static ct_tensor *complex_to_complex(struct cti_hold *h, ct_tensor *input, const struct sides *s,
                                     const char *norm, bool forward)
{
    ct_tensor *x = promoted(h, input, true);
    x = fitted(h, x, s);
    int mode = x ? norm_of(norm, forward) : -1;
    return mode < 0 ? NULL : cti_hold(h, ct_own_fft_c2c(x, fft_dims(s), mode, forward));
}

static ct_tensor *real_to_complex(struct cti_hold *h, ct_tensor *input, const struct sides *s,
                                  const char *norm, bool forward, bool onesided)
{
    ct_tensor *x = fitted(h, promoted(h, input, false), s);
    int mode = x ? norm_of(norm, forward) : -1;
    ct_tensor *y = mode < 0 ? NULL : cti_hold(h, ct_own_fft_r2c(x, fft_dims(s), mode, onesided));
    return forward ? y : cti_hold(h, ct_own_conj(y));
}

/* The last dim becomes real. A forward transform is that of the conjugate. */
static ct_tensor *complex_to_real(struct cti_hold *h, ct_tensor *input, const struct sides *s,
                                  const char *norm, bool forward)
{
    ct_tensor *x = fitted(h, promoted(h, input, true), s);
    int mode = x ? norm_of(norm, forward) : -1;
    if (mode < 0)
        return NULL;
    if (!forward)
        return cti_hold(h, ct_own_fft_c2r(x, fft_dims(s), mode, s->last));
    if (s->n > 1)
        x = cti_hold(h, ct_own_fft_c2c(x, ct_ints_of(s->dim, s->n - 1), mode, true));
    x = cti_hold(h, ct_own_conj(x));
    return cti_hold(h, ct_own_fft_c2r(x, ct_ints_of(s->dim + s->n - 1, 1), mode, s->last));
}

static bool fft_check_real(const ct_tensor *input, const char *text)
{
    return input->dtype < CT_COMPLEX64 ||
           cti_refuse(CT_ERR_TYPE, "%s, but got %s", text, type_name(input));
}

ct_tensor *cti_op_fft_along(ct_tensor *input, int64_t n, int64_t dim, const char *norm,
                            bool forward, bool onesided)
{
    struct cti_hold h = {0};
    struct sides s;
    bool real = input->dtype < CT_COMPLEX64;
    ct_tensor *result = NULL;
    if (!promoted(&h, input, false) || !one_side(&s, input, n, dim, false))
        result = NULL;
    else if (real)
        result = real_to_complex(&h, input, &s, norm, forward, onesided);
    else
        result = complex_to_complex(&h, input, &s, norm, forward);
    return cti_hold_end(&h, result);
}

ct_tensor *cti_op_fft_along_to_real(ct_tensor *input, int64_t n, int64_t dim, const char *norm,
                                    bool forward)
{
    struct cti_hold h = {0};
    struct sides s;
    bool good = promoted(&h, input, true) && one_side(&s, input, n, dim, true);
    return cti_hold_end(&h, good ? complex_to_real(&h, input, &s, norm, forward) : NULL);
}

ct_tensor *cti_op_fft_over(ct_tensor *input, ct_ints shape, ct_ints dim, const char *norm,
                           bool forward)
{
    struct cti_hold h = {0};
    struct sides s;
    bool good = several_sides(&s, input, shape, dim);
    return cti_hold_end(&h, good ? complex_to_complex(&h, input, &s, norm, forward) : NULL);
}

ct_tensor *cti_op_fft_over_to_real(ct_tensor *input, ct_ints shape, ct_ints dim, const char *norm,
                                   const char *name, bool forward)
{
    struct cti_hold h = {0};
    struct sides s;
    bool good = several_sides_to_real(&s, name, input, shape, dim);
    return cti_hold_end(&h, good ? complex_to_real(&h, input, &s, norm, forward) : NULL);
}

ct_tensor *cti_op_fft_rfft(ct_tensor *input, int64_t n, int64_t dim, const char *norm)
{
    bool real = fft_check_real(input, "rfft expects a real input tensor");
    return real ? cti_op_fft_along(input, n, dim, norm, true, true) : NULL;
}

ct_tensor *cti_op_fft_ihfft(ct_tensor *input, int64_t n, int64_t dim, const char *norm)
{
    bool real = fft_check_real(input, "ihfft expects a real input tensor");
    return real ? cti_op_fft_along(input, n, dim, norm, false, true) : NULL;
}

ct_tensor *cti_op_fft_rfftn(ct_tensor *input, ct_ints s, ct_ints dim, const char *norm)
{
    struct cti_hold h = {0};
    struct sides sides;
    if (!fft_check_real(input, "rfftn expects a real-valued input tensor") ||
        !several_sides(&sides, input, s, dim))
        return NULL;
    if (sides.n == 0)
        return ct_fail(CT_ERR_RUNTIME, "rfftn must transform at least one axis");
    return cti_hold_end(&h, real_to_complex(&h, input, &sides, norm, true, true));
}

ct_tensor *cti_op_fft_ihfftn(ct_tensor *input, ct_ints s, ct_ints dim, const char *norm)
{
    struct cti_hold h = {0};
    struct sides sides;
    if (!several_sides(&sides, input, s, dim))
        return NULL;
    if (sides.n == 0)
        return ct_fail(CT_ERR_RUNTIME, "ihfftn must transform at least one axis");
    ct_tensor *x = fitted(&h, promoted(&h, input, false), &sides);
    int mode = x ? norm_of(norm, false) : -1;
    if (mode < 0)
        return cti_hold_end(&h, NULL);
    ct_ints last = ct_ints_of(sides.dim + sides.n - 1, 1);
    x = cti_hold(&h, ct_own_fft_r2c(x, last, mode, true));
    x = cti_hold(&h, ct_own_conj(x));
    if (sides.n > 1)
        x = cti_hold(&h, ct_own_fft_c2c(x, ct_ints_of(sides.dim, sides.n - 1), mode, false));
    return cti_hold_end(&h, x);
}
