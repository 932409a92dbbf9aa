/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements ctc_loss: checks every length and label, because the engine trusts them, with
 * PyTorch's error messages; computes where each target begins; reduces the losses. */
#include "core/ctc.h"
#include "core/alloc.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"

#define CHECKING "(while checking arguments for ctc_loss_allocate_outputs)"

/* ---- the engine's arguments ---- */

struct prepared {
    ct_tensor *log_probs, *targets; /* owned */
    int64_t *first;                 /* owned */
    struct cti_ctc work;
};

static void ctc_clear(struct prepared *p)
{
    cti_release_all(p->log_probs, p->targets);
    cti_free(p->first);
}

static bool ctc_check_lengths(const char *name, ct_ints lengths, int64_t batch, int64_t most)
{
    if (lengths.n != batch)
        return cti_refuse(CT_ERR_RUNTIME, "%s must be of size batch_size", name);
    for (int64_t b = 0; b < batch; b++) {
        if (lengths.v[b] < 0)
            return cti_refuse(CT_ERR_RUNTIME,
                              "Expected %s to have value at least 0, but got value %lld " CHECKING,
                              name, (long long)lengths.v[b]);
        if (lengths.v[b] > most)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "Expected %s to have value at most %lld, but got value %lld " CHECKING, name,
                (long long)most, (long long)lengths.v[b]);
    }
    return true;
}

/* Computes each target's offset and the longest length. Targets are concatenated (1-d) or one per
 * row (2-d). */
static bool locate_targets(struct prepared *p, const ct_tensor *targets, ct_ints lengths)
{
    int64_t at = 0, longest = 0, batch = p->work.batch;
    for (int64_t b = 0; b < batch; b++) {
        p->first[b] = targets->ndim == 1 ? at : cti_mul_sat(b, targets->shape[1]);
        longest = lengths.v[b] > longest ? lengths.v[b] : longest;
        if (__builtin_add_overflow(at, lengths.v[b], &at))
            return cti_refuse(CT_ERR_RUNTIME, "target_lengths overflow");
    }
    p->work.longest = longest;
    if (targets->ndim == 1 && targets->shape[0] != at)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected tensor to have size %lld at dimension 0, but got size %lld for "
                          "argument #2 'targets' " CHECKING,
                          (long long)at, (long long)targets->shape[0]);
    if (targets->ndim == 2 && targets->shape[0] != batch)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected tensor to have size %lld at dimension 0, but got size %lld for "
                          "argument #2 'targets' " CHECKING,
                          (long long)batch, (long long)targets->shape[0]);
    if (targets->ndim == 2 && targets->shape[1] < longest)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected tensor to have size at least %lld at dimension 1, but got size "
                          "%lld for argument #2 'targets' " CHECKING,
                          (long long)longest, (long long)targets->shape[1]);
    return true;
}

static bool check_labels(const struct prepared *p, ct_ints lengths)
{
    for (int64_t b = 0; b < p->work.batch; b++)
        for (int64_t i = 0; i < lengths.v[b]; i++) {
            int64_t label = p->work.targets[p->first[b] + i];
            if (label < 0 || label >= p->work.classes)
                return cti_refuse(
                    CT_ERR_RUNTIME,
                    "Expected targets to have values in [0, %lld), but got value %lld",
                    (long long)p->work.classes, (long long)label);
        }
    return true;
}

static bool check_arguments(const ct_tensor *log_probs, const ct_tensor *targets, int64_t blank)
{
    if (log_probs->ndim != 3)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Expected 3-dimensional tensor, but got %d-dimensional tensor for argument "
            "#1 'log_probs' " CHECKING,
            log_probs->ndim);
    if (log_probs->dtype != CT_FLOAT32 && log_probs->dtype != CT_FLOAT64)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"ctc_loss_cpu\" not implemented for '%s'",
                          cti_dtype_scalar_name((enum ct_dtype)log_probs->dtype));
    if (blank < 0 || blank >= log_probs->shape[2])
        return cti_refuse(CT_ERR_RUNTIME, "blank must be in label range");
    if (targets->ndim != 1 && targets->ndim != 2)
        return cti_refuse(CT_ERR_RUNTIME, "targets tensor should be 1 or 2 dimensional");
    return true;
}

/* Checks the arguments and fills in the engine's work. On failure there is nothing to release. */
static bool ctc_prepare(struct prepared *p, ct_tensor *log_probs, ct_tensor *targets,
                        ct_ints inputs, ct_ints lengths, int64_t blank)
{
    *p = (struct prepared){0};
    if (!check_arguments(log_probs, targets, blank))
        return false;
    p->work = (struct cti_ctc){.dtype = (enum ct_dtype)log_probs->dtype,
                               .frames = log_probs->shape[0],
                               .batch = log_probs->shape[1],
                               .classes = log_probs->shape[2],
                               .blank = blank,
                               .input_lengths = inputs.v,
                               .target_lengths = lengths.v};
    if (!ctc_check_lengths("input_lengths", inputs, p->work.batch, p->work.frames) ||
        !ctc_check_lengths("target_lengths", lengths, p->work.batch, INT64_MAX / 4))
        return false;
    p->first = cti_calloc((size_t)p->work.batch + 1, sizeof *p->first);
    p->log_probs = cti_contiguous(log_probs);
    p->targets = cti_cast_contiguous(targets, CT_INT64);
    bool meta = log_probs->storage->device.type == CT_META; /* labels cannot be read */
    if (!meta)
        p->targets = cti_replace_take(p->targets, p->targets ? cti_host(p->targets) : NULL);
    if (p->first && p->log_probs && p->targets && locate_targets(p, targets, lengths)) {
        p->work.of.log_probs = p->log_probs;
        p->work.targets = (const int64_t *)cti_data(p->targets);
        p->work.first = p->first;
        if (meta || check_labels(p, lengths))
            return true;
    }
    ctc_clear(p);
    return false;
}

bool cti_op__ctc_loss(struct ct__ctc_loss_result *result, ct_tensor *log_probs, ct_tensor *targets,
                      ct_ints input_lengths, ct_ints target_lengths, int64_t blank,
                      bool zero_infinity)
{
    struct prepared p;
    (void)zero_infinity; /* used by the derivative */
    if (!ctc_prepare(&p, log_probs, targets, input_lengths, target_lengths, blank))
        return false;
    int64_t states = cti_add_sat(cti_mul_sat(2, p.work.longest), 1);
    int64_t shape[] = {p.work.batch, p.work.frames, states};
    struct ct_device device = log_probs->storage->device;
    result->loss = cti_empty(1, shape, p.work.dtype, device);
    result->log_alpha = cti_empty(3, shape, p.work.dtype, device);
    bool good = result->loss && result->log_alpha;
    if (good) {
        p.work.of.loss = result->loss;
        p.work.of.alpha = result->log_alpha;
        good = cti_run_on(&p.work.work, CTI_ENGINE_ctc, log_probs);
    }
    ctc_clear(&p);
    return good;
}

ct_tensor *cti_op__ctc_loss_backward(ct_tensor *upstream, ct_tensor *log_probs, ct_tensor *targets,
                                     ct_ints input_lengths, ct_ints target_lengths, ct_tensor *loss,
                                     ct_tensor *log_alpha, int64_t blank, bool zero_infinity)
{
    struct prepared p;
    if (!ctc_prepare(&p, log_probs, targets, input_lengths, target_lengths, blank))
        return NULL;
    ct_tensor *grad = cti_contiguous(upstream);
    ct_tensor *out = cti_empty(3, log_probs->shape, p.work.dtype, log_probs->storage->device);
    p.work.backward = true;
    p.work.of.loss = loss;
    p.work.of.alpha = log_alpha;
    p.work.of.grad_loss = grad;
    p.work.of.grad = out;
    p.work.zero_infinity = zero_infinity;
    if (!grad || !out || !cti_run_on(&p.work.work, CTI_ENGINE_ctc, log_probs))
        out = cti_replace_take(out, NULL);
    ct_release(grad);
    ctc_clear(&p);
    return out;
}

/* ---- the public rows ---- */

/* The mean of the losses, each divided by its target length. */
static ct_tensor *ctc_mean(ct_tensor *loss, ct_ints lengths)
{
    ct_tensor *n = cti_empty(1, &lengths.n, CT_INT64, (struct ct_device){CT_CPU, 0});
    if (!n)
        return NULL;
    for (int64_t b = 0; b < lengths.n; b++)
        ((int64_t *)cti_data(n))[b] = lengths.v[b] > 1 ? lengths.v[b] : 1;
    ct_tensor *divisor =
        ct_own_to(n, CT_NO_DTYPE, loss->storage->device, false, false, CT_PRESERVE_FORMAT);
    ct_tensor *scaled = ct_own_div(V(loss), V(divisor), NULL);
    ct_tensor *out = ct_own_mean(scaled, CT_NO_DIMS, false, CT_NO_DTYPE);
    cti_release_all(n, divisor, scaled);
    return out;
}

ct_tensor *cti_op_ctc_loss(ct_tensor *log_probs, ct_tensor *targets, ct_ints input_lengths,
                           ct_ints target_lengths, int64_t blank, int64_t reduction,
                           bool zero_infinity)
{
    bool single = log_probs->ndim == 1 || log_probs->ndim == 2;
    ct_tensor *probs = single ? ct_own_unsqueeze(log_probs, 1) : ct_retain(log_probs);
    ct_tensor *labels =
        single && targets->ndim == 1 ? ct_own_unsqueeze(targets, 0) : ct_retain(targets);
    struct ct__ctc_loss_result r = {0};
    if (probs && labels)
        r = ct_own__ctc_loss(probs, labels, input_lengths, target_lengths, blank, zero_infinity);
    ct_tensor *loss = r.loss;
    cti_release_all(r.log_alpha, probs, labels);
    if (zero_infinity && loss) {
        ct_tensor *endless = ct_own_eq(V(loss), ct_value_float(__builtin_inf()));
        loss = cti_replace_take(loss, ct_own_where(endless, ct_value_float(0), V(loss)));
        ct_release(endless);
    }
    if (reduction == 1 && loss)
        return cti_replace_take(loss, ctc_mean(loss, target_lengths));
    if (reduction == 2 && loss)
        return cti_replace_take(loss, ct_own_sum(loss, CT_NO_DIMS, false, CT_NO_DTYPE));
    return single && loss ? cti_replace_take(loss, ct_own_squeeze(loss, CT_INTS(0))) : loss;
}

/* Lengths as int64 on the host. Returns the owned tensor that holds them. */
static ct_tensor *ctc_lengths(ct_tensor *t, const char *name, ct_ints *lengths)
{
    if (!cti_is_integral((enum ct_dtype)t->dtype, false))
        return ct_fail(CT_ERR_RUNTIME, "%s must be integral", name);
    ct_tensor *line = cti_cast_contiguous(t, CT_INT64);
    line = cti_replace_take(line, line ? cti_host(line) : NULL);
    if (line)
        *lengths = ct_ints_of((const int64_t *)cti_data(line), line->numel);
    return line;
}

ct_tensor *cti_op_ctc_loss_Tensor(ct_tensor *log_probs, ct_tensor *targets,
                                  ct_tensor *input_lengths, ct_tensor *target_lengths,
                                  int64_t blank, int64_t reduction, bool zero_infinity)
{
    ct_ints inputs, lengths;
    ct_tensor *a = ctc_lengths(input_lengths, "input_lengths", &inputs);
    ct_tensor *b = a ? ctc_lengths(target_lengths, "target_lengths", &lengths) : NULL, *out = NULL;
    if (b)
        out = cti_op_ctc_loss(log_probs, targets, inputs, lengths, blank, reduction, zero_infinity);
    cti_release_all(a, b);
    return out;
}
