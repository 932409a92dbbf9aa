/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread keeps its room once it has one. Where there is no memory, threads take turns at a room
 * of the process. */
#include "core/scratch.h"

#include "core/thread.h"
#include "core/wait.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(64) char last_resort[CTI_SCRATCH_BYTES];

char *cti_scratch_take(void)
{
    struct cti_thread *thread = &cti_thread;
    char *room = thread->scratch;
    thread->scratch = NULL;
    if (room)
        return room;
    room = aligned_alloc(64, CTI_SCRATCH_BYTES);
    if (room)
        return room;
    cti_wait_lock(&turn);
    return last_resort;
}

void cti_scratch_release(char *room)
{
    struct cti_thread *thread = &cti_thread;
    if (room == last_resort) {
        pthread_mutex_unlock(&turn);
    } else if (thread->scratch) {
        free(room); /* of a region inside another one's */
    } else {
        thread->scratch = room;
        cti_thread_register();
    }
}
