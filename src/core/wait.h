/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that are held while a long call polls its binding: those of generators, and that of the
 * shared scratch memory. While a thread waits for one, it releases the binding's global lock (the
 * GIL); see corten/wait.h. */
#ifndef CORTEN_CORE_WAIT_H
#define CORTEN_CORE_WAIT_H

#include <pthread.h>

void cti_wait_for(pthread_mutex_t *lock); /* the slow path: the lock is taken */

static inline void cti_wait_lock(pthread_mutex_t *lock)
{
    if (pthread_mutex_trylock(lock) != 0)
        cti_wait_for(lock);
}

#endif
