/* SPDX-License-Identifier: BSD-3-Clause */
/* Page-locked host memory (pin_memory), which devices access directly, so that copies are
 * asynchronous. The few blocks are in a list. */
#include "cuda/engines.h"

#include "core/alloc.h"
#include "core/check_args.h"
#include "corten/cuda.h"
#include "cuda/runtime/driver.h"

#include <pthread.h>
#include <time.h>

struct pinned {
    char *address;
    int64_t nbytes;
    struct pinned *next;
};
static struct pinned *list;
static struct ct_cuda_host_memory stats;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards list and stats */

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

/* ---- statistics ---- */

static int64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void count(struct ct_cuda_counter *c, int64_t n)
{
    c->current += n;
    *(n > 0 ? &c->allocated : &c->freed) += n > 0 ? n : -n;
    c->peak = c->current > c->peak ? c->current : c->peak;
}

/* Counts a block that the driver has pinned (sign 1) or released (-1) since the time `begin`. */
static void count_block(const struct pinned *block, int sign, int64_t begin)
{
    struct ct_cuda_timer *t = sign > 0 ? &stats.pinning : &stats.releasing;
    int64_t took = microseconds() - begin;
    count(&stats.blocks, sign);
    count(&stats.bytes, sign * block->nbytes);
    t->least = t->count == 0 || took < t->least ? took : t->least;
    t->most = took > t->most ? took : t->most;
    t->total += took;
    t->count++;
}

void ct_cuda_get_host_memory(struct ct_cuda_host_memory *memory)
{
    if (!cti_check_pointer(memory, "ct_cuda_get_host_memory", "memory"))
        return;
    pthread_mutex_lock(&lock);
    *memory = stats;
    pthread_mutex_unlock(&lock);
}

void ct_cuda_reset_host_memory(bool peak)
{
    struct ct_cuda_counter *const both[] = {&stats.blocks, &stats.bytes};
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2; i++)
        if (peak)
            both[i]->peak = both[i]->current;
        else
            both[i]->allocated = both[i]->freed = 0;
    if (!peak)
        stats.pinning = stats.releasing = (struct ct_cuda_timer){0};
    pthread_mutex_unlock(&lock);
}

/* ---- blocks ---- */

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
    int64_t begin = microseconds();
    cti_cu.host_release(mine->address);
    pthread_mutex_lock(&lock);
    count_block(mine, -1, begin);
    pthread_mutex_unlock(&lock);
    cti_free(mine);
}

ct_storage *cti_cuda_pinned(int64_t nbytes)
{
    struct pinned *mine = cti_malloc(sizeof *mine);
    void *address = NULL;
    int64_t begin = microseconds();
    bool good = mine && cti_cuda_use(cti_cuda_current()) &&
                cti_cuda_check(cti_cu.host_allocate(&address, (size_t)(nbytes ? nbytes : 1),
                                                    CU_HOST_PORTABLE));
    if (!good) {
        cti_free(mine);
        return NULL;
    }
    *mine = (struct pinned){address, nbytes, NULL};
    pthread_mutex_lock(&lock);
    count_block(mine, 1, begin);
    mine->next = list;
    __atomic_store_n(&list, mine, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    return cti_storage_borrow(address, nbytes, (struct ct_device){CT_CPU, -1}, unpin, mine);
}
