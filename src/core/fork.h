/* SPDX-License-Identifier: BSD-3-Clause */
/* Fork safety. A child has one thread, and inherits locks as its parent's threads held them, with
 * nobody to release them. Short locks are taken around a fork (cti_fork_guard); locks that are held
 * long, or that are many, are tagged with the generation of the process that holds them
 * (cti_forks), and a child takes over those its parent left locked. */
#ifndef CORTEN_CORE_FORK_H
#define CORTEN_CORE_FORK_H

#include <pthread.h>
#include <stdint.h>

extern uint32_t cti_forks;    /* fork generations since the first process */
extern uint8_t cti_fork_mark; /* the same in a byte, never 0 */

/* From a constructor: a lock that is never held for long. inner: others may be held around it. */
void cti_fork_guard(pthread_mutex_t *lock, int inner);

#endif
