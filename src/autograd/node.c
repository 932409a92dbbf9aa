/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes and the autograd state of a tensor: making, connecting and releasing them. Called by
 * generated code, the engine and the operations; it does no arithmetic.
 *
 * Note [Letting go]: a node owns its next nodes and its saved tensors, which own their nodes.
 * Releasing a chain of them recursively could overflow the stack, so the last release of a node
 * only adds it to a per-thread list, and the outermost call frees the nodes of that list. */
#include "autograd/internal.h"

#include "core/alloc.h"
#include "core/ref.h"

#include <stdlib.h>
#include <string.h>

struct node_thread {
    struct cti_node *dead; /* nodes to free */
    bool releasing;
    uint64_t sequence;
};

static __thread struct node_thread node_thread __attribute__((tls_model("initial-exec")));

/* ---- shapes ---- */

bool cti_meta_set(struct cti_meta *m, const ct_tensor *t)
{
    if (m->more && m->ndim != t->ndim)
        cti_meta_clear(m);
    m->dtype = t->dtype;
    m->ndim = t->ndim;
    m->columns = t->ndim == 2 && t->stride[0] == 1 && t->stride[1] > 1;
    m->device = t->storage->device;
    int64_t *dims = m->more ? m->more : m->dims;
    if (t->ndim > CTI_META_DIMS && !m->more) {
        dims = m->more = cti_malloc(t->ndim * sizeof *dims);
        if (!dims) {
            m->ndim = 0;
            return false;
        }
    }
    for (int i = 0; i < t->ndim; i++)
        dims[i] = t->shape[i];
    return true;
}

void cti_meta_clear(struct cti_meta *m)
{
    cti_free(m->more);
    m->more = NULL;
}

/* ---- nodes ---- */

struct cti_node *cti_node_new(const struct cti_node_class *type, int64_t nedges)
{
    struct cti_node *n = cti_calloc(1, type->size);
    struct cti_edge *edge = n ? n->edges_inline : NULL;
    if (n && nedges > CTI_NODE_EDGES)
        edge = cti_calloc((size_t)nedges, sizeof *edge);
    if (!edge) {
        cti_free(n);
        return NULL;
    }
    n->type = type;
    n->refs = 1;
    n->sequence = ++node_thread.sequence;
    n->edge = edge;
    n->nedges = (int32_t)nedges;
    n->output = &n->output_inline;
    if (__builtin_expect(cti_anomaly.on, 0) && type->name)
        cti_anomaly_made(n);
    return n;
}

void cti_node_set_edge(struct cti_node *n, int64_t i, struct cti_edge owned)
{
    n->edge[i] = owned;
    n->leads |= owned.node->leads;
    /* A node must have a higher number than all nodes it leads to, even if another thread, whose
     * count is higher, made those. */
    uint64_t after = owned.node->sequence;
    if (after != CTI_SEQUENCE_LEAF && after >= n->sequence)
        n->sequence = node_thread.sequence = after + 1;
}

bool cti_node_edge(struct cti_node *n, int64_t i, ct_tensor *t)
{
    struct cti_edge edge;
    if (!cti_wants_grad(t))
        return true;
    if (!cti_gradient_edge(t, &edge))
        return false;
    if (cti_leads_nowhere(t, &edge))
        cti_node_release(edge.node);
    else
        cti_node_set_edge(n, i, edge);
    return true;
}

bool cti_node_edge_value(struct cti_node *n, int64_t i, ct_value v)
{
    return v.kind != CT_VALUE_TENSOR || cti_node_edge(n, i, v.as.tensor);
}

bool cti_node_edge_list(struct cti_node *n, int64_t i, ct_list list)
{
    for (int64_t k = 0; k < list.n; k++)
        if (!cti_node_edge(n, i + k, list.v[k]))
            return false;
    return true;
}

bool cti_wants_grad_list(ct_list list)
{
    for (int64_t k = 0; k < list.n; k++)
        if (cti_wants_grad(list.v[k]))
            return true;
    return false;
}

bool cti_node_output(struct cti_node *node, int64_t k, int64_t n, const ct_tensor *result)
{
    if (node->noutputs == 0) {
        struct cti_meta *output = &node->output_inline;
        if (n > 1 && !(output = cti_calloc((size_t)n, sizeof *output)))
            return false;
        node->output = output;
        node->noutputs = (int32_t)n;
    }
    return cti_meta_set(&node->output[k], result);
}

void cti_node_free_saved(struct cti_node *n)
{
    const struct cti_node_class *type = n->type;
    for (int i = 0; i < type->nsaved; i++)
        cti_saved_clear((struct cti_saved *)((char *)n + type->saved_at[i]));
    if (type->freed)
        type->freed(n);
}

static void destroy(struct cti_node *n)
{
    const struct cti_node_class *type = n->type;
    for (int i = 0; i < type->nsaved; i++)
        cti_saved_clear((struct cti_saved *)((char *)n + type->saved_at[i]));
    if (type->clear)
        type->clear(n);
    cti_hooks_clear(&n->hooks);
    for (int32_t i = 0; i < n->nedges; i++)
        cti_node_release(n->edge[i].node);
    for (int32_t i = 0; i < n->noutputs; i++)
        cti_meta_clear(&n->output[i]);
    if (n->edge != n->edges_inline)
        cti_free(n->edge);
    if (n->output != &n->output_inline)
        cti_free(n->output);
    cti_free(n);
}

void cti_node_release(struct cti_node *n)
{
    if (!n || !cti_ref_put(&n->refs))
        return;
    n->next_free = node_thread.dead;
    node_thread.dead = n;
    if (node_thread.releasing)
        return;
    node_thread.releasing = true;
    while ((n = node_thread.dead)) {
        node_thread.dead = n->next_free;
        destroy(n);
    }
    node_thread.releasing = false;
}

/* ---- the autograd part of a tensor ---- */

static void autograd_release(struct cti_autograd *a)
{
    struct cti_node *fn = a->grad_fn;
    if (a->retained)
        cti_hooks_tensor_gone(a);
    cti_hooks_clear(&a->hooks);
    ct_release(a->grad);
    cti_free(a);
    cti_node_release(fn);
}

__attribute__((constructor)) static void tell_core(void)
{
    cti_core_hooks.autograd_release = autograd_release;
}

struct cti_autograd *cti_autograd_of(ct_tensor *t)
{
    struct cti_autograd *a = __atomic_load_n(&t->autograd, __ATOMIC_ACQUIRE);
    if (a)
        return a;
    struct cti_autograd *fresh = cti_calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    if (__atomic_compare_exchange_n(&t->autograd, &a, fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    cti_free(fresh);
    return a;
}

bool cti_set_history_take(ct_tensor *t, struct cti_node *n, uint32_t output_nr)
{
    struct cti_autograd *a = cti_autograd_of(t);
    if (!a) {
        cti_node_release(n);
        return false;
    }
    struct cti_node *old = a->grad_fn;
    if (old) /* others may refer to it: see Note [Held] */
        cti_byte_lock(&a->lock);
    a->grad_fn = n;
    a->output_nr = output_nr;
    if (old)
        cti_byte_unlock(&a->lock);
    a->view_version = cti_version_count(t);
    t->flags |= CTI_REQUIRES_GRAD;
    if (a->retains_grad && old && !n->type->moved_name)
        cti_hooks_forget_retained(&old->hooks, a);
    cti_node_release(old);
    return true;
}

/* ---- edges ---- */

/* Whether the base was written since the view's grad_fn was made. The caller holds the lock. */
static bool view_is_stale(const ct_tensor *t, const struct cti_autograd *a)
{
    if (!a->grad_fn && !(t->base->flags & CTI_REQUIRES_GRAD))
        return false;
    return a->view_version != cti_version_count(t);
}

/* The grad_fn of a view, updated if necessary, owned. NULL: a leaf, or *failed. */
static struct cti_node *view_grad_fn(ct_tensor *t, struct cti_autograd *a, bool *failed)
{
    cti_byte_lock(&a->lock);
    struct cti_node *fn = a->grad_fn;
    if (!view_is_stale(t, a)) {
        if (fn)
            cti_node_retain(fn);
        cti_byte_unlock(&a->lock);
        return fn;
    }
    struct cti_node *old = NULL;
    fn = cti_view_check(t, true) ? cti_view_history(t) : NULL;
    if (fn) {
        old = a->grad_fn;
        a->grad_fn = cti_node_retain(fn);
        a->output_nr = 0;
        a->view_version = cti_version_count(t);
        if (a->retains_grad && old)
            cti_hooks_forget_retained(&old->hooks, a);
        if (a->retains_grad && !cti_hooks_retain_grad(fn, 0, t)) {
            cti_node_release(fn);
            fn = NULL;
        }
    }
    *failed = !fn;
    cti_byte_unlock(&a->lock);
    cti_node_release(old);
    return fn;
}

bool cti_gradient_edge(ct_tensor *t, struct cti_edge *edge)
{
    struct cti_autograd *a = cti_autograd_of(t);
    bool failed = false;
    edge->node = NULL;
    edge->nr = 0;
    if (!a)
        return false;
    if (t->base)
        edge->node = view_grad_fn(t, a, &failed);
    else if (a->grad_fn)
        edge->node = cti_node_retain(a->grad_fn);
    if (failed)
        return false;
    if (edge->node)
        edge->nr = a->output_nr;
    else
        edge->node = cti_accumulator_of(t);
    return edge->node != NULL;
}

struct cti_node *cti_own_grad_fn(ct_tensor *t, bool *failed)
{
    if (!t || !cti_wants_grad(t))
        return NULL;
    struct cti_autograd *a = t->base ? cti_autograd_of(t) : t->autograd;
    if (!a) {
        *failed = t->base != NULL;
        return NULL;
    }
    if (t->base)
        return view_grad_fn(t, a, failed);
    return a->grad_fn ? cti_node_retain(a->grad_fn) : NULL;
}
