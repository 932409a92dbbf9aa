/* SPDX-License-Identifier: BSD-3-Clause */
/* Page-locked host memory (pin_memory), which devices access directly, so copies are asynchronous.
 * A list of the blocks; there are few. */
#include "cuda/engines.h"

#include "core/alloc.h"
#include "cuda/driver.h"

#include <pthread.h>

struct pinned {
    char *address;
    int64_t nbytes;
    struct pinned *next;
};
static struct pinned *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool cti_cuda_is_pinned(const void *host)
{
    const char *p = host;
    if (!__atomic_load_n(&list, __ATOMIC_RELAXED))
        return false;
    pthread_mutex_lock(&lock);
    struct pinned *at = list;
    while (at && !(p >= at->address && p < at->address + at->nbytes))
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at != NULL;
}

static void unpin(void *context)
{
    struct pinned *mine = context, **at = &list;
    pthread_mutex_lock(&lock);
    while (*at && *at != mine)
        at = &(*at)->next;
    if (*at)
        __atomic_store_n(at, mine->next, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    cti_cu.synchronize(); /* a copy may still be in flight */
    cti_cu.host_release(mine->address);
    cti_free(mine);
}

ct_storage *cti_cuda_pinned(int64_t nbytes)
{
    struct pinned *mine = cti_malloc(sizeof *mine);
    void *address = NULL;
    bool good = mine && cti_cuda_use(cti_cuda_current()) &&
                cti_cuda_check(cti_cu.host_allocate(&address, (size_t)(nbytes ? nbytes : 1),
                                                    CU_HOST_PORTABLE));
    if (!good) {
        cti_free(mine);
        return NULL;
    }
    *mine = (struct pinned){address, nbytes, NULL};
    pthread_mutex_lock(&lock);
    mine->next = list;
    __atomic_store_n(&list, mine, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    return cti_storage_borrow(address, nbytes, (struct ct_device){CT_CPU, -1}, unpin, mine);
}
