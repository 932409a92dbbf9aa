/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of a network's named tensors, see corten/nn.h. */
#include "corten/nn.h"

#include "core/alloc.h"
#include "core/check_args.h"
#include "core/error.h"
#include "core/scope.h"
#include "core/shape.h"
#include "corten/autograd.h"
#include "corten/own.h"

#include <string.h>

struct entry {
    char *name;
    ct_tensor *tensor; /* owned */
    bool trainable;
};

struct ct_params {
    int64_t n, capacity;
    struct entry *entry;
    ct_tensor **trainable; /* arrays of ct_params_list and ct_params_dict, of size capacity */
    ct_named *named;
    bool evaluating; /* evaluation mode */
};

static void params_release(void *object)
{
    ct_params *p = object;
    for (int64_t i = 0; i < p->n; i++) {
        cti_free(p->entry[i].name);
        ct_release(p->entry[i].tensor);
    }
    cti_free(p->entry);
    cti_free(p->trainable);
    cti_free(p->named);
    cti_free(p);
}

ct_params *ct_params_new(void)
{
    return cti_scope_add(cti_calloc(1, sizeof(ct_params)), params_release);
}

static int64_t params_find(const ct_params *p, const char *name)
{
    for (int64_t i = 0; i < p->n; i++)
        if (strcmp(p->entry[i].name, name) == 0)
            return i;
    return -1;
}

static bool params_reserve(ct_params *p)
{
    if (p->n < p->capacity)
        return true;
    int64_t capacity = p->capacity ? 2 * p->capacity : 16;
    struct entry *entry = cti_realloc(p->entry, (size_t)capacity * sizeof *entry);
    if (!entry)
        return false;
    p->entry = entry;
    ct_tensor **trainable = cti_realloc(p->trainable, (size_t)capacity * sizeof(ct_tensor *));
    if (!trainable)
        return false;
    p->trainable = trainable;
    ct_named *named = cti_realloc(p->named, (size_t)capacity * sizeof *named);
    if (!named)
        return false;
    p->named = named;
    p->capacity = capacity;
    return true;
}

/* Adds a tensor for ct_params_add and ct_params_add_buffer (`function`). */
static ct_tensor *params_append(ct_params *p, const char *name, ct_tensor *t, bool trainable,
                                const char *function)
{
    if (!cti_check_tensor(t, function, "t") || !cti_check_text(name, function, "name"))
        return NULL;
    if (!p)
        return ct_fail(CT_ERR_TYPE, "%s(): the list of parameters is NULL", function);
    if (params_find(p, name) >= 0)
        return ct_fail(CT_ERR_KEY, "attribute '%s' already exists", name);
    if (trainable && !ct_requires_grad(t) && !ct_own_requires_grad_(t, true))
        return NULL;
    char *copy = params_reserve(p) ? cti_strdup(name) : NULL;
    if (!copy)
        return NULL;
    p->entry[p->n++] = (struct entry){copy, ct_retain(t), trainable};
    return t;
}

ct_tensor *ct_params_add(ct_params *p, const char *name, ct_tensor *t)
{
    return params_append(p, name, t, true, "ct_params_add");
}

ct_tensor *ct_params_add_buffer(ct_params *p, const char *name, ct_tensor *t)
{
    return params_append(p, name, t, false, "ct_params_add_buffer");
}

int64_t ct_params_count(const ct_params *p)
{
    return cti_check_pointer(p, "ct_params_count", "p") ? p->n : -1;
}

const char *ct_params_name(const ct_params *p, int64_t i)
{
    if (!cti_check_pointer(p, "ct_params_name", "p"))
        return NULL;
    return i >= 0 && i < p->n ? p->entry[i].name : NULL;
}

ct_tensor *ct_params_at(const ct_params *p, int64_t i)
{
    if (!cti_check_pointer(p, "ct_params_at", "p"))
        return NULL;
    return i >= 0 && i < p->n ? p->entry[i].tensor : NULL;
}

ct_tensor *ct_params_get(const ct_params *p, const char *name)
{
    int64_t i = p && name ? params_find(p, name) : -1;
    return i >= 0 ? p->entry[i].tensor : ct_fail(CT_ERR_KEY, "%s", name ? name : "(null)");
}

ct_list ct_params_list(ct_params *p)
{
    if (!cti_check_pointer(p, "ct_params_list", "p"))
        return CT_NO_LIST;
    int64_t n = 0;
    for (int64_t i = 0; i < p->n; i++)
        if (p->entry[i].trainable)
            p->trainable[n++] = p->entry[i].tensor;
    return ct_list_of(n ? p->trainable : NULL, n);
}

int64_t ct_params_numel(const ct_params *p)
{
    if (!cti_check_pointer(p, "ct_params_numel", "p"))
        return -1;
    int64_t n = 0;
    for (int64_t i = 0; i < p->n; i++)
        n += p->entry[i].trainable ? p->entry[i].tensor->numel : 0;
    return n;
}

ct_dict ct_params_dict(ct_params *p)
{
    if (!cti_check_pointer(p, "ct_params_dict", "p"))
        return CT_NO_DICT;
    for (int64_t i = 0; i < p->n; i++)
        p->named[i] = (ct_named){p->entry[i].name, p->entry[i].tensor};
    return (ct_dict){p->named, p->n};
}

/* ---- loading and copying values ---- */

static int64_t find_in(ct_dict dict, const char *name)
{
    for (int64_t i = 0; i < dict.n; i++)
        if (strcmp(dict.v[i].name, name) == 0)
            return i;
    return -1;
}

/* Checks that the dict has a tensor of the right shape for every entry. */
static bool params_fit(const ct_params *p, ct_dict from, const char *source)
{
    for (int64_t i = 0; i < p->n; i++) {
        const ct_tensor *t = p->entry[i].tensor;
        int64_t k = find_in(from, p->entry[i].name);
        if (k < 0)
            return cti_refuse(CT_ERR_KEY, "Missing key: \"%s\"", p->entry[i].name);
        const ct_tensor *s = from.v[k].tensor;
        char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
        if (!s)
            return cti_refuse(CT_ERR_TYPE, "the tensor of \"%s\" is NULL", p->entry[i].name);
        if (s->ndim != t->ndim ||
            (t->ndim && memcmp(s->shape, t->shape, t->ndim * sizeof *t->shape) != 0))
            return cti_refuse(CT_ERR_RUNTIME,
                              "size mismatch for %s: copying a param with shape %s from %s, the "
                              "shape in current model is %s.",
                              p->entry[i].name, cti_shape_text(have, s->ndim, s->shape), source,
                              cti_shape_text(want, t->ndim, t->shape));
    }
    return true;
}

static bool copy_values(ct_params *p, ct_dict from)
{
    bool mode = ct_set_grad_enabled(false), good = true;
    for (int64_t i = 0; i < p->n && good; i++)
        good = ct_own_copy_(p->entry[i].tensor, from.v[find_in(from, p->entry[i].name)].tensor,
                            false) != NULL;
    ct_set_grad_enabled(mode);
    return good;
}

bool ct_params_copy(ct_params *p, const ct_params *from)
{
    if (!p || !from)
        return cti_refuse(CT_ERR_TYPE, "ct_params_copy(): a list of parameters is NULL");
    ct_dict dict = ct_params_dict((ct_params *)from);
    return params_fit(p, dict, "another list") && copy_values(p, dict);
}

bool ct_params_load(ct_params *p, ct_dict from)
{
    if (!p)
        return cti_refuse(CT_ERR_TYPE, "ct_params_load(): the list of parameters is NULL");
    if (!from.v) /* ct_load_dict failed and has set an error */
        return ct_error() ? false : cti_refuse(CT_ERR_TYPE, "ct_params_load(): there is no dict");
    if (from.n < 0)
        for (from.n = 0; from.v[from.n].name;)
            from.n++;
    if (!params_fit(p, from, "checkpoint"))
        return false;
    for (int64_t i = 0; i < from.n; i++)
        if (params_find(p, from.v[i].name) < 0)
            return cti_refuse(CT_ERR_RUNTIME, "Unexpected key: \"%s\"", from.v[i].name);
    return copy_values(p, from);
}

bool ct_params_to(ct_params *p, struct ct_device device)
{
    if (!p)
        return cti_refuse(CT_ERR_TYPE, "ct_params_to(): the list of parameters is NULL");
    if (!cti_check_device(device, "ct_params_to", "device"))
        return false;
    for (int64_t i = 0; i < p->n; i++) {
        ct_tensor *t = p->entry[i].tensor, *plain = ct_own_detach(t);
        ct_tensor *moved = plain ? ct_own_to(plain, CT_NO_DTYPE, device, false, false, -1) : NULL;
        bool good = moved && ct_set_data(t, moved);
        ct_release(plain);
        ct_release(moved);
        if (!good)
            return false;
    }
    return true;
}

void ct_params_train(ct_params *p, bool training)
{
    if (!cti_check_pointer(p, "ct_params_train", "p"))
        return;
    p->evaluating = !training;
}

bool ct_params_is_training(const ct_params *p)
{
    return cti_check_pointer(p, "ct_params_is_training", "p") && !p->evaluating;
}
