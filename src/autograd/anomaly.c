/* SPDX-License-Identifier: BSD-3-Clause */
/* Anomaly mode: finds the call whose gradient failed or became NaN. While the mode is on, the
 * binding is notified of each new node, so that it can record the program's stack trace, and of the
 * node that failed. Called by cti_node_new and the engine, only while the mode is on. */
#include "autograd/internal.h"

#include "corten/own.h"

struct cti_anomaly cti_anomaly = {.check_nan = true};
static struct ct_anomaly_hooks hooks;
static __thread struct cti_node *running __attribute__((tls_model("initial-exec")));

void ct_set_anomaly_hooks(const struct ct_anomaly_hooks *given)
{
    hooks = given ? *given : (struct ct_anomaly_hooks){NULL};
}

void ct_set_anomaly_enabled(bool on, bool check_nan)
{
    cti_anomaly.on = on;
    cti_anomaly.check_nan = check_nan;
}

bool ct_is_anomaly_enabled(void)
{
    return cti_anomaly.on;
}

bool ct_is_anomaly_check_nan_enabled(void)
{
    return cti_anomaly.check_nan;
}

void cti_anomaly_made(struct cti_node *n)
{
    if (hooks.made && !n->type->unreported)
        hooks.made(n, running);
}

static bool has_nan(ct_tensor *t)
{
    ct_tensor *nan = ct_own_isnan(t), *any = nan ? ct_own_any(nan, CT_NO_DIMS, false) : NULL;
    bool found = any && ct_item_value(any).as.b;
    cti_release_all(nan, any);
    return found;
}

static bool check_nan(struct cti_node *n, ct_tensor *const *out)
{
    bool mode = cti_grad_pause(), good = true;
    for (int32_t i = 0; i < n->nedges && good; i++)
        if (out[i] && has_nan(out[i]))
            good =
                cti_refuse(CT_ERR_RUNTIME, "Function '%s' returned nan values in its %dth output.",
                           cti_node_name(n), i);
    cti_grad_restore(mode);
    return good;
}

struct cti_node *cti_anomaly_begin(struct cti_node *n)
{
    struct cti_node *outer = running;
    running = n;
    return outer;
}

bool cti_anomaly_end(struct cti_node *n, struct cti_node *outer, bool good, ct_tensor *const *out)
{
    running = outer;
    if (!cti_anomaly.on) /* the mode was switched off meanwhile */
        return good;
    if (good && cti_anomaly.check_nan)
        good = check_nan(n, out);
    if (!good && hooks.failed)
        hooks.failed(n);
    return good;
}
