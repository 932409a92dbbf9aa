/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements fftfreq, rfftfreq, fftshift and ifftshift, declared in spectral.toml. */
#include "fronts.h"
#include "ops/front.h"

/* ---- frequencies ---- */

/* 0, 1, 2, ..., the last `below` of them minus n, all divided by n d. */
static ct_tensor *frequencies(const char *name, int64_t n, double d, int64_t count, int64_t below,
                              enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    if (dtype == CT_NO_DTYPE)
        dtype = ct_get_default_dtype();
    if (cti_is_integral(dtype, true))
        return ct_fail(CT_ERR_RUNTIME, "%s requires a floating point or complex dtype", name);
    if (count < 0)
        return cti_shape_fail(1, &count, NULL);
    ct_tensor *t =
        ct_own_arange(ct_value_int(0), ct_value_int(count), ct_value_int(1), dtype, device, false);
    ct_tensor *late = t && below ? cti_view_slice(t, 0, count - below, count, 1) : NULL;
    bool good = t && (!below || (late && ct_own_sub_(late, ct_value_int(n), ct_value_int(1)))) &&
                ct_own_mul_(t, ct_value_float(1 / ((double)n * d)));
    ct_release(late);
    if (good && requires_grad)
        good = ct_set_requires_grad(t, true);
    return cti_take_new_if(t, good);
}

ct_tensor *cti_op_fft_fftfreq(int64_t n, double d, enum ct_dtype dtype, struct ct_device device,
                              bool requires_grad)
{
    return frequencies("fftfreq", n, d, n, n > 0 ? n / 2 : 0, dtype, device, requires_grad);
}

ct_tensor *cti_op_fft_rfftfreq(int64_t n, double d, enum ct_dtype dtype, struct ct_device device,
                               bool requires_grad)
{
    int64_t count = n / 2 + 1;
    return frequencies("rfftfreq", n, d, count < 0 ? 0 : count, 0, dtype, device, requires_grad);
}

/* ---- fftshift and ifftshift ---- */

ct_tensor *cti_op_fft_shift(ct_tensor *input, ct_ints dim, bool back)
{
    int64_t dims[CTI_MAX_DIMS], shift[CTI_MAX_DIMS], n = dim.v ? dim.n : input->ndim;
    if (n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor has at most %d dimensions", CTI_MAX_DIMS);
    for (int64_t i = 0; i < n; i++) {
        int wrapped = (int)i;
        if (dim.v && !cti_shape_wrap_dim(dim.v[i], input->ndim, &wrapped))
            return NULL;
        dims[i] = wrapped;
        int64_t size = input->ndim ? input->shape[wrapped] : 0;
        shift[i] = size / 2 + (back && size % 2);
    }
    return ct_own_roll(input, ct_ints_of(shift, n), ct_ints_of(dims, n));
}
