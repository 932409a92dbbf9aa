/* SPDX-License-Identifier: BSD-3-Clause */
/* The debug mode. The struct of a released tensor is marked as dead and put into a ring buffer; its
 * memory is freed only when the ring buffer wraps around and reuses its slot. tensor.c calls this
 * when a tensor is released, and the functions for C programs when they receive one. Under
 * valgrind, dead structs are inaccessible. */
#include "core/debug.h"

#include "core/alloc.h"
#include "core/profile.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_NOACCESS(address, size) ((void)(address), (void)(size))
#endif

#define RING 65536     /* released tensors that are remembered */
#define DEAD INT64_MIN /* the reference count of a dead tensor */

struct reason {
    const char *text, *file;
    int line;
};

bool cti_debug_on, cti_arguments_matter;

static const struct reason no_reason = {.text = "it was released"};
static __thread struct reason why = {.text = "it was released"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ct_tensor *ring[RING];
static int64_t ring_next;

__attribute__((constructor)) static void read_environment(void)
{
    const char *value = getenv("CORTEN_DEBUG");
    ct_set_debug(value && *value && strcmp(value, "0") != 0);
}

void ct_set_debug(bool on)
{
    __atomic_store_n(&cti_debug_on, on, __ATOMIC_RELAXED);
    __atomic_store_n(&cti_arguments_matter, on || cti_profiling, __ATOMIC_RELAXED);
}

void cti_debug_reason(const char *reason, const char *file, int line)
{
    why = reason ? (struct reason){reason, file, line} : no_reason;
}

/* A dead tensor keeps only the mark and, in the memory of its sizes, the reason why it is dead. */
void cti_debug_bury(ct_tensor *t)
{
    _Static_assert(sizeof why <= sizeof t->inline_dims,
                   "a reason must fit in the memory of the sizes");
    const size_t mark = sizeof t->refs;
    __atomic_store_n(&t->refs, DEAD, __ATOMIC_RELAXED);
    memcpy(t->inline_dims, &why, sizeof why);
    VALGRIND_MAKE_MEM_NOACCESS((char *)t + mark, offsetof(struct ct_tensor, inline_dims) - mark);
    pthread_mutex_lock(&lock);
    ct_tensor *oldest = ring[ring_next];
    ring[ring_next] = t;
    ring_next = (ring_next + 1) % RING;
    pthread_mutex_unlock(&lock);
    free(oldest);
}

const char *cti_debug_dead(const ct_tensor *t)
{
    static __thread char text[160];
    struct reason reason;
    if (__atomic_load_n(&t->refs, __ATOMIC_RELAXED) != DEAD)
        return NULL;
    memcpy(&reason, t->inline_dims, sizeof reason);
    if (!reason.file)
        return reason.text;
    const char *slash = strrchr(reason.file, '/');
    snprintf(text, sizeof text, "%s (%s:%d)", reason.text, slash ? slash + 1 : reason.file,
             reason.line);
    return text;
}

bool cti_debug_alive(const ct_tensor *t)
{
    const char *dead = t == CT_NO_TENSOR ? NULL : cti_debug_dead(t);
    if (dead)
        ct_fail(CT_ERR_RUNTIME, "a released tensor is used: %s", dead);
    return !dead;
}

bool cti_debug_null(const char *function)
{
    return cti_refuse(CT_ERR_TYPE, "%s(): the tensor is NULL", function);
}
