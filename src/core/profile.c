/* SPDX-License-Identifier: BSD-3-Clause */
/* Records profiles: see corten/profile.h. One list holds the events of all threads, under one lock;
 * each event knows the event that it is nested in. Every operation calls this while a profile is
 * on, so nothing here may fail or set an error: if memory runs out, an event is counted as lost.
 * explain/profile.c makes tables and traces. */
#define _GNU_SOURCE /* gettid */
#include "core/profile.h"
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/debug.h"
#include "core/error.h"
#include "core/fork.h"
#include "core/scope.h"
#include "core/tensor.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ct_profile {
    struct ct_profile_event *event;
    int64_t n, capacity, lost;
    bool shapes;
    void (*begun)(void *context, int64_t event);
    void *context;
};

bool cti_profiling;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ct_profile *current; /* the profile being recorded, or NULL */
/* the number of the profile: an event of an earlier one must not end in it */
static uint64_t run;

/* The innermost event of each thread. Callers see an event as one number that combines its index
 * with the number of the profile, so that an event that outlives its profile does no harm. */
#define NUMBER_BITS 40
static __thread int64_t innermost __attribute__((tls_model("initial-exec"))) = -1;

__attribute__((constructor)) static void guard(void)
{
    cti_fork_guard(&lock, 1);
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t thread_number(void)
{
    static __thread int64_t number __attribute__((tls_model("initial-exec")));
    if (!number)
        number = gettid();
    return number;
}

/* The event of a token if it belongs to the current profile, else NULL. Under the lock. */
static struct ct_profile_event *event_find(int64_t token)
{
    if (!current || token < 0 || (uint64_t)token >> NUMBER_BITS != run)
        return NULL;
    return &current->event[token & (((int64_t)1 << NUMBER_BITS) - 1)];
}

/* ---- shapes ---- */

/* The argument tensors of the call that is about to begin, collected by the argument checks of the
 * C interface. A function that begins no event leaves its tensors here, and they may be released
 * before the next call, so the checks also pass the name of their function, and a new name clears
 * the list. */
#define MOST_GIVEN 16
static __thread struct {
    const ct_tensor *v[MOST_GIVEN];
    const char *function;
    int64_t n;
} given __attribute__((tls_model("initial-exec")));

void cti_call_saw(const ct_tensor *t, const char *function)
{
    if (given.function != function)
        given.n = 0;
    given.function = function;
    if (t && given.n < MOST_GIVEN)
        given.v[given.n++] = t;
}

void cti_call_forget(void)
{
    given.n = 0;
}

static const ct_tensor *if_given(const ct_tensor *t)
{
    return cti_is_given(t) ? t : NULL;
}

static void note_shapes(struct ct_profile_event *e, const ct_tensor *const *of, int64_t n)
{
    int64_t count = n, at = 0;
    for (int64_t i = 0; i < n; i++)
        count += if_given(of[i]) ? of[i]->ndim : 0;
    int64_t *shapes = malloc((size_t)(count ? count : 1) * sizeof *shapes);
    if (!shapes)
        return;
    for (int64_t i = 0; i < n; i++) {
        const ct_tensor *t = if_given(of[i]);
        shapes[at++] = t ? t->ndim : -1;
        for (int d = 0; t && d < t->ndim; d++)
            shapes[at++] = t->shape[d];
    }
    e->shapes = shapes;
    e->nshapes = count;
}

/* ---- events ---- */

static bool event_reserve(ct_profile *p)
{
    if (p->n < p->capacity)
        return true;
    int64_t capacity = p->capacity ? 2 * p->capacity : 256;
    void *event = realloc(p->event, (size_t)capacity * sizeof *p->event);
    if (!event)
        return false;
    p->event = event;
    p->capacity = capacity;
    return true;
}

/* Adds an event to the current profile; -1: there is none, or no memory. Under the lock. */
static int64_t add_event(enum ct_profile_kind kind, const char *name)
{
    char *copy = current ? strdup(name) : NULL;
    if (!copy || !event_reserve(current)) {
        free(copy);
        if (current)
            current->lost++;
        return -1;
    }
    struct ct_profile_event *outer = event_find(innermost), *e = &current->event[current->n];
    *e =
        (struct ct_profile_event){.name = copy, .kind = kind, .thread = thread_number(), .end = -1};
    e->parent = outer ? outer - current->event : -1;
    return current->n++;
}

static int64_t begin(enum ct_profile_kind kind, const char *name, const ct_tensor *const *of,
                     int64_t n)
{
    pthread_mutex_lock(&lock);
    int64_t number = add_event(kind, name), token = (int64_t)(run << NUMBER_BITS) | number;
    void (*begun)(void *, int64_t) = number >= 0 ? current->begun : NULL;
    void *context = begun ? current->context : NULL;
    if (number >= 0 && current->shapes && of)
        note_shapes(&current->event[number], of, n);
    pthread_mutex_unlock(&lock);
    if (number < 0)
        return -1;
    if (begun)
        begun(context, number);
    int64_t memory = ct_memory_bytes();
    pthread_mutex_lock(&lock);
    struct ct_profile_event *e = event_find(token);
    if (e) {
        innermost = token;
        e->memory = memory;
        e->start = now(); /* last, so that the bookkeeping above does not count as its time */
    }
    pthread_mutex_unlock(&lock);
    return token;
}

/* more: bytes that ct_memory_bytes does not count. */
static void event_end(int64_t token, int64_t more, const ct_tensor *result)
{
    int64_t time = now(), memory = ct_memory_bytes() + more;
    pthread_mutex_lock(&lock);
    struct ct_profile_event *e = event_find(token);
    if (e) {
        e->end = time;
        e->memory = memory - e->memory;
        e->made = result ? result->numel : -1;
        if (e->parent >= 0)
            current->event[e->parent].inside += time - e->start;
        innermost = e->parent >= 0 ? (int64_t)(run << NUMBER_BITS) | e->parent : -1;
    }
    pthread_mutex_unlock(&lock);
}

void cti_call_begin(const char *name)
{
    begin(CT_PROFILE_OPERATION, name, given.v, given.n);
    given.n = 0;
}

/* ct_memory_bytes does not count small storages, so the bytes of a new small result are added. */
static int64_t small_bytes(const ct_tensor *result)
{
    const ct_storage *s = result ? result->storage : NULL;
    return s && !s->block && !s->borrowed && !result->base ? s->nbytes : 0;
}

/* Ends the innermost event, if it is this call: the profile may have been started in the middle of
 * it. */
void cti_call_end(const char *name, const ct_tensor *result)
{
    pthread_mutex_lock(&lock);
    const struct ct_profile_event *e = event_find(innermost);
    bool same = e && e->kind == CT_PROFILE_OPERATION && strcmp(e->name, name) == 0;
    pthread_mutex_unlock(&lock);
    if (same)
        event_end(innermost, small_bytes(if_given(result)), if_given(result));
}

int64_t cti_event_begin(enum ct_profile_kind kind, const char *name)
{
    return begin(kind, name, NULL, 0);
}

int64_t ct_profile_begin_call(const char *name, ct_list of)
{
    return cti_profiling && name
               ? begin(CT_PROFILE_OPERATION, name, (const ct_tensor *const *)of.v, of.n)
               : -1;
}

void ct_profile_end_call(int64_t call, const ct_tensor *result)
{
    if (call >= 0)
        event_end(call, small_bytes(if_given(result)), if_given(result));
}

int64_t ct_profile_begin(const char *name)
{
    return cti_profiling && name ? begin(CT_PROFILE_BLOCK, name, NULL, 0) : -1;
}

void ct_profile_end(int64_t block)
{
    if (block >= 0)
        event_end(block, 0, NULL);
}

/* ---- profiles ---- */

/* Every call reads the flag without the lock. */
static void set_on(bool on)
{
    __atomic_store_n(&cti_profiling, on, __ATOMIC_RELAXED);
    __atomic_store_n(&cti_arguments_matter, on || cti_debug_on, __ATOMIC_RELAXED);
}

bool ct_profile_start_ex(const struct ct_profile_start_args *args)
{
    ct_profile *p = cti_calloc(1, sizeof *p);
    if (!p)
        return false;
    if (args && args->struct_size >= sizeof *args) {
        p->shapes = args->shapes;
        p->begun = args->begun;
        p->context = args->context;
    }
    pthread_mutex_lock(&lock);
    bool good = !current;
    if (good) {
        current = p;
        run = (run + 1) & (((uint64_t)1 << (63 - NUMBER_BITS)) - 1);
        set_on(true);
    }
    pthread_mutex_unlock(&lock);
    if (good)
        return true;
    cti_free(p);
    return cti_refuse(CT_ERR_RUNTIME, "Profiler is already enabled on this thread");
}

bool ct_profile_is_on(void)
{
    return cti_profiling;
}

ct_profile *ct_own_profile_stop(void)
{
    pthread_mutex_lock(&lock);
    ct_profile *p = current;
    current = NULL;
    set_on(false);
    pthread_mutex_unlock(&lock);
    if (!p)
        return ct_fail(CT_ERR_RUNTIME, "Can't disable profiler when it's not running");
    for (int64_t i = 0, end = now(); i < p->n; i++)
        if (p->event[i].end < 0) { /* still running, or about to */
            p->event[i].start = p->event[i].start ? p->event[i].start : end;
            p->event[i].end = end;
            p->event[i].memory = 0;
            p->event[i].made = -1;
        }
    return p;
}

void ct_profile_free(ct_profile *p)
{
    if (!p)
        return;
    for (int64_t i = 0; i < p->n; i++) {
        free((char *)p->event[i].name);
        free((int64_t *)p->event[i].shapes);
    }
    free(p->event);
    cti_free(p);
}

static void profile_release(void *p)
{
    ct_profile_free(p);
}

ct_profile *ct_profile_stop(void)
{
    ct_profile *p = ct_own_profile_stop();
    return p ? cti_scope_add(p, profile_release) : NULL;
}

int64_t ct_profile_count(const ct_profile *p)
{
    if (!cti_check_pointer(p, "ct_profile_count", "p"))
        return -1;
    return p->n;
}

int64_t ct_profile_lost(const ct_profile *p)
{
    if (!cti_check_pointer(p, "ct_profile_lost", "p"))
        return -1;
    return p->lost;
}

const struct ct_profile_event *ct_profile_at(const ct_profile *p, int64_t i)
{
    if (!cti_check_pointer(p, "ct_profile_at", "p"))
        return NULL;
    if (i < 0 || i >= p->n)
        return ct_fail(CT_ERR_INDEX, "event index %lld out of range: the profile has %lld",
                       (long long)i, (long long)p->n);
    return &p->event[i];
}
