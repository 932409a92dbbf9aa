/* SPDX-License-Identifier: BSD-3-Clause */
/* Recurrent networks with layers and directions, over padded or packed sequences, and single cells.
 * Splits PyTorch's lists of states and weights, calls the operation _recur for each direction of
 * each layer and joins the results. All of these calls are differentiable. */
#include "core/alloc.h"
#include "core/recur.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"
#include "ops/recur/packed.h"

/* How autocast treats a network. Its linear parts compute in the lower precision. Where PyTorch
 * runs the whole network in one library call (always on a GPU; on the CPU an LSTM over sequences of
 * one length), states are cast too; elsewhere they keep their dtype, and PyTorch adds float32
 * states to half-precision gates. */
struct cast {
    bool on, states;
    enum ct_dtype dtype;
};

struct network {
    enum cti_recur_kind kind;
    ct_tensor *h0, *c0; /* [layers * directions, batch, ...]; borrowed */
    ct_list params;
    bool has_biases, projects;
    int64_t layers, directions;
    double dropout; /* 0 outside training */
    ct_ints sizes;
    struct cast cast;
    /* The last states, one per layer and direction; owned. */
    ct_tensor **hn, **cn;
};

static void free_tensors(ct_tensor **t, int64_t n)
{
    for (int64_t i = 0; t && i < n; i++)
        ct_release(t[i]);
    cti_free(t);
}

/* ---- one direction of one layer ---- */

/* The tensor arguments of the operation _recur, in its order. */
enum { INPUT, H0, C0, WEIGHT_IH, WEIGHT_HH, BIAS_IH, BIAS_HH, WEIGHT_HR, TENSORS };

static bool is_double(const ct_tensor *t)
{
    return cti_is_given(t) && t->dtype == CT_FLOAT64;
}

/* Whether all sequences have the same length: padded, or packed without gaps. */
static bool are_equal(ct_ints batch_sizes)
{
    return !batch_sizes.v || batch_sizes.n == 0 ||
           batch_sizes.v[0] == batch_sizes.v[batch_sizes.n - 1];
}

/* Returns how autocast treats a call; float64 is never cast. The caller then pauses autocast for
 * the rest of the call. */
static struct cast cast_of(enum cti_recur_kind kind, bool one_call, ct_tensor *input, ct_tensor *h,
                           ct_tensor *weight)
{
    struct cast c = {false};
    c.on = cti_autocast_on() && !is_double(input) && !is_double(h) && !is_double(weight) &&
           cti_autocast_of(input, &c.dtype);
    bool plain = kind == CTI_RECUR_TANH || kind == CTI_RECUR_RELU;
    /* The library supports half precision only through autocast. */
    bool other = input->dtype != CT_FLOAT32 && input->dtype != c.dtype;
    c.states = plain || (one_call && !other) || input->storage->device.type == CT_CUDA;
    return c;
}

/* Casts t to the layer's dtype; `rounds`: rounded to the lower precision first. Consumes t. */
static ct_tensor *rounded_take(const struct cast *c, ct_tensor *t, enum ct_dtype type, bool rounds)
{
    if (!t || t == CT_NO_TENSOR)
        return t;
    if (rounds)
        t = cti_replace_take(t, cti_autocast_cast(t, c->dtype));
    return t ? cti_replace_take(t, cti_autocast_cast(t, type)) : NULL;
}

/* Casts the tensor arguments, which t[] owns. */
static bool cast_layer(const struct cast *c, ct_tensor **t)
{
    const ct_tensor *state = t[C0] != CT_NO_TENSOR ? t[C0] : t[H0];
    /* States that keep their dtype are added to gates of the lower precision: in float32, unless
     * both have the same half type. */
    bool promote = !c->states && state->dtype != c->dtype;
    enum ct_dtype type = promote ? CT_FLOAT32 : c->dtype;
    bool good = true;
    for (int k = 0; k < TENSORS; k++) {
        t[k] = rounded_take(c, t[k], type, k != H0 && k != C0);
        good = good && t[k];
    }
    return good;
}

/* A projection is a linear part, so its results are cast to the lower precision. */
static bool cast_projected(const struct cast *c, struct ct__recur_result *r)
{
    r->output =
        cti_replace_take(r->output, r->output ? cti_autocast_cast(r->output, c->dtype) : NULL);
    r->hn = cti_replace_take(r->hn, r->hn ? cti_autocast_cast(r->hn, c->dtype) : NULL);
    return r->output && r->hn;
}

static void clear_result(struct ct__recur_result *r)
{
    cti_release_all(r->output, r->gates, r->extra, r->hn, r->cn);
    *r = (struct ct__recur_result){0};
}

/* Calls _recur, under autocast or not. given[]: borrowed; CT_NO_TENSOR if absent. */
static struct ct__recur_result run_row(const struct cast *c, ct_tensor *const *given, ct_ints sizes,
                                       enum cti_recur_kind kind, bool reverse)
{
    ct_tensor *t[TENSORS];
    for (int k = 0; k < TENSORS; k++)
        t[k] = given[k] == CT_NO_TENSOR ? CT_NO_TENSOR : ct_retain(given[k]);
    struct ct__recur_result r = {0};
    if (!c->on || cast_layer(c, t))
        r = ct_own__recur(t[INPUT], t[H0], t[C0], t[WEIGHT_IH], t[WEIGHT_HH], t[BIAS_IH],
                          t[BIAS_HH], t[WEIGHT_HR], sizes, (int64_t)kind, reverse);
    for (int k = 0; k < TENSORS; k++)
        if (t[k] != CT_NO_TENSOR)
            ct_release(t[k]);
    if (c->on && r.output && given[WEIGHT_HR] != CT_NO_TENSOR && !cast_projected(c, &r))
        clear_result(&r);
    return r;
}

/* Runs one direction of one layer and stores its last states. The caller owns the returned
 * output. */
static ct_tensor *run_direction(struct network *n, ct_tensor *input, int64_t i)
{
    int64_t each = 2 + 2 * n->has_biases + n->projects;
    ct_tensor *const *p = (ct_tensor *const *)n->params.v + i * each;
    ct_tensor *h0 = ct_own_select(n->h0, 0, i);
    ct_tensor *c0 = n->c0 ? ct_own_select(n->c0, 0, i) : CT_NO_TENSOR;
    struct ct__recur_result r = {0};
    if (h0 && c0) {
        ct_tensor *const t[TENSORS] = {input,
                                       h0,
                                       c0,
                                       p[0],
                                       p[1],
                                       n->has_biases ? p[2] : CT_NO_TENSOR,
                                       n->has_biases ? p[3] : CT_NO_TENSOR,
                                       n->projects ? p[each - 1] : CT_NO_TENSOR};
        r = run_row(&n->cast, t, n->sizes, n->kind, i % n->directions == 1);
    }
    ct_release(h0);
    if (c0 != CT_NO_TENSOR)
        ct_release(c0);
    cti_release_all(r.gates, r.extra);
    n->hn[i] = r.hn;
    n->cn[i] = r.cn;
    return r.output;
}

/* Runs all layers; returns the output of the last. The caller owns the result. */
static ct_tensor *run_layers(struct network *n, ct_tensor *input)
{
    ct_tensor *x = ct_retain(input);
    for (int64_t layer = 0; layer < n->layers && x; layer++) {
        ct_tensor *both[2] = {run_direction(n, x, layer * n->directions), NULL};
        if (both[0] && n->directions == 2) {
            both[1] = run_direction(n, x, layer * 2 + 1);
            ct_tensor *joined = both[1] ? ct_own_cat(ct_list_of(both, 2), -1) : NULL;
            both[0] = cti_replace_take(both[0], joined);
            ct_release(both[1]);
        }
        x = cti_replace_take(x, both[0]);
        if (x && n->dropout != 0 && layer + 1 < n->layers)
            x = cti_replace_take(x, ct_own_dropout(x, n->dropout, true));
    }
    return x;
}

/* Makes PyTorch's result list: output, hn and, for an LSTM, cn. Consumes the output. */
static ct_list network_results_take(struct network *n, ct_tensor *output)
{
    int64_t count = n->layers * n->directions, results = n->c0 ? 3 : 2;
    ct_tensor **v = output ? cti_calloc((size_t)results, sizeof *v) : NULL;
    if (!v) {
        ct_release(output);
        return CT_NO_LIST;
    }
    v[0] = output;
    v[1] = ct_own_stack(ct_list_of(n->hn, count), 0);
    if (n->c0 && v[1])
        v[2] = ct_own_stack(ct_list_of(n->cn, count), 0);
    return cti_list_take_if(v, results, v[results - 1] != NULL);
}

static bool check_network(const struct network *n, const ct_tensor *input)
{
    int64_t each = 2 + 2 * n->has_biases + n->projects,
            count = cti_mul_sat(n->layers, n->directions);
    if (n->layers < 1 || n->params.n != cti_mul_sat(count, each))
        return cti_refuse(CT_ERR_RUNTIME, "got an incorrect number of RNN parameters");
    if (input->ndim != (n->sizes.v ? 2 : 3))
        return cti_refuse(CT_ERR_RUNTIME, "input must have %d dimensions, got %d",
                          n->sizes.v ? 2 : 3, input->ndim);
    const ct_tensor *const state[] = {n->h0, n->c0};
    for (int i = 0; i < 2; i++)
        if (state[i] && (state[i]->ndim != 3 || state[i]->shape[0] != count))
            return cti_refuse(
                CT_ERR_RUNTIME,
                "Expected a hidden state of %lld layers and directions in 3 dimensions",
                (long long)count);
    return true;
}

static ct_list run_network(struct network *n, ct_tensor *input, double dropout, bool train)
{
    int64_t count = cti_mul_sat(n->layers, n->directions);
    n->dropout = train ? dropout : 0;
    n->projects =
        n->c0 && n->h0->ndim == 3 && n->c0->ndim == 3 && n->h0->shape[2] != n->c0->shape[2];
    if (!check_network(n, input))
        return CT_NO_LIST;
    bool one_call = n->kind == CTI_RECUR_LSTM && are_equal(n->sizes) && !n->projects;
    n->cast = cast_of(n->kind, one_call, input, n->h0, n->params.v[0]);
    CTI_AUTOCAST_PAUSE;
    n->hn = cti_calloc((size_t)count, sizeof *n->hn);
    n->cn = n->hn ? cti_calloc((size_t)count, sizeof *n->cn) : NULL;
    ct_list result = CT_NO_LIST;
    if (n->cn)
        result = network_results_take(n, run_layers(n, input));
    free_tensors(n->hn, n->hn ? count : 0);
    free_tensors(n->cn, n->cn ? count : 0);
    return result;
}

static struct network network(enum cti_recur_kind kind, ct_tensor *h0, ct_tensor *c0,
                              ct_list params, bool has_biases, int64_t layers, bool bidirectional)
{
    return (struct network){.kind = kind,
                            .h0 = h0,
                            .c0 = c0,
                            .params = params,
                            .has_biases = has_biases,
                            .layers = layers,
                            .directions = 1 + bidirectional};
}

/* ---- padded sequences ---- */

static ct_list run_padded(struct network *n, ct_tensor *input, double dropout, bool train,
                          bool batch_first)
{
    n->sizes = CT_NO_DIMS;
    if (!batch_first || input->ndim != 3)
        return run_network(n, input, dropout, train);
    ct_tensor *transposed = ct_own_transpose(input, 0, 1);
    ct_list result = transposed ? run_network(n, transposed, dropout, train) : CT_NO_LIST;
    ct_tensor **v = (ct_tensor **)(uintptr_t)result.v;
    ct_release(transposed);
    if (v)
        v[0] = cti_replace_take(v[0], ct_own_transpose(v[0], 0, 1));
    return cti_list_take_if(v, result.n, v && v[0]);
}

ct_list cti_op_lstm(ct_tensor *input, ct_list hx, ct_list params, bool has_biases,
                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                    bool batch_first)
{
    if (hx.n != 2)
        return cti_no_list(ct_fail(CT_ERR_RUNTIME, "lstm expects two hidden states"));
    struct network n =
        network(CTI_RECUR_LSTM, hx.v[0], hx.v[1], params, has_biases, num_layers, bidirectional);
    return run_padded(&n, input, dropout, train, batch_first);
}

/* A network with one state: `kind` is a cti_recur_kind other than CTI_RECUR_LSTM. */
ct_list cti_op_rnn(ct_tensor *input, ct_tensor *hx, ct_list params, bool has_biases,
                   int64_t num_layers, double dropout, bool train, bool bidirectional,
                   bool batch_first, int kind)
{
    struct network n =
        network((enum cti_recur_kind)kind, hx, NULL, params, has_biases, num_layers, bidirectional);
    return run_padded(&n, input, dropout, train, batch_first);
}

/* ---- packed sequences ---- */

/* Check the numbers here, because the engine trusts them. */
bool cti_check_batch_sizes(ct_tensor *data, ct_tensor *batch_sizes, ct_ints *sizes)
{
    if (batch_sizes->ndim != 1 || batch_sizes->dtype != CT_INT64 ||
        batch_sizes->storage->device.type != CT_CPU ||
        (batch_sizes->shape[0] > 1 && batch_sizes->stride[0] != 1))
        return cti_refuse(CT_ERR_RUNTIME,
                          "batch_sizes must be a contiguous tensor of int64 with one "
                          "dimension on the CPU");
    const int64_t *v = (const int64_t *)cti_data(batch_sizes);
    int64_t rows = 0, n = batch_sizes->shape[0];
    for (int64_t t = 0; t < n; t++) {
        if (v[t] < 1 || (t && v[t] > v[t - 1]) || data->ndim < 1 || v[t] > data->shape[0] - rows)
            return cti_refuse(CT_ERR_RUNTIME,
                              "batch_sizes must be positive, not increase, and sum up "
                              "to the rows of the packed data");
        rows += v[t];
    }
    if (n == 0 || rows != data->shape[0])
        return cti_refuse(CT_ERR_RUNTIME, "batch_sizes must be positive, not increase, and sum up "
                                          "to the rows of the packed data");
    *sizes = ct_ints_of(v, n);
    return true;
}

static ct_list packed(struct network *n, ct_tensor *data, ct_tensor *batch_sizes, double dropout,
                      bool train)
{
    if (!cti_check_batch_sizes(data, batch_sizes, &n->sizes))
        return CT_NO_LIST;
    return run_network(n, data, dropout, train);
}

ct_list cti_op_lstm_data(ct_tensor *data, ct_tensor *batch_sizes, ct_list hx, ct_list params,
                         bool has_biases, int64_t num_layers, double dropout, bool train,
                         bool bidirectional)
{
    if (hx.n != 2)
        return cti_no_list(ct_fail(CT_ERR_RUNTIME, "lstm expects two hidden states"));
    struct network n =
        network(CTI_RECUR_LSTM, hx.v[0], hx.v[1], params, has_biases, num_layers, bidirectional);
    return packed(&n, data, batch_sizes, dropout, train);
}

ct_list cti_op_rnn_data(ct_tensor *data, ct_tensor *batch_sizes, ct_tensor *hx, ct_list params,
                        bool has_biases, int64_t num_layers, double dropout, bool train,
                        bool bidirectional, int kind)
{
    struct network n =
        network((enum cti_recur_kind)kind, hx, NULL, params, has_biases, num_layers, bidirectional);
    return packed(&n, data, batch_sizes, dropout, train);
}

/* ---- cells ---- */

/* Runs one step. An input of one dim is a batch of one. */
static struct ct__recur_result step(enum cti_recur_kind kind, ct_tensor *input, ct_tensor *h,
                                    ct_tensor *c, ct_tensor *w_ih, ct_tensor *w_hh, ct_tensor *b_ih,
                                    ct_tensor *b_hh)
{
    struct ct__recur_result r = {0};
    bool single = input->ndim == 1 && h->ndim == 1 && (c == CT_NO_TENSOR || c->ndim == 1);
    if (!single && (input->ndim != 2 || h->ndim != 2 || input->shape[0] != h->shape[0])) {
        ct_fail(CT_ERR_RUNTIME, "Input batch size %lld doesn't match hidden0 batch size %lld",
                (long long)(input->ndim ? input->shape[0] : 0),
                (long long)(h->ndim ? h->shape[0] : 0));
        return r;
    }
    ct_tensor *three = ct_own_unsqueeze(input, 0), *h2 = ct_retain(h), *c2 = c;
    if (single) {
        three = cti_replace_take(three, ct_own_unsqueeze(three, 0));
        h2 = cti_replace_take(h2, ct_own_unsqueeze(h, 0));
        c2 = c == CT_NO_TENSOR ? c : ct_own_unsqueeze(c, 0);
    }
    struct cast cast = cast_of(kind, false, input, h, w_ih);
    CTI_AUTOCAST_PAUSE;
    if (three && h2 && c2) {
        ct_tensor *const t[TENSORS] = {three, h2, c2, w_ih, w_hh, b_ih, b_hh, CT_NO_TENSOR};
        r = run_row(&cast, t, CT_NO_DIMS, kind, false);
    }
    cti_release_all(three, h2);
    if (single && c2 != CT_NO_TENSOR)
        ct_release(c2);
    cti_release_all(r.output, r.gates, r.extra);
    if (single && r.hn) {
        r.hn = cti_replace_take(r.hn, ct_own_squeeze(r.hn, CT_INTS(0)));
        if (c != CT_NO_TENSOR)
            r.cn = cti_replace_take(r.cn, ct_own_squeeze(r.cn, CT_INTS(0)));
    }
    return r;
}

ct_list cti_op_lstm_cell(ct_tensor *input, ct_list hx, ct_tensor *w_ih, ct_tensor *w_hh,
                         ct_tensor *b_ih, ct_tensor *b_hh)
{
    if (hx.n != 2)
        return cti_no_list(ct_fail(CT_ERR_RUNTIME, "lstm_cell expects two hidden states"));
    ct_tensor **v = cti_calloc(2, sizeof *v);
    if (!v)
        return CT_NO_LIST;
    struct ct__recur_result r =
        step(CTI_RECUR_LSTM, input, hx.v[0], hx.v[1], w_ih, w_hh, b_ih, b_hh);
    v[0] = r.hn;
    v[1] = r.cn;
    return cti_list_take_if(v, 2, v[0] && v[1]);
}

ct_tensor *cti_op_rnn_cell(ct_tensor *input, ct_tensor *hx, ct_tensor *w_ih, ct_tensor *w_hh,
                           ct_tensor *b_ih, ct_tensor *b_hh, int kind)
{
    struct ct__recur_result r =
        step((enum cti_recur_kind)kind, input, hx, CT_NO_TENSOR, w_ih, w_hh, b_ih, b_hh);
    ct_release(r.cn);
    return r.hn;
}
