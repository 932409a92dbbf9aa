/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the autograd machine share beyond autograd.h: byte locks, edges of tensors, the
 * running node, saved and packed values, hooks and views. Derivatives include
 * derivatives/derivatives.h instead. */
#ifndef CORTEN_AUTOGRAD_INTERNAL_H
#define CORTEN_AUTOGRAD_INTERNAL_H

#include "autograd/autograd.h"
#include "autograd/gradients.h"
#include "core/fork.h"
#include "core/value.h"

#include <sched.h>

#define CTI_SEQUENCE_LEAF UINT64_MAX

/* A lock of one byte: 0, or a number of the process that has closed it, see core/fork.h. */
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

/* A node runs on one thread at a time. On that thread it may run inside itself, when a backward of
 * the user's asks for gradients through it: the inner run takes no lock and frees nothing. */
struct cti_running {
    struct cti_node *node;
    struct cti_running *outer;
    bool locked;
    struct cti_packed *opened; /* what its formulas have asked the program for, see packed.c */
};
void cti_node_enter(struct cti_node *n, struct cti_running *here); /* engine/engine.c */
void cti_node_leave(const struct cti_running *here);
/* The gradients of n's inputs in `out`, which has a NULL for each edge and keeps it where there is
 * no gradient. Whatever is in `out` belongs to the caller, also on failure. */
bool cti_node_derive(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                     ct_tensor **out);

/* One more reference unless the last is already gone. */
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

/* mode.c: a level of dual numbers is opened or closed on this thread. */
void cti_grad_duals(bool open);
/* Makes a result that depends on dual numbers a dual: Note [Dual numbers] in forward.c. */
bool cti_dual_settle(ct_tensor *result);
bool cti_dual_open(void); /* is there a level of dual numbers? */
static inline bool cti_carries_dual(const struct cti_node *n)
{
    return __builtin_expect(n && (n->leads & CTI_LEADS_DUAL), 0);
}
/* Where t's gradient goes: an owned edge, or an empty one. False: failed. */
bool cti_gradient_edge(ct_tensor *t, struct cti_edge *edge);
void cti_node_set_edge(struct cti_node *n, int64_t i, struct cti_edge owned);
/* Records shape and type of the k-th of n results; the first call allocates room for all. */
bool cti_node_output(struct cti_node *node, int64_t k, int64_t n, const ct_tensor *result);
/* Frees saved values: the graph will not run again. */
void cti_node_free_saved(struct cti_node *n);
/* Makes n the grad_fn of t (takes the reference), in place of an older one. */
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

/* The node that t is about to get, as result nr, keeps t's gradient if the old one does. */
bool cti_retained_move(struct cti_node *node, uint32_t nr, ct_tensor *t);

/* ---- engine/run.c ---- */

int64_t cti_run_list_count(ct_list list); /* -1: one of its tensors failed */

/* ---- write_sites.c ---- */

void cti_watch(const ct_tensor *t); /* record later writes to its memory */
/* Adds a note with the line of the user's program that made the count-th write. Returns NULL. */
void *cti_note_write(const ct_tensor *t, int64_t count);

/* ---- saved.c ---- */

bool cti_save_result(struct cti_node *n, struct cti_saved *s, ct_tensor *result,
                     uint32_t output_nr);
/* Before an in-place write: what is saved of self must not hold its new history. */
bool cti_save_before_write(struct cti_node *n, ct_tensor *self);
void cti_saved_clear(struct cti_saved *s);
void *cti_fail_freed(void);
/* "Mul" for MulBackward0, as errors name a node. The text lives in `room`. */
const char *cti_node_short_name(const struct cti_node *n, char room[64]);

/* ---- packed.c ---- */

/* Hands a tensor to the active packer. history: NULL for t's own. */
bool cti_pack(struct cti_saved *s, ct_tensor *t, const struct cti_edge *history, bool of_result);
ct_tensor *cti_packed_open(struct cti_node *n, const struct cti_saved *s); /* owned */
void cti_packed_close(struct cti_running *running); /* the node has run: see Note [Opened once] */
void cti_packed_free(struct cti_packed *p);
int cti_packed_visit(const struct cti_packed *p, ct_visitor visit, void *arg);

/* The active packers, for a thread that goes on with this one's work (engine/new_stack.c). */
void *cti_packers(void);
void cti_packers_lend(void *packers);

/* ---- anomaly.c ---- */

struct cti_anomaly {
    bool on, check_nan;
};
extern struct cti_anomaly cti_anomaly;
void cti_anomaly_made(struct cti_node *n);
/* Around the run of a node; end gives back what begin returned. */
struct cti_node *cti_anomaly_begin(struct cti_node *n);
bool cti_anomaly_end(struct cti_node *n, struct cti_node *outer, bool good, ct_tensor *const *out);

/* ---- accumulate.c ---- */

extern const struct cti_node_class cti_accumulate_class, cti_custom_class;
/* Of a view made under no_grad: it wants a gradient since its base does, and has none. */
static inline bool cti_leads_nowhere(const ct_tensor *t, const struct cti_edge *edge)
{
    return !(t->flags & CTI_REQUIRES_GRAD) && edge->node->type == &cti_accumulate_class;
}
struct cti_node *cti_accumulator_of(ct_tensor *leaf); /* owned */
/* t, a leaf without an AccumulateGrad, gives its gradient to another's. */
bool cti_accumulator_share(ct_tensor *t, struct cti_node *n);
/* The gradient of a retaining non-leaf: adds `grad` to t's. */
bool cti_accumulate_into(ct_tensor *t, ct_tensor *grad, bool steal);

/* ---- views.c ---- */

/* The grad_fn of a view whose base was written since: replays the view. Owned; NULL: failed. */
struct cti_node *cti_view_history(ct_tensor *view);
/* The history of a result that CopySlices `outer` wrote into its base. Owned; NULL: failed. */
struct cti_node *cti_view_result_history(struct cti_node *outer);
/* The same for a tensor that was saved after the write: the base that `outer` wrote, or a view of
 * it. Owned; NULL: failed. */
struct cti_node *cti_view_saved_history(struct cti_node *outer, const ct_tensor *t);
/* PyTorch's refusal of writes to views that were made under no_grad or among several. */
bool cti_view_check(ct_tensor *view, bool indirect);
/* The node of an in-place call on a view becomes the history of the base. Before the write: makes
 * the CopySlices, node->outer. After it: puts node inside and ties it to the base; takes node. */
bool cti_view_rebase_begin(struct cti_node *node, ct_tensor *view);
bool cti_view_rebase_take(struct cti_node *node, ct_tensor *view);

/* ---- hooks.c ---- */

enum cti_hook_kind {
    CTI_HOOK_TENSOR, /* nr: of which result */
    CTI_HOOK_RETAIN, /* the result keeps its gradient; runs after all hooks of tensors */
    CTI_HOOK_BEFORE,
    CTI_HOOK_AFTER,
    CTI_HOOK_NOTE /* never runs: what a binding keeps with a node */
};

/* Has the node, or the leaf it stands for, hooks that run before it? */
static inline bool cti_hooks_any(const struct cti_node *n)
{
    const ct_tensor *leaf = n->type == &cti_accumulate_class ? ct_node_variable(n) : NULL;
    return n->hooks || (leaf && leaf->autograd->hooks);
}
/* Hooks of the results, which also act where a gradient is only captured; then those of the node.
 * Undefined gradients are NULL. */
bool cti_hooks_tensor(struct cti_node *n, ct_tensor **grads);
bool cti_hooks_before(struct cti_node *n, ct_tensor **grads);
bool cti_hooks_after(struct cti_node *n, ct_tensor **out, ct_tensor *const *grads);
bool cti_hooks_leaf_done(ct_tensor *leaf);
void cti_hooks_clear(struct cti_hook **list);
int cti_hooks_visit(const struct cti_hook *list, ct_visitor visit, void *arg);
bool cti_hooks_hold(struct cti_hook **list, struct cti_node *n); /* n lives as long as the list */
/* The tensor has a new grad_fn: its gradient is no more kept by the old one. */
void cti_hooks_forget_retained(struct cti_hook **list, const struct cti_autograd *a);
void cti_hooks_tensor_gone(struct cti_autograd *a); /* by none: it is about to be freed */
bool cti_hooks_retain_grad(struct cti_node *n, uint32_t nr, ct_tensor *t);

#endif
