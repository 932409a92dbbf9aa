/* SPDX-License-Identifier: BSD-3-Clause */
/* The internal interface of src/autograd and its engine, in addition to autograd.h: byte locks,
 * edges of tensors, running nodes, saved and packed values, hooks and views. Derivatives include
 * derivatives/derivatives.h instead. */
#ifndef CORTEN_AUTOGRAD_INTERNAL_H
#define CORTEN_AUTOGRAD_INTERNAL_H

#include "autograd/autograd.h"
#include "autograd/gradients.h"
#include "core/fork.h"
#include "core/value.h"

#include <sched.h>

#define CTI_SEQUENCE_LEAF UINT64_MAX

/* A spin lock of one byte. 0: free; otherwise the fork mark of the process that holds it, see
 * core/fork.h. */
static inline bool cti_byte_trylock(uint8_t *lock)
{
    uint8_t ours = cti_fork_mark, now = 0;
    return __atomic_compare_exchange_n(lock, &now, ours, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED) ||
           (now != ours && __atomic_compare_exchange_n(lock, &now, ours, false, __ATOMIC_ACQUIRE,
                                                       __ATOMIC_RELAXED));
}

static inline void cti_byte_lock(uint8_t *lock)
{
    while (!cti_byte_trylock(lock))
        sched_yield();
}

static inline void cti_byte_unlock(uint8_t *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* A node on the stack of running nodes of a thread. A node runs on one thread at a time. On that
 * thread it may run inside itself, if a user's derivative computes gradients through it: the inner
 * run takes no lock and frees nothing. */
struct cti_running {
    struct cti_node *node;
    struct cti_running *outer;
    bool locked;
    struct cti_packed *opened; /* values that the program has unpacked for it, see packed.c */
};
void cti_node_enter(struct cti_node *n, struct cti_running *here); /* engine/engine.c */
void cti_node_leave(const struct cti_running *here);
/* Stores the gradients of n's inputs in `out`, which has a NULL entry for each edge; an entry stays
 * NULL if there is no gradient. The caller owns the entries, also on failure. */
bool cti_node_derive(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                     ct_tensor **out);

/* Adds a reference unless the last one has been released already. */
static inline bool cti_retain_if_alive(int64_t *refs)
{
    int64_t n = __atomic_load_n(refs, __ATOMIC_RELAXED);
    while (n > 0)
        if (__atomic_compare_exchange_n(refs, &n, n + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return true;
    return false;
}

static inline bool cti_dtype_has_grad(enum ct_dtype dtype)
{
    return dtype > CT_UINT64;
}

static inline bool cti_meta_has_shape(const struct cti_meta *m, const ct_tensor *t)
{
    const int64_t *shape = cti_meta_shape(m);
    bool same = t->ndim == m->ndim;
    for (int d = 0; same && d < m->ndim; d++)
        same = shape[d] == t->shape[d];
    return same;
}

/* ---- node.c ---- */

/* In mode.c: a level of dual numbers is opened or closed on this thread. */
void cti_grad_duals(bool open);
/* Makes a result that depends on dual numbers a dual: Note [Dual numbers] in forward.c. */
bool cti_dual_settle(ct_tensor *result);
bool cti_dual_open(void); /* whether a level of dual numbers is open */
static inline bool cti_carries_dual(const struct cti_node *n)
{
    return __builtin_expect(n && (n->leads & CTI_LEADS_DUAL), 0);
}
/* The edge to the node that receives t's gradient, owned; empty if it needs none. False: failed. */
bool cti_gradient_edge(ct_tensor *t, struct cti_edge *edge);
void cti_node_set_edge(struct cti_node *n, int64_t i, struct cti_edge owned);
/* Records shape and type of result k of n; the first call allocates the entries for all. False: out
 * of memory. */
bool cti_node_output(struct cti_node *node, int64_t k, int64_t n, const ct_tensor *result);
/* Frees the saved values, after which the node cannot run again. */
void cti_node_free_saved(struct cti_node *n);
/* Makes n, whose reference it takes over, the grad_fn of t instead of an older one. */
bool cti_set_history_take(ct_tensor *t, struct cti_node *n, uint32_t output_nr);

/* ---- custom.c ---- */

const char *cti_custom_name(const struct cti_node *n);
const struct cti_saved *cti_custom_saved(const struct cti_node *n, int64_t *count);
static inline const char *cti_node_name(const struct cti_node *n)
{
    if (n->in_place && n->type->moved_name)
        return n->type->moved_name;
    return n->type->name ? n->type->name : cti_custom_name(n);
}

/* ---- attach.c ---- */

/* Call before t becomes result nr of the node: if t retains its gradient, its RETAIN hook moves
 * from the old node to the new one. */
bool cti_retained_move(struct cti_node *node, uint32_t nr, ct_tensor *t);

/* ---- engine/run.c ---- */

int64_t cti_run_list_count(ct_list list); /* -1: one of its tensors is NULL */

/* ---- write_sites.c ---- */

void cti_watch(const ct_tensor *t); /* records later writes to its memory */
/* Adds a note with the line of the user's program that made the count-th write. Returns NULL. */
void *cti_note_write(const ct_tensor *t, int64_t count);

/* ---- saved.c ---- */

bool cti_save_result(struct cti_node *n, struct cti_saved *s, ct_tensor *result,
                     uint32_t output_nr);
/* Call before an in-place write: replaces saved self, which must not own its new history, by a
 * copy. */
bool cti_save_before_write(struct cti_node *n, ct_tensor *self);
void cti_saved_clear(struct cti_saved *s);
void *cti_fail_freed(void);
/* Writes "Mul" for MulBackward0, the name of the node in errors, to `room`, and returns it. */
const char *cti_node_short_name(const struct cti_node *n, char room[64]);

/* ---- packed.c ---- */

/* Passes a tensor to the active packer. history: NULL means that of t. False: failed. */
bool cti_pack(struct cti_saved *s, ct_tensor *t, const struct cti_edge *history, bool of_result);
ct_tensor *cti_packed_open(struct cti_node *n, const struct cti_saved *s); /* owned */
/* call when the node has run: Note [Opened once] */
void cti_packed_close(struct cti_running *running);
void cti_packed_free(struct cti_packed *p);
int cti_packed_visit(const struct cti_packed *p, ct_visitor visit, void *arg);

/* The active packers, for a thread that continues the work of this one (engine/new_stack.c). */
void *cti_packers(void);
void cti_packers_lend(void *packers);

/* ---- anomaly.c ---- */

struct cti_anomaly {
    bool on, check_nan;
};
extern struct cti_anomaly cti_anomaly;
void cti_anomaly_made(struct cti_node *n);
/* Around the run of a node. begin returns the argument `outer` of end. */
struct cti_node *cti_anomaly_begin(struct cti_node *n);
bool cti_anomaly_end(struct cti_node *n, struct cti_node *outer, bool good, ct_tensor *const *out);

/* ---- accumulate.c ---- */

extern const struct cti_node_class cti_accumulate_class, cti_custom_class;
/* Whether t is a view made under no_grad: it needs a gradient because its base does, but it has no
 * history. */
static inline bool cti_leads_nowhere(const ct_tensor *t, const struct cti_edge *edge)
{
    return !(t->flags & CTI_REQUIRES_GRAD) && edge->node->type == &cti_accumulate_class;
}
struct cti_node *cti_accumulator_of(ct_tensor *leaf); /* owned */
/* Makes n, the AccumulateGrad of another leaf, also the AccumulateGrad of t, which must not have
 * one. */
bool cti_accumulator_share(ct_tensor *t, struct cti_node *n);
/* Adds `grad` to the gradient of t. steal: t may keep `grad` itself instead of a copy. */
bool cti_accumulate_into(ct_tensor *t, ct_tensor *grad, bool steal);

/* ---- views.c ---- */

/* Makes a new grad_fn for a view whose base was written since the view was made. The caller owns
 * it; NULL: failed. */
struct cti_node *cti_view_history(ct_tensor *view);
/* Returns the history of a result that CopySlices `outer` has written into its base. The caller
 * owns it; NULL: failed. */
struct cti_node *cti_view_result_history(struct cti_node *outer);
/* The same for a tensor that was saved after the write: the base that `outer` wrote, or a view of
 * it. The caller owns it; NULL: failed. */
struct cti_node *cti_view_saved_history(struct cti_node *outer, const ct_tensor *t);
/* Whether a view that was made under no_grad, as one of several results, or by a user-defined
 * function may be written; false and PyTorch's error: no. indirect: the base is written, not the
 * view. */
bool cti_view_check(ct_tensor *view, bool indirect);
/* Makes the node of an in-place call on a view the history of the base. begin, before the write:
 * makes the CopySlices, node->outer. take, after it: puts the node, which it takes over, inside
 * that and attaches it to the base. False: failed. */
bool cti_view_rebase_begin(struct cti_node *node, ct_tensor *view);
bool cti_view_rebase_take(struct cti_node *node, ct_tensor *view);

/* ---- hooks.c ---- */

enum cti_hook_kind {
    CTI_HOOK_TENSOR, /* nr: the number of the result */
    CTI_HOOK_RETAIN, /* makes a result keep its gradient; runs after all hooks of tensors */
    CTI_HOOK_BEFORE,
    CTI_HOOK_AFTER,
    CTI_HOOK_NOTE /* never runs: holds an object of a binding */
};

/* Whether the node, or the leaf of an AccumulateGrad, has hooks that run before it. */
static inline bool cti_hooks_any(const struct cti_node *n)
{
    const ct_tensor *leaf = n->type == &cti_accumulate_class ? ct_node_variable(n) : NULL;
    return n->hooks || (leaf && leaf->autograd->hooks);
}
/* Run hooks: those of the results (also if the gradient is only captured), and those of the node
 * before and after it runs. Undefined gradients are NULL. False: a hook failed. */
bool cti_hooks_tensor(struct cti_node *n, ct_tensor **grads);
bool cti_hooks_before(struct cti_node *n, ct_tensor **grads);
bool cti_hooks_after(struct cti_node *n, ct_tensor **out, ct_tensor *const *grads);
bool cti_hooks_leaf_done(ct_tensor *leaf);
void cti_hooks_clear(struct cti_hook **list);
int cti_hooks_visit(const struct cti_hook *list, ct_visitor visit, void *arg);
/* keeps n alive as long as the list */
bool cti_hooks_hold(struct cti_hook **list, struct cti_node *n);
/* The tensor has got a new grad_fn: the old one must not keep its gradient any more. */
void cti_hooks_forget_retained(struct cti_hook **list, const struct cti_autograd *a);
void cti_hooks_tensor_gone(struct cti_autograd *a); /* the same for a tensor that is being freed */
bool cti_hooks_retain_grad(struct cti_node *n, uint32_t nr, ct_tensor *t);

#endif
