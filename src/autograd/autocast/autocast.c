/* SPDX-License-Identifier: BSD-3-Clause */
/* Autocast: the state of each thread, and the casts of the arguments of a call; see autocast.h.
 * Called by generated entry points and by bindings. */
#include "autograd/autocast/autocast.h"

#include "autograd/autograd.h"
#include "core/alloc.h"
#include "core/check_args.h"
#include "corten/autograd.h"
#include "corten/own.h"

#include <limits.h>

__thread struct cti_autocast_mode cti_autocast_mode;

/* ---- the mode ---- */

/* -1: a device type without autocast. */
static int autocast_kind_of(enum ct_device_type type)
{
    return type == CT_CPU ? CTI_AUTOCAST_CPU : type == CT_CUDA ? CTI_AUTOCAST_CUDA : -1;
}

/* The same for an argument that a program passes: an invalid type is an error. */
static int given_kind(enum ct_device_type type, const char *function)
{
    return cti_check_device((struct ct_device){type, -1}, function, "type") ? autocast_kind_of(type)
                                                                            : -1;
}

static enum ct_dtype smaller(int kind)
{
    enum ct_dtype usual = kind == CTI_AUTOCAST_CUDA ? CT_FLOAT16 : CT_BFLOAT16;
    uint8_t dtype = cti_autocast_mode.dtype[kind];
    return dtype ? (enum ct_dtype)dtype : usual;
}

bool ct_autocast_enabled(enum ct_device_type type)
{
    int kind = given_kind(type, "ct_autocast_enabled");
    return kind >= 0 && (cti_autocast_mode.requested >> kind & 1);
}

enum ct_dtype ct_autocast_dtype(enum ct_device_type type)
{
    int kind = given_kind(type, "ct_autocast_dtype");
    return kind >= 0 ? smaller(kind) : CT_NO_DTYPE;
}

void ct_set_autocast(enum ct_device_type type, bool on, enum ct_dtype dtype)
{
    int kind = given_kind(type, "ct_set_autocast");
    if (!cti_check_dtype(dtype, "ct_set_autocast", "dtype") || kind < 0)
        return;
    struct cti_autocast_mode *m = &cti_autocast_mode;
    uint8_t bit = (uint8_t)(1 << kind), set = on ? bit : 0;
    m->requested = (uint8_t)((m->requested & ~bit) | set);
    m->on = (uint8_t)((m->on & ~bit) | set);
    m->dtype[kind] = (uint8_t)dtype;
}

int ct_autocast_nest(int step)
{
    /* Saturates, like any count, instead of overflowing for a wrong step. */
    int *nesting = &cti_autocast_mode.nesting;
    if (__builtin_add_overflow(*nesting, step, nesting))
        *nesting = step < 0 ? INT_MIN : INT_MAX;
    return *nesting;
}

bool ct_autocast_cache(void)
{
    return !cti_autocast_mode.cache_off;
}

void ct_set_autocast_cache(bool on)
{
    cti_autocast_mode.cache_off = !on;
}

/* ---- one tensor ---- */

/* Whether autocast may cast t: half and single precision. */
static bool is_cast(const ct_tensor *t)
{
    return t->dtype >= CT_FLOAT16 && t->dtype < CT_FLOAT64;
}

bool cti_autocast_of(const ct_tensor *t, enum ct_dtype *dtype)
{
    int kind = autocast_kind_of(t->storage->device.type);
    if (kind < 0 || !(cti_autocast_mode.on >> kind & 1))
        return false;
    *dtype = smaller(kind);
    return true;
}

/* Whether the cast of t is cached: for parameters, unless t is dual, because a tangent needs a
 * recorded cast. */
static bool is_kept(const ct_tensor *t, enum ct_dtype dtype)
{
    return dtype < CT_FLOAT32 && t->dtype == CT_FLOAT32 && (t->flags & CTI_REQUIRES_GRAD) &&
           !t->base && !cti_autocast_mode.cache_off && !cti_grad_mode.inference &&
           !cti_grad_mode.duals && ct_is_leaf(t);
}

ct_tensor *cti_autocast_cast(ct_tensor *t, enum ct_dtype dtype)
{
    if (!is_cast(t) || t->dtype == (uint8_t)dtype)
        return ct_retain(t);
    return is_kept(t, dtype) ? cti_autocast_cached(t, dtype) : ct_own_to_dtype(t, dtype);
}

/* ---- one call ---- */

void cti_autocast_see(struct cti_autocast *c, const ct_tensor *t)
{
    int kind = cti_is_given(t) ? autocast_kind_of(t->storage->device.type) : -1;
    if (kind < 0)
        return;
    if (!c->kinds)
        for (int k = 0; k < CTI_AUTOCAST_KINDS; k++)
            c->most[k] = smaller(k);
    c->kinds |= (uint8_t)(1 << kind);
    if (!is_cast(t))
        return;
    enum ct_dtype *most = &c->most[kind], dtype = t->dtype;
    if (*most == CT_FLOAT32 || dtype == CT_FLOAT32)
        *most = CT_FLOAT32;
    else if (dtype != *most)
        c->mixed[kind] = true;
}

void cti_autocast_see_value(struct cti_autocast *c, ct_value v)
{
    if (v.kind == CT_VALUE_TENSOR)
        cti_autocast_see(c, v.as.tensor);
}

void cti_autocast_see_list(struct cti_autocast *c, ct_list list)
{
    for (int64_t i = 0; i < list.n; i++)
        cti_autocast_see(c, list.v[i]);
}

static bool refuse(void)
{
    return cti_refuse(
        CT_ERR_RUNTIME,
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
        "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
        "In this case, combine the two layers using "
        "torch.nn.functional.binary_cross_entropy_with_logits\n"
        "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
        "safe to autocast.");
}

bool cti_autocast_begin(struct cti_autocast *c)
{
    int kind = CTI_AUTOCAST_KINDS - 1;
    while (kind >= 0 && !(c->kinds & cti_autocast_mode.on & 1 << kind && c->to[kind]))
        kind--;
    if (kind < 0)
        return false;
    c->kind = (enum cti_autocast_kind)kind;
    c->was = cti_autocast_mode.on;
    cti_autocast_mode.on &= (uint8_t) ~(1 << kind);
    switch (c->to[kind]) {
    case CTI_AUTOCAST_NONE:
    case CTI_AUTOCAST_RESULT:
        break;
    case CTI_AUTOCAST_LOW:
        c->dtype = smaller(kind);
        break;
    case CTI_AUTOCAST_FULL:
        c->dtype = CT_FLOAT32;
        break;
    case CTI_AUTOCAST_WIDEST:
        c->dtype = c->most[kind];
        c->failed = c->mixed[kind] &&
                    !cti_refuse(CT_ERR_RUNTIME,
                                "Unexpected floating ScalarType in at::autocast::prioritize");
        break;
    case CTI_AUTOCAST_REFUSED:
        c->failed = !refuse();
        break;
    }
    return true;
}

static bool concerns(const struct cti_autocast *c, const ct_tensor *t)
{
    return c->to[c->kind] != CTI_AUTOCAST_RESULT && is_cast(t) && t->dtype != (uint8_t)c->dtype &&
           autocast_kind_of(t->storage->device.type) == (int)c->kind;
}

ct_tensor *cti_autocast_tensor(struct cti_autocast *c, ct_tensor *t)
{
    if (c->failed)
        return NULL;
    if (!t || t == CT_NO_TENSOR || !concerns(c, t))
        return t;
    return c->made[c->n++] = cti_autocast_cast(t, c->dtype);
}

ct_value cti_autocast_value(struct cti_autocast *c, ct_value v)
{
    if (v.kind != CT_VALUE_TENSOR)
        return v;
    ct_tensor *t = cti_autocast_tensor(c, v.as.tensor);
    return t ? ct_value_tensor(t) : (ct_value){.kind = CT_VALUE_NULL};
}

ct_list cti_autocast_list(struct cti_autocast *c, ct_list list)
{
    bool any = c->failed;
    for (int64_t i = 0; i < list.n; i++)
        any = any || (list.v[i] != CT_NO_TENSOR && concerns(c, list.v[i]));
    if (!any)
        return list;
    c->list = c->failed ? NULL : cti_calloc((size_t)list.n + 1, sizeof *c->list);
    if (!c->list)
        return (ct_list){NULL, 0};
    for (int64_t i = 0; i < list.n; i++) {
        ct_tensor *t = list.v[i];
        bool absent = t == CT_NO_TENSOR;
        c->list[i] = absent ? t : concerns(c, t) ? cti_autocast_cast(t, c->dtype) : ct_retain(t);
        c->listed++;
    }
    return ct_list_of(c->list, list.n);
}

enum ct_dtype cti_autocast_dtype(const struct cti_autocast *c, const ct_tensor *first,
                                 enum ct_dtype dtype)
{
    bool given = dtype != CT_NO_DTYPE || c->to[c->kind] != CTI_AUTOCAST_RESULT;
    return !given && first && is_cast(first) ? CT_FLOAT32 : dtype;
}

void cti_autocast_end(struct cti_autocast *c)
{
    for (int64_t i = 0; i < c->n; i++)
        ct_release(c->made[i]);
    for (int64_t i = 0; i < c->listed; i++)
        if (c->list[i] != CT_NO_TENSOR)
            ct_release(c->list[i]);
    cti_free(c->list);
    cti_autocast_restore(c->was);
}
