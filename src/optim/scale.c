/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions behind torch.amp.GradScaler: unscaling gradients and updating the scale. Both use
 * tensor operations only, because reading a number from a GPU would wait for all its pending work.
 * Nothing here is recorded. */
#include "autograd/autograd.h"
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/hold.h"
#include "corten/optim.h"
#include "corten/own.h"

#include <math.h>

/* PyTorch's checks of the one-element tensors, in its order. */
static bool is_one(const ct_tensor *t, const char *name)
{
    return ct_numel(t) == 1 || cti_refuse(CT_ERR_RUNTIME, "%s must be a 1-element tensor.", name);
}

static bool is_of(const ct_tensor *t, enum ct_dtype dtype, const char *kind, const char *name)
{
    return ct_dtype(t) == dtype || cti_refuse(CT_ERR_RUNTIME, "%s must be %s tensor.", name, kind);
}

static bool is_near(const ct_tensor *t, const ct_tensor *to, const char *name, const char *of)
{
    struct ct_device a = ct_device_of(t), b = ct_device_of(to);
    return (a.type == b.type && a.index == b.index) ||
           cti_refuse(CT_ERR_RUNTIME, "%s must be on the same device as %s.", name, of);
}

static bool can_unscale(const ct_tensor *grad, const ct_tensor *found_inf)
{
    const char *device = ct_device_of(grad).type == CT_CUDA ? "cuda" : "cpu";
    if (ct_is_sparse(grad))
        return cti_refuse(
            CT_ERR_NOT_IMPLEMENTED,
            "_amp_foreach_non_finite_check_and_unscale_ takes no sparse tensors: pass "
            "their _values()");
    if (!ct_dtype_is_floating(ct_dtype(grad)))
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                          "\"_amp_foreach_non_finite_check_and_unscale_%s\" not implemented for "
                          "'%s'",
                          device, cti_dtype_scalar_name(ct_dtype(grad)));
    return is_near(grad, found_inf, "each gradient", "found_inf");
}

/* Sets found_inf to 1 if an element is not finite: the maximum absolute value of all elements is
 * finite only if every element is. */
static bool note_not_finite(ct_list filled, ct_tensor *found_inf)
{
    struct cti_hold h = {0};
    ct_tensor *max_abs = cti_hold(&h, ct_own_total_norm(filled, INFINITY));
    ct_tensor *finite = cti_hold(&h, ct_own_isfinite(max_abs));
    ct_tensor *not_finite = cti_hold(&h, ct_own_logical_not(finite));
    bool good = not_finite && ct_own_masked_fill_(found_inf, not_finite, ct_value_float(1));
    cti_hold_end(&h, NULL);
    return good;
}

static bool unscale_all(ct_list grads, ct_tensor *found_inf, ct_tensor *inv_scale)
{
    ct_tensor **filled = cti_malloc((size_t)(grads.n + 1) * sizeof *filled);
    /* A 0-d factor does not affect the products' shape and dtype. */
    ct_tensor *factor = filled ? ct_own_reshape(inv_scale, ct_ints_of(NULL, 0)) : NULL;
    int64_t n = 0;
    for (int64_t i = 0; factor && i < grads.n; i++)
        if (ct_numel(grads.v[i]) > 0) /* an empty tensor has no maximum */
            filled[n++] = grads.v[i];
    bool good = factor && (n == 0 || note_not_finite(ct_list_of(filled, n), found_inf));
    for (int64_t i = 0; good && i < n; i++)
        good = ct_own_mul_(filled[i], ct_value_tensor(factor)) != NULL;
    ct_release(factor);
    cti_free(filled);
    return good;
}

bool ct_amp_unscale_(ct_list grads, ct_tensor *found_inf, ct_tensor *inv_scale)
{
    if (!(cti_check_list(&grads, "ct_amp_unscale_", "grads") &&
          cti_check_pointer(found_inf, "ct_amp_unscale_", "found_inf") &&
          cti_check_pointer(inv_scale, "ct_amp_unscale_", "inv_scale")))
        return false;
    if (grads.n == 0)
        return true;
    if (!(is_one(inv_scale, "inv_scale") && is_one(found_inf, "found_inf") &&
          is_of(inv_scale, CT_FLOAT32, "a float", "inv_scale") &&
          is_of(found_inf, CT_FLOAT32, "a float", "found_inf") &&
          is_near(inv_scale, found_inf, "inv_scale", "found_inf")))
        return false;
    for (int64_t i = 0; i < grads.n; i++)
        if (!can_unscale(grads.v[i], found_inf))
            return false;
    bool mode = ct_set_grad_enabled(false);
    bool good = unscale_all(grads, found_inf, inv_scale);
    ct_set_grad_enabled(mode);
    return good;
}

/* ---- the scale of the next step ---- */

/* scale * factor in double precision, rounded once to float32. */
static ct_tensor *scale_times(ct_tensor *wide, double factor)
{
    ct_tensor *product = ct_own_mul(ct_value_tensor(wide), ct_value_float(factor));
    ct_tensor *result = product ? ct_own_to(product, CT_FLOAT32, ct_device_of(wide), false, false,
                                            CT_PRESERVE_FORMAT)
                                : NULL;
    ct_release(product);
    return result;
}

/* where() of one-element tensors. */
static ct_tensor *select_value(ct_tensor *condition, ct_tensor *yes, ct_tensor *no)
{
    return ct_own_where(condition, ct_value_tensor(yes), ct_value_tensor(no));
}

static bool write_to(ct_tensor *to, ct_tensor *value)
{
    ct_tensor *shaped =
        value ? ct_own_reshape(value, ct_ints_of(ct_shape_ptr(to), ct_ndim(to))) : NULL;
    bool good = shaped && ct_own_copy_(to, shaped, false);
    ct_release(shaped);
    return good;
}

bool ct_amp_update_scale_(ct_tensor *scale, ct_tensor *growth_tracker, ct_tensor *found_inf,
                          const struct ct_amp_factors *by)
{
    if (!(cti_check_pointer(scale, "ct_amp_update_scale_", "scale") &&
          cti_check_pointer(growth_tracker, "ct_amp_update_scale_", "growth_tracker") &&
          cti_check_pointer(found_inf, "ct_amp_update_scale_", "found_inf") &&
          cti_check_pointer(by, "ct_amp_update_scale_", "by")))
        return false;
    if (!(is_near(growth_tracker, scale, "growth_tracker", "current_scale") &&
          is_near(found_inf, scale, "found_inf", "current_scale") &&
          is_one(scale, "current_scale") && is_one(growth_tracker, "growth_tracker") &&
          is_one(found_inf, "found_inf") && is_of(scale, CT_FLOAT32, "a float", "current_scale") &&
          is_of(growth_tracker, CT_INT32, "an int", "growth_tracker") &&
          is_of(found_inf, CT_FLOAT32, "a float", "found_inf")))
        return false;
    bool mode = ct_set_grad_enabled(false);
    struct cti_hold h = {0};
    const ct_value one = ct_value_int(1);
    ct_tensor *found = cti_hold(&h, ct_own_ne(ct_value_tensor(found_inf), ct_value_int(0)));
    ct_tensor *next = cti_hold(&h, ct_own_add(ct_value_tensor(growth_tracker), one, one));
    ct_tensor *due = cti_hold(&h, ct_own_eq(ct_value_tensor(next), ct_value_int(by->interval)));
    ct_tensor *reset = cti_hold(&h, ct_own_logical_or(found, due));
    ct_tensor *wide = cti_hold(
        &h, ct_own_to(scale, CT_FLOAT64, ct_device_of(scale), false, false, CT_PRESERVE_FORMAT));
    ct_tensor *grown = cti_hold(&h, scale_times(wide, by->growth));
    ct_tensor *finite = cti_hold(&h, ct_own_isfinite(grown));
    ct_tensor *grows = cti_hold(&h, ct_own_logical_and(due, finite));
    ct_tensor *shrunk = cti_hold(&h, scale_times(wide, by->backoff));
    ct_tensor *kept = cti_hold(&h, select_value(grows, grown, scale));
    ct_tensor *next_scale = cti_hold(&h, select_value(found, shrunk, kept));
    bool good = reset && next_scale && ct_own_masked_fill_(next, reset, ct_value_int(0)) &&
                write_to(scale, next_scale) && write_to(growth_tracker, next);
    cti_hold_end(&h, NULL);
    ct_set_grad_enabled(mode);
    return good;
}
