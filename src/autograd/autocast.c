/* SPDX-License-Identifier: BSD-3-Clause */
/* Autocast: the mode of a thread, and the casts of one call. See autocast.h. */
#include "autograd/autocast.h"

#include "core/alloc.h"
#include "corten/autograd.h"
#include "corten/own.h"

__thread struct cti_autocast_mode cti_autocast_mode;

bool ct_autocast_enabled(void)
{
    return cti_autocast_mode.on;
}

enum ct_dtype ct_autocast_dtype(void)
{
    return cti_autocast_mode.dtype ? (enum ct_dtype)cti_autocast_mode.dtype : CT_BFLOAT16;
}

void ct_set_autocast(bool on, enum ct_dtype dtype)
{
    cti_autocast_mode.on = on;
    cti_autocast_mode.dtype = (uint8_t)dtype;
}

void cti_autocast_begin(struct cti_autocast *c, enum cti_autocast_to to)
{
    *c = (struct cti_autocast){.to = to};
    c->dtype = to == CTI_AUTOCAST_LOW ? ct_autocast_dtype() : CT_FLOAT32;
    cti_autocast_mode.on = false;
}

static bool is_cast(const struct cti_autocast *c, const ct_tensor *t)
{
    return t->dtype >= CT_FLOAT16 && t->dtype < CT_FLOAT64 && t->storage->device.type == CT_CPU &&
           t->dtype != (uint8_t)c->dtype;
}

ct_tensor *cti_autocast_tensor(struct cti_autocast *c, ct_tensor *t)
{
    if (!t || t == CT_NO_TENSOR || !is_cast(c, t))
        return t;
    return c->made[c->n++] = ct_own_to_dtype(t, c->dtype);
}

/* The widest type of a list: float32 as soon as it and another, or two kinds of halves, are there.
 */
static enum ct_dtype widest(ct_list list)
{
    enum ct_dtype found = CT_NO_DTYPE;
    for (int64_t i = 0; i < list.n; i++) {
        enum ct_dtype dtype = (enum ct_dtype)list.v[i]->dtype;
        if (dtype < CT_FLOAT16 || dtype >= CT_FLOAT64)
            continue;
        found = found == CT_NO_DTYPE || found == dtype ? dtype : CT_FLOAT32;
    }
    return found == CT_NO_DTYPE ? CT_FLOAT32 : found;
}

ct_list cti_autocast_list(struct cti_autocast *c, ct_list list)
{
    if (c->to == CTI_AUTOCAST_WIDEST)
        c->dtype = widest(list);
    c->list = cti_calloc((size_t)list.n + 1, sizeof *c->list);
    if (!c->list)
        return (ct_list){NULL, 0};
    for (int64_t i = 0; i < list.n; i++) {
        ct_tensor *t = list.v[i];
        c->list[i] = is_cast(c, t) ? ct_own_to_dtype(t, c->dtype) : ct_retain(t);
        c->listed++;
    }
    return ct_list_of(c->list, list.n);
}

void cti_autocast_end(struct cti_autocast *c)
{
    for (int64_t i = 0; i < c->n; i++)
        ct_release(c->made[i]);
    for (int64_t i = 0; i < c->listed; i++)
        ct_release(c->list[i]);
    cti_free(c->list);
    cti_autocast_mode.on = true;
}
