/* SPDX-License-Identifier: BSD-3-Clause */
/* LSTM layers for C programs, see corten/nn.h; names, order and initial values of weights are
 * nn.LSTM's. */
#include "core/alloc.h"
#include "nn/layer.h"

#include <math.h>
#include <stdio.h>

/* Adds the weights of one direction of one layer. */
static bool add_direction(ct_params *p, const char *name, int64_t layer, bool reverse, int64_t in,
                          int64_t hidden, bool bias, enum ct_dtype dtype)
{
    const char *part[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
    double bound = hidden > 0 ? 1 / sqrt((double)hidden) : 0;
    for (int i = 0; i < (bias ? 4 : 2); i++) {
        char member[64];
        int64_t shape[] = {4 * hidden, i == 0 ? in : hidden};
        snprintf(member, sizeof member, "%s_l%lld%s", part[i], (long long)layer,
                 reverse ? "_reverse" : "");
        ct_tensor *made = cti_layer_uniform(i < 2 ? 2 : 1, shape, dtype, bound);
        if (!cti_layer_add(p, name, member, made, true))
            return false;
    }
    return true;
}

struct ct_lstm_layer ct_new_lstm_ex(ct_params *p, const char *name, int64_t input_size,
                                    int64_t hidden_size, const struct ct_new_lstm_args *args)
{
    struct ct_new_lstm_args a = ct_new_lstm_defaults;
    cti_keywords_copy(&a, sizeof a, args);
    struct ct_lstm_layer none = {NULL};
    if (!cti_layer_check(p, name, "ct_new_lstm"))
        return none;
    if (hidden_size <= 0 || a.num_layers <= 0) {
        ct_fail(CT_ERR_VALUE, "%s must be greater than zero",
                hidden_size <= 0 ? "hidden_size" : "num_layers");
        return none;
    }
    int64_t directions = a.bidirectional ? 2 : 1, first = ct_params_count(p);
    for (int64_t i = 0; i < a.num_layers * directions; i++) {
        int64_t in = i < directions ? input_size : hidden_size * directions;
        if (!add_direction(p, name, i / directions, i % directions, in, hidden_size, a.bias,
                           cti_layer_dtype(a.dtype)))
            return none;
    }
    return (struct ct_lstm_layer){.params = p,
                                  .first = first,
                                  .nweights = ct_params_count(p) - first,
                                  .hidden_size = hidden_size,
                                  .num_layers = a.num_layers,
                                  .dropout = a.dropout,
                                  .bias = a.bias,
                                  .bidirectional = a.bidirectional,
                                  .batch_first = a.batch_first};
}

/* The default initial state: zeros. Owned. */
static ct_tensor *first_state(const struct ct_lstm_layer *l, const ct_tensor *x)
{
    bool batched = x->ndim == 3;
    int64_t shape[] = {l->num_layers * (l->bidirectional ? 2 : 1),
                       batched ? x->shape[l->batch_first ? 0 : 1] : l->hidden_size, l->hidden_size};
    ct_tensor *t = cti_empty(batched ? 3 : 2, shape, x->dtype, x->storage->device);
    return cti_take_if(t, t && ct_own_zero_(t));
}

struct ct_lstm_states ct_run_lstm(struct ct_lstm_layer l, ct_tensor *x, ct_tensor *h, ct_tensor *c)
{
    struct ct_lstm_states all = {NULL, NULL, NULL};
    if (!cti_check_tensor(x, "ct_run_lstm", "x") || !cti_check_optional(h, "ct_run_lstm", "h") ||
        !cti_check_optional(c, "ct_run_lstm", "c"))
        return all;
    if (!l.params) {
        ct_fail(CT_ERR_TYPE, "ct_run_lstm(): the layer has no weights");
        return all;
    }
    ct_tensor *hx[] = {h == CT_NO_TENSOR ? first_state(&l, x) : ct_retain(h),
                       c == CT_NO_TENSOR ? first_state(&l, x) : ct_retain(c)};
    ct_tensor **weight = cti_malloc((size_t)l.nweights * sizeof *weight);
    for (int64_t i = 0; weight && i < l.nweights; i++)
        weight[i] = ct_params_at(l.params, l.first + i);
    ct_list out = {NULL, 0};
    CTI_CALL_BEGIN("lstm");
    if (hx[0] && hx[1] && weight)
        out =
            ct_own_lstm(x, ct_list_of(hx, 2), ct_list_of(weight, l.nweights), l.bias, l.num_layers,
                        l.dropout, ct_params_is_training(l.params), l.bidirectional, l.batch_first);
    CTI_CALL_END("lstm", out.v ? out.v[0] : NULL);
    cti_free(weight);
    ct_release(hx[0]);
    ct_release(hx[1]);
    out = ct_scoped_list(out);
    return out.v ? (struct ct_lstm_states){out.v[0], out.v[1], out.v[2]} : all;
}

ct_tensor *ct_forward_lstm(struct ct_lstm_layer l, ct_tensor *x)
{
    return ct_run_lstm(l, x, CT_NO_TENSOR, CT_NO_TENSOR).output;
}
