/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a thread: its scopes release what they hold, its error and free lists go back to the
 * system. For the thread that ends the process the same happens when the library is unloaded, so
 * that leak checkers see no live allocations. */
#include "core/alloc.h"

#include <pthread.h>
#include <stdlib.h>

__thread struct cti_thread cti_thread;

static pthread_key_t key;
static bool have_key;

static void empty_thread(void *unused)
{
    (void)unused;
    cti_scope_thread_exit();
    cti_error_thread_exit();
    cti_free(cti_thread.warning);
    cti_free(cti_thread.second_warning);
    cti_thread.warning = cti_thread.second_warning = NULL;
    free(cti_thread.scratch);
    cti_thread.scratch = NULL;
    cti_alloc_thread_exit();
    /* Destructors of others may still come here; then they register anew. */
    cti_thread.registered = false;
}

__attribute__((constructor)) static void open_library(void)
{
    have_key = pthread_key_create(&key, empty_thread) == 0;
}

/* With a priority, so that it comes after destructors without one: the workers end before the key
 * that empties them goes. */
__attribute__((destructor(101))) static void close_library(void)
{
    empty_thread(NULL);
    ct_empty_cache();
    if (have_key)
        pthread_key_delete(key);
    have_key = false;
}

void cti_thread_register(void)
{
    if (cti_thread.registered)
        return;
    cti_thread.registered = true;
    if (have_key)
        pthread_setspecific(key, &cti_thread);
}
