/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills in the addresses in the structs of CTI_HAS_ADDRESSES engines from their tensors. A backend
 * does this just before it calls its engine function, so that code outside the backends handles
 * only tensors. Within a backend, one engine may call another directly, with addresses of scratch
 * memory and no tensors. */
#include "core/attend.h"
#include "core/ctc.h"
#include "core/factor.h"
#include "core/gemm.h"
#include "core/recur.h"

static void *address(const ct_tensor *t)
{
    return t ? cti_data(t) : NULL;
}

static void take_gemm(struct cti_gemm *w)
{
    w->a = address(w->of.a);
    w->b = address(w->of.b);
    w->c = address(w->of.c);
    w->bias = address(w->of.bias);
}

static void take_attend(struct cti_attend *w)
{
    w->query.data = address(w->of.query);
    w->key.data = address(w->of.key);
    w->value.data = address(w->of.value);
    w->out.data = address(w->of.out);
    w->mask = address(w->of.mask);
    w->logsumexp = address(w->of.logsumexp);
    w->grad.data = address(w->of.grad);
    w->grad_query.data = address(w->of.grad_query);
    w->grad_key.data = address(w->of.grad_key);
    w->grad_value.data = address(w->of.grad_value);
}

static void take_recur(struct cti_recur *w)
{
    w->weight = address(w->of.weight);
    w->projection = address(w->of.projection);
    w->bias = w->of.bias ? cti_data(w->of.bias) + 2 * w->hidden * cti_itemsize(w->dtype) : NULL;
    w->h0 = address(w->of.h0);
    w->c0 = address(w->of.c0);
    w->gates = address(w->of.gates);
    w->extra = address(w->of.extra);
    w->output = address(w->of.output);
    w->h = address(w->of.h);
    w->c = address(w->of.c);
    w->grad_output = address(w->of.grad_output);
    w->grad_h = address(w->of.grad_h);
    w->grad_c = address(w->of.grad_c);
    w->grad_gates = address(w->of.grad_gates);
    w->grad_last = address(w->of.grad_last);
    w->previous = address(w->of.previous);
    w->grad_state = address(w->of.grad_state);
    w->unprojected = address(w->of.unprojected);
}

static void take_ctc(struct cti_ctc *w)
{
    w->log_probs = address(w->of.log_probs);
    w->loss = address(w->of.loss);
    w->alpha = address(w->of.alpha);
    w->grad_loss = address(w->of.grad_loss);
    w->grad = address(w->of.grad);
}

static void take_factor(struct cti_factor *w)
{
    for (int i = 0; i < 4; i++)
        w->part[i].data = address(w->of.part[i]);
    w->info = address(w->of.info);
}

void cti_take_addresses(struct cti_work *work)
{
    void *w = work;
    if (work->engine == CTI_ENGINE_gemm)
        take_gemm(w);
    else if (work->engine == CTI_ENGINE_attend)
        take_attend(w);
    else if (work->engine == CTI_ENGINE_recur)
        take_recur(w);
    else if (work->engine == CTI_ENGINE_ctc)
        take_ctc(w);
    else if (work->engine == CTI_ENGINE_factor)
        take_factor(w);
}
