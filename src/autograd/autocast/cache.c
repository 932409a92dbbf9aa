/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache of parameters cast by autocast: one table for all threads, keyed by the parameter's
 * address. The table holds a reference to each parameter, so that its address cannot become another
 * tensor's. Called by autocast.c; see Note [Casts of parameters] in autocast.h. */
#include "autograd/autocast/autocast.h"
#include "autograd/autograd.h"
#include "core/alloc.h"
#include "corten/autograd.h"
#include "corten/own.h"

#include <pthread.h>

struct entry {
    ct_tensor *source, *made; /* both owned; NULL: free */
};

/* Open addressing with linear probing; the size is a power of 2 and at least twice the count. */
static struct {
    struct entry *entry;
    size_t size, count;
} table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The entry of (t, dtype), or the free entry for it. */
static struct entry *cache_find(struct entry *entry, size_t size, const ct_tensor *t, uint8_t dtype)
{
    size_t i = ((uintptr_t)t >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20;
    for (;; i++) {
        struct entry *e = &entry[i & (size - 1)];
        if (!e->source || (e->source == t && e->made->dtype == dtype))
            return e;
    }
}

static bool cache_grow(void)
{
    size_t size = table.size ? table.size * 2 : 64;
    struct entry *fresh = cti_calloc(size, sizeof *fresh);
    if (!fresh)
        return false;
    for (size_t i = 0; i < table.size; i++)
        if (table.entry[i].source)
            *cache_find(fresh, size, table.entry[i].source, table.entry[i].made->dtype) =
                table.entry[i];
    cti_free(table.entry);
    table.entry = fresh;
    table.size = size;
    return true;
}

static ct_tensor *known(const ct_tensor *t, enum ct_dtype dtype)
{
    pthread_mutex_lock(&lock);
    ct_tensor *made =
        table.size ? cache_find(table.entry, table.size, t, (uint8_t)dtype)->made : NULL;
    if (made)
        ct_retain(made);
    pthread_mutex_unlock(&lock);
    return made;
}

/* Caches the cast, unless another thread has done so or there is no memory. */
static void cache_keep(ct_tensor *t, ct_tensor *made)
{
    pthread_mutex_lock(&lock);
    if (table.count * 2 < table.size || cache_grow()) {
        struct entry *e = cache_find(table.entry, table.size, t, made->dtype);
        if (!e->source) {
            *e = (struct entry){ct_retain(t), ct_retain(made)};
            table.count++;
        }
    } else {
        ct_clear_error();
    }
    pthread_mutex_unlock(&lock);
}

ct_tensor *cti_autocast_cached(ct_tensor *t, enum ct_dtype dtype)
{
    ct_tensor *made = known(t, dtype);
    if (made)
        return made;
    /* Made with a history even under no_grad, because a later call with gradients uses the same
     * cast. */
    struct cti_grad_mode was = cti_grad_resume();
    made = ct_own_to_dtype(t, dtype);
    cti_grad_resume_end(was);
    if (made)
        cache_keep(t, made);
    return made;
}

void ct_autocast_cache_clear(void)
{
    pthread_mutex_lock(&lock);
    struct entry *old = table.entry;
    size_t size = table.size;
    table.entry = NULL;
    table.size = table.count = 0;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < size; i++)
        cti_release_all(old[i].made, old[i].source);
    cti_free(old);
}
