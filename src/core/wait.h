/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that are held while a long call asks its binding whether to go on: a generator's, and that
 * of the scratch room that threads share. Whoever waits for one gives the binding's own lock up
 * meanwhile, see corten/wait.h. */
#ifndef CORTEN_CORE_WAIT_H
#define CORTEN_CORE_WAIT_H

#include <pthread.h>

void cti_wait_for(pthread_mutex_t *lock); /* the slow half: somebody has it */

static inline void cti_wait_lock(pthread_mutex_t *lock)
{
    if (pthread_mutex_trylock(lock) != 0)
        cti_wait_for(lock);
}

#endif
