/* SPDX-License-Identifier: BSD-3-Clause */
/* The debug mode: released handles wait in a ring, marked as dead, before their memory is used
 * again. Called by tensor.c when a tensor dies and by the functions for C programs when they are
 * given one. */
#include "core/debug.h"

#include "core/alloc.h"
#include "core/profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define RING 65536     /* released handles that are remembered */
#define DEAD INT64_MIN /* in place of a reference count */

bool cti_debug_on, cti_arguments_matter;

static __thread const char *why = "it was released";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ct_tensor *ring[RING];
static int64_t next_place;

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

void cti_debug_reason(const char *reason)
{
    why = reason ? reason : "it was released";
}

void cti_debug_bury(ct_tensor *t)
{
    __atomic_store_n(&t->refs, DEAD, __ATOMIC_RELAXED);
    memcpy(t->inline_dims, &why, sizeof why); /* its sizes are of no use any more */
    pthread_mutex_lock(&lock);
    ct_tensor *oldest = ring[next_place];
    ring[next_place] = t;
    next_place = (next_place + 1) % RING;
    pthread_mutex_unlock(&lock);
    free(oldest);
}

const char *cti_debug_dead(const ct_tensor *t)
{
    const char *reason;
    if (__atomic_load_n(&t->refs, __ATOMIC_RELAXED) != DEAD)
        return NULL;
    memcpy(&reason, t->inline_dims, sizeof reason);
    return reason;
}
