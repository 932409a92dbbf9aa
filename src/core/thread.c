/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a thread: its scopes release their objects, and its error and free lists are freed.
 * For the thread that ends the process this happens when the library is unloaded, so that leak
 * checkers find nothing. */
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
    /* Destructors of other libraries may still call functions; these register again. */
    cti_thread.registered = false;
}

__attribute__((constructor)) static void open_library(void)
{
    have_key = pthread_key_create(&key, empty_thread) == 0;
}

/* The priority makes it run after destructors without one: the pool's workers must end before the
 * key is deleted whose destructor cleans up after them. */
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
