/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows a binding's garbage collector which of its objects only a tensor or a node keeps alive: the
 * objects of tensors and nodes (`handle`), contexts of hooks, packed values. Without this, a cycle
 * such as a hook that refers to its own tensor would never be freed. The binding calls
 * ct_visit_held and ct_node_visit_held from its tp_traverse functions.
 *
 * Note [Held]: an object is shown only if the path to it is unique, that is, if every step has a
 * reference count of 1. An object that something else holds too is left out, and the collector then
 * takes it for alive; so it does for objects behind a lock that another thread has, and for those
 * too far away. The collector may run while other threads compute: a history changes under its
 * tensor's lock, lists of hooks change under theirs, and whoever walks a graph holds it. */
#include "autograd/internal.h"

#define FAR 4096 /* nodes and tensors looked at from one */
#define DEEP 32  /* calls inside calls; a chain of nodes needs none */

struct look {
    ct_visitor visit;
    void *arg;
    int left;
    int depth;
};

static int look_at_node(struct look *l, struct cti_node *n);

static int look_at_tensor(struct look *l, ct_tensor *t);

/* One that another, or a node, may be alone in holding. */
static int look_if_alone(struct look *l, ct_tensor *t)
{
    if (!t || ct_reference_count(t) != 1)
        return 0;
    if (t->handle)
        return l->visit(t->handle, NULL, l->arg);
    return l->depth < DEEP ? look_at_tensor(l, t) : 0;
}

static int look_at_tensor(struct look *l, ct_tensor *t)
{
    struct cti_autograd *a = t->autograd;
    l->depth++;
    int rc = --l->left < 0 ? 0 : look_if_alone(l, t->base);
    l->depth--;
    if (!a || rc || l->left < 0 || !cti_byte_trylock(&a->lock))
        return rc;
    l->depth++;
    if (a->hooks)
        rc = cti_hooks_visit(a->hooks, l->visit, l->arg);
    if (!rc)
        rc = look_if_alone(l, a->grad);
    if (!rc && a->grad_fn && ct_node_references(a->grad_fn) == 1)
        rc = look_at_node(l, a->grad_fn);
    l->depth--;
    cti_byte_unlock(&a->lock);
    return rc;
}

static int look_at_saved(struct look *l, const struct cti_saved *s)
{
    if (s->kind == CTI_SAVED_PACKED)
        return cti_packed_visit(s->packed, l->visit, l->arg);
    if (s->kind == CTI_SAVED_NONE || s->value.kind != CT_VALUE_TENSOR)
        return 0;
    return look_if_alone(l, s->value.as.tensor);
}

/* What the node itself holds, but for the nodes it leads to. */
static int look_inside(struct look *l, struct cti_node *n)
{
    const struct cti_node_class *type = n->type;
    int rc = n->hooks ? cti_hooks_visit(n->hooks, l->visit, l->arg) : 0;
    for (int i = 0; i < type->nsaved && !rc; i++)
        rc = look_at_saved(l, (const struct cti_saved *)((const char *)n + type->saved_at[i]));
    if (!rc)
        rc = look_if_alone(l, ct_node_variable(n));
    int64_t count;
    const struct cti_saved *saved = cti_custom_saved(n, &count);
    for (int64_t i = 0; i < count && !rc; i++)
        rc = look_at_saved(l, &saved[i]);
    return rc;
}

/* n and the chain of nodes behind it that nobody else holds. One that has a handle shows it, and
 * its object shows the rest. */
static int look_at_node(struct look *l, struct cti_node *n)
{
    int rc = 0;
    l->depth++;
    while (n && !rc && --l->left >= 0) {
        if (n->handle) {
            rc = l->visit(n->handle, NULL, l->arg);
            break;
        }
        rc = look_inside(l, n);
        struct cti_node *next = NULL;
        for (int32_t i = 0; i < n->nedges && !rc; i++) {
            struct cti_node *to = n->edge[i].node;
            if (!to || ct_node_references(to) != 1)
                continue;
            if (next && l->depth < DEEP)
                rc = look_at_node(l, next);
            next = to;
        }
        n = next;
    }
    l->depth--;
    return rc;
}

int ct_visit_held(ct_tensor *t, ct_visitor visit, void *arg)
{
    struct look l = {visit, arg, FAR, 0};
    return t && ct_reference_count(t) == 1 ? look_at_tensor(&l, t) : 0;
}

int ct_node_visit_held(ct_node *n, ct_visitor visit, void *arg)
{
    struct look l = {visit, arg, FAR, 1};
    if (!n || ct_node_references(n) != 1)
        return 0;
    int rc = look_inside(&l, n);
    for (int32_t i = 0; i < n->nedges && !rc; i++)
        if (n->edge[i].node && ct_node_references(n->edge[i].node) == 1)
            rc = look_at_node(&l, n->edge[i].node);
    return rc;
}

void ct_drop_hooks(ct_tensor *t)
{
    if (t && t->autograd)
        cti_hooks_clear(&t->autograd->hooks);
}
