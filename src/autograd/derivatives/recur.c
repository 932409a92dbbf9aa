/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of one direction of one layer of a recurrent network, for
 * src/ops/recur/recur.toml. A plain backward runs the recur engine. A derivative that is to be
 * differentiated again recomputes the layer step by step with differentiable operations and
 * differentiates those. */
#include "autograd/derivatives/derivatives.h"

#include "core/alloc.h"
#include "core/recur.h"
#include "core/shape.h"
#include "corten/macros.h"

#include <string.h>

enum { TENSORS = 8 };

/* ---- recomputing the layer ---- */

/* The tensors of the layer, as aliases, so that each has a separate gradient. */
struct layer {
    ct_tensor *t[TENSORS]; /* input [rows, n], h0, c0, weight_ih, weight_hh, biases, weight_hr */
    enum cti_recur_kind kind;
    int64_t steps, batch;
    ct_ints sizes;
};

static ct_tensor *part(ct_tensor *gates, int64_t i, int64_t hidden)
{
    return ct_own_narrow(gates, 1, i * hidden, hidden);
}

static ct_tensor *added(ct_tensor *a, ct_tensor *b)
{
    return ct_own_add(V(a), V(b), ct_value_int(1));
}

/* f(a + b) of gate i. */
static ct_tensor *gate_activation(ct_tensor *a, ct_tensor *b, int64_t i, int64_t hidden,
                                  ct_tensor *(*f)(ct_tensor *))
{
    ct_tensor *x = part(a, i, hidden), *y = part(b, i, hidden), *sum = added(x, y);
    ct_tensor *out = f(sum);
    cti_release_all(x, y, sum);
    return out;
}

static ct_tensor *step_lstm(const struct layer *l, ct_tensor *a, ct_tensor *b, ct_tensor **c)
{
    int64_t n = l->t[4]->shape[0] / 4;
    ct_tensor *in = gate_activation(a, b, 0, n, ct_own_sigmoid),
              *forget = gate_activation(a, b, 1, n, ct_own_sigmoid);
    ct_tensor *fresh = gate_activation(a, b, 2, n, ct_own_tanh),
              *open = gate_activation(a, b, 3, n, ct_own_sigmoid);
    ct_tensor *kept = ct_own_mul(V(forget), V(*c)), *more = ct_own_mul(V(in), V(fresh));
    ct_tensor *cell = added(kept, more), *t = ct_own_tanh(cell);
    ct_tensor *h = ct_own_mul(V(open), V(t));
    if (cti_is_given(l->t[7]))
        h = cti_replace_take(h, h ? ct_own_linear(h, l->t[7], CT_NO_TENSOR) : NULL);
    ct_tensor *const used[] = {in, forget, fresh, open, kept, more, t, *c};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    *c = cell;
    return h;
}

static ct_tensor *step_gru(const struct layer *l, ct_tensor *a, ct_tensor *b, ct_tensor *h)
{
    int64_t n = l->t[4]->shape[0] / 3;
    ct_tensor *reset = gate_activation(a, b, 0, n, ct_own_sigmoid),
              *stay = gate_activation(a, b, 1, n, ct_own_sigmoid);
    ct_tensor *x = part(a, 2, n), *y = part(b, 2, n), *some = ct_own_mul(V(reset), V(y));
    ct_tensor *sum = added(x, some), *fresh = ct_own_tanh(sum);
    ct_tensor *out = fresh && h && stay ? ct_own_lerp(fresh, h, V(stay)) : NULL;
    ct_tensor *const used[] = {reset, stay, x, y, some, sum, fresh};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        ct_release(used[i]);
    return out;
}

/* Replaces the first rows of `old` by `fresh`. Consumes both. */
static ct_tensor *over_take(ct_tensor *fresh, ct_tensor *old)
{
    if (fresh && old && fresh->shape[0] < old->shape[0]) {
        int64_t n = fresh->shape[0];
        ct_tensor *rest = ct_own_narrow(old, 0, n, old->shape[0] - n);
        ct_tensor *both[] = {fresh, rest},
                  *joined = rest ? ct_own_cat(ct_list_of(both, 2), 0) : NULL;
        cti_release_all(rest, fresh);
        fresh = joined;
    }
    ct_release(old);
    return fresh;
}

/* One step of `rows` rows. *h and *c become the states after it. Returns the new rows of h,
 * owned. */
static ct_tensor *recompute_step(const struct layer *l, ct_tensor *gates, int64_t first,
                                 int64_t rows, ct_tensor **h, ct_tensor **c)
{
    ct_tensor *a = ct_own_narrow(gates, 0, first, rows), *old = ct_own_narrow(*h, 0, 0, rows);
    ct_tensor *b = old ? ct_own_linear(old, l->t[4], l->t[6]) : NULL, *out = NULL;
    if (a && b && l->kind == CTI_RECUR_LSTM) {
        ct_tensor *cell = ct_own_narrow(*c, 0, 0, rows);
        out = cell ? step_lstm(l, a, b, &cell) : NULL;
        *c = over_take(cell, *c);
    } else if (a && b && l->kind == CTI_RECUR_GRU) {
        out = step_gru(l, a, b, old);
    } else if (a && b) {
        ct_tensor *sum = added(a, b);
        out = l->kind == CTI_RECUR_RELU ? ct_own_relu(sum) : ct_own_tanh(sum);
        ct_release(sum);
    }
    cti_release_all(a, b, old);
    *h = over_take(out ? ct_retain(out) : NULL, *h);
    return out;
}

/* All steps: stores the output, the last h and the last c (or absent), owned. */
static bool recompute_layer(const struct layer *l, bool reverse, ct_tensor **results)
{
    ct_tensor *gates = ct_own_linear(l->t[0], l->t[3], l->t[5]);
    ct_tensor *h = ct_retain(l->t[1]),
              *c = cti_is_given(l->t[2]) ? ct_retain(l->t[2]) : CT_NO_TENSOR;
    ct_tensor **out = cti_calloc((size_t)l->steps, sizeof *out);
    int64_t row = reverse ? l->t[0]->shape[0] : 0;
    bool good = gates && out;
    for (int64_t i = 0; good && i < l->steps; i++) {
        int64_t t = reverse ? l->steps - 1 - i : i, rows = l->sizes.v ? l->sizes.v[t] : l->batch;
        row -= reverse ? rows : 0;
        out[t] = recompute_step(l, gates, row, rows, &h, &c);
        row += reverse ? 0 : rows;
        good = out[t] && h && c;
    }
    results[0] = good ? ct_own_cat(ct_list_of(out, l->steps), 0) : NULL;
    results[1] = h;
    results[2] = c;
    for (int64_t i = 0; out && i < l->steps; i++)
        ct_release(out[i]);
    cti_free(out);
    ct_release(gates);
    return results[0] && h && c;
}

/* The gradients of the recomputed results with respect to the wanted tensors of the layer. */
static bool gradients_of(ct_tensor *const *results, ct_tensor *const *ups, const struct layer *l,
                         const bool *wanted, ct_tensor **out)
{
    ct_tensor *outputs[3], *given_up[3], *inputs[TENSORS], *made[TENSORS] = {NULL};
    int64_t n = 0, m = 0;
    for (int i = 0; i < 3; i++)
        if (cti_is_given(ups[i]) && cti_is_given(results[i]) && cti_wants_grad(results[i])) {
            outputs[n] = results[i];
            given_up[n++] = ups[i];
        }
    for (int i = 0; i < TENSORS; i++)
        if (wanted[i])
            inputs[m++] = l->t[i];
    if (n && !ct_autograd_gradients(ct_list_of(outputs, n), ct_list_of(inputs, m),
                                    ct_list_of(given_up, n), true, true, true, made))
        return false;
    m = 0;
    for (int i = 0; i < TENSORS; i++)
        if (wanted[i])
            out[i] = made[m] ? made[m++] : (m++, CT_NO_TENSOR);
    return true;
}

static bool recur_recorded(ct_tensor *const *ups, ct_tensor *const *arg, ct_ints sizes,
                           int64_t kind, bool reverse, const bool *wanted, ct_tensor **out)
{
    struct layer l = {.kind = (enum cti_recur_kind)kind, .sizes = sizes};
    ct_tensor *results[3] = {NULL, NULL, NULL}, *flat[3] = {ups[0], ups[1], ups[2]};
    const ct_tensor *x = arg[0];
    int64_t lines = sizes.v ? x->shape[0] : cti_mul_sat(x->shape[0], x->shape[1]);
    int64_t shape[] = {lines, x->shape[x->ndim - 1]};
    int64_t width[] = {shape[0], arg[1]->shape[1]};
    bool good = true;
    l.steps = sizes.v ? sizes.n : x->shape[0];
    l.batch = arg[1]->shape[0];
    for (int i = 0; i < TENSORS; i++) {
        l.t[i] = cti_is_given(arg[i]) ? ct_own_view_as(arg[i], arg[i]) : CT_NO_TENSOR;
        good = good && l.t[i];
    }
    ct_tensor *whole = l.t[0];
    l.t[0] = good ? ct_own_reshape(whole, ct_ints_of(shape, 2)) : NULL;
    good = l.t[0] && recompute_layer(&l, reverse, results);
    if (cti_is_given(ups[0]))
        flat[0] = ct_own_reshape(ups[0], ct_ints_of(width, 2));
    ct_tensor *rows = l.t[0];
    l.t[0] = whole;
    good = good && flat[0] && gradients_of(results, flat, &l, wanted, out);
    if (cti_is_given(ups[0]))
        ct_release(flat[0]);
    ct_release(rows);
    for (int i = 0; i < TENSORS; i++)
        if (cti_is_given(l.t[i]))
            ct_release(l.t[i]);
    for (int i = 0; i < 3; i++)
        if (cti_is_given(results[i]))
            ct_release(results[i]);
    return good;
}

bool cti_grad_recur(const struct cti_node *node, ct_tensor *const *grads, ct_tensor *input,
                    ct_tensor *h0, ct_tensor *c0, ct_tensor *weight_ih, ct_tensor *weight_hh,
                    ct_tensor *bias_ih, ct_tensor *bias_hh, ct_tensor *weight_hr, ct_tensor *output,
                    ct_tensor *gates, ct_tensor *extra, ct_ints sizes, int64_t kind, bool reverse,
                    const bool *wanted, ct_tensor **out)
{
    (void)node;
    ct_tensor *const arg[] = {input, h0, c0, weight_ih, weight_hh, bias_ih, bias_hh, weight_hr};
    ct_tensor *ups[] = {grads[0], grads[3], grads[4]};
    for (int i = 0; i < 3; i++)
        ups[i] = ups[i] ? ups[i] : CT_NO_TENSOR;
    if (cti_grad_on())
        return recur_recorded(ups, arg, sizes, kind, reverse, wanted, out);
    int64_t bits = 0;
    for (int i = 0; i < TENSORS; i++)
        bits |= (int64_t)wanted[i] << i;
    struct ct__recur_backward_result r =
        ct_own__recur_backward(ups[0], ups[1], ups[2], input, h0, c0, weight_ih, weight_hh,
                               weight_hr, output, gates, extra, sizes, kind, reverse, bits);
    ct_tensor *const made[] = {r.input,     r.h0,      r.c0,      r.weight_ih,
                               r.weight_hh, r.bias_ih, r.bias_hh, r.weight_hr};
    bool good = true;
    for (int i = 0; i < TENSORS; i++) {
        good = good && made[i];
        if (wanted[i])
            out[i] = made[i];
        else
            ct_release(made[i]);
    }
    return good;
}
