/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for a lock that may be held for long; see wait.h. */
#include "core/wait.h"

#include "corten/wait.h"

static const struct ct_wait_hooks *wait_hooks;

void ct_set_wait_hooks(const struct ct_wait_hooks *hooks)
{
    __atomic_store_n(&wait_hooks, hooks, __ATOMIC_RELEASE);
}

void cti_wait_for(pthread_mutex_t *lock)
{
    const struct ct_wait_hooks *hooks = __atomic_load_n(&wait_hooks, __ATOMIC_ACQUIRE);
    void *token = hooks ? hooks->begin() : NULL;
    pthread_mutex_lock(lock);
    if (hooks)
        hooks->end(token);
}
