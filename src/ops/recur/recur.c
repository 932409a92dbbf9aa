/* SPDX-License-Identifier: BSD-3-Clause */
/* One direction of one recurrent layer, forward and backward: checks, the products for the inputs
 * of all steps and for weight gradients, and the recur engine for the steps. Half types are
 * computed in float32. These operations are internal; layers.c builds networks from them. */
#include "core/recur.h"
#include "core/product.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"

static enum ct_dtype recur_compute_type(const ct_tensor *t)
{
    enum ct_dtype dtype = t->dtype;
    return dtype == CT_FLOAT16 || dtype == CT_BFLOAT16 ? CT_FLOAT32 : dtype;
}

/* t contiguous and in the computing dtype; absent if t is. The caller owns the result. */
static ct_tensor *recur_operand(ct_tensor *t, enum ct_dtype dtype)
{
    return cti_is_given(t) ? cti_cast_contiguous(t, dtype) : t;
}

static void release_given(ct_tensor *const *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cti_is_given(t[i]))
            ct_release(t[i]);
}

static bool all_there(ct_tensor *const *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!t[i])
            return false;
    return true;
}

/* The engine's tensors, in the order of the operation's arguments, and sizes. */
struct layer {
    ct_tensor *input, *h0, *c0, *weight_ih, *weight_hh, *bias_ih, *bias_hh, *weight_hr; /* owned */
    enum cti_recur_kind kind;
    enum ct_dtype dtype;
    int64_t steps, batch, rows, hidden, width;
};
enum { TENSORS = 8 };

static ct_tensor *const *tensors_of(const struct layer *l)
{
    return &l->input;
}

static bool check_state(const struct layer *l, const ct_tensor *t, int64_t width)
{
    if (t->ndim == 2 && t->shape[0] == l->batch && t->shape[1] == width)
        return true;
    char have[CTI_SHAPE_TEXT];
    return cti_refuse(CT_ERR_RUNTIME, "Expected hidden size (%lld, %lld), got %s",
                      (long long)l->batch, (long long)width,
                      cti_shape_text(have, t->ndim, t->shape));
}

static bool recur_check_weights(const struct layer *l, int64_t features)
{
    int64_t gates = cti_recur_gates(l->kind);
    const ct_tensor *const matrix[] = {l->weight_ih, l->weight_hh};
    const int64_t columns[] = {features, l->width};
    for (int i = 0; i < 2; i++) {
        const ct_tensor *m = matrix[i];
        if (m->ndim != 2 || m->shape[1] != columns[i] || m->shape[0] != gates * l->hidden)
            return cti_refuse(CT_ERR_RUNTIME,
                              "mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)",
                              (long long)(i ? l->batch : l->rows), (long long)columns[i],
                              (long long)(m->ndim > 1 ? m->shape[1] : 1),
                              (long long)(m->ndim ? m->shape[0] : 1));
    }
    const ct_tensor *const bias[] = {l->bias_ih, l->bias_hh};
    for (int i = 0; i < 2; i++)
        if (cti_is_given(bias[i]) && (bias[i]->ndim != 1 || bias[i]->shape[0] != gates * l->hidden))
            return cti_refuse(CT_ERR_RUNTIME, "expected a bias of %lld elements, got %lld",
                              (long long)(gates * l->hidden), (long long)bias[i]->numel);
    if (!cti_is_given(l->weight_hr) ||
        (l->weight_hr->ndim == 2 && l->weight_hr->shape[0] == l->width &&
         l->weight_hr->shape[1] == l->hidden))
        return true;
    return cti_refuse(CT_ERR_RUNTIME, "expected a projection of size (%lld, %lld)",
                      (long long)l->width, (long long)l->hidden);
}

/* Derives sizes from the input's shape, or from the steps' sizes that layers.c has checked, and
 * checks states and weights against them. */
static bool measure_layer(struct layer *l, const ct_tensor *input, ct_ints sizes)
{
    if (!sizes.v && input->ndim != 3)
        return cti_refuse(CT_ERR_RUNTIME, "input must have 3 dimensions, got %d", input->ndim);
    l->steps = sizes.v ? sizes.n : input->shape[0];
    l->batch = sizes.v ? (sizes.n ? sizes.v[0] : 0) : input->shape[1];
    l->rows = sizes.v ? input->shape[0] : l->steps * l->batch;
    l->width = l->h0->ndim == 2 ? l->h0->shape[1] : 0;
    l->hidden = l->weight_hh->ndim ? l->weight_hh->shape[0] / cti_recur_gates(l->kind) : 0;
    bool same = cti_is_given(l->weight_hr) || l->width == l->hidden;
    return check_state(l, l->h0, same ? l->width : l->hidden) &&
           (!cti_is_given(l->c0) || check_state(l, l->c0, l->hidden)) &&
           recur_check_weights(l, input->shape[input->ndim - 1]);
}

static bool recur_check_types(const ct_tensor *input, ct_tensor *const *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cti_is_given(t[i]) && t[i]->dtype != input->dtype)
            return cti_refuse(
                CT_ERR_RUNTIME, "mat1 and mat2 must have the same dtype, but got %s and %s",
                cti_dtype_scalar_name(input->dtype), cti_dtype_scalar_name(t[i]->dtype));
    if (input->dtype >= CT_FLOAT16 && input->dtype < CT_COMPLEX64)
        return true;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "recurrent networks are not implemented for '%s'",
                      cti_dtype_scalar_name(input->dtype));
}

static void layer_clear(struct layer *l)
{
    release_given(tensors_of(l), TENSORS);
}

/* Prepares the tensor arguments arg[]. False: the error is set, and there is nothing to release. */
static bool layer_of(struct layer *l, ct_tensor *const *arg, ct_ints sizes, int64_t kind)
{
    *l = (struct layer){.kind = (enum cti_recur_kind)kind, .dtype = recur_compute_type(arg[0])};
    if (!recur_check_types(arg[0], arg + 1, TENSORS - 1))
        return false;
    ct_tensor **to[] = {&l->input,     &l->h0,      &l->c0,      &l->weight_ih,
                        &l->weight_hh, &l->bias_ih, &l->bias_hh, &l->weight_hr};
    for (int i = 0; i < TENSORS; i++)
        *to[i] = recur_operand(arg[i], l->dtype);
    if (all_there(tensors_of(l), TENSORS) && measure_layer(l, arg[0], sizes)) {
        int64_t shape[] = {l->rows, arg[0]->shape[arg[0]->ndim - 1]};
        l->input = cti_replace_take(l->input, ct_own_reshape(l->input, ct_ints_of(shape, 2)));
        if (l->input)
            return true;
    }
    layer_clear(l);
    return false;
}

static struct cti_recur recur_work(const struct layer *l, ct_ints sizes, bool reverse)
{
    bool has_bias = l->kind == CTI_RECUR_GRU && cti_is_given(l->bias_hh);
    return (struct cti_recur){.kind = l->kind,
                              .dtype = l->dtype,
                              .steps = l->steps,
                              .batch = l->batch,
                              .hidden = l->hidden,
                              .width = l->width,
                              .sizes = sizes.v,
                              .reverse = reverse,
                              .of.weight = l->weight_hh,
                              .of.bias = has_bias ? l->bias_hh : NULL,
                              .of.projection = cti_is_given(l->weight_hr) ? l->weight_hr : NULL,
                              .of.h0 = l->h0,
                              .of.c0 = cti_is_given(l->c0) ? l->c0 : NULL};
}

/* The bias to add with the inputs: all but the hidden bias of a GRU's last gate. The caller owns
 * it; it may be absent.
 * */
static ct_tensor *input_bias(const struct layer *l)
{
    if (!cti_is_given(l->bias_ih) || !cti_is_given(l->bias_hh))
        return cti_is_given(l->bias_ih)                               ? ct_retain(l->bias_ih)
               : cti_is_given(l->bias_hh) && l->kind != CTI_RECUR_GRU ? ct_retain(l->bias_hh)
                                                                      : CT_NO_TENSOR;
    if (l->kind != CTI_RECUR_GRU)
        return ct_own_add(V(l->bias_ih), V(l->bias_hh), ct_value_int(1));
    ct_tensor *sum = cti_clone(l->bias_ih);
    ct_tensor *to = ct_own_narrow(sum, 0, 0, 2 * l->hidden);
    ct_tensor *from = ct_own_narrow(l->bias_hh, 0, 0, 2 * l->hidden);
    if (!to || !from || !ct_own_add_(to, V(from), ct_value_int(1)))
        sum = cti_replace_take(sum, NULL);
    cti_release_all(to, from);
    return sum;
}

/* Allocates [rows, columns], or an empty tensor if not wanted. The caller owns the result. */
static ct_tensor *uninitialised(const struct layer *l, bool wanted, int64_t rows, int64_t columns)
{
    int64_t shape[] = {wanted ? rows : 0, wanted ? columns : 0};
    return cti_empty(wanted ? 2 : 1, shape, l->dtype, l->input->storage->device);
}

static ct_tensor *unless_empty(ct_tensor *t)
{
    return t->numel ? t : NULL;
}

/* Reports the products of the engine's steps to the profiler. */
static void count_steps(const struct layer *l, bool backward)
{
    int64_t gates = cti_recur_gates(l->kind) * l->hidden;
    if (!cti_counts_products())
        return;
    cti_count_matrices(backward ? "mm" : "addmm", l->rows, backward ? gates : l->width,
                       backward ? l->width : gates);
    if (cti_is_given(l->weight_hr))
        cti_count_matrices("mm", l->rows, backward ? l->width : l->hidden,
                           backward ? l->hidden : l->width);
}

bool cti_op__recur(struct ct__recur_result *result, ct_tensor *input, ct_tensor *h0, ct_tensor *c0,
                   ct_tensor *weight_ih, ct_tensor *weight_hh, ct_tensor *bias_ih,
                   ct_tensor *bias_hh, ct_tensor *weight_hr, ct_ints sizes, int64_t kind,
                   bool reverse)
{
    ct_tensor *const arg[] = {input, h0, c0, weight_ih, weight_hh, bias_ih, bias_hh, weight_hr};
    struct layer l;
    if (!layer_of(&l, arg, sizes, kind))
        return false;
    enum ct_dtype type = input->dtype;
    int64_t shape[3] = {l.steps, l.batch, l.width}, flat[2] = {l.rows, l.width};
    bool lstm = l.kind == CTI_RECUR_LSTM, has_extra = lstm || l.kind == CTI_RECUR_GRU;
    ct_tensor *bias = input_bias(&l);
    ct_tensor *gates = ct_own_linear(l.input, l.weight_ih, bias);
    ct_tensor *extra = uninitialised(&l, has_extra, l.rows, l.hidden);
    ct_tensor *output = sizes.v ? cti_empty(2, flat, l.dtype, input->storage->device)
                                : cti_empty(3, shape, l.dtype, input->storage->device);
    ct_tensor *hn = uninitialised(&l, true, l.batch, l.width);
    ct_tensor *cn = uninitialised(&l, lstm, l.batch, l.hidden);
    if (gates && extra && output && hn && cn) {
        struct cti_recur w = recur_work(&l, sizes, reverse);
        w.of.gates = gates;
        w.of.extra = unless_empty(extra);
        w.of.output = output;
        w.of.h = hn;
        w.of.c = unless_empty(cn);
        count_steps(&l, false);
        if (cti_run_on(&w.work, CTI_ENGINE_recur, input)) {
            result->output = cti_cast(output, type);
            result->gates = ct_retain(gates);
            result->extra = ct_retain(extra);
            result->hn = cti_cast(hn, type);
            result->cn = cti_cast(cn, type);
        }
    }
    ct_tensor *const used[] = {bias, gates, extra, output, hn, cn};
    release_given(used, sizeof used / sizeof *used);
    layer_clear(&l);
    return result->output && result->hn && result->cn;
}

/* ---- backward ---- */

/* Returns the initial value of a gradient that the engine accumulates: a copy of t, or zeros. The
 * caller owns the result. */
static ct_tensor *own_copy(const struct layer *l, ct_tensor *t, int64_t columns)
{
    int64_t shape[] = {l->batch, columns};
    if (!cti_is_given(t))
        return ct_own_zeros(ct_ints_of(shape, 2), l->dtype, l->input->storage->device, false);
    ct_tensor *cast = cti_cast(t, l->dtype),
              *out = cti_empty(2, shape, l->dtype, t->storage->device);
    if (!cast || !out || !cti_copy(out, cast))
        out = cti_replace_take(out, NULL);
    ct_release(cast);
    return out;
}

/* a^T b */
static ct_tensor *by_rows(ct_tensor *a, ct_tensor *b)
{
    ct_tensor *transposed = ct_own_t(a), *out = ct_own_mm(transposed, b);
    ct_release(transposed);
    return out;
}

struct back { /* the buffers of a backward call; owned */
    ct_tensor *grad_output, *h, *c, *gates, *last, *previous, *state, *unprojected;
    ct_tensor *inputs; /* the gradient of the inputs' part of all gates */
};

static void back_clear(struct back *b)
{
    release_given(&b->grad_output, sizeof *b / sizeof(ct_tensor *));
}

static bool run_back(struct back *b, const struct layer *l, struct cti_recur *w)
{
    bool gru = l->kind == CTI_RECUR_GRU, lstm = l->kind == CTI_RECUR_LSTM;
    bool projects = cti_is_given(l->weight_hr);
    b->gates = uninitialised(l, true, l->rows, cti_recur_gates(l->kind) * l->hidden);
    b->last = uninitialised(l, gru, l->rows, l->hidden);
    b->previous = uninitialised(l, true, l->rows, l->width);
    b->state = uninitialised(l, projects, l->rows, l->width);
    b->unprojected = uninitialised(l, projects, l->rows, l->hidden);
    if (!b->grad_output || !b->h || !b->c || !b->gates || !b->last || !b->previous || !b->state ||
        !b->unprojected)
        return false;
    w->backward = true;
    w->of.grad_output = cti_is_given(b->grad_output) ? b->grad_output : NULL;
    w->of.grad_h = b->h;
    w->of.grad_c = lstm ? b->c : NULL;
    w->of.grad_gates = b->gates;
    w->of.grad_last = unless_empty(b->last);
    w->of.previous = b->previous;
    w->of.grad_state = unless_empty(b->state);
    w->of.unprojected = unless_empty(b->unprojected);
    count_steps(l, true);
    if (!cti_run_on(&w->work, CTI_ENGINE_recur, l->input))
        return false;
    b->inputs = ct_retain(b->gates);
    if (gru) {
        ct_tensor *first = ct_own_narrow(b->gates, 1, 0, 2 * l->hidden);
        ct_tensor *both[] = {first, b->last};
        b->inputs = cti_replace_take(b->inputs, first ? ct_own_cat(ct_list_of(both, 2), 1) : NULL);
        ct_release(first);
    }
    return b->inputs != NULL;
}

/* Returns the gradient of the k-th tensor argument. The caller owns the result. */
static ct_tensor *recur_gradient(const struct back *b, const struct layer *l, int k)
{
    switch (k) {
    case 0:
        return ct_own_mm(b->inputs, l->weight_ih);
    case 1:
        return ct_retain(b->h);
    case 2:
        return ct_retain(b->c);
    case 3:
        return by_rows(b->inputs, l->input);
    case 4:
        return by_rows(b->gates, b->previous);
    case 5:
        return ct_own_sum(b->inputs, CT_INTS(0), false, CT_NO_DTYPE);
    case 6:
        return ct_own_sum(b->gates, CT_INTS(0), false, CT_NO_DTYPE);
    default:
        return by_rows(b->state, b->unprojected);
    }
}

bool cti_op__recur_backward(struct ct__recur_backward_result *result, ct_tensor *grad_output,
                            ct_tensor *grad_hn, ct_tensor *grad_cn, ct_tensor *input, ct_tensor *h0,
                            ct_tensor *c0, ct_tensor *weight_ih, ct_tensor *weight_hh,
                            ct_tensor *weight_hr, ct_tensor *output, ct_tensor *gates,
                            ct_tensor *extra, ct_ints sizes, int64_t kind, bool reverse,
                            int64_t wanted)
{
    ct_tensor *const arg[] = {input,     h0,           c0,           weight_ih,
                              weight_hh, CT_NO_TENSOR, CT_NO_TENSOR, weight_hr};
    struct layer l;
    if (!layer_of(&l, arg, sizes, kind))
        return false;
    struct back b = {.grad_output = recur_operand(grad_output, l.dtype)};
    ct_tensor *states = recur_operand(output, l.dtype);
    b.h = own_copy(&l, grad_hn, l.width);
    b.c = own_copy(&l, grad_cn, l.hidden);
    struct cti_recur w = recur_work(&l, sizes, reverse);
    bool good = states != NULL;
    if (good) {
        w.of.output = states;
        w.of.gates = gates;
        w.of.extra = unless_empty(extra);
        good = run_back(&b, &l, &w);
    }
    ct_tensor **const to[] = {&result->input,     &result->h0,        &result->c0,
                              &result->weight_ih, &result->weight_hh, &result->bias_ih,
                              &result->bias_hh,   &result->weight_hr};
    for (int k = 0; k < TENSORS && good; k++) {
        ct_tensor *made =
            wanted >> k & 1 ? recur_gradient(&b, &l, k) : uninitialised(&l, false, 0, 0);
        if (made && k == 0 && made->ndim == 2)
            made = cti_replace_take(made, ct_own_reshape(made, cti_shape_of(input)));
        *to[k] = made ? cti_cast(made, input->dtype) : NULL;
        ct_release(made);
        good = *to[k] != NULL;
    }
    ct_release(states);
    back_clear(&b);
    layer_clear(&l);
    return good;
}
