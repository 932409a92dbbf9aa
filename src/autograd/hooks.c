/* SPDX-License-Identifier: BSD-3-Clause */
/* Hooks: user functions that see gradients as they are computed. A list of hooks belongs to a node
 * (hooks of its results and of itself) or to a leaf. The engine runs them. One lock guards all
 * lists; a hook runs without it, so it may add and remove hooks. */
#include "autograd/internal.h"
#include "core/check_args.h"

#include "core/alloc.h"
#include "core/debug.h"
#include "core/fork.h"

#include <pthread.h>

struct cti_hook {
    int64_t refs; /* of the list, the handle, a runner; guarded by hooks_lock */
    struct cti_hook *next;
    uint64_t order; /* of registration, process-wide */
    ct_hook hook;
    uint32_t nr;
    uint8_t kind; /* enum cti_hook_kind */
    bool dead;    /* removed: not called any more */
    bool dropped; /* the context has been dropped */
    int32_t runs; /* threads running it, which keep the context alive */
};

/* The context of RETAIN hooks: the tensor whose gradient they keep. The tensor may get another
 * node, and be freed, while hooks of its earlier nodes still refer to this. */
struct cti_retained {
    int64_t refs;      /* of the tensor and of hooks; guarded by hooks_lock */
    ct_tensor *tensor; /* not owned; NULL after it was freed */
};

static pthread_mutex_t hooks_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t hooks_made; /* guarded by hooks_lock */

__attribute__((constructor)) static void watch_forks(void)
{
    cti_fork_guard(&hooks_lock, 0);
}

/* ---- lists ---- */

/* Whether the caller has to drop the context. Called with the lock held. */
static bool claim_context(struct cti_hook *h)
{
    bool mine = !h->dropped && h->runs == 0 && (h->dead || h->refs == 0);
    h->dropped |= mine;
    return mine && h->hook.drop;
}

static void hook_drop(struct cti_hook *h, bool ran)
{
    pthread_mutex_lock(&hooks_lock);
    h->runs -= ran;
    bool last = --h->refs == 0, drop = claim_context(h);
    ct_hook hook = h->hook; /* the hook may be freed as soon as the lock is released */
    pthread_mutex_unlock(&hooks_lock);
    if (drop)
        hook.drop(hook.context);
    if (last)
        cti_free(h);
}

static struct cti_hook *hook_add(struct cti_hook **list, ct_hook hook, enum cti_hook_kind kind,
                                 uint32_t nr)
{
    struct cti_hook *h = cti_calloc(1, sizeof *h);
    if (!h) {
        if (hook.drop)
            hook.drop(hook.context);
        return NULL;
    }
    h->refs = 1;
    h->hook = hook;
    h->kind = (uint8_t)kind;
    h->nr = nr;
    pthread_mutex_lock(&hooks_lock);
    h->order = ++hooks_made;
    while (*list) {
        struct cti_hook *old = *list;
        if (old->dropped && old->refs == 1) { /* removed, and not running */
            *list = old->next;
            cti_free(old);
        } else {
            list = &old->next;
        }
    }
    *list = h;
    pthread_mutex_unlock(&hooks_lock);
    return h;
}

static ct_hook_handle *hook_handle_of(struct cti_hook *h)
{
    if (!h)
        return NULL;
    pthread_mutex_lock(&hooks_lock);
    h->refs++;
    pthread_mutex_unlock(&hooks_lock);
    return h;
}

void cti_hooks_clear(struct cti_hook **list)
{
    if (!*list) /* the common case */
        return;
    pthread_mutex_lock(&hooks_lock);
    struct cti_hook *h = *list;
    *list = NULL;
    for (struct cti_hook *each = h; each; each = each->next)
        each->dead = true; /* a handle alone does not keep a hook alive */
    pthread_mutex_unlock(&hooks_lock);
    while (h) {
        struct cti_hook *next = h->next;
        hook_drop(h, false);
        h = next;
    }
}

int cti_hooks_visit(const struct cti_hook *list, ct_visitor visit, void *arg)
{
    int rc = 0;
    pthread_mutex_lock(&hooks_lock);
    for (const struct cti_hook *h = list; h && !rc; h = h->next)
        if (!h->dropped && !h->runs && h->hook.drop)
            rc = visit(h->hook.context, h->hook.drop, arg);
    pthread_mutex_unlock(&hooks_lock);
    return rc;
}

static void release_node(void *node)
{
    cti_node_release(node);
}

bool cti_hooks_hold(struct cti_hook **list, struct cti_node *n)
{
    ct_hook hook = {.drop = release_node, .context = cti_node_retain(n)};
    return hook_add(list, hook, CTI_HOOK_NOTE, 0) != NULL;
}

static void retained_release(void *retained)
{
    struct cti_retained *r = retained;
    pthread_mutex_lock(&hooks_lock);
    bool last = --r->refs == 0;
    pthread_mutex_unlock(&hooks_lock);
    if (last)
        cti_free(r);
}

void cti_hooks_tensor_gone(struct cti_autograd *a)
{
    pthread_mutex_lock(&hooks_lock);
    a->retained->tensor = NULL;
    pthread_mutex_unlock(&hooks_lock);
    retained_release(a->retained);
}

void cti_hooks_forget_retained(struct cti_hook **list, const struct cti_autograd *a)
{
    pthread_mutex_lock(&hooks_lock);
    for (struct cti_hook *h = *list; h; h = h->next)
        if (h->kind == CTI_HOOK_RETAIN && h->hook.context == a->retained)
            h->dead = true;
    pthread_mutex_unlock(&hooks_lock);
}

bool cti_hooks_retain_grad(struct cti_node *n, uint32_t nr, ct_tensor *t)
{
    struct cti_autograd *a = t->autograd;
    if (!a->retained) {
        struct cti_retained *r = cti_calloc(1, sizeof *r);
        if (!r)
            return false;
        *r = (struct cti_retained){1, t};
        a->retained = r;
    }
    pthread_mutex_lock(&hooks_lock);
    a->retained->refs++;
    pthread_mutex_unlock(&hooks_lock);
    ct_hook hook = {.drop = retained_release, .context = a->retained};
    return hook_add(&n->hooks, hook, CTI_HOOK_RETAIN, nr) != NULL;
}

void ct_hook_remove(ct_hook_handle *h)
{
    if (!h)
        return;
    pthread_mutex_lock(&hooks_lock);
    h->dead = true;
    bool drop = claim_context(h); /* otherwise the thread that runs it drops it */
    pthread_mutex_unlock(&hooks_lock);
    if (drop)
        h->hook.drop(h->hook.context);
}

void ct_hook_handle_release(ct_hook_handle *h)
{
    if (h)
        hook_drop(h, false);
}

/* ---- registering ---- */

static ct_hook_handle *refuse_take(ct_hook hook)
{
    if (hook.drop)
        hook.drop(hook.context);
    return NULL;
}

ct_hook_handle *ct_register_hook(ct_tensor *t, ct_hook hook)
{
    if (!cti_check_pointer(t, "ct_register_hook", "t"))
        return refuse_take(hook);
    struct cti_edge edge = {NULL, 0};
    struct cti_hook *h = NULL;
    if (t && !cti_wants_grad(t))
        ct_fail(CT_ERR_RUNTIME, "cannot register a hook on a tensor that doesn't require gradient");
    else if (t && cti_gradient_edge(t, &edge)) {
        bool leaf = edge.node->type == &cti_accumulate_class;
        h = hook_add(leaf ? &t->autograd->hooks : &edge.node->hooks, hook, CTI_HOOK_TENSOR,
                     edge.nr);
        h = hook_handle_of(h);
        cti_node_release(edge.node);
        return h;
    }
    return refuse_take(hook);
}

ct_hook_handle *ct_register_post_accumulate_grad_hook(ct_tensor *t, ct_hook hook)
{
    if (!cti_check_pointer(t, "ct_register_post_accumulate_grad_hook", "t"))
        return refuse_take(hook);
    if (t && !cti_wants_grad(t))
        ct_fail(CT_ERR_RUNTIME, "cannot register a hook on a tensor that doesn't require gradient");
    else if (t && !ct_is_leaf(t))
        ct_fail(CT_ERR_RUNTIME, "post accumulate grad hooks cannot be registered on non-leaf "
                                "tensors");
    else if (t && cti_autograd_of(t))
        return hook_handle_of(hook_add(&t->autograd->hooks, hook, CTI_HOOK_AFTER, 0));
    return refuse_take(hook);
}

ct_hook_handle *ct_node_register_prehook(ct_node *n, ct_hook hook)
{
    if (!cti_check_pointer(n, "ct_node_register_prehook", "n"))
        return refuse_take(hook);
    return hook_handle_of(hook_add(&n->hooks, hook, CTI_HOOK_BEFORE, 0));
}

ct_hook_handle *ct_node_register_hook(ct_node *n, ct_hook hook)
{
    if (!cti_check_pointer(n, "ct_node_register_hook", "n"))
        return refuse_take(hook);
    return hook_handle_of(hook_add(&n->hooks, hook, CTI_HOOK_AFTER, 0));
}

bool ct_node_set_note(ct_node *n, void *note, void (*drop)(void *note))
{
    if (!cti_check_pointer(n, "ct_node_set_note", "n"))
        return refuse_take((ct_hook){.drop = drop, .context = note});
    return hook_add(&n->hooks, (ct_hook){.drop = drop, .context = note}, CTI_HOOK_NOTE, 0) != NULL;
}

void *ct_node_note(const ct_node *n)
{
    if (!cti_check_pointer(n, "ct_node_note", "n"))
        return NULL;
    pthread_mutex_lock(&hooks_lock);
    const struct cti_hook *h = n->hooks;
    while (h && h->kind != CTI_HOOK_NOTE)
        h = h->next;
    void *note = h ? h->hook.context : NULL;
    pthread_mutex_unlock(&hooks_lock);
    return note;
}

bool ct_retain_grad(ct_tensor *t)
{
    if (!cti_is_there(t))
        return false;
    if (!cti_wants_grad(t))
        return cti_refuse(CT_ERR_RUNTIME,
                          "can't retain_grad on Tensor that has requires_grad=False");
    struct cti_edge edge;
    if (!cti_gradient_edge(t, &edge))
        return false;
    struct cti_autograd *a = t->autograd;
    bool good = true;
    if (edge.node->type != &cti_accumulate_class && !a->retains_grad) {
        good = cti_hooks_retain_grad(edge.node, edge.nr, t);
        a->retains_grad = good;
    }
    cti_node_release(edge.node);
    return good;
}

bool ct_retains_grad(const ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_retains_grad", "t"))
        return false;
    return t && t->autograd && t->autograd->retains_grad;
}

/* ---- running ---- */

/* The next live hook of a kind after `h` (NULL: the first), with a reference; releases h. Hooks
 * that were added after the first call, which sets *until, are left out. */
static struct cti_hook *next_hook(struct cti_hook *const *list, struct cti_hook *h,
                                  enum cti_hook_kind kind, uint64_t *until)
{
    pthread_mutex_lock(&hooks_lock);
    if (!*until)
        *until = hooks_made;
    struct cti_hook *found = h ? h->next : *list;
    while (found && (found->dead || found->kind != kind || found->order > *until))
        found = found->next;
    if (found) {
        found->refs++;
        found->runs++;
    }
    pthread_mutex_unlock(&hooks_lock);
    if (h)
        hook_drop(h, true);
    return found;
}

static bool call_hook(struct cti_hook *h, struct ct_hook_call *c)
{
    return h->hook.call(h->hook.context, c);
}

/* Runs one hook on one gradient, which must keep its size and type. */
static bool call_on(struct cti_hook *h, ct_tensor **grad)
{
    ct_tensor *old = ct_retain(*grad);
    struct ct_hook_call c = {.grads = grad, .n = 1};
    bool good = call_hook(h, &c);
    if (good && old && *grad && *grad != old) {
        bool same = (*grad)->ndim == old->ndim;
        for (int i = 0; same && i < old->ndim; i++)
            same = (*grad)->shape[i] == old->shape[i];
        if (!same)
            good = cti_refuse(CT_ERR_RUNTIME, "hook has changed the size of value");
        else if ((*grad)->dtype != old->dtype)
            good = cti_refuse(CT_ERR_RUNTIME, "hook has changed the type of value");
    }
    ct_release(old);
    return good;
}

static bool keep_retained(struct cti_hook *h, ct_tensor *grad)
{
    ct_tensor *t = NULL;
    pthread_mutex_lock(&hooks_lock);
    const struct cti_retained *r = h->hook.context;
    if (r->tensor && cti_retain_if_alive(&r->tensor->refs))
        t = r->tensor;
    pthread_mutex_unlock(&hooks_lock);
    bool good = !t || !grad || cti_accumulate_into(t, grad, false);
    ct_release(t);
    return good;
}

bool cti_hooks_tensor(struct cti_node *n, ct_tensor **grads)
{
    uint64_t until = 0;
    struct cti_hook *const *list = &n->hooks;
    bool good = true;
    if (n->type == &cti_accumulate_class) {
        list = &ct_node_variable(n)->autograd->hooks;
        for (struct cti_hook *h = NULL; (h = next_hook(list, h, CTI_HOOK_TENSOR, &until));)
            good = good && call_on(h, &grads[0]);
        list = &n->hooks;
    }
    for (struct cti_hook *h = NULL; (h = next_hook(list, h, CTI_HOOK_TENSOR, &until));)
        good = good && call_on(h, &grads[h->nr]);
    for (struct cti_hook *h = NULL; (h = next_hook(list, h, CTI_HOOK_RETAIN, &until));)
        good = good && keep_retained(h, grads[h->nr]);
    return good;
}

bool cti_hooks_before(struct cti_node *n, ct_tensor **grads)
{
    uint64_t until = 0;
    bool good = true;
    struct ct_hook_call c = {.grads = grads, .n = n->noutputs};
    for (struct cti_hook *h = NULL; (h = next_hook(&n->hooks, h, CTI_HOOK_BEFORE, &until));)
        good = good && call_hook(h, &c);
    return good;
}

bool cti_hooks_after(struct cti_node *n, ct_tensor **out, ct_tensor *const *grads)
{
    uint64_t until = 0;
    struct ct_hook_call c = {out, n->nedges, grads, n->noutputs};
    bool good = true;
    for (struct cti_hook *h = NULL; (h = next_hook(&n->hooks, h, CTI_HOOK_AFTER, &until));)
        good = good && call_hook(h, &c);
    return good;
}

bool cti_hooks_leaf_done(ct_tensor *leaf)
{
    uint64_t until = 0;
    bool good = true;
    struct ct_hook_call c = {.grads = &leaf, .n = 1};
    for (struct cti_hook *h = NULL;
         (h = next_hook(&leaf->autograd->hooks, h, CTI_HOOK_AFTER, &until));)
        good = good && call_hook(h, &c);
    return good;
}
