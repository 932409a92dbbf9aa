/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of batch, layer and group normalisation. A plain backward runs the norm engine, which
 * computes all three gradients at once. A derivative that is to be differentiated again recomputes
 * the statistics from the input with differentiable operations. */
#include "autograd/autograd.h"

#include "core/backend.h"
#include "core/hold.h"
#include "core/norm.h"
#include "core/shape.h"
#include "core/value.h"
#include "corten/macros.h"
#include "grads.h"
#include "inner.h"

#define ONE ct_value_int(1)

/* ---- by the engine ---- */

/* Casts and makes contiguous for the engine, which ignores the neg flag of a view, so that is
 * resolved, too. */
static ct_tensor *norm_operand(struct cti_hold *h, ct_tensor *t, enum ct_dtype type, int format)
{
    ct_tensor *cast = cti_hold(h, ct_own_to_dtype(t, type));
    ct_tensor *plain = cti_hold(h, ct_own_resolve_neg(cast));
    return cti_hold(h, ct_own_contiguous(plain, format));
}

/* Casts one of the gradients to the type and shape of its argument; false: failed. */
static bool norm_finish(ct_tensor *t, ct_tensor *like, ct_tensor **out)
{
    ct_tensor *cast = ct_own_to_dtype(t, like->dtype);
    *out = ct_own_view(cast, ct_ints_of(like->shape, like->ndim));
    ct_release(cast);
    return *out != NULL;
}

static bool by_engine(struct cti_norm *w, ct_tensor *grad, ct_tensor *input, ct_tensor *weight,
                      ct_tensor *mean, ct_tensor *rstd, bool last, const bool *wanted,
                      ct_tensor **out)
{
    struct cti_hold h = {0};
    enum ct_dtype type = input->dtype == CT_FLOAT64 ? CT_FLOAT64 : CT_FLOAT32;
    int format =
        last ? (input->ndim == 4 ? CT_CHANNELS_LAST : CT_CHANNELS_LAST_3D) : CT_CONTIGUOUS_FORMAT;
    int64_t n = w->channels * w->groups, stride[CTI_MAX_DIMS];
    struct ct_device device = input->storage->device;
    w->in = norm_operand(&h, input, type, format);
    w->grad = norm_operand(&h, grad, type, format);
    w->mean = norm_operand(&h, mean, type, CT_CONTIGUOUS_FORMAT);
    w->rstd = norm_operand(&h, rstd, type, CT_CONTIGUOUS_FORMAT);
    bool good = w->in && w->grad && w->mean && w->rstd;
    if (cti_is_given(weight)) {
        w->weight = norm_operand(&h, weight, type, CT_CONTIGUOUS_FORMAT);
        good = good && w->weight;
    }
    if (good && wanted[0]) {
        good = cti_shape_format_strides(format, input->ndim, input->shape, stride);
        w->out =
            good ? cti_hold(&h, cti_empty_strided(input->ndim, input->shape, stride, type, device))
                 : NULL;
        good = w->out != NULL;
    }
    if (good && wanted[1])
        good = (w->grad_weight = cti_hold(&h, cti_empty(1, &n, type, device)));
    if (good && wanted[2])
        good = (w->grad_bias = cti_hold(&h, cti_empty(1, &n, type, device)));
    if (good && input->numel == 0) {
        ct_tensor *const all[] = {w->out, w->grad_weight, w->grad_bias};
        for (int i = 0; i < 3; i++)
            good =
                good && (!all[i] || CTI_RUN(fill, input, .dst = all[i], .number = ct_value_int(0)));
    } else {
        w->backward = true;
        good = good && cti_run_on(&w->work, CTI_ENGINE_norm, input);
    }
    if (good && wanted[0])
        good = (out[0] = ct_own_to_dtype(w->out, input->dtype));
    if (good && wanted[1])
        good = norm_finish(w->grad_weight, weight, &out[1]);
    if (good && wanted[2]) {
        enum ct_dtype dtype = (cti_is_given(weight) ? weight : input)->dtype;
        good = (out[2] = ct_own_to_dtype(w->grad_bias, dtype));
    }
    cti_hold_end(&h, NULL);
    return good;
}

/* ---- by differentiable operations ---- */

/* Backward of z = (x - mean) rstd, y = z weight + bias, by differentiable operations. mean and rstd
 * are computed from x over `dims`, or given. Computes the gradients of x, and of a weight and a
 * bias that are broadcast, which are sums over the dims `own`. */
struct recorded {
    ct_tensor *x, *grad, *weight; /* in shapes that broadcast; weight may be NULL */
    ct_tensor *mean, *rstd;       /* if given, else NULL */
    ct_ints dims, own;
    double eps;
};

static bool by_recorded(struct cti_hold *h, const struct recorded *r, const bool *wanted,
                        ct_tensor **out)
{
    ct_tensor *mean = r->mean, *rstd = r->rstd;
    if (!mean) {
        mean = cti_hold(h, ct_own_mean(r->x, r->dims, true, CT_NO_DTYPE));
        ct_tensor *off = cti_hold(h, ct_own_sub(V(r->x), V(mean), ONE));
        ct_tensor *square = cti_hold(h, ct_own_square(off));
        ct_tensor *var = cti_hold(h, ct_own_mean(square, r->dims, true, CT_NO_DTYPE));
        ct_tensor *wide = cti_hold(h, ct_own_add(V(var), ct_value_float(r->eps), ONE));
        rstd = cti_hold(h, ct_own_rsqrt(wide));
    }
    ct_tensor *off = cti_hold(h, ct_own_sub(V(r->x), V(mean), ONE));
    ct_tensor *z = cti_hold(h, ct_own_mul(V(off), V(rstd)));
    ct_tensor *scaled = r->weight ? cti_hold(h, ct_own_mul(V(r->grad), V(r->weight))) : r->grad;
    ct_tensor *product = cti_hold(h, ct_own_mul(V(r->grad), V(z)));
    if (wanted[0] && !r->mean) {
        ct_tensor *first = cti_hold(h, ct_own_mean(scaled, r->dims, true, CT_NO_DTYPE));
        ct_tensor *both = cti_hold(h, ct_own_mul(V(scaled), V(z)));
        ct_tensor *second = cti_hold(h, ct_own_mean(both, r->dims, true, CT_NO_DTYPE));
        ct_tensor *slope = cti_hold(h, ct_own_mul(V(z), V(second)));
        ct_tensor *less = cti_hold(h, ct_own_sub(V(scaled), V(first), ONE));
        ct_tensor *rest = cti_hold(h, ct_own_sub(V(less), V(slope), ONE));
        out[0] = ct_own_mul(V(rest), V(rstd));
    } else if (wanted[0]) {
        out[0] = ct_own_mul(V(scaled), V(rstd));
    }
    if (wanted[1])
        out[1] = ct_own_sum(product, r->own, false, CT_NO_DTYPE);
    if (wanted[2])
        out[2] = ct_own_sum(r->grad, r->own, false, CT_NO_DTYPE);
    return (!wanted[0] || out[0]) && (!wanted[1] || out[1]) && (!wanted[2] || out[2]);
}

/* Reshapes a gradient to the shape of its argument. */
static bool reshape_take(ct_tensor **t, ct_tensor *like)
{
    if (!*t || !cti_is_given(like))
        return true;
    ct_tensor *shaped = ct_own_reshape(*t, ct_ints_of(like->shape, like->ndim));
    ct_release(*t);
    *t = shaped;
    return shaped != NULL;
}

/* ---- batch norm ---- */

static bool is_channels_last(const ct_tensor *t)
{
    if (t->ndim != 4 && t->ndim != 5)
        return false;
    enum ct_memory_format format = t->ndim == 4 ? CT_CHANNELS_LAST : CT_CHANNELS_LAST_3D;
    return !cti_shape_is_contiguous(t->ndim, t->shape, t->stride, CT_CONTIGUOUS_FORMAT) &&
           cti_shape_is_contiguous(t->ndim, t->shape, t->stride, format);
}

bool cti_grad_batch_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *weight, ct_tensor *mean,
                         ct_tensor *rstd, bool training, double eps, const bool *wanted,
                         ct_tensor **out)
{
    int64_t channels = input->shape[1], n = channels ? input->numel / channels : 0;
    if (!cti_grad_on()) {
        bool last = is_channels_last(input);
        struct cti_norm w = {.given = !training, .channels = channels, .groups = 1, .eps = eps};
        w.outer = last ? n : input->shape[0];
        w.inner = last || !w.outer ? 1 : n / w.outer;
        return by_engine(&w, grad, input, weight, mean, rstd, last, wanted, out);
    }
    struct cti_hold h = {0};
    int64_t dims[CTI_MAX_DIMS], shape[CTI_MAX_DIMS];
    for (int d = 0, k = 0; d < input->ndim; d++) {
        shape[d] = d == 1 ? channels : 1;
        if (d != 1)
            dims[k++] = d;
    }
    ct_ints split = ct_ints_of(shape, input->ndim), reduced = ct_ints_of(dims, input->ndim - 1);
    struct recorded r = {.x = input, .grad = grad, .dims = reduced, .own = reduced, .eps = eps};
    r.weight = cti_is_given(weight) ? cti_hold(&h, ct_own_view(weight, split)) : NULL;
    if (!training) {
        ct_tensor *fixed = cti_hold(&h, ct_own_detach(mean));
        r.mean = cti_hold(&h, ct_own_view(fixed, split));
        fixed = cti_hold(&h, ct_own_detach(rstd));
        r.rstd = cti_hold(&h, ct_own_view(fixed, split));
    }
    bool good = (!cti_is_given(weight) || r.weight) && (training || (r.mean && r.rstd)) &&
                by_recorded(&h, &r, wanted, out);
    cti_hold_end(&h, NULL);
    return good;
}

/* ---- layer and group norm ---- */

bool cti_grad_layer_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *weight, ct_tensor *bias,
                         ct_tensor *mean, ct_tensor *rstd, int64_t ndim, double eps,
                         const bool *wanted, ct_tensor **out)
{
    bool good;
    if (!cti_grad_on()) {
        struct cti_norm w = {.lines = true, .outer = 1, .channels = 1, .inner = 1, .groups = 1};
        for (int d = 0; d < input->ndim; d++)
            *(d < input->ndim - ndim ? &w.outer : &w.channels) *= input->shape[d];
        good = by_engine(&w, grad, input, weight, mean, rstd, false, wanted, out);
    } else {
        struct cti_hold h = {0};
        int64_t dims[CTI_MAX_DIMS], own[CTI_MAX_DIMS], rest = input->ndim - ndim;
        for (int64_t d = 0; d < input->ndim; d++)
            *(d < rest ? &own[d] : &dims[d - rest]) = d;
        struct recorded r = {.x = input, .grad = grad, .eps = eps};
        r.dims = ct_ints_of(dims, ndim);
        r.own = ct_ints_of(own, rest);
        r.weight = cti_is_given(weight) ? weight : NULL;
        if (rest == 0) { /* a sum over an empty list of dims would be a sum over all */
            struct recorded one = r;
            one.x = cti_hold(&h, ct_own_unsqueeze(input, 0));
            one.grad = cti_hold(&h, ct_own_unsqueeze(grad, 0));
            for (int64_t d = 0; d < ndim; d++)
                dims[d] = d + 1;
            own[0] = 0;
            one.own = ct_ints_of(own, 1);
            good = one.x && one.grad && by_recorded(&h, &one, wanted, out) &&
                   reshape_take(&out[0], input);
        } else {
            good = by_recorded(&h, &r, wanted, out);
        }
        cti_hold_end(&h, NULL);
    }
    return good && (!wanted[1] || reshape_take(&out[1], weight)) &&
           (!wanted[2] || reshape_take(&out[2], bias));
}

bool cti_grad_group_norm(ct_tensor *grad, ct_tensor *input, ct_tensor *weight, ct_tensor *mean,
                         ct_tensor *rstd, int64_t num_groups, double eps, const bool *wanted,
                         ct_tensor **out)
{
    int64_t batch = input->shape[0], all = input->shape[1], channels = all / num_groups;
    int64_t inner = batch && all ? input->numel / (batch * all) : 1;
    if (!cti_grad_on()) {
        struct cti_norm w = {.lines = true, .outer = batch * num_groups, .channels = channels};
        w.inner = inner;
        w.groups = num_groups;
        return by_engine(&w, grad, input, weight, mean, rstd, false, wanted, out);
    }
    struct cti_hold h = {0};
    ct_ints split = CT_INTS(batch, num_groups, channels, inner);
    struct recorded r = {.dims = CT_INTS(2, 3), .own = CT_INTS(0, 3), .eps = eps};
    r.x = cti_hold(&h, ct_own_reshape(input, split));
    r.grad = cti_hold(&h, ct_own_reshape(grad, split));
    if (cti_is_given(weight))
        r.weight = cti_hold(&h, ct_own_view(weight, CT_INTS(1, num_groups, channels, 1)));
    bool good =
        r.x && r.grad && (!cti_is_given(weight) || r.weight) && by_recorded(&h, &r, wanted, out);
    cti_hold_end(&h, NULL);
    good = good && (!wanted[0] || reshape_take(&out[0], input)) &&
           (!wanted[1] || reshape_take(&out[1], weight));
    if (good && wanted[2] && out[2]) {
        ct_tensor *flat = ct_own_reshape(out[2], CT_INTS(all));
        ct_release(out[2]);
        out[2] = flat;
        good = flat != NULL;
    }
    return good;
}
