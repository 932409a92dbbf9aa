/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells a binding's garbage collector which of its objects only a tensor or a node keeps alive: the
 * objects of tensors and nodes (`handle`), contexts of hooks, packed values. Without this, a cycle
 * such as a hook that refers to its own tensor would never be freed. Python's binding calls
 * ct_visit_held and ct_node_visit_held from its tp_traverse functions.
 *
 * Note [Held]: an object is visited only if the path to it is unique, that is, if every step on it
 * has a reference count of 1. Other objects are not visited, so the collector considers them alive.
 * The same holds for objects behind a lock that another thread holds, and for objects beyond the
 * limits below. The collector may run while other threads compute: a history changes under its
 * tensor's lock, lists of hooks change under theirs, and a thread that walks a graph holds a
 * reference to it. */
#include "autograd/internal.h"

#define MOST_OBJECTS 4096 /* the maximum of nodes and tensors in one visit */
#define MOST_NESTED 32    /* the maximum of nested calls; a chain of nodes needs no recursion */

struct visit {
    ct_visitor visit;
    void *arg;
    int left;
    int depth;
};

static int visit_node(struct visit *v, struct cti_node *n);

static int visit_tensor(struct visit *v, ct_tensor *t);

/* Visits a tensor if its caller holds the only reference. */
static int visit_if_sole_owner(struct visit *v, ct_tensor *t)
{
    if (!t || ct_reference_count(t) != 1)
        return 0;
    if (t->handle)
        return v->visit(t->handle, NULL, v->arg);
    return v->depth < MOST_NESTED ? visit_tensor(v, t) : 0;
}

static int visit_tensor(struct visit *v, ct_tensor *t)
{
    struct cti_autograd *a = t->autograd;
    v->depth++;
    int rc = --v->left < 0 ? 0 : visit_if_sole_owner(v, t->base);
    v->depth--;
    if (!a || rc || v->left < 0 || !cti_byte_trylock(&a->lock))
        return rc;
    v->depth++;
    if (a->hooks)
        rc = cti_hooks_visit(a->hooks, v->visit, v->arg);
    if (!rc)
        rc = visit_if_sole_owner(v, a->grad);
    if (!rc && a->grad_fn && ct_node_references(a->grad_fn) == 1)
        rc = visit_node(v, a->grad_fn);
    v->depth--;
    cti_byte_unlock(&a->lock);
    return rc;
}

static int visit_saved(struct visit *v, const struct cti_saved *s)
{
    if (s->kind == CTI_SAVED_PACKED)
        return cti_packed_visit(s->packed, v->visit, v->arg);
    if (s->kind == CTI_SAVED_NONE || s->value.kind != CT_VALUE_TENSOR)
        return 0;
    return visit_if_sole_owner(v, s->value.as.tensor);
}

/* Visits the objects that the node holds itself, without the nodes that its edges lead to. */
static int visit_contents(struct visit *v, struct cti_node *n)
{
    const struct cti_node_class *type = n->type;
    int rc = n->hooks ? cti_hooks_visit(n->hooks, v->visit, v->arg) : 0;
    for (int i = 0; i < type->nsaved && !rc; i++)
        rc = visit_saved(v, (const struct cti_saved *)((const char *)n + type->saved_at[i]));
    if (!rc)
        rc = visit_if_sole_owner(v, ct_node_variable(n));
    int64_t count;
    const struct cti_saved *saved = cti_custom_saved(n, &count);
    for (int64_t i = 0; i < count && !rc; i++)
        rc = visit_saved(v, &saved[i]);
    return rc;
}

/* Visits n and the chain of nodes behind it, as far as each has a single owner. The chain ends at a
 * node with a handle: that object visits the rest. */
static int visit_node(struct visit *v, struct cti_node *n)
{
    int rc = 0;
    v->depth++;
    while (n && !rc && --v->left >= 0) {
        if (n->handle) {
            rc = v->visit(n->handle, NULL, v->arg);
            break;
        }
        rc = visit_contents(v, n);
        struct cti_node *next = NULL;
        for (int32_t i = 0; i < n->nedges && !rc; i++) {
            struct cti_node *to = n->edge[i].node;
            if (!to || ct_node_references(to) != 1)
                continue;
            if (next && v->depth < MOST_NESTED)
                rc = visit_node(v, next);
            next = to;
        }
        n = next;
    }
    v->depth--;
    return rc;
}

int ct_visit_held(ct_tensor *t, ct_visitor visit, void *arg)
{
    struct visit v = {visit, arg, MOST_OBJECTS, 0};
    return t && ct_reference_count(t) == 1 ? visit_tensor(&v, t) : 0;
}

int ct_node_visit_held(ct_node *n, ct_visitor visit, void *arg)
{
    struct visit v = {visit, arg, MOST_OBJECTS, 1};
    if (!n || ct_node_references(n) != 1)
        return 0;
    int rc = visit_contents(&v, n);
    for (int32_t i = 0; i < n->nedges && !rc; i++)
        if (n->edge[i].node && ct_node_references(n->edge[i].node) == 1)
            rc = visit_node(&v, n->edge[i].node);
    return rc;
}

void ct_drop_hooks(ct_tensor *t)
{
    if (t && t->autograd)
        cti_hooks_clear(&t->autograd->hooks);
}
