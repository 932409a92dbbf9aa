/* SPDX-License-Identifier: BSD-3-Clause */
/* The backward engine: walks the graph from the roots in reverse, on the calling thread and without
 * recursion. Nodes run in order of decreasing sequence number, as in PyTorch, from a heap of ready
 * nodes; a node is ready when all gradients that can reach it have arrived. Called by run.c, which
 * implements ct_autograd_*; it knows no formulas.
 *
 * Note [Runs]: the state of a node in a run is stored in the run, not in the node, because several
 * threads may walk the same graph. The state of a small graph fits into the run itself, on the
 * caller's stack. */
#include "autograd/engine/engine.h"

#include "autograd/autocast/autocast.h"
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/profile.h"
#include "core/shape.h"

#include <string.h>

#define MANY_EDGES 16

/* ---- the hash table of visited nodes ---- */

static uint32_t hash_of(const struct cti_run *r, const struct cti_node *n)
{
    uint64_t h = ((uint64_t)(uintptr_t)n >> 4) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32) & (r->table_size - 1);
}

static int32_t table_find(const struct cti_run *r, const struct cti_node *n)
{
    uint32_t at = hash_of(r, n);
    for (; r->table[at] >= 0; at = (at + 1) & (r->table_size - 1))
        if (r->slot[r->table[at]].node == n)
            return r->table[at];
    return -1;
}

static void enter(struct cti_run *r, int32_t i)
{
    uint32_t at = hash_of(r, r->slot[i].node);
    while (r->table[at] >= 0)
        at = (at + 1) & (r->table_size - 1);
    r->table[at] = i;
}

/* Doubles the capacity; the table stays at most half full. */
static bool table_grow(struct cti_run *r)
{
    int32_t capacity = 2 * r->capacity;
    uint32_t table_size = 2 * (uint32_t)capacity;
    struct cti_slot *slot = cti_malloc((size_t)capacity * sizeof *slot);
    int32_t *numbers = cti_malloc((table_size + 2 * (size_t)capacity) * sizeof *numbers);
    if (!slot || !numbers) {
        cti_free(slot);
        cti_free(numbers);
        return false;
    }
    memcpy(slot, r->slot, (size_t)r->count * sizeof *slot);
    memcpy(numbers + table_size, r->heap, (size_t)r->nheap * sizeof *numbers);
    memcpy(numbers + table_size + capacity, r->order, (size_t)r->count * sizeof *numbers);
    if (r->slot != r->inline_slot) {
        cti_free(r->slot);
        cti_free(r->table);
    }
    r->slot = slot;
    r->table = numbers;
    r->heap = numbers + table_size;
    r->order = r->heap + capacity;
    r->capacity = capacity;
    r->table_size = table_size;
    memset(r->table, -1, table_size * sizeof *r->table);
    for (int32_t i = 0; i < r->count; i++)
        enter(r, i);
    return true;
}

void cti_run_begin(struct cti_run *r)
{
    r->slot = r->inline_slot;
    r->table = r->inline_numbers;
    r->table_size = 2 * CTI_RUN_INLINE;
    r->heap = r->table + r->table_size;
    r->order = r->heap + CTI_RUN_INLINE;
    r->capacity = CTI_RUN_INLINE;
    r->count = r->nheap = 0;
    memset(r->table, -1, r->table_size * sizeof *r->table);
}

void cti_run_end(struct cti_run *r)
{
    for (int32_t i = 0; i < r->count; i++) {
        struct cti_slot *s = &r->slot[i];
        for (int32_t k = 0; k < s->node->noutputs; k++)
            ct_release(s->many ? s->many[k] : k ? NULL : s->one);
        cti_free(s->many);
    }
    if (r->slot != r->inline_slot) {
        cti_free(r->slot);
        cti_free(r->table);
    }
}

int32_t cti_run_slot(struct cti_run *r, struct cti_node *n)
{
    int32_t i = table_find(r, n);
    if (i >= 0)
        return i;
    if (r->count == r->capacity && !table_grow(r))
        return -1;
    i = r->count++;
    r->slot[i] = (struct cti_slot){.node = n};
    enter(r, i);
    return i;
}

int32_t cti_run_find(const struct cti_run *r, const struct cti_node *n)
{
    return table_find(r, n);
}

/* ---- scheduling ---- */

/* Visits all nodes that can be reached from the present slots, and counts the gradients that each
 * will receive. New slots are appended, so the array of slots is the queue of a breadth-first
 * search. */
bool cti_run_explore(struct cti_run *r)
{
    for (int32_t i = 0; i < r->count; i++) {
        const struct cti_node *n = r->slot[i].node;
        for (int32_t k = 0; k < n->nedges; k++) {
            if (!n->edge[k].node)
                continue;
            int32_t next = cti_run_slot(r, n->edge[k].node);
            if (next < 0)
                return false;
            r->slot[next].waits++;
        }
    }
    return true;
}

/* Whether a runs after b: leaves run first, then the latest call. */
static inline bool runs_after(const struct cti_run *r, int32_t a, int32_t b)
{
    return r->slot[a].node->sequence < r->slot[b].node->sequence;
}

static void heap_push(struct cti_run *r, int32_t i)
{
    int32_t at = r->nheap++;
    for (; at > 0 && runs_after(r, r->heap[(at - 1) / 2], i); at = (at - 1) / 2)
        r->heap[at] = r->heap[(at - 1) / 2];
    r->heap[at] = i;
}

static int32_t pop(struct cti_run *r)
{
    int32_t top = r->heap[0], last = r->heap[--r->nheap], at = 0;
    for (int32_t child; (child = 2 * at + 1) < r->nheap; at = child) {
        if (child + 1 < r->nheap && runs_after(r, r->heap[child], r->heap[child + 1]))
            child++;
        if (!runs_after(r, last, r->heap[child]))
            break;
        r->heap[at] = r->heap[child];
    }
    r->heap[at] = last;
    return top;
}

/* Marks the nodes that lead to a target. Edges lead from later calls to earlier ones, so one pass
 * that starts with the earliest suffices; leaves have no edges. */
void cti_run_limit(struct cti_run *r)
{
    r->limited = true;
    for (int32_t i = 0; i < r->count; i++)
        heap_push(r, i);
    for (int32_t i = r->count - 1; i >= 0; i--)
        r->order[i] = pop(r);
    for (int32_t k = 0; k < r->count; k++) {
        struct cti_slot *s = &r->slot[r->order[k]];
        for (int32_t e = 0; e < s->node->nedges && !s->runs; e++)
            if (s->node->edge[e].node) {
                const struct cti_slot *next = &r->slot[table_find(r, s->node->edge[e].node)];
                s->runs = next->runs || next->target;
            }
    }
}

/* ---- gradients in flight ---- */

/* Whether the engine is the only owner of t, so that it may add to it in place. */
static bool is_ours(const ct_tensor *t)
{
    return !cti_grad_on() && t->refs == 1 && t->storage->refs == 1 && !t->autograd &&
           !(t->flags & (CTI_CONJ | CTI_NEG)) && cti_shape_is_dense(t);
}

static ct_tensor **buffer_of(struct cti_slot *s, uint32_t nr)
{
    if (s->node->noutputs <= 1)
        return &s->one;
    if (!s->many)
        s->many = cti_calloc((size_t)s->node->noutputs, sizeof *s->many);
    return s->many ? &s->many[nr] : NULL;
}

bool cti_run_arrive_take(struct cti_run *r, int32_t i, uint32_t nr, ct_tensor *grad)
{
    struct cti_slot *s = &r->slot[i];
    bool good = true;
    if (grad) {
        ct_tensor **place = buffer_of(s, nr);
        if (!place) {
            good = false;
        } else if (!*place) {
            *place = grad;
            grad = NULL;
        } else if (is_ours(*place) && !cti_grad_becomes_dense(*place, grad)) {
            good = cti_grad_add_into(*place, grad);
        } else {
            ct_tensor *sum = cti_grad_add(*place, grad);
            good = sum != NULL;
            if (good) {
                ct_release(*place);
                *place = sum;
            }
        }
        ct_release(grad);
    }
    if (--s->waits == 0)
        heap_push(r, i);
    return good;
}

static void take_captures(struct cti_run *r, int32_t i, ct_tensor *const *grads)
{
    for (int64_t k = 0; k < r->ncaptures; k++)
        if (r->capture[k].slot == i && grads[r->capture[k].nr])
            r->captured[k] = ct_retain(grads[r->capture[k].nr]);
}

/* Computes which gradients of n are needed in this run. */
static void mark_wanted(const struct cti_run *r, const struct cti_node *n, bool *wanted)
{
    for (int32_t k = 0; k < n->nedges; k++) {
        const struct cti_node *next = n->edge[k].node;
        wanted[k] = next != NULL;
        if (next && r->limited) {
            const struct cti_slot *s = &r->slot[table_find(r, next)];
            wanted[k] = s->runs || s->target;
        }
    }
}

__thread struct cti_engine_here cti_engine_here;

void cti_node_enter(struct cti_node *n, struct cti_running *here)
{
    *here = (struct cti_running){.node = n, .outer = cti_engine_here.running, .locked = true};
    for (const struct cti_running *r = here->outer; r && here->locked; r = r->outer)
        here->locked = r->node != n;
    if (here->locked)
        cti_byte_lock(&n->lock);
    cti_engine_here.running = here;
}

void cti_node_leave(const struct cti_running *here)
{
    cti_engine_here.running = here->outer;
    if (here->locked)
        cti_byte_unlock(&here->node->lock);
}

bool cti_node_derive(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                     ct_tensor **out)
{
    /* Note [Autocast pauses] */
    bool own = n->type == &cti_custom_class;
    uint8_t casting = own ? cti_autocast_resume() : cti_autocast_pause();
    bool good = cti_grads_fit(n, grads) && n->type->backward(n, grads, wanted, out);
    if (cti_engine_here.running)
        cti_packed_close(cti_engine_here.running);
    cti_autocast_restore(casting);
    for (int32_t k = 0; k < n->nedges; k++)
        if (out[k] == CT_NO_TENSOR)
            out[k] = NULL;
    return good;
}

/* some: at least one gradient is defined; otherwise only the hooks run. */
static bool run_node(const struct cti_run *r, struct cti_node *n, bool some,
                     ct_tensor *const *grads, const bool *wanted, ct_tensor **out)
{
    bool watched = cti_anomaly.on;
    struct cti_node *outer = watched ? cti_anomaly_begin(n) : NULL;
    int64_t event = cti_profiling ? cti_event_begin(CT_PROFILE_NODE, cti_node_name(n)) : -1;
    struct cti_running here;
    cti_node_enter(n, &here);
    bool good = !some || cti_node_derive(n, grads, wanted, out);
    if (!r->retain && here.locked && n->type != &cti_accumulate_class)
        cti_node_free_saved(n);
    cti_node_leave(&here);
    good = good && (!n->hooks || cti_hooks_after(n, out, grads));
    ct_profile_end(event);
    return watched ? cti_anomaly_end(n, outer, good, out) : good;
}

/* Passes the gradients in `out` on to the next nodes; takes them over, also on failure. */
static bool propagate(struct cti_run *r, struct cti_node *n, bool good, const bool *wanted,
                      ct_tensor **out)
{
    for (int32_t k = 0; k < n->nedges; k++) {
        const struct cti_edge *edge = &n->edge[k];
        if (good && wanted[k] && out[k]) {
            out[k] = cti_grad_fit_take(out[k], &edge->node->output[edge->nr], cti_node_name(n), k);
            good = out[k] != NULL;
        }
        if (good && wanted[k])
            good = cti_run_arrive_take(r, table_find(r, edge->node), edge->nr, out[k]);
        else
            ct_release(out[k]);
    }
    return good;
}

/* Runs a node for which all gradients have arrived. `out` and `wanted` have a zeroed entry for each
 * edge. */
static bool visit(struct cti_run *r, int32_t i, ct_tensor **grads, bool *wanted, ct_tensor **out)
{
    struct cti_node *n = r->slot[i].node;
    bool hooked = cti_hooks_any(n);
    if (hooked && !cti_hooks_tensor(n, grads))
        return false;
    if (r->slot[i].target)
        take_captures(r, i, grads);
    if (r->limited && !r->slot[i].runs)
        return true;
    mark_wanted(r, n, wanted);
    bool good = !hooked || cti_hooks_before(n, grads), some = n->type->runs_always;
    for (int32_t k = 0; k < n->noutputs; k++)
        some |= grads[k] != NULL;
    if (good && (some || hooked))
        good = run_node(r, n, some, grads, wanted, out);
    return propagate(r, n, good, wanted, out);
}

static bool visit_next(struct cti_run *r)
{
    int32_t i = pop(r);
    struct cti_node *n = r->slot[i].node;
    ct_tensor *one = r->slot[i].one, **many = r->slot[i].many;
    ct_tensor *few_out[MANY_EDGES] = {0}, **out = few_out;
    bool few_wanted[MANY_EDGES] = {false}, *wanted = few_wanted, good;
    r->slot[i].one = NULL;
    r->slot[i].many = NULL;
    if (n->nedges > MANY_EDGES) {
        out = cti_calloc((size_t)n->nedges, sizeof *out);
        wanted = cti_calloc((size_t)n->nedges, sizeof *wanted);
    }
    bool room = true;
    if (n->noutputs > 1 && !many) /* all its gradients are undefined */
        room = (many = cti_calloc((size_t)n->noutputs, sizeof *many)) != NULL;
    good = room && out && wanted && visit(r, i, n->noutputs > 1 ? many : &one, wanted, out);
    for (int32_t k = 0; many && k < n->noutputs; k++)
        ct_release(many[k]);
    ct_release(one);
    cti_free(many);
    if (n->nedges > MANY_EDGES) {
        cti_free(out);
        cti_free(wanted);
    }
    return good;
}

static int64_t runs; /* atomic: the number of runs so far */

int64_t ct_engine_run(void)
{
    const struct cti_run *in_progress = cti_engine_here.run;
    return in_progress ? in_progress->number : -1;
}

bool ct_engine_is_partial(void)
{
    return cti_engine_here.run && cti_engine_here.run->partial;
}

bool ct_engine_will_run(const ct_node *n)
{
    const struct cti_run *in_progress = cti_engine_here.run;
    int32_t i = n && in_progress ? table_find(in_progress, n) : -1;
    return i >= 0 &&
           (!in_progress->limited || in_progress->slot[i].runs || in_progress->slot[i].target);
}

bool ct_engine_at_end(bool (*call)(void *context), void (*drop)(void *context), void *context)
{
    if (!cti_check_pointer((void *)(uintptr_t)call, "ct_engine_at_end", "call") ||
        !cti_check_pointer((void *)(uintptr_t)drop, "ct_engine_at_end", "drop"))
        return false;
    struct cti_run *r = cti_engine_here.run;
    struct cti_run_end *end = r ? cti_malloc(sizeof *end) : NULL, **last;
    if (!end) {
        drop(context);
        return r ? false
                 : cti_refuse(CT_ERR_RUNTIME,
                              "Final callbacks can only be installed during backward pass.");
    }
    *end = (struct cti_run_end){call, drop, context, NULL};
    for (last = &r->ends; *last; last = &(*last)->next)
        ;
    *last = end;
    return true;
}

/* Calls the functions of ct_engine_at_end, which may register more. After a failure they are only
 * dropped. */
static bool call_ends(struct cti_run *r, bool good)
{
    while (r->ends) {
        struct cti_run_end *end = r->ends;
        r->ends = end->next;
        good = good && end->call(end->context);
        end->drop(end->context);
        cti_free(end);
    }
    return good;
}

bool cti_run_all(struct cti_run *r)
{
    bool good = true;
    struct cti_run *outer = cti_engine_here.run;
    r->number = __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
    r->partial = r->limited || (outer && outer->partial);
    cti_engine_here.run = r;
    cti_engine_here.depth++;
    while (good && r->nheap > 0)
        good = visit_next(r);
    good = call_ends(r, good);
    cti_engine_here.depth--;
    cti_engine_here.run = outer;
    return good;
}
