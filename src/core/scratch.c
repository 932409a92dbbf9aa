/* SPDX-License-Identifier: BSD-3-Clause */
/* Per-thread workspace; see scratch.h. A thread keeps its buffer for later calls. If there is no
 * memory for one, threads share a static buffer, one at a time. */
#include "core/scratch.h"

#include "core/thread.h"
#include "core/wait.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t last_resort_lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(64) char last_resort[CTI_SCRATCH_BYTES];

char *cti_scratch_take(void)
{
    struct cti_thread *thread = &cti_thread;
    char *buffer = thread->scratch;
    thread->scratch = NULL;
    if (buffer)
        return buffer;
    buffer = aligned_alloc(64, CTI_SCRATCH_BYTES);
    if (buffer)
        return buffer;
    cti_wait_lock(&last_resort_lock);
    return last_resort;
}

void cti_scratch_release(char *buffer)
{
    struct cti_thread *thread = &cti_thread;
    if (buffer == last_resort) {
        pthread_mutex_unlock(&last_resort_lock);
    } else if (thread->scratch) {
        free(buffer); /* nested region: the thread already keeps a buffer */
    } else {
        thread->scratch = buffer;
        cti_thread_register();
    }
}
