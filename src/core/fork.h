/* SPDX-License-Identifier: BSD-3-Clause */
/* Fork safety. A forked child has one thread. It inherits locks that threads of its parent held at
 * that time, but not the threads that would release them. Locks that are held only briefly are
 * therefore taken around each fork (cti_fork_guard). Locks that are held for long, or of which
 * there are many, store the fork generation of the process that took them (cti_forks), and a child
 * treats those of an earlier generation as free. */
#ifndef CORTEN_CORE_FORK_H
#define CORTEN_CORE_FORK_H

#include <pthread.h>
#include <stdint.h>

extern uint32_t cti_forks;    /* the fork generation: forks since the first process */
extern uint8_t cti_fork_mark; /* the fork generation in one byte, never 0 */

/* Registers a lock that is never held for long; called by constructors. inner: it may be taken
 * while others are held, so it is taken last. */
void cti_fork_guard(pthread_mutex_t *lock, int inner);

#endif
