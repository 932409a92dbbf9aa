/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements poisson, gamma, dirichlet, binomial and dropout, declared in random.toml: PyTorch's
 * checks and error messages, then the random engine draws. */
#include "core/alloc.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/random/random.h"

#include <float.h>
#include <math.h>

/* ---- poisson ---- */

ct_tensor *cti_op_poisson(ct_tensor *input, ct_generator *generator)
{
    if (!ct_dtype_is_floating(input->dtype))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"poisson_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(input->dtype));
    ct_tensor *rate = cti_contiguous(input);
    ct_tensor *result = rate ? cti_empty_like(rate, rate->dtype, CT_CONTIGUOUS_FORMAT) : NULL;
    bool good = result &&
                cti_random_fill((struct cti_random){
                    .kind = CTI_RANDOM_POISSON, .generator = generator, .out = result, .p = rate});
    ct_release(rate);
    return cti_take_if(result, good);
}

/* ---- gamma ---- */

static bool check_gamma(const char *name, const ct_tensor *input)
{
    return input->dtype == CT_FLOAT32 || input->dtype == CT_FLOAT64 ||
           cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", name,
                      cti_dtype_scalar_name(input->dtype));
}

ct_tensor *cti_op__standard_gamma(ct_tensor *input, ct_generator *generator)
{
    if (!check_gamma("gamma_cpu", input))
        return NULL;
    ct_tensor *alpha = cti_contiguous(input);
    ct_tensor *result = alpha ? cti_empty_like(alpha, alpha->dtype, CT_CONTIGUOUS_FORMAT) : NULL;
    bool good =
        result && cti_random_fill((struct cti_random){
                      .kind = CTI_RANDOM_GAMMA, .generator = generator, .out = result, .p = alpha});
    ct_release(alpha);
    return cti_take_if(result, good);
}

/* Gammas divided by their sum, in float64 so that small ones do not underflow, and clamped to the
 * open interval (0, 1). */
ct_tensor *cti_op__sample_dirichlet(ct_tensor *input, ct_generator *generator)
{
    if (!check_gamma("dirichlet", input))
        return NULL;
    bool single = input->dtype == CT_FLOAT32;
    ct_tensor *cast64 = cti_cast(input, CT_FLOAT64);
    ct_tensor *drawn = cast64 ? cti_op__standard_gamma(cast64, generator) : NULL;
    ct_tensor *sum = ct_own_sum(drawn, CT_INTS(-1), true, CT_NO_DTYPE);
    ct_tensor *part = ct_own_div(V(drawn), V(sum), NULL);
    ct_tensor *cast = part ? cti_cast(part, input->dtype) : NULL;
    ct_tensor *out =
        ct_own_clamp(cast, ct_value_float(single ? (double)FLT_MIN : DBL_MIN),
                     ct_value_float(single ? (double)nextafterf(1, 0) : nextafter(1, 0)));
    cti_release_all(cast64, drawn, sum, part, cast);
    return out;
}

/* ---- binomial ---- */

static bool check_binomial(const ct_tensor *count, const ct_tensor *prob)
{
    if (!ct_dtype_is_floating(count->dtype))
        return ct_fail(CT_ERR_VALUE,
                       "binomial only supports floating-point dtypes for count, got: %s",
                       cti_dtype_scalar_name(count->dtype));
    if (!ct_dtype_is_floating(prob->dtype))
        return ct_fail(CT_ERR_VALUE,
                       "binomial only supports floating-point dtypes for prob, got: %s",
                       cti_dtype_scalar_name(prob->dtype));
    if (count->dtype != prob->dtype)
        return ct_fail(CT_ERR_RUNTIME, "Found dtype %s but expected %s",
                       cti_dtype_scalar_name(prob->dtype), cti_dtype_scalar_name(count->dtype));
    if (count->dtype != CT_FLOAT32 && count->dtype != CT_FLOAT64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"binomial_cpu\" not implemented for '%s'",
                       cti_dtype_scalar_name(count->dtype));
    return true;
}

/* t broadcast to a shape, contiguous. The caller owns the result. */
static ct_tensor *expand_contiguous(ct_tensor *t, int ndim, const int64_t *shape)
{
    ct_tensor *expanded = cti_view_expand(t, ct_ints_of(shape, ndim), false);
    return cti_replace_take(expanded, expanded ? cti_contiguous(expanded) : NULL);
}

ct_tensor *cti_op_binomial(ct_tensor *count, ct_tensor *prob, ct_generator *generator)
{
    int ndim = 0;
    int64_t shape[CTI_MAX_DIMS];
    if (!check_binomial(count, prob) ||
        !cti_shape_broadcast(&ndim, shape, count->ndim, count->shape) ||
        !cti_shape_broadcast(&ndim, shape, prob->ndim, prob->shape))
        return NULL;
    ct_tensor *tries = expand_contiguous(count, ndim, shape),
              *chance = expand_contiguous(prob, ndim, shape);
    ct_tensor *result =
        tries && chance ? cti_empty(ndim, shape, count->dtype, count->storage->device) : NULL;
    bool good = result && cti_random_fill((struct cti_random){.kind = CTI_RANDOM_BINOMIAL,
                                                              .generator = generator,
                                                              .out = result,
                                                              .p = tries,
                                                              .q = chance});
    cti_release_all(tries, chance);
    return cti_take_if(result, good);
}

/* ---- dropout ---- */

enum dropout_kind { PLAIN = 0, FEATURES = 1, ALPHA = 2 }; /* flags */

static const double alpha_of_selu = 1.7580993408473766; /* minus the limit of SELU at -inf */

static bool check_dropout(const ct_tensor *input, double p, bool train, enum dropout_kind kind)
{
    if (!(p >= 0 && p <= 1))
        return ct_fail(CT_ERR_RUNTIME, "dropout probability has to be between 0 and 1, but got %g",
                       p);
    if (kind & FEATURES && p != 0 && p != 1 && train && input->numel && input->ndim < 2)
        return ct_fail(CT_ERR_RUNTIME,
                       "Feature dropout requires at least 2 dimensions in the input");
    return true;
}

/* Draws 0 or 1 for each element, or for each channel. */
static ct_tensor *draw_noise(ct_tensor *input, double p, enum dropout_kind kind)
{
    enum ct_dtype dtype = cti_dtype_to_real(input->dtype);
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < input->ndim; d++)
        shape[d] = d < 2 ? input->shape[d] : 1;
    ct_tensor *noise = kind & FEATURES
                           ? cti_empty(input->ndim, shape, dtype, input->storage->device)
                           : cti_empty_like(input, dtype, CT_PRESERVE_FORMAT);
    enum cti_random_kind draw = kind == PLAIN ? CTI_RANDOM_DROPOUT : CTI_RANDOM_BERNOULLI;
    return cti_take_if(noise, noise && cti_random_coins(draw, noise, 1 - p, NULL));
}

/* Scales the noise to preserve the mean. *shift: the tensor that alpha dropout adds, which the
 * caller owns, or NULL. */
static bool scale_noise(ct_tensor *noise, double p, enum dropout_kind kind, ct_tensor **shift)
{
    *shift = NULL;
    if (!(kind & ALPHA))
        return ct_own_div_(noise, ct_value_float(1 - p), NULL) != NULL;
    double alpha = alpha_of_selu, a = 1 / sqrt((alpha * alpha * p + 1) * (1 - p));
    *shift = ct_own_add(V(noise), ct_value_int(-1), ct_value_int(1));
    return *shift && ct_own_mul_(*shift, ct_value_float(alpha * a)) &&
           ct_own_add_(*shift, ct_value_float(alpha * a * p), ct_value_int(1)) &&
           ct_own_mul_(noise, ct_value_float(a));
}

/* Computes the noise and shift of one call; for p = 1 the noise is a single 0. */
static bool dropout_make_noise(ct_tensor *input, double p, enum dropout_kind kind,
                               ct_tensor **noise, ct_tensor **shift)
{
    *shift = NULL;
    if (p == 1) {
        *noise = cti_empty(0, NULL, input->dtype, input->storage->device);
        return *noise && cti_fill(*noise, ct_value_int(0));
    }
    bool mode = cti_grad_pause();
    *noise = draw_noise(input, p, kind);
    bool good = *noise && scale_noise(*noise, p, kind, shift);
    cti_grad_restore(mode);
    return good;
}

static enum dropout_kind dropout_kind_of(bool features, bool alpha)
{
    return (features ? FEATURES : PLAIN) | (alpha ? ALPHA : PLAIN);
}

ct_tensor *cti_op_dropout(ct_tensor *input, double p, bool train, bool features, bool alpha)
{
    enum dropout_kind kind = dropout_kind_of(features, alpha);
    if (!check_dropout(input, p, train, kind))
        return NULL;
    if (p == 0 || !train || !input->numel)
        return ct_retain(input);
    ct_tensor *noise = NULL, *shift = NULL, *result = NULL;
    if (dropout_make_noise(input, p, kind, &noise, &shift))
        result = ct_own_mul(V(input), V(noise));
    if (result && shift && !ct_own_add_(result, V(shift), ct_value_int(1)))
        result = cti_replace_take(result, NULL);
    cti_release_all(noise, shift);
    return result;
}

ct_tensor *cti_op_dropout_(ct_tensor *self, double p, bool train, bool features, bool alpha)
{
    enum dropout_kind kind = dropout_kind_of(features, alpha);
    if (!check_dropout(self, p, train, kind))
        return NULL;
    if (p == 0 || !train || !self->numel)
        return self;
    if (alpha && p != 1) { /* two steps, the second of which may fail: work on a copy */
        ct_tensor *dropped = cti_op_dropout(self, p, train, features, alpha);
        bool same = dropped && cti_check_can_cast(dropped->dtype, self->dtype);
        return cti_replace_take(dropped, same ? ct_own_copy_(self, dropped, false) : NULL);
    }
    ct_tensor *noise = NULL, *shift = NULL;
    bool good =
        dropout_make_noise(self, p, kind, &noise, &shift) && ct_own_mul_(self, V(noise)) != NULL;
    ct_release(noise);
    return good ? self : NULL;
}

/* Returns a bool for each element, all true if `all`. The caller owns the result. */
static ct_tensor *draw_mask(ct_tensor *input, double p, bool all)
{
    ct_tensor *mask = cti_empty_like(input, CT_BOOL, CT_PRESERVE_FORMAT);
    bool good = mask && (all ? cti_fill(mask, ct_value_bool(true))
                             : cti_random_coins(CTI_RANDOM_DROPOUT, mask, 1 - p, NULL));
    return cti_take_if(mask, good);
}

/* Computes the result and the mask of kept elements. */
ct_list cti_op_native_dropout(ct_tensor *input, double p, int train)
{
    ct_tensor **both = cti_calloc(2, sizeof *both);
    if (!both)
        return CT_NO_LIST;
    if (!input->numel) {
        both[0] = ct_retain(input);
        both[1] = cti_empty_like(input, input->dtype, CT_PRESERVE_FORMAT);
    } else {
        both[1] = draw_mask(input, p, !train);
        both[0] = !both[1] ? NULL
                  : train  ? ct_own_mul(V(input), V(both[1]))
                           : ct_own_clone(input, -1);
        double scale = p == 1 ? 0 : 1 / (1 - p);
        if (both[0] && train && !ct_own_mul_(both[0], ct_value_float(scale)))
            both[0] = cti_replace_take(both[0], NULL);
    }
    return cti_list_take_if(both, 2, both[0] && both[1]);
}
