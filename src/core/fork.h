/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fork leaves behind. The child has one thread, and locks as its parent's threads held them:
 * nobody is there to open them. Short locks are taken around a fork (cti_fork_guard); a lock that
 * is held long, or that there are many of, carries the number of the process that closed it
 * (cti_forks), and a child takes over what its parent left closed. */
#ifndef CORTEN_CORE_FORK_H
#define CORTEN_CORE_FORK_H

#include <pthread.h>
#include <stdint.h>

extern uint32_t cti_forks;    /* how many lie between this process and the one that began */
extern uint8_t cti_fork_mark; /* the same in a byte, never 0 */

/* From a constructor: a lock that is never held for long. inner: others may be held around it. */
void cti_fork_guard(pthread_mutex_t *lock, int inner);

#endif
